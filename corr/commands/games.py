"""`corr challenge`, `corr seat` and `corr pgn`: games from before they begin to after their end."""

from __future__ import annotations

import click

from corr.commands.house import AtTheDatabase, the_house
from corr.commands.knock import knock
from corr.desk.lobby import proposals
from corr.desk.table import finished, rekeying
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
