"""Holds what passkeys and tokens share: names, limits, and emails about changes."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from corr.service.players import mailboxes
from corr.service.players.authentication import Visitor
from corr.service.players.mailboxes import Correspondent
from corr.text.messages import sentence
from corr.words.errors import Refused


class CredentialKind(NamedTuple):
    """A kind of credential: its email's kind, longest name, and limit for each player."""

    letter: str
    characters: int
    most: int


def lock_player(connection: Connection, visitor: Visitor) -> int:
    """Return the signed-in player's id, locked until the transaction ends; Refused if they have none now."""
    mailboxes.lock_mailboxes(connection, visitor.who)
    player = mailboxes.load_correspondent(connection, visitor.who.id).player_id
    if player is None or player != visitor.who.player_id:
        raise Refused(sentence("names.choose_first"))
    return player


def check_name(kind: CredentialKind, text: str, names: Collection[str]) -> str:
    """Clean a new credential's name; raise Refused if invalid, among `names`, or one too many."""
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if not 0 < len(name) <= kind.characters:
        raise Refused(sentence("keys.no_name", most=kind.characters))
    if name in names:
        raise Refused(sentence("keys.called_so"))
    if len(names) >= kind.most:
        raise Refused(sentence("keys.enough", most=kind.most))
    return name


def email_change(
    connection: Connection, who: Correspondent, kind: CredentialKind, now: datetime, **words: object
) -> None:
    """Email all the player's confirmed addresses about a change of a passkey or token."""
    ids = connection.execute(mailboxes.select_mailboxes(who)).scalars().all()
    found = mailboxes.load_correspondents(connection, ids)
    for _, reader in sorted(found.items()):
        if reader.is_confirmed:
            mailboxes.write(connection, reader, kind.letter, now, **words)
