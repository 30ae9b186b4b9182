"""Every ruling in docs/rulings.md is named by a test or by a case of a table."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.docs import PAGES

#: A ruling's number in a sentence, or in the name of a test.
NUMBER = r"(?<![.\w-])(?:AS-|Ci|[A-Z])\d+(?:\.[a-i1-9])?\b|(?<=_)[a-z]\d+(?=_)"
HERE = Path(__file__).parent
#: Where a row of docs/rulings.md begins.
ROW_START = r"^\| ((?:AS-|Ci|[CDGRWZ])\d+(?:\.[a-i1-9])?) \|"
LISTED = re.findall(ROW_START, PAGES["docs/rulings.md"], re.MULTILINE)


@cache
def numbers_in_tests() -> frozenset[str]:
    """Return the numbers of rulings that tests and tables name."""
    tests = (path for path in HERE.parents[1].rglob("*") if path.suffix in (".py", ".cases"))
    texts = (path.read_text() for path in tests if path != Path(__file__))
    return frozenset(number[:1].upper() + number[1:] for text in texts for number in re.findall(NUMBER, text))


@pytest.mark.parametrize("ruling", LISTED)
def test_every_ruling_is_named_by_a_test(ruling: str):
    assert ruling in numbers_in_tests()


def test_tests_name_only_listed_rulings():
    """A typo would hide a missing test."""
    ruling = re.compile(r"(?:AS-|Ci|[CDGRWZ])\d+(?:\.[a-i1-9])?")
    listed = {*LISTED, *(each.split(".")[0] for each in LISTED)}
    assert {number for number in numbers_in_tests() if ruling.fullmatch(number)} <= listed


def test_every_ruling_has_its_own_number():
    assert len(LISTED) == len(set(LISTED)) > 100
