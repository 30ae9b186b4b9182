"""Long words of a letter's HTML go on below where they must, and are what they were."""

from __future__ import annotations

from html import unescape

import pytest

from corr.mail.inward.html import html_to_lines
from corr.text.template_env import environment

MARK = "aeudhsviauaaaaqutbtff7s6csusirq"
LONG = (
    f"https://play.example.org/letters/{MARK}",
    f"{MARK}@play.example.org",
    "x" * 200,
    "<b>&amp;" * 5,
    "/" * 40,
    "é" * 30,
)


def shown(text: str) -> str:
    return environment("html").from_string("{{ text | breakable }}").render(text=text)


@pytest.mark.parametrize("word", LONG)
def test_a_long_word_is_in_pieces_and_the_same_word(word: str) -> None:
    pieces = [unescape(piece) for piece in shown(f"| {word}").removeprefix("| ").split("<wbr>")]

    assert "".join(pieces) == word
    assert max(map(len, pieces)) <= 14 or set(word) == {"/"}


def test_it_parts_where_people_part_an_address() -> None:
    assert shown(LONG[0]).split("<wbr>")[:4] == ["https:/" + "/", "play.", "example.", "org/"]
    assert shown(LONG[1]).split("<wbr>")[2:4] == ["f7s6csusirq@", "play."]


@pytest.mark.parametrize("line", ["| e2e4, d2d4, g1f3", "ann@example.org", "a  b", ""])
def test_a_line_without_any_stays_as_it_is(line: str) -> None:
    assert shown(line) == line


@pytest.mark.parametrize("word", LONG)
def test_who_quotes_it_quotes_the_word(word: str) -> None:
    assert "".join(html_to_lines(f"<p>{shown(word)}</p>")) == word
