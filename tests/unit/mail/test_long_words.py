"""The filter `breakable`: long words in an HTML email can wrap, and stay the same text."""

from __future__ import annotations

from html import unescape

import pytest

from corr.mail.inward.html import html_to_lines
from corr.text.template_env import environment

CODE = "aeudhsviauaaaaqutbtff7s6csusirq"
LONG_WORDS = (
    f"https://play.example.org/letters/{CODE}",
    f"{CODE}@play.example.org",
    "x" * 200,
    "<b>&amp;" * 5,
    "/" * 40,
    "é" * 30,
)


def render(text: str) -> str:
    return environment("html").from_string("{{ text | breakable }}").render(text=text)


@pytest.mark.parametrize("word", LONG_WORDS)
def test_a_long_word_can_wrap_and_keeps_its_text(word: str) -> None:
    pieces = [unescape(piece) for piece in render(f"| {word}").removeprefix("| ").split("<wbr>")]

    assert "".join(pieces) == word
    assert max(map(len, pieces)) <= 14 or set(word) == {"/"}


def test_a_long_word_wraps_at_its_punctuation() -> None:
    assert render(LONG_WORDS[0]).split("<wbr>")[:4] == ["https:/" + "/", "play.", "example.", "org/"]
    assert render(LONG_WORDS[1]).split("<wbr>")[2:4] == ["f7s6csusirq@", "play."]


@pytest.mark.parametrize("line", ["| e2e4, d2d4, g1f3", "ann@example.org", "a  b", ""])
def test_a_line_without_long_words_is_unchanged(line: str) -> None:
    assert render(line) == line


@pytest.mark.parametrize("word", LONG_WORDS)
def test_a_quotation_has_the_whole_word(word: str) -> None:
    assert "".join(html_to_lines(f"<p>{render(word)}</p>")) == word
