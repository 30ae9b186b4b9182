"""Orders that wait for their hour: while the game stands still, where its time changes, what the other side sees."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import select, update

from corr.service.admin import metrics
from corr.service.games import moderation
from corr.service.games.moderation import DecreeKind
from corr.service.mail import email_contents
from corr.store.tables import GameRow, InboxRow, SeatRow
from tests.support.broken_relay import relayed
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table, html_of
from tests.support.twin_servers import parted


def decree(table: Table, deed: DecreeKind, detail: str = "") -> None:
    with table.server.store.reading() as connection:
        number = moderation.next_number(connection, 1)
    wish = moderation.check_request(deed, detail, detail, "Olga says so.")
    moderation.decree(table.server, "olga@house.example", 1, str(number), wish, table.clock())
    table.work()


def due_at(table: Table) -> datetime | None:
    """When what waits for its hour is tried."""
    with table.server.store.reading() as connection:
        waits = select(SeatRow.standing_due).where(SeatRow.standing_due.is_not(None))
        return connection.execute(waits).scalar_one_or_none()


def deadline(table: Table) -> datetime:
    with table.server.store.reading() as connection:
        found = connection.execute(select(GameRow.deadline)).scalar_one()
        assert found
        return found


def waiting(table: Table, delay: str = "2-8h") -> None:
    """White's orders wait for their hour."""
    table.begin()
    table.reply(ANN, f"e2e4\nif no capture: d2d4\ndelay {delay}")
    table.reply(BEN, "e7e5")


# ---------------------------------------------------------------- the time of the game


def test_in_a_game_that_stands_still_they_stand_still_too(table: Table) -> None:
    waiting(table)
    before = due_at(table)
    table.clock.pass_by(hours=1)
    decree(table, DecreeKind.PAUSE)
    table.clock.pass_by(days=5)
    assert table.sweep() == 0
    decree(table, DecreeKind.RESUME)
    after = due_at(table)

    assert before
    assert after
    assert (after - before).days == 5
    assert table.sweep() == 0
    table.clock.pass_by(hours=8)
    assert table.sweep() == 1
    assert "Your move has been made" in table.says(ANN)


def test_what_is_put_off_while_the_game_stands_still_is_tried_before_its_time_is_over(table: Table) -> None:
    waiting(table)
    table.clock.pass_by(days=2)
    decree(table, DecreeKind.PAUSE)
    table.clock.pass_by(days=9)
    table.reply(ANN, "delay 900h")
    table.clock.pass_by(days=9)
    decree(table, DecreeKind.RESUME)

    due = due_at(table)
    assert due
    assert table.clock() <= due < deadline(table)


def test_a_time_that_becomes_shorter_does_not_run_out_before_they_are_tried(table: Table) -> None:
    """A letter about the turn is late, and the time waits for it for days, until its reader looks at the page."""
    table.begin()
    relayed(table).refused = {ANN}
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2h")
    table.reply(BEN, "e7e5")
    table.sweep()
    table.work()
    table.reply(ANN, "delay 240h")
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).values(opened=SeatRow.telling, opened_at=table.clock()))
    table.clock.pass_by(hours=1)
    table.sweep()

    due = due_at(table)
    assert due
    assert due < deadline(table)


@pytest.mark.parametrize("end", ["white", "draw", "void"])
def test_a_game_that_the_operator_ends_tries_nothing_more(table: Table, end: str) -> None:
    waiting(table)
    decree(table, DecreeKind.ADJUDICATE, end)
    table.clock.pass_by(hours=9)

    assert due_at(table) is None
    assert table.sweep() == 0


def test_more_time_makes_them_wait_no_longer(table: Table) -> None:
    waiting(table)
    before = due_at(table)
    decree(table, DecreeKind.EXTEND, "3")

    assert due_at(table) == before


# ---------------------------------------------------------------- the other side


def test_what_came_of_them_is_told_to_nobody_else(table: Table, tmp_path: Path) -> None:
    """The letter about the turn was given up, and the one that tells that none of them was a move goes out."""
    table.begin()
    table.play("e2e4")
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    game = f"/games/{str(table.letters(BEN)[0]['Subject'])[-6:-1]}"
    twins = parted(table, tmp_path / "twins", ben)
    for twin, delay in ((twins.one, "2h"), (twins.other, "40h")):
        about = [each for each in twin.table.letters(ANN) if "Sign in" not in str(each["Subject"])]
        twin.table.reply(ANN, f"if no capture: e1e3, a1a8\ndelay {delay}", to=about[-1])
        relay = relayed(twin.table)
        twin.app = twin.table.at_work()
        relay.refused = {ANN}
        about = [each for each in twin.table.letters(BEN) if "Signing" not in str(each["Subject"])]
        twin.table.reply(BEN, "e7e5", to=about[-1], message_id="black@mail.example")
        twin.table.sweep()
        relay.refused = set()

    for hour in range(30):
        for twin in (twins.one, twins.other):
            twin.table.clock.pass_by(hours=1)
            twin.table.sweep()
            twin.table.work()
        for path in (game, "/games/"):
            one, other = twins.answers(path)
            assert one == other, (hour, path)
        seen = [metrics.measure(twin.table.server, twin.table.clock()) for twin in (twins.one, twins.other)]
        assert seen[0] == seen[1], hour
    assert twins.one.letters(BEN) == twins.other.letters(BEN)
    assert "I tried your orders for this turn" in twins.one.table.says(ANN)
    assert deadline(twins.one.table) != deadline(twins.other.table)
    twins.close()


# ---------------------------------------------------------------- what their owner writes meanwhile

WAITS = "Your orders for this turn will be tried later"
ENDED = "This replaces your earlier orders for this turn."


