"""Defines the announcements that several umpires make, in the words of Wild 16; for Classic's see `any_question.py`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TypeAlias

from corr.rules.core import checks
from corr.words.board import SQUARES, Side
from corr.words.codes import Common
from corr.words.slips import Fact, Outcome

Facts: TypeAlias = tuple[Fact, ...]

#: What the cards of Wild 16 and Cincinnati say of captures and checks.
ABOUT_CAPTURES = (
    'The umpire announces a capture with its square, "Pawn at d5 captured" or "Piece at d5 captured", and '
    "nothing more. For a pawn captured en passant the umpire gives the square where that pawn was."
)
ABOUT_CHECKS = (
    'The umpire announces a check and its kind: "Rank check", "File check", "Long-diagonal check", '
    '"Short-diagonal check" or "Knight check". The king\'s long diagonal is the one with more squares.'
)

ILLEGAL = Fact(Common.ILLEGAL, "Illegal move")
#: The same for both sides: it tells whose attempt it was, never the move.
ILLEGAL_OF = {side: Fact(Common.ILLEGAL, "Illegal", (("side", side),)) for side in Side}
NONSENSE_OF = {side: Fact(Common.NONSENSE, "Nonsense", (("side", side),)) for side in Side}
PAWN_CAPTURE = Fact(Common.PAWN_CAPTURE, "Pawn capture")
OVER = Fact(Common.OVER, "The game is over.")

_DRAWS = {
    "repetition": "Draw: repetition.",
    "fifty": "Draw: fifty moves.",
    "material": "Draw: insufficient material.",
    "assassins": "Draw: both assassins captured.",
    "agreement": "Draw: agreement.",
}


def unreadable_fact(sentence: str) -> Fact:
    return Fact(Common.UNREADABLE, sentence)


@lru_cache(maxsize=8192)
def moved_fact(side: Side, move: str | None) -> Fact:
    """Announce a move: the mover's copy names it, the opponent's has None."""
    return Fact(Common.MOVED, "", (("side", side), ("move", move)))


@cache
def capture_fact(square: int, *, pawn: bool) -> Fact:
    """Announce the square where a pawn or a piece was captured; it never says en passant."""
    man = "pawn" if pawn else "piece"
    data = (("square", SQUARES[square]), ("man", man), ("en_passant", False))
    return Fact(Common.CAPTURE, f"{man.capitalize()} at {SQUARES[square]} captured", data)


def check_facts(word: Callable[[str], str], between: str = ". ") -> Facts:
    """Make one announcement for each set of kinds of check, indexed by the kinds' bits."""
    named = map(checks.name_kinds, range(32))
    return tuple(Fact(Common.CHECK, between.join(map(word, kinds)), (("kinds", kinds),)) for kinds in named)


CHECK = check_facts(lambda kind: f"{kind.capitalize()} check")

#: Whose move it is, by side.
TURN = {side: Fact(Common.TURN, f"{side.called}'s move", (("side", side),)) for side in Side}


@cache
def tries_fact(count: int) -> Fact:
    """Announce how many pawn captures there are, "1 pawn tries" as the Internet Chess Club says it (W6)."""
    return Fact(Common.TRIES, f"{count} pawn tries", (("count", count),))


@cache
def end_fact(reason: str, winner: Side | None) -> Fact:
    """Announce how the game ended on the board; with a winner it is checkmate."""
    if winner:
        return Fact(Common.CHECKMATE, f"Checkmate. {winner.called} wins.")
    if reason == "stalemate":
        return Fact(Common.STALEMATE, "Stalemate. Draw.")
    return Fact(Common.DRAW, _DRAWS[reason], (("reason", reason),))


@cache
def resignation_fact(side: Side) -> Fact:
    return Fact(Common.RESIGNED, f"{side.called} resigns. {side.other.called} wins.", (("side", side),))


@cache
def time_fact(side: Side, *, draw: bool) -> Fact:
    """Announce that a side has run out of time, and whether the opponent could still have mated."""
    other = side.other.called
    result = f"Draw: {other} has insufficient material." if draw else f"{other} wins."
    return Fact(Common.TIME, f"{side.called} is out of time. {result}", (("side", side),))


@cache
def abandoned_fact(side: Side) -> Fact:
    """Announce that a side has left a game that has hardly begun, so that there is no result."""
    return Fact(
        Common.ABANDONED, f"{side.called} has not moved in time. The game has no result.", (("side", side),)
    )


@cache
def left_event_fact(side: Side) -> Fact:
    return Fact(
        Common.LEFT, f"{side.called} has left the event. {side.other.called} wins.", (("side", side),)
    )


@cache
def adjudication_fact(outcome: Outcome) -> Fact:
    """Announce that an admin has ended the game, and its result."""
    if outcome.reason == "void":
        result = "It is void."
    else:
        result = f"{outcome.winner.called} wins." if outcome.winner else "Draw."
    return Fact(
        Common.ADJUDICATED, f"The operator has ended the game. {result}", (("winner", outcome.winner),)
    )


@cache
def held_back_fact(why: str) -> Fact:
    """Tell a player that a move of theirs was not put to the umpire, and why."""
    return Fact(Common.HELD, f"Not tried: {why}")
