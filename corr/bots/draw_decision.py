"""Whether a game is to be gone on with, or a draw would do: what a seat holds possible tells how far ahead it is."""

from __future__ import annotations

from statistics import mean

from corr.bots.evaluation import Scale
from corr.bots.possible_positions import Belief
from corr.words.board import Side
from corr.words.slips import Sight

#: In hundredths of a pawn: whoever is so far behind is glad of a draw; and gives up, with nothing but a king.
_GLAD, _LOST = -200.0, -450.0
#: Whoever is no further ahead does not mind a draw when nothing has been taken in so many moves; it asks for one then
#: and, if need be, again after so many more.
_EVEN, _QUIET, _ASKED_AGAIN = 100.0, 30, 10


def takes_a_draw(variant: str, side: Side, belief: Belief, quiet: int) -> bool:
    """Whether a draw is more than it hopes for."""
    ahead = _ahead(variant, side, belief)
    return ahead <= _GLAD or (quiet >= _QUIET and ahead <= _EVEN)


def offers_a_draw(variant: str, side: Side, belief: Belief, quiet: int) -> bool:
    """Whether nobody seems to get anywhere, after so many moves in which nothing was taken."""
    is_time = quiet >= _QUIET and (quiet - _QUIET) % _ASKED_AGAIN == 0
    return is_time and _ahead(variant, side, belief) <= _EVEN


def gives_up(variant: str, side: Side, sight: Sight, belief: Belief) -> bool:
    """Whether its king is alone, with nobody to call in, against more than he can hope to be spared by."""
    is_alone = sight.own.bit_count() == 1 and not (sight.reserves and sight.reserves[side])
    return is_alone and _ahead(variant, side, belief) <= _LOST


def _ahead(variant: str, side: Side, belief: Belief) -> float:
    """How far ahead it is in what it holds possible, reserves among it; nowhere, where it holds nothing so."""
    if not belief.truths:
        return 0.0
    scale, white = Scale.of(variant), side is Side.WHITE
    return mean(
        scale.worth(truth.board, white=white) + scale.in_reserve(truth, white=white)
        for truth in belief.truths
    )