@pytest.mark.parametrize(
    "text", ["N@f3", "any?", "e4e5q, N@f5", "Nf3", "e4e5\nd2d3", "help", "note a note", "Thank you!"]
)
def test_what_does_nothing_on_the_board_leaves_them_waiting_and_says_so(table: Table, text: str) -> None:
    waiting(table)
    table.reply(ANN, text)

    assert WAITS in table.says(ANN)
    assert ENDED not in table.says(ANN)
    table.clock.pass_by(hours=9)
    assert table.sweep() == 1
    assert "Your move has been made" in table.says(ANN)


@pytest.mark.parametrize("text", ["e1e3", "e4e5, a1a8"])
def test_what_was_tried_by_hand_takes_their_place_and_says_so(table: Table, text: str) -> None:
    waiting(table)
    table.reply(ANN, text)

    assert ENDED in table.says(ANN)
    assert WAITS not in table.says(ANN)
    table.clock.pass_by(hours=9)
    assert table.sweep() == 0


def test_who_moves_by_hand_is_not_told_what_goes_without_saying(table: Table) -> None:
    waiting(table)
    table.reply(ANN, "g1f3")

    assert "Your move has been made" in table.says(ANN)
    assert ENDED not in table.says(ANN)
    assert due_at(table) is None


def test_after_a_letter_that_could_not_be_read_they_are_not_tried_and_their_owner_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have taken them back; and it holds nothing up for longer than it takes to put it aside."""
    waiting(table)
    table.clock.pass_by(hours=9)
    with monkeypatch.context() as broken:
        broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
        table.post(table.letter(ANN, "cancel"))
        for _ in range(5):
            assert table.sweep() == 0
            table.clock.pass_by(minutes=10)

    assert "it's our fault. I did nothing" in table.says(ANN)
    deleted = "I deleted the orders you gave in advance, in case you meant to take them back:"
    assert f"{deleted}\n| if no capture: d2d4" in table.says(ANN)
    assert due_at(table) is None
    assert table.sweep() == 0


def test_a_letter_by_which_every_worker_died_holds_them_up_no_longer(table: Table) -> None:
    waiting(table)
    table.post(table.letter(ANN, "cancel"))
    with table.server.store.writing() as connection:
        unread_rows = update(InboxRow).where(InboxRow.read_at.is_(None))
        connection.execute(unread_rows.values(tries=99))
    table.clock.pass_by(hours=9)

    assert table.sweep() == 1
    assert "Your move has been made" in table.says(ANN)


# ---------------------------------------------------------------- what an older release has kept


def kept_by_an_older_release(table: Table) -> None:
    with table.server.store.writing() as connection:
        kept = update(SeatRow).where(SeatRow.standing.is_not(None))
        assert connection.execute(kept.values(standing="when captured, retake")).rowcount == 1


UNREAD = "because an older version of corr saved these orders and I can't read them:\n| when captured, retake"


def test_what_is_read_no_more_ends_when_the_turn_comes_and_its_owner_is_told(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    kept_by_an_older_release(table)
    table.reply(BEN, "e7e5")

    assert UNREAD in table.says(ANN)
    table.reply(ANN, "d2d4")
    assert "Your move has been made" in table.says(ANN)


def test_what_is_read_no_more_ends_at_its_hour_too(table: Table) -> None:
    waiting(table)
    kept_by_an_older_release(table)
    table.reply(ANN, "show")
    table.clock.pass_by(hours=9)

    assert table.sweep() == 1
    assert UNREAD in table.says(ANN)
    assert due_at(table) is None
    assert table.sweep() == 0


@pytest.mark.parametrize("text", ["cancel", "if check: e1e2"])
def test_what_is_read_no_more_can_be_taken_back_and_replaced(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    kept_by_an_older_release(table)
    table.reply(ANN, text)
    table.reply(BEN, "e7e5")

    assert "when captured" not in table.says(ANN)


def test_whether_orders_are_read_is_no_news_before_they_are_tried(table: Table) -> None:
    """Its owner would learn from the hour of such a letter that the other side has tried something."""
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    kept_by_an_older_release(table)
    letters = len(table.letters(ANN))
    table.reply(BEN, "show")
    table.reply(BEN, "e7e4")

    assert len(table.letters(ANN)) == letters


# ---------------------------------------------------------------- what came when the turn had come already


@pytest.mark.parametrize("text", ["d2d4", "d2d4, g1f3", "d2d4.", "o-o"])
def test_a_move_that_the_other_sides_overtook_is_asked_about_and_ready_to_be_sent(
    table: Table, text: str
) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    waits = table.newest(ANN)
    table.reply(BEN, "e7e5")
    table.post(table.letter(ANN, text, to=waits))
    table.work()

    said = table.says(ANN)
    assert "ben moved before this arrived, so I did nothing" in said
    assert "If you still want this, send it again in reply to this email" in said
    assert quote(text.removesuffix(".")) in html_of(table.newest(ANN))
    table.reply(ANN, text)
    assert "The umpire says: Black's move" in table.says(ANN) or "Illegal move" in table.says(ANN)


def test_what_hangs_on_a_move_that_was_made_already_is_not_kept_and_says_what_to_do(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    waits = table.newest(ANN)
    table.reply(BEN, "e7e5")
    table.post(table.letter(ANN, "if capture: d2d4; else g1f3", to=waits))
    table.work()

    assert "moved before this arrived, so I did nothing" in table.says(ANN)
    assert "reply to this email with the move you want" in table.says(ANN)


def test_an_answer_to_a_letter_of_an_earlier_turn_is_old(table: Table) -> None:
    table.begin()
    first = table.newest(ANN)
    table.play("e2e4", "e7e5")
    table.post(table.letter(ANN, "d2d4", to=first))
    table.work()

    assert "You answered an older email: a move has been made since" in table.says(ANN)
