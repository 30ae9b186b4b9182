"""Who moves at random beats no house player of the strongest, at whatever is played."""

from __future__ import annotations

import pytest

from bench.arena import Pairing, bout
from corr.rules.variants import UMPIRES


@pytest.mark.parametrize("number", range(2, 5))
@pytest.mark.parametrize("variant", UMPIRES)
def test_the_strongest_house_player_does_not_lose_to_random_moves(variant: str, number: int) -> None:
    played = bout(Pairing("strongest", "random", variant, 811, number)).play()

    assert played.points > 0, f"{played.ending} after {played.plies} plies"
