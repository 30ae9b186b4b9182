"""Databases as released versions of corr left them: two running games, and emails on their way in both directions.

Ann is White in Wild 16, and has the email of her turn. Ben is White in Reconnaissance Blind Chess, and the email of
his turn isn't sent yet; his "show" in the other game isn't read yet.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from corr.store import migrate
from corr.store.session import Store
from tests.support.table import NOON, Clock, Table, make_table

#: The commits of the releases. Of the first one, the bytes of emails that were sent are left out.
RELEASES = ("6ef361f", "e64bc27")
WILD16, RBC = "Wild 16", "Reconnaissance"
STOPPED_AT = NOON + timedelta(hours=2)
_FOLDER = Path(__file__).parents[1] / "both" / "store" / "released"


def load(url: str, release: str) -> None:
    """Bring a release's tables and rows into an empty database."""
    place, folder = make_url(url), _FOLDER / release
    if place.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(place.database))) as connection:
            connection.executescript((folder / "sqlite.sql").read_text("utf-8"))
    else:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute((folder / "postgresql.sql").read_bytes())


@contextmanager
def upgraded(folder: Path, url: str, release: str, *rows: str) -> Iterator[Table]:
    """A table at which a release's games are played on, after these rows were added and the tables upgraded."""
    load(url, release)
    store = Store(url)
    with store.writing() as connection:
        for row in rows:
            connection.exec_driver_sql(row)
    migrate.upgrade(store)
    store.close()
    made = make_table(folder, url, Clock(STOPPED_AT))
    (made.spool / "000000-released.eml").write_bytes((_FOLDER / release / "ann.eml").read_bytes())
    made.emails_written = 100  # the numbers up to here were the players' emails before the upgrade
    yield made
    made.server.store.close()


def newest(table: Table, player: str, game: str) -> EmailMessage:
    """The newest email to a player in one of the games."""
    return [letter for letter in table.emails_to(player) if game in letter["Subject"]][-1]
