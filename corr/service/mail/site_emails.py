"""Composes and sends emails that are about no game yet, to players and strangers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection

from corr import limits
from corr.mail.address import TokenKind
from corr.mail.outward.board import draw_board as board_text
from corr.mail.outward.board import make_board
from corr.mail.outward.compose import EmailToSend
from corr.messages import sentence
from corr.service import catalogue
from corr.service.events import emails
from corr.service.games import data_export
from corr.service.mail import game_emails
from corr.service.mail.outbox import EmailRoute, Outbox, PreparedEmails
from corr.service.players import address_checks, mailboxes, unsubscribe
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.outgoing_texts import OutgoingTexts
from corr.store.tables import SiteEmailBytesRow, SiteOutboxRow, SiteQuotableRow
from corr.words.view import View


class SiteEmail(NamedTuple):
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
    has_holds: bool


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
_STOP_KINDS = {
    "digest": TokenKind.STOP,
    "checkpoint": TokenKind.STOP_CHECKPOINTS,
    "crosstable": TokenKind.STOP,
}


def send_some(server: Server, now: datetime, most: int = 20) -> int:
    """Send due emails one by one; return how many were claimed."""
    return OUTBOX.send_some(server, now, most)


def prepare(
    connection: Connection, server: Server, rows: Sequence[SiteEmail], unmade: Sequence[SiteEmail]
) -> PreparedEmails:
    """Look up where emails go and what they say."""
    found = mailboxes.load_correspondents(connection, {row.correspondent_id for row in rows})
    addressed = {row.id: _make_route(found[row.correspondent_id], row, server.domain) for row in rows}
    worded: dict[int, Callable[[], EmailToSend]] = {
        row.id: _make_composer(connection, server, found[row.correspondent_id], row)
        for row in unmade
        if addressed[row.id].recipient
    }
    return PreparedEmails(addressed, worded)


def _make_composer(
    connection: Connection, server: Server, to: Correspondent, row: SiteEmail
) -> Callable[[], EmailToSend]:
    stopped = _STOP_KINDS.get(row.kind)
    stops = unsubscribe.make_links_for(connection, server, to, stopped) if stopped else ()
    return partial(_make_email, server, to, row, _words(connection, server, row), stops)


def _make_route(to: Correspondent, row: SiteEmail, domain: str) -> EmailRoute:
    return EmailRoute(to.signet.mailbox(TokenKind.BOUNCE, row.number, domain), to.address or "")


def _words(connection: Connection, server: Server, row: SiteEmail) -> dict[str, Any]:
    words: dict[str, Any] = address_checks.add_digits(connection, json.loads(row.words))
    if row.kind == data_export.EMAIL_KIND:
        player_id = mailboxes.load_correspondent(connection, row.correspondent_id).player_id
        return words | {"own": data_export.export_for_email(connection, player_id) if player_id else None}
    if row.kind in emails.KINDS:
        return words | emails.load_content(connection, server, words["event"])
    if row.kind != "digest":
        return words
    shown = game_emails.list_views(connection, words["letters"][: limits.GAMES_IN_DIGEST])
    return words | {"seen": [(each, _board(each)) for each in shown]}


def _board(view: View) -> list[str]:
    """Return the lines of a text board; none if nothing stands on it yet."""
    return board_text(make_board(view.sight, view.ghosts)).splitlines() if view.sight else []


def _make_email(
    server: Server, to: Correspondent, row: SiteEmail, words: dict[str, Any], stops: tuple[str, ...]
) -> EmailToSend:
    mailbox = partial(to.signet.mailbox, domain=server.domain)
    variant = catalogue.card(words["variant"]).name if "variant" in words else ""
    return EmailToSend(
        kind=row.kind,
        about=sentence(
            f"subjects.{row.kind}",
            variant=variant,
            challenger=words.get("challenger", ""),
            title=words.get("title", ""),
        ),
        view=None,
        date=row.made_at,
        sender=server.umpire,
        recipient=to.address or "",
        reply_to=mailbox(TokenKind.REPLY, row.number),
        ready_to=mailbox(TokenKind.REPLY, row.number),
        message_id=mailbox(TokenKind.LETTER, row.number),
        parent=words.pop("answers", None) or None,
        root=None,
        stops=stops,
        own=own.text if (own := words.get("own")) else "",
        words=words
        | {
            "link": f"{server.web_url}/letters/{to.signet.mark(TokenKind.LINK, row.number)}",
            "games": f"{server.web_url}/games/",
            "days": limits.CHALLENGE_LIFE.days,
            "minutes": limits.PROOF_LIFE.seconds // 60,
            "cards": {card.key: card for card in catalogue.cards()},
        },
    )


#: Emails that wait to be sent; each correspondent's emails go in order.
OUTBOX = Outbox(
    SiteOutboxRow,
    OutgoingTexts(SiteOutboxRow, SiteEmailBytesRow, SiteQuotableRow),
    "correspondent_id",
    SiteEmail,
    _COLUMNS,
    prepare,
)
