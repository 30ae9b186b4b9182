"""The tutorial: what its pupil writes and reads, the tutor as it thinks, and a pupil who can play."""

from __future__ import annotations

from dataclasses import dataclass, field
from email.message import EmailMessage

from sqlalchemy import select, update

from corr.bot_runner.bot_memory import read_observations
from corr.bots.characters import CHARACTERS
from corr.bots.player import BotPlayer
from corr.rules.variants import find_umpire
from corr.service.admin import statistics
from corr.service.games import log_view
from corr.service.games.page_orders import PageText, queue_text
from corr.service.players import house_bots
from corr.store.tables import GameRow, SeatRow
from corr.text.lessons import tutorial
from corr.words.board import Side
from corr.words.orders import Tries
from corr.words.slips import Slip, newest_setup_index
from corr.words.view import Stage
from tests.support.bot_game import let_bots_think
from tests.support.table import EVE, Table, text_of, unwrap

SCRIPTS = tutorial().scripts
TITLES = [script.lesson.title for script in SCRIPTS]
#: What does each lesson's thing, and what does something else.
WAYS = (
    ("e2e4", "e2e5"),
    ("a1a8, a1a7, a1a6, a1a5", "h2h3"),
)


def begin(table: Table, pupil: str = EVE) -> None:
    """Somebody who is a player already, or becomes one, writes the word."""
    table.write_to_site(pupil, "tutorial", name="Eve")
    if "confirm" in table.last_email_text(pupil):
        table.reply(pupil, "confirm")


def write(table: Table, text: str, pupil: str = EVE) -> str:
    """What the newest letter of the tutorial says, once it was answered with this."""
    table.reply(pupil, text, to=last_tutorial_email(table, pupil))
    return says(table, pupil)


def says(table: Table, pupil: str = EVE) -> str:
    return unwrap(text_of(last_tutorial_email(table, pupil)))


def lesson(table: Table, pupil: str = EVE) -> str:
    """The title of the lesson that the newest letter is about."""
    (title,) = (title for title in TITLES if f"of 3: {title}." in says(table, pupil))
    return title


def play(table: Table, *moves: str) -> str:
    """What the newest letter says once the pupil and the tutor have played these in turn."""
    for number, move in enumerate(moves):
        if number % 2:
            play_as_tutor(table, move)
        else:
            write(table, move)
    return says(table)


def at_lesson(table: Table, number: int) -> None:
    begin(table)
    for way, _ in WAYS[: number - 1]:
        write(table, way)


def play_as_tutor(table: Table, text: str) -> None:
    """What the tutor writes in the newest tutorial, without having thought."""
    asked = select(SeatRow).where(SeatRow.id == newest_seat(table, is_tutor=True))
    with table.server.store.reading() as connection:
        seat = connection.execute(asked).one()
    stamp = f"{seat.slips}-{seat.steps}-{seat.answers}"
    queue_text(table.server, seat.id, PageText(text, stamp), table.clock())
    table.run_workers()


def last_tutorial_email(table: Table, pupil: str) -> EmailMessage:
    """The newest letter of a pupil's newest tutorial."""
    tutors = [each for each in table.emails_to(pupil) if "with the tutor" in each["Subject"]]
    first = [each["Subject"] for each in tutors if each["Subject"].startswith("[corr]")][-1]
    return [each for each in tutors if each["Subject"].endswith(first)][-1]


# ---------------------------------------------------------------- the whole game

#: How many minutes pass between two turns: a seat is answered only so often within an hour.
MINUTES = 5
#: How many moves stand in one letter of a pupil's at most.
TRIES = 6


def newest_seat(table: Table, *, is_tutor: bool) -> int:
    """The seat of the house's, or of its pupil's, in the newest tutorial."""
    of_lessons = (
        select(SeatRow.id).join(GameRow, GameRow.id == SeatRow.game_id).where(GameRow.lesson.is_not(None))
    )
    asked = of_lessons.where(SeatRow.house == house).order_by(SeatRow.id.desc()).limit(1)
    with table.server.store.reading() as connection:
        return connection.execute(asked).scalar_one()


def fix_random_draws(table: Table, lot: bytes = b"some lot") -> None:
    """What the tutor thinks by lot in the newest tutorial is the same each time."""
    seat = SeatRow.id == newest_seat(table, is_tutor=True)
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).where(seat).values(key=lot))


def handed(table: Table) -> tuple[Slip, ...]:
    """All that the pupil was told since the men were set up last."""
    with table.server.store.reading() as connection:
        slips = log_view.load_history(connection, newest_seat(table, is_tutor=False), Side.WHITE, 0).slips
    return slips[newest_setup_index(slips) :]


def is_over(table: Table) -> bool:
    """Whether the newest tutorial is."""
    seat = SeatRow.id == newest_seat(table, is_tutor=False)
    with table.server.store.reading() as connection:
        asked = select(GameRow.state).join(SeatRow, SeatRow.game_id == GameRow.id).where(seat)
        return connection.execute(asked).scalar_one() == Stage.OVER


def let_tutor_think(table: Table) -> None:
    """Some minutes later somebody thinks for programs, and the tutor answers."""
    table.clock.advance(minutes=MINUTES)
    statistics.record_run(table.server, house_bots.THINKING_SIGN, table.clock())
    let_bots_think(table)


@dataclass
class Pupil:
    """Somebody who hears what the pupil's seat is handed, and knows how to play."""

    table: Table
    player: BotPlayer = field(
        default_factory=lambda: BotPlayer(find_umpire(tutorial().variant), CHARACTERS["club"], 3)
    )
    heard: int = 0

    def orders(self) -> str:
        """What is written now, in one letter."""
        seat_id = newest_seat(self.table, is_tutor=False)
        with self.table.server.store.reading() as connection:
            told = read_observations(log_view.load_history(connection, seat_id, Side.WHITE, 0))
        game = told[newest_setup_index(each.slip for each in told) :]
        for each in game[self.heard :]:
            self.player.observe(each)
        self.heard = len(game)
        order = self.player.write()
        return str(Tries(order.steps[:TRIES]) if isinstance(order, Tries) else order)
