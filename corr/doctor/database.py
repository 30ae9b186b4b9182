"""Checks that the database answers, keeps what it stores, and hides positions from the web role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, make_url
from sqlalchemy.exc import SQLAlchemyError

from corr.config import Config
from corr.doctor.finding import Finding, report_ok, report_problem
from corr.service.admin import statistics
from corr.service.players import players
from corr.service.server import Server, build_server
from corr.store.version import require_newest
from corr.words.errors import Misconfigured

_SAFEGUARDS = ("fsync", "synchronous_commit", "full_page_writes")


def findings(server: Server) -> Iterator[Finding]:
    """Check that the database answers, has the newest tables, and keeps what it stores."""
    url = server.store.engine.url
    named = url.render_as_string(hide_password=True)
    try:
        with server.store.reading() as connection:
            version, unsafe = _version_and_safeguards(connection)
        require_newest(server.store)
    except SQLAlchemyError as error:
        says = f"{named} doesn't answer: {_error_message(error)}."
        yield report_problem("database", says, _advice_for(url.database))
    except Misconfigured as error:
        yield report_problem("database", str(error))
    else:
        yield report_ok("database", f"{version} answers at {named}, and its tables are up to date")
        for name in unsafe:
            says = f"PostgreSQL's {name} is off, so a power cut can lose emails we have accepted."
            yield report_problem("database", says, f"Set {name} = on in postgresql.conf.")


def check_web_role(config: Config) -> Iterator[Finding]:
    """Check that the website's database role can read its tables, but no hidden positions."""
    if config.web_database_url is None:
        return
    role, server = make_url(config.web_database_url).username, build_server(config.web_config)
    try:
        statistics.load_figures(server, server.now())
        require_newest(server.store)
    except SQLAlchemyError as error:
        is_denied = "permission denied" in _error_message(error)
        advice = f"Run: corr db grant {role}" if is_denied else "Look at CORR_WEB_DATABASE_URL."
        says = f"{role} can't read what the pages need: {_error_message(error)}."
        yield report_problem("pages", says, advice)
    else:
        if _can_read_truths(server):
            yield report_problem("pages", f"{role} can read hidden positions.", f"Run: corr db grant {role}")
        else:
            yield report_ok("pages", f"{role} can read what the pages need, and no hidden position")
    finally:
        server.store.close()


def _version_and_safeguards(connection: Connection) -> tuple[str, list[str]]:
    """Return the database's name and version, and which of its safeguards are off."""
    if connection.dialect.name == "sqlite":
        return f"SQLite {connection.exec_driver_sql('SELECT sqlite_version()').scalar_one()}", []
    version = connection.exec_driver_sql("SHOW server_version").scalar_one()
    shown = {name: connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in _SAFEGUARDS}
    return f"PostgreSQL {version}", [name for name, state in shown.items() if state == "off"]


def _can_read_truths(server: Server) -> bool:
    try:
        with server.store.reading() as connection:
            connection.exec_driver_sql("SELECT 1 FROM truths LIMIT 1")
    except SQLAlchemyError:
        return False
    return True


def _error_message(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", error)).splitlines()[0].rstrip(".")


def _advice_for(database: str | None) -> str:
    """Return what to do about a database that does not answer."""
    folder = Path(database or "").parent
    if folder.is_absolute() and not folder.is_dir():
        return f"The folder {folder} doesn't exist. Create it, and let this user write there."
    return "Start it, or set CORR_DATABASE_URL to its address."


_MOST_NAMES = 10


def check_player_names(server: Server) -> Iterator[Finding]:
    """Report players' names that could be mistaken for the umpire or the site."""
    titles = [f'"{name}"' for name in players.list_reserved_names(server)]
    more = f" and {len(titles) - _MOST_NAMES} more" if len(titles) > _MOST_NAMES else ""
    older = f"older names that we wouldn't allow today: {', '.join(titles[:_MOST_NAMES])}{more}"
    none = "no player's name could be mistaken for the umpire or the site"
    yield report_ok("names", older if titles else none)
