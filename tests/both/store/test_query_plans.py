"""Frequent queries use their indexes on a server with 100,000 games, however old the statistics are."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import psycopg
import pytest
from sqlalchemy import event

from corr.service import worker_rounds
from corr.service.admin import metrics, statistics
from corr.service.games import checkpoints, due_actions
from corr.service.mail import inbox
from corr.service.server import Server
from corr.store import migrate
from tests.support import large_database
from tests.support.api_bots import ApiBot
from tests.support.browser import Browser
from tests.support.reconchess_bot import Bot
from tests.support.table import ANN, BEN, FAY, NOON, Table, make_table

GAMES = 100_000
#: The size at the last ANALYZE: SQLite runs it again when a table has grown 25 times.
COUNTED, FEW = GAMES // 25, 10
NOW = int(NOON.timestamp() * 1e6)
SOME_ARE_DUE = timedelta(hours=3, minutes=3)
#: The most frequent requests, and the prefixes of the indexes that they must use.
EXPECTED_INDEXES = {
    "ask for a sign-in email": (),
    "send a sign-in email": ("ix_sign_ins_asked",),
    "sign in": ("ix_sign_ins_mark",),
    "the lobby": ("ix_challenges_sought", "ix_challenges_by_id", "ix_challenges_to_id"),
    "the lobby of a stranger": ("ix_challenges_sought",),
    "a player's games": ("ix_seats_player_id",),
    "a leaderboard": ("ix_ratings_listed",),
    "a player's own place on a leaderboard": ("ix_ratings_listed",),
    "the leaders of all leaderboards": ("ix_ratings_listed",),
    "search for players": ("ix_players_name_key",),
    "a player's page": ("ix_players_name_key", "ix_seats_player_id", "ix_rated_games_white_id"),
    "a rating history": ("ix_rated_games_white_id", "ix_rated_games_black_id"),
    "the table": (),
    "open data": ("ix_games_played",),
    "the months of open data": ("ix_games_played",),
    "the archive": ("ix_archive_ended_at",),
    "the archive of a player": ("pk_archive",),
    "the archive before a day": ("pk_archive",),
    "the archive as PGN": ("pk_archive",),
    "events": ("ix_events_goes_on", "ix_events_ended_at", "ix_entrants_player_id"),
    "an event": ("ix_event_games_event_id",),
    "an unchanged table": (),
    "look up an address": (),
    "receive an email to a seat": (),
    "read emails to seats": (
        "ix_inbox_unread_id",
        "ix_challenges_taken",
        "ix_entrants_leaving",
    ),
    "send emails": ("ix_outbox_unsent", "ix_site_outbox_unsent"),
    "receive an email to the site": (),
    "read emails to the site": (),
    "a move on the page": (),
    "a bot's games": ("ix_seats_player_id",),
    "a bot's slips": (),
    "a reconchess bot's invitations": ("ix_challenges_to_id", "ix_challenges_begun", "ix_seats_player_id"),
    "the status of a reconchess bot's game": (),
    "due games": (
        "ix_games_deadline_due",
        "ix_seats_remind_at",
        "ix_games_earliest_delayed",
        "ix_seats_standing_due",
    ),
    "the sweep": (
        "ix_games_kept_until_due",
        "ix_sessions_seen_at",
        "ix_challenges_expires_at_due",
        "ix_event_games_unsettled",
        "ix_events_fills_at",
        "ix_entrants_news",
    ),
    "is the server idle": ("ix_inbox_unread", "ix_outbox_unsent"),
    "the figures of the queues": ("ix_inbox_unread_id", "ix_outbox_dead", "ix_site_outbox_dead"),
    "the metrics": ("ix_outbox_unsent", "ix_outbox_dead"),
}
#: May scan all games, because only a monitoring program asks for it.
SCANS_ALL_GAMES = "the metrics"

#: From the sixth execution on, PostgreSQL may use a generic plan.
_EXECUTIONS = 6
#: Each statement once, with its values, by request.
Statements = dict[str, dict[str, Any]]
Recorder = Callable[[str], AbstractContextManager[None]]
Cluster = psycopg.Connection[tuple[Any, ...]]


def request_everything(table: Table, record: Recorder) -> None:
    """Let two players begin a game, and make each request once."""
    table.begin()
    ann = Browser(table.app())
    request_pages(table, ann, record)
    send_emails(table, record)
    with record("a move on the page"):
        ann.send("e2e4")
        table.run_workers()
    call_api(table, record)
    run_background_work(table.server, record)


def request_pages(table: Table, ann: Browser, record: Recorder) -> None:
    """Ann signs in and looks around."""
    ann.open("/sign-in")
    with record("ask for a sign-in email"):
        ann.press("Email me a code", address=ANN)
    with record("send a sign-in email"):
        table.run_workers()
    number = re.search(r'the six digits "(\d{6})"', table.last_text(ANN))
    assert number
    with record("sign in"):
        ann.press("Sign in", number=number[1])
    with record("the lobby"):
        ann.open("/lobby/")
    with record("the lobby of a stranger"):
        Browser(table.app()).open("/lobby/")
    with record("a player's games"):
        ann.open("/games/")
    request_community_pages(ann, Browser(table.app()), record)
    ann.open("/games/")
    page = re.search(r'href="(/games/\w+)"', ann.answer.get_data(as_text=True))
    assert page
    with record("the table"):
        ann.open(page[1])
    with record("open data"):
        assert ann.client.get("/open/2026-10.records").get_data()
    with record("the months of open data"):
        ann.client.get("/open")
    with record("the archive"):
        assert b"/finished/" in ann.client.get("/archive").get_data()
    with record("the archive of a player"):
        assert ann.client.get("/archive?player=ann&result=won&length=long").status_code == 200
    with record("the archive before a day"):
        ann.client.get("/archive?variant=wild16&to=2026-11-01")
    with record("the archive as PGN"):
        ann.client.get("/archive/games.pgn?variant=rbc").get_data()
    with record("events"):
        ann.open("/events/")
    with record("an event"):
        assert "Final standings" in ann.open("/events/e1")
    ann.open(page[1])
    with record("an unchanged table"):
        ann.client.get(page[1], headers={"If-None-Match": ann.answer.headers["ETag"]})


def request_community_pages(ann: Browser, stranger: Browser, record: Recorder) -> None:
    """Public pages, for a stranger and for Ann, who is on no leaderboard."""
    with record("a leaderboard"):
        stranger.open("/players/board/wild16?page=20")
    with record("a player's own place on a leaderboard"):
        ann.open("/players/board/wild16")
    with record("the leaders of all leaderboards"):
        stranger.open("/players/")
    with record("search for players"):
        stranger.open("/players/?name=p7")
    with record("a player's page"):
        stranger.open("/players/P7")
    with record("a rating history"):
        stranger.open("/players/P7/wild16")


def send_emails(table: Table, record: Recorder) -> None:
    """One email to a seat, and one to the site."""
    letter = table.reply_email(BEN, "any?")
    address = re.search(rb"^To: (\S+)", letter, re.MULTILINE)
    assert address
    with record("look up an address"):
        assert inbox.find_seat_address(table.server, address[1].decode())
    with record("receive an email to a seat"):
        table.deliver(letter)
    with record("read emails to seats"):
        table.read_emails()
    with record("send emails"):
        table.send_emails()
    with record("receive an email to the site"):
        table.deliver(table.site_email(ANN, f"challenge {FAY} wild16 3d"))
    with record("read emails to the site"):
        table.read_emails()


def call_api(table: Table, record: Recorder) -> None:
    """Eve's bot begins a game and reads it again and again."""
    bot = Bot(table)
    guest, number = ApiBot(table, bot.token, bot.client), bot.invite()
    with record("a bot's games"):
        (game,) = guest.get("/api/games").get_json()["games"]
    with record("a bot's slips"):
        guest.slips(game["code"])
    with record("a reconchess bot's invitations"):
        bot.get("invitations/")
    with record("the status of a reconchess bot's game"):
        bot.get(f"games/{number}/game_status")


