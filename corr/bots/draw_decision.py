"""Decides whether a bot takes a draw, offers one or resigns, by how far ahead it believes it is."""

from __future__ import annotations

from statistics import mean

from corr.bots.evaluation import PieceValues
from corr.bots.possible_positions import Belief
from corr.words.board import Side
from corr.words.slips import Sight

#: In hundredths of a pawn: a bot this far behind takes a draw; with a lone king it resigns at the second value.
_DRAW_SCORE, _RESIGN_SCORE = -200.0, -450.0
#: A bot that is at most this far ahead accepts a draw after this many moves without a capture; it offers one then,
#: and again after each further interval.
_EVEN_SCORE, _QUIET, _ASKED_AGAIN = 100.0, 30, 10


def should_accept_draw(variant: str, side: Side, belief: Belief, quiet: int) -> bool:
    ahead = _ahead(variant, side, belief)
    return ahead <= _DRAW_SCORE or (quiet >= _QUIET and ahead <= _EVEN_SCORE)


def should_offer_draw(variant: str, side: Side, belief: Belief, quiet: int) -> bool:
    is_time = quiet >= _QUIET and (quiet - _QUIET) % _ASKED_AGAIN == 0
    return is_time and _ahead(variant, side, belief) <= _EVEN_SCORE


def should_resign(variant: str, side: Side, sight: Sight, belief: Belief) -> bool:
    """Whether the bot's king is alone without reserve, against hopelessly more."""
    is_alone = sight.own.bit_count() == 1 and not (sight.reserves and sight.reserves[side])
    return is_alone and _ahead(variant, side, belief) <= _RESIGN_SCORE


def _ahead(variant: str, side: Side, belief: Belief) -> float:
    """Return how far ahead the bot believes it is, with reserves; 0 if it holds no position possible."""
    if not belief.truths:
        return 0.0
    scale, white = PieceValues.of(variant), side is Side.WHITE
    return mean(
        scale.worth(truth.board, white=white) + scale.in_reserve(truth, white=white)
        for truth in belief.truths
    )
