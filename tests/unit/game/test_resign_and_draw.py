"""Draw offers and giving up, whatever is played."""

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


def told(reply: MatchReply, side: Side) -> list[str] | None:
    """The sentences that a side is told."""
    facts = reply.facts[side]
    return None if facts is None else [fact.text for fact in facts]


def offered(side: Side = WHITE, ply: int = 0) -> DrawOffer:
    return offer(DrawOffer(), side, ply).draw_offer


def test_resign_alone_asks_the_sender_whether_that_is_meant():
    reply = resign(DrawOffer(), WHITE, sure=False)
    assert (reply.verdict, reply.ended) == (Verdict.TOLD, None)
    assert told(reply, WHITE) == ['To resign this game, reply "resign" once more.']
    assert told(reply, BLACK) is None


def test_a_sure_resignation_ends_the_game():
    reply = resign(DrawOffer(), BLACK, sure=True)
    assert (reply.verdict, reply.ended) == (Verdict.TOLD, "resignation")


def test_both_hear_of_an_offer():
    reply = offer(DrawOffer(), WHITE, 0)
    assert reply.verdict is Verdict.TOLD
    assert told(reply, WHITE) == told(reply, BLACK) == ["White offers a draw."]
    assert reply.draw_offer.offer is WHITE


def test_an_accepted_offer_ends_the_game():
    reply = accept(offered(WHITE), BLACK)
    assert (reply.verdict, reply.ended, reply.draw_offer.offer) == (Verdict.TOLD, "agreement", None)


def test_a_declined_offer_is_gone_and_both_hear_of_it():
    reply = decline(offered(WHITE), BLACK)
    assert told(reply, WHITE) == told(reply, BLACK) == ["Black declines the draw."]
    assert reply.draw_offer.offer is None
    assert accept(reply.draw_offer, BLACK).verdict is Verdict.UNREADABLE


@pytest.mark.parametrize("answer", [accept, decline])
@pytest.mark.parametrize(("draw_offer", "side"), [(DrawOffer(), WHITE), (offered(WHITE), WHITE)])
def test_with_nothing_on_offer_there_is_nothing_to_answer(answer, draw_offer: DrawOffer, side: Side):
    reply = answer(draw_offer, side)
    assert (reply.draw_offer, reply.verdict, reply.ended) == (draw_offer, Verdict.UNREADABLE, None)
    assert told(reply, side) == [f"No draw is on offer, so there is nothing to {answer.__name__}."]
    assert told(reply, side.other) is None


def test_the_receivers_move_turns_an_offer_down_and_the_offerers_does_not():
    assert after_move(offered(WHITE), WHITE).offer is WHITE
    assert after_move(offered(WHITE), BLACK).offer is None


def test_of_an_offer_that_a_move_turns_down_both_hear_and_of_none_nobody():
    heard = declined_offer_fact(offered(WHITE), BLACK)
    assert heard is not None
    assert heard.text == "Black declines the draw."
    assert declined_offer_fact(offered(WHITE), WHITE) is declined_offer_fact(DrawOffer(), BLACK) is None


def test_who_has_been_offered_a_draw_is_told_to_accept_it():
    reply = offer(offered(WHITE), BLACK, 1)
    assert reply.verdict is Verdict.UNREADABLE
    assert told(reply, BLACK) == ['White has already offered a draw. To agree, reply "accept".']


def test_a_standing_offer_is_not_made_twice():
    reply = offer(offered(WHITE), WHITE, 1)
    assert told(reply, WHITE) == ["You have already offered a draw."]
    assert told(reply, BLACK) is None


@pytest.mark.parametrize(("side", "first"), [(WHITE, 10), (BLACK, 11)])
def test_one_offer_for_each_turn_of_ones_own(side: Side, first: int):
    """G8: a turn lasts from the opponent's move to the opponent's next one."""
    declined = decline(offered(side, first), side.other).draw_offer
    for ply in (first, first + 1):
        reply = offer(declined, side, ply)
        assert reply.verdict is Verdict.UNREADABLE
        assert told(reply, side) == [
            "You have already offered a draw this turn. You can offer again after your next move."
        ]
    assert offer(declined, side, first + 2).verdict is Verdict.TOLD


def test_black_may_offer_before_the_first_move():
    assert offer(DrawOffer(), BLACK, 0).verdict is Verdict.TOLD
