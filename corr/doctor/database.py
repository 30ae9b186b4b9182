"""Checks that the database answers, keeps what it stores, and hides positions from the web role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, make_url
from sqlalchemy.exc import SQLAlchemyError

from corr.config import Config
from corr.doctor.finding import Finding, well, wrong
from corr.service.admin import statistics
from corr.service.house import House, house_of
from corr.store.version import require_newest
from corr.words.errors import Misconfigured

_SAFEGUARDS = ("fsync", "synchronous_commit", "full_page_writes")


def findings(house: House) -> Iterator[Finding]:
    """Check that it answers with up-to-date tables, and that PostgreSQL's commits are durable."""
    url = house.store.engine.url
    named = url.render_as_string(hide_password=True)
    try:
        with house.store.reading() as connection:
            version, unsafe = _version(connection), _switched_off(connection)
        require_newest(house.store)
    except SQLAlchemyError as error:
        yield wrong("database", f"{named} doesn't answer: {_said(error)}.", _where(url.database))
    except Misconfigured as error:
        yield wrong("database", str(error))
    else:
        yield well("database", f"{version} answers at {named}, and its tables are up to date")
        for name in unsafe:
            says = f"PostgreSQL's {name} is off, so a power cut can lose emails we have accepted."
            yield wrong("database", says, f"Set {name} = on in postgresql.conf.")


def findings_by_the_web(config: Config) -> Iterator[Finding]:
    """Check that the pages' role can read what they need, but no hidden positions."""
    if config.web_database_url is None:
        return
    role, house = make_url(config.web_database_url).username, house_of(config.for_the_web)
    try:
        statistics.figures(house, house.now())
        require_newest(house.store)
    except SQLAlchemyError as error:
        is_denied = "permission denied" in _said(error)
        advice = f"Run: corr db grant {role}" if is_denied else "Look at CORR_WEB_DATABASE_URL."
        yield wrong("pages", f"{role} can't read what the pages need: {_said(error)}.", advice)
    else:
        if _can_read_truths(house):
            yield wrong("pages", f"{role} can read hidden positions.", f"Run: corr db grant {role}")
        else:
            yield well("pages", f"{role} can read what the pages need, and no hidden position")
    finally:
        house.store.close()


def _version(connection: Connection) -> str:
    if connection.dialect.name == "sqlite":
        return f"SQLite {connection.exec_driver_sql('SELECT sqlite_version()').scalar_one()}"
    return f"PostgreSQL {connection.exec_driver_sql('SHOW server_version').scalar_one()}"


def _switched_off(connection: Connection) -> list[str]:
    if connection.dialect.name == "sqlite":
        return []
    return [name for name in _SAFEGUARDS if connection.exec_driver_sql(f"SHOW {name}").scalar_one() == "off"]


def _can_read_truths(house: House) -> bool:
    try:
        with house.store.reading() as connection:
            connection.exec_driver_sql("SELECT 1 FROM truths LIMIT 1")
    except SQLAlchemyError:
        return False
    return True


def _said(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", error)).splitlines()[0].rstrip(".")


def _where(database: str | None) -> str:
    folder = Path(database or "").parent
    if folder.is_absolute() and not folder.is_dir():
        return f"The folder {folder} doesn't exist. Create it, and let this user write there."
    return "Start it, or set CORR_DATABASE_URL to its address."
