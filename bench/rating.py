"""What rating a game costs in the transaction in which it ends, and what taking one back costs that many came after.

python -m bench.rating            python -m bench.rating 10000
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import combinations, cycle, islice
from typing import NamedTuple

from sqlalchemy import Connection, Engine, event, insert, select

from bench.databases import Databases, places
from bench.memory import megabytes
from corr.service.games import lifecycle, umpire_access
from corr.service.games.game_session import sit_down
from corr.service.games.pairing import Pairing
from corr.service.house import House
from corr.service.players import players
from corr.service.ratings import annulment, calculation
from corr.service.ratings.calculation import Known
from corr.service.ratings.rating_rows import columns
from corr.store.tables import Game, RatedGame, RatingRow
from corr.words.board import Pair, Side
from corr.words.view import Stage
from tests.support.crowd import Hollow, house

PLAYERS, ENDS = 200, 300
VARIANTS = ("wild16", "rbc", "cincinnati", "crazykrieg")
GAMES_A_DAY = 100
#: After so many games one is taken back, and how often that is measured.
AFTER = {1_000: 5, 10_000: 3, 100_000: 1}
_AT_ONCE = 5_000


def lay(ours: House, number: int) -> None:
    """Players, and so many rated games of theirs that are over, the last one just now."""
    for index in range(PLAYERS):
        players.add(ours, f"Player {index}", f"p{index}@players.example", ours.now())
    chance, known = random.Random(1), defaultdict[tuple[int, str], Known](Known)
    begins = ours.now() - timedelta(days=number / GAMES_A_DAY)
    for first in range(0, number, _AT_ONCE):
        rows = []
        for index in range(first, min(number, first + _AT_ONCE)):
            at = begins + timedelta(days=index / GAMES_A_DAY)
            white, black = chance.sample(range(1, PLAYERS + 1), 2)
            rows.append(_rated(index + 1, at, (white, black), chance, known))
        with ours.store.writing() as connection:
            connection.execute(insert(Game), [_over(row) for row in rows])
            connection.execute(insert(RatedGame), rows)
    _keep(ours, known)
    ours.store.take_stock()


def _rated(
    game: int,
    at: datetime,
    players: tuple[int, int],
    chance: random.Random,
    known: dict[tuple[int, str], Known],
) -> dict[str, object]:
    variant, winner = chance.choice(VARIANTS), chance.choice((*Side, None))
    before = Pair(*(known[each, variant] for each in players))
    now = calculation.after(before, winner, at)
    for side, each in zip(Side, players, strict=True):
        known[each, variant] = Known(now[side], at)
    who = {"white_id": players[0], "black_id": players[1], "winner": winner}
    return {"game_id": game, "variant": variant, "ended_at": at, **who, **columns(before, now)}


def _over(row: dict[str, object]) -> dict[str, object]:
    """The game of which a row tells that it was rated."""
    told = {name: row[name] for name in ("variant", "ended_at", "winner")}
    plain = {"ply": 40, "offered_white": 0, "offered_black": 0, "rated": True, "clock": "3d"}
    return {"code": f"g{row['game_id']}", "state": Stage.OVER, "reason": "agreement", **told, **plain}


def _keep(ours: House, known: dict[tuple[int, str], Known]) -> None:
    counts = {"won": 0, "drawn": 0, "lost": 0, "opponents": 9}
    rows = [
        {"player_id": player, "variant": variant, **each.rating._asdict(), "rated_at": each.at, **counts}
        for (player, variant), each in known.items()
    ]
    with ours.store.writing() as connection:
        connection.execute(insert(RatingRow), rows)


# ---------------------------------------------------------------- an end


def end(connection: Connection, game_id: int, now: datetime) -> None:
    """White resigns."""
    sitting = sit_down(connection, game_id, now)
    judgement = umpire_access.resign(connection, game_id, sitting.variant, Side.WHITE)
    assert judgement.outcome
    sitting.state = sitting.state.end(judgement.outcome, now)
    lifecycle.tell_both(sitting, judgement.slips)
    sitting.close()


def begin(ours: House, *, rated: bool) -> list[int]:
    """Games between different players each."""
    pairs = islice(combinations(range(1, PLAYERS + 1), 2), ENDS)
    with ours.store.writing() as connection:
        return [
            lifecycle.start(connection, Pairing(Pair(*pair), "wild16", "3d", rated=rated), ours.now()).id
            for pair in pairs
        ]


class Ended(NamedTuple):
    """What the end of a game took, but for the commit: milliseconds by the clock, and of this process's CPU."""

    kind: str
    clock: float
    cpu: float
    statements: int


def ends(ours: House) -> Iterator[Ended]:
    """Casual and rated games end in turn."""
    games = zip(begin(ours, rated=False), begin(ours, rated=True), strict=True)
    for kind, game_id in zip(cycle(("casual", "rated")), (each for both in games for each in both)):
        with counted(ours.store.engine) as statements, ours.store.writing() as connection:
            begun, busy = time.perf_counter(), time.process_time()
            end(connection, game_id, ours.now())
            spent, busy = time.perf_counter() - begun, time.process_time() - busy
        yield Ended(kind, 1000 * spent, 1000 * busy, len(statements))


@contextmanager
def counted(engine: Engine) -> Iterator[list[str]]:
    """The statements that are put to a database."""
    statements: list[str] = []

    def note(*said: object) -> None:
        statements.append(str(said[2]))

    event.listen(engine, "before_cursor_execute", note)
    yield statements
    event.remove(engine, "before_cursor_execute", note)


def tell_of_ends(place: Databases, ours: House) -> None:
    ended = list(ends(ours))
    for kind in ("casual", "rated"):
        of_kind = [each for each in ended if each.kind == kind]
        clock, cpu = (
            statistics.median(times) for times in zip(*(each[1:3] for each in of_kind), strict=True)
        )
        print(
            f"{place.name:11}a {kind} game ends: {clock:.2f} ms, of them {cpu:.2f} ms of CPU here, "
            f"{of_kind[-1].statements} statements",
            flush=True,
        )


# ---------------------------------------------------------------- taking back


def tell_of_annulments(place: Databases, ours: House, most: int) -> None:
    with ours.store.reading() as connection:
        rated = connection.execute(select(RatedGame.game_id).order_by(RatedGame.id)).scalars().all()
    for after, times in AFTER.items():
        if after <= most:
            spent, busy, weighs = [], time.process_time(), megabytes(os.getpid())
            for each in range(times):
                begun = time.perf_counter()
                with ours.store.writing() as connection:
                    annulment.annul(connection, rated[-after - each - 1])
                spent.append(time.perf_counter() - begun)
            heavier, cpu = megabytes(os.getpid()) - weighs, (time.process_time() - busy) / times
            print(
                f"{place.name:11}a game taken back after {after:,} others: {statistics.median(spent):.2f} s, "
                f"of them {cpu:.2f} s of CPU here, {heavier:+.0f} MB",
                flush=True,
            )


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else max(AFTER)
    with places() as all_places:
        for place in all_places:
            ours = house(place.make("rating"), Hollow())
            lay(ours, number + max(AFTER.values()))
            tell_of_ends(place, ours)
            tell_of_annulments(place, ours, number)
            ours.store.close()


if __name__ == "__main__":
    main()
