"""What a player makes and takes away under a name of its own, passkeys and tokens: a letter tells of each."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from corr.messages import sentence
from corr.service.players import mailboxes
from corr.service.players.authentication import Visitor
from corr.service.players.mailboxes import Correspondent
from corr.words.errors import Refused


class Kind(NamedTuple):
    """By which letter these are told of, how long their names may be, and how many one has."""

    letter: str
    characters: int
    most: int


def held(connection: Connection, visitor: Visitor) -> int:
    """The player who is let in, whose keys nobody else changes before this transaction ends."""
    mailboxes.hold(connection, visitor.who)
    player = mailboxes.correspondent(connection, visitor.who.id).player_id
    if player is None or player != visitor.who.player_id:
        raise Refused(sentence("names.choose_first"))
    return player


def possible_name(kind: Kind, text: str, names: Collection[str]) -> str:
    """What one more is called beside those of these names; Refused where it may not be, or there are enough."""
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if not 0 < len(name) <= kind.characters:
        raise Refused(sentence("keys.no_name", most=kind.characters))
    if name in names:
        raise Refused(sentence("keys.called_so"))
    if len(names) >= kind.most:
        raise Refused(sentence("keys.enough", most=kind.most))
    return name


def tell(connection: Connection, who: Correspondent, kind: Kind, now: datetime, **words: object) -> None:
    """Whoever reads letters to any of the player's addresses learns what was done."""
    ids = connection.execute(mailboxes.of_same_person(who)).scalars().all()
    found = mailboxes.correspondents(connection, ids)
    for _, reader in sorted(found.items()):
        if reader.is_confirmed:
            mailboxes.write(connection, reader, kind.letter, now, **words)
