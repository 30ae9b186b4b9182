"""How long one turn's rows take, by the server's store and by the bare driver: select, update, six inserts, commit.

python -m bench.store_rows [--rounds 25]
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import bindparam, insert, select, update

from bench.driver import Databases, ask, places, seconds
from bench.floor import Driver
from corr.service.games import game_changes
from corr.store.session import Store
from corr.store.tables import GameRow, OutboxRow, SlipRow
from tests.support.many_players import DiscardingMailer, ManyPlayers, make_server

TURNS = 40
SLIP = {"number": 0, "step": 0, "ply": 1, "facts": b"said" * 5, "sight": b"seen" * 8}
LETTER = {"kind": "turn", "slip": 1, "step": 0, "made_at": 0, "due_at": 0, "tries": 0}
WORDS = "{}" * 100
MOMENTS = dict.fromkeys(("made_at", "due_at"), datetime(1970, 1, 1, tzinfo=UTC))
SELECT = "SELECT * FROM games WHERE id = %s"
UPDATE = "UPDATE games SET ply = %s WHERE id = %s"
INSERT_SLIP = f"INSERT INTO slips (seat_id, {', '.join(SLIP)}) VALUES (%s, %s, %s, %s, %s, %s)"
INSERT_LETTER = (
    f"INSERT INTO outbox (seat_id, number, {', '.join(LETTER)}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
)
INSERT_WORDS = """INSERT INTO letter_words (letter_id, words)
    VALUES ((SELECT id FROM outbox WHERE seat_id = %s AND number = %s), %s)"""
CORE_SELECT = select(GameRow).where(GameRow.id == bindparam("game"))
CORE_UPDATE = update(GameRow).where(GameRow.id == bindparam("game"))
CORE_SLIP, CORE_LETTER = insert(SlipRow), insert(OutboxRow)


def by_the_store(store: Store, turn: int) -> None:
    with store.writing() as connection:
        connection.execute(CORE_SELECT, {"game": 1}).one()
        connection.execute(CORE_UPDATE, {"game": 1, "ply": turn})
        for seat in (1, 2):
            connection.execute(CORE_SLIP, SLIP | {"seat_id": seat, "number": turn})
            connection.execute(CORE_LETTER, LETTER | MOMENTS | {"seat_id": seat, "number": turn})
            connection.execute(game_changes.WORDS_INSERT, {"seat": seat, "letter": turn, "said": WORDS})


def by_hand(driver: Driver, turn: int) -> None:
    driver.say("{begin}")
    driver.say(SELECT, 1)
    driver.say(UPDATE, turn, 1)
    for seat in (1, 2):
        driver.say(INSERT_SLIP, seat, *(SLIP | {"number": turn}).values())
        driver.say(INSERT_LETTER, seat, turn, *LETTER.values())
        driver.say(INSERT_WORDS, seat, turn, WORDS.encode())
    driver.say("COMMIT")


def microseconds(write: Callable[[int], None], first: int) -> float:
    return seconds(lambda: any(map(write, range(first, first + TURNS)))) / TURNS * 1e6


def measure(place: Databases, rounds: int) -> None:
    url = place.make("rows")
    laid, driver = make_server(url, DiscardingMailer()), Driver(url)
    ManyPlayers(laid).begin(1)
    times = [
        (
            microseconds(lambda turn: by_the_store(laid.store, turn), first),
            microseconds(lambda turn: by_hand(driver, turn), first + TURNS),
        )
        for first in range(1000, 1000 + 2 * TURNS * rounds, 2 * TURNS)
    ]
    laid.store.close()
    ours, bare = map(statistics.median, zip(*times, strict=True))
    print(f"{place.name:10} one turn's rows  {ours:6.0f} µs, bare {bare:5.0f} µs: {bare / ours:.2f}x")


def main() -> None:
    rounds = ask(__doc__, rounds=25).rounds
    for place in places():
        measure(place, rounds)


if __name__ == "__main__":
    main()
