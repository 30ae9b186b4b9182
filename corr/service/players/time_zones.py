"""Lists the time zones to choose from, and words moments in them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

from corr.messages import sentence
from corr.words.errors import Refused

#: The zone of a player who has not chosen one.
PLAIN = "UTC"
_AREAS = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia"),
    *("Atlantic", "Australia", "Europe", "Indian", "Pacific"),
)
_MOMENT, _NEAR_MOMENT = "%a %-d %b %Y, %H:%M", "%a %-d %b, %H:%M"


def zone_of(text: str) -> str:
    """Return the zone of this name in any case; Refused if there is none."""
    named = _by_small_letters().get(text.lower())
    if named is None:
        raise Refused(sentence("settings.no_zone"))
    return named


@lru_cache(maxsize=100)
def by_area(own: str) -> dict[str, dict[str, str]]:
    """Return zones and places by area, under their current names, and the reader's own."""
    listed = _known() & {*_of_today(), own}
    shown = {area: [zone for zone in listed if zone.startswith(f"{area}/")] for area in _AREAS}
    return {
        area: dict(sorted(((zone, _listed(zone)) for zone in zones), key=lambda each: each[1]))
        for area, zones in shown.items()
        if zones
    }


def worded(moment: datetime, zone: str) -> str:
    """Word a moment as `Tue 24 Nov 2026, 21:00 (Paris)`, in UTC for unknown zones."""
    return _worded(moment, zone, _MOMENT)


def worded_as_near(moment: datetime, zone: str) -> str:
    """Word a moment in the same way, without the year."""
    return _worded(moment, zone, _NEAR_MOMENT)


def _worded(moment: datetime, zone: str, form: str) -> str:
    local_clock = clock(zone)
    if local_clock is UTC:
        return f"{moment.astimezone(UTC):{form} UTC}"
    local = moment.astimezone(local_clock)
    # When summer time ends, an hour of that night comes twice.
    comes_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return f"{local:{form}} ({place(zone)}{f', {local:%Z}' if comes_twice else ''})"


def day(moment: datetime) -> str:
    """Word a UTC day of the server as `Tue 24 Nov 2026`."""
    return f"{moment.astimezone(UTC):%a %-d %b %Y}"


def day_there(moment: datetime, zone: str) -> str:
    """Word the day of a moment in a zone as `24 Nov 2026`."""
    return f"{moment.astimezone(clock(zone)):%-d %b %Y}"


def place(zone: str) -> str:
    """Return the place that a zone is named after: `Paris`, `Buenos Aires`."""
    return zone.rpartition("/")[2].replace("_", " ")


def _listed(zone: str) -> str:
    """Return a zone's place, with its region if any: `Buenos Aires (Argentina)`."""
    regions = zone.split("/")[1:-1]
    return " ".join([place(zone), *(f"({each.replace('_', ' ')})" for each in regions)])


@cache
def _of_today() -> frozenset[str]:
    """Return the current zone names without outdated ones: Kolkata, not Calcutta."""
    table = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    return frozenset(line.split("\t")[2] for line in table.splitlines() if not line.startswith("#"))


@cache
def _known() -> frozenset[str]:
    """Return all zones that are named after a place."""
    return frozenset(zone for zone in available_timezones() if zone.partition("/")[0] in _AREAS)


@cache
def _by_small_letters() -> dict[str, str]:
    return {zone.lower(): zone for zone in (PLAIN, *_known())}


@lru_cache(maxsize=1024)
def clock(zone: str) -> tzinfo:
    """Return a zone's clock; UTC if the zone was renamed or is unknown here."""
    try:
        return UTC if zone == PLAIN else ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return UTC
