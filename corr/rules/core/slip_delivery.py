"""Builds rulings with a slip for both sides or for one only, and the announcements of a new position."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from corr.rules.core import announcements
from corr.rules.core.announcements import Facts
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.umpire import BLACK, SIDES, WHITE, Ruling, T, Truth
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.orders import Order
from corr.words.slips import Fact, Outcome, Slip, Verdict

#: What both sides hear of a new position, and the outcome if the game has ended.
News: TypeAlias = tuple[Facts, Outcome | None]


def rule_for_both(
    truth: T, verdict: Verdict, white: Facts, black: Facts, outcome: Outcome | None = None
) -> Ruling[T]:
    """Build a ruling that tells each side its own facts."""
    slips: Pair[Slip | None] = Pair(
        Slip(WHITE, white, truth.sights.white), Slip(BLACK, black, truth.sights.black)
    )
    return Ruling(truth, verdict, slips, truth.turn, outcome)


def rule_aloud(truth: T, verdict: Verdict, *facts: Fact, outcome: Outcome | None = None) -> Ruling[T]:
    """Build a ruling that tells both sides the same facts."""
    return rule_for_both(truth, verdict, facts, facts, outcome)


def rule_for_one(truth: T, side: Side, verdict: Verdict, fact: Fact) -> Ruling[T]:
    """Build a ruling that tells one side one fact, and the opponent nothing."""
    slip = Slip(side, (fact,), truth.sights[side])
    return Ruling(truth, verdict, Pair(slip, None) if side is WHITE else Pair(None, slip), truth.turn)


def rule_unreadable(truth: T, side: Side, sentence: str) -> Ruling[T]:
    """Tell this side why its order was no attempt; the opponent hears nothing."""
    return rule_for_one(truth, side, Verdict.UNREADABLE, announcements.unreadable_fact(sentence))


def answer_in_turn(
    answer: Callable[[T, Side, Order], Ruling[T]], truth: T, side: Side, order: Order
) -> Ruling[T]:
    """Let `answer` judge an order of the side to move; tell others why theirs can't act."""
    if truth.over:
        return rule_for_one(truth, side, Verdict.OVER, announcements.OVER)
    if side is not truth.turn:
        return rule_unreadable(truth, side, f"It is {side.other.called}'s turn.")
    try:
        return answer(truth, side, order)
    except Refused as puzzle:
        return rule_unreadable(truth, side, str(puzzle))


def rule_moved(
    truth: T, side: Side, own: Facts, others: Fact, news: Facts, outcome: Outcome | None
) -> Ruling[T]:
    """Build the ruling on a move: only its side is told which, and both get the news of it."""
    mine, theirs = (*own, *news), (others, *news)
    white, black = (mine, theirs) if side is WHITE else (theirs, mine)
    return rule_for_both(truth, Verdict.MOVED, white, black, outcome)


def add_private_fact(ruling: Ruling[Truth], side: Side, fact: Fact) -> Ruling[Truth]:
    """Add to a ruling something that only one side hears."""
    slip = ruling.slips[side]
    assert slip
    return ruling._replace(slips=ruling.slips.with_value(side, Slip(side, (*slip.facts, fact), slip.sight)))


def announce_position(played: PlayedMove, *pawns: Fact) -> News:
    """Return what both sides hear of a new position: the capture, the check, then the end or the turn."""
    taken = played.taken
    told = (announcements.capture_fact(taken.square, pawn=taken.pawn),) if taken else ()
    return announce_next(played, (*told, *announce_check(played, announcements.CHECK)), *pawns)


def announce_check(played: PlayedMove, facts: Facts) -> Facts:
    """Return the check that a new position gives, if any, out of the facts for all kinds of check."""
    return (facts[played.checks],) if played.checks else ()


def announce_next(played: PlayedMove, facts: Facts, *pawns: Fact) -> News:
    """Return what both sides hear: these facts, then the end, or whose turn it is and the pawn tries."""
    turn = SIDES[played.truth.board.turn]
    if played.end is None:
        return (*facts, announcements.TURN[turn], *pawns), None
    return announce_end(facts, played.end, turn.other if played.end == "checkmate" else None)


def announce_end(facts: Facts, end: str, winner: Side | None) -> News:
    """Return the words about the last move, and how the game ended by it."""
    return (*facts, announcements.end_fact(end, winner)), Outcome(winner, end)
