"""What the page is for that one of our letters names: confirming, answering a challenge, signing in, an address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from corr.desk import addresses, askings, challenges, correspondents, players, signing, site_orders
from corr.desk.correspondents import Correspondent
from corr.desk.house import House
from corr.desk.signing import Admitted, Visitor
from corr.mail.address import Kind
from corr.sentences import sentence
from corr.store.tables import Correspondent as CorrespondentRow
from corr.store.tables import SiteOutboxRow
from corr.words import Refused


@dataclass(frozen=True, slots=True)
class Errand:
    """A letter of ours whose page was opened: whose it is, its kind, and what it says."""

    who: Correspondent
    letter: int
    kind: str
    words: Mapping[str, Any]
    state: str  # "open" while what it is for may still be done
    is_refused: bool  # nothing unasked goes to this address any more


def errand(house: House, mark: str, now: datetime) -> Errand:
    """What a letter's page is for; Refused where we have written no such letter."""
    with house.store.reading() as connection:
        found = correspondents.of_address(connection, f"{mark}@{house.domain}", house.domain)
        if found is None or found[1].kind is not Kind.LINK:
            raise Refused(sentence("letters.no_letter"))
        who, token = found
        row = connection.execute(
            select(SiteOutboxRow.kind, SiteOutboxRow.words, CorrespondentRow.refused)
            .join(CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id)
            .where(SiteOutboxRow.correspondent_id == who.id, SiteOutboxRow.number == token.number)
        ).one_or_none()
        words = json.loads(row.words) if row else {}
        if row is None or not words:
            raise Refused(sentence("letters.no_letter"))
        is_asking = row.kind in ("sign_in", "address")
        state = (
            _asked(connection, who, token.number, now)
            if is_asking
            else _state(connection, row.kind, words, now)
        )
        return Errand(who, token.number, row.kind, words, state, row.refused)


def _asked(connection: Connection, who: Correspondent, letter: int, now: datetime) -> str:
    """Whether somebody who asked to be let in, or for an address, may still be answered."""
    return "open" if askings.is_open(connection, who, letter, now) else "used"


def _state(connection: Connection, kind: str, words: Mapping[str, Any], now: datetime) -> str:
    """What became of what the letter is for; "open" while nothing did."""
    match kind:
        case "invitation":
            return challenges.state(connection, words["challenge"], now)
        case _:
            return "used" if words.get("used") else "open"


def accept(house: House, errand: Errand, name: str, now: datetime) -> None:
    """Take up the challenge that the letter brought, by a name of one's own choice where one has none."""
    with house.store.writing() as connection:
        who = _writer(connection, errand, now)
        if who.player_id is None:
            players.enrol(connection, who, name, now)
            who = correspondents.correspondent(connection, who.id)
        challenges.accept(connection, who, challenges.by_id(connection, errand.words["challenge"]), now)


def decline(house: House, errand: Errand, now: datetime) -> None:
    """Turn down the challenge that the letter brought."""
    with house.store.writing() as connection:
        who = _writer(connection, errand, now)
        challenges.decline(connection, who, challenges.by_id(connection, errand.words["challenge"]), now)


def confirm(house: House, errand: Errand, now: datetime) -> site_orders.Item:
    """Do what was written in one's name; what is answered."""
    with house.store.writing() as connection:
        who = _writer(connection, errand, now)
        name = errand.words.get("name", "")
        written = site_orders.Written(who, name, True, errand.letter, errand.words, now)  # a field
        return site_orders.confirmed(connection, house, written)


def never_again(house: House, errand: Errand, now: datetime) -> None:
    """Stop our letters to this address."""
    with house.store.writing() as connection:
        site_orders.never_again(connection, errand.who, errand.words, now)


def sign_in(house: House, errand: Errand, now: datetime) -> Admitted:
    """Let in whoever has the letter."""
    return signing.by_letter(house, errand.who, errand.letter, now)


def add_address(house: House, errand: Errand, visitor: Visitor, now: datetime) -> str:
    """Make the address one of the player's who has asked for it, and who is let in here; the address."""
    return addresses.add_by_letter(house, visitor, errand.who, errand.letter, now)


def _writer(connection: Connection, errand: Errand, now: datetime) -> Correspondent:
    """Whoever opens this page reads the letters that go to the address."""
    correspondents.confirm(connection, errand.who, now)
    return replace(errand.who, is_confirmed=True)
