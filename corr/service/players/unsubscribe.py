"""Unsubscribes players from game emails or checkpoints by a link; no game stops."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from corr.mail.address import Kind, Signet, Token
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import mail_preferences, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.store.tables import Player
from corr.words.errors import Refused

#: The kinds of links that unsubscribe.
STOPS = frozenset({Kind.STOP, Kind.STOP_CHECKPOINTS})
_SEALED = "https:"
_RENEWED = select(Player.renewed).where(Player.id == bindparam("player"))


def ways(house: House, reader: Signet, renewed: int, kind: Kind = Kind.STOP) -> tuple[str, ...]:
    """Return how a reader unsubscribes: by a page if HTTPS protects it, or email.

    Without HTTPS, somebody on the way could read the page's address.
    """
    mark = reader.mark(kind, renewed)
    page, mail = f"{house.web_url}/stop/{mark}", f"mailto:{mark}@{house.domain}"
    return (page, mail) if page.startswith(_SEALED) else (mail,)


def ways_of(connection: Connection, house: House, reader: Correspondent, kind: Kind) -> tuple[str, ...]:
    """Return the same for a mailbox; nothing if it is no player's."""
    renewed = _renewed(connection, reader)
    return () if renewed is None else ways(house, reader.signet, renewed, kind)


def is_good(connection: Connection, reader: Correspondent, token: Token) -> bool:
    """Whether our token still unsubscribes: no old one does, nor one without a player."""
    return token.kind in STOPS and _renewed(connection, reader) == token.number


def stop(connection: Connection, house: House, reader: Correspondent, kind: Kind, now: datetime) -> None:
    """Stop a kind of email; if game emails stop, a last one says so."""
    assert reader.player_id is not None
    if kind is Kind.STOP_CHECKPOINTS:
        mail_preferences.stop_checkpoints(connection, reader.player_id)
    elif mail_preferences.stop(connection, reader.player_id):
        to, settings = mailboxes.of_player(connection, reader.player_id), f"{house.web_url}/settings/"
        mailboxes.write(connection, to, "stopped", now, settings=settings)


def look_at(house: House, mark: str) -> Kind:
    """Return what a page's address stops; Refused if it stops no emails."""
    with house.store.reading() as connection:
        return _named(connection, house, mark)[1].kind


def stop_by_page(house: House, mark: str, now: datetime) -> Kind:
    """Unsubscribe as a page asks; return what stopped, or raise Refused if outdated."""
    with house.store.writing() as connection:
        reader, token = _named(connection, house, mark)
        stop(connection, house, reader, token.kind, now)
    return token.kind


def _named(connection: Connection, house: House, mark: str) -> tuple[Correspondent, Token]:
    found = mailboxes.of_address(connection, f"{mark}@{house.domain}", house.domain)
    if found is None or not is_good(connection, *found):
        raise Refused(sentence("stopping.old_link"))
    return found


def _renewed(connection: Connection, reader: Correspondent) -> int | None:
    return connection.execute(_RENEWED, {"player": reader.player_id}).scalar_one_or_none()
