"""The analysis page: play on from any step of a finished game, by links alone; nothing is stored."""

from __future__ import annotations

import re
from html import unescape

import pytest
from sqlalchemy import event

from corr.rules.variants import UMPIRES
from corr.web.games.analysis import LONGEST
from tests.server.web.test_finished import board_on, finished
from tests.support.browser import text_of_page
from tests.support.table import Table

every_variant = pytest.mark.parametrize("variant", UMPIRES)


def source(table: Table, game: str, asked: str, status: int = 200) -> str:
    answer = table.app().test_client().get(f"/finished/{game}/analysis{asked}")
    assert answer.status_code == status
    return answer.get_data(as_text=True)


def follow(table: Table, game: str, page: str, words: str) -> str:
    """Follow the one link with this text."""
    links = re.findall(r'<a [^>]*href="(\?[^"]*)"[^>]*>(.*?)</a>', page)
    (to,) = {to for to, said in links if words in re.sub("<[^>]*>", "", said)}
    return source(table, game, unescape(to))


def links(page: str) -> list[str]:
    return [unescape(to) for to in re.findall(r'href="(\?[^"]*)"', page)]


@every_variant
def test_every_variant_can_be_played_on_from_every_step_by_every_offered_move(
    table: Table, variant: str
) -> None:
    game = finished(table, variant)
    for at in (0, 1, 2):
        page = source(table, game, f"?at={at}")
        assert f'analysis?at={at}">Play on from here' in table.app().test_client().get(
            f"/finished/{game}?at={at}"
        ).get_data(as_text=True)
        moves = [to for to in links(page) if "line=" in to]
        assert len(moves) > 10
        for to in moves[:: len(moves) // 6]:
            assert "The line" in source(table, game, to)


def test_a_piece_is_picked_up_moved_and_taken_back(table: Table) -> None:
    game = finished(table, "wild16", "e2e4", "e7e5", "resign resign")

    page = source(table, game, "?at=1")
    assert board_on(page)["e4"] == "white pawn"
    held = follow(table, game, page, "g8 black knight: pick up")
    assert set(re.findall(r": play (\w+)<", held)) == {"g8f6", "g8h6"}
    played = follow(table, game, held, "f6: play g8f6")
    assert board_on(played)["f6"] == "black knight"
    assert "White to move" in text_of_page(played)
    assert follow(table, game, played, "Take back") == page
    assert follow(table, game, held, "g8 black knight: put down") == page


def test_a_pawn_promotes_to_the_chosen_piece(table: Table) -> None:
    moves = ("e2e4", "d7d5", "e4d5", "c7c6", "d5c6", "g8f6", "c6b7", "f6g8", "resign resign")
    game = finished(table, "wild16", *moves)

    held = source(table, game, "?at=8&held=b7")
    asked = follow(table, game, held, "a8 black rook")
    assert "Promote to:" in asked
    (knight,) = {to for to in links(asked) if to.endswith("b7a8n")}
    assert board_on(source(table, game, knight))["a8"] == "white knight"


def test_crazykrieg_has_drops_and_rbc_has_a_pass(table: Table) -> None:
    game = finished(table, "crazykrieg", "e2e4", "d7d5", "e4d5", "d8d5", "resign resign")
    held = follow(table, game, source(table, game, "?at=4"), "white pawn, 1: pick up")
    assert board_on(follow(table, game, held, "e4: play P@e4"))["e4"] == "white pawn"

    passed = follow(table, finished(table, "rbc"), source(table, finished(table, "rbc"), "?at=0"), "Pass")
    assert "Black to move" in text_of_page(passed)


def test_there_are_no_moves_after_mate(table: Table) -> None:
    game = finished(table, "wild16", "e2e4", "resign resign")

    page = source(table, game, "?at=0&line=f2f3,e7e5,g2g4,d8h4")
    assert "There are no legal moves." in page
    assert not [to for to in links(page) if "held=" in to]


@pytest.mark.parametrize(
    "asked",
    [
        "?line=e2e5",
        "?line=e2e4,e2e4",
        "?line=0000",
        "?line=--",
        "?line=" + "a" * 3000,
        "?line=%00",
        "?line=<script>",
        "?line=P@e4",
        "?line=e7e8q",
        "?at=0&line=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * (LONGEST // 4 + 1)),
    ],
)
def test_an_impossible_line_is_not_found(table: Table, asked: str) -> None:
    source(table, finished(table, "wild16", "e2e4", "e7e5", "resign resign"), asked, status=404)


@pytest.mark.parametrize(
    "asked", ["?at=-1", "?at=99999999999999999999", "?held=e9", "?held=%3Cb%3E", "?below=nobody", "?at=²"]
)
def test_other_bad_parameters_fall_back_to_defaults(table: Table, asked: str) -> None:
    game = finished(table, "wild16", "e2e4", "e7e5", "resign resign")
    assert "White to move" in source(table, game, asked)


def test_a_line_ends_at_the_maximum_length(table: Table) -> None:
    line = ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * (LONGEST // 4))
    page = source(table, finished(table, "wild16", "resign resign"), f"?line={line}")

    assert "This line has reached its maximum length." in page
    assert "pick up" not in page


def test_running_and_unknown_games_have_no_analysis(table: Table) -> None:
    table.begin()
    for mark in ("nothing", "k3x9m", "%00"):
        source(table, mark, "", status=404)


def test_analysis_writes_nothing_and_is_the_same_every_time(table: Table) -> None:
    game = finished(table, "wild16", "e2e4", "e7e5", "resign resign")
    statements = []
    event.listen(
        table.server.store.engine,
        "before_cursor_execute",
        lambda *told: statements.append(told[2].split()[0]),
    )
    first = source(table, game, "?at=1&line=d7d5,e4d5")

    assert set(statements) <= {"SELECT", "BEGIN", "PRAGMA"}
    assert first == source(table, game, "?at=1&line=d7d5,e4d5")
