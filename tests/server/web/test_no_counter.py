"""Nothing that a person is shown or given counts what others do: no cookie, no page, no letter, no mark of a page."""

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
from tests.support.table import ANN, BEN, EVE, FAY, Table, lay, text_of
from tests.support.twin_servers import Twin, parted, whole

URANDOM, HOUSE = os.urandom, Path(corr.__file__).parent
DEEDS = ("e2e4", "e7e4", "e7e5", "g1f3")


def busy(table: Table) -> None:
    """Two others sign in again and again, play, write to the house and are refused; nothing of it is public."""
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
        table.write(EVE, "help")


class Chance:
    """Drawn lots that come out the same each time that they are drawn from the beginning."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._drawn = count()
        monkeypatch.setattr("os.urandom", self._bytes_of_ours)
        monkeypatch.setattr("secrets.token_bytes", self._bytes)
        monkeypatch.setattr("secrets.token_hex", lambda length=32: self._bytes(length).hex())
        monkeypatch.setattr("secrets.token_urlsafe", lambda length=32: self._bytes(length).hex())
        monkeypatch.setattr("secrets.randbelow", self._below)
        monkeypatch.setattr("secrets.choice", lambda things: things[self._below(len(things))])

    def begin_again(self) -> None:
        """From where nothing was drawn yet."""
        self._drawn = count(1_000_000)

    def _bytes_of_ours(self, length: int) -> bytes:
        """Other people's code draws when it likes to."""
        asks = Path(traceback.extract_stack(limit=2)[0].filename)
        return self._bytes(length) if HOUSE in asks.parents else URANDOM(length)

    def _bytes(self, length: int) -> bytes:
        return blake2b(b"%d" % next(self._drawn), digest_size=min(length, 64)).digest()

    def _below(self, most: int) -> int:
        return int.from_bytes(self._bytes(8)) % most


class Onlooker:
    """A person's browser, and all that the house answers it."""

    def __init__(self, twin: Twin) -> None:
        self.browser, self.seen = Browser(twin.app), list[bytes]()

    def note(self) -> None:
        self.seen.append(whole(self.browser.answer))
        cookie = self.browser.client.get_cookie("corr")
        self.seen.append(cookie.value.rpartition(".")[0].rpartition(".")[0].encode() if cookie else b"")

    def opens(self, path: str) -> None:
        self.browser.open(path)
        self.note()

    def presses(self, button: str, **fields: str) -> None:
        self.browser.press(button, **fields)
        self.note()


def sign_in(table: Table, person: Onlooker, address: str, name: str) -> None:
    person.opens("/sign-in")
    person.presses("Email me a code", address=address)
    found = re.search(r'the six digits "(\d{6})"', table.says(address))
    assert found
    person.presses("Sign in", number=found[1])
    person.presses("Save name", name=name)


def shown(twin: Twin) -> list[bytes]:
    """All that two people see who come to the house, play there and look at every page that they find."""
    table, ann, ben = twin.table, Onlooker(twin), Onlooker(twin)
    sign_in(table, ann, ANN, "Ann")
    sign_in(table, ben, BEN, "Ben")
    ann.opens("/lobby/")
    ann.presses("Create private link")
    ann.opens("/lobby/")
    ann.presses("Challenge", whom="Ben")
    ben.opens(link_in(table.says(BEN)))
    ben.presses("Accept")
    game = re.search(r"/games/([a-z0-9]+)", ben.browser.answer.get_data(as_text=True) + ben.browser.at)
    ben.opens("/games/")
    game = game or re.search(r"/games/([a-z0-9]+)", ben.browser.answer.get_data(as_text=True))
    assert game
    for number, move in enumerate(DEEDS):
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
    letters = [bytes(letter) for letter in table.all_letters() if letter["X-Envelope-To"] in (ANN, BEN)]
    assert "White" in text_of(table.newest(ANN))
    return [*ann.seen, *ben.seen, *letters]


def test_whatever_others_do_a_person_is_given_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, table = Chance(monkeypatch), lay(tmp_path)
    twins = parted(table, tmp_path)
    table.server.store.close()
    busy(twins.other.table)
    told = []
    for twin in (twins.one, twins.other):
        chance.begin_again()
        twin.table.written = 1_000  # by which players' letters are named
        told.append(shown(twin))
    twins.close()

    assert len(told[0]) > 60
    assert told[0] == told[1]
