"""Migrates tables of version 0005 (commit 6ef361f) to 0050: sets them aside, copies rows back."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, column, inspect, table, text

from corr.store import slips
from corr.store.compression import pack
from corr.words.board import Pair, Side
from corr.words.codes import Datum, SquareContents, find_code
from corr.words.orders import Castle
from corr.words.slips import Fact, Losses, RememberedSquares, Sight, Slip

VERSION, NEXT = "0005", "0050"
_Row = Mapping[Any, Any]
_DAY = 86_400 * 1_000_000
_MONTH = 30 * _DAY
#: All tables of version 0005, each after those that it refers to.
_TABLES = (
    *(
        "secrets",
        "signs",
        "games",
        "players",
        "correspondents",
        "seats",
        "truths",
        "inbox",
        "slips",
        "orders",
    ),
    *("outbox", "decrees", "challenges", "sessions", "sign_ins", "site_inbox", "site_outbox"),
)
#: The first half of an email's digest is enough to know the email again.
_DIGEST = re.compile("((?:bounce |other )?[0-9a-f]{32})[0-9a-f]{32}")
_REMIND = """
    UPDATE seats SET remind_at = (
        SELECT old_games.remind_at FROM old_games
        WHERE old_games.id = seats.game_id AND old_games.state IN ('deploying', 'running')
            AND (old_games.turn IS NULL OR old_games.turn = seats.side)
    )
"""
#: "wild16 ws" is a short game that White won; for a player's own list, the player's side follows.
_KIND = (
    "games.variant || ' ' || CASE games.winner WHEN 'white' THEN 'w' WHEN 'black' THEN 'b' ELSE 'd' END"
    " || CASE WHEN games.ply <= 40 THEN 's' WHEN games.ply <= 80 THEN 'm' ELSE 'l' END"
)
_PLAYED = """
    games.state = 'over' AND games.ended_at IS NOT NULL AND games.ply >= 0
    AND games.reason NOT IN ('declined', 'void')
    AND (SELECT count(*) FROM seats AS told WHERE told.game_id = games.id AND told.slips > 0) = 2
