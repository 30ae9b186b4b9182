"""A turn's clock waits until its player has heard of it; the opponent learns only that our email is late."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from corr.service import worker_rounds
from corr.service.games.moderation import DecreeKind
from corr.service.mail import email_contents
from corr.service.players import authentication
from corr.store.tables import GameRow, PlayerRow, SeatRow
from tests.server.service.test_moderation import decree
from tests.support.broken_relay import use_broken_relay
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, NOON, Table, text_of, unwrap
from tests.support.twin_servers import make_twins

TROUBLE = "We haven't been able to deliver our email to"
CLASHING = (
    "deploy Ke1 Qd1 Ra1 Rh1 Ba3 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 f2 g2 h2",
    "deploy Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 a7 b7 c7 d7 e6 f7 g7 h7",
)
LATE = "Our email to"


def advance(table: Table, span: timedelta, step: timedelta = timedelta(hours=4)) -> None:
    """Let time pass, and do what comes due."""
    until = table.clock() + span
    while table.clock() < until:
        table.clock.moment = min(table.clock() + step, until)
        table.sweep()
        table.run_workers()


def retry_emails(table: Table) -> None:
    """Let enough time pass for delayed emails to be tried again."""
    advance(table, timedelta(hours=7), timedelta(hours=1))


def days(count: float) -> timedelta:
    return timedelta(days=count)


def is_over(table: Table) -> bool:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.state)).scalar_one() == "over"


def times(table: Table) -> tuple[datetime | None, datetime | None]:
    with table.server.store.reading() as connection:
        deadline = connection.execute(select(GameRow.deadline)).scalar_one()
        remind_at = connection.execute(select(func.min(SeatRow.remind_at))).scalar_one()
        return deadline, remind_at


def texts(table: Table, player: str) -> Iterable[str]:
    return [unwrap(text_of(email)) for email in table.emails_to(player)]


def table_of(table: Table, player: str) -> Browser:
    """A player's browser, signed in without an email."""
    browser = Browser(table.app_with_workers())
    with browser.client.session_transaction() as cookie:
        cookie["in"] = authentication.sign_in_directly(table.server, player, table.clock()).secret
    return browser


def page(table: Table) -> str:
    with table.server.store.reading() as connection:
        return f"/games/{connection.execute(select(GameRow.code)).scalar_one()}"


def shown(table: Table, player: str) -> str:
    """The text of the game's page."""
    return table_of(table, player).open(page(table))


