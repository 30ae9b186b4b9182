"""A person against one of our bots, which thinks when a test says so."""

from __future__ import annotations

from email.message import EmailMessage

from sqlalchemy import select

from corr.bot_runner import bot_turns
from corr.bot_runner.bot_memory import read_observations
from corr.bots.bot import BotPlayer
from corr.bots.characters import CHARACTERS
from corr.rules.variants import find_umpire
from corr.service.games import log_view
from corr.store.tables import GameRow, SeatRow
from corr.words.board import Side
from tests.support.table import ANN, Table


def challenge(table: Table, name: str, variant: str, color: str = "white") -> None:
    """Ann challenges a bot by email."""
    table.write_to_site(ANN, f"challenge {name} {variant} 3d {color}", name="Ann")
    if "confirm" in table.last_text(ANN):
        table.reply(ANN, "confirm")


def last_game_email(table: Table) -> EmailMessage:
    """The newest email to Ann about the game."""
    return [each for each in table.emails_to(ANN) if "(bot)" in each["Subject"]][-1]


def write(table: Table, text: str) -> None:
    """Ann replies to the newest email about the game."""
    table.reply(ANN, text, to=last_game_email(table))


def let_bots_think(table: Table) -> int:
    """Let the bots think and the workers run; return how often a bot thought."""
    thought = 0
    while bot_turns.think_for_bots(table.server, 60.0, lambda _seconds: None):
        bot_turns.write_for_bots(table.server)
        table.run_workers()
        thought += 1
    return thought


def _seat(table: Table) -> tuple[int, Side]:
    with table.server.store.reading() as connection:
        asked = select(SeatRow.id, SeatRow.side).where(~SeatRow.house)
        ((seat_id, side),) = connection.execute(asked)
    return seat_id, Side(side)


def replay_seat(table: Table, variant: str, seed: int) -> BotPlayer:
    """A new bot that has observed everything that Ann's seat has seen."""
    seat_id, side = _seat(table)
    with table.server.store.reading() as connection:
        kept = log_view.load_history(connection, seat_id, side, -1_000_000)
    player = BotPlayer(find_umpire(variant), CHARACTERS["beginner"], seed)
    for heard in read_observations(kept):
        player.observe(heard)
    return player


def is_to_move(table: Table, side: Side) -> bool:
    with table.server.store.reading() as connection:
        state, turn = connection.execute(select(GameRow.state, GameRow.turn)).one()
    return turn == side or (state == "deploying" and turn is None)


def play(table: Table, variant: str, turns: int) -> None:
    """Ann plays some turns by email as a beginner bot would, and her opponent answers each."""
    _, side = _seat(table)
    for _ in range(turns):
        while is_to_move(table, side):
            write(table, str(replay_seat(table, variant, 7).write()))
        let_bots_think(table)
