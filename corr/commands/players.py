"""`corr player`: adds, lists, exports and deletes players."""

from __future__ import annotations

import click

from corr.commands.open_server import DatabaseCommand, open_server
from corr.service.admin.maintenance import delete_player as forget_player
from corr.service.games import own_data_file
from corr.service.players import passkeys, players


@click.command(cls=DatabaseCommand)
@click.argument("name")
@click.argument("address")
def add(name: str, address: str) -> None:
    """Create a player, or give a player one more ADDRESS.

    You vouch that the address is theirs.

    Example: corr player add Ann ann@example.org
    """
    server = open_server()
    players.add(server, name, address, server.now())
    click.echo(f"Email from {address} now counts as {name}'s.")


@click.command("list", cls=DatabaseCommand)
def print_all() -> None:
    """List all players with their addresses.

    It also shows each bot's owner, and each player's number of games without tutorials.

    Example: corr player list
    """
    for each in players.list_players(open_server()):
        games = f"{each.games} game{'' if each.games == 1 else 's'}"
        addresses = ", ".join(each.addresses) or "no address"
        click.echo(f"{each.name}: {'bot of ' if each.is_program else ''}{addresses}, {games}")


@click.command(cls=DatabaseCommand)
@click.argument("name")
def export(name: str) -> None:
    """Print everything we keep about a player, as JSON.

    The file is for that player alone.

    Example: corr player export Ann > ann.json
    """
    click.echo(own_data_file.export_by_name(open_server(), name))


@click.command("lost-passkeys", cls=DatabaseCommand)
@click.argument("name")
def lost_passkeys(name: str) -> None:
    """Remove all passkeys of an admin who has lost them.

    We email the admin about each one.

    Example: corr player lost-passkeys Ann
    """
    server = open_server()
    click.echo(f"Removed {name}'s passkeys: {passkeys.remove_lost(server, name, server.now())}.")


@click.command(cls=DatabaseCommand)
@click.argument("name")
@click.confirmation_option(prompt="This deletes the player's name, addresses and emails. Continue?")
def forget(name: str) -> None:
    """Delete a player's name, addresses and emails.

    Their games, and what the umpire said in them, stay.

    Example: corr player forget Ann
    """
    server = open_server()
    forget_player(server, name, server.now())
    click.echo(f"Deleted {name}.")
