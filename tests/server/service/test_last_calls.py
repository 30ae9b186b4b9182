"""What a player is told before time is lost, whatever they have chosen: the table of `docs/play.md`, run through."""

from __future__ import annotations

from collections.abc import Container
from datetime import timedelta
from email.message import EmailMessage
from itertools import product

import pytest
from sqlalchemy import select

from corr.store.tables import GameRow, SeatRow
from tests.both.service.test_bounces import comes_back
from tests.support.broken_relay import relayed
from tests.support.docs import PAGES
from tests.support.table import ANN, BEN, Table, flat, text_of

HOUR = timedelta(hours=1)
#: By what is chosen with `mail` and with `remind`, the emails before a flag falls.
TOLD = {
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
#: What else is set beside them: it moves the emails, and changes none.
HOURS = (
    "quiet off",
    "quiet 22-7",
    "vacation 2026-11-21 2026-11-22",
    "quiet 22-7\nvacation 2026-11-21 2026-11-22",
)
#: These emails are about the turn, so a bounce counts.
CAN_BOUNCE = {"turn", "reminder", "last warning"}
KINDS = {
    "The game is over": "end",
    "whatever your settings": "last warning",
    "This is a reminder": "reminder",
    "Your turn: reply by": "turn",
}


def kind(letter: EmailMessage) -> str:
    """What an email is, in a word."""
    if letter["Subject"] == "[corr] Your games today":
        return "one a day"
    said = flat(text_of(letter))
    return next((name for says, name in KINDS.items() if says in said), said)


def is_over(table: Table) -> bool:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.state)).scalar_one() == "over"


def begun(table: Table, *words: str) -> int:
    """A game in which Ann has moved, and Ben has chosen; how many emails Ben has had."""
    table.begin()
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    if words:
        table.reply(BEN, "\n".join(words))
    before = len(table.letters(BEN))
    table.reply(ANN, "g1f3")
    return before


def pass_by(table: Table, hours: float, step: float = 2.4) -> None:
    """Time passes until the game is over, so long at most, and what comes due is done."""
    until = table.clock() + hours * HOUR
    while table.clock() < until and not is_over(table):
        table.clock.pass_by(hours=step)
        table.sweep()
        table.work()


def came(table: Table, before: int) -> list[str]:
    """The emails to Ben since then."""
    return [kind(letter) for letter in table.letters(BEN)[before:]]


def until_the_flag(table: Table, before: int, bounced: Container[int]) -> list[str]:
    """The emails to Ben that he got before the game ended; those with these numbers bounced."""
    got: list[str] = []
    seen = 0
    while not is_over(table):
        pass_by(table, 2.4)
        new = table.letters(BEN)[before + seen :]
        for number, letter in enumerate(new, seen):
            if number in bounced and kind(letter) in CAN_BOUNCE:
                comes_back(table, letter)
            else:
                got.append(kind(letter))
        seen += len(new)
    return got


def held(table: Table) -> timedelta:
    """For how long the game has waited for Ben."""
    with table.server.store.reading() as connection:
        return connection.execute(select(SeatRow.held).where(SeatRow.side == "black")).scalar_one()


def test_the_page_has_the_table() -> None:
    rows = [
        f"| `mail {mail}` | `remind {remind}` | {', '.join(told)} |" for (mail, remind), told in TOLD.items()
    ]

    heads = ["| | | emails before the flag |", "|---|---|---|"]
    assert "\n".join(["", *heads, *rows, ""]) in PAGES["docs/play.md"]


@pytest.mark.parametrize(("chosen", "hours"), list(product(TOLD, HOURS)))
def test_nobody_is_flagged_who_was_not_told_twice(table: Table, chosen: tuple[str, str], hours: str) -> None:
    mail, remind = chosen
    before = begun(table, f"mail {mail}", f"remind {remind}", hours)

    pass_by(table, 72 + 48 + 3)

    assert came(table, before) == [*TOLD[chosen], "end"]
    assert held(table) == timedelta()


@pytest.mark.parametrize("mail", ["daily 18", "off"])
def test_two_last_calls_in_one_night_are_two_emails(table: Table, mail: str) -> None:
    before = begun(table, f"mail {mail}", "remind off", "quiet 20-8")

    pass_by(table, 48)
    pass_by(table, 27, 0.15)

    assert came(table, before) == [*TOLD[mail, "off"], "end"]
    assert held(table) == timedelta()


@pytest.mark.parametrize("mail", ["daily 18", "off"])
def test_whose_last_calls_came_as_one_after_a_night_gets_half_a_day_and_another(
    table: Table, mail: str
) -> None:
    before = begun(table, f"mail {mail}", "remind off", "quiet 20-8")

    pass_by(table, 72 + 48 + 3)

    assert came(table, before) == [*TOLD[mail, "off"], "end"]
    assert held(table) == timedelta(hours=12)


@pytest.mark.parametrize(("chosen", "bounced"), list(product(TOLD, [{0}, {1}, {0, 1}])))
def test_nobody_is_flagged_before_two_emails_came_or_the_game_waited_seven_days(
    table: Table, chosen: tuple[str, str], bounced: set[int]
) -> None:
    mail, remind = chosen
    before = begun(table, f"mail {mail}", f"remind {remind}")

    *told, end = until_the_flag(table, before, bounced)

    assert end == "end"
    assert len(told) >= 2 or held(table) == timedelta(days=7)


@pytest.mark.parametrize("chosen", list(TOLD))
def test_a_flag_waits_seven_days_if_every_email_bounces(table: Table, chosen: tuple[str, str]) -> None:
    mail, remind = chosen
    before = begun(table, f"mail {mail}", f"remind {remind}")

    told = until_the_flag(table, before, range(99))

    assert set(told) <= {"one a day", "end"}
    assert held(table) == timedelta(days=7)


@pytest.mark.parametrize("mail", ["each", "daily 18", "off"])
def test_a_flag_waits_while_no_email_goes_out_and_not_for_ever(table: Table, mail: str) -> None:
    before = begun(table, f"mail {mail}")
    pass_by(table, 30)
    relay = relayed(table)
    relay.unreached = {BEN}

    pass_by(table, 30 * 24, 6)

    assert is_over(table)
    assert timedelta(days=6) < held(table) <= timedelta(days=7)
    assert "Black is out of time." in table.says(ANN)
    assert "end" not in came(table, before)


def test_a_flag_that_waits_falls_half_a_day_after_the_missing_email(table: Table) -> None:
    before = begun(table, "mail off")
    relay = relayed(table)
    pass_by(table, 50)
    relay.unreached = {BEN}
    pass_by(table, 26)
    relay.unreached = set()

    pass_by(table, 100)

    assert came(table, before)[-1] == "end"
    assert came(table, before).count("last warning") >= 2
    assert held(table) == timedelta(hours=12)


def test_who_is_called_last_may_still_move(table: Table) -> None:
    begun(table, "mail off", "remind off")
    pass_by(table, 71, 1)

    table.reply(BEN, "g8f6")

    assert "Your move has been made." in table.says(BEN)


def test_a_last_call_names_nothing_that_stops_it(table: Table) -> None:
    begun(table, "mail off")

    pass_by(table, 60)

    assert kind(table.newest(BEN)) == "last warning"
    assert table.newest(BEN)["List-Unsubscribe"] is None