def run_background_work(server: Server, record: Recorder) -> None:
    with record("due games"):
        due_actions.sweep(server, NOON + SOME_ARE_DUE)
    checkpoints.sign_checkpoint(server, NOON)  # once a day, so it may scan all running games
    with record("the sweep"):
        worker_rounds.sweep(server, NOON)
    with record("is the server idle"):
        statistics.is_idle(server)
    with record("the figures of the queues"):
        statistics.load_figures(server, NOON)
    with record("the metrics"):
        metrics.measure(server, NOON)


# ---------------------------------------------------------------- the databases


class Access(NamedTuple):
    """A table that a plan reads, by which index, and whether it scans all of it."""

    table: str
    index: str
    is_scan: bool


class Database(Protocol):
    """A database: its statistics and its query plans."""

    url: str

    def estimated_rows(self, table: str) -> int:
        """The rows of a table according to the statistics; 0 without statistics."""

    def empty(self, *tables: str) -> None:
        """Empty some tables and keep their statistics."""

    def accesses(self, statements: Mapping[str, Any]) -> Iterator[Access]:
        """What the plans of these statements read."""


class Sqlite:
    _STEP = re.compile(r"(SCAN|SEARCH) (\w+?)(?:_\d+)?(?: USING .*?INDEX (\w+).*| .*|$)")
    _PARTIAL = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'"

    def __init__(self, file: Path) -> None:
        self.url = f"sqlite:///{file}"
        self._file = file

    def estimated_rows(self, table: str) -> int:
        known = "SELECT stat FROM sqlite_stat1 WHERE tbl = ?"
        with closing(sqlite3.connect(self._file)) as tables:
            return max((int(stat.split()[0]) for (stat,) in tables.execute(known, [table])), default=0)

    def delete_statistics(self) -> None:
        self._say("DELETE FROM sqlite_stat1")

    def empty(self, *tables: str) -> None:
        self._say(*(f"DELETE FROM {table}" for table in tables))

    def _say(self, *statements: str) -> None:
        with closing(sqlite3.connect(self._file)) as tables, tables:
            for statement in statements:
                tables.execute(statement)

    def accesses(self, statements: Mapping[str, Any]) -> Iterator[Access]:
        with closing(sqlite3.connect(self._file)) as tables:
            partial = {name for (name,) in tables.execute(self._PARTIAL)}
            for recorded, values in statements.items():
                for *_, step in tables.execute(f"EXPLAIN QUERY PLAN {recorded}", values):
                    if found := self._STEP.match(step):
                        own = f"pk_{found[2]}" if "USING PRIMARY KEY" in step else ""
                        index = found[3] or own
                        goes_through = found[1] == "SCAN" and index not in partial
                        yield Access(found[2], index, goes_through or "AUTOMATIC" in step)


