"""Lists players with older names that the site would not allow today."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError

from corr.doctor.finding import Finding, well
from corr.service.house import House
from corr.service.players import players

_MOST = 10


def findings(house: House) -> Iterator[Finding]:
    """Report such names, which their players keep; nothing if the database does not answer."""
    try:
        titles = [f'"{name}"' for name in players.titled(house)]
    except SQLAlchemyError:
        return
    if not titles:
        yield well("names", "no player's name could be mistaken for the umpire or the site")
        return
    more = f" and {len(titles) - _MOST} more" if len(titles) > _MOST else ""
    yield well("names", f"older names that we wouldn't allow today: {', '.join(titles[:_MOST])}{more}")
