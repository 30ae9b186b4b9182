"""Lists players with older names that the site would not allow today."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError

from corr.doctor.finding import Finding, report_ok
from corr.service.players import players
from corr.service.server import Server

_MOST_NAMES = 10


def findings(server: Server) -> Iterator[Finding]:
    """Report such names, which their players keep; nothing if the database does not answer."""
    try:
        titles = [f'"{name}"' for name in players.list_reserved_names(server)]
    except SQLAlchemyError:
        return
    if not titles:
        yield report_ok("names", "no player's name could be mistaken for the umpire or the site")
        return
    more = f" and {len(titles) - _MOST_NAMES} more" if len(titles) > _MOST_NAMES else ""
    yield report_ok(
        "names", f"older names that we wouldn't allow today: {', '.join(titles[:_MOST_NAMES])}{more}"
    )
