"""Twins: two copies of a server in which different things then happen; their answers are compared byte for byte."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from corr.store import backups
from tests.support import masked_seals
from tests.support.browser import Browser
from tests.support.table import Clock, Table, make_table

COOKIE = "corr"
#: What in a cookie depends on the real clock: its time, signature and expiry. The payload comes before them.
_OF_THE_MOMENT = re.compile(r"(?<==)(\.?[\w-]+)\.[\w-]+\.[\w-]+(; Expires=[^;]+)?")


@dataclass
class Twin:
    """One of the copies, and the browser of a player who signed in before."""

    table: Table
    app: Flask
    cookie: str

    def answer(self, path: str, method: str = "GET", **asked: Any) -> bytes:
        """The whole response: status, headers and body."""
        return masked_response(self.ask(path, method, **asked))

    def ask(self, path: str, method: str = "GET", **asked: Any) -> TestResponse:
        client = self.app.test_client()
        if self.cookie:
            client.set_cookie(COOKIE, self.cookie)
        with client.session_transaction() as session:
            session["csrf"] = "the same"
        if method == "POST":
            return client.open(path, method=method, **asked)
        with masked_seals.same_seals(self.table.server.store):
            return client.open(path, method=method, **asked)

    def post(self, path: str, **form: str) -> bytes:
        """The whole response to a form."""
        return self.answer(path, "POST", data={"csrf": "the same", **form})

    def emails_to(self, player: str) -> list[bytes]:
        """The emails to a player, with masked seals."""
        return [masked_seals.mask_email(each) for each in self.table.emails_to(player)]


@dataclass
class Twins:
    """Two servers with the same keys, codes, sessions and clock."""

    one: Twin
    other: Twin

    def answers(self, path: str, method: str = "GET", **asked: Any) -> tuple[bytes, bytes]:
        """The responses of both to the same request."""
        return self.one.answer(path, method, **asked), self.other.answer(path, method, **asked)

    def answers_to_cached(self, path: str) -> tuple[bytes, bytes]:
        """The responses of both to a browser that has the first one's page cached."""
        known = self.one.ask(path).headers.get("ETag", "")
        return self.answers(path, headers={"If-None-Match": known})

    def answers_to_form(self, path: str, **form: str) -> tuple[bytes, bytes]:
        """The responses of both to the same form."""
        return self.one.post(path, **form), self.other.post(path, **form)

    def close(self) -> None:
        self.one.table.server.store.close()
        self.other.table.server.store.close()


def make_twins(table: Table, folder: Path, browser: Browser | None = None) -> Twins:
    """Copy a server twice; the browser is signed in on both. Only on SQLite."""
    kept = browser.client.get_cookie(COOKIE) if browser else None
    cookie = kept.value if kept else ""
    tables = [_copied(table, folder / name) for name in ("one", "other")]
    one, other = (Twin(each, each.app_with_workers(), cookie) for each in tables)
    return Twins(one, other)


def _copied(table: Table, folder: Path) -> Table:
    shutil.copytree(table.spool, folder / "spool")
    backups.copy(table.server.store, folder / "corr.sqlite")
    (folder / "database").write_text(f"sqlite:///{folder / 'corr.sqlite'}")
    copy = make_table(folder, clock=Clock(table.clock()))
    copy.emails_written = table.emails_written
    return copy


def page_paths(app: Flask, **names: str) -> list[str]:
    """The paths of all pages but the operators', with the given values for their parts.

    Checkpoints hold only seals. Streams of news have no end; tests/long/web/test_twin_news.py
    compares it beat by beat.
    """
    got = (each for each in app.url_map.iter_rules() if "GET" in (each.methods or ()))
    rules = [
        each
        for each in got
        if not each.rule.startswith("/checkpoint") and not each.endpoint.startswith("news.")
    ]
    named = [
        re.sub(r"<(?:\w+:)?(\w+)>", lambda part: names.get(part[1], part[1]), each.rule) for each in rules
    ]
    return sorted({path for path, each in zip(named, rules, strict=True) if "operator" not in each.endpoint})


def masked_response(answer: TestResponse) -> bytes:
    """A whole response, with masked records and without what depends on the real clock."""
    with answer:
        body = answer.get_data()
        if answer.mimetype == masked_seals.RECORD:
            body = masked_seals.mask_record(body).encode() if body else b""
            answer.headers["Content-Length"] = str(len(body))
        elif answer.mimetype == "application/json":
            body = masked_seals.mask_json(body.decode()).encode()
        heads = "".join(f"{name}: {_timeless(name, text)}\r\n" for name, text in answer.headers)
        return f"{answer.status}\r\n{heads}\r\n".encode() + body


def _timeless(name: str, text: str) -> str:
    return _OF_THE_MOMENT.sub(r"\1", text, count=1) if name == "Set-Cookie" else text
