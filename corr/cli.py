"""The `corr` command: the roof that wires the house."""

from __future__ import annotations

import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from corr import console
from corr.config import Config
from corr.demo import run as demo_house
from corr.desk import inbox, passkeys, players, proposals, rekeying, restoring, review, rounds
from corr.desk.arrival import Arrival
from corr.desk.house import House, house_of
from corr.doctor import examine
from corr.door import FrontDoor
from corr.knock import Knocker, Work
from corr.logbook import open_logbook
from corr.mail.letter import report
from corr.mail.listen import Listener, LmtpDoor, Place, SmtpDoor, place_of
from corr.stop import heed_signals
from corr.store import copies, roles, schema
from corr.store.session import Store
from corr.words import CorrError, Pair, Side

# What a mail server expects of a delivery command (sysexits.h).
_NO_USER, _TRY_LATER = 67, 75

_PATIENCE = 2.0

log = logging.getLogger(__name__)


class Sentences(click.Group):
    """Ends in a sentence where something is missing, refused or out of reach."""

    def invoke(self, ctx: click.Context) -> Any:  # click's own signature
        try:
            return super().invoke(ctx)
        except CorrError as error:
            raise click.ClickException(str(error)) from error
        except DBAPIError as error:
            raise click.ClickException(f"{_trouble(error)}: {error.orig}") from error


def _trouble(error: DBAPIError) -> str:
    """Whether the database refused a statement, or could not even be asked."""
    was_asked = error.statement is not None and not error.connection_invalidated
    return "The database refused" if was_asked else "The database does not answer"


@click.group(cls=Sentences)
@click.version_option(package_name="corr")
def main() -> None:
    """Kriegspiel and its relatives by mail."""


def _store() -> Store:
    store = house_of(Config.from_env(os.environ)).store
    click.get_current_context().call_on_close(store.close)
    return store


def _house() -> House:
    house = house_of(Config.from_env(os.environ))
    click.get_current_context().call_on_close(house.store.close)
    schema.require_newest(house.store)
    return house


def _knock(work: Work) -> None:
    """Wake the workers; where no broker is named, their sweep finds the work."""
    redis_url = Config.from_env(os.environ).redis_url
    if redis_url:
        knock = Knocker(redis_url)
        knock(work)
        knock.finish(_PATIENCE)


# ---------------------------------------------------------------- the database


@main.group()
def db() -> None:
    """The database's tables."""


@db.command()
def upgrade() -> None:
    """Make the tables, or bring them to the newest version."""
    schema.upgrade(_store())
    click.echo("The tables are of the newest version.")


@db.command()
@click.argument("revision", default="base")
@click.confirmation_option(prompt="What the tables hold will be lost. Go on?")
def downgrade(revision: str) -> None:
    """Take the tables back to a REVISION, or away."""
    schema.downgrade(_store(), revision)
    click.echo("Done.")


@db.command()
@click.argument("role")
def grant(role: str) -> None:
    """Let a PostgreSQL ROLE do what the pages need, and read no truth.

    Give the pages the role by CORR_WEB_DATABASE_URL. Say it again after each `corr db upgrade`.
    """
    roles.let_the_web_work(_store(), role)
    click.echo(f"{role} may do what the pages need, and read no truth.")


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy the whole database into a new FILE, while the house works.

    The copy holds every truth, address and letter: keep it as you keep the database.
    """
    copies.copy(_house().store, file)
    click.echo(f"The database is copied into {file}.")


@main.command()
@click.confirmation_option(prompt="Every player of a running game will get a letter. Go on?")
def restored() -> None:
    """Say, once, that the database was restored from a copy, before anything else is started.

    What was sent since the copy was taken is lost. Its numbers are skipped, so that a reply to a lost letter is
    known as one, and the players of all running games are told and get their boards.
    """
    house = _house()
    games = restoring.resume(house, house.now())
    _knock(Work.SEND)
    click.echo(f"{games} game{'' if games == 1 else 's'} resumed.")


@main.command()
def doctor() -> None:
    """Look at everything that this house needs, and say what is wrong and what to do."""
    findings = examine(os.environ)
    for finding in findings:
        mark = click.style("ok   ", fg="green") if finding.is_well else click.style("WRONG", fg="red")
        click.echo(f"{mark} {finding.what:<8} {finding.says}")
        if finding.advice:
            click.echo(f"{'':14} {finding.advice}")
    sys.exit(not all(finding.is_well for finding in findings))


# ---------------------------------------------------------------- players


@main.group()
def player() -> None:
    """Players: names, and the addresses at which they read letters."""


@player.command("add")
@click.argument("name")
@click.argument("address")
def add_player(name: str, address: str) -> None:
    """Make a player, or give the player of a NAME one more ADDRESS. You vouch that it is theirs."""
    house = _house()
    players.add(house, name, address, house.now())
    click.echo(f"Letters from {address} are {name}'s.")


@player.command("list")
def list_players() -> None:
    """Print all players: name, addresses, how many games."""
    for each in players.listed(_house()):
        games = f"{each.games} game{'' if each.games == 1 else 's'}"
        click.echo(f"{each.name}: {', '.join(each.addresses) or 'no address'}, {games}")


@player.command("export")
@click.argument("name")
def export_player(name: str) -> None:
    """Print as JSON what is kept of a player, for that player to read."""
    click.echo(json.dumps(players.export(_house(), name), ensure_ascii=False, indent=2))


@player.command("lost-passkeys")
@click.argument("name")
def lost_passkeys(name: str) -> None:
    """Take all passkeys of an operator away who cannot show one any more. A letter says so for each."""
    house = _house()
    click.echo(
        f"Passkeys of {name}'s that were taken away: {passkeys.remove_lost(house, name, house.now())}."
    )


@player.command("forget")
@click.argument("name")
@click.confirmation_option(prompt="Name, addresses and letters will be lost. Go on?")
def forget_player(name: str) -> None:
    """Take a player's name, addresses and letters out of all that is kept. Games and what the umpire said stay."""
    house = _house()
    players.forget(house, name, house.now())
    click.echo(f"{name} is forgotten.")


