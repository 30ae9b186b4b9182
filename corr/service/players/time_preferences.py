"""Sets a player's time preferences, by an order or on a page; games follow them from then on."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from corr import limits
from corr.game.calendar import Span, midnight
from corr.game.reminders import NEVER, ladder_of, quiet_of
from corr.messages import sentence
from corr.service.players import mail_preferences, profile_page, publishing, time_zones
from corr.service.players.hours import Hours, kept_vacations, vacations_of
from corr.store.rows import one_of
from corr.store.tables import Player
from corr.words.errors import Refused
from corr.words.orders import Word

_DAY, _MOMENT = timedelta(days=1), timedelta(microseconds=1)
_KEPT_FOR = timedelta(days=400)
_KEPT = select(
    Player.zone, Player.weekends, Player.vacations, Player.remind, Player.quiet, Player.goes_on_leave
)


class Vacation(NamedTuple):
    """A vacation as its player sees it."""

    first: str
    last: str
    is_running: bool


def of_player(connection: Connection, player_id: int) -> Hours:
    """Return a player's time settings."""
    return one_of(Hours, connection.execute(_KEPT.where(Player.id == player_id)))


def do(connection: Connection, player_id: int, word: Word, now: datetime) -> str:
    """Apply an order about a player's settings; return the answer, or raise Refused."""
    if word.word == _MAIL:
        return mail_preferences.choose(connection, player_id, word.rest, now)
    if word.word == _PUBLISH:
        return publishing.choose(connection, player_id, word.rest)
    if word.word == _PAGE:
        return profile_page.do(connection, player_id, word.rest)
    deed, given = _DEEDS[word.word], _held(connection, player_id)
    changed, said = deed(given, word.rest, now)
    _keep(connection, player_id, changed, now)
    if changed.zone != given.zone:
        mail_preferences.move(connection, player_id, now)
    return said


def go_on_leave_by_itself(connection: Connection, player_id: int, *, on: bool, now: datetime) -> str:
    """Set whether vacation starts by itself when time would run out; return the answer."""
    _keep(connection, player_id, _held(connection, player_id)._replace(goes_on_leave=on), now)
    return sentence("hours.leave_on") if on else sentence("hours.leave_off")


def leave_at_once(connection: Connection, player_id: int, now: datetime) -> Hours | None:
    """Start a vacation now, as long as the days left allow; None without any."""
    kept = _held(connection, player_id)
    first = today(kept, now)
    for days in range(limits.LEAVE_DAYS, 0, -1):
        try:
            gone = _with_vacation(kept, first, first + (days - 1) * _DAY, now)
        except Refused:
            continue
        _keep(connection, player_id, gone, now)
        return gone
    return None


def vacations(kept: Hours, now: datetime) -> list[Vacation]:
    """List a player's vacations that are not over."""
    return [
        Vacation(
            time_zones.day_there(span.start, kept.zone),
            time_zones.day_there(span.end - _MOMENT, kept.zone),
            is_running=span.start <= now,
        )
        for span in vacations_of(kept.vacations)
        if span.end > now
    ]


def days_left(kept: Hours, now: datetime) -> int:
    """Return how many vacation days are left this year."""
    return _left(kept, today(kept, now).year)


def _held(connection: Connection, player_id: int) -> Hours:
    return one_of(Hours, connection.execute(_KEPT.where(Player.id == player_id).with_for_update()))


def _keep(connection: Connection, player_id: int, hours: Hours, now: datetime) -> None:
    connection.execute(
        update(Player).where(Player.id == player_id).values(**hours._asdict(), hours_set_at=now)
    )


# ---------------------------------------------------------------- the words


def _zone(kept: Hours, given: str, _now: datetime) -> tuple[Hours, str]:
    zone = time_zones.zone_of(given)
    return kept._replace(zone=zone), sentence("hours.zone", zone=time_zones.place(zone))


