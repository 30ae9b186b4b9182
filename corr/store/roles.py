"""What a database role of the web's own may read: no truth, no letter, no key."""

from __future__ import annotations

from sqlalchemy.exc import ProgrammingError

from corr.store.session import Store
from corr.store.tables import Game, InboxRow, OutboxRow, Sign
from corr.words import Refused

_READS = {
    Game.__tablename__: ("*",),
    InboxRow.__tablename__: ("id", "read_at", "received_at"),
    OutboxRow.__tablename__: ("id", "sent_at", "dead_at", "made_at"),
    Sign.__tablename__: ("*",),
    "alembic_version": ("*",),
}


def let_the_web_read(store: Store, role: str) -> None:
    """Give a role what the pages need, and take everything else from it."""
    if store.engine.dialect.name != "postgresql":
        raise Refused("SQLite knows no roles: whoever can open the file can read all of it.")
    name = store.engine.dialect.identifier_preparer.quote_identifier(role)
    try:
        with store.writing() as connection:
            for statement in (
                f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {name}",
                f"GRANT USAGE ON SCHEMA public TO {name}",
                *(f"GRANT SELECT{_named(columns)} ON {table} TO {name}" for table, columns in _READS.items()),
            ):
                connection.exec_driver_sql(statement)
    except ProgrammingError as error:
        raise Refused(
            f'The role "{role}" cannot be given its rights: {str(error.orig).splitlines()[0]}. '
            f"Make it first, as PostgreSQL's superuser: createuser {role}"
        ) from error


def _named(columns: tuple[str, ...]) -> str:
    return "" if columns == ("*",) else f" ({', '.join(columns)})"