# ---------------------------------------------------------------- games


@main.command()
@click.argument("white", metavar="WHITE-ADDRESS")
@click.argument("black", metavar="BLACK-ADDRESS")
@click.argument("variant")
@click.option("--days", default=3, show_default=True, help="Days for each move.")
def challenge(white: str, black: str, variant: str, days: int) -> None:
    """Propose a game to two addresses; it begins when both have accepted by letter.

    An address may carry a name: "Ann <ann@example.org>".
    """
    house = _house()
    code = proposals.propose(house, Pair(white, black), variant, f"{days}d", house.now())
    _knock(Work.SEND)
    click.echo(f"Game {code} is proposed: both players get a letter.")


@main.group()
def seat() -> None:
    """Players' places in games."""


@seat.command("rekey")
@click.argument("code", metavar="GAME")
@click.argument("side", type=click.Choice([side.value for side in Side]))
def rekey_seat(code: str, side: str) -> None:
    """Make the addresses of a SIDE of a GAME anew, where somebody else knows one; its player gets a letter."""
    house = _house()
    rekeying.rekey_of_game(house, code, Side(side), house.now())
    _knock(Work.SEND)
    click.echo(f"{side} in game {code} has a new address, and the old ones do nothing any more.")


@main.command()
@click.argument("code")
def pgn(code: str) -> None:
    """Print the finished game of a CODE as a PGN file, in UTF-8: every move, and what the umpire said of it."""
    click.echo(review.pgn(_house(), code).encode(), nl=False)


@main.command()
@click.argument("variant")
@click.option("--fen", help="Start from this position.")
@click.option("--reveal", is_flag=True, help="Show the true position in every answer.")
def umpire(variant: str, fen: str | None, reveal: bool) -> None:  # noqa: FBT001  # click hands over a flag
    """The umpire of a VARIANT for programs: one order a line in, one JSON object a line out."""
    console.run(variant, fen, reveal, sys.stdin, sys.stdout)


# ---------------------------------------------------------------- letters


@main.group()
def letter() -> None:
    """Letters as the house reads them."""


@letter.command("read")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--sent",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The letter of ours that this one answers, so that what it quotes can be told apart.",
)
def read_letter(file: Path, sent: Path | None) -> None:
    """Print as JSON what a letter in FILE says; `-` is standard input."""
    raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    click.echo(json.dumps(report(raw, sent.read_bytes() if sent else None), ensure_ascii=False))


@letter.command("resend")
def resend_letters() -> None:
    """Try again to send the letters that were given up."""
    house = _house()
    count = rounds.revive(house, house.now())
    _knock(Work.SEND)
    click.echo(f"Letters to be sent again: {count}.")


@main.command()
@click.option(
    "--to", "recipients", multiple=True, help="The envelope's recipient, if the mail server tells it."
)
def deliver(recipients: tuple[str, ...]) -> None:
    """Take in one letter from standard input, for a mail server's pipe.

    Ends with status 67 where nobody here has such an address, and with 75 where the mail server should try
    again later.
    """
    try:
        house = _house()
        taken = inbox.drop(house, Arrival(sys.stdin.buffer.read(), recipients, house.now()))
    except Exception as error:  # noqa: BLE001  # whatever is wrong here, the letter must not bounce
        click.echo(f"The letter could not be kept, please try again later: {error}", err=True)
        sys.exit(_TRY_LATER)
    if not taken:
        click.echo("There is no such address here: please reply to the newest letter of your game.", err=True)
        sys.exit(_NO_USER)
    _knock(Work.READ)


@main.command()
def listen() -> None:
    """Take in letters over SMTP, and over LMTP where CORR_LMTP_LISTEN names a place."""
    config = Config.from_env(os.environ)
    open_logbook(config.log_level)
    stop = heed_signals()
    door = FrontDoor(_house(), Knocker(config.broker_url))
    places = [place_of(config.smtp_listen, SmtpDoor)]
    if config.lmtp_listen:
        places.append(place_of(config.lmtp_listen, LmtpDoor))
    listeners = [Listener(door, place, config.domain) for place in places]
    for place, listener in zip(places, listeners, strict=True):
        _open_door(listener, place)
        log.info("letters are taken in", extra={"host": place.host, "port": place.port})
    stop.wait()
    for listener in listeners:
        listener.stop()


def _open_door(listener: Listener, place: Place) -> None:
    try:
        listener.start()
    except OSError as error:
        raise click.ClickException(f"Nothing can listen at {place.host}:{place.port}: {error}") from error


# ---------------------------------------------------------------- the demo


@main.command()
@click.option("--dir", "folder", type=click.Path(file_okay=False, path_type=Path), help="Keep the demo here.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="Where the page is; 0 for any free port.",
)
def demo(folder: Path | None, port: int) -> None:
    """Run everything in one process, with a page of mailboxes."""
    demo_house.run(folder, port)


if __name__ == "__main__":
    main()