class PostgreSQL:
    _PARTIAL = "SELECT indexrelid::regclass::text FROM pg_index WHERE indpred IS NOT NULL"

    def __init__(self, url: str) -> None:
        self.url = url
        with psycopg.connect(url) as connection:
            self._partial = {name for (name,) in connection.execute(self._PARTIAL)}
            # Otherwise autovacuum may run ANALYZE while we fill the tables.
            for table in large_database.TABLES:
                connection.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")

    def estimated_rows(self, table: str) -> int:
        with psycopg.connect(self.url) as connection:
            (found,) = connection.execute(
                "SELECT reltuples FROM pg_class WHERE relname = %s", [table]
            ).fetchone()
        return max(0, int(found))

    def empty(self, *tables: str) -> None:
        with psycopg.connect(self.url) as connection:
            connection.execute(f"TRUNCATE {', '.join(tables)} CASCADE")

    def accesses(self, statements: Mapping[str, Any]) -> Iterator[Access]:
        with psycopg.connect(self.url, cursor_factory=psycopg.ClientCursor) as connection:
            for recorded, values in statements.items():
                yield from self._in(self._plan(connection, recorded, values))

    def _plan(self, connection: Cluster, recorded: str, values: Any) -> dict[str, Any]:
        ((found,),) = connection.execute(f"EXPLAIN (FORMAT JSON) {recorded}", values).fetchall()
        return found[0]["Plan"]

    def _in(self, plan: dict[str, Any]) -> Iterator[Access]:
        index = plan.get("Index Name", "")
        if table := plan.get("Relation Name", ""):
            is_whole = "Scan" in plan["Node Type"] and not index and plan["Node Type"] != "Bitmap Heap Scan"
            yield Access(table, index, is_whole and plan["Node Type"] != "ModifyTable")
        elif index:
            yield Access("", index, is_scan=False)
        if index and "Index Cond" not in plan:
            yield Access(table, index, index not in self._partial)
        for part in plan.get("Plans", ()):
            yield from self._in(part)


