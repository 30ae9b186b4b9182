"""No ruling is without a test: each number of the page is named by a test or by a case of a table."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.docs import PAGES

#: A number in a sentence, or in the name of a test.
NUMBER = r"(?<![.\w-])(?:AS-|Ci|[A-Z])\d+(?:\.[a-i1-9])?\b|(?<=_)[a-z]\d+(?=_)"
HERE = Path(__file__).parent
#: Where a ruling begins, on the page that has all of them.
BEGINS = r"^\| ((?:AS-|Ci|[CDGRWZ])\d+(?:\.[a-i1-9])?) \|"
LISTED = re.findall(BEGINS, PAGES["docs/rulings.md"], re.MULTILINE)


@cache
def named() -> frozenset[str]:
    """The ruling numbers that the tests and their tables name."""
    tests = (path for path in HERE.parents[1].rglob("*") if path.suffix in (".py", ".cases"))
    texts = (path.read_text() for path in tests if path != Path(__file__))
    return frozenset(number[:1].upper() + number[1:] for text in texts for number in re.findall(NUMBER, text))


@pytest.mark.parametrize("ruling", LISTED)
def test_a_ruling_is_named_by_a_test(ruling: str):
    assert ruling in named()


def test_the_tests_name_no_ruling_that_is_not_listed():
    """A typing error would hide a hole."""
    ruling = re.compile(r"(?:AS-|Ci|[CDGRWZ])\d+(?:\.[a-i1-9])?")
    listed = {*LISTED, *(each.split(".")[0] for each in LISTED)}
    assert {number for number in named() if ruling.fullmatch(number)} <= listed


def test_no_number_stands_for_two_rulings():
    assert len(LISTED) == len(set(LISTED)) > 100
