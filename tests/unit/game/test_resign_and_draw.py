"""Resigning and draw offers, in every variant."""

from __future__ import annotations

import pytest

from corr.game.resign_and_draw import (
    DrawOffer,
    MatchReply,
    accept,
    after_move,
    decline,
    declined_offer_fact,
    offer,
    resign,
)
from corr.words.board import Side
from corr.words.slips import Verdict

WHITE, BLACK = Side.WHITE, Side.BLACK


def sentences(reply: MatchReply, side: Side) -> list[str] | None:
    """Return the sentences that a side is told."""
    facts = reply.facts[side]
    return None if facts is None else [fact.text for fact in facts]


def draw_offered(side: Side = WHITE, ply: int = 0) -> DrawOffer:
    return offer(DrawOffer(), side, ply).draw_offer


def test_resign_asks_for_confirmation():
    reply = resign(DrawOffer(), WHITE, sure=False)
    assert (reply.verdict, reply.ended) == (Verdict.TOLD, None)
    assert sentences(reply, WHITE) == ['To resign this game, reply "resign" once more.']
    assert sentences(reply, BLACK) is None


def test_a_sure_resignation_ends_the_game():
    reply = resign(DrawOffer(), BLACK, sure=True)
    assert (reply.verdict, reply.ended) == (Verdict.TOLD, "resignation")


def test_both_sides_are_told_of_an_offer():
    reply = offer(DrawOffer(), WHITE, 0)
    assert reply.verdict is Verdict.TOLD
    assert sentences(reply, WHITE) == sentences(reply, BLACK) == ["White offers a draw."]
    assert reply.draw_offer.offer is WHITE


def test_an_accepted_offer_ends_the_game():
    reply = accept(draw_offered(WHITE), BLACK)
    assert (reply.verdict, reply.ended, reply.draw_offer.offer) == (Verdict.TOLD, "agreement", None)


def test_a_declined_offer_ends_and_both_sides_are_told():
    reply = decline(draw_offered(WHITE), BLACK)
    assert sentences(reply, WHITE) == sentences(reply, BLACK) == ["Black declines the draw."]
    assert reply.draw_offer.offer is None
    assert accept(reply.draw_offer, BLACK).verdict is Verdict.UNREADABLE


@pytest.mark.parametrize("answer", [accept, decline])
@pytest.mark.parametrize(("draw_offer", "side"), [(DrawOffer(), WHITE), (draw_offered(WHITE), WHITE)])
def test_without_an_offer_there_is_nothing_to_answer(answer, draw_offer: DrawOffer, side: Side):
    reply = answer(draw_offer, side)
    assert (reply.draw_offer, reply.verdict, reply.ended) == (draw_offer, Verdict.UNREADABLE, None)
    assert sentences(reply, side) == [f"No draw is on offer, so there is nothing to {answer.__name__}."]
    assert sentences(reply, side.other) is None


def test_a_move_of_the_receiver_declines_an_offer():
    assert after_move(draw_offered(WHITE), WHITE).offer is WHITE
    assert after_move(draw_offered(WHITE), BLACK).offer is None


def test_declining_by_a_move_is_announced():
    fact = declined_offer_fact(draw_offered(WHITE), BLACK)
    assert fact is not None
    assert fact.text == "Black declines the draw."
    assert declined_offer_fact(draw_offered(WHITE), WHITE) is declined_offer_fact(DrawOffer(), BLACK) is None


def test_an_offer_in_return_is_answered_with_a_hint_to_accept():
    reply = offer(draw_offered(WHITE), BLACK, 1)
    assert reply.verdict is Verdict.UNREADABLE
    assert sentences(reply, BLACK) == ['White has already offered a draw. To agree, reply "accept".']


def test_an_open_offer_cannot_be_repeated():
    reply = offer(draw_offered(WHITE), WHITE, 1)
    assert sentences(reply, WHITE) == ["You have already offered a draw."]
    assert sentences(reply, BLACK) is None


@pytest.mark.parametrize(("side", "first"), [(WHITE, 10), (BLACK, 11)])
def test_a_side_can_offer_once_in_each_of_its_turns(side: Side, first: int):
    """A turn lasts from the opponent's move to the opponent's next one."""
    declined = decline(draw_offered(side, first), side.other).draw_offer
    for ply in (first, first + 1):
        reply = offer(declined, side, ply)
        assert reply.verdict is Verdict.UNREADABLE
        assert sentences(reply, side) == [
            "You have already offered a draw this turn. You can offer again after your next move."
        ]
    assert offer(declined, side, first + 2).verdict is Verdict.TOLD


def test_black_may_offer_before_the_first_move():
    assert offer(DrawOffer(), BLACK, 0).verdict is Verdict.TOLD
