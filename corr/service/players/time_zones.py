"""Lists the time zones to choose from, and words moments in them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

from corr.text.messages import sentence
from corr.words.errors import Refused

#: The zone of a player who has not chosen one.
DEFAULT_ZONE = "UTC"
_AREAS = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia"),
    *("Atlantic", "Australia", "Europe", "Indian", "Pacific"),
)
_MOMENT, _SHORT_FORMAT = "%a %-d %b %Y, %H:%M", "%a %-d %b, %H:%M"


def check_zone(text: str) -> str:
    """Return the zone of this name in any case; Refused if there is none."""
    named = _zones_by_lowercase().get(text.lower())
    if named is None:
        raise Refused(sentence("settings.no_zone"))
    return named


@lru_cache(maxsize=100)
def list_by_area(own: str) -> dict[str, dict[str, str]]:
    """Return zones and places by area, under their current names, and the reader's own."""
    listed = _place_zones() & {*_current_zones(), own}
    shown = {area: [zone for zone in listed if zone.startswith(f"{area}/")] for area in _AREAS}
    return {
        area: dict(sorted(((zone, _place_with_region(zone)) for zone in zones), key=lambda each: each[1]))
        for area, zones in shown.items()
        if zones
    }


def word_moment(moment: datetime, zone: str) -> str:
    """Word a moment as `Tue 24 Nov 2026, 21:00 (Paris)`, in UTC for unknown zones."""
    return _word_with_format(moment, zone, _MOMENT)


def word_short(moment: datetime, zone: str) -> str:
    """Word a moment in the same way, without the year."""
    return _word_with_format(moment, zone, _SHORT_FORMAT)


def _word_with_format(moment: datetime, zone: str, form: str) -> str:
    local_clock = load_zone(zone)
    if local_clock is UTC:
        return f"{moment.astimezone(UTC):{form} UTC}"
    local = moment.astimezone(local_clock)
    # When summer time ends, an hour of that night comes twice.
    comes_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return f"{local:{form}} ({place(zone)}{f', {local:%Z}' if comes_twice else ''})"


def day(moment: datetime) -> str:
    """Word a UTC day of the server as `Tue 24 Nov 2026`."""
    return f"{moment.astimezone(UTC):%a %-d %b %Y}"


def word_local_day(moment: datetime, zone: str) -> str:
    """Word the day of a moment in a zone as `24 Nov 2026`."""
    return f"{moment.astimezone(load_zone(zone)):%-d %b %Y}"


def place(zone: str) -> str:
    """Return the place that a zone is named after: `Paris`, `Buenos Aires`."""
    return zone.rpartition("/")[2].replace("_", " ")


def _place_with_region(zone: str) -> str:
    """Return a zone's place, with its region if any: `Buenos Aires (Argentina)`."""
    regions = zone.split("/")[1:-1]
    return " ".join([place(zone), *(f"({each.replace('_', ' ')})" for each in regions)])


@cache
def _current_zones() -> frozenset[str]:
    """Return the current zone names without outdated ones: Kolkata, not Calcutta."""
    table = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    return frozenset(line.split("\t")[2] for line in table.splitlines() if not line.startswith("#"))


@cache
def _place_zones() -> frozenset[str]:
    """Return all zones that are named after a place."""
    return frozenset(zone for zone in available_timezones() if zone.partition("/")[0] in _AREAS)


@cache
def _zones_by_lowercase() -> dict[str, str]:
    return {zone.lower(): zone for zone in (DEFAULT_ZONE, *_place_zones())}


@lru_cache(maxsize=1024)
def load_zone(zone: str) -> tzinfo:
    """Return a zone's clock; UTC if the zone was renamed or is unknown here."""
    try:
        return UTC if zone == DEFAULT_ZONE else ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return UTC
