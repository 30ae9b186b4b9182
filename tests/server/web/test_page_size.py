"""The size of the table page, in every variant and phase of a game, and with many recalled squares."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from corr.rules.variants import UMPIRES
from tests.server.web.test_table import bytes_of, sit_down
from tests.support.browser import Browser
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, Table

#: The most bytes a page may have, by what its reader is doing; the list has four tries.
MAX_BYTES = {
    "a move": 15_300,
    "a sense": 15_000,
    "a piece in hand": 15_900,
    "a ghost in hand": 16_000,
    "a set-up": 13_500,
    "a list": 17_800,
    "the end": 11_000,
}
#: Queries of a page on which a move is due, by what its reader is doing.
PAGES = (("a move", ""), ("a piece in hand", "?{}="), ("a ghost in hand", "?ghost=Q"))
#: Text of a page on which something other than a move is due.
PHASES = {"Thank you for playing.": "the end", "the square to sense": "a sense", "left to place": "a set-up"}
#: A long game of Reconnaissance Blind Chess: each side's moves, and its senses in turn.
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
def test_a_page_is_small_in_every_variant_and_phase(table: Table, variant: str) -> None:
    table.begin(variant)
    sizes = defaultdict[str, list[int]](list)
    seats = [sit_down(table, player) for player in (ANN, BEN)]
    for player, email in GAMES[variant].by_turns():
        measure(seats, sizes)
        table.reply(player, email)
    measure(seats, sizes)

    assert "the end" in sizes
    assert {phase: most for phase, found in sizes.items() if (most := max(found)) > MAX_BYTES[phase]} == {}


def test_a_page_is_small_however_much_is_recalled(table: Table) -> None:
    table.begin("rbc")
    seats = {player: sit_down(table, player) for player in (ANN, BEN)}
    too_large = dict[str, int]()
    for number in range(len(MOVES[ANN])):
        for player, seat in seats.items():
            move, sensed = MOVES[player][number], LOOKS[player][number % len(LOOKS[player])]
            for written, asked in ((f"sense {sensed}", PAGES[:1]), (move, PAGES)):
                for doing, query in asked:
                    seat.open(seat.path + query.format(move[:2]))
                    size = len(bytes_of(seat))
                    too_large |= {f"{number + 1} {written}, {doing}": size} if size > MAX_BYTES[doing] else {}
                table.reply(player, written)

    assert f"move {len(MOVES[ANN]) + 1}" in seats[ANN].open(seats[ANN].path)
    assert too_large == {}


def test_a_long_log_shows_the_newest_moves_and_a_link_to_all(table: Table) -> None:
    table.begin("rbc")
    for number in range(4):
        for player in (ANN, BEN):
            table.reply(player, f"sense {LOOKS[player][number]}; {MOVES[player][number]}")
    ann = sit_down(table, ANN)

    assert moves_in(ann.open(ann.path)) == ["5", "4", "3"]
    assert ">all moves<" in ann.answer.get_data(as_text=True)
    assert moves_in(ann.open(f"{ann.path}?log=whole")) == ["5", "4", "3", "2", "1"]
    assert ">all moves<" not in ann.answer.get_data(as_text=True)


def moves_in(page: str) -> list[str]:
    """The move numbers in a page's log."""
    return re.findall(r"\bMove (\d+)", page.partition("Log ")[2])


def measure(seats: list[Browser], sizes: dict[str, list[int]]) -> None:
    for seat in seats:
        text = seat.open(seat.path)
        phase = next((phase for words, phase in PHASES.items() if words in text), "a move")
        sizes[phase].append(len(bytes_of(seat)))
        if phase == "a move":
            seat.open(f"{seat.path}?list=e2e4.d2d4.g1f3.b1c3")
            sizes["a list"].append(len(bytes_of(seat)))
