"""The pictures of the rules show what the umpire says to a side, and no man that this side does not see."""

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


def drawn(variant: str) -> Pictures:
    found = pictures(variant)
    assert found
    return found


def written(name: str) -> dict[str, Any]:
    return tomllib.loads((template_folder() / "pictures" / f"{name}.toml").read_text())


def boards_of(variant: str) -> list[dict[str, Any]]:
    """The boards of a variant as `boards.toml` has them."""
    boards = written("boards")
    return [boards[name] for name, _ in written(variant)["boards"]]


def test_each_board_is_a_picture_of_some_variant() -> None:
    used = {name for variant in PICTURED for name, _ in written(variant)["boards"]}

    assert used == written("boards").keys()


def order(text: str) -> Order:
    read = parse_order(text)
    assert isinstance(read, Order)
    return read


@every_variant
def test_each_picture_stands_beside_an_announcement_and_says_something(variant: str) -> None:
    boards = drawn(variant).boards

    assert {each.announcement for each in boards} <= set(range(len(catalogue.card(variant).announcements)))
    assert all(each.said and each.about for each in boards)


@every_variant
def test_a_capture_and_a_check_are_pictured_where_they_are_told(variant: str) -> None:
    said = " ".join(each.said for each in drawn(variant).boards).lower()
    told = catalogue.card(variant).told

    assert "captured" in said or variant == "assassin"
    assert ("check" in said) is (ConditionTopic.CHECK in told)


@every_variant
def test_whatever_is_tried_in_a_picture_is_an_order_there(variant: str) -> None:
    for each in (*boards_of(variant), written(variant)["turn"]):
        shown = catalogue.try_orders(variant, each["position"], map(order, each["orders"]))
        slips = [slip for side in Side for slip in shown.slips(side)]

        assert not any(slip.tells(Common.UNREADABLE) for slip in slips), each


@every_variant
def test_a_side_is_drawn_with_the_men_that_it_sees(variant: str) -> None:
    for each, picture in zip(boards_of(variant), drawn(variant).boards, strict=True):
        shown = catalogue.try_orders(variant, each["position"], map(order, each["orders"]))
        letters = shown.slips(Side(each["side"]))[-1].sight.letters()
        men = [(square, letter) for square, letter in enumerate(letters) if letter not in ".?"]

        assert sorted([*picture.board.men.white, *picture.board.men.black]) == men


def test_one_variant_after_another_is_the_easiest() -> None:
    assert sorted(drawn(variant).place for variant in PICTURED) == list(range(1, len(PICTURED) + 1))


@pytest.mark.parametrize(
    ("variant", "heard"),
    [("wild16", ("Illegal move.", "")), ("cincinnati", ("Illegal.", "Illegal."))],
)
def test_an_example_turn_shows_who_hears_of_a_refusal(variant: str, heard: tuple[str, str]) -> None:
    refused = drawn(variant).turn.heard[0]

    assert (refused.order, refused.by) == ("e4f5", Side.WHITE)
    assert (refused.by_each.white, refused.by_each.black) == heard


def test_both_sides_of_an_example_turn_are_drawn_from_their_own_side() -> None:
    seen = drawn("wild16").turn.seen

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
def test_a_picture_bears_the_marks_that_its_words_make(variant: str, number: int, kinds: set[str]) -> None:
    view = drawn(variant).boards[number].board.view

    assert view
    assert {mark for on in collect_marks(view).on.values() for mark in on} == kinds