class GenericPlans(PostgreSQL):
    """PostgreSQL with statements executed so often that it may use a generic plan."""

    def _plan(self, connection: Cluster, recorded: str, values: Any) -> dict[str, Any]:
        names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", recorded)))
        numbered = re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", recorded)
        connection.execute(f"PREPARE often AS {numbered.replace('%%', '%')}")
        given = ", ".join(f"%({name})s" for name in names)
        for _ in range(_EXECUTIONS):
            plan = super()._plan(connection, f"EXECUTE often{f'({given})' if names else ''}", values)
        connection.execute("DEALLOCATE often")
        return plan


# ---------------------------------------------------------------- the tests


@pytest.fixture(params=["sqlite", "postgresql"])
def small_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Table, Database]]:
    """A server with few games and no statistics, and its database."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    table = make_table(tmp_path, url)
    database = PostgreSQL(url) if url else Sqlite(tmp_path / "corr.sqlite")
    large_database.fill(database.url, FEW, NOW)
    yield table, database
    table.server.store.close()


def test_frequent_queries_use_their_indexes(small_server: tuple[Table, Database]) -> None:
    table, database = small_server
    for games in (COUNTED, GAMES):
        database.empty(*large_database.TABLES)
        large_database.fill(database.url, games, NOW)
        if games == COUNTED:
            large_database.update_statistics(database.url)
    recorded = record_statements(table)

    wrong = {"old statistics": find_faults(database, recorded)}
    if isinstance(database, Sqlite):  # PostgreSQL runs ANALYZE automatically
        database.delete_statistics()
        wrong["no statistics"] = find_faults(database, recorded)
    large_database.update_statistics(database.url)
    wrong["new statistics"] = find_faults(database, recorded)
    if isinstance(database, PostgreSQL):
        wrong["generic plans"] = find_faults(GenericPlans(database.url), recorded)

    assert list(recorded) == list(EXPECTED_INDEXES)
    assert {case: found for case, found in wrong.items() if found} == {}


def test_the_lobby_uses_indexes_though_statistics_are_older_than_all_offers(
    tmp_path: Path,
) -> None:
    table, database = make_table(tmp_path), Sqlite(tmp_path / "corr.sqlite")
    large_database.fill(database.url, FEW, NOW)
    database.empty("challenges")
    large_database.update_statistics(database.url)
    recorded = {name: words for name, words in record_statements(table).items() if "lobby" in name}

    assert len(recorded) == 2
    assert find_faults(database, recorded) == {}
    table.server.store.close()


def test_an_upgrade_runs_analyze(small_server: tuple[Table, Database]) -> None:
    table, database = small_server
    assert database.estimated_rows("seats") == 0

    migrate.upgrade(table.server.store)

    assert database.estimated_rows("seats") == 2 * FEW


def test_sqlite_renews_statistics_of_grown_tables_when_a_connection_closes(tmp_path: Path) -> None:
    table, database = make_table(tmp_path), Sqlite(tmp_path / "corr.sqlite")
    for games in (FEW, 100 * FEW):
        database.empty(*large_database.TABLES)
        large_database.fill(database.url, games, NOW)
        due_actions.sweep(table.server, NOON + SOME_ARE_DUE)
        table.server.store.close()

        assert games / 2 < database.estimated_rows("games") < 2 * games


def record_statements(table: Table) -> Statements:
    """All statements of each request."""
    recorded: Statements = {}
    current: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, values: Any, *more: Any) -> None:
        if current and "SAVEPOINT" not in statement:
            recorded[current[-1]].setdefault(statement, values[0] if more[-1] else values)

    @contextmanager
    def record(name: str) -> Iterator[None]:
        recorded[name] = {}
        current.append(name)
        yield
        current.clear()

    event.listen(table.server.store.engine, "before_cursor_execute", note)
    request_everything(table, record)
    event.remove(table.server.store.engine, "before_cursor_execute", note)
    return recorded


def find_faults(database: Database, recorded: Statements) -> dict[str, list[str]]:
    """The requests whose plans scan whole tables, or don't use the expected indexes."""
    found: dict[str, list[str]] = {}
    for name, statements in recorded.items():
        accesses = list(database.accesses(statements))
        scanned = {
            f"{access.table} {access.index}"
            for access in accesses
            if access.is_scan and access.table in large_database.TABLES
        }
        if name == SCANS_ALL_GAMES:
            scanned.discard("games ")
        used = [access.index for access in accesses]
        missed = [
            index for index in EXPECTED_INDEXES[name] if not any(each.startswith(index) for each in used)
        ]
        if scanned or missed:
            found[name] = [*(f"all of {each}" for each in scanned), *(f"not {index}" for index in missed)]
    return found
