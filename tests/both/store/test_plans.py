"""How both databases find what is asked for most in a house of 100,000 games, whatever they know of its numbers."""

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
from corr.store import schema
from tests.support import large_database
from tests.support.api_bots import Guest
from tests.support.browser import Browser
from tests.support.reconchess_bot import Bot
from tests.support.table import ANN, BEN, FAY, NOON, Table, lay

GAMES = 100_000
#: How large the house was when it was counted last: SQLite counts anew what has become so many times as much.
COUNTED, FEW = GAMES // 25, 10
NOW = int(NOON.timestamp() * 1e6)
SOME_ARE_DUE = timedelta(hours=3, minutes=3)
#: What is asked for most, and how the indexes begin by which its rows must be found: some hold the same rows.
QUESTIONS = {
    "somebody asks to be let in": (),
    "who asks is written to": ("ix_sign_ins_asked",),
    "somebody is let in": ("ix_sign_ins_mark",),
    "the lobby": ("ix_challenges_sought", "ix_challenges_by_id", "ix_challenges_to_id"),
    "the lobby of a stranger": ("ix_challenges_sought",),
    "a player's games": ("ix_seats_player_id",),
    "a leaderboard": ("ix_ratings_listed",),
    "one's own place on a leaderboard": ("ix_ratings_listed",),
    "the leaderboards' first places": ("ix_ratings_listed",),
    "players whose names begin so": ("ix_players_name_key",),
    "a player's page": ("ix_players_name_key", "ix_seats_player_id", "ix_rated_games_white_id"),
    "how a rating came about": ("ix_rated_games_white_id", "ix_rated_games_black_id"),
    "the table": (),
    "open games": ("ix_games_played",),
    "the months of open games": ("ix_games_played",),
    "the archive": ("ix_archive_ended_at",),
    "the archive of a player": ("pk_archive",),
    "the archive before a day": ("pk_archive",),
    "a file of the archive": ("pk_archive",),
    "events": ("ix_events_goes_on", "ix_events_ended_at", "ix_entrants_player_id"),
    "an event": ("ix_event_games_event_id",),
    "whether there is news on it": (),
    "whether an address is known": (),
    "a letter is taken in": (),
    "letters are read": (
        "ix_inbox_unread_id",
        "ix_challenges_taken",
        "ix_entrants_leaving",
    ),
    "letters are sent": ("ix_outbox_unsent", "ix_site_outbox_unsent"),
    "a letter to the site is taken in": (),
    "letters to the site are read": (),
    "a move on the page": (),
    "a program's games": ("ix_seats_player_id",),
    "a program's slips": (),
    "a bot's invitations": ("ix_challenges_to_id", "ix_challenges_begun", "ix_seats_player_id"),
    "how a bot's game stands": (),
    "what is due": (
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
    "whether nothing waits": ("ix_inbox_unread", "ix_outbox_unsent"),
    "what waits, counted": ("ix_inbox_unread_id", "ix_outbox_dead", "ix_site_outbox_dead"),
    "the metrics": ("ix_outbox_unsent", "ix_outbox_dead"),
}
#: Nobody waits for it: it is asked by a program that watches the house.
ALL_GAMES_ARE_COUNTED = "the metrics"

#: From the sixth time on, PostgreSQL may use one plan for all values.
_OFTEN = 6
#: Each statement once, with its values.
Heard = dict[str, dict[str, Any]]
Hear = Callable[[str], AbstractContextManager[None]]
Cluster = psycopg.Connection[tuple[Any, ...]]


def ask_everything(table: Table, hear: Hear) -> None:
    """Two people begin one more game, and everything is asked for once."""
    table.begin()
    ann = Browser(table.app())
    by_browser(table, ann, hear)
    by_letter(table, hear)
    with hear("a move on the page"):
        ann.send("e2e4")
        table.work()
    by_program(table, hear)
    by_itself(table.server, hear)


def by_browser(table: Table, ann: Browser, hear: Hear) -> None:
    """Ann is let in and looks about."""
    ann.open("/sign-in")
    with hear("somebody asks to be let in"):
        ann.press("Email me a code", address=ANN)
    with hear("who asks is written to"):
        table.work()
    number = re.search(r'the six digits "(\d{6})"', table.says(ANN))
    assert number
    with hear("somebody is let in"):
        ann.press("Sign in", number=number[1])
    with hear("the lobby"):
        ann.open("/lobby/")
    with hear("the lobby of a stranger"):
        Browser(table.app()).open("/lobby/")
    with hear("a player's games"):
        ann.open("/games/")
    by_club(ann, Browser(table.app()), hear)
    ann.open("/games/")
    page = re.search(r'href="(/games/\w+)"', ann.answer.get_data(as_text=True))
    assert page
    with hear("the table"):
        ann.open(page[1])
    with hear("open games"):
        assert ann.client.get("/open/2026-10.records").get_data()
    with hear("the months of open games"):
        ann.client.get("/open")
    with hear("the archive"):
        assert b"/finished/" in ann.client.get("/archive").get_data()
    with hear("the archive of a player"):
        assert ann.client.get("/archive?player=ann&result=won&length=long").status_code == 200
    with hear("the archive before a day"):
        ann.client.get("/archive?variant=wild16&to=2026-11-01")
    with hear("a file of the archive"):
        ann.client.get("/archive/games.pgn?variant=rbc").get_data()
    with hear("events"):
        ann.open("/events/")
    with hear("an event"):
        assert "Final standings" in ann.open("/events/e1")
    ann.open(page[1])
    with hear("whether there is news on it"):
        ann.client.get(page[1], headers={"If-None-Match": ann.answer.headers["ETag"]})


def by_club(ann: Browser, stranger: Browser, hear: Hear) -> None:
    """Ann, who is on no leaderboard, and a stranger look at what everybody may see."""
    with hear("a leaderboard"):
        stranger.open("/players/board/wild16?page=20")
    with hear("one's own place on a leaderboard"):
        ann.open("/players/board/wild16")
    with hear("the leaderboards' first places"):
        stranger.open("/players/")
    with hear("players whose names begin so"):
        stranger.open("/players/?name=p7")
    with hear("a player's page"):
        stranger.open("/players/P7")
    with hear("how a rating came about"):
        stranger.open("/players/P7/wild16")


def by_letter(table: Table, hear: Hear) -> None:
    """A letter to the umpire, and one to the site."""
    letter = table.letter(BEN, "any?")
    address = re.search(rb"^To: (\S+)", letter, re.MULTILINE)
    assert address
    with hear("whether an address is known"):
        assert inbox.find_seat_address(table.server, address[1].decode())
    with hear("a letter is taken in"):
        table.post(letter)
    with hear("letters are read"):
        table.read()
    with hear("letters are sent"):
        table.send()
    with hear("a letter to the site is taken in"):
        table.post(table.unasked(ANN, f"challenge {FAY} wild16 3d"))
    with hear("letters to the site are read"):
        table.read()


def by_program(table: Table, hear: Hear) -> None:
    """A program of Eve's, which begins a game, and asks for it again and again."""
    bot = Bot(table)
    guest, number = Guest(table, bot.token, bot.client), bot.invite()
    with hear("a program's games"):
        (game,) = guest.get("/api/games").get_json()["games"]
    with hear("a program's slips"):
        guest.slips(game["code"])
    with hear("a bot's invitations"):
        bot.get("invitations/")
    with hear("how a bot's game stands"):
        bot.get(f"games/{number}/game_status")


def by_itself(server: Server, hear: Hear) -> None:
    """What is looked for again and again."""
    with hear("what is due"):
        due_actions.sweep(server, NOON + SOME_ARE_DUE)
    checkpoints.sign_checkpoint(server, NOON)  # once a day, of all games that go on
    with hear("the sweep"):
        worker_rounds.sweep(server, NOON)
    with hear("whether nothing waits"):
        statistics.is_idle(server)
    with hear("what waits, counted"):
        statistics.load_figures(server, NOON)
    with hear("the metrics"):
        metrics.measure(server, NOON)


# ---------------------------------------------------------------- the databases


class Look(NamedTuple):
    """A table that is looked into, by which index, and whether all of it is gone through."""

    table: str
    index: str
    whole: bool


class Database(Protocol):
    """A database, what it knows of its numbers, and how it would find what it is asked for."""

    url: str

    def counted(self, table: str) -> int:
        """How many rows it takes a table to have; 0 where it has not counted."""

    def empty(self, *tables: str) -> None:
        """Hold nothing in some tables, and know of their numbers what one knew."""

    def looks(self, statements: Mapping[str, Any]) -> Iterator[Look]:
        """Where statements would look."""


class Sqlite:
    """SQLite, by the words in which it tells."""

    _LOOK = re.compile(r"(SCAN|SEARCH) (\w+?)(?:_\d+)?(?: USING .*?INDEX (\w+).*| .*|$)")
    _PARTIAL = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'"

    def __init__(self, file: Path) -> None:
        self.url = f"sqlite:///{file}"
        self._file = file

    def counted(self, table: str) -> int:
        known = "SELECT stat FROM sqlite_stat1 WHERE tbl = ?"
        with closing(sqlite3.connect(self._file)) as tables:
            return max((int(stat.split()[0]) for (stat,) in tables.execute(known, [table])), default=0)

    def forget(self) -> None:
        self._say("DELETE FROM sqlite_stat1")

    def empty(self, *tables: str) -> None:
        self._say(*(f"DELETE FROM {table}" for table in tables))

    def _say(self, *statements: str) -> None:
        with closing(sqlite3.connect(self._file)) as tables, tables:
            for statement in statements:
                tables.execute(statement)

    def looks(self, statements: Mapping[str, Any]) -> Iterator[Look]:
        with closing(sqlite3.connect(self._file)) as tables:
            partial = {name for (name,) in tables.execute(self._PARTIAL)}
            for said, values in statements.items():
                for *_, step in tables.execute(f"EXPLAIN QUERY PLAN {said}", values):
                    if found := self._LOOK.match(step):
                        own = f"pk_{found[2]}" if "USING PRIMARY KEY" in step else ""
                        index = found[3] or own
                        goes_through = found[1] == "SCAN" and index not in partial
                        yield Look(found[2], index, goes_through or "AUTOMATIC" in step)


class PostgreSQL:
    """PostgreSQL, by its plan as JSON."""

    _PARTIAL = "SELECT indexrelid::regclass::text FROM pg_index WHERE indpred IS NOT NULL"

    def __init__(self, url: str) -> None:
        self.url = url
        with psycopg.connect(url) as connection:
            self._partial = {name for (name,) in connection.execute(self._PARTIAL)}
            # The server would count by itself in the midst of filling, now and then.
            for table in large_database.TABLES:
                connection.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")

    def counted(self, table: str) -> int:
        with psycopg.connect(self.url) as connection:
            (found,) = connection.execute(
                "SELECT reltuples FROM pg_class WHERE relname = %s", [table]
            ).fetchone()
        return max(0, int(found))

    def empty(self, *tables: str) -> None:
        with psycopg.connect(self.url) as connection:
            connection.execute(f"TRUNCATE {', '.join(tables)} CASCADE")

    def looks(self, statements: Mapping[str, Any]) -> Iterator[Look]:
        with psycopg.connect(self.url, cursor_factory=psycopg.ClientCursor) as connection:
            for said, values in statements.items():
                yield from self._in(self._plan(connection, said, values))

    def _plan(self, connection: Cluster, said: str, values: Any) -> dict[str, Any]:
        ((found,),) = connection.execute(f"EXPLAIN (FORMAT JSON) {said}", values).fetchall()
        return found[0]["Plan"]

    def _in(self, plan: dict[str, Any]) -> Iterator[Look]:
        index = plan.get("Index Name", "")
        if table := plan.get("Relation Name", ""):
            is_whole = "Scan" in plan["Node Type"] and not index and plan["Node Type"] != "Bitmap Heap Scan"
            yield Look(table, index, is_whole and plan["Node Type"] != "ModifyTable")
        elif index:
            yield Look("", index, whole=False)
        if index and "Index Cond" not in plan:
            yield Look(table, index, index not in self._partial)
        for part in plan.get("Plans", ()):
            yield from self._in(part)


class OftenAsked(PostgreSQL):
    """The same, asked so often that PostgreSQL may have made one plan for all values."""

    def _plan(self, connection: Cluster, said: str, values: Any) -> dict[str, Any]:
        names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", said)))
        numbered = re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", said)
        connection.execute(f"PREPARE often AS {numbered.replace('%%', '%')}")
        given = ", ".join(f"%({name})s" for name in names)
        for _ in range(_OFTEN):
            plan = super()._plan(connection, f"EXECUTE often{f'({given})' if names else ''}", values)
        connection.execute("DEALLOCATE often")
        return plan


# ---------------------------------------------------------------- the tests


@pytest.fixture(params=["sqlite", "postgresql"])
def few(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Table, Database]]:
    """A house of few games that nobody has counted, and its database."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    table = lay(tmp_path, url)
    database = PostgreSQL(url) if url else Sqlite(tmp_path / "corr.sqlite")
    large_database.fill(database.url, FEW, NOW)
    yield table, database
    table.server.store.close()


def test_what_is_asked_for_most_is_found_by_indexes(few: tuple[Table, Database]) -> None:
    table, database = few
    for games in (COUNTED, GAMES):
        database.empty(*large_database.TABLES)
        large_database.fill(database.url, games, NOW)
        if games == COUNTED:
            large_database.count(database.url)
    said = heard(table)

    wrong = {"counted long ago": faults(database, said)}
    if isinstance(database, Sqlite):  # PostgreSQL counts by itself
        database.forget()
        wrong["never counted"] = faults(database, said)
    large_database.count(database.url)
    wrong["just counted"] = faults(database, said)
    if isinstance(database, PostgreSQL):
        wrong["asked often"] = faults(OftenAsked(database.url), said)

    assert list(said) == list(QUESTIONS)
    assert {knows: found for knows, found in wrong.items() if found} == {}


def test_a_lobby_is_found_by_indexes_where_players_were_counted_before_any_of_them_offered_a_game(
    tmp_path: Path,
) -> None:
    table, database = lay(tmp_path), Sqlite(tmp_path / "corr.sqlite")
    large_database.fill(database.url, FEW, NOW)
    database.empty("challenges")
    large_database.count(database.url)
    said = {question: words for question, words in heard(table).items() if "lobby" in question}

    assert len(said) == 2
    assert faults(database, said) == {}
    table.server.store.close()


def test_an_upgrade_counts_what_there_is(few: tuple[Table, Database]) -> None:
    table, database = few
    assert database.counted("seats") == 0

    schema.upgrade(table.server.store)

    assert database.counted("seats") == 2 * FEW


def test_sqlite_counts_anew_what_has_grown_when_a_connection_is_closed(tmp_path: Path) -> None:
    table, database = lay(tmp_path), Sqlite(tmp_path / "corr.sqlite")
    for games in (FEW, 100 * FEW):
        database.empty(*large_database.TABLES)
        large_database.fill(database.url, games, NOW)
        due_actions.sweep(table.server, NOON + SOME_ARE_DUE)
        table.server.store.close()

        assert games / 2 < database.counted("games") < 2 * games


def heard(table: Table) -> Heard:
    """What the house says to its database for each question."""
    said: Heard = {}
    asked: list[str] = []

    def note(_connection: object, _cursor: object, words: str, values: Any, *more: Any) -> None:
        if asked and "SAVEPOINT" not in words:
            said[asked[-1]].setdefault(words, values[0] if more[-1] else values)

    @contextmanager
    def hear(question: str) -> Iterator[None]:
        said[question] = {}
        asked.append(question)
        yield
        asked.clear()

    event.listen(table.server.store.engine, "before_cursor_execute", note)
    ask_everything(table, hear)
    event.remove(table.server.store.engine, "before_cursor_execute", note)
    return said


def faults(database: Database, said: Heard) -> dict[str, list[str]]:
    """The questions for which whole tables would be gone through, or other indexes than theirs."""
    found: dict[str, list[str]] = {}
    for question, statements in said.items():
        looks = list(database.looks(statements))
        whole = {
            f"{look.table} {look.index}"
            for look in looks
            if look.whole and look.table in large_database.TABLES
        }
        if question == ALL_GAMES_ARE_COUNTED:
            whole.discard("games ")
        used = [look.index for look in looks]
        missed = [index for index in QUESTIONS[question] if not any(each.startswith(index) for each in used)]
        if whole or missed:
            found[question] = [*(f"all of {each}" for each in whole), *(f"not {index}" for index in missed)]
    return found
