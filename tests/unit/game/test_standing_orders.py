"""Standing orders: which branch is tried, and when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from corr.game.standing_orders import (
    StandingOrdersText,
    choose_branch,
    choose_moment,
    is_announced,
    to_standing_orders,
)
from corr.orders import parse_order
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import StandingOrders
from corr.words.slips import Slip
from corr.words.view import ConditionTopic

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def slip_after(variant: str, fen: str, move: str) -> Slip:
    """Return Black's slip after White's move."""
    umpire = find_umpire(variant)
    order = parse_order(move)
    slip = umpire.judge(umpire.start(fen).truth, Side.WHITE, order).slips.black
    assert slip
    return slip


def standing(text: str) -> StandingOrders:
    orders = to_standing_orders(parse_order(text))
    assert orders
    return orders


TAKES = ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5")
CHECKS = ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8")
KNIGHT_CHECKS = ("4k3/8/8/8/4N3/8/P7/4K3 w - - 0 1", "e4f6")
TAKES_WITH_CHECK = ("4k3/8/8/1p6/8/8/P3B3/4K3 w - - 0 1", "e2b5")
QUIET = ("4k3/8/8/3p4/8/8/4P3/4K3 w - - 0 1", "e2e4")


@pytest.mark.parametrize(
    ("variant", "position", "text", "tried"),
    [
        ("wild16", TAKES, "if capture: a7a6; else b7b6", "a7a6"),
        ("wild16", TAKES, "if capture d5: a7a6; else b7b6", "a7a6"),
        ("wild16", TAKES, "if capture e5: a7a6; else b7b6", "b7b6"),
        ("wild16", TAKES, "if capture e5: a7a6", None),
        ("wild16", TAKES, "if no capture: a7a6; else b7b6", "b7b6"),
        ("wild16", TAKES, "if no check: a7a6, c7c6", "a7a6, c7c6"),
        ("wild16", TAKES, "if capture e5: a7a6; if capture d5: c7c6; if capture: d7d6", "c7c6"),
        ("wild16", CHECKS, "if check: e8e7; else a7a6", "e8e7"),
        ("wild16", CHECKS, "if check rank: e8e7; else a7a6", "e8e7"),
        ("wild16", CHECKS, "if check file: e8e7; else a7a6", "a7a6"),
        ("wild16", KNIGHT_CHECKS, "if check knight: e8e7; else a7a6", "e8e7"),
        ("wild16", KNIGHT_CHECKS, "if no check: e8e7; else a7a6", "a7a6"),
        ("wild16", TAKES_WITH_CHECK, "if capture and check: e8e7; else a7a6", "e8e7"),
        ("wild16", TAKES_WITH_CHECK, "if capture and no check: e8e7; else a7a6", "a7a6"),
        ("wild16", TAKES_WITH_CHECK, "if check short: e8f8; if check long: e8e7; else a7a6", "e8e7"),
        ("wild16", QUIET, "if tries=1: d5e4; else a7a6", "d5e4"),
        ("wild16", QUIET, "if tries>0: d5e4; else a7a6", "d5e4"),
        ("wild16", QUIET, "if tries<1: d5e4; else a7a6", "a7a6"),
        ("wild16", QUIET, "if tries>1: d5e4", None),
        ("wild16", TAKES, "if tries=0: a7a6", "a7a6"),
        ("wild16", QUIET, "a7a6, b7b6", "a7a6, b7b6"),
        ("wild16", QUIET, "a7a6", "a7a6"),
        ("wild16", QUIET, "o-o", "o-o"),
        ("classic", TAKES, "if capture d5: a7a6; else b7b6", "a7a6"),
        ("classic", CHECKS, "if check rank: e8e7; else a7a6", "e8e7"),
        ("cincinnati", TAKES, "if capture d5: a7a6; else b7b6", "a7a6"),
        ("cincinnati", KNIGHT_CHECKS, "if check knight: e8e7; else b7b6", "e8e7"),
        ("crazykrieg", TAKES, "if capture d5: p@a6; else b7b6", "P@a6"),
        ("crazykrieg", CHECKS, "if check rank: e8e7; else b7b6", "e8e7"),
    ],
)
def test_the_first_branch_whose_conditions_all_hold_is_tried(
    variant: str, position: tuple[str, str], text: str, tried: str | None
) -> None:
    tries = choose_branch(standing(text), slip_after(variant, *position))

    assert (str(tries) if tries else None) == tried


@pytest.mark.parametrize(
    ("text", "variants"),
    [
        ("if capture: a2a3", "assassin cincinnati classic crazykrieg welbeck wild16"),
        ("if no capture: a2a3", "assassin cincinnati classic crazykrieg welbeck wild16"),
        ("if check: a2a3", "assassin cincinnati classic crazykrieg welbeck wild16"),
        ("if check rank: a2a3", "assassin cincinnati classic crazykrieg welbeck wild16"),
        ("if check knight: a2a3", "cincinnati classic crazykrieg welbeck wild16"),
        (
            "if capture: a2a3; if check knight and no capture: b2b3",
            "cincinnati classic crazykrieg welbeck wild16",
        ),
        ("if tries>0: a2a3", "wild16"),
        ("a2a3", "assassin cincinnati classic crazykrieg rbc welbeck wild16"),
    ],
)
def test_which_variants_announce_what_a_condition_needs(text: str, variants: str) -> None:
    keys = ("assassin", "cincinnati", "classic", "crazykrieg", "rbc", "welbeck", "wild16")

    assert [
        key for key in keys if is_announced(standing(text), find_umpire(key).card.told)
    ] == variants.split()


@pytest.mark.parametrize("topic", ConditionTopic)
def test_every_topic_of_a_card_can_be_written_as_a_condition(topic: ConditionTopic) -> None:
    text = {ConditionTopic.TRIES: "tries=1", ConditionTopic.CAPTURE_SQUARE: "capture e5"}.get(
        topic, topic.value
    )
    assert is_announced(standing(f"if {text}: a2a3"), [ConditionTopic.CAPTURE, ConditionTopic.CHECK, topic])


@pytest.mark.parametrize(
    ("text", "expected"),
    [("if capture: a2a3", True), ("if capture e5: a2a3", False), ("if check: a2a3", True)],
)
def test_a_condition_on_a_capture_square_needs_announced_squares(text: str, *, expected: bool) -> None:
    assert is_announced(standing(text), [ConditionTopic.CAPTURE, ConditionTopic.CHECK]) is expected


@pytest.mark.parametrize(
    "text",
    ["if capture e5: d4e5, f3e5; if check rank and no capture: e1e2; else g1f3", "e2e4", "e2e4, P@d4, o-o-o"],
)
def test_stored_orders_read_back_the_same(text: str) -> None:
    assert str(StandingOrdersText(text, 1).orders) == text


def test_unreadable_stored_orders_give_none() -> None:
    assert StandingOrdersText("when captured, retake", 1).orders is None


@pytest.mark.parametrize("text", ["px", "any?", "pass", "sense d5", "show", "deploy corner"])
def test_only_moves_can_be_standing_orders(text: str) -> None:
    assert to_standing_orders(parse_order(text)) is None


# ---------------------------------------------------------------- when they are tried


@pytest.mark.parametrize(
    ("delay", "days", "first", "last"),
    [
        ("2-8h", 3, 2, 8),
        ("8-2h", 3, 2, 8),
        ("5h", 3, 5, 5),
        ("0h", 3, 0, 0),
        ("2-100h", 3, 2, 71),
        ("90-100h", 3, 71, 71),
        ("2-8h", 0, 0, 0),
    ],
)
def test_delayed_orders_are_tried_within_their_span_and_before_the_deadline(
    delay: str, days: int, first: int, last: int
) -> None:
    deadline = NOON + timedelta(days=days)

    assert choose_moment(delay, NOON, deadline, 0.0) == NOON + first * HOUR
    assert choose_moment(delay, NOON, deadline, 1.0) == NOON + last * HOUR


@given(some.integers(0, 999), some.integers(0, 999), some.integers(1, 99), some.floats(0, 1))
def test_a_random_delay_never_exceeds_the_time(first: int, last: int, days: int, lot: float) -> None:
    deadline = NOON + timedelta(days=days)

    assert NOON <= choose_moment(f"{first}-{last}h", NOON, deadline, lot) <= deadline - HOUR
