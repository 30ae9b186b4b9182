"""`docs/orders.md`: its examples are orders."""

from __future__ import annotations

import re

import pytest

from corr.orders import kind_of, parse_order
from corr.orders.unclear_lines import UnclearLine
from tests.support.docs import PAGES

SHOWN = [
    order
    for row in re.findall(r"^\| (`.+`) \|", PAGES["docs/orders.md"], re.MULTILINE)
    for order in re.findall(r"`([^`]+)`", row)
]
PUZZLING = ("e2e4 looks good", "I resign", "Rd3", "e2e9")


@pytest.mark.parametrize("order", SHOWN)
def test_every_order_on_the_page_is_one(order: str) -> None:
    assert not isinstance(parse_order(order), UnclearLine)


@pytest.mark.parametrize("line", PUZZLING)
def test_the_puzzling_examples_on_the_page_are_puzzling(line: str) -> None:
    assert f"`{line}`" in PAGES["docs/orders.md"]
    assert kind_of(line) == "puzzling"


def test_the_page_shows_many_orders() -> None:
    assert len(SHOWN) > 35
