"""Who is handed what: rulings of which both sides hear, one side alone, or of the end."""

from __future__ import annotations

from typing import Protocol, TypeVar

import chess

from corr.rules.core import announcements
from corr.rules.core.announcements import Facts, News
from corr.rules.core.played_move import Played
from corr.rules.core.sights import whole
from corr.rules.core.umpire import BLACK, NOTHING, SIDES, WHITE, Ruling, Truth
from corr.words.board import Pair, Side
from corr.words.slips import Fact, Outcome, Sight, Slip, Verdict


class AnyTruth(Protocol):
    """What every truth keeps, whatever else its variant needs."""

    @property
    def board(self) -> chess.Board:
        """Whose turn it is, and after how many moves."""

    @property
    def sights(self) -> Pair[Sight]:
        """What each side sees."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""


K = TypeVar("K", bound=AnyTruth)


def both(truth: K, verdict: Verdict, white: Facts, black: Facts, outcome: Outcome | None = None) -> Ruling[K]:
    """A ruling of which both sides hear."""
    slips: Pair[Slip | None] = Pair(
        Slip(WHITE, white, truth.sights.white),
        Slip(BLACK, black, truth.sights.black),
    )
    return Ruling(truth, verdict, slips, None if outcome else SIDES[truth.board.turn], outcome)


def aloud(truth: Truth, verdict: Verdict, *facts: Fact) -> Ruling[Truth]:
    """A ruling of which both sides hear the same."""
    return both(truth, verdict, facts, facts)


def alone(truth: K, side: Side, verdict: Verdict, fact: Fact) -> Ruling[K]:
    """An answer for this side alone."""
    slip = Slip(side, (fact,), truth.sights[side])
    slips = Pair(slip, None) if side is WHITE else Pair(None, slip)
    return Ruling(truth, verdict, slips, None if truth.over else SIDES[truth.board.turn])


def unreadable(truth: K, side: Side, sentence: str) -> Ruling[K]:
    """This was no attempt, and why; the other side hears nothing."""
    return alone(truth, side, Verdict.UNREADABLE, announcements.unreadable(sentence))


def moved(played: Played, side: Side, own: Fact, others: Fact, news: News) -> Ruling[Truth]:
    """A move: its side is told which, the other that there was one, and both the news of it."""
    facts, outcome = news
    mine, theirs = (own, *facts), (others, *facts)
    white, black = (mine, theirs) if side is WHITE else (theirs, mine)
    return both(played.truth, Verdict.MOVED, white, black, outcome)


def privately(ruling: Ruling[Truth], side: Side, said: Fact) -> Ruling[Truth]:
    """The same ruling, after which one side hears something that the other does not."""
    slip = ruling.slips[side]
    assert slip
    return ruling._replace(slips=ruling.slips.but(side, Slip(side, (*slip.facts, said), slip.sight)))


def over(truth: Truth, fact: Fact, outcome: Outcome) -> Ruling[Truth]:
    """The end by something off the board, and the whole board for both."""
    last = truth._replace(sights=whole(truth.board, truth.lost, truth.reserves), over=True, memo=NOTHING)
    return both(last, Verdict.TOLD, (fact,), (fact,), outcome)
