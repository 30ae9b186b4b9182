"""Lists players with older names that the site would not allow today."""

from __future__ import annotations

from collections.abc import Iterator

from corr.doctor.finding import Finding, report_ok
from corr.service.players import players
from corr.service.server import Server

_MOST_NAMES = 10


def findings(server: Server) -> Iterator[Finding]:
    """Report such names, which their players keep."""
    titles = [f'"{name}"' for name in players.list_reserved_names(server)]
    more = f" and {len(titles) - _MOST_NAMES} more" if len(titles) > _MOST_NAMES else ""
    older = f"older names that we wouldn't allow today: {', '.join(titles[:_MOST_NAMES])}{more}"
    none = "no player's name could be mistaken for the umpire or the site"
    yield report_ok("names", older if titles else none)
