"""`corr challenge`, `seat`, `pgn`, `record` and `export`: games from before they begin to after their end."""

from __future__ import annotations

import click

from corr.commands.house import AtTheDatabase, the_house
from corr.commands.knock import knock
from corr.desk.lobby import proposals
from corr.desk.table import finished, open_games, recorded, rekeying
from corr.desk.table.open_games import EVER, What
from corr.knock import Work
from corr.words.board import Pair, Side


@click.command(cls=AtTheDatabase)
@click.argument("white", metavar="WHITE-ADDRESS")
@click.argument("black", metavar="BLACK-ADDRESS")
@click.argument("variant")
@click.option(
    "--clock", default="3d", show_default=True, help="As a challenge names it: 5d, 3d+bank10d, none."
)
def challenge(white: str, black: str, variant: str, clock: str) -> None:
    """Propose a game to two addresses; it begins when both have accepted by letter.

    An address may carry a name: "Ann <ann@example.org>".
    """
    house = the_house()
    code = proposals.propose(house, Pair(white, black), variant, clock, house.now())
    knock(Work.LETTERS)
    click.echo(f"Game {code} is proposed: both players get a letter.")


@click.command(cls=AtTheDatabase)
@click.argument("code", metavar="GAME")
@click.argument("side", type=click.Choice([side.value for side in Side]))
def rekey(code: str, side: str) -> None:
    """Make the addresses of a SIDE of a GAME anew, where somebody else knows one; its player gets a letter."""
    house = the_house()
    rekeying.rekey_of_game(house, code, Side(side), house.now())
    knock(Work.LETTERS)
    click.echo(f"{side} in game {code} has a new address, and the old ones do nothing any more.")


@click.command(cls=AtTheDatabase)
@click.argument("code")
def pgn(code: str) -> None:
    """Print the finished game of a CODE as a PGN file, in UTF-8: every move, and what the umpire said of it."""
    click.echo(finished.pgn(the_house(), code).encode(), nl=False)


@click.command(cls=AtTheDatabase)
@click.argument("code", metavar="GAME")
@click.argument("side", type=click.Choice([side.value for side in Side]))
def record(code: str, side: str) -> None:
    """Print the record of a finished GAME as a SIDE gets it: each turn, and the salts that hid it until the end."""
    click.echo(recorded.of_code(the_house(), code, Side(side)).encode(), nl=False)


@click.command(cls=AtTheDatabase)
@click.option("--month", default="", help="In which they ended, as in 2026-10; without one, all there are.")
@click.option(
    "--what",
    type=click.Choice([what.value for what in What]),
    default=What.RECORDS.value,
    show_default=True,
    help="The records that can be proved, PGN, or games of Reconnaissance Blind Chess as reconchess keeps them.",
)
def export(month: str, what: str) -> None:
    """Print the finished games that both players let everybody have, under CC0: the earliest first."""
    for piece in open_games.export(the_house(), What(what), open_games.month_of(month) if month else EVER):
        click.echo(piece, nl=False)
