"""Letters about games that a mail program stops at its reader's word: by which link. No game is stopped by it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from corr.desk.house import House
from corr.desk.people import mailboxes, mailing
from corr.desk.people.mailboxes import Correspondent
from corr.mail.address import Kind, Signet, Token
from corr.sentences import sentence
from corr.store.tables import Player
from corr.words.errors import Refused

_SEALED = "https:"
_RENEWED = select(Player.renewed).where(Player.id == bindparam("player"))


def ways(house: House, reader: Signet, renewed: int) -> tuple[str, ...]:
    """How a letter's reader stops letters like it: by a page, where nobody on the way reads its address, or by mail."""
    mark = reader.mark(Kind.STOP, renewed)
    page, mail = f"{house.web_url}/stop/{mark}", f"mailto:{mark}@{house.domain}"
    return (page, mail) if page.startswith(_SEALED) else (mail,)


def ways_of(connection: Connection, house: House, reader: Correspondent) -> tuple[str, ...]:
    """The same for a player's mailbox; none for a mailbox that is nobody's."""
    renewed = _renewed(connection, reader)
    return () if renewed is None else ways(house, reader.signet, renewed)


def is_good(connection: Connection, reader: Correspondent, token: Token) -> bool:
    """Whether letters are stopped by a token that we have made: not by an old one, nor where nobody plays any more."""
    return token.kind is Kind.STOP and _renewed(connection, reader) == token.number


def stop(connection: Connection, house: House, reader: Correspondent, now: datetime) -> None:
    """Let no letter tell the player any more what happens in games. If any did, a last one says that none does."""
    assert reader.player_id is not None
    if mailing.stop(connection, reader.player_id):
        to, settings = mailboxes.of_player(connection, reader.player_id), f"{house.web_url}/settings/"
        mailboxes.write(connection, to, "stopped", now, settings=settings)


def look_at(house: House, mark: str) -> None:
    """Refused where a page's address stops no letters."""
    with house.store.reading() as connection:
        _reader(connection, house, mark)


def stop_by_page(house: House, mark: str, now: datetime) -> None:
    """Do what the page is for; Refused where it is for nothing any more."""
    with house.store.writing() as connection:
        stop(connection, house, _reader(connection, house, mark), now)


def _reader(connection: Connection, house: House, mark: str) -> Correspondent:
    found = mailboxes.of_address(connection, f"{mark}@{house.domain}", house.domain)
    if found is None or not is_good(connection, *found):
        raise Refused(sentence("stopping.old_link"))
    return found[0]


def _renewed(connection: Connection, reader: Correspondent) -> int | None:
    return connection.execute(_RENEWED, {"player": reader.player_id}).scalar_one_or_none()
