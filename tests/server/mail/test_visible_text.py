"""How an answer quotes an email: invisible characters are named, and long text is cut."""

from __future__ import annotations

import pytest

from corr.text.visible_text import cut_to_bytes, visible
from tests.support.table import ANN, Table, html_of, text_of

INVISIBLE = ("\u202e", "\u2066", "\u200b", "\u00ad", "\ufeff", "\x07", "\u2028", "\ue000", "\U000e0041")
LONG = {
    "one line": "e2e4 and " + "so on, " * 280,
    "many lines": "\n".join("And so it went on, " * 90 + str(number) for number in range(15)),
    "many lines of kana": "\n".join("\u3042" * 1_500 + str(number) for number in range(18)),
    "many orders": "\n".join(f"note {number} " + "x" * 900 for number in range(25)),
}


@pytest.mark.parametrize("character", INVISIBLE)
def test_an_invisible_character_is_named(character: str) -> None:
    assert visible(f"a{character}b") == f"a[U+{ord(character):04X}]b"


def test_visible_text_stays_as_it_is() -> None:
    assert visible("Zoë, 王\té\n\u3042") == "Zoë, 王\té\n\u3042"


def test_text_is_cut_between_characters() -> None:
    assert cut_to_bytes("e2e4", 4) == "e2e4"
    assert cut_to_bytes("\u3042" * 10, 12) == "\u3042\u3042 \u2026"


def test_a_right_to_left_override_is_named_in_the_answer(table: Table) -> None:
    table.begin()
    table.reply(ANN, "\u202e4e2e")

    assert "| [U+202E]4e2e" in text_of(table.last_email(ANN))
    assert "\u202e" not in text_of(table.last_email(ANN)) + html_of(table.last_email(ANN))


@pytest.mark.parametrize("name", LONG)
def test_an_answer_quotes_four_kilobytes_at_most(table: Table, name: str) -> None:
    table.begin()
    table.reply(ANN, LONG[name])

    lines = [line for line in text_of(table.last_email(ANN)).splitlines() if line.startswith("| ")]
    assert 0 < len("\n".join(lines).encode()) <= 4_096
