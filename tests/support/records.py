"""Games that are played at random through the service, with tries, lists, offers and set-ups, and their records."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, insert, select, update

from corr.game.state import Written
from corr.orders import read
from corr.proof import verify
from corr.rules.variants import umpire_of
from corr.service.games import game_records, lifecycle, turns
from corr.service.games.game_session import Sitting, sit_down
from corr.service.games.pairing import Pairing
from corr.service.house import House
from corr.service.players import players
from corr.store.tables import InboxRow, Player, SeatRow
from corr.words.board import Pair, Side
from corr.words.view import Stage
from tests.support.table import NOON

_STEPS = 400


@dataclass
class Recorded:
    """A game that is over, in a house."""

    house: House
    id: int
    seats: Pair[int]

    def record(self, side: Side = Side.WHITE) -> list[bytes]:
        """Its record as a side gets it, line by line."""
        with self.house.store.reading() as connection:
            text = game_records.record(connection, self.id, side)
        return [line.encode() for line in text.splitlines(keepends=True)]


def played_at_random(house: House, variant: str, seed: int, most: int = 60) -> Recorded:
    """A game of random orders, given up after so many moves."""
    rng = random.Random(seed)
    with house.store.writing() as connection:
        both = Pair(*(players.of_the_house(connection, f"{side.called} {seed}") for side in Side))
        for side in Side:
            tells = update(Player).where(Player.id == both[side]).values(tells_tries=rng.random() < 0.5)
            connection.execute(tells)
        pairing = Pairing(both, variant, rng.choice(("3d", "5d+1h", "3d+bank10d", "none")), rated=False)
        game = lifecycle.start(connection, pairing, NOON).id
        found = connection.execute(select(SeatRow.side, SeatRow.id).where(SeatRow.game_id == game))
        ids = dict(map(tuple, found))
        seats = Pair(*(ids[side] for side in Side))
        letters = Pair(*(_letter(connection, seats[side]) for side in Side))
    now = NOON
    for _ in range(_STEPS):
        now += timedelta(minutes=rng.randrange(1, 300))
        with house.store.writing() as connection:
            sitting = sit_down(connection, game, now)
            if sitting.state.stage is Stage.OVER:
                break
            side = rng.choice(sitting.state.awaited)
            text = "resign resign" if sitting.state.ply >= most else _text(sitting, side, rng)
            orders = read(text.split("\n")).orders
            turns.act_on(sitting, _written(sitting, side, letters[side], orders))
            sitting.close()
    return Recorded(house, game, seats)


def _text(sitting: Sitting, side: Side, rng: random.Random) -> str:
    """What somebody might write: a move, a list, a question, an offer beside it, a set-up."""
    umpire, sight = umpire_of(sitting.variant), sitting.sight(side)
    if sitting.state.stage is Stage.DEPLOYING:
        return f"deploy {rng.choice(umpire.card.setups).name}"
    if sitting.state.match.offer is side.other and rng.random() < 0.2:
        return "accept"
    options = umpire.options(sight)
    if sight.sense_due:
        looked = f"sense {rng.choice(('e4', 'd5', 'none'))}"
        moves = umpire.options(sight._replace(sense_due=False))
        return f"{looked}\n{rng.choice(moves)}" if rng.random() < 0.5 else looked
    if "any?" in umpire.card.presses and rng.random() < 0.1:
        return "any?"
    moves = [move for move in options if move != "pass"] or list(options)
    many = rng.sample(moves, min(len(moves), 8)) if umpire.card.lists else [rng.choice(options)]
    said = ", ".join(many[: rng.choice((1, 1, 3, 8))])
    return f"{said}\ndraw?" if rng.random() < 0.1 else said


def _written(sitting: Sitting, side: Side, letter: int, orders: tuple) -> Written:
    state = sitting.state
    return Written(
        side,
        orders,
        sitting.chairs[side].slips,
        state.ply,
        sitting.now,
        letter,
        confirms=True,
        told=max(state.ply, 0),
    )


def _letter(connection: Connection, seat_id: int) -> int:
    """A letter of a seat's, by which all its orders came."""
    kept = insert(InboxRow).values(
        seat_id=seat_id,
        slip=1,
        bounce=False,
        message_key="0",
        received_at=NOON,
        tries=0,
        read_at=NOON,
        page=False,
    )
    return int(connection.execute(kept.returning(InboxRow.id)).scalar_one())


def sealed_by_a_liar(lines: list[bytes], lie: Callable[[dict[str, Any]], None]) -> list[bytes]:
    """A record that was sealed after some of its turns, which a lie is told by their names, were changed."""
    head, *turns = (json.loads(line) for line in lines)
    head["sent"] = {"white": [], "black": []}
    lie({turn["line"]["turn"]: turn for turn in turns})
    before = bytes(32)
    for turn in turns:
        for name in filter(turn.get, verify.PARTS):
            salted = bytes.fromhex(turn[name]["salt"]) + verify.canonical(turn[name]["part"]).encode()
            turn["line"][name] = sha256(salted).hexdigest()
        leaf = sha256(bytes.fromhex(turn["salt"]) + verify.canonical(turn["line"]).encode()).digest()
        before = sha256(before + leaf).digest()
        turn["seal"] = verify.letters(before)
    return [f"{verify.canonical(each)}\n".encode() for each in (head, *turns)]
