"""What a person wrote is text on a page, wherever the page takes its sentences from."""

from __future__ import annotations

import pytest

from corr.desk.table.items import Item
from corr.pages import environment

_SENTENCE = '{% import "parts/answers.txt" as answers %}{{ answers.worded(item, {}, {}, "page") }}'


@pytest.mark.parametrize(("kind", "shown"), [("html", "&lt;b&gt;"), ("txt", "<b>")])
def test_a_sentence_of_a_letter_is_escaped_on_a_page_alone(kind: str, shown: str) -> None:
    page = environment(kind).from_string(_SENTENCE).render(item=Item("again", "said", "<b>"))

    assert page.strip() == shown
