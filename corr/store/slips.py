"""Slips as they are kept: the umpire's own sentences, and a sight in numbers."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from corr.words import Castle, Datum, Fact, Pair, Side, Sight, Slip, Toll


def pack(slip: Slip) -> tuple[str, str]:
    """The facts and the sight of a slip, as text."""
    facts = [[fact.code, fact.text, dict(fact.data)] for fact in slip.facts]
    sight = slip.sight
    tolls = [[toll.men, toll.pawns] for toll in (sight.lost.white, sight.lost.black)]
    masks = [sight.own, sight.seen, *(mask for _, mask in sight.masks())]
    return _text(facts), _text([masks, [castle.value for castle in sight.castling], tolls])


def unpack(side: Side, facts: str, sight: str) -> Slip:
    """The slip that was kept."""
    said = tuple(Fact(code, text, _data(data)) for code, text, data in json.loads(facts))
    return Slip(side, said, _sight(side, sight))


@lru_cache(maxsize=256)
def _sight(side: Side, sight: str) -> Sight:
    """A sight that was kept; it is the same in most slips that follow one another."""
    masks, castling, (white, black) = json.loads(sight)
    own, seen, pawns, knights, bishops, rooks, queens, kings = masks
    words, lost = tuple(Castle(word) for word in castling), Pair(Toll(*white), Toll(*black))
    return Sight(side, own, seen, pawns, knights, bishops, rooks, queens, kings, words, lost)


def _text(thing: object) -> str:
    return json.dumps(thing, separators=(",", ":"), ensure_ascii=False)


def _data(data: dict[str, Any]) -> tuple[tuple[str, Datum], ...]:
    return tuple((key, tuple(value) if isinstance(value, list) else value) for key, value in data.items())
