"""Delivers slips: rulings for both sides, for one side only, or about the end."""

from __future__ import annotations

from typing import Protocol, TypeVar

import chess

from corr.rules.core import announcements
from corr.rules.core.announcements import Facts, News
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.sights import sights_after_end
from corr.rules.core.umpire import BLACK, NOTHING_REMEMBERED, SIDES, WHITE, Ruling, Truth
from corr.words.board import Pair, Side
from corr.words.slips import Fact, Outcome, Sight, Slip, Verdict


class TruthProtocol(Protocol):
    """What every truth has, whatever else its variant needs."""

    @property
    def board(self) -> chess.Board:
        """The board, with whose turn it is and after how many moves."""

    @property
    def sights(self) -> Pair[Sight]:
        """What each side sees."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""


K = TypeVar("K", bound=TruthProtocol)


def rule_for_both(
    truth: K, verdict: Verdict, white: Facts, black: Facts, outcome: Outcome | None = None
) -> Ruling[K]:
    """Build a ruling with facts for each side."""
    slips: Pair[Slip | None] = Pair(
        Slip(WHITE, white, truth.sights.white),
        Slip(BLACK, black, truth.sights.black),
    )
    return Ruling(truth, verdict, slips, None if outcome else SIDES[truth.board.turn], outcome)


def rule_aloud(truth: Truth, verdict: Verdict, *facts: Fact) -> Ruling[Truth]:
    """Build a ruling with the same facts for both sides."""
    return rule_for_both(truth, verdict, facts, facts)


def rule_for_one(truth: K, side: Side, verdict: Verdict, fact: Fact) -> Ruling[K]:
    """Build an answer for this side only."""
    slip = Slip(side, (fact,), truth.sights[side])
    slips = Pair(slip, None) if side is WHITE else Pair(None, slip)
    return Ruling(truth, verdict, slips, None if truth.over else SIDES[truth.board.turn])


def rule_unreadable(truth: K, side: Side, sentence: str) -> Ruling[K]:
    """Tell this side why its order was no attempt; the opponent hears nothing."""
    return rule_for_one(truth, side, Verdict.UNREADABLE, announcements.unreadable_fact(sentence))


def rule_moved(played: PlayedMove, side: Side, own: Fact, others: Fact, news: News) -> Ruling[Truth]:
    """Build the ruling on a move: only its side is told which, and both get the news of it."""
    facts, outcome = news
    mine, theirs = (own, *facts), (others, *facts)
    white, black = (mine, theirs) if side is WHITE else (theirs, mine)
    return rule_for_both(played.truth, Verdict.MOVED, white, black, outcome)


def add_private_fact(ruling: Ruling[Truth], side: Side, said: Fact) -> Ruling[Truth]:
    """Add to a ruling something that only one side hears."""
    slip = ruling.slips[side]
    assert slip
    return ruling._replace(slips=ruling.slips.with_value(side, Slip(side, (*slip.facts, said), slip.sight)))


def rule_end(truth: Truth, fact: Fact, outcome: Outcome) -> Ruling[Truth]:
    """End the game for a reason off the board, and show both sides the whole board."""
    last = truth._replace(
        sights=sights_after_end(truth.board, truth.lost, truth.reserves), over=True, memo=NOTHING_REMEMBERED
    )
    return rule_for_both(last, Verdict.TOLD, (fact,), (fact,), outcome)
