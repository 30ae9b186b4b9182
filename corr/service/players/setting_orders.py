"""Sets a player's time preferences, by an order or on a page; games follow them from then on."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from corr import limits
from corr.game.calendar import Span, midnight
from corr.game.reminder_settings import NEVER, parse_quiet_hours, parse_reminders
from corr.player_settings import SETTINGS, Setting, find_by_order
from corr.service.players import mail_preferences, publishing, times
from corr.service.players.times import PlayerHours, format_vacations, parse_vacations
from corr.store.rows import one_of
from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.orders import Command

_DAY, _MOMENT = timedelta(days=1), timedelta(microseconds=1)
_VACATION_RETENTION = timedelta(days=400)
_SETTINGS_QUERY = select(
    PlayerRow.zone,
    PlayerRow.weekends,
    PlayerRow.vacations,
    PlayerRow.remind,
    PlayerRow.quiet,
    PlayerRow.goes_on_leave,
)


class Vacation(NamedTuple):
    """A vacation as its player sees it."""

    first: str
    last: str
    is_running: bool


def load_time_settings(connection: Connection, player_id: int) -> PlayerHours:
    """Return a player's time settings."""
    return one_of(PlayerHours, connection.execute(_SETTINGS_QUERY.where(PlayerRow.id == player_id)))


def apply_order(connection: Connection, player_id: int, word: Command, now: datetime) -> str:
    """Apply an order about a player's settings; return the answer, or raise Refused."""
    if setting := find_by_order(word.word, word.rest):
        return choose(connection, player_id, setting, word.rest)
    if word.word == "mail":
        return mail_preferences.choose_mailing(connection, player_id, word.rest, now)
    if word.word == "page":
        return publishing.set_about(connection, player_id, word.rest.partition(" ")[2])
    deed, given = _HANDLERS[word.word], _lock_settings(connection, player_id)
    changed, said = deed(given, word.rest, now)
    _store_settings(connection, player_id, changed, now)
    if changed.zone != given.zone:
        mail_preferences.move_digest(connection, player_id, now)
    return said


def choose(connection: Connection, player_id: int, setting: Setting, choice: str) -> str:
    """Store a player's choice of a simple setting; return the answer."""
    value = setting.choices[choice]
    match setting.name:
        case "page":
            publishing.hide_page(connection, player_id, hidden=bool(value))
        case "checkpoints":
            mail_preferences.send_checkpoints(connection, player_id, wanted=bool(value))
        case _:
            this = update(PlayerRow).where(PlayerRow.id == player_id)
            connection.execute(this.values({setting.column: value}))
    is_pen_name = setting.name == "publish" and choice == publishing.YES
    pen_name = publishing.make_pen_name(publishing.load_secret(connection), player_id) if is_pen_name else ""
    return sentence(f"setting_answers.{setting.text_key(choice)}", pen_name=pen_name)


def set_automatic_vacation(connection: Connection, player_id: int, *, on: bool, now: datetime) -> str:
    """Set whether vacation starts by itself when time would run out; return the answer."""
    _store_settings(
        connection, player_id, _lock_settings(connection, player_id)._replace(goes_on_leave=on), now
    )
    return sentence("hours.leave_on") if on else sentence("hours.leave_off")


def start_vacation(connection: Connection, player_id: int, now: datetime) -> PlayerHours | None:
    """Start a vacation now, as long as the days left allow; None without any."""
    kept = _lock_settings(connection, player_id)
    first = today(kept, now)
    for days in range(limits.LEAVE_DAYS, 0, -1):
        try:
            gone = _add_vacation(kept, first, first + (days - 1) * _DAY, now)
        except Refused:
            continue
        _store_settings(connection, player_id, gone, now)
        return gone
    return None


def vacations(kept: PlayerHours, now: datetime) -> list[Vacation]:
    """List a player's vacations that are not over."""
    return [
        Vacation(
            times.word_local_day(span.start, kept.zone),
            times.word_local_day(span.end - _MOMENT, kept.zone),
            is_running=span.start <= now,
        )
        for span in parse_vacations(kept.vacations)
        if span.end > now
    ]


def days_left(kept: PlayerHours, now: datetime) -> int:
    """Return how many vacation days are left this year."""
    return _count_left(kept, today(kept, now).year)


def _lock_settings(connection: Connection, player_id: int) -> PlayerHours:
    return one_of(
        PlayerHours, connection.execute(_SETTINGS_QUERY.where(PlayerRow.id == player_id).with_for_update())
    )


