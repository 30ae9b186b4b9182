"""What the head of a letter offers to a mail program that would stop letters like it."""

from __future__ import annotations

import re
from email.message import EmailMessage

from flask import Flask
from werkzeug.test import TestResponse

from tests.support.browser import link_in

#: What a mail program sends for its reader, by RFC 8058.
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def unsubscribe_page(letter: EmailMessage) -> str:
    """Where the page is."""
    return link_in(re.sub(r"[<>,]", " ", str(letter["List-Unsubscribe"])))


def unsubscribe_address(letter: EmailMessage) -> str:
    """Where a letter may be sent instead."""
    found = re.search(r"<mailto:([^>]+)>", str(letter["List-Unsubscribe"]))
    assert found
    return found[1]


def with_wrong_token(text: str) -> str:
    """An address, a number or a page of ours, of which the last character but one is changed."""
    local, at, domain = text.partition("@")
    return f"{local[:-2]}{'b' if local[-2] == 'a' else 'a'}{local[-1]}{at}{domain}"


def unsubscribe_with_one_click(app: Flask, page: str) -> TestResponse:
    """As a mail program does it: without a cookie, and without having looked."""
    return app.test_client().post(page, data=ONE_CLICK)
