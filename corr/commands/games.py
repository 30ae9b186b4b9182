"""`corr challenge`, `seat`, `pgn`, `record` and `export`: start games, repair seats, and read out games."""

from __future__ import annotations

import click

from corr.commands.open_server import DatabaseCommand, open_server, wake_workers
from corr.service.games import finished, game_records, open_data, seats
from corr.service.games.open_data import ALL_TIME, FileFormat
from corr.service.lobby import game_starts
from corr.words.board import Pair, Side
from corr.worker_wakeup import Work


@click.command(cls=DatabaseCommand)
@click.argument("white", metavar="WHITE-ADDRESS")
@click.argument("black", metavar="BLACK-ADDRESS")
@click.argument("variant")
@click.option(
    "--clock", default="3d", show_default=True, help="Clock, as in a challenge: 5d, 3d+bank10d, none."
)
def challenge(white: str, black: str, variant: str, clock: str) -> None:
    """Propose a game to two addresses.

    It starts when both have accepted by email. An address can come with a name: "Ann <ann@example.org>".

    Example: corr challenge ann@example.org ben@example.org wild16
    """
    server = open_server()
    code = game_starts.propose(server, Pair(white, black), variant, clock, server.now())
    wake_workers(Work.LETTERS)
    click.echo(f"Proposed game {code}. Both players get an email.")


@click.command(cls=DatabaseCommand)
@click.argument("code", metavar="GAME")
@click.argument("side", type=click.Choice([side.value for side in Side]))
def rekey(code: str, side: str) -> None:
    """Give one SIDE of a GAME a new reply address.

    Use this if someone else knows the old one. The player gets an email.

    Example: corr seat rekey k3x9m white
    """
    server = open_server()
    seats.renew_for_operator(server, code, Side(side), server.now())
    wake_workers(Work.LETTERS)
    click.echo(f"{side} in game {code} has a new address. The old ones no longer work.")


@click.command(cls=DatabaseCommand)
@click.argument("code")
def pgn(code: str) -> None:
    """Print a finished game as PGN.

    The file has every move, and what the umpire said.

    Example: corr pgn k3x9m > game.pgn
    """
    click.echo(finished.pgn(open_server(), code).encode(), nl=False)


@click.command(cls=DatabaseCommand)
@click.argument("code", metavar="GAME")
@click.argument("side", type=click.Choice([side.value for side in Side]))
def record(code: str, side: str) -> None:
    """Print the record of a finished GAME as one SIDE gets it.

    It has each turn, and the salts that hid it until the end.

    Example: corr record k3x9m white > record.jsonl
    """
    click.echo(game_records.load_by_code(open_server(), code, Side(side)).encode(), nl=False)


@click.command(cls=DatabaseCommand)
@click.option(
    "--month", default="", help="Only games that ended in this month, for example 2026-10. Default: all."
)
@click.option(
    "--what",
    type=click.Choice([what.value for what in FileFormat]),
    default=FileFormat.RECORDS.value,
    show_default=True,
    help=(
        "What to print: verifiable records, PGN, or Reconnaissance Blind Chess games in reconchess's format."
    ),
)
def export(month: str, what: str) -> None:
    """Print the games that both players publish, under CC0.

    The earliest game comes first.

    Example: corr export --month 2026-10 > games.jsonl
    """
    for piece in open_data.export(
        open_server(), FileFormat(what), open_data.parse_month(month) if month else ALL_TIME
    ):
        click.echo(piece, nl=False)
