"""Composes emails that are not about one game, to players and strangers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from corr import limits
from corr.mail.address import TokenKind
from corr.mail.outward.email_to_send import EmailToSend
from corr.mail.outward.missing_parts import MissingParts
from corr.mail.outward.text_board import draw_board as board_text
from corr.mail.outward.text_board import make_board
from corr.service import catalogue
from corr.service.events import emails
from corr.service.games import own_data_file, view
from corr.service.mail import game_emails
from corr.service.mail.delivery import OutgoingEmail
from corr.service.mail.game_emails import GameEmail
from corr.service.mail.outbox import Outbox, PreparedEmails
from corr.service.players import address_checks, mail_preferences, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import OutboxRow, SiteEmailBytesRow, SiteOutboxRow, SiteQuotableRow
from corr.store.texts import OutgoingTexts
from corr.text.messages import sentence
from corr.words.view import View

#: Kinds of email that a player can turn off, and the kind of link that does it.
_STOP_KINDS = {
    "digest": TokenKind.STOP,
    "checkpoint": TokenKind.STOP_CHECKPOINTS,
    "crosstable": TokenKind.STOP,
}


def prepare(
    connection: Connection,
    server: Server,
    rows: Sequence[OutgoingEmail],
    unmade: Sequence[OutgoingEmail],
) -> PreparedEmails:
    """Load who gets `rows`, and return functions that compose the emails in `unmade`."""
    found = mailboxes.load_correspondents(connection, {row.owner_id for row in rows})
    worded: dict[int, Callable[[], EmailToSend]] = {}
    for row in unmade:
        to = found[row.owner_id]
        if to.address:
            stopped = _STOP_KINDS.get(row.kind)
            stops = mail_preferences.make_links_for(connection, server, to, stopped) if stopped else ()
            worded[row.id] = partial(_make_email, server, to, row, _words(connection, server, row, to), stops)
    return PreparedEmails({row.id: found[row.owner_id] for row in rows}, worded)


def _words(connection: Connection, server: Server, row: OutgoingEmail, to: Correspondent) -> dict[str, Any]:
    """Return an email's template data, with what is loaded only now, such as boards."""
    words: dict[str, Any] = address_checks.add_digits(connection, json.loads(row.words))
    if row.kind == own_data_file.EMAIL_KIND:
        own = own_data_file.export_for_email(connection, to.player_id) if to.player_id else None
        return words | {"own": own}
    if row.kind in emails.KINDS:
        return words | emails.load_content(connection, server, words["event"])
    if row.kind != "digest":
        return words
    shown = _list_views(connection, words["letters"][: limits.GAMES_IN_DIGEST])
    return words | {"seen": [(each, _board(each)) for each in shown]}


def _list_views(connection: Connection, letters: Sequence[int]) -> list[View]:
    """Return the view that each of these game emails would show, leaving out failed ones."""
    asked = select(*game_emails.OUTBOX.columns).where(OutboxRow.id.in_(letters))
    known = game_emails.load_emails(connection, rows_of(OutgoingEmail, connection.execute(asked)))
    views = (_try_view(connection, known[each]) for each in letters if each in known)
    return [seen for seen in views if seen]


def _try_view(connection: Connection, email: GameEmail) -> View | None:
    """Return the view that a game's email would show; None if it can't be built."""
    lacks, request = MissingParts(), email.request(json.loads(email.row.words))

    def build() -> View:
        return view.build_view(email.info, request, view.load_records(connection, [request]), lacks)

    known = lacks.make_or_replace("view", build, None, DBAPIError)
    return email.shown(known) if known else None


def _board(view: View) -> list[str]:
    """Return the lines of a text board; none if nothing stands on it yet."""
    return board_text(make_board(view.sight, view.ghosts)).splitlines() if view.sight else []


def _make_email(
    server: Server, to: Correspondent, row: OutgoingEmail, words: dict[str, Any], stops: tuple[str, ...]
) -> EmailToSend:
    """Make an email, with its headers, links and template data, ready to compose."""
    mailbox = partial(to.signer.mailbox, domain=server.domain)
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
            "link": f"{server.web_url}/letters/{to.signer.mark(TokenKind.LINK, row.number)}",
            "games": f"{server.web_url}/games/",
            "days": limits.CHALLENGE_LIFE.days,
            "minutes": limits.ADDRESS_PROOF_LIFE.seconds // 60,
            "cards": {card.key: card for card in catalogue.cards()},
        },
    )


#: The queue of emails about no single game that wait to be sent.
OUTBOX = Outbox(
    SiteOutboxRow,
    SiteOutboxRow.correspondent_id,
    SiteOutboxRow.words,
    OutgoingTexts(SiteOutboxRow, SiteEmailBytesRow, SiteQuotableRow),
    prepare,
)
