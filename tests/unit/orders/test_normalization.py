"""Signs as keyboards do not have them, folded to those that are typed: rightly, and with little work for each line."""

from __future__ import annotations

import unicodedata
from functools import partial

import pytest

from corr.orders import fold, parse_lines
from tests.support.work_counter import steps

ALL = [chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000]
KINDS = {unicodedata.category(sign): sign for sign in ALL if sign > "\x7f"}
#: Typed for an apostrophe and for quotes; to Unicode a blank with an accent and two primes.
OURS = "\u00b4\u2033"
WORDS = (
    "\u043f\u0440\u0438\u0432\u0435\u0442 \u043a\u0430\u043a",
    "\u03b1\u03b2\u03b3 \u03b4",
    "hello",
    ". .",
)


def test_each_sign_is_folded_as_unicode_has_it() -> None:
    lines = [f"e2e4, g1{sign}f3 \u0301" for sign in ALL if sign not in OURS]
    forms = {line: unicodedata.normalize("NFKC", line) for line in lines}
    unlike = {line: form for line, form in forms.items() if form != line}
    assert len(unlike) > 4_000
    assert [fold(line) for line in unlike] == [fold(form) for form in unlike.values()]


@pytest.mark.parametrize("line", [*(sign * 90 for sign in KINDS.values()), *WORDS], ids=[*KINDS, *WORDS])
def test_no_kind_of_signs_makes_a_line_much_work(line: str) -> None:
    lines = [f"{line} {number}" for number in range(100)]
    assert steps(partial(parse_lines, lines)) < 200 * len(lines)
