"""Words times in a player's time zone, and stores players' time settings and games' calendars."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import Connection, select, update

from corr.game.reminder_times import ReminderSettings, TimeSettings, parse_quiet_hours, parse_reminders
from corr.game.time_off import Calendar, Span, TimeOff
from corr.store.rows import one_of
from corr.store.tables import PlayerRow
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
    """Return all time zones with their places, by continent, for a menu that includes `own`."""
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
    """Word a moment without the year, as `Tue 24 Nov, 21:00 (Paris)`."""
    return _word_with_format(moment, zone, _SHORT_FORMAT)


def _word_with_format(moment: datetime, zone: str, form: str) -> str:
    local_clock = load_zone(zone)
    if local_clock is UTC:
        return f"{moment.astimezone(UTC):{form} UTC}"
    local = moment.astimezone(local_clock)
    # When summer time ends, an hour of that night comes twice.
    comes_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return f"{local:{form}} ({place_of_zone(zone)}{f', {local:%Z}' if comes_twice else ''})"


def word_day(moment: datetime) -> str:
    """Word a moment's day in UTC as `Tue 24 Nov 2026`."""
    return f"{moment.astimezone(UTC):%a %-d %b %Y}"


def word_local_day(moment: datetime, zone: str) -> str:
    """Word the day of a moment in a zone as `24 Nov 2026`."""
    return f"{moment.astimezone(load_zone(zone)):%-d %b %Y}"


def place_of_zone(zone: str) -> str:
    """Return the place that a zone is named after: `Paris`, `Buenos Aires`."""
    return zone.rpartition("/")[2].replace("_", " ")


def _place_with_region(zone: str) -> str:
    """Return a zone's place, with its region if any: `Buenos Aires (Argentina)`."""
    regions = zone.split("/")[1:-1]
    return " ".join([place_of_zone(zone), *(f"({each.replace('_', ' ')})" for each in regions)])


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
    """Return a named time zone; UTC if it was renamed or is unknown here."""
    try:
        return UTC if zone == DEFAULT_ZONE else ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return UTC


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def word_in_utc(moment: datetime | None) -> str:
    """Word a moment as `Tue 24 Nov 2026, 21:00 UTC`; an empty string for None."""
    return word_moment(moment, DEFAULT_ZONE) if moment else ""


def word_span(seconds: float) -> str:
    """Word a duration in whole units of the largest that fits, as `3 hours`."""
    for length, unit in _UNITS:
        if count := int(seconds // length):
            return _word_count(count, unit)
    return sentence("spans.moment")


def word_time_left(seconds: float) -> str:
    """Word the time left, rounded: hours up to three days, minutes within the last hour."""
    hours = round(seconds / 3_600)
    if hours > 72:
        return _word_count(round(hours / 24), "day")
    return _word_count(hours, "hour") if hours else _word_count(max(round(seconds / 60), 1), "minute")


def _word_count(count: int, unit: str) -> str:
    name = unit if count == 1 else f"{unit}s"
    return sentence(f"spans.{name}", count=count)


_WEEKENDS = "weekends"
_SEPARATOR = ";"


class StoredTimeSettings(NamedTuple):
    """A player's stored settings about time: zone, days off, reminders and quiet hours."""

    zone: str
    weekends: bool
    vacations: str
    remind: str
    quiet: str
    goes_on_leave: bool


@lru_cache(maxsize=10_000)
def parse_time_settings(stored: StoredTimeSettings) -> TimeSettings:
    """Parse a player's stored time settings into days off, reminders and automatic vacation."""
    zone = load_zone(stored.zone)
    return TimeSettings(
        TimeOff(zone, stored.weekends, parse_vacations(stored.vacations)),
        ReminderSettings(parse_reminders(stored.remind), parse_quiet_hours(stored.quiet, zone)),
        stored.goes_on_leave,
    )


def parse_vacations(text: str) -> tuple[Span, ...]:
    """Parse stored vacations, in order."""
    return tuple(_span(each) for each in text.split())


def format_vacations(spans: Iterable[Span]) -> str:
    """Format vacations for storage."""
    return " ".join(f"{span.start.isoformat()}/{span.end.isoformat()}" for span in sorted(spans))


def _span(text: str) -> Span:
    start, _, end = text.partition("/")
    return Span(datetime.fromisoformat(start), datetime.fromisoformat(end))


@lru_cache(maxsize=10_000)
def parse_calendar(text: str) -> Calendar:
    """Parse a game's stored calendar: the days off on which a turn's clock stands still."""
    return Calendar(tuple(_parse_leave(each) for each in text.split(_SEPARATOR))) if text else Calendar()


@lru_cache(maxsize=10_000)
def format_calendar(calendar: Calendar) -> str:
    """Format a calendar for storage with a game."""
    return _SEPARATOR.join(
        " ".join(
            [
                _zone_name(leave.zone),
                *([_WEEKENDS] if leave.weekends else []),
                format_vacations(leave.vacations),
            ]
        )
        for leave in calendar.leaves
    )


def _parse_leave(text: str) -> TimeOff:
    """Parse one player's days off from a stored calendar."""
    zone, *rest = text.split()
    spans = rest[1:] if rest[:1] == [_WEEKENDS] else rest
    return TimeOff(load_zone(zone), spans != rest, tuple(map(_span, spans)))


def _zone_name(zone: tzinfo) -> str:
    return getattr(zone, "key", DEFAULT_ZONE)


_HOURS_QUERY = select(
    PlayerRow.zone,
    PlayerRow.weekends,
    PlayerRow.vacations,
    PlayerRow.remind,
    PlayerRow.quiet,
    PlayerRow.goes_on_leave,
)


def load_hours(connection: Connection, player_id: int) -> StoredTimeSettings:
    """Return a player's time settings."""
    return one_of(StoredTimeSettings, connection.execute(_HOURS_QUERY.where(PlayerRow.id == player_id)))


def lock_hours(connection: Connection, player_id: int) -> StoredTimeSettings:
    """Return a player's time settings, locked until the transaction ends."""
    return one_of(
        StoredTimeSettings,
        connection.execute(_HOURS_QUERY.where(PlayerRow.id == player_id).with_for_update()),
    )


def store_hours(connection: Connection, player_id: int, hours: StoredTimeSettings, now: datetime) -> None:
    """Store a player's time settings, and mark them so that their games' deadlines follow."""
    connection.execute(
        update(PlayerRow).where(PlayerRow.id == player_id).values(**hours._asdict(), hours_set_at=now)
    )
