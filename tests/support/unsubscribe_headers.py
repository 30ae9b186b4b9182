"""Reads List-Unsubscribe headers, and unsubscribes as a mail program does."""

from __future__ import annotations

import re
from email.message import EmailMessage

from flask import Flask
from werkzeug.test import TestResponse

from tests.support.browser import link_in

#: What a mail program sends for its reader, by RFC 8058.
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def unsubscribe_page(letter: EmailMessage) -> str:
    """The path of the unsubscribe page."""
    return link_in(re.sub(r"[<>,]", " ", str(letter["List-Unsubscribe"])))


def unsubscribe_address(letter: EmailMessage) -> str:
    """The address to email instead."""
    found = re.search(r"<mailto:([^>]+)>", str(letter["List-Unsubscribe"]))
    assert found
    return found[1]


def with_wrong_token(text: str) -> str:
    """An address, code or path with a changed character in its token."""
    local, at, domain = text.partition("@")
    return f"{local[:-2]}{'b' if local[-2] == 'a' else 'a'}{local[-1]}{at}{domain}"


def unsubscribe_with_one_click(app: Flask, page: str) -> TestResponse:
    """Unsubscribe as a mail program does: without a cookie, and without opening the page."""
    return app.test_client().post(page, data=ONE_CLICK)
