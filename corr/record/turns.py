"""A turn as its game's record tells of it: what either side ordered and was handed, and what both may read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corr.record import words
from corr.words.board import Man, Pair, Side
from corr.words.orders import Deploy
from corr.words.slips import IN_VAIN, Outcome, Slip, Verdict

#: Of the way in which records are written; those of the first one prove nothing about time.
FIRST_VERSION, VERSION = 1, 2
_DEPLOY = "deploy"


class Heading(NamedTuple):
    """What the first line of a record tells of the game."""

    game: str
    variant: str
    clock: str
    rated: bool
    by_lot: bool


class Ordered(NamedTuple):
    """An order, after how many moves it came, and what became of it."""

    ply: int
    text: str
    verdict: str
    said: str
    origin: str
    at: str


class Handed(NamedTuple):
    """What a side was handed: its number and step, and after how many moves."""

    number: int
    step: int
    ply: int
    slip: Slip


class Decreed(NamedTuple):
    """What an operator did, and what both sides were told of it."""

    deed: str
    detail: str
    reason: str
    said: str


class Turn(NamedTuple):
    """All of it, in the order in which it happened on each side."""

    orders: Pair[Sequence[Ordered]]
    handed: Pair[Sequence[Handed]]
    decrees: Sequence[Decreed]


_ASKING = "any?"
#: What others read of a try.
_TRIED = ("ply", "text", "verdict", "said")


def tries_of(side: Side) -> str:
    """How the part of a turn is called that holds a side's tries."""
    return f"{side}_tries"


def parts(turn: Turn) -> dict[str, Any]:
    """What not everybody may read: what each side ordered and was handed, and of it its tries alone."""
    own = {side.value: _part(turn, side) for side in Side}
    return own | {tries_of(side): tries(each._asdict() for each in turn.orders[side]) for side in Side}


def tries(orders: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Of the orders in a part those that the umpire refused, and the questions, which both have heard."""
    return [{key: each[key] for key in _TRIED} for each in orders if _is_try(each)]


def _is_try(ordered: Mapping[str, Any]) -> bool:
    is_asked = ordered["text"] == _ASKING and ordered["verdict"] == Verdict.TOLD
    return ordered["ply"] >= 0 and (ordered["verdict"] in IN_VAIN or is_asked)


def _part(turn: Turn, side: Side) -> dict[str, Any]:
    return {
        "orders": [each._asdict() for each in turn.orders[side]],
        "slips": [
            {
                "number": each.number,
                "step": each.step,
                "facts": words.facts(each.slip.facts),
                "sight": words.sight(each.slip.sight),
            }
            for each in turn.handed[side]
        ],
    }


def told(
    heading: Heading,
    number: int,
    turn: Turn,
    beside: dict[str, Any],
    outcome: Outcome | None,
    version: int,
) -> dict[str, Any]:
    """What both may read of a turn, once the game is over; `beside` is what no slip and no order tells."""
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
        **beside,
        **first,
        "game": heading.game,
        "leaf": number,
        "moves": _moves(turn),
        "decrees": [each._asdict() for each in turn.decrees],
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }


def _moves(turn: Turn) -> list[dict[str, Any]]:
    """The set-ups with which a game has begun, as they came in, and the moves, each as its own side was told of it.

    Of a move it is told in what it stood, and how many had been made before it.
    """
    deployed = {
        side: max((order.at for order in turn.orders[side] if order.text.startswith(_DEPLOY)), default="")
        for side in Side
    }
    set_up = [
        {"side": side, "move": str(Deploy(_men(each.slip)))}
        for side in sorted(filter(deployed.get, Side), key=lambda side: deployed[side])
        for each in turn.handed[side]
        if each.slip.sets_up
    ]
    made: list[dict[str, Any]] = [
        {"ply": order.ply, "side": side, "move": move, "origin": order.origin}
        for side in Side
        for move, order in zip(_made(turn.handed[side], side), _moved(turn.orders[side]), strict=False)
    ]
    return set_up + sorted(made, key=lambda each: each["ply"])


def _made(handed: Sequence[Handed], side: Side) -> Iterator[str]:
    for each in handed:
        if each.slip.made is not None and each.slip.made["side"] == side:
            yield str(each.slip.made["move"] or "pass")


def _moved(orders: Sequence[Ordered]) -> Iterator[Ordered]:
    return (each for each in orders if each.verdict == Verdict.MOVED and each.ply >= 0)


def _men(slip: Slip) -> tuple[tuple[Man, int], ...]:
    """A side's own men as they stand."""
    return tuple((man, square) for man, squares in slip.sight.own_men().items() for square in squares)
