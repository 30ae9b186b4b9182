"""Fills a database with many games: rows for each table that grows."""

from __future__ import annotations

from sqlalchemy import Connection, create_engine, make_url, text

from corr.rules.variants import find_umpire
from corr.store.compression import pack
from corr.store.slips import pack as pack_slip

PLAYERS = 5_000
_DAY = 86_400_000_000
_SIDE = "CASE {} % 2 WHEN 1 THEN 'white' ELSE 'black' END"
_DEADLINE = f":now + {_DAY // 8} + i * 7919000001 % {3 * _DAY}"
#: The same for a seat's game, and whether the seat is to move and has a reminder to come.
_DEADLINE_OF_GAME = _DEADLINE.replace("i *", "(i + 1) / 2 *")
_IS_REMINDED = f"i % 2 = ((i + 1) / 2 + 1) % 2 AND {_DEADLINE_OF_GAME} > :now + {_DAY + _DAY // 8}"
#: 0 for one seat in 200, which has orders for its next turn.
_ORDERED = "i % 200"
_LATELY = ":now - i % 1000 * 1000000"

#: For each table the number of its rows, and the columns of row `i`: games with deadlines in the next
#: days, each with an order in an incoming email and two outgoing emails, and what else players leave behind.
_ROWS: dict[str, tuple[str, dict[str, str]]] = {
    "players": (
        "players",
        {"id": "i", "name": "'P' || i", "name_key": "'p' || i", "address": "'p' || i || '@a.example'"}
        | {"address_key": "'p' || i || '@a.example'"},
    ),
    "correspondents": (
        "players",
        {"id": "i", "mark": "'m' || i", "address": "'p' || i || '@a.example'", "player_id": "i"}
        | {"code": "'c' || i", "key": ":key", "letters": "2", "confirmed_at": _LATELY, "refused": "false"},
    ),
    "games": (
        "games",
        {"id": "i", "code": "'g' || i", "variant": "'wild16'", "clock": "'3d'", "state": "'running'"}
        | {"ply": "i % 60", "turn": _SIDE.format("(i + 1)"), "deadline": _DEADLINE}
        | {"offered_white": "0", "offered_black": "0"},
    ),
    "seats": (
        "seats",
        {"id": "i", "game_id": "(i + 1) / 2", "player_id": "i * 31 % :players + 1", "side": _SIDE.format("i")}
        | {"code": "'s' || i", "key": ":key", "accepted": "true", "slips": "10", "steps": "0"}
        | {"letters": "11", "standing": f"CASE {_ORDERED} WHEN 0 THEN 'd2d4' END"}
        | {"standing_by": f"CASE {_ORDERED} WHEN 0 THEN i / 2 END"}
        | {"standing_due": f"CASE {_ORDERED} WHEN 0 THEN {_DEADLINE} - {_DAY // 24} END"}
        | {"remind_at": f"CASE WHEN {_IS_REMINDED} THEN {_DEADLINE_OF_GAME} - {_DAY} END"},
    ),
    "archive": (
        "seats",
        {"player_id": "CASE i % 2 WHEN 0 THEN i * 31 % :players + 1 ELSE 0 END"}
        | {"kind": "'wild16 ws' || CASE i % 2 WHEN 0 THEN 'w' ELSE '' END"}
        | {"ended_at": ":now - i * 60000000", "game_id": "(i + 1) / 2"},
    ),
    "truths": ("games", {"game_id": "i", "sealed": ":truth"}),
    "slips": (
        "seats",
        {"seat_id": "i", "number": "10", "step": "0", "ply": "20", "facts": ":facts", "sight": ":sight"},
    ),
    "inbox": (
        "games",
        {"id": "i", "seat_id": "2 * i", "slip": "10", "bounce": "false"}
        | {"message_key": "'<' || i || '@a.example>'", "received_at": _LATELY, "tries": "1"}
        | {"read_at": _LATELY, "reading": "'read'", "ply": "20", "orders": "'e2e4'"},
    ),
    "originals": ("games", {"letter_id": "i", "recipients": "'[]'", "raw": ":letter"}),
    "orders": (
        "games",
        {"id": "i", "seat_id": "2 * i", "inbox_id": "i", "ply": "20", "text": "'e2e4'"}
        | {"verdict": "'moved'", "said": "'Black''s move.'", "at": _LATELY},
    ),
    "outbox": (
        "seats",
        {"id": "i", "seat_id": "i", "number": "11", "kind": "'turn'", "slip": "10", "step": "0"}
        | {"made_at": _LATELY, "due_at": _LATELY, "tries": "1", "sent_at": _LATELY},
    ),
    "letter_words": ("seats", {"letter_id": "i", "words": ":words"}),
    "quotables": ("seats", {"letter_id": "i", "text": ":text"}),
    "ratings": (
        "games",
        {"player_id": "i", "variant": "'wild16'", "rating": "800 + i * 7919 % 120000 / 100.0"}
        | {"deviation": "50 + i % 50", "volatility": "0.09", "won": "5", "drawn": "1", "lost": "3"}
        | {"opponents": "6", "rated_at": _LATELY, "program": "i % 50 = 0", "hidden": "i % 100 = 1"}
        | {"listed_until": f"CASE i % 10 WHEN 0 THEN NULL ELSE :now + {_DAY} END"},
    ),
    "rated_games": (
        "games",
        {"id": "i", "game_id": "i", "variant": "'wild16'", "ended_at": _LATELY, "winner": "'white'"}
        | {"white_id": "i % :players + 1", "black_id": "i * 31 % :players + 1"}
        | {
            f"{side}_{name}": value
            for side in ("white", "black")
            for name, value in (
                ("rating", "1500"),
                ("deviation", "60"),
                ("volatility", "0.09"),
                ("rating_after", "1505"),
                ("deviation_after", "60"),
                ("volatility_after", "0.09"),
            )
        },
    ),
    "challenges": (
        "games",
        {"id": "i", "code": "'x' || i", "kind": "CASE i % 3 WHEN 0 THEN 'seek' ELSE 'invitation' END"}
        | {"state": "CASE i % 5000 WHEN 0 THEN 'open' ELSE 'accepted' END", "by_id": "i * 31 % :players + 1"}
        | {"to_id": "i * 37 % :players + 1", "variant": "'wild16'", "clock": "'3d'", "color": "'white'"}
        | {"rated": "false", "made_at": _LATELY, "game_id": "CASE WHEN i % 5000 > 0 THEN i END"}
        | {"expires_at": f"CASE i % 5000 WHEN 0 THEN :now + {_DAY} END"},
    ),
    "sign_ins": (
        "players",
        {"id": "i", "mark": "'a' || i", "correspondent_id": "i", "seed": "''", "tries": "0"}
        | {"made_at": _LATELY, "used_at": _LATELY},
    ),
    "sessions": (
        "players",
        {"id": "i", "secret": "'b' || i", "correspondent_id": "i", "made_at": _LATELY, "browser": "''"}
        | {"seen_at": _LATELY},
    ),
    "site_inbox": (
        "players",
        {"id": "i", "correspondent_id": "i", "letter": "1", "vouched": "true", "bounce": "false"}
        | {"message_key": "'k' || i", "raw": ":letter", "received_at": _LATELY, "tries": "1"}
        | {"read_at": _LATELY, "reading": "'read'"},
    ),
    "site_outbox": (
        "players",
        {"id": "i", "correspondent_id": "i", "number": "1", "kind": "'sign_in'", "words": "'{}'"}
        | {"made_at": _LATELY, "due_at": _LATELY, "tries": "1", "sent_at": _LATELY},
    ),
    "events": (
        "events",
        {"id": "i", "code": "'e' || i", "kind": "'section'", "variant": "'wild16'", "clock": "'3d'"}
        | {"rated": "true", "size": "5", "made_at": _LATELY, "begun_at": _LATELY}
        | {"state": "CASE i % 50 WHEN 0 THEN 'running' ELSE 'over' END"}
        | {"ended_at": f"CASE WHEN i % 50 > 0 THEN {_LATELY} END"},
    ),
    "entrants": (
        "entrants",
        {"id": "i", "event_id": "(i + 4) / 5", "player_id": "i * 31 % :players + 1"}
        | {"number": "(i + 4) % 5 + 1", "entered_at": _LATELY, "told_at": _LATELY},
    ),
    "event_games": (
        "games",
        {"id": "i", "event_id": "(i + 19) / 20", "white": "i % 5 + 1", "black": "(i + 1) % 5 + 1"}
        | {"game_id": "i", "score": "'white'"}
        | {"settled_at": f"CASE WHEN (i + 19) / 20 % 50 > 0 THEN {_LATELY} END"},
    ),
    "site_quotables": ("players", {"letter_id": "i", "text": ":text"}),
}

