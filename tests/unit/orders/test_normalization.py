"""Unusual characters are folded to those on a keyboard, correctly and cheaply."""

from __future__ import annotations

import unicodedata
from functools import partial

import pytest

from corr.orders import fold, parse_lines
from tests.support.work_counter import count_calls

CHARACTERS = [chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000]
CATEGORIES = {unicodedata.category(character): character for character in CHARACTERS if character > "\x7f"}
#: Read as an apostrophe and a quotation mark, though Unicode normalizes them differently.
EXCEPTIONS = "\u00b4\u2033"
WORDS = (
    "\u043f\u0440\u0438\u0432\u0435\u0442 \u043a\u0430\u043a",
    "\u03b1\u03b2\u03b3 \u03b4",
    "hello",
    ". .",
)


def test_each_character_is_folded_as_by_nfkc() -> None:
    lines = [f"e2e4, g1{sign}f3 \u0301" for sign in CHARACTERS if sign not in EXCEPTIONS]
    forms = {line: unicodedata.normalize("NFKC", line) for line in lines}
    changed = {line: form for line, form in forms.items() if form != line}
    assert len(changed) > 4_000
    assert [fold(line) for line in changed] == [fold(form) for form in changed.values()]


@pytest.mark.parametrize(
    "line", [*(character * 90 for character in CATEGORIES.values()), *WORDS], ids=[*CATEGORIES, *WORDS]
)
def test_no_category_of_characters_is_expensive(line: str) -> None:
    lines = [f"{line} {number}" for number in range(100)]
    assert count_calls(partial(parse_lines, lines)) < 200 * len(lines)
