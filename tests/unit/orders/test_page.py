"""The page of the orders shows orders."""

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
def test_what_the_page_calls_an_order_is_one(order: str) -> None:
    assert not isinstance(parse_order(order), UnclearLine)


@pytest.mark.parametrize("line", PUZZLING)
def test_what_the_page_calls_puzzling_is_no_order(line: str) -> None:
    assert f"`{line}`" in PAGES["docs/orders.md"]
    assert kind_of(line) == "puzzling"


def test_the_page_names_every_word_that_acts() -> None:
    assert len(SHOWN) > 35
