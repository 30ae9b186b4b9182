"""`corr player`: names, and the addresses at which players read letters."""

from __future__ import annotations

import click

from corr.commands.house import AtTheDatabase, the_house
from corr.desk.operator.forget import forget as forget_player
from corr.desk.people import passkeys, players
from corr.desk.table import own_data


@click.command(cls=AtTheDatabase)
@click.argument("name")
@click.argument("address")
def add(name: str, address: str) -> None:
    """Make a player, or give the player of a NAME one more ADDRESS. You vouch that it is theirs."""
    house = the_house()
    players.add(house, name, address, house.now())
    click.echo(f"Letters from {address} are {name}'s.")


@click.command("list", cls=AtTheDatabase)
def print_all() -> None:
    """Print all players: name, addresses, whose programs some are, how many games, tutorials left out."""
    for each in players.listed(the_house()):
        games = f"{each.games} game{'' if each.games == 1 else 's'}"
        addresses = ", ".join(each.addresses) or "no address"
        click.echo(f"{each.name}: {'a program of ' if each.is_program else ''}{addresses}, {games}")


@click.command(cls=AtTheDatabase)
@click.argument("name")
def export(name: str) -> None:
    """Print as JSON what is kept of a player, for that player to read."""
    click.echo(own_data.of_name(the_house(), name))


@click.command("lost-passkeys", cls=AtTheDatabase)
@click.argument("name")
def lost_passkeys(name: str) -> None:
    """Take all passkeys of an operator away who cannot show one any more. A letter says so for each."""
    house = the_house()
    click.echo(
        f"Passkeys of {name}'s that were taken away: {passkeys.remove_lost(house, name, house.now())}."
    )


@click.command(cls=AtTheDatabase)
@click.argument("name")
@click.confirmation_option(prompt="Name, addresses and letters will be lost. Go on?")
def forget(name: str) -> None:
    """Take a player's name, addresses and letters out of all that is kept. Games and what the umpire said stay."""
    house = the_house()
    forget_player(house, name, house.now())
    click.echo(f"{name} is forgotten.")
