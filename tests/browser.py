"""A browser for tests: it opens pages and presses buttons as a person would, with the forms that are there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

from flask import Flask
from flask.testing import FlaskClient
from table import Table
from werkzeug.test import TestResponse


@dataclass
class Form:
    """A form of a page: where it goes, its fields, its buttons."""

    action: str
    fields: dict[str, str]
    buttons: list[tuple[str, dict[str, str], str | None]]  # what stands on it, what it sends, where to


class Forms(HTMLParser):
    """Every form of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._open: Form | None = None
        self._select = ""
        self._button: dict[str, str] | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(given["action"], {}, [])
            self.found.append(self._open)
        elif self._open is None:
            return
        elif tag == "input":
            self._open.fields[given["name"]] = given.get("value", "")
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and (self._select not in self._open.fields or "selected" in given):
            self._open.fields[self._select] = given.get("value", "")
        elif tag == "button":
            self._button, self._text = given, ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "button" and self._open and self._button is not None:
            sends = {self._button["name"]: self._button["value"]} if "name" in self._button else {}
            self._open.buttons.append((self._text.strip(), sends, self._button.get("formaction")))


class Browser:
    """One person's browser, without scripts."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.answer: TestResponse = self.client.get("/")
        self.at = "/"

    def open(self, url: str) -> str:
        """Open a page, wherever a letter says that it is; its text."""
        parts = urlsplit(url)
        return self._show(self.client.get(parts.path or "/", follow_redirects=True))

    def press(self, button: str, **fields: str) -> str:
        """Fill a form of the page in and press its button; the text of the page that follows."""
        forms = Forms()
        forms.feed(self.answer.get_data(as_text=True))
        for form in forms.found:
            for text, sends, action in form.buttons:
                if text == button:
                    data = {**form.fields, **sends, **fields}
                    return self._show(
                        self.client.post(action or form.action, data=data, follow_redirects=True)
                    )
        raise AssertionError(f"no button {button!r} in {[each.buttons for each in forms.found]}")

    def sign_in(self, table: Table, address: str, name: str = "") -> str:
        """Be let in by the number that is mailed, and choose a name where one is asked for."""
        self.open("/sign-in")
        self.press("Send me a letter", address=address)
        table.work()
        found = re.search(r'the number "(\d{6})"', table.says(address))
        assert found
        page = self.press("Let me in", number=found[1])
        return self.press("Take this name", name=name) if name else page

    def _show(self, answer: TestResponse) -> str:
        self.answer, self.at = answer, answer.request.path
        return text_of_page(answer.get_data(as_text=True))


def text_of_page(page: str) -> str:
    """What a person reads on a page, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def link_in(text: str) -> str:
    """The page of ours that a letter or another page names."""
    found = re.search(r"https://play\.example(/\S+)", text)
    assert found
    return found[1]
