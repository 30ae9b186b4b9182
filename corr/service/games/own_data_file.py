"""Exports all data kept about a player, with finished games: to a page, command or email (limits: `corr/limits.py`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.service.games import game_records
from corr.service.players import mailboxes, own_data_rows, players
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import CorrespondentRow, GameRow, Moment, PlayerRow, SeatRow, SiteOutboxRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.view import Stage

EMAIL_KIND = "own_data"
_DAY = timedelta(days=1)
#: The parts that an oversized email leaves out, in this order and the oldest entries first.
_BULKY = ("letters", "records")


class _RecordedRow(NamedTuple):
    id: int
    code: str
    side: str


_RECORDED_QUERY = (
    select(GameRow.id, GameRow.code, SeatRow.side)
    .join_from(SeatRow, GameRow)
    .where(SeatRow.player_id == bindparam("player"), GameRow.state == Stage.OVER, GameRow.leaves > 0)
    .order_by(SeatRow.id)
)
_PLAYER_LOCK_QUERY = select(PlayerRow.id).where(PlayerRow.id == bindparam("player")).with_for_update()
_RECENT_EMAIL_QUERY = (
    select(SiteOutboxRow.id)
    .join(CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id)
    .where(
        CorrespondentRow.player_id == bindparam("player"),
        SiteOutboxRow.kind == EMAIL_KIND,
        SiteOutboxRow.made_at > bindparam("since", type_=Moment),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class OwnData:
    """The export as text, and how many emails and records had no room in it."""

    text: str
    left_out: dict[str, int] = field(default_factory=dict)


def export_by_name(server: Server, name: str) -> str:
    """Return all of a player's data as JSON, for an operator's command."""
    with server.store.reading() as connection:
        return _encode(_collect_all(connection, players.require_player(connection, name)))


def export_for_page(server: Server, player_id: int) -> str:
    """Return a player's data as JSON for a web page, which can't read the emails."""
    with server.store.reading() as connection:
        return _encode(
            {
                **own_data_rows.export_for_web(connection, player_id),
                "records": _records(connection, player_id),
            }
        )


def export_for_email(connection: Connection, player_id: int) -> OwnData:
    """Return a player's data as JSON, leaving out old emails, then records, to fit an email."""
    data, left_out = _collect_all(connection, player_id), dict.fromkeys(_BULKY, 0)
    over = len(_encode(data).encode()) - limits.OWN_DATA_BYTES
    for part in _BULKY:
        while over > 0 and data[part]:
            over -= len(_encode(data[part].pop(0)).encode())
            left_out[part] += 1
    return OwnData(_encode({**data, "left_out": left_out} if any(left_out.values()) else data), left_out)


def request_email(connection: Connection, player_id: int, now: datetime) -> str:
    """Queue an email of a player's data, at most daily; return a reply, or raise Refused."""
    connection.execute(_PLAYER_LOCK_QUERY, {"player": player_id})
    to = mailboxes.load_main_mailbox(connection, player_id)
    if not to.is_confirmed:
        raise Refused(sentence("own_data.unconfirmed"))
    if connection.execute(
        _RECENT_EMAIL_QUERY, {"player": player_id, "since": now - _DAY}
    ).scalar_one_or_none():
        raise Refused(sentence("own_data.lately"))
    mailboxes.write(connection, to, EMAIL_KIND, now)
    return sentence("own_data.asked")


def _collect_all(connection: Connection, player_id: int) -> dict[str, Any]:
    data = own_data_rows.export_for_web(connection, player_id) | own_data_rows.export_emails(
        connection, player_id
    )
    return data | {"records": _records(connection, player_id)}


def _records(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """Collect the records (turn by turn) of a player's finished games, as the player may read them."""
    found = rows_of(_RecordedRow, connection.execute(_RECORDED_QUERY, {"player": player_id}))
    return [
        {
            "game": game.code,
            "side": game.side,
            "record": list(game_records.write_lines(connection, game.id, Side(game.side))),
        }
        for game in found
    ]


_encode: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, indent=1).encode