def _remind(kept: Hours, given: str, _now: datetime) -> tuple[Hours, str]:
    ladder = ladder_of(given)
    if ladder is None:
        said = sentence("hours.remind_usual")
    elif ladder:
        said = sentence("hours.remind", spans=given.replace(" ", ", "))
    else:
        said = sentence("hours.remind_off")
    return kept._replace(remind=given), said


def _quiet(kept: Hours, given: str, _now: datetime) -> tuple[Hours, str]:
    quiet = quiet_of(given, time_zones.clock(kept.zone))
    if quiet is None:
        return kept._replace(quiet=given), sentence("hours.quiet_off")
    said = sentence("hours.quiet", first=quiet.first, last=quiet.last, zone=time_zones.place(kept.zone))
    return kept._replace(quiet=given), said


def _weekends(kept: Hours, given: str, _now: datetime) -> tuple[Hours, str]:
    if given == "off":
        return kept._replace(weekends=True), sentence("hours.weekends_off", zone=time_zones.place(kept.zone))
    return kept._replace(weekends=False), sentence("hours.weekends_on")


def _vacation(kept: Hours, given: str, now: datetime) -> tuple[Hours, str]:
    if given == NEVER:
        return _at_work(kept, now)
    first, last = map(date.fromisoformat, given.split())
    booked = _with_vacation(kept, first, last, now)
    days = (last - first).days + 1
    return booked, sentence("hours.vacation", days=days, left=_left(booked, first.year), year=first.year)


def _with_vacation(kept: Hours, first: date, last: date, now: datetime) -> Hours:
    zone, this_day = time_zones.clock(kept.zone), today(kept, now)
    if last < first:
        raise Refused(sentence("hours.ends_before"))
    if first < this_day:
        raise Refused(sentence("hours.is_past", today=this_day.isoformat()))
    if last > this_day + limits.VACATION_AHEAD:
        raise Refused(sentence("hours.far_away"))
    span = Span(max(midnight(first, zone), now), midnight(last + _DAY, zone))
    spans = [each for each in vacations_of(kept.vacations) if each.end > now - _KEPT_FOR]
    if any(each.start < span.end and span.start < each.end for each in spans):
        raise Refused(sentence("hours.overlaps"))
    booked = kept._replace(vacations=kept_vacations([*spans, span]))
    for year in range(first.year, last.year + 1):
        if _left(booked, year) < 0:
            raise Refused(sentence("hours.too_long", left=_left(kept, year), year=year))
    return booked


def _at_work(kept: Hours, now: datetime) -> tuple[Hours, str]:
    """End vacations now; the part that has begun still counts."""
    spans = vacations_of(kept.vacations)
    if all(span.end <= now for span in spans):
        raise Refused(sentence("hours.no_vacation"))
    left = [Span(span.start, min(span.end, now)) for span in spans if span.start < now]
    return kept._replace(vacations=kept_vacations(left)), sentence("hours.vacation_off")


def _left(kept: Hours, year: int) -> int:
    zone = time_zones.clock(kept.zone)
    return limits.VACATION_DAYS - sum(_days(span, zone, year) for span in vacations_of(kept.vacations))


def _days(span: Span, zone: tzinfo, year: int) -> int:
    """Count the days of a year that a vacation covers."""
    first = max(span.start.astimezone(zone).date(), date(year, 1, 1))
    last = min((span.end - _MOMENT).astimezone(zone).date(), date(year, 12, 31))
    return max((last - first).days + 1, 0)


def today(kept: Hours, now: datetime) -> date:
    """Return the date where a player is."""
    return now.astimezone(time_zones.clock(kept.zone)).date()


_MAIL, _PUBLISH, _PAGE = "mail", "publish", "page"
_DEEDS = {"zone": _zone, "remind": _remind, "quiet": _quiet, "weekends": _weekends, "vacation": _vacation}
#: The order words about a player's time, and about other settings for all of their games.
WORDS = (*_DEEDS, _MAIL, _PUBLISH, _PAGE)
