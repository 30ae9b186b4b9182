"""Handles draw offers and resignations: what is public about a match beside the umpire's rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, TypeAlias

from corr.words.board import Pair, Side
from corr.words.codes import Common
from corr.words.slips import Fact, Verdict

Announced: TypeAlias = tuple[Fact, ...] | None

CONFIRM = Fact(Common.CONFIRM, 'To resign this game, reply "resign" once more.')


@dataclass(frozen=True, slots=True)
class Match:
    """The side whose draw offer is open, and each side's turn of its latest offer; 0 for none."""

    offer: Side | None = None
    offered: Pair[int] = field(default=Pair(0, 0))


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a match order: the new match, what each side is told, and how the game ended."""

    match: Match
    verdict: Verdict
    facts: Pair[Announced]  # None: that side is told nothing
    ended: Literal["resignation", "agreement"] | None = None


def hear(match: Match, side: Side, word: str, ply: int, *, sure: bool) -> Reply:
    """Answer a word about the match: `resign`, `draw?`, `accept` or `decline`."""
    match word:
        case "resign":
            return resign(match, side, sure=sure)
        case "draw?":
            return offer(match, side, ply)
        case "accept":
            return accept(match, side)
        case _:
            return decline(match, side)


def resign(match: Match, side: Side, *, sure: bool) -> Reply:
    """Resign; a player who has not confirmed is asked once more, privately."""
    if not sure:
        return _private(match, side, Verdict.TOLD, CONFIRM)
    return Reply(match, Verdict.TOLD, Pair(None, None), "resignation")


def offer(match: Match, side: Side, ply: int) -> Reply:
    """Offer a draw, at most once in each of the side's own turns."""
    if match.offer is side.other:
        return _unreadable(
            match, side, f'{side.other.called} has already offered a draw. To agree, reply "accept".'
        )
    if match.offer is side:
        return _unreadable(match, side, "You have already offered a draw.")
    turn = _turn(side, ply)
    if match.offered[side] == turn:
        return _unreadable(
            match,
            side,
            ("You have already offered a draw this turn. You can offer again after your next move."),
        )
    offering = Match(side, match.offered.but(side, turn))
    return Reply(offering, Verdict.TOLD, _both(_offered(side)))


def accept(match: Match, side: Side) -> Reply:
    """Agree to the opponent's draw offer."""
    if match.offer is not side.other:
        return _unreadable(match, side, "No draw is on offer, so there is nothing to accept.")
    return Reply(replace(match, offer=None), Verdict.TOLD, Pair(None, None), "agreement")


def decline(match: Match, side: Side) -> Reply:
    """Decline the opponent's draw offer."""
    if match.offer is not side.other:
        return _unreadable(match, side, "No draw is on offer, so there is nothing to decline.")
    return Reply(replace(match, offer=None), Verdict.TOLD, _both(_declined(side)))


def moved(match: Match, side: Side) -> Match:
    """Return the match after a legal move of this side, which declines the opponent's offer."""
    return replace(match, offer=None) if match.offer is side.other else match


def turned_down(match: Match, side: Side) -> Fact | None:
    """Return what both sides hear if this side's legal move declines an offer."""
    return _declined(side) if match.offer is side.other else None


def _turn(side: Side, ply: int) -> int:
    """Number this side's turn from 1; a turn lasts until the side's next one begins."""
    return (ply + (side is Side.BLACK)) // 2 + 1


def _unreadable(match: Match, side: Side, sentence: str) -> Reply:
    return _private(match, side, Verdict.UNREADABLE, Fact(Common.UNREADABLE, sentence))


def _private(match: Match, side: Side, verdict: Verdict, fact: Fact) -> Reply:
    nobody: Pair[Announced] = Pair(None, None)
    return Reply(match, verdict, nobody.but(side, (fact,)))


def _both(fact: Fact) -> Pair[Announced]:
    return Pair((fact,), (fact,))


@cache
def _offered(side: Side) -> Fact:
    return Fact(Common.OFFER, f"{side.called} offers a draw.", (("side", side),))


@cache
def _declined(side: Side) -> Fact:
    return Fact(Common.DECLINED, f"{side.called} declines the draw.", (("side", side),))
