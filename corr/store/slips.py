"""Slips as they are kept: the umpire's own sentences, and a sight in numbers."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from corr.words import Castle, Contents, Datum, Fact, Pair, Recalled, Side, Sight, Slip, Toll


def pack(slip: Slip) -> tuple[str, str]:
    """The facts and the sight of a slip, as text."""
    facts = [[fact.code, fact.text, fact.plain] for fact in slip.facts]
    sight = slip.sight
    tolls = [[toll.men, toll.pawns] for toll in (sight.lost.white, sight.lost.black)]
    masks = [sight.own, sight.seen, *(mask for _, mask in sight.masks())]
    return _text(facts), _text([masks, [castle.value for castle in sight.castling], tolls, *_beside(sight)])


def _beside(sight: Sight) -> list[object]:
    """What only some variants show: nothing where there is none."""
    reserves = [sight.reserves.white, sight.reserves.black] if sight.reserves else None
    recalled = [[each.move, each.squares] for each in sight.recalled]
    beside: list[object] = [sight.promoted, reserves, recalled, sight.sense_due]
    return beside if any(beside) else []


def unpack(side: Side, facts: str, sight: str) -> Slip:
    """The slip that was kept."""
    return Slip(side, _facts(facts), _sight(side, sight))


@lru_cache(maxsize=1024)
def _facts(facts: str) -> tuple[Fact, ...]:
    """Facts that were kept; a letter tells of several turns, and most say what others said."""
    return tuple(Fact(code, text, _data(data)) for code, text, data in json.loads(facts))


@lru_cache(maxsize=2048)
def _sight(side: Side, sight: str) -> Sight:
    """A sight that was kept; it is the same in most slips that follow one another."""
    masks, castling, (white, black), *beside = json.loads(sight)
    own, seen, pawns, knights, bishops, rooks, queens, kings = masks
    promoted, reserves, recalled, sense_due = beside or (0, None, (), False)
    return Sight(
        side,
        own,
        seen,
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        kings,
        tuple(Castle(word) for word in castling),
        Pair(Toll(*white), Toll(*black)),
        promoted,
        Pair(*reserves) if reserves else None,
        tuple(Recalled(move, tuple((square, letter) for square, letter in each)) for move, each in recalled),
        sense_due,
    )


def _text(thing: object) -> str:
    return json.dumps(thing, separators=(",", ":"), ensure_ascii=False)


def _data(data: dict[str, Any]) -> tuple[tuple[str, Datum], ...]:
    return tuple((key, _datum(value)) for key, value in data.items())


def _datum(value: Any) -> Datum:
    if isinstance(value, dict):
        return Contents(tuple(value.items()))
    return tuple(value) if isinstance(value, list) else value