TABLES = tuple(_ROWS)


def fill(url: str, games: int, now: int) -> None:
    """Fill an empty database as fast as possible; call `count` before using it."""
    parts = make_url(url)
    is_sqlite = parts.get_backend_name() == "sqlite"
    engine = create_engine(parts if is_sqlite else parts.set(drivername="postgresql+psycopg"))
    sizes = {"games": games, "seats": 2 * games, "players": min(PLAYERS, games)}
    sizes["events"] = max(1, games // 20)
    sizes["entrants"] = 5 * sizes["events"]
    values = _values(now) | {"players": sizes["players"]}
    with engine.begin() as connection:
        # Without checking foreign keys.
        connection.execute(
            text("PRAGMA synchronous=OFF" if is_sqlite else "SET LOCAL session_replication_role = replica")
        )
        for table, (size, columns) in _ROWS.items():
            _insert(connection, table, columns, values | {"rows": sizes[size]})
            if "id" in columns and not is_sqlite:
                connection.execute(text(f"SELECT setval('{table}_id_seq', max(id)) FROM {table}"))
    engine.dispose()


def update_statistics(url: str) -> None:
    """Update the database's statistics, as its own housekeeping does."""
    parts = make_url(url)
    is_sqlite = parts.get_backend_name() == "sqlite"
    engine = create_engine(
        parts if is_sqlite else parts.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        for words in ("ANALYZE",) if is_sqlite else ("VACUUM ANALYZE", "CHECKPOINT"):
            connection.execute(text(words))
    engine.dispose()


def _insert(connection: Connection, table: str, columns: dict[str, str], values: dict[str, object]) -> None:
    connection.execute(
        text(
            f"INSERT INTO {table} ({', '.join(columns)})"
            " WITH RECURSIVE counted (i) AS"
            " (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM counted WHERE i < :rows)"
            f" SELECT {', '.join(columns.values())} FROM counted"
        ),
        values,
    )


def _values(now: int) -> dict[str, object]:
    umpire = find_umpire("wild16")
    start = umpire.start()
    assert start.slips.white
    facts, sight = pack_slip(start.slips.white)
    return {
        "now": now,
        "key": b"k" * 32,
        "truth": umpire.pack(start.truth),
        "facts": facts,
        "sight": sight,
        "letter": b"From: a@a.example\r\n\r\ne2e4\r\n",
        "text": pack(b"Wild 16 with Ben. You are White. Move 11. " * 3),
        "words": pack(
            b'{"public": {"state": "running", "ply": 20, "turn": "white", "deadline": null, "late": false}}'
        ),
    }
