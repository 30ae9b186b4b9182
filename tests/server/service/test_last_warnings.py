"""The emails before a flag falls, for every setting: the table in `docs/play.md`."""

from __future__ import annotations

from collections.abc import Container
from datetime import timedelta
from email.message import EmailMessage
from itertools import product

import pytest
from sqlalchemy import select

from corr.store.tables import GameRow, SeatRow
from tests.both.service.test_bounces import bounce_email
from tests.support.broken_relay import use_broken_relay
from tests.support.docs import PAGES
from tests.support.table import ANN, BEN, Table, text_of, unwrap

HOUR = timedelta(hours=1)
#: The emails before a flag falls, by the settings of `mail` and `remind`.
EMAILS_BEFORE_FLAG = {
    ("each", "usual"): ("turn", "reminder", "reminder"),
    ("each", "2h"): ("turn", "reminder"),
    ("each", "off"): ("turn", "last warning"),
    ("daily 18", "usual"): ("one a day", "reminder", "reminder"),
    ("daily 18", "2h"): ("one a day", "last warning", "reminder"),
    ("daily 18", "off"): ("one a day", "last warning", "last warning"),
    ("off", "usual"): ("last warning", "last warning"),
    ("off", "2h"): ("last warning", "last warning"),
    ("off", "off"): ("last warning", "last warning"),
}
#: Other settings, which move these emails but never change which ones come.
OTHER_SETTINGS = (
    "quiet off",
    "quiet 22-7",
    "vacation 2026-11-21 2026-11-22",
    "quiet 22-7\nvacation 2026-11-21 2026-11-22",
)
# A bounce of one of these counts, because they are about the turn.
CAN_BOUNCE = {"turn", "reminder", "last warning"}
KINDS = {
    "The game is over": "end",
    "whatever your settings": "last warning",
    "This is a reminder": "reminder",
    "Your turn: reply by": "turn",
}


def kind(email: EmailMessage) -> str:
    """The kind of an email."""
    if email["Subject"] == "[corr] Your games today":
        return "one a day"
    said = unwrap(text_of(email))
    return next((name for says, name in KINDS.items() if says in said), said)


def is_over(table: Table) -> bool:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.state)).scalar_one() == "over"


def begin_game(table: Table, *settings: str) -> int:
    """Begin a game with Ben's settings in which Ann has just moved; return how many emails Ben has had."""
    table.begin()
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    if settings:
        table.reply(BEN, "\n".join(settings))
    before = len(table.emails_to(BEN))
    table.reply(ANN, "g1f3")
    return before


def advance(table: Table, hours: float, step: float = 2.4) -> None:
    """Let time pass until the game is over, at most this long, and do what comes due."""
    until = table.clock() + hours * HOUR
    while table.clock() < until and not is_over(table):
        table.clock.advance(hours=step)
        table.sweep()
        table.run_workers()


def kinds_since(table: Table, before: int) -> list[str]:
    """The kinds of the emails to Ben since then."""
    return [kind(email) for email in table.emails_to(BEN)[before:]]


def until_the_flag(table: Table, before: int, bounced: Container[int]) -> list[str]:
    """The kinds of emails that reached Ben before the game ended; those with these numbers bounced."""
    received: list[str] = []
    seen = 0
    while not is_over(table):
        advance(table, 2.4)
        new = table.emails_to(BEN)[before + seen :]
        for number, email in enumerate(new, seen):
            if number in bounced and kind(email) in CAN_BOUNCE:
                bounce_email(table, email)
            else:
                received.append(kind(email))
        seen += len(new)
    return received


def held(table: Table) -> timedelta:
    """For how long the game has waited for Ben."""
    with table.server.store.reading() as connection:
        return connection.execute(select(SeatRow.held).where(SeatRow.side == "black")).scalar_one()


def test_the_docs_have_the_table() -> None:
    rows = [
        f"| `mail {mail}` | `remind {remind}` | {', '.join(kinds)} |"
        for (mail, remind), kinds in EMAILS_BEFORE_FLAG.items()
    ]

    heads = ["| | | emails before the flag |", "|---|---|---|"]
    assert "\n".join(["", *heads, *rows, ""]) in PAGES["docs/play.md"]


@pytest.mark.parametrize(("settings_pair", "hours"), list(product(EMAILS_BEFORE_FLAG, OTHER_SETTINGS)))
def test_every_player_gets_the_emails_of_the_table_before_the_flag(
    table: Table, settings_pair: tuple[str, str], hours: str
) -> None:
    mail, remind = settings_pair
    before = begin_game(table, f"mail {mail}", f"remind {remind}", hours)

    advance(table, 72 + 48 + 3)

    assert kinds_since(table, before) == [*EMAILS_BEFORE_FLAG[settings_pair], "end"]
    assert held(table) == timedelta()


