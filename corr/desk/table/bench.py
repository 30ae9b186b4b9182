"""The umpire's bench: the only place where a truth is opened. What leaves it are slips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from corr.rules.core.trying import in_turn
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import umpire_of
from corr.store import sealed
from corr.words.board import Pair, Side
from corr.words.orders import Order
from corr.words.slips import Outcome, Slip, Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """A ruling without its truth."""

    verdict: Verdict
    slips: Pair[Slip | None]
    turn: Side | None
    outcome: Outcome | None


def begin(connection: Connection, game_id: int, variant: str) -> Judgement:
    """Set up the board of a game that both have accepted."""
    umpire = umpire_of(variant)
    ruling = umpire.start()
    sealed.seal(connection, game_id, umpire.pack(ruling.truth))
    return _judgement(ruling)


def set_up(connection: Connection, game_id: int, variant: str, fen: str) -> Judgement:
    """Let the men of a game stand anew."""
    umpire = umpire_of(variant)
    ruling = umpire.start(fen)
    sealed.reseal(connection, game_id, umpire.pack(ruling.truth))
    return _judgement(ruling)


def play(
    connection: Connection, game_id: int, variant: str, side: Side, order: Order
) -> list[tuple[Order, Judgement]]:
    """Put an order to the umpire, each try of a list by itself; a move changes the truth, a refusal does not."""
    umpire, truth = _open(connection, game_id, variant)
    rulings = list(in_turn(umpire, truth, side, order))
    _, last = rulings[-1]
    if last.truth is not truth:
        sealed.reseal(connection, game_id, umpire.pack(last.truth))
    return [(put, _judgement(ruling)) for put, ruling in rulings]


def resign(connection: Connection, game_id: int, variant: str, side: Side) -> Judgement:
    """End a game that a side gives up."""
    umpire, truth = _open(connection, game_id, variant)
    return _judgement(umpire.resigned(truth, side))


def agree(connection: Connection, game_id: int, variant: str) -> Judgement:
    """End a game that both sides call a draw."""
    umpire, truth = _open(connection, game_id, variant)
    return _judgement(umpire.agreed(truth))


def flag(connection: Connection, game_id: int, variant: str, side: Side) -> Judgement:
    """End a game in which a side has run out of time."""
    umpire, truth = _open(connection, game_id, variant)
    return _judgement(umpire.flagged(truth, side))


def adjudicate(connection: Connection, game_id: int, variant: str, outcome: Outcome) -> Judgement:
    """End a game as the operator has decided."""
    umpire, truth = _open(connection, game_id, variant)
    return _judgement(umpire.adjudicated(truth, outcome))


def _open(connection: Connection, game_id: int, variant: str) -> tuple[Umpire[Any], Any]:
    umpire = umpire_of(variant)
    return umpire, umpire.restore(sealed.unseal(connection, game_id))


def _judgement(ruling: Ruling[Any]) -> Judgement:
    return Judgement(ruling.verdict, ruling.slips, ruling.turn, ruling.outcome)
