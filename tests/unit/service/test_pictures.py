"""The pictures in the rules show what the umpire tells a side, and only pieces that this side sees."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from corr.orders import parse_order
from corr.rules.variants import UMPIRES
from corr.service import catalogue
from corr.service.games.board_marks import collect_marks
from corr.service.pictures import Pictures, pictures
from corr.text.messages import template_folder
from corr.words.board import Side
from corr.words.codes import Common
from corr.words.orders import Order
from corr.words.view import ConditionTopic

PICTURED = [variant for variant in UMPIRES if pictures(variant)]
every_variant = pytest.mark.parametrize("variant", PICTURED)


def pictures_of(variant: str) -> Pictures:
    found = pictures(variant)
    assert found
    return found


def load_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((template_folder() / "pictures" / f"{name}.toml").read_text())


def boards_of(variant: str) -> list[dict[str, Any]]:
    """Return the boards of a variant as in `boards.toml`."""
    boards = load_toml("boards")
    return [boards[name] for name, _ in load_toml(variant)["boards"]]


def test_every_board_is_used_by_a_variant() -> None:
    used = {name for variant in PICTURED for name, _ in load_toml(variant)["boards"]}

    assert used == load_toml("boards").keys()


def order(text: str) -> Order:
    parsed = parse_order(text)
    assert isinstance(parsed, Order)
    return parsed


@every_variant
def test_every_picture_has_an_announcement_and_text(variant: str) -> None:
    boards = pictures_of(variant).boards

    assert {each.announcement for each in boards} <= set(range(len(catalogue.card(variant).announcements)))
    assert all(each.said and each.about for each in boards)


@every_variant
def test_captures_and_checks_are_shown_if_they_are_announced(variant: str) -> None:
    said = " ".join(each.said for each in pictures_of(variant).boards).lower()
    announced = catalogue.card(variant).told

    assert "captured" in said or variant == "assassin"
    assert ("check" in said) is (ConditionTopic.CHECK in announced)


@every_variant
def test_every_order_in_a_picture_is_readable(variant: str) -> None:
    for each in (*boards_of(variant), load_toml(variant)["turn"]):
        shown = catalogue.try_orders(variant, each["position"], map(order, each["orders"]))
        slips = [slip for side in Side for slip in shown.slips(side)]

        assert not any(slip.tells(Common.UNREADABLE) for slip in slips), each


@every_variant
def test_a_picture_shows_the_pieces_that_its_side_sees(variant: str) -> None:
    for each, picture in zip(boards_of(variant), pictures_of(variant).boards, strict=True):
        shown = catalogue.try_orders(variant, each["position"], map(order, each["orders"]))
        letters = shown.slips(Side(each["side"]))[-1].sight.letters()
        men = [(square, letter) for square, letter in enumerate(letters) if letter not in ".?"]

        assert sorted([*picture.board.men.white, *picture.board.men.black]) == men


def test_variants_have_distinct_places_in_the_order() -> None:
    assert sorted(pictures_of(variant).place for variant in PICTURED) == list(range(1, len(PICTURED) + 1))


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("wild16", ("Illegal move.", "")), ("cincinnati", ("Illegal.", "Illegal."))],
)
def test_an_example_turn_shows_who_hears_of_a_refusal(variant: str, expected: tuple[str, str]) -> None:
    refused = pictures_of(variant).turn.heard[0]

    assert (refused.order, refused.by) == ("e4f5", Side.WHITE)
    assert (refused.by_each.white, refused.by_each.black) == expected


def test_an_example_turn_is_drawn_from_either_side() -> None:
    seen = pictures_of("wild16").turn.seen

    assert (seen.white.side, seen.black.side) == tuple(Side)
    assert "".join(seen.white.signs[:8]) == "RNBQKBNR"
    assert "".join(seen.black.signs[:8]) == "????????"


@pytest.mark.parametrize(
    ("variant", "number", "kinds"),
    [
        ("wild16", 0, {"try"}),
        ("wild16", 1, {"capture", "try"}),
        ("wild16", 2, {"capture", "checked", "line", "try"}),
        ("wild16", 4, {"checked", "knight", "try"}),
        ("wild16", 5, set()),
        ("wild16", 6, set()),
        ("rbc", 0, {"sensed"}),
    ],
)
def test_a_picture_has_the_marks_of_its_announcements(variant: str, number: int, kinds: set[str]) -> None:
    view = pictures_of(variant).boards[number].board.view

    assert view
    assert {mark for on in collect_marks(view).on.values() for mark in on} == kinds
