"""Opens truths for the umpire, in this module alone; only slips leave it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection

from corr.rules.core.try_lists import try_ahead, try_one_by_one
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import find_umpire
from corr.store import truths
from corr.words.board import Pair, Side
from corr.words.orders import Order, Tries
from corr.words.slips import Outcome, Slip, Verdict

_JudgedOrder: TypeAlias = tuple[Order, Ruling[Any]]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A ruling without its truth."""

    verdict: Verdict
    slips: Pair[Slip | None]
    turn: Side | None
    outcome: Outcome | None


def begin(connection: Connection, game_id: int, variant: str) -> Judgement:
    """Set up the board of a game that both players accepted."""
    umpire = find_umpire(variant)
    ruling = umpire.start()
    truths.store_truth(connection, game_id, umpire.pack(ruling.truth))
    return _judgement(ruling)


def set_up(connection: Connection, game_id: int, variant: str, fen: str) -> Judgement:
    """Set up a game's pieces anew."""
    umpire = find_umpire(variant)
    ruling = umpire.start(fen)
    truths.update_truth(connection, game_id, umpire.pack(ruling.truth))
    return _judgement(ruling)


def play(
    connection: Connection, game_id: int, variant: str, side: Side, order: Order
) -> list[tuple[Order, Judgement]]:
    """Judge an order, each try of a list separately; refusals leave the truth unchanged."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _store_truth(connection, game_id, umpire, truth, try_one_by_one(umpire, truth, side, order))


def play_ahead(
    connection: Connection, game_id: int, variant: str, side: Side, tries: Tries
) -> list[tuple[Order, Judgement]]:
    """Judge a list of tries that was given before the opponent's move."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _store_truth(connection, game_id, umpire, truth, try_ahead(umpire, truth, side, tries))


def resign(connection: Connection, game_id: int, variant: str, side: Side) -> Judgement:
    """End a game that a side resigns."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _judgement(umpire.resigned(truth, side))


def agree(connection: Connection, game_id: int, variant: str) -> Judgement:
    """End a game as an agreed draw."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _judgement(umpire.agreed(truth))


def flag(connection: Connection, game_id: int, variant: str, side: Side) -> Judgement:
    """End a game in which a side has run out of time."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _judgement(umpire.flagged(truth, side))


def abandon(connection: Connection, game_id: int, variant: str, side: Side) -> Judgement:
    """End a game without a result because a side abandoned it."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _judgement(umpire.abandoned(truth, side))


def leave(connection: Connection, game_id: int, variant: str, side: Side) -> Judgement:
    """End a game that a side loses by leaving its event."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _judgement(umpire.left(truth, side))


def adjudicate(connection: Connection, game_id: int, variant: str, outcome: Outcome) -> Judgement:
    """End a game as the admin decided."""
    umpire, truth = _open_truth(connection, game_id, variant)
    return _judgement(umpire.adjudicated(truth, outcome))


def _store_truth(
    connection: Connection, game_id: int, umpire: Umpire[Any], truth: object, judged: Iterator[_JudgedOrder]
) -> list[tuple[Order, Judgement]]:
    """Store the new truth, if any, and return each order's judgement."""
    rulings = list(judged)
    _, last = rulings[-1]
    if last.truth is not truth:
        truths.update_truth(connection, game_id, umpire.pack(last.truth))
    return [(put, _judgement(ruling)) for put, ruling in rulings]


def _open_truth(connection: Connection, game_id: int, variant: str) -> tuple[Umpire[Any], Any]:
    umpire = find_umpire(variant)
    return umpire, umpire.restore(truths.load_truth(connection, game_id))


def _judgement(ruling: Ruling[Any]) -> Judgement:
    return Judgement(ruling.verdict, ruling.slips, ruling.turn, ruling.outcome)
