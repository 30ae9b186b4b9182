"""Every order that our texts quote as an example really works."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from corr.game.standing_orders import is_announced
from corr.orders import Trait, kind_of, parse_order
from corr.orders.commands import COMMANDS, commands_with
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import UMPIRES
from corr.text.messages import template_folder
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.orders import Command, Order, Sense, StandingOrders
from corr.words.slips import Verdict
from tests.support.random_games import begin_game
from tests.support.table import ANN, Table

ROOT = Path(__file__).parents[3]
QUOTED = re.compile(r'"([^"\n{}]{1,80})"')
#: Every example can be tried in at least one of these positions.
POSITIONS = (
    "4k3/8/8/3p4/4P3/8/P7/R3K2R w KQ - 0 1",
    "7k/4P3/8/8/8/8/8/4K3 w - - 0 1",
    "7k/8/8/8/8/8/8/K7[N] w - - 0 1",
)


def texts() -> Iterator[str]:
    """All texts that players may read, from Python and templates."""
    for path in (ROOT / "corr").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    for path in template_folder().rglob("*.*"):
        yield path.read_text("utf-8")


def examples() -> list[str]:
    """All quoted texts that read as an order."""
    quoted = {example for text in texts() for example in QUOTED.findall(text)}
    return sorted(example for example in quoted if kind_of(example) == "order")


def starts(umpire: Umpire) -> Iterator[Ruling]:
    """New games; in variants with deployment or sensing, also after that."""
    yield umpire.start()
    yield begin_game(umpire).last
    for fen in POSITIONS:
        try:
            yield umpire.start(fen)
        except Refused:
            continue


def is_attempt(umpire: Umpire, order: Order) -> bool:
    for start in starts(umpire):
        sensed = umpire.judge(start.truth, Side.WHITE, Sense(None))
        for truth in (start.truth, sensed.truth):
            rulings = [ruling for _, ruling in try_one_by_one(umpire, truth, Side.WHITE, order)]
            if rulings[-1].verdict is not Verdict.UNREADABLE:
                return True
    return False


def test_there_are_examples_of_every_kind() -> None:
    assert {"e2e4", "g1f3", "draw?", "resign resign", "deploy home", "px", "N@f5", "help"} <= {*examples()}


@pytest.mark.parametrize("example", examples())
def test_every_example_of_a_move_can_be_tried_in_some_variant(example: str) -> None:
    order = parse_order(example)
    if isinstance(order, StandingOrders):
        assert any(is_announced(order, umpire.card.told) for umpire in UMPIRES.values())
    elif not isinstance(order, Command):
        assert any(is_attempt(umpire, order) for umpire in UMPIRES.values())


def test_every_example_of_a_command_acts(table: Table) -> None:
    table.begin()
    for example in examples():
        order = parse_order(example)
        if isinstance(order, Command) and order.word not in ("resign", "again"):
            table.reply(ANN, example)
            assert "nothing acts on it yet" not in table.last_text(ANN), example


#: Commands that do nothing yet, except two that are also plain English.
IDLE = {*COMMANDS, "rated"} - commands_with(Trait.GAME) - commands_with(Trait.SITE) - {"note", "claim"}


def test_no_command_that_does_nothing_is_taught() -> None:
    quoted = {example for text in texts() if "<" not in text for example in QUOTED.findall(text)}

    assert {example for example in quoted if IDLE & {*example.split()}} == set()


NEARLY_ORDERS = (
    ["if check: e1e2", "if d5=p: e4d5"],
    ["if check e1e2"],
    ["if tries>0"],
    ["else: e2e4"],
    ["ghost Qd8,"],
)


@pytest.mark.parametrize("lines", NEARLY_ORDERS, ids=" / ".join)
def test_a_line_that_is_nearly_an_order_stops_its_email(table: Table, lines: list[str]) -> None:
    table.begin()
    table.reply(ANN, "\n".join(lines))

    assert "I couldn't understand this line, so I did nothing" in table.last_text(ANN)


TWO_MOVES = (
    ["e4d5 g1f3"],
    ["e4d5", "g1f3"],
    ["e4d5; g1f3"],
    ["e4d5", "", "I think that this is better:", "", "g1f3"],
)


@pytest.mark.parametrize("lines", TWO_MOVES, ids=" / ".join)
def test_two_moves_are_answered_with_a_hint_to_use_a_list(table: Table, lines: list[str]) -> None:
    table.begin()
    table.reply(ANN, "\n".join(lines))
    assert "several moves with commas" in table.last_text(ANN)
    table.reply(ANN, "e4d5, g1f3")
    assert 'You played "g1f3".' in table.last_text(ANN)
