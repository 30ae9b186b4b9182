"""No cookie, page, email or ETag counts what other people do."""

from __future__ import annotations

import os
import re
import traceback
from hashlib import blake2b
from itertools import count
from pathlib import Path

import pytest

import corr
from tests.support.browser import Browser, link_in
from tests.support.table import ANN, BEN, EVE, FAY, Table, make_table, text_of
from tests.support.twin_servers import Twin, make_twins, masked_response

URANDOM, CODE_FOLDER = os.urandom, Path(corr.__file__).parent
ORDERS = ("e2e4", "e7e4", "e7e5", "g1f3")


def make_others_busy(table: Table) -> None:
    """Let two others sign in, play, write to the site and be refused, all in private."""
    for person, address in (("Eve", EVE), ("Fay", FAY)):
        for number in range(3):
            Browser(table.app()).sign_in(table, address, "" if number else person)
    for variant in ("wild16", "rbc"):
        table.challenge(EVE, FAY, variant)
        table.reply(EVE, "accept")
        table.reply(FAY, "accept")
        for player, text in ((EVE, "show"), (FAY, "a7a6"), (EVE, "resign resign")):
            table.reply(player, text)
    for _ in range(3):
        table.write_to_site(EVE, "help")


class FixedRandomness:
    """Replaces our random sources by a sequence that can be restarted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._drawn = count()
        monkeypatch.setattr("os.urandom", self._bytes_for_us)
        monkeypatch.setattr("secrets.token_bytes", self._bytes)
        monkeypatch.setattr("secrets.token_hex", lambda length=32: self._bytes(length).hex())
        monkeypatch.setattr("secrets.token_urlsafe", lambda length=32: self._bytes(length).hex())
        monkeypatch.setattr("secrets.randbelow", self._below)
        monkeypatch.setattr("secrets.choice", lambda things: things[self._below(len(things))])

    def restart(self) -> None:
        self._drawn = count(1_000_000)

    def _bytes_for_us(self, length: int) -> bytes:
        """Libraries keep the real source: when they use it isn't ours to decide."""
        caller = Path(traceback.extract_stack(limit=2)[0].filename)
        return self._bytes(length) if CODE_FOLDER in caller.parents else URANDOM(length)

    def _bytes(self, length: int) -> bytes:
        return blake2b(b"%d" % next(self._drawn), digest_size=min(length, 64)).digest()

    def _below(self, most: int) -> int:
        return int.from_bytes(self._bytes(8)) % most


class Visitor:
    """A person's browser, and all answers it got."""

    def __init__(self, twin: Twin) -> None:
        self.browser, self.seen = Browser(twin.app), list[bytes]()

    def note(self) -> None:
        self.seen.append(masked_response(self.browser.answer))
        cookie = self.browser.client.get_cookie("corr")
        self.seen.append(cookie.value.rpartition(".")[0].rpartition(".")[0].encode() if cookie else b"")

    def opens(self, path: str) -> None:
        self.browser.open(path)
        self.note()

    def presses(self, button: str, **fields: str) -> None:
        self.browser.press(button, **fields)
        self.note()


def sign_in(table: Table, person: Visitor, address: str, name: str) -> None:
    person.opens("/sign-in")
    person.presses("Email me a code", address=address)
    found = re.search(r'the six digits "(\d{6})"', table.last_text(address))
    assert found
    person.presses("Sign in", number=found[1])
    person.presses("Save name", name=name)


def everything_shown(twin: Twin) -> list[bytes]:
    """Everything two people get while they sign in, play and open every page they find."""
    table, ann, ben = twin.table, Visitor(twin), Visitor(twin)
    sign_in(table, ann, ANN, "Ann")
    sign_in(table, ben, BEN, "Ben")
    ann.opens("/lobby/")
    ann.presses("Create private link")
    ann.opens("/lobby/")
    ann.presses("Challenge", whom="Ben")
    ben.opens(link_in(table.last_text(BEN)))
    ben.presses("Accept")
    game = re.search(r"/games/([a-z0-9]+)", ben.browser.answer.get_data(as_text=True) + ben.browser.path)
    ben.opens("/games/")
    game = game or re.search(r"/games/([a-z0-9]+)", ben.browser.answer.get_data(as_text=True))
    assert game
    for number, move in enumerate(ORDERS):
        table.reply((ANN, BEN, BEN, ANN)[number], move)
        for person in (ann, ben):
            person.opens(f"/games/{game[1]}")
    ann.opens("/settings/")
    ann.presses("Add address", address="ann@elsewhere.example")
    for path in ("/", "/games/", "/lobby/", "/settings/", "/no/such/page"):
        ann.opens(path)
        ben.opens(path)
    table.reply(BEN, "resign resign")
    ann.opens(f"/games/{game[1]}")
    emails = [bytes(email) for email in table.all_emails() if email["X-Envelope-To"] in (ANN, BEN)]
    assert "White" in text_of(table.last_email(ANN))
    return [*ann.seen, *ben.seen, *emails]


def test_what_others_do_changes_nothing_that_a_person_gets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    randomness, table = FixedRandomness(monkeypatch), make_table(tmp_path)
    twins = make_twins(table, tmp_path)
    table.server.store.close()
    make_others_busy(twins.other.table)
    seen = []
    for twin in (twins.one, twins.other):
        randomness.restart()
        twin.table.emails_written = 1_000  # names the emails that players write
        seen.append(everything_shown(twin))
    twins.close()

    assert len(seen[0]) > 60
    assert seen[0] == seen[1]
