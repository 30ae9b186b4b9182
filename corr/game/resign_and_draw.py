"""Handles resignations and draw offers, and announces them, pauses and what admins do to a game's time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Literal, TypeAlias

from corr.words.board import Pair, Side
from corr.words.codes import Common
from corr.words.slips import Fact, Verdict

FactsOrNone: TypeAlias = tuple[Fact, ...] | None

CONFIRM_RESIGNATION = Fact(Common.CONFIRM, 'To resign this game, reply "resign" once more.')


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """The side whose draw offer is open, and each side's turn of its latest offer; 0 for none."""

    offer: Side | None = None
    offered: Pair[int] = field(default=Pair(0, 0))


@dataclass(frozen=True, slots=True)
class MatchReply:
    """The result of a resignation or draw order: what each side is told, and how the game ended."""

    draw_offer: DrawOffer
    verdict: Verdict
    facts: Pair[FactsOrNone]  # None: that side is told nothing
    ended: Literal["resignation", "agreement"] | None = None


def answer_word(draw_offer: DrawOffer, side: Side, word: str, ply: int, *, sure: bool) -> MatchReply:
    """Answer `resign`, `draw?`, `accept` or `decline`; `sure` says that a resignation is confirmed."""
    match word:
        case "resign":
            return resign(draw_offer, side, sure=sure)
        case "draw?":
            return offer(draw_offer, side, ply)
        case "accept":
            return accept(draw_offer, side)
        case _:
            return decline(draw_offer, side)


def resign(draw_offer: DrawOffer, side: Side, *, sure: bool) -> MatchReply:
    """Resign; a player who has not confirmed is asked once more, privately."""
    if not sure:
        return _private(draw_offer, side, Verdict.TOLD, CONFIRM_RESIGNATION)
    return MatchReply(draw_offer, Verdict.TOLD, Pair(None, None), "resignation")


def offer(draw_offer: DrawOffer, side: Side, ply: int) -> MatchReply:
    """Offer a draw, at most once in each of the side's own turns."""
    if draw_offer.offer is side.other:
        told = f'{side.other.called} has already offered a draw. To agree, reply "accept".'
        return _unreadable(draw_offer, side, told)
    if draw_offer.offer is side:
        return _unreadable(draw_offer, side, "You have already offered a draw.")
    turn = (ply + (side is Side.BLACK)) // 2 + 1  # it lasts until the side's next one begins
    if draw_offer.offered[side] == turn:
        told = "You have already offered a draw this turn. You can offer again after your next move."
        return _unreadable(draw_offer, side, told)
    offering = DrawOffer(side, draw_offer.offered.with_value(side, turn))
    return MatchReply(offering, Verdict.TOLD, _both(_offer_fact(side)))


def accept(draw_offer: DrawOffer, side: Side) -> MatchReply:
    """Agree to the opponent's draw offer."""
    if draw_offer.offer is not side.other:
        return _unreadable(draw_offer, side, "No draw is on offer, so there is nothing to accept.")
    return MatchReply(replace(draw_offer, offer=None), Verdict.TOLD, Pair(None, None), "agreement")


def decline(draw_offer: DrawOffer, side: Side) -> MatchReply:
    """Decline the opponent's draw offer."""
    if draw_offer.offer is not side.other:
        return _unreadable(draw_offer, side, "No draw is on offer, so there is nothing to decline.")
    return MatchReply(replace(draw_offer, offer=None), Verdict.TOLD, _both(_decline_fact(side)))


def after_move(draw_offer: DrawOffer, side: Side) -> DrawOffer:
    """Return the draw offer after a legal move of this side, which declines the opponent's offer."""
    return replace(draw_offer, offer=None) if draw_offer.offer is side.other else draw_offer


def declined_offer_fact(draw_offer: DrawOffer, side: Side) -> Fact | None:
    """Return what both sides hear if this side's move declines a draw; None without offer."""
    return _decline_fact(side) if draw_offer.offer is side.other else None


def _unreadable(draw_offer: DrawOffer, side: Side, sentence: str) -> MatchReply:
    """Tell one side, privately, why its command can't act."""
    return _private(draw_offer, side, Verdict.UNREADABLE, Fact(Common.UNREADABLE, sentence))


def _private(draw_offer: DrawOffer, side: Side, verdict: Verdict, fact: Fact) -> MatchReply:
    nobody: Pair[FactsOrNone] = Pair(None, None)
    return MatchReply(draw_offer, verdict, nobody.with_value(side, (fact,)))


def _both(fact: Fact) -> Pair[FactsOrNone]:
    return Pair((fact,), (fact,))


@cache
def _offer_fact(side: Side) -> Fact:
    return Fact(Common.OFFER, f"{side.called} offers a draw.", (("side", side),))


@cache
def _decline_fact(side: Side) -> Fact:
    return Fact(Common.DECLINED, f"{side.called} declines the draw.", (("side", side),))


PAUSE_AGREED = Fact(Common.PAUSED, "You have both agreed to a pause.")
PAUSE_ENDED = Fact(Common.RESUMED, "The pause is over.")


@dataclass(frozen=True, slots=True)
class Pause:
    """The side that has asked for a pause, or the end of the current pause."""

    asked: Side | None = None
    until: datetime | None = None


NO_PAUSE = Pause()


@cache
def pause_requested_fact(side: Side) -> Fact:
    return Fact(Common.PAUSE_ASKED, f"{side.called} asks for a pause.", (("side", side),))


@cache
def pause_declined_fact(side: Side) -> Fact:
    return Fact(Common.DECLINED, f"{side.called} doesn't want a pause.", (("side", side),))


@cache
def pause_ended_fact(side: Side) -> Fact:
    return Fact(Common.RESUMED, f"{side.called} has ended the pause.")


PAUSED_BY_ADMIN = Fact(Common.PAUSED, "An admin has paused the game.")
RESUMED_BY_ADMIN = Fact(Common.RESUMED, "An admin has resumed the game.")


@cache
def extension_fact(sides: tuple[Side, ...], days: int) -> Fact:
    """Announce that an admin has given these sides more days."""
    whom = " and ".join(side.called for side in sides)
    more = "one more day" if days == 1 else f"{days} more days"
    return Fact(Common.EXTENDED, f"An admin has given {whom} {more}.", (("days", days),))
