"""An email goes out even if one of its parts can't be made, and doesn't mention that part."""

from __future__ import annotations

import logging

import pytest

from corr.images import board_image, finished_game_images
from corr.mail.outward import compose
from corr.service import catalogue
from corr.service.games import board_marks, finished, game_records
from tests.support.broken_parts import SECRET, break_part, content_types
from tests.support.table import ANN, BEN, Table, html_of, text_of


def test_an_email_goes_without_its_picture(table: Table, monkeypatch) -> None:
    break_part(monkeypatch, board_image, "png")
    table.begin_by_email()
    assert content_types(table.last_email(ANN)) == ["text/plain", "text/html"]
    assert "<img" not in html_of(table.last_email(ANN))
    assert "  1  R N B Q K B N R" in html_of(table.last_email(ANN))


def test_an_email_goes_without_the_marks_on_its_board(table: Table, monkeypatch) -> None:
    table.begin_by_email()
    table.play("e2e4", "e7e5")
    marked = table.last_email(ANN)
    break_part(monkeypatch, board_marks, "overlay_view")
    table.play("d2d4", "a7a6")
    assert content_types(table.last_email(ANN)) == content_types(marked)


def test_a_picture_without_a_description_is_called_your_board(table: Table, monkeypatch) -> None:
    break_part(monkeypatch, compose, "_board_in_words")
    table.begin_by_email()
    table.play("e2e4", "e7e5")
    for side, player in (("White", ANN), ("Black", BEN)):
        assert f'alt="Your board, with {side} at the bottom."' in html_of(table.last_email(player))
        assert "image/png" in content_types(table.last_email(player))


def test_an_email_goes_without_its_html(table: Table, monkeypatch) -> None:
    break_part(monkeypatch, compose, "_make_html")
    table.begin_by_email()
    table.play("e2e4")
    assert content_types(table.last_email(BEN)) == ["text/plain"]
    assert "Your turn: reply by" in text_of(table.last_email(BEN))


def test_an_email_goes_without_an_example_move(table: Table, monkeypatch) -> None:
    break_part(monkeypatch, catalogue, "example")
    table.begin_by_email()
    assert "Reply with your move, or with" in " ".join(table.last_text(ANN).split())


def test_an_email_goes_without_its_score(table: Table, monkeypatch) -> None:
    table.begin()
    break_part(monkeypatch, catalogue, "score")
    table.play("e2e4")
    assert "The umpire says: Black's move." in table.last_text(BEN)
    assert "The last moves" not in table.last_text(BEN)


@pytest.mark.parametrize(
    ("module", "name"),
    [(catalogue, "write_pgn"), (finished, "load_game"), (compose, "_game_part")],
)
def test_the_last_email_goes_without_the_pgn(table: Table, monkeypatch, module: object, name: str) -> None:
    table.begin()
    break_part(monkeypatch, module, name)
    table.reply(ANN, "resign resign")
    for player in (ANN, BEN):
        assert "White resigns. Black wins." in table.last_text(player)
        assert "game.pgn" not in table.last_text(player)
        assert "application/vnd.chess-pgn" not in content_types(table.last_email(player))


def test_the_last_email_goes_without_the_record(table: Table, monkeypatch) -> None:
    table.begin()
    break_part(monkeypatch, game_records, "write_record")
    table.reply(ANN, "resign resign")
    for player in (ANN, BEN):
        assert "White resigns. Black wins." in table.last_text(player)
        assert "record.jsonl.gz" not in table.last_text(player)
        assert "application/gzip" not in content_types(table.last_email(player))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (catalogue, "make_replay"),
        (finished_game_images, "draw_email_strip"),
        (finished_game_images, "_draw_png"),
    ],
)
def test_the_last_email_goes_without_its_film(table: Table, monkeypatch, module: object, name: str) -> None:
    table.begin()
    table.play("e2e4")
    break_part(monkeypatch, module, name)
    table.reply(ANN, "resign resign")
    for player in (ANN, BEN):
        assert "cid:film" not in html_of(table.last_email(player))
        assert "film" not in table.last_text(player)
        assert content_types(table.last_email(player)) == [
            "text/plain",
            "text/html",
            "image/png",
            "application/vnd.chess-pgn",
            "application/gzip",
        ]


def test_an_email_goes_without_its_quotable_text(table: Table, monkeypatch) -> None:
    break_part(monkeypatch, compose, "_quotable")
    table.begin_by_email()
    table.play("e2e4", "e7e5")
    assert "White's move." in table.last_text(ANN)


def test_the_log_names_the_part_and_the_place_but_no_contents(
    table: Table, monkeypatch, caplog: pytest.LogCaptureFixture
) -> None:
    break_part(monkeypatch, board_image, "png")
    with caplog.at_level(logging.ERROR):
        table.begin_by_email()
    (first, *_) = (record for record in caplog.records if "lacks one of its parts" in record.getMessage())
    assert (vars(first)["part"], vars(first)["fault"].split(":")[0]) == ("picture", "KeyError at compose.py")
    assert SECRET not in caplog.text