"""
_ARCHIVE = (
    f"""
    INSERT INTO archive (player_id, kind, ended_at, game_id)
    SELECT 0, {_KIND}, games.ended_at, games.id FROM games WHERE {_PLAYED}
    """,  # noqa: S608  # only our own words
    f"""
    INSERT INTO archive (player_id, kind, ended_at, game_id)
    SELECT seats.player_id, {_KIND} || CASE seats.side WHEN 'white' THEN 'w' ELSE 'b' END, games.ended_at, games.id
    FROM games JOIN seats ON seats.game_id = games.id WHERE {_PLAYED}
    """,  # noqa: S608  # only our own words
)


def set_aside(connection: Connection) -> None:
    """Copy the tables of version 0005 to `old_…` and drop them, for new ones."""
    for name in reversed(_TABLES):
        # After a plain renaming, indexes and constraints would keep the names that the new tables need.
        connection.exec_driver_sql(f"CREATE TABLE old_{name} AS SELECT * FROM {name}")  # noqa: S608  # one of ours
        connection.exec_driver_sql(f"DROP TABLE {name}")
    connection.exec_driver_sql("DELETE FROM alembic_version")


def copy_back(connection: Connection) -> None:
    """Copy the old rows into the tables of version 0050, and drop the old tables."""
    asked = inspect(connection)
    new = {name: [each["name"] for each in asked.get_columns(name)] for name in asked.get_table_names()}
    # The new tables came with new keys, but the old ones have signed what players have.
    connection.exec_driver_sql("DELETE FROM secrets WHERE name IN (SELECT name FROM old_secrets)")
    for name in _TABLES:
        # A large server keeps gigabytes of emails, so one row at a time.
        old = text(f"SELECT * FROM old_{name}")  # noqa: S608  # one of ours
        for row in connection.execute(old, execution_options={"stream_results": True}).mappings():
            for into, values in _copies(name, row):
                kept = {each: values[each] for each in new[into] if each in values}
                connection.execute(table(into, *map(column, kept)).insert(), kept)
    for statement in (_REMIND, *_ARCHIVE):
        connection.exec_driver_sql(statement)
    for name in _TABLES:
        connection.exec_driver_sql(f"DROP TABLE old_{name}")
        if connection.dialect.name == "postgresql" and "id" in new[name]:
            _number_on(connection, name)


def _copies(name: str, row: _Row) -> Iterator[tuple[str, _Row]]:
    """Yield the tables into which an old row is copied, each with the values."""
    yield name, {**row, **_changes(name, row)}
    if name == "inbox" and row["raw"]:
        bounced_at = row["received_at"] if row["bounce"] else None
        yield "originals", {**row, "letter_id": row["id"], "raw": pack(row["raw"]), "bounced_at": bounced_at}
    if name == "outbox":
        yield "letter_words", {"letter_id": row["id"], "words": pack(row["words"].encode())}
        yield from _letter("parcels", "quotables", row)
    if name == "site_outbox":
        yield from _letter("site_parcels", "site_quotables", row)


def _changes(name: str, row: _Row) -> _Row:
    """Return those values of an old row that change when it is copied."""
    now, changes = time.time_ns() // 1_000, dict[str, Any]()
    match name:
        case "games" if row["state"] == "over":
            # We don't know when older games ended.
            ended_at = now if row["ended_at"] is None else row["ended_at"]
            changes["kept_until"] = ended_at + _MONTH
        case "players" if not row["mail"]:
            changes["mailing"] = "off"
        case "sessions":
            changes |= {"browser": "", "seen_at": now // _DAY * _DAY}
        case "sign_ins":
            changes["seed"] = f"{secrets.token_hex()} {row['id']}"
        case "decrees":
            changes["result"] = row["upshot"]
        case "slips":
            changes["facts"], changes["sight"] = slips.pack(_slip(row["facts"], row["sight"]))
        case "inbox" if digest := _DIGEST.fullmatch(row["message_key"]):
            changes["message_key"] = digest[1]
        case "site_inbox":
            changes["raw"] = pack(row["raw"])
    return changes


def _letter(parcels: str, quotables: str, row: _Row) -> Iterator[tuple[str, _Row]]:
    """Yield rows for an old email's text, and for its bytes if it is unsent."""
    if row["message"] is not None and row["sent_at"] is None:
        yield parcels, {"letter_id": row["id"], "message": row["message"]}
    if row["text"] is not None:
        yield quotables, {"letter_id": row["id"], "text": pack(row["text"].encode())}


def _number_on(connection: Connection, name: str) -> None:
    """Make PostgreSQL number a table's next row after the last one that was copied."""
    connection.exec_driver_sql(
        f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), coalesce(max(id), 1), max(id) IS NOT NULL) FROM {name}"  # noqa: S608  # one of ours
    )


# ---------------------------------------------------------------- slips, which were JSON


def _slip(facts: str, sight: str) -> Slip:
    """Read an old slip from its JSON; its side is arbitrary, as packing drops it."""
    (own, seen, *kinds), castling, (white, black), *others = json.loads(sight)
    pawns, knights, bishops, rooks, queens, kings = kinds
    promoted, reserves, recalled, sense_due = others or (0, None, (), False)
    sees = Sight(
        Side.WHITE,
        own,
        seen,
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        kings,
        tuple(map(Castle, castling)),
        Pair(Losses(*white), Losses(*black)),
        promoted,
        Pair(*reserves) if reserves else None,
        tuple(RememberedSquares(move, tuple(map(tuple, squares))) for move, squares in recalled),
        sense_due,
    )
    told = (
        Fact.from_stored(find_code(code), said, tuple(map(_datum, data.items())))
        for code, said, data in json.loads(facts)
    )
    return Slip(Side.WHITE, tuple(told), sees)


def _datum(pair: tuple[str, Any]) -> tuple[str, Datum]:
    """Turn a key and value of an old fact's JSON into what a Fact holds."""
    key, value = pair
    if isinstance(value, dict):
        return key, SquareContents(tuple(value.items()))
    return key, tuple(value) if isinstance(value, list) else value
