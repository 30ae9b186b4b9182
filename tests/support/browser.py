"""A browser without scripts: opens pages, fills in their forms and presses their buttons."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from corr.service.players import authentication
from tests.support.table import Table


@dataclass
class Button:
    """A button: its text, what it sends and where to, and its square if it is one of a board."""

    text: str
    sends: dict[str, str]
    action: str | None
    square: str


@dataclass
class Form:
    """A form of a page."""

    action: str
    method: str
    fields: dict[str, Any]  # text, or a list for ticked boxes
    buttons: list[Button]


class Forms(HTMLParser):
    """All forms of a page, each with its buttons, wherever they are."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._named: dict[str, Form] = {}
        self._open: Form | None = None
        self._select = ""
        self._button: dict[str, str] | None = None
        self._text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(given["action"], given.get("method", "get"), {}, [])
            self.found.append(self._open)
            self._named[given.get("id", "")] = self._open
        elif tag == "button":
            self._button, self._text = given, ""
        elif self._open is None:
            return
        elif tag == "input" and given.get("type") == "checkbox":
            if "checked" in given:
                self._open.fields[given["name"]] = [*self._open.fields.get(given["name"], []), given["value"]]
        elif tag == "input":
            self._open.fields[given["name"]] = given.get("value", "")
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and (self._select not in self._open.fields or "selected" in given):
            self._open.fields[self._select] = given.get("value", "")

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "button" and self._button is not None:
            self._keep(self._button)

    def _keep(self, given: dict[str, str]) -> None:
        form = self._named.get(given.get("form", "")) if "form" in given else self._open
        if form is None or given.get("type") == "button" or "disabled" in given:
            return
        sends = {given["name"]: given.get("value", "")} if "name" in given else {}
        text = self._text.strip()
        square = text[:2] if re.match(r"[a-h][1-8],", text) else ""
        form.buttons.append(Button(text, sends, given.get("formaction"), square))


class Browser:
    """One person's browser, without scripts."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.answer: TestResponse = self.client.get("/")
        self.path = "/"
        self._marked: dict[tuple[str, str], bytes] = {}

    def open(self, url: str) -> str:
        """Open a path or a link from an email; return the page's text."""
        parts = urlsplit(url)
        return self._show(self.client.get(parts.path or "/", query_string=parts.query, follow_redirects=True))

    def press(self, button: str, **fields: Any) -> str:
        """Fill in the form with this button and press it; return the next page's text."""
        return self._send(lambda each: each.text == button, button, fields)

    def click(self, *squares: str) -> str:
        """Click squares of the board in turn; return the last page's text."""
        return [self._send(partial(_is_square, square), square, {}) for square in squares][-1]

    def send(self, text: str) -> str:
        """Write orders and send them to the umpire."""
        return self.press("Send to the umpire", orders=text)

    def _send(self, is_meant: Callable[[Button], bool], named: str, fields: dict[str, Any]) -> str:
        forms = Forms(self.answer.get_data(as_text=True)).found
        for form in forms:
            for button in form.buttons:
                if is_meant(button):
                    data = {**form.fields, **button.sends, **fields}
                    return self._submit(form.method, button.action or form.action, data)
        raise AssertionError(f"no button {named!r} in {[each.buttons for each in forms]}")

    def _submit(self, method: str, action: str, data: dict[str, Any]) -> str:
        if method == "get":
            return self._show(self.client.get(action, query_string=data, follow_redirects=True))
        sent = self.client.post(action, data=data, headers=_OWN_FORM, follow_redirects=True)
        return self._show(sent)

    @property
    def csrf(self) -> str:
        """The CSRF token of the page's forms."""
        found = re.search(r'name="csrf" value="([^"]+)"', self.answer.get_data(as_text=True))
        assert found
        return found[1]

    def sign_in_directly(self, table: Table, address: str, when: datetime | None = None) -> None:
        """Sign in without the sign-in page."""
        with self.client.session_transaction() as kept:
            kept["in"] = authentication.sign_in_directly(
                table.server, address, when or table.server.now()
            ).secret

    def sign_in(self, table: Table, address: str, name: str = "") -> str:
        """Sign in and open one's games, and choose a name if one is given."""
        self.sign_in_directly(table, address)
        page = self.open("/games")
        return self.press("Save name", name=name) if name else page

    def sign_in_by_email(self, table: Table, address: str) -> str:
        """Sign in with an emailed code; return the next page's text."""
        self.open("/sign-in")
        return self.sign_in_on_this_page(table, address)

    def sign_in_on_this_page(self, table: Table, address: str) -> str:
        """The same, on the page that is open."""
        self.press("Email me a code", address=address)
        table.run_workers()
        found = re.search(r'the six digits "(\d{6})"', table.last_text(address))
        assert found
        return self.press("Sign in", number=found[1])

    def _show(self, answer: TestResponse) -> str:
        """Check that two pages with one ETag are equal: otherwise browsers would miss news."""
        self.answer, self.path = answer, answer.request.path
        if mark := answer.headers.get("ETag"):
            page = answer.get_data()
            assert self._marked.setdefault((answer.request.full_path, mark), page) == page
        return text_of_page(answer.get_data(as_text=True))


#: What a browser sends with a form of our own pages.
_OWN_FORM = {"Sec-Fetch-Site": "same-origin"}


def _is_square(square: str, button: Button) -> bool:
    return button.square == square


def text_of_page(page: str) -> str:
    """The visible text of a page, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def link_in(text: str) -> str:
    """The first path of our site in a text."""
    found = re.search(r"https://play\.example(/\S+)", text)
    assert found
    return found[1]
