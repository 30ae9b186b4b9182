"""Writes a side's score from its own slips: own moves in full, failed ones in brackets, the opponent's as `?`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from corr.words.board import PieceKind, Side
from corr.words.codes import PIECE_KIND
from corr.words.slips import Fact, Slip


def lines(slips: Iterable[Slip], first: int = 1) -> tuple[str, ...]:
    """Return the score as text, `1. e2e4 ?`, numbered from the first slip's move."""
    return tuple(" ".join(row) for row in rows(slips, first))


def rows(slips: Iterable[Slip], first: int = 1) -> tuple[tuple[str, ...], ...]:
    """Return the score in rows: the number, White's move and any move of Black's."""
    played = list(moves(slips))
    if played and played[0][0] is Side.BLACK:
        played.insert(0, (Side.WHITE, "…"))
    texts = [text for _, text in played]
    pairs = zip_longest(texts[::2], texts[1::2], fillvalue="")
    return tuple((f"{number}.", *filter(None, pair)) for number, pair in enumerate(pairs, start=first))


def moves(slips: Iterable[Slip]) -> Iterator[tuple[Side, str]]:
    """Yield the mover of each move, and how this side writes it."""
    for slip in slips:
        made = slip.made
        if made:
            move = made["move"]
            yield Side(str(made["side"])), slip.listed(str(move)) if move is not None else _other(slip)


def _other(slip: Slip) -> str:
    """Write a move whose squares this side wasn't told: `?`, `?xd5`, `N@?`, or a failed `(e4d5)`."""
    written = [fact for fact in slip.facts if fact.code.contract.score]
    return _score_fact(written[-1]) if written else "?"


def _score_fact(fact: Fact) -> str:
    """Write a fact as its code's score says, with `?` for anything untold."""
    contract = fact.code.contract
    told = {
        key: PieceKind(str(datum)).letter if contract.owes.get(key) is PIECE_KIND else str(datum)
        for key, datum in fact.data
        if datum is not None
    }
    return contract.score.format_map(defaultdict(lambda: "?", told))
