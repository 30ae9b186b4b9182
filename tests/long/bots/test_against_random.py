"""The strongest bot never loses to random moves, in any variant."""

from __future__ import annotations

import pytest

from bench.arena import Pairing, start_game
from corr.rules.variants import UMPIRES


@pytest.mark.parametrize("number", range(2, 5))
@pytest.mark.parametrize("variant", UMPIRES)
def test_the_strongest_bot_does_not_lose_to_random_moves(variant: str, number: int) -> None:
    played = start_game(Pairing("strongest", "random", variant, 811, number)).play()

    assert played.points > 0, f"{played.ending} after {played.plies} plies"
