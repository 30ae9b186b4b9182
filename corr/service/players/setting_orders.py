"""Changes a player's settings by orders like `quiet 22-7`, from emails or pages."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, update

from corr.game.reminder_times import parse_quiet_hours, parse_reminders
from corr.player_settings import SETTINGS, Setting, find_by_order
from corr.service.players import mail_preferences, publishing, switches, times, vacations
from corr.service.players.switches import Switch
from corr.service.players.times import StoredTimeSettings
from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.orders import Command


def apply_order(connection: Connection, player_id: int, word: Command, now: datetime) -> str:
    """Apply an order about a player's settings; return a confirmation, or raise Refused."""
    if setting := find_by_order(word.word, word.rest):
        return choose(connection, player_id, setting, word.rest)
    if word.word == "mail":
        return mail_preferences.choose_mailing(connection, player_id, word.rest, now)
    if word.word == "page":
        return publishing.set_about(connection, player_id, word.rest.partition(" ")[2])
    deed, given = _HANDLERS[word.word], times.lock_hours(connection, player_id)
    changed, said = deed(given, word.rest, now)
    times.store_hours(connection, player_id, changed, now)
    if changed.zone != given.zone:
        mail_preferences.move_digest(connection, player_id, now)
    return said


def choose(connection: Connection, player_id: int, setting: Setting, choice: str) -> str:
    """Store a player's choice for one of `SETTINGS`; return a confirmation to show."""
    value = setting.choices[choice]
    match setting.name:
        case "page":
            publishing.hide_page(connection, player_id, hidden=bool(value))
        case "checkpoints":
            mail_preferences.set_checkpoint_emails(connection, player_id, wanted=bool(value))
        case _ if setting.switch:
            switches.set_switch(connection, player_id, Switch(setting.switch), on=bool(value))
        case _:
            this = update(PlayerRow).where(PlayerRow.id == player_id)
            connection.execute(this.values({setting.column: value}))
    is_pen_name = setting.name == "publish" and choice == publishing.YES
    pen_name = publishing.make_pen_name(publishing.load_secret(connection), player_id) if is_pen_name else ""
    return sentence(f"setting_answers.{setting.text_key(choice)}", pen_name=pen_name)


def _zone(stored: StoredTimeSettings, given: str, _now: datetime) -> tuple[StoredTimeSettings, str]:
    """Set the time zone; return the changed settings and a confirmation."""
    zone = times.check_zone(given)
    return stored._replace(zone=zone), sentence("hours.zone", zone=times.place_of_zone(zone))


def _remind(stored: StoredTimeSettings, given: str, _now: datetime) -> tuple[StoredTimeSettings, str]:
    """Set how long before a deadline reminders come; return the changed settings and a confirmation."""
    ladder = parse_reminders(given)
    if ladder is None:
        said = sentence("hours.remind_usual")
    elif ladder:
        said = sentence("hours.remind", spans=given.replace(" ", ", "))
    else:
        said = sentence("hours.remind_off")
    return stored._replace(remind=given), said


def _quiet(stored: StoredTimeSettings, given: str, _now: datetime) -> tuple[StoredTimeSettings, str]:
    """Set the hours without reminders; return the changed settings and a confirmation."""
    quiet = parse_quiet_hours(given, times.load_zone(stored.zone))
    if quiet is None:
        return stored._replace(quiet=given), sentence("hours.quiet_off")
    said = sentence("hours.quiet", first=quiet.first, last=quiet.last, zone=times.place_of_zone(stored.zone))
    return stored._replace(quiet=given), said


def _weekends(stored: StoredTimeSettings, given: str, _now: datetime) -> tuple[StoredTimeSettings, str]:
    """Set whether clocks run at weekends; return the changed settings and a confirmation."""
    if given == "off":
        return stored._replace(weekends=True), sentence(
            "hours.weekends_off", zone=times.place_of_zone(stored.zone)
        )
    return stored._replace(weekends=False), sentence("hours.weekends_on")


_HANDLERS = {
    "zone": _zone,
    "remind": _remind,
    "quiet": _quiet,
    "weekends": _weekends,
    "vacation": vacations.change,
}
#: The first words of all orders that change a player's settings.
WORDS = (*_HANDLERS, *(each.order for each in SETTINGS if each.order))