@pytest.mark.parametrize("mail", ["daily 18", "off"])
def test_two_last_warnings_in_one_night_are_two_emails(table: Table, mail: str) -> None:
    before = begin_game(table, f"mail {mail}", "remind off", "quiet 20-8")

    advance(table, 48)
    advance(table, 27, 0.15)

    assert kinds_since(table, before) == [*EMAILS_BEFORE_FLAG[mail, "off"], "end"]
    assert held(table) == timedelta()


@pytest.mark.parametrize("mail", ["daily 18", "off"])
def test_last_warnings_merged_after_a_night_give_half_a_day_and_another_warning(
    table: Table, mail: str
) -> None:
    before = begin_game(table, f"mail {mail}", "remind off", "quiet 20-8")

    advance(table, 72 + 48 + 3)

    assert kinds_since(table, before) == [*EMAILS_BEFORE_FLAG[mail, "off"], "end"]
    assert held(table) == timedelta(hours=12)


@pytest.mark.parametrize(("settings_pair", "bounced"), list(product(EMAILS_BEFORE_FLAG, [{0}, {1}, {0, 1}])))
def test_nobody_is_flagged_before_two_emails_came_or_the_game_waited_seven_days(
    table: Table, settings_pair: tuple[str, str], bounced: set[int]
) -> None:
    mail, remind = settings_pair
    before = begin_game(table, f"mail {mail}", f"remind {remind}")

    *reached, end = until_the_flag(table, before, bounced)

    assert end == "end"
    assert len(reached) >= 2 or held(table) == timedelta(days=7)


@pytest.mark.parametrize("settings_pair", list(EMAILS_BEFORE_FLAG))
def test_a_flag_waits_seven_days_if_every_email_bounces(table: Table, settings_pair: tuple[str, str]) -> None:
    mail, remind = settings_pair
    before = begin_game(table, f"mail {mail}", f"remind {remind}")

    reached = until_the_flag(table, before, range(99))

    assert set(reached) <= {"one a day", "end"}
    assert held(table) == timedelta(days=7)


@pytest.mark.parametrize("mail", ["each", "daily 18", "off"])
def test_a_flag_waits_while_no_email_goes_out_and_not_for_ever(table: Table, mail: str) -> None:
    before = begin_game(table, f"mail {mail}")
    advance(table, 30)
    relay = use_broken_relay(table)
    relay.unreached = {BEN}

    advance(table, 30 * 24, 6)

    assert is_over(table)
    assert timedelta(days=6) < held(table) <= timedelta(days=7)
    assert "Black is out of time." in table.last_text(ANN)
    assert "end" not in kinds_since(table, before)


def test_a_flag_that_waits_falls_half_a_day_after_the_missing_email(table: Table) -> None:
    before = begin_game(table, "mail off")
    relay = use_broken_relay(table)
    advance(table, 50)
    relay.unreached = {BEN}
    advance(table, 26)
    relay.unreached = set()

    advance(table, 100)

    assert kinds_since(table, before)[-1] == "end"
    assert kinds_since(table, before).count("last warning") >= 2
    assert held(table) == timedelta(hours=12)


def test_a_player_may_still_move_after_the_last_warning(table: Table) -> None:
    begin_game(table, "mail off", "remind off")
    advance(table, 71, 1)

    table.reply(BEN, "g8f6")

    assert "Your move has been made." in table.last_text(BEN)


def test_a_last_warning_has_no_unsubscribe_header(table: Table) -> None:
    begin_game(table, "mail off")

    advance(table, 60)

    assert kind(table.last_email(BEN)) == "last warning"
    assert table.last_email(BEN)["List-Unsubscribe"] is None


def test_a_reminder_that_quiet_hours_bring_forward_replaces_no_last_warning(table: Table) -> None:
    """The last warning is due at 4:56, but a reminder for 6:08 comes at 4:50, before quiet hours."""
    table.clock.advance(minutes=8)
    begin_game(table, "remind 6h", "quiet 5-10")
    table.reply(BEN, "mail off")
    before = len(table.emails_to(BEN))

    advance(table, 48)
    advance(table, 27, 0.05)

    assert kinds_since(table, before) == ["last warning", "end"]
    assert held(table) == timedelta()
