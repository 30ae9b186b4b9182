"""Composes and sends emails that are about no game yet, to players and strangers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection

from corr import limits
from corr.mail.address import Kind
from corr.mail.outward.board import board
from corr.mail.outward.board import text as board_text
from corr.mail.outward.compose import Outgoing
from corr.messages import sentence
from corr.service import catalogue
from corr.service.events import emails
from corr.service.games import data_export
from corr.service.house import House
from corr.service.mail import game_emails
from corr.service.mail.outbox import Addressed, PreparedLetters, Tray
from corr.service.players import address_checks, mailboxes, unsubscribe
from corr.service.players.mailboxes import Correspondent
from corr.store.outgoing_texts import Shelf
from corr.store.tables import SiteOutboxRow, SiteParcel, SiteQuotable
from corr.words.view import View


class SiteLetterOut(NamedTuple):
    """An email to a correspondent that a worker holds, with its bytes if composed."""

    id: int
    correspondent_id: int
    number: int
    kind: str
    words: str
    made_at: datetime
    due_at: datetime
    tries: int
    message: bytes | None
    any_busy: bool


_COLUMNS = (
    SiteOutboxRow.id,
    SiteOutboxRow.correspondent_id,
    SiteOutboxRow.number,
    SiteOutboxRow.kind,
    SiteOutboxRow.words,
    SiteOutboxRow.made_at,
    SiteOutboxRow.due_at,
    SiteOutboxRow.tries,
)


#: Kinds of email that a player can turn off, and the kind of link that does it.
_STOPPED = {"digest": Kind.STOP, "checkpoint": Kind.STOP_CHECKPOINTS, "crosstable": Kind.STOP}


def send_some(house: House, now: datetime, most: int = 20) -> int:
    """Send due emails one by one; return how many were claimed."""
    return TRAY.send_some(house, now, most)


def prepare(
    connection: Connection, house: House, rows: Sequence[SiteLetterOut], unmade: Sequence[SiteLetterOut]
) -> PreparedLetters:
    """Look up where emails go and what they say."""
    found = mailboxes.correspondents(connection, {row.correspondent_id for row in rows})
    addressed = {row.id: _addressed(found[row.correspondent_id], row, house.domain) for row in rows}
    worded: dict[int, Callable[[], Outgoing]] = {
        row.id: _worded(connection, house, found[row.correspondent_id], row)
        for row in unmade
        if addressed[row.id].recipient
    }
    return PreparedLetters(addressed, worded)


def _worded(
    connection: Connection, house: House, to: Correspondent, row: SiteLetterOut
) -> Callable[[], Outgoing]:
    stopped = _STOPPED.get(row.kind)
    stops = unsubscribe.ways_of(connection, house, to, stopped) if stopped else ()
    return partial(_outgoing, house, to, row, _words(connection, house, row), stops)


def _addressed(to: Correspondent, row: SiteLetterOut, domain: str) -> Addressed:
    return Addressed(to.signet.mailbox(Kind.BOUNCE, row.number, domain), to.address or "")


def _words(connection: Connection, house: House, row: SiteLetterOut) -> dict[str, Any]:
    words: dict[str, Any] = address_checks.with_digits(connection, json.loads(row.words))
    if row.kind == data_export.KIND:
        player_id = mailboxes.correspondent(connection, row.correspondent_id).player_id
        return words | {"own": data_export.for_letter(connection, player_id) if player_id else None}
    if row.kind in emails.KINDS:
        return words | emails.worded(connection, house, words["event"])
    if row.kind != "digest":
        return words
    shown = game_emails.seen(connection, words["letters"][: limits.GAMES_IN_DIGEST])
    return words | {"seen": [(each, _board(each)) for each in shown]}


def _board(view: View) -> list[str]:
    """Return the lines of a text board; none if nothing stands on it yet."""
    return board_text(board(view.sight, view.ghosts)).splitlines() if view.sight else []


def _outgoing(
    house: House, to: Correspondent, row: SiteLetterOut, words: dict[str, Any], stops: tuple[str, ...]
) -> Outgoing:
    mailbox = partial(to.signet.mailbox, domain=house.domain)
    variant = catalogue.card(words["variant"]).name if "variant" in words else ""
    return Outgoing(
        kind=row.kind,
        about=sentence(
            f"subjects.{row.kind}",
            variant=variant,
            challenger=words.get("challenger", ""),
            title=words.get("title", ""),
        ),
        view=None,
        date=row.made_at,
        sender=house.umpire,
        recipient=to.address or "",
        reply_to=mailbox(Kind.REPLY, row.number),
        ready_to=mailbox(Kind.REPLY, row.number),
        message_id=mailbox(Kind.LETTER, row.number),
        parent=words.pop("answers", None) or None,
        root=None,
        stops=stops,
        own=own.text if (own := words.get("own")) else "",
        words=words
        | {
            "link": f"{house.web_url}/letters/{to.signet.mark(Kind.LINK, row.number)}",
            "games": f"{house.web_url}/games/",
            "days": limits.CHALLENGE_LIFE.days,
            "minutes": limits.PROOF_LIFE.seconds // 60,
            "cards": {card.key: card for card in catalogue.cards()},
        },
    )


#: Emails that wait to be sent; each correspondent's emails go in order.
TRAY = Tray(
    SiteOutboxRow,
    Shelf(SiteOutboxRow, SiteParcel, SiteQuotable),
    "correspondent_id",
    SiteLetterOut,
    _COLUMNS,
    prepare,
)
