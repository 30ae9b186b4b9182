"""Describes a turn as JSON for the record: orders, slips and the public part (its times are in `seal_times.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corr.words.board import SQUARES, Pair, PieceKind, Side, squares_of
from corr.words.orders import Deploy
from corr.words.slips import REFUSED_VERDICTS, Fact, Outcome, Sight, Slip, Verdict


def facts_to_json(said: Iterable[Fact]) -> list[dict[str, Any]]:
    return [{"code": fact.code, "words": fact.text, "data": fact.plain} for fact in said]


def sight_to_json(seen: Sight) -> dict[str, Any]:
    reserves, losses = seen.reserves, ((side, seen.lost[side]) for side in Side)
    return {
        "squares": seen.letters(),
        "own": [SQUARES[square] for square in squares_of(seen.own)],
        "promoted": [SQUARES[square] for square in squares_of(seen.promoted)],
        "castling": list(seen.castling),
        "lost": {side: {"men": lost.men, "pawns": lost.pawns} for side, lost in losses},
        "reserves": {side: reserves[side] for side in Side} if reserves else None,
        "recalled": [
            {"turn": each.move, "squares": {SQUARES[square]: letter for square, letter in each.squares}}
            for each in seen.newest_memories()
        ],
        "sense_due": seen.sense_due,
    }


#: The versions of the record format; records of the first version prove nothing about time.
FIRST_VERSION, VERSION = 1, 2
_DEPLOY = "deploy"


class Heading(NamedTuple):
    """The game's data in the first line of a record."""

    game: str
    variant: str
    clock: str
    rated: bool
    by_lot: bool


class RecordedOrder(NamedTuple):
    """An order, with the number of moves before it, and its result."""

    ply: int
    text: str
    verdict: str
    said: str
    origin: str
    at: str


class RecordedSlip(NamedTuple):
    """A slip that a side got, with its number, step, and the number of moves before it."""

    number: int
    step: int
    ply: int
    slip: Slip


class RecordedDecision(NamedTuple):
    """An admin's act, and what both sides were told of it."""

    deed: str
    detail: str
    reason: str
    said: str


class Turn(NamedTuple):
    """Everything in a turn, in order of time on each side."""

    orders: Pair[Sequence[RecordedOrder]]
    slips: Pair[Sequence[RecordedSlip]]
    decrees: Sequence[RecordedDecision]


_ASKING = "any?"
_TRY_FIELDS = ("ply", "text", "verdict", "said")  # the fields of a try that others can read


def tries_part_name(side: Side) -> str:
    """Return the name of the part of a turn that holds a side's tries."""
    return f"{side}_tries"


def parts(turn: Turn) -> dict[str, Any]:
    """Return a turn's private parts by name: each side's orders and slips, and separately its tries."""
    own = {side.value: _part(turn, side) for side in Side}
    return own | {
        tries_part_name(side): pick_tries(each._asdict() for each in turn.orders[side]) for side in Side
    }


def pick_tries(orders: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Pick the orders that were refused in play and the "any?" questions, as others may read them."""
    return [{key: each[key] for key in _TRY_FIELDS} for each in orders if _is_try(each)]


def _is_try(ordered: Mapping[str, Any]) -> bool:
    """Whether an order was refused in play, or asked "any?"."""
    is_asked = ordered["text"] == _ASKING and ordered["verdict"] == Verdict.TOLD
    return ordered["ply"] >= 0 and (ordered["verdict"] in REFUSED_VERDICTS or is_asked)


def _part(turn: Turn, side: Side) -> dict[str, Any]:
    """Return one side's orders and slips in a turn."""
    return {
        "orders": [each._asdict() for each in turn.orders[side]],
        "slips": [
            {
                "number": each.number,
                "step": each.step,
                "facts": facts_to_json(each.slip.facts),
                "sight": sight_to_json(each.slip.sight),
            }
            for each in turn.slips[side]
        ],
    }


def public_part(
    heading: Heading, number: int, turn: Turn, extra: dict[str, Any], outcome: Outcome | None, version: int
) -> dict[str, Any]:
    """Return what is public of a turn after the game; `extra` adds what no slip or order tells."""
    first: dict[str, Any] = {}
    if number == 0:
        first = {
            "record": version,
            "variant": heading.variant,
            "clock": heading.clock,
            "rated": heading.rated,
            "colours": "by lot" if heading.by_lot else "as agreed",
        }
    return {
        **extra,
        **first,
        "game": heading.game,
        "leaf": number,
        "moves": _moves(turn),
        "decrees": [each._asdict() for each in turn.decrees],
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }


def _moves(turn: Turn) -> list[dict[str, Any]]:
    """Return the set-ups in order of arrival, then the moves, each with its origin and earlier moves' number."""
    deployed = {
        side: max((order.at for order in turn.orders[side] if order.text.startswith(_DEPLOY)), default="")
        for side in Side
    }
    set_up = [
        {"side": side, "move": str(Deploy(tuple(_own_pieces(each.slip))))}
        for side in sorted(filter(deployed.get, Side), key=lambda side: deployed[side])
        for each in turn.slips[side]
        if each.slip.sets_up
    ]
    played: list[dict[str, Any]] = []
    for side in Side:
        told = [each.slip.made for each in turn.slips[side]]
        moves = [made["move"] for made in told if made is not None and made["side"] == side]
        orders = [each for each in turn.orders[side] if each.verdict == Verdict.MOVED and each.ply >= 0]
        played += [
            {"ply": order.ply, "side": side, "move": str(move or "pass"), "origin": order.origin}
            for move, order in zip(moves, orders, strict=False)
        ]
    return set_up + sorted(played, key=lambda each: each["ply"])


def _own_pieces(slip: Slip) -> Iterator[tuple[PieceKind, int]]:
    return ((man, square) for man, squares in slip.sight.own_pieces().items() for square in squares)
