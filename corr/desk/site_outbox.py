"""Letters out that are about no game yet: to players and to strangers."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from corr.desk import askings, catalogue, challenges, correspondents
from corr.desk.correspondents import Correspondent
from corr.desk.dispatch import Addressed, Opened, Tray
from corr.desk.house import House
from corr.mail.address import Kind
from corr.mail.compose import Outgoing
from corr.sentences import sentence
from corr.store.claims import Rows
from corr.store.tables import SiteOutboxRow


def send_some(house: House, now: datetime, most: int = 20) -> int:
    """Send letters that are due, each by itself; how many were in hand, 0 if none is due."""
    return TRAY.send_some(house, now, most)


def look(connection: Connection, house: House, rows: Rows, unmade: Rows) -> Opened:
    """Where letters go, and what they say."""
    found = correspondents.correspondents(connection, {row.correspondent_id for row in rows})
    addressed = {row.id: _addressed(found[row.correspondent_id], row, house.domain) for row in rows}
    worded: dict[int, Callable[[], Outgoing]] = {
        row.id: partial(_outgoing, house, found[row.correspondent_id], row, _words(connection, row))
        for row in unmade
        if addressed[row.id].recipient
    }
    return Opened(addressed, worded)


def _addressed(to: Correspondent, row: Row[*tuple[Any, ...]], domain: str) -> Addressed:
    return Addressed(to.signet.mailbox(Kind.BOUNCE, row.number, domain), to.address or "")


def _words(connection: Connection, row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    return askings.with_digits(connection, json.loads(row.words))


def _outgoing(house: House, to: Correspondent, row: Row[*tuple[Any, ...]], words: dict[str, Any]) -> Outgoing:
    mailbox = partial(to.signet.mailbox, domain=house.domain)
    variant = catalogue.card(words["variant"]).name if "variant" in words else ""
    return Outgoing(
        kind=row.kind,
        about=sentence(f"subjects.{row.kind}", variant=variant, challenger=words.get("challenger", "")),
        view=None,
        date=row.made_at,
        sender=house.umpire,
        recipient=to.address or "",
        reply_to=mailbox(Kind.REPLY, row.number),
        message_id=mailbox(Kind.LETTER, row.number),
        parent=words.pop("answers", None) or None,
        root=None,
        words=words
        | {
            "link": f"{house.web_url}/letters/{to.signet.mark(Kind.LINK, row.number)}",
            "games": f"{house.web_url}/games/",
            "days": challenges.LIFE.days,
            "minutes": askings.LIFE.seconds // 60,
            "cards": {card.key: card for card in catalogue.cards()},
        },
    )


#: Letters that wait to be sent; a correspondent's go in order.
TRAY = Tray(SiteOutboxRow, "correspondent_id", look)
