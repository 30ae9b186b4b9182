"""The tutorial: its pupil's emails, its tutor, and a pupil who can play."""

from __future__ import annotations

from dataclasses import dataclass, field
from email.message import EmailMessage

from sqlalchemy import select, update

from corr.bot_runner.bot_memory import read_observations
from corr.bots.bot import BotPlayer
from corr.bots.characters import CHARACTERS
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
#: For each lesson the order that it teaches, and another one.
WAYS = (
    ("e2e4", "e2e5"),
    ("a1a8, a1a7, a1a6, a1a5", "h2h3"),
)


def begin(table: Table, pupil: str = EVE) -> None:
    """Start the tutorial by email, and confirm if asked."""
    table.write_to_site(pupil, "tutorial", name="Eve")
    if "confirm" in table.last_text(pupil):
        table.reply(pupil, "confirm")


def write(table: Table, text: str, pupil: str = EVE) -> str:
    """Reply to the newest email of the tutorial; return the answer's text."""
    table.reply(pupil, text, to=last_tutorial_email(table, pupil))
    return says(table, pupil)


def says(table: Table, pupil: str = EVE) -> str:
    return unwrap(text_of(last_tutorial_email(table, pupil)))


def lesson(table: Table, pupil: str = EVE) -> str:
    """The title of the lesson of the newest email."""
    (title,) = (title for title in TITLES if f"of 3: {title}." in says(table, pupil))
    return title


def play(table: Table, *moves: str) -> str:
    """Play moves of the pupil and the tutor in turn; return the newest email's text."""
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
    """Play the tutor's move in the newest tutorial without thinking."""
    asked = select(SeatRow).where(SeatRow.id == newest_seat(table, is_tutor=True))
    with table.server.store.reading() as connection:
        seat = connection.execute(asked).one()
    stamp = f"{seat.slips}-{seat.steps}-{seat.answers}"
    queue_text(table.server, seat.id, PageText(text, stamp), table.clock())
    table.run_workers()


def last_tutorial_email(table: Table, pupil: str) -> EmailMessage:
    """The newest email of a pupil's newest tutorial."""
    tutors = [each for each in table.emails_to(pupil) if "with the tutor" in each["Subject"]]
    first = [each["Subject"] for each in tutors if each["Subject"].startswith("[corr]")][-1]
    return [each for each in tutors if each["Subject"].endswith(first)][-1]


# ---------------------------------------------------------------- the whole game

#: Minutes between two turns, because of the limit on answers per hour.
MINUTES = 5
#: The most moves in one email of the pupil.
TRIES = 6


def newest_seat(table: Table, *, is_tutor: bool) -> int:
    """The tutor's or the pupil's seat in the newest tutorial."""
    of_lessons = (
        select(SeatRow.id).join(GameRow, GameRow.id == SeatRow.game_id).where(GameRow.lesson.is_not(None))
    )
    asked = of_lessons.where(SeatRow.house == is_tutor).order_by(SeatRow.id.desc()).limit(1)
    with table.server.store.reading() as connection:
        return connection.execute(asked).scalar_one()


def fix_random_draws(table: Table, lot: bytes = b"some lot") -> None:
    """Make the tutor's random choices in the newest tutorial the same each time."""
    seat = SeatRow.id == newest_seat(table, is_tutor=True)
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).where(seat).values(key=lot))


def handed(table: Table) -> tuple[Slip, ...]:
    """The pupil's slips since the last set-up of the board."""
    with table.server.store.reading() as connection:
        slips = log_view.load_history(connection, newest_seat(table, is_tutor=False), Side.WHITE, 0).slips
    return slips[newest_setup_index(slips) :]


def is_over(table: Table) -> bool:
    """True if the newest tutorial is over."""
    seat = SeatRow.id == newest_seat(table, is_tutor=False)
    with table.server.store.reading() as connection:
        asked = select(GameRow.state).join(SeatRow, SeatRow.game_id == GameRow.id).where(seat)
        return connection.execute(asked).scalar_one() == Stage.OVER


def let_tutor_think(table: Table) -> None:
    """Let some minutes pass, and let the tutor answer."""
    table.clock.advance(minutes=MINUTES)
    statistics.record_run(table.server, house_bots.THINKING_SIGN, table.clock())
    let_bots_think(table)


@dataclass
class Pupil:
    """A bot that plays for the pupil, from the slips of the pupil's seat."""

    table: Table
    player: BotPlayer = field(
        default_factory=lambda: BotPlayer(find_umpire(tutorial().variant), CHARACTERS["club"], 3)
    )
    heard: int = 0

    def orders(self) -> str:
        """The orders of the pupil's next email."""
        seat_id = newest_seat(self.table, is_tutor=False)
        with self.table.server.store.reading() as connection:
            told = read_observations(log_view.load_history(connection, seat_id, Side.WHITE, 0))
        game = told[newest_setup_index(each.slip for each in told) :]
        for each in game[self.heard :]:
            self.player.observe(each)
        self.heard = len(game)
        order = self.player.write()
        return str(Tries(order.steps[:TRIES]) if isinstance(order, Tries) else order)
