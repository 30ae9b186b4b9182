"""Random games through the service, with lists, offers and set-ups, and their records."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, insert, select, update

from corr.game.order_obstacles import OrderBatch
from corr.orders import parse_lines
from corr.proof import verify
from corr.rules.variants import find_umpire
from corr.service.games import game_records, lifecycle, turns
from corr.service.games.game_session import GameSession, open_session
from corr.service.games.lifecycle import Pairing
from corr.service.players import players
from corr.service.server import Server
from corr.store.tables import InboxRow, PlayerRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.view import Stage
from tests.support.table import NOON

_STEPS = 400


@dataclass
class RecordedGame:
    """A finished game on a server."""

    server: Server
    id: int
    seats: Pair[int]

    def record(self, side: Side = Side.WHITE) -> list[bytes]:
        """The lines of its record as a side gets it."""
        with self.server.store.reading() as connection:
            text = game_records.write_record(connection, self.id, side)
        return [line.encode() for line in text.splitlines(keepends=True)]


def play_random_game(server: Server, variant: str, seed: int, most: int = 60) -> RecordedGame:
    """Play a game of random orders, resigned after `most` moves."""
    rng = random.Random(seed)
    with server.store.writing() as connection:
        both = Pair(*(players.get_house_player(connection, f"{side.called} {seed}") for side in Side))
        for side in Side:
            tells = update(PlayerRow).where(PlayerRow.id == both[side]).values(tells_tries=rng.random() < 0.5)
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
        with server.store.writing() as connection:
            session = open_session(connection, game, now)
            if session.state.stage is Stage.OVER:
                break
            side = rng.choice(session.state.awaited)
            text = "resign resign" if session.state.ply >= most else _text(session, side, rng)
            orders = parse_lines(text.split("\n")).orders
            turns.carry_out_orders(session, _written(session, side, letters[side], orders))
            session.close()
    return RecordedGame(server, game, seats)


def _text(session: GameSession, side: Side, rng: random.Random) -> str:
    """What a player might write: a move, list, question, offer or set-up."""
    umpire, sight = find_umpire(session.variant), session.sight(side)
    if session.state.stage is Stage.DEPLOYING:
        return f"deploy {rng.choice(umpire.card.setups).name}"
    if session.state.draw_offer.offer is side.other and rng.random() < 0.2:
        return "accept"
    options = umpire.possible_tries(sight)
    if sight.sense_due:
        looked = f"sense {rng.choice(('e4', 'd5', 'none'))}"
        moves = umpire.possible_tries(sight._replace(sense_due=False))
        return f"{looked}\n{rng.choice(moves)}" if rng.random() < 0.5 else looked
    if "any?" in umpire.card.presses and rng.random() < 0.1:
        return "any?"
    moves = [move for move in options if move != "pass"] or list(options)
    many = rng.sample(moves, min(len(moves), 8)) if umpire.card.lists else [rng.choice(options)]
    said = ", ".join(many[: rng.choice((1, 1, 3, 8))])
    return f"{said}\ndraw?" if rng.random() < 0.1 else said


def _written(session: GameSession, side: Side, letter: int, orders: tuple) -> OrderBatch:
    state = session.state
    return OrderBatch(
        side,
        orders,
        session.seat_states[side].slips,
        state.ply,
        session.now,
        letter,
        confirms=True,
        told=max(state.ply, 0),
    )


def _letter(connection: Connection, seat_id: int) -> int:
    """Store the email of a seat that all its orders came with."""
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


def reseal_with_lie(lines: list[bytes], lie: Callable[[dict[str, Any]], None]) -> list[bytes]:
    """Seal a record again after `lie` has changed its turns, which it gets by name."""
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
        turn["seal"] = verify.format_seal(before)
    return [f"{verify.canonical(each)}\n".encode() for each in (head, *turns)]
