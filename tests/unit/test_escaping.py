"""Escaping: what a person wrote is shown as text, never as HTML."""

from __future__ import annotations

import re

import pytest

from corr.service.games.page_orders import AnswerItem
from corr.text.messages import template_folder
from corr.text.template_env import environment

_SENTENCE = '{% import "parts/answers.txt" as answers %}{{ answers.answer(item, view, {}, "page") }}'


@pytest.mark.parametrize(("kind", "shown"), [("html", "&lt;b&gt;"), ("txt", "<b>")])
def test_an_emails_sentence_is_escaped_on_pages_only(kind: str, shown: str) -> None:
    page = (
        environment(kind)
        .from_string(_SENTENCE)
        .render(item=AnswerItem("again", "said", "<b>"), view={"side": {"called": "White"}})
    )

    assert page.strip() == shown


def html_around_code(pattern: str) -> dict[str, str]:
    """Return the templates that match a glob, by name, without Jinja's code."""
    templates = sorted(template_folder().rglob(pattern))
    assert templates
    return {
        each.name: re.sub(r"\{[{%#].*?[%#}]\}", "", each.read_text(), flags=re.DOTALL) for each in templates
    }


def test_email_templates_that_pages_use_contain_no_html() -> None:
    """Characters with a meaning in HTML must be inside `{{ }}`, which pages escape."""
    for name, text in html_around_code("parts/*.txt").items():
        assert re.findall(r".{0,20}[<>&].{0,20}", text) == [], name


def test_no_attribute_is_quoted_with_apostrophes() -> None:
    """The table's page doesn't escape apostrophes, so one in a name would end the attribute."""
    for name, text in html_around_code("*.html").items():
        assert re.findall(r".{0,20}=\s*'", text) == [], name