def _store_settings(connection: Connection, player_id: int, hours: PlayerHours, now: datetime) -> None:
    connection.execute(
        update(PlayerRow).where(PlayerRow.id == player_id).values(**hours._asdict(), hours_set_at=now)
    )


# ---------------------------------------------------------------- the words


def _zone(kept: PlayerHours, given: str, _now: datetime) -> tuple[PlayerHours, str]:
    zone = times.check_zone(given)
    return kept._replace(zone=zone), sentence("hours.zone", zone=times.place_of_zone(zone))


def _remind(kept: PlayerHours, given: str, _now: datetime) -> tuple[PlayerHours, str]:
    ladder = parse_reminders(given)
    if ladder is None:
        said = sentence("hours.remind_usual")
    elif ladder:
        said = sentence("hours.remind", spans=given.replace(" ", ", "))
    else:
        said = sentence("hours.remind_off")
    return kept._replace(remind=given), said


def _quiet(kept: PlayerHours, given: str, _now: datetime) -> tuple[PlayerHours, str]:
    quiet = parse_quiet_hours(given, times.load_zone(kept.zone))
    if quiet is None:
        return kept._replace(quiet=given), sentence("hours.quiet_off")
    said = sentence("hours.quiet", first=quiet.first, last=quiet.last, zone=times.place_of_zone(kept.zone))
    return kept._replace(quiet=given), said


def _weekends(kept: PlayerHours, given: str, _now: datetime) -> tuple[PlayerHours, str]:
    if given == "off":
        return kept._replace(weekends=True), sentence(
            "hours.weekends_off", zone=times.place_of_zone(kept.zone)
        )
    return kept._replace(weekends=False), sentence("hours.weekends_on")


def _vacation(kept: PlayerHours, given: str, now: datetime) -> tuple[PlayerHours, str]:
    if given == NEVER:
        return _end_vacations(kept, now)
    first, last = map(date.fromisoformat, given.split())
    booked = _add_vacation(kept, first, last, now)
    days = (last - first).days + 1
    return booked, sentence(
        "hours.vacation", days=days, left=_count_left(booked, first.year), year=first.year
    )


def _add_vacation(kept: PlayerHours, first: date, last: date, now: datetime) -> PlayerHours:
    zone, this_day = times.load_zone(kept.zone), today(kept, now)
    if last < first:
        raise Refused(sentence("hours.ends_before"))
    if first < this_day:
        raise Refused(sentence("hours.is_past", today=this_day.isoformat()))
    if last > this_day + limits.VACATION_AHEAD:
        raise Refused(sentence("hours.far_away"))
    span = Span(max(midnight(first, zone), now), midnight(last + _DAY, zone))
    spans = [each for each in parse_vacations(kept.vacations) if each.end > now - _VACATION_RETENTION]
    if any(each.start < span.end and span.start < each.end for each in spans):
        raise Refused(sentence("hours.overlaps"))
    booked = kept._replace(vacations=format_vacations([*spans, span]))
    for year in range(first.year, last.year + 1):
        if _count_left(booked, year) < 0:
            raise Refused(sentence("hours.too_long", left=_count_left(kept, year), year=year))
    return booked


def _end_vacations(kept: PlayerHours, now: datetime) -> tuple[PlayerHours, str]:
    """End vacations now; the part that has begun still counts."""
    spans = parse_vacations(kept.vacations)
    if all(span.end <= now for span in spans):
        raise Refused(sentence("hours.no_vacation"))
    left = [Span(span.start, min(span.end, now)) for span in spans if span.start < now]
    return kept._replace(vacations=format_vacations(left)), sentence("hours.vacation_off")


def _count_left(kept: PlayerHours, year: int) -> int:
    zone = times.load_zone(kept.zone)
    return limits.VACATION_DAYS - sum(_days(span, zone, year) for span in parse_vacations(kept.vacations))


def _days(span: Span, zone: tzinfo, year: int) -> int:
    """Count the days of a year that a vacation covers."""
    first = max(span.start.astimezone(zone).date(), date(year, 1, 1))
    last = min((span.end - _MOMENT).astimezone(zone).date(), date(year, 12, 31))
    return max((last - first).days + 1, 0)


def today(kept: PlayerHours, now: datetime) -> date:
    """Return the date where a player is."""
    return now.astimezone(times.load_zone(kept.zone)).date()


_HANDLERS = {"zone": _zone, "remind": _remind, "quiet": _quiet, "weekends": _weekends, "vacation": _vacation}
#: The order words about a player's time, and about other settings for all of their games.
WORDS = (*_HANDLERS, *(each.order for each in SETTINGS if each.order))