def test_a_relay_that_is_down_for_days_costs_nobody_time(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.is_down = True
    table.reply(ANN, "e2e4")
    advance(table, days(2.9))

    relay.is_down = False
    advance(table, timedelta(hours=8))
    back = table.clock()
    advance(table, days(2.6))

    assert not is_over(table)
    deadline, _ = times(table)
    assert deadline
    assert back - timedelta(hours=8) + days(3) <= deadline <= back + days(3)
    advance(table, days(0.5))
    assert is_over(table)
    assert "Black has not moved in time." in table.last_text(BEN)


def test_the_opponent_hears_that_our_email_is_late_and_when_it_went_out(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.unreached = {BEN}
    table.reply(ANN, "e2e4")
    advance(table, days(1))
    assert TROUBLE in table.last_text(ANN)
    assert (
        "Black's clock starts when we deliver it, when Black opens the game's page, "
        "or on Fri 27 Nov 2026, 12:00 UTC at the latest." in table.last_text(ANN)
    )
    assert sum(TROUBLE in each for each in texts(table, ANN)) == 1

    relay.unreached = set()
    retry_emails(table)

    assert LATE in table.last_text(ANN)
    assert "550" not in table.last_text(ANN)
    assert "until Tue" not in table.last_text(ANN)
    emails = table.emails_to(BEN)
    assert "Our email about this turn went out late" in table.last_text(BEN)
    retry_emails(table)
    assert len(table.emails_to(BEN)) == len(emails)


def test_a_late_email_states_the_new_deadline(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.unreached = {BEN}
    table.reply(ANN, "e2e4")
    advance(table, days(1))
    relay.unreached = set()
    retry_emails(table)

    deadline, _ = times(table)
    assert deadline
    assert f"Your turn: reply by {deadline:%a %d %b %Y, %H:%M} UTC." in table.last_text(BEN)


def test_a_dead_mailbox_delays_a_game_by_seven_days_at_most(table: Table) -> None:
    table.begin()
    use_broken_relay(table).refused = {BEN}
    table.reply(ANN, "e2e4")
    table.sweep()
    assert TROUBLE in table.last_text(ANN)

    advance(table, days(9.9), days(0.1))
    assert not is_over(table)

    advance(table, days(0.2), days(0.1))
    assert is_over(table)


def test_the_seven_days_are_for_the_whole_game(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.refused = {BEN}
    table.reply(ANN, "e2e4")
    advance(table, days(5), days(0.1))
    browser = table_of(table, BEN)
    browser.open(page(table))
    browser.send("e7e5")
    table.reply(ANN, "g1f3")

    advance(table, days(4.9), days(0.1))
    assert not is_over(table)
    advance(table, days(0.3), days(0.1))
    assert is_over(table)


@pytest.mark.parametrize("hours", [0.5, 24])
def test_opening_the_page_starts_the_clock(table: Table, hours: float) -> None:
    table.begin()
    use_broken_relay(table).refused = {BEN}
    table.reply(ANN, "e2e4")
    advance(table, timedelta(hours=hours), timedelta(minutes=15))
    seen = shown(table, BEN)
    heard = table.clock()
    assert f"until {heard + days(3):%a %d %b, %H:%M} UTC" in seen

    advance(table, days(2.9))
    assert f"until {heard + days(3):%a %d %b, %H:%M} UTC" in shown(table, BEN)
    assert not is_over(table)
    advance(table, days(0.2))
    assert is_over(table)


def test_with_emails_off_the_clock_starts_at_once(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.is_down = True
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.address == BEN).values(mailing="off"))
    table.reply(ANN, "e2e4")

    advance(table, days(2))
    relay.is_down = False
    advance(table, days(0.9))
    assert not is_over(table)
    advance(table, days(0.2))
    assert is_over(table)


def test_a_slightly_late_email_moves_the_deadline_without_extra_emails(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.unreached = {BEN}
    table.reply(ANN, "e2e4")
    table.clock.advance(minutes=40)
    relay.unreached = set()
    table.run_workers()
    emails = len(table.all_emails())

    advance(table, timedelta(days=2, hours=23, minutes=50))
    assert "This is a reminder" in table.last_text(BEN)
    raw = table.reply_email(BEN, "e7e5")
    table.deliver(raw)
    table.run_workers()

    assert "Your move has been made." in table.last_text(BEN)
    assert not any(LATE in each or TROUBLE in each for each in texts(table, ANN))
    assert len(table.all_emails()) == emails + 4  # two reminders, an answer, and a turn


def test_the_reminder_moves_with_the_deadline(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.unreached = {BEN}
    table.reply(ANN, "e2e4")
    advance(table, days(1))
    relay.unreached = set()
    retry_emails(table)
    deadline, remind_at = times(table)
    assert deadline
    assert remind_at == deadline - days(3) * 0.5

    advance(table, remind_at - table.clock() - timedelta(hours=1))
    assert "This is a reminder" not in table.last_text(BEN)
    advance(table, timedelta(hours=2))
    assert "This is a reminder" in table.last_text(BEN)


def test_a_later_email_does_not_restart_a_running_clock(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    relay = use_broken_relay(table)
    relay.is_down = True
    table.clock.advance(hours=5)
    decree(table, DecreeKind.EXTEND, "1")
    advance(table, days(1))
    relay.is_down = False
    retry_emails(table)

    assert times(table)[0] == NOON + days(4)
    assert not any(LATE in each or TROUBLE in each for each in texts(table, ANN))


def test_a_pause_while_an_email_is_late_changes_no_time(table: Table) -> None:
    table.begin()
    relay = use_broken_relay(table)
    relay.unreached = {BEN}
    table.reply(ANN, "e2e4")
    advance(table, days(1))
    decree(table, DecreeKind.PAUSE)
    advance(table, days(1))
    relay.unreached = set()
    advance(table, days(1))
    decree(table, DecreeKind.RESUME)
    table.sweep()

    assert times(table)[0] == table.clock() + days(3)


@pytest.mark.parametrize("paused", [0, 6], ids=["before the pause", "in the pause"])
def test_the_wait_counts_in_full_if_the_email_goes_out_around_a_pause(table: Table, paused: float) -> None:
    """The email goes out after a day, and the opponent hears of it only after the pause."""
    table.begin()
    relay = use_broken_relay(table)
    relay.refused = {BEN}
    table.reply(ANN, "e2e4")
    advance(table, days(1))
    if paused:
        decree(table, DecreeKind.PAUSE)
    table.clock.advance(hours=paused)
    relay.refused = set()
    worker_rounds.revive(table.server, table.clock())
    table.send_emails()
    if not paused:
        decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=2)
    decree(table, DecreeKind.RESUME)
    advance(table, timedelta(hours=1))
    assert LATE in table.last_text(ANN)
    table.reply(BEN, "e7e5")

    relay.refused = {BEN}
    table.reply(ANN, "g1f3")
    since = table.clock()
    advance(table, timedelta(hours=1))

    assert f"or on {since + days(6):%a %d %b %Y, %H:%M} UTC at the latest" in table.last_text(ANN)


def queue_deployment_emails(table: Table) -> None:
    """Both have accepted a game with deployment; its emails are queued but not sent."""
    table.challenge(variant="assassin")
    table.reply(ANN, "accept")
    table.deliver(table.reply_email(BEN, "accept"))


def test_the_deadline_for_deployment_waits_for_the_later_email(table: Table) -> None:
    queue_deployment_emails(table)
    relay = use_broken_relay(table)
    relay.unreached = {ANN}
    table.run_workers()
    advance(table, days(2))
    relay.unreached = set()
    retry_emails(table)
    deadline, _ = times(table)
    assert deadline
    assert NOON + days(5) <= deadline <= NOON + days(5.5)
    for player in (ANN, BEN):
        assert f"Deploy your pieces by {deadline:%a %d %b %Y, %H:%M} UTC." in table.last_text(player)

    advance(table, deadline - table.clock())
    assert not is_over(table)
    advance(table, days(0.1))
    assert is_over(table)


def test_no_page_says_that_a_waiting_deadline_ran_out(table: Table) -> None:
    queue_deployment_emails(table)
    use_broken_relay(table).refused = {ANN}
    table.run_workers()
    for _ in range(9):
        advance(table, days(1))
        for player in (ANN, BEN):
            seen = shown(table, player)
            assert "Deploy your pieces" in seen
            assert "ran out" not in seen
    assert not is_over(table)

    advance(table, days(1.1))
    assert is_over(table)


def test_an_unreadable_email_does_not_start_the_clock_of_an_unreached_opponent(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue_deployment_emails(table)
    relay = use_broken_relay(table)
    relay.unreached = {ANN}
    table.run_workers()
    with monkeypatch.context() as broken:
        broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
        table.deliver(table.reply_email(BEN, "deploy home"))
        advance(table, timedelta(hours=1), timedelta(minutes=10))
    assert "it's our fault. I did nothing" in table.last_text(BEN)
    advance(table, days(4))

    assert not is_over(table)
    assert TROUBLE in table.last_text(BEN)


@pytest.mark.parametrize("late", [{ANN}, {ANN, BEN}], ids=["one was late", "both were late"])
def test_a_side_that_waited_keeps_the_time_it_was_shown(table: Table, late: set[str]) -> None:
    queue_deployment_emails(table)
    relay = use_broken_relay(table)
    relay.unreached = set(late)
    table.run_workers()
    advance(table, days(1))
    relay.unreached = {ANN}
    advance(table, days(1.5))
    relay.refused = {ANN}
    advance(table, days(1))
    browser = table_of(table, ANN)
    browser.open(page(table))
    browser.send(CLASHING[0])
    assert times(table)[0] == table.clock() + days(3)
    advance(table, days(2.9))

    assert not is_over(table)
    advance(table, days(0.2))
    assert is_over(table)


def test_a_game_does_not_wait_for_a_side_that_has_deployed(table: Table) -> None:
    """The time the opponent takes to deploy doesn't count towards the seven days."""
    queue_deployment_emails(table)
    use_broken_relay(table).refused = {ANN}
    table.run_workers()
    advance(table, days(1))
    browser = table_of(table, ANN)
    browser.open(page(table))
    browser.send(CLASHING[0])
    advance(table, days(2))
    table.reply(BEN, CLASHING[1])
    assert "clash" in table.last_text(BEN)
    again = table.clock()
    advance(table, timedelta(hours=2))

    assert times(table)[0] == again + days(1.5) + days(6)


@pytest.mark.parametrize("unreached", [{BEN}, {ANN, BEN}], ids=["one is late", "both are late"])
def test_during_deployment_nothing_reveals_that_the_opponent_opened_the_page(
    table: Table, tmp_path: Path, unreached: set[str]
) -> None:
    queue_deployment_emails(table)
    ann = table_of(table, ANN)
    game = page(table)
    twins = make_twins(table, tmp_path / "twins", ann)
    relays = {}
    for twin in (twins.one, twins.other):
        relays[id(twin)] = relay = use_broken_relay(twin.table)
        relay.unreached = set(unreached)
        twin.app = twin.table.app_with_workers()
        random.seed(0)
        twin.table.run_workers()

    for hour in range(3 * 24 + 12):
        for twin in (twins.one, twins.other):
            relays[id(twin)].unreached -= {ANN} if hour == 12 else set()
            random.seed(hour)  # decides how long an email is delayed
            advance(twin.table, timedelta(hours=1))
        if hour == 6:
            shown(twins.one.table, BEN)
        if hour % 12 == 7 or hour > 72:
            for path in (game, "/games/"):
                one, other = twins.answers(path)
                assert one == other, (hour, path)
    assert twins.one.emails_to(ANN) == twins.other.emails_to(ANN)
    twins.close()


@pytest.mark.parametrize("event", ["opens the game's page", "gets an answer"])
def test_nothing_reveals_that_the_mover_got_another_email_or_opened_the_page(
    table: Table, tmp_path: Path, event: str
) -> None:
    """The email about the turn was refused; later ones, an answer or a reminder, are not."""
    table.begin()
    ann = table_of(table, ANN)
    game = page(table)
    twins = make_twins(table, tmp_path / "twins", ann)
    for twin in (twins.one, twins.other):
        relay = use_broken_relay(twin.table)
        twin.app = twin.table.app_with_workers()
        relay.refused = {BEN}
        twin.table.reply(ANN, "e2e4")
        advance(twin.table, timedelta(hours=2))
        relay.refused = set()
    if event == "gets an answer":
        twins.one.table.reply(BEN, "show")
    else:
        shown(twins.one.table, BEN)

    for day in range(6):
        for twin in (twins.one, twins.other):
            advance(twin.table, days(0.4))
        for path in (game, "/games/"):
            one, other = twins.answers(path)
            assert one == other, (day, path)
    assert twins.one.emails_to(ANN) == twins.other.emails_to(ANN)
    assert "This is a reminder" in twins.one.table.last_text(BEN)
    for twin in (twins.one, twins.other):
        advance(twin.table, days(1))
    assert [is_over(twin.table) for twin in (twins.one, twins.other)] == [True, False]
    twins.close()


@pytest.mark.parametrize("back", [36, 100], ids=["delivered", "never delivered"])
def test_nothing_reveals_when_the_mover_opened_the_page(table: Table, tmp_path: Path, back: int) -> None:
    """On both twin servers an email is late; on one of them its reader opens the page at once."""
    table.begin()
    ann = table_of(table, ANN)
    game = page(table)
    twins = make_twins(table, tmp_path / "twins", ann)
    for twin in (twins.one, twins.other):
        relay = use_broken_relay(twin.table)
        relay.unreached = {BEN}
        twin.app = twin.table.app_with_workers()
        random.seed(0)
        twin.table.reply(ANN, "e2e4")
    shown(twins.one.table, BEN)

    for hour in range(2 * 24):
        for twin in (twins.one, twins.other):
            if hour == back:
                twin.table.server.mailer.unreached = set()  # type: ignore[attr-defined]
            random.seed(hour)  # decides how long an email is delayed
            advance(twin.table, timedelta(hours=1))
        if hour % 12 == 1 or hour > 40:
            for path in (game, "/games/"):
                one, other = twins.answers(path)
                assert one == other, (hour, path)
    assert twins.one.emails_to(ANN) == twins.other.emails_to(ANN)
    assert times(twins.one.table) != times(twins.other.table)
    twins.close()
