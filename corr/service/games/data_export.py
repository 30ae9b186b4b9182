"""All that is kept of a player, with the records of own finished games: on a page, by a command, and by letter."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.messages import sentence
from corr.service.games import game_records
from corr.service.house import House
from corr.service.players import export, mailboxes, players
from corr.store.rows import rows_of
from corr.store.tables import CorrespondentRow, Game, Moment, Player, SeatRow, SiteOutboxRow
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.view import Stage

#: The letter that brings it.
KIND = "own_data"
_DAY = timedelta(days=1)
#: What is left out first of a letter for which there is too much, the oldest before the rest.
_BULKY = ("letters", "records")


class _Played(NamedTuple):
    id: int
    code: str
    side: str


_RECORDED = (
    select(Game.id, Game.code, SeatRow.side)
    .join_from(SeatRow, Game)
    .where(SeatRow.player_id == bindparam("player"), Game.state == Stage.OVER, Game.leaves > 0)
    .order_by(SeatRow.id)
)
_HELD = select(Player.id).where(Player.id == bindparam("player")).with_for_update()
_LATELY = (
    select(SiteOutboxRow.id)
    .join(CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id)
    .where(
        CorrespondentRow.player_id == bindparam("player"),
        SiteOutboxRow.kind == KIND,
        SiteOutboxRow.made_at > bindparam("since", type_=Moment),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class OwnData:
    """It as a file, and how many letters and records were left out, where there was no room."""

    text: str
    left_out: dict[str, int] = field(default_factory=dict)


def of_name(house: House, name: str) -> str:
    """All that is kept of the player of a name."""
    with house.store.reading() as connection:
        return _text(_whole(connection, players.existing(connection, name)))


def for_page(house: House, player_id: int) -> str:
    """The same as far as the pages can read it: without the letters."""
    with house.store.reading() as connection:
        return _text({**export.exported(connection, player_id), "records": _records(connection, player_id)})


def for_letter(connection: Connection, player_id: int) -> OwnData:
    """The same, without the oldest letters, and then the oldest records, for which a letter has no room."""
    data, left_out = _whole(connection, player_id), dict.fromkeys(_BULKY, 0)
    over = len(_text(data).encode()) - limits.OWN_DATA_BYTES
    for part in _BULKY:
        while over > 0 and data[part]:
            over -= len(_text(data[part].pop(0)).encode())
            left_out[part] += 1
    return OwnData(_text({**data, "left_out": left_out} if any(left_out.values()) else data), left_out)


def ask(connection: Connection, player_id: int, now: datetime) -> str:
    """Have it sent to the mailbox to which a player's letters go, once a day; what is answered. Refused otherwise."""
    connection.execute(_HELD, {"player": player_id})
    to = mailboxes.of_player(connection, player_id)
    if not to.is_confirmed:
        raise Refused(sentence("own_data.unconfirmed"))
    if connection.execute(_LATELY, {"player": player_id, "since": now - _DAY}).scalar_one_or_none():
        raise Refused(sentence("own_data.lately"))
    mailboxes.write(connection, to, KIND, now)
    return sentence("own_data.asked")


def _whole(connection: Connection, player_id: int) -> dict[str, Any]:
    data = export.exported(connection, player_id) | export.letters(connection, player_id)
    return data | {"records": _records(connection, player_id)}


def _records(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """The records of a player's finished games as they get them, line by line."""
    found = rows_of(_Played, connection.execute(_RECORDED, {"player": player_id}))
    return [
        {
            "game": game.code,
            "side": game.side,
            "record": list(game_records.lines(connection, game.id, Side(game.side))),
        }
        for game in found
    ]


_text: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, indent=1).encode
