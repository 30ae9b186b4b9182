"""What a person wrote is text on a page, wherever the page takes its sentences from."""

from __future__ import annotations

import re

import pytest

from corr.service.games.page_orders import AnswerItem
from corr.text.messages import template_folder
from corr.text.template_env import environment

_SENTENCE = '{% import "parts/answers.txt" as answers %}{{ answers.answer(item, view, {}, "page") }}'


@pytest.mark.parametrize(("kind", "shown"), [("html", "&lt;b&gt;"), ("txt", "<b>")])
def test_a_sentence_of_a_letter_is_escaped_on_a_page_alone(kind: str, shown: str) -> None:
    page = (
        environment(kind)
        .from_string(_SENTENCE)
        .render(item=AnswerItem("again", "said", "<b>"), view={"side": {"called": "White"}})
    )

    assert page.strip() == shown


def test_what_a_page_takes_from_a_letters_template_is_no_html_by_itself() -> None:
    """A sign that HTML reads as its own stands in `{{ }}` there, which a page escapes."""
    templates = sorted((template_folder() / "parts").glob("*.txt"))
    bare = {
        each.name: re.sub(r"\{[{%#].*?[%#}]\}", "", each.read_text(), flags=re.DOTALL) for each in templates
    }

    assert templates
    assert {
        name: found for name, text in bare.items() if (found := re.findall(r".{0,20}[<>&].{0,20}", text))
    } == {}


def test_no_attribute_stands_in_apostrophes() -> None:
    """A table's page has them plain, so that one in a name would end it."""
    pages = sorted(template_folder().rglob("*.html"))
    bare = {each.name: re.sub(r"\{[{%#].*?[%#}]\}", "", each.read_text(), flags=re.DOTALL) for each in pages}

    assert pages
    assert {name: found for name, text in bare.items() if (found := re.findall(r".{0,20}=\s*'", text))} == {}
