"""How heavy the page of a table is, in every variant, at every stage of a game, and where much is recalled."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from corr.rules.variants import UMPIRES
from tests.server.web.test_table import bytes_of, sit_down
from tests.support.browser import Browser
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, Table

#: How many bytes it has at most, by what its reader is about; a list has four tries.
MOST = {
    "a move": 15_300,
    "a sense": 15_000,
    "a man in hand": 15_900,
    "a ghost in hand": 16_000,
    "a set-up": 13_500,
    "a list": 17_800,
    "the end": 11_000,
}
#: By what it is about, what is asked for of a page on which a move is due.
PAGES = (("a move", ""), ("a man in hand", "?{}="), ("a ghost in hand", "?ghost=Q"))
#: What a page says while something else than a move is due.
PHASES = {"Thank you for playing.": "the end", "the square to sense": "a sense", "left to place": "a set-up"}
#: A long game of Reconnaissance Blind Chess: what either side moves, and where it looks, again and again.
MOVES = {
    ANN: (
        *("e2e4", "g1f3", "f1c4", "d2d3", "c1e3", "b1c3", "d1d2", "e1c1", "h2h3", "a2a3"),
        *("c1b1", "b1a2", "h1e1", "d1c1", "e1d1", "c3e2", "e2c3", "c3e2", "e2c3", "c3e2"),
    ),
    BEN: (
        *("e7e5", "b8c6", "f8c5", "d7d6", "c8e6", "g8f6", "d8d7", "e8c8", "h7h6", "a7a6"),
        *("c8b8", "b8a7", "h8e8", "d8c8", "e8d8", "f6g8", "g8f6", "f6g8", "g8f6", "f6g8"),
    ),
}
LOOKS = {ANN: ("b7", "e7", "g7", "b5", "e5", "g5"), BEN: ("b2", "e2", "g2", "b4", "e4", "g4")}


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


def test_a_page_weighs_little_however_much_is_recalled(table: Table) -> None:
    table.begin("rbc")
    seats = {player: sit_down(table, player) for player in (ANN, BEN)}
    heavy = dict[str, int]()
    for number in range(len(MOVES[ANN])):
        for player, seat in seats.items():
            move, looked = MOVES[player][number], LOOKS[player][number % len(LOOKS[player])]
            for written, asked in ((f"sense {looked}", PAGES[:1]), (move, PAGES)):
                for about, query in asked:
                    seat.open(seat.at + query.format(move[:2]))
                    weight = len(bytes_of(seat))
                    heavy |= {f"{number + 1} {written}, {about}": weight} if weight > MOST[about] else {}
                table.reply(player, written)

    assert f"move {len(MOVES[ANN]) + 1}" in seats[ANN].open(seats[ANN].at)
    assert heavy == {}


def test_of_moves_at_length_the_newest_two_are_shown_and_a_link_to_all(table: Table) -> None:
    table.begin("rbc")
    for number in range(4):
        for player in (ANN, BEN):
            table.reply(player, f"sense {LOOKS[player][number]}; {MOVES[player][number]}")
    anns = sit_down(table, ANN)

    assert moves_in(anns.open(anns.at)) == ["5", "4", "3"]
    assert ">all moves<" in anns.answer.get_data(as_text=True)
    assert moves_in(anns.open(f"{anns.at}?log=whole")) == ["5", "4", "3", "2", "1"]
    assert ">all moves<" not in anns.answer.get_data(as_text=True)


def moves_in(page: str) -> list[str]:
    """The moves that a page's log tells of."""
    return re.findall(r"\bMove (\d+)", page.partition("Log ")[2])


def weigh(seats: list[Browser], weights: dict[str, list[int]]) -> None:
    for seat in seats:
        text = seat.open(seat.at)
        phase = next((phase for words, phase in PHASES.items() if words in text), "a move")
        weights[phase].append(len(bytes_of(seat)))
        if phase == "a move":
            seat.open(f"{seat.at}?list=e2e4.d2d4.g1f3.b1c3")
            weights["a list"].append(len(bytes_of(seat)))
