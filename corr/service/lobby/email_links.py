"""What the page is for that one of our letters names: confirming, answering a challenge, signing in, an address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from corr.mail.address import Kind
from corr.messages import sentence
from corr.service.house import House
from corr.service.lobby import challenges, site_commands
from corr.service.players import address_checks, addresses, authentication, mailboxes, players
from corr.service.players.authentication import Admitted, Visitor
from corr.service.players.mailboxes import Correspondent
from corr.store.rows import one_or_none_of
from corr.store.tables import CorrespondentRow, SiteOutboxRow
from corr.words.errors import Refused


@dataclass(frozen=True, slots=True)
class OpenedLetter:
    """A letter of ours whose page was opened: whose it is, its kind, and what it says."""

    who: Correspondent
    number: int
    kind: str
    words: Mapping[str, Any]
    state: str  # "open" while what it is for may still be done
    is_refused: bool  # nothing unasked goes to this address any more


def opened_letter(house: House, mark: str, now: datetime) -> OpenedLetter:
    """What a letter's page is for; Refused where we have written no such letter."""
    with house.store.reading() as connection:
        found = mailboxes.of_address(connection, f"{mark}@{house.domain}", house.domain)
        if found is None or found[1].kind is not Kind.LINK:
            raise Refused(sentence("letters.no_letter"))
        who, token = found
        ours = _LETTER.where(SiteOutboxRow.correspondent_id == who.id, SiteOutboxRow.number == token.number)
        letter = one_or_none_of(_KeptLetter, connection.execute(ours))
        words = json.loads(letter.words) if letter else {}
        if letter is None or not words:
            raise Refused(sentence("letters.no_letter"))
        is_asking = letter.kind in ("sign_in", "address")
        state = (
            _asked(connection, who, token.number, now)
            if is_asking
            else _state(connection, letter.kind, words, now)
        )
        return OpenedLetter(who, token.number, letter.kind, words, state, letter.refused)


class _KeptLetter(NamedTuple):
    kind: str
    words: str
    refused: bool


_LETTER = select(SiteOutboxRow.kind, SiteOutboxRow.words, CorrespondentRow.refused).join(
    CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id
)


def _asked(connection: Connection, who: Correspondent, letter: int, now: datetime) -> str:
    """Whether somebody who asked to be let in, or for an address, may still be answered."""
    return "open" if address_checks.is_open(connection, who, letter, now) else "used"


def _state(connection: Connection, kind: str, words: Mapping[str, Any], now: datetime) -> str:
    """What became of what the letter is for; "open" while nothing did."""
    match kind:
        case "invitation":
            return challenges.state(connection, words["challenge"], now)
        case _:
            return "used" if words.get("used") else "open"


def accept(house: House, letter: OpenedLetter, name: str, now: datetime) -> None:
    """Take up the challenge that the letter brought, by a name of one's own choice where one has none."""
    with house.store.writing() as connection:
        who = _writer(connection, letter, now)
        if who.player_id is None:
            players.enrol(connection, who, name, now)
            who = mailboxes.correspondent(connection, who.id)
        challenges.accept(connection, who, challenges.by_id(connection, letter.words["challenge"]), now)


def decline(house: House, letter: OpenedLetter, now: datetime) -> None:
    """Turn down the challenge that the letter brought."""
    with house.store.writing() as connection:
        who = _writer(connection, letter, now)
        challenges.decline(connection, who, challenges.by_id(connection, letter.words["challenge"]), now)


def confirm(house: House, letter: OpenedLetter, now: datetime) -> site_commands.SiteItem:
    """Do what was written in one's name; what is answered."""
    with house.store.writing() as connection:
        who = _writer(connection, letter, now)
        name = letter.words.get("name", "")
        written = site_commands.SiteOrders(who, name, True, letter.number, letter.words, now)  # a field
        return site_commands.confirmed(connection, house, written)


def never_again(house: House, letter: OpenedLetter, now: datetime) -> None:
    """Stop our letters to this address."""
    with house.store.writing() as connection:
        site_commands.never_again(connection, letter.who, letter.words, now)


def sign_in(house: House, letter: OpenedLetter, now: datetime) -> Admitted:
    """Let in whoever has the letter."""
    return authentication.by_letter(house, letter.who, letter.number, now)


def add_address(house: House, letter: OpenedLetter, visitor: Visitor, now: datetime) -> str:
    """Make the address one of the player's who has asked for it, and who is let in here; the address."""
    return addresses.add_by_letter(house, visitor, letter.who, letter.number, now)


def _writer(connection: Connection, letter: OpenedLetter, now: datetime) -> Correspondent:
    """Whoever opens this page reads the letters that go to the address."""
    mailboxes.confirm(connection, letter.who, now)
    return replace(letter.who, is_confirmed=True)
