"""Unsubscribes players from game emails or checkpoints by a link; no game stops."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from corr.mail.address import AddressSigner, Token, TokenKind
from corr.service.players import mail_preferences, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused

#: The kinds of links that unsubscribe.
STOP_KINDS = frozenset({TokenKind.STOP, TokenKind.STOP_CHECKPOINTS})
_SECURE_PREFIX = "https:"
_RENEWED_QUERY = select(PlayerRow.renewed).where(PlayerRow.id == bindparam("player"))


def make_links(
    server: Server, reader: AddressSigner, renewed: int, kind: TokenKind = TokenKind.STOP
) -> tuple[str, ...]:
    """Return how a reader unsubscribes: by a page if HTTPS protects it, or email.

    Without HTTPS, somebody on the way could read the page's address.
    """
    mark = reader.mark(kind, renewed)
    page, mail = f"{server.web_url}/stop/{mark}", f"mailto:{mark}@{server.domain}"
    return (page, mail) if page.startswith(_SECURE_PREFIX) else (mail,)


def make_links_for(
    connection: Connection, server: Server, reader: Correspondent, kind: TokenKind
) -> tuple[str, ...]:
    """Return the same for a mailbox; nothing if it is no player's."""
    renewed = _load_renewed(connection, reader)
    return () if renewed is None else make_links(server, reader.signet, renewed, kind)


def is_valid(connection: Connection, reader: Correspondent, token: Token) -> bool:
    """Whether our token still unsubscribes: no old one does, nor one without a player."""
    return token.kind in STOP_KINDS and _load_renewed(connection, reader) == token.number


def stop(
    connection: Connection, server: Server, reader: Correspondent, kind: TokenKind, now: datetime
) -> None:
    """Stop a kind of email; if game emails stop, a last one says so."""
    assert reader.player_id is not None
    if kind is TokenKind.STOP_CHECKPOINTS:
        mail_preferences.send_checkpoints(connection, reader.player_id, wanted=False)
    elif mail_preferences.stop(connection, reader.player_id):
        to, settings = (
            mailboxes.load_main_mailbox(connection, reader.player_id),
            f"{server.web_url}/settings/",
        )
        mailboxes.write(connection, to, "stopped", now, settings=settings)


def read_kind(server: Server, mark: str) -> TokenKind:
    """Return what a page's address stops; Refused if it stops no emails."""
    with server.store.reading() as connection:
        return _read_token(connection, server, mark)[1].kind


def stop_by_page(server: Server, mark: str, now: datetime) -> TokenKind:
    """Unsubscribe as a page asks; return what stopped, or raise Refused if outdated."""
    with server.store.writing() as connection:
        reader, token = _read_token(connection, server, mark)
        stop(connection, server, reader, token.kind, now)
    return token.kind


def _read_token(connection: Connection, server: Server, mark: str) -> tuple[Correspondent, Token]:
    found = mailboxes.find_by_token(connection, f"{mark}@{server.domain}", server.domain)
    if found is None or not is_valid(connection, *found):
        raise Refused(sentence("stopping.old_link"))
    return found


def _load_renewed(connection: Connection, reader: Correspondent) -> int | None:
    return connection.execute(_RENEWED_QUERY, {"player": reader.player_id}).scalar_one_or_none()
