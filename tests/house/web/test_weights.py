"""How heavy the page of a table is, in every variant and at every stage of a game."""

from __future__ import annotations

from collections import defaultdict

import pytest

from corr.rules.variants import UMPIRES
from tests.house.web.test_table import bytes_of, sit_down
from tests.support.browser import Browser
from tests.support.games import GAMES
from tests.support.table import ANN, BEN, Table

#: How many bytes it has at most, by what its reader is about: a sense may be of any square, a list has four tries.
MOST = {"a move": 15_000, "a sense": 16_000, "a set-up": 14_500, "a list": 18_000, "the end": 11_000}
#: What a page says while something else than a move is due.
PHASES = {"Thank you for playing.": "the end", "you sense": "a sense", "in your hand": "a set-up"}


@pytest.mark.parametrize("variant", UMPIRES)
def test_a_page_weighs_little_in_every_variant_and_phase(table: Table, variant: str) -> None:
    table.begin(variant)
    weights = defaultdict[str, list[int]](list)
    seats = [sit_down(table, player) for player in (ANN, BEN)]
    for player, letter in GAMES[variant].by_turns():
        weigh(seats, weights)
        table.reply(player, letter)
    weigh(seats, weights)

    assert "the end" in weights
    assert {phase: most for phase, found in weights.items() if (most := max(found)) > MOST[phase]} == {}


def weigh(seats: list[Browser], weights: dict[str, list[int]]) -> None:
    for seat in seats:
        text = seat.open(seat.at)
        phase = next((phase for words, phase in PHASES.items() if words in text), "a move")
        weights[phase].append(len(bytes_of(seat)))
        if phase == "a move":
            seat.open(f"{seat.at}?list=e2e4.d2d4.g1f3.b1c3")
            weights["a list"].append(len(bytes_of(seat)))
