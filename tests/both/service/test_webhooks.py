"""Webhooks, notified devices and feeds tell players that it's their turn, and nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import icalendar
import pytest
from sqlalchemy import func, select

from corr.notifications.push_devices import Push
from corr.service.answer_timing import AnswerPace
from corr.service.players import mailboxes, notification_queue, notifications, push_subscriptions
from corr.service.players.authentication import Visitor
from corr.store.tables import CallRow, NotificationWayRow, PushSubscriptionRow
from tests.support.browser import Browser
from tests.support.https_hosts import Host, respond_with, run_https_host
from tests.support.push_device import decrypt_on_device, public_and_secret
from tests.support.table import ANN, BEN, Table, make_table
from tests.support.waiting import TIMEOUT, join, wait_until


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with run_https_host(tmp_path, respond_with("200 OK")) as host:
        yield host


@pytest.fixture
def with_webhook(table: Table, host: Host) -> Table:
    """A running game in which Ann has a webhook."""
    table.server = replace(table.server, webhook_client=host.client)
    table.begin()
    notifications.add(table.server, visitor(table, ANN), host.url, "json", table.clock())
    return table


def visitor(table: Table, address: str) -> Visitor:
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, address)
    assert who
    return Visitor(who, "Ann", table.clock(), "UTC")


def make_calls(table: Table) -> None:
    """Make all calls that are due."""
    notification_queue.Caller(table.server).call_some(TIMEOUT, lambda: None)


def received(host: Host) -> list[dict[str, Any]]:
    return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in host.requests]


def count(table: Table, kind: type[CallRow | NotificationWayRow]) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(kind)).scalar_one()


def test_a_webhook_hears_of_its_players_turn_and_of_nothing_that_happened(
    with_webhook: Table, host: Host
) -> None:
    with_webhook.play("e2e4", "d7d5")
    make_calls(with_webhook)
    (message,) = received(host)
    assert (message["event"], message["variant"], message["deadline"]) == (
        "turn",
        "Wild 16",
        "2026-11-23T12:00:00+00:00",
    )
    assert set(message) == {"event", "game", "variant", "deadline", "url"}
    assert count(with_webhook, CallRow) == 0


def test_a_webhook_is_called_once_a_turn_and_never_for_the_opponents(with_webhook: Table, host: Host) -> None:
    with_webhook.play("e2e4")
    with_webhook.reply(BEN, "show")
    make_calls(with_webhook)
    assert received(host) == []
    with_webhook.reply(BEN, "e7e5")
    make_calls(with_webhook)
    with_webhook.reply(ANN, "show")
    with_webhook.reply(ANN, "e1e2")
    make_calls(with_webhook)
    assert len(received(host)) == 1


def test_a_webhook_is_not_called_for_a_turn_that_is_over(with_webhook: Table, host: Host) -> None:
    with_webhook.play("e2e4", "e7e5", "d2d4")
    make_calls(with_webhook)
    assert received(host) == []
    assert count(with_webhook, CallRow) == 0


def test_a_failed_call_is_retried_later(with_webhook: Table, host: Host) -> None:
    host.answer = respond_with("503 Busy")
    with_webhook.play("e2e4", "e7e5")
    make_calls(with_webhook)
    assert len(host.requests) == 1
    with_webhook.clock.advance(minutes=2)
    make_calls(with_webhook)
    assert len(host.requests) == 2
    host.answer = respond_with("200 OK")
    with_webhook.clock.advance(minutes=6)
    make_calls(with_webhook)
    make_calls(with_webhook)
    assert len(host.requests) == 3


def test_a_webhook_that_fails_for_three_days_is_switched_off(with_webhook: Table, host: Host) -> None:
    host.answer = respond_with("500 Oh")
    for moves in (("e2e4", "e7e5"), ("d2d4", "d7d5"), ("a2a3", "a7a6")):
        with_webhook.play(*moves)
        make_calls(with_webhook)
        with_webhook.clock.advance(days=1, hours=12)
    with_webhook.run_workers()
    assert count(with_webhook, NotificationWayRow) == 0
    letter = next(
        each for each in with_webhook.emails_to(ANN) if "Your webhook was switched off" in each["Subject"]
    )
    assert host.url.split("?")[0] in "".join(letter.get_body(("plain",)).get_content().split())
    calls = len(host.requests)
    with_webhook.play("b2b3", "b7b6")
    make_calls(with_webhook)
    assert len(host.requests) == calls


def test_a_call_goes_no_sooner_than_an_email_would(with_webhook: Table, host: Host) -> None:
    with_webhook.play("e2e4", "e7e5")
    with_webhook.server = replace(with_webhook.server, pace=AnswerPace(60.0, 1e-9))
    make_calls(with_webhook)
    assert received(host) == []
    with_webhook.clock.advance(seconds=61)
    make_calls(with_webhook)
    assert len(received(host)) == 1


def test_a_test_call_is_made_at_once_and_never_retried(with_webhook: Table, host: Host) -> None:
    ann = visitor(with_webhook, ANN)
    (mine,) = notifications.load_ways(with_webhook.server, ann).webhooks
    host.answer = respond_with("404 Not Found")
    assert "on its way" in notifications.test(with_webhook.server, ann, mine.number, with_webhook.clock())
    make_calls(with_webhook)
    with_webhook.clock.advance(hours=1)
    make_calls(with_webhook)
    (message,) = received(host)
    assert message["event"] == "test"
    (mine,) = notifications.load_ways(with_webhook.server, ann).webhooks
    assert mine.trouble == "The host answered with status 404."


def test_two_callers_at_once_make_one_call(with_webhook: Table, host: Host) -> None:
    with_webhook.play("e2e4", "e7e5")
    assert notification_queue.Caller(with_webhook.server)._take() is not None
    make_calls(with_webhook)
    assert host.requests == []


def test_a_host_that_does_not_answer_delays_no_other(with_webhook: Table, host: Host) -> None:
    looked_up, is_over = list[str](), threading.Event()

    def look_up(name: str, _port: int) -> list[str]:
        looked_up.append(name)
        if name == "slow.example":
            is_over.wait()
        return ["127.0.0.1"]

    with_webhook.server = replace(with_webhook.server, webhook_client=replace(host.client, look_up=look_up))
    for path in "ab":
        url = f"https://slow.example:{host.port}/{path}"
        notifications.add(with_webhook.server, visitor(with_webhook, ANN), url, "json", with_webhook.clock())
    with_webhook.play("e2e4", "e7e5")
    caller = notification_queue.Caller(with_webhook.server)
    slow_call = threading.Thread(target=caller.call_some, args=(TIMEOUT, lambda: None))
    slow_call.start()
    wait_until(lambda: "slow.example" in looked_up, "the slow host is called")
    caller.call_some(TIMEOUT, lambda: None)
    assert (looked_up.count("slow.example"), len(host.requests)) == (1, 1)
    is_over.set()
    join(slow_call)
    assert looked_up.count("slow.example") == 2


def test_a_caller_wakes_another_for_the_calls_that_wait(with_webhook: Table) -> None:
    with_webhook.play("e2e4", "e7e5")
    woken = list[str]()
    notification_queue.Caller(with_webhook.server).call_some(TIMEOUT, lambda: woken.append("another"))
    assert woken


@pytest.mark.parametrize(("retries", "delay"), [(0, 1), (1, 5), (2, 20)])
def test_retries_of_a_call_come_after_growing_delays(
    with_webhook: Table, host: Host, retries: int, delay: int
) -> None:
    host.answer = respond_with("503 Busy")
    with_webhook.play("e2e4", "e7e5")
    with_webhook.server = replace(with_webhook.server, pace=AnswerPace(0.1, 1e-9))
    make_calls(with_webhook)
    with_webhook.clock.advance(seconds=1)
    make_calls(with_webhook)
    for _ in range(retries):
        with_webhook.clock.advance(hours=2)
        make_calls(with_webhook)
    assert len(host.requests) == retries + 1
    with with_webhook.server.store.reading() as connection:
        due = connection.execute(select(CallRow.due_at)).scalar_one()
    assert due - with_webhook.clock() == timedelta(minutes=delay)


def test_the_page_adds_and_removes_webhooks(table: Table, host: Host) -> None:
    table.server = replace(table.server, webhook_client=host.client)
    table.begin()
    ann = Browser(table.app())
    ann.sign_in(table, ANN)
    ann.open("/settings/calls/")
    for url, why in (
        ("http://169.254.169.254/", "leads to a private network"),
        ("http://hooks.example/", "must begin with https://"),
    ):
        assert why in ann.press("Add webhook", url=url, written="json")
    assert "We'll call this web address" in ann.press("Add webhook", url=host.url, written="ntfy")
    ann.press("Send a test")
    make_calls(table)
    assert "and it answered" in ann.open("/settings/calls/")
    assert "Switched off" in ann.press("Remove")


@pytest.mark.parametrize(("kind", "file"), [("calendar", "games.ics"), ("atom", "games.atom")])
def test_a_feed_needs_only_its_secret_address(table: Table, kind: str, file: str) -> None:
    table.begin()
    ann = Browser(table.app())
    ann.sign_in(table, ANN)
    notifications.switch_on(table.server, visitor(table, ANN), kind, table.clock())
    first = notifications.load_ways(table.server, visitor(table, ANN)).feeds[kind]
    stranger = table.app().test_client()
    assert b"Wild 16" in stranger.get(f"/told/{first}/{file}").data
    assert "You have a new address" in notifications.switch_on(
        table.server, visitor(table, ANN), kind, table.clock()
    )
    second = notifications.load_ways(table.server, visitor(table, ANN)).feeds[kind]
    assert [stranger.get(f"/told/{key}/{file}").status_code for key in (first, second)] == [404, 200]
    other = "games.atom" if file == "games.ics" else "games.ics"
    assert stranger.get(f"/told/{second}/{other}").status_code == 404
    assert stranger.get(f"/told/{second}/games.txt").status_code == 404
    notifications.switch_off(table.server, visitor(table, ANN), kind)
    assert stranger.get(f"/told/{second}/{file}").status_code == 404


def test_a_calendar_has_only_its_players_turns(table: Table) -> None:
    table.begin()
    notifications.switch_on(table.server, visitor(table, ANN), "calendar", table.clock())
    key = notifications.load_ways(table.server, visitor(table, ANN)).feeds["calendar"]

    def events() -> int:
        read = icalendar.Calendar.from_ical(table.app().test_client().get(f"/told/{key}/games.ics").data)
        return len(read.walk("VEVENT"))

    assert events() == 1
    table.play("e2e4")
    assert events() == 0
    table.reply(BEN, "e7e5")
    assert events() == 1


# ---------------------------------------------------------------- devices


@pytest.fixture
def with_device(table: Table, host: Host) -> Table:
    """A running game in which Ann has a device; the host plays its push service."""
    table.server = replace(table.server, webhook_client=host.client)
    table.begin()
    place = push_subscriptions.Browser(host.url, *public_and_secret(), "Firefox")
    push_subscriptions.add(table.server, visitor(table, ANN), place, table.clock())
    return table


def device_messages(host: Host) -> list[dict[str, Any]]:
    """What the device was sent, decrypted."""
    bodies = (each.partition(b"\r\n\r\n")[2] for each in host.requests)
    return [json.loads(decrypt_on_device(Push(host.url, {}, body))) for body in bodies]


def test_a_device_hears_of_its_players_turn_and_of_nothing_that_happened(
    with_device: Table, host: Host
) -> None:
    with_device.play("e2e4")
    make_calls(with_device)
    assert device_messages(host) == []
    with_device.reply(BEN, "d7d5")
    make_calls(with_device)
    (message,) = device_messages(host)
    assert message["title"] == "Your turn: Wild 16"
    assert message["body"].endswith(", until Mon 23 Nov 2026, 12:00 UTC")
    assert count(with_device, CallRow) == 0


def ask_for_test(table: Table) -> None:
    ann = visitor(table, ANN)
    (mine,) = push_subscriptions.list_devices(table.server, ann)
    push_subscriptions.ask_for_test(table.server, ann, mine.mark, table.clock())


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
def test_a_device_that_is_gone_is_deleted(with_device: Table, host: Host, status: str) -> None:
    host.answer = respond_with(status)
    with_device.play("e2e4", "d7d5")
    make_calls(with_device)
    assert (count(with_device, CallRow), count(with_device, PushSubscriptionRow)) == (0, 0)


def test_a_device_that_now_belongs_to_another_player_is_not_notified(with_device: Table, host: Host) -> None:
    with_device.play("e2e4", "d7d5")
    place = push_subscriptions.Browser(host.url, *public_and_secret(), "Firefox")
    push_subscriptions.add(with_device.server, visitor(with_device, BEN), place, with_device.clock())
    make_calls(with_device)
    assert host.requests == []
    assert count(with_device, CallRow) == 0


def test_a_failed_notification_of_a_device_is_retried(with_device: Table, host: Host) -> None:
    host.answer = respond_with("503 Busy")
    with_device.play("e2e4", "d7d5")
    make_calls(with_device)
    host.answer = respond_with("201 Created")
    with_device.clock.advance(minutes=2)
    make_calls(with_device)
    assert len(device_messages(host)) == 2
    assert count(with_device, CallRow) == 0


def test_a_test_notification_is_sent_once(with_device: Table, host: Host) -> None:
    ask_for_test(with_device)
    for _ in range(2):
        make_calls(with_device)
        assert [message["title"] for message in device_messages(host)] == ["Test notification"]


def test_a_test_notification_expires_after_ten_minutes(with_device: Table, host: Host) -> None:
    ask_for_test(with_device)
    with_device.clock.advance(minutes=11)
    make_calls(with_device)
    assert (host.requests, count(with_device, CallRow)) == ([], 0)


# ---------------------------------------------------------------- twins


def test_notifications_do_not_depend_on_what_the_opponent_tried(tmp_path: Path) -> None:
    at_once, after_three = (
        all_notifications(tmp_path / name, refused)
        for name, refused in (("a", ()), ("b", ("a7a4", "e8e6", "h7h3")))
    )
    assert "It's your turn in game" in at_once
    assert at_once == after_three


def all_notifications(folder: Path, refused: tuple[str, ...]) -> str:
    """All that Ann gets by webhook, calendar, feed and digest after Ben has tried and moved."""
    folder.mkdir()
    table = make_table(folder)
    with run_https_host(folder, respond_with("200 OK")) as host:
        table.server = replace(table.server, webhook_client=host.client)
        table.begin_by_email()
        ann, files = visitor(table, ANN), {"calendar": "games.ics", "atom": "games.atom"}
        notifications.add(table.server, ann, host.url, "json", table.clock())
        for kind in files:
            notifications.switch_on(table.server, ann, kind, table.clock())
        for player, line in (
            (ANN, "mail daily 13"),
            (ANN, "e2e4"),
            *((BEN, each) for each in refused),
            (BEN, "b8c6"),
        ):
            table.reply(player, line)
        make_calls(table)
        (message,) = received(host)
    keys, stranger = notifications.load_ways(table.server, ann).feeds, table.app().test_client()
    feeds = [stranger.get(f"/told/{keys[kind]}/{file}").text for kind, file in files.items()]
    table.clock.advance(hours=2)
    table.sweep()
    table.run_workers()
    assert "Your games today" in table.last_email(ANN)["Subject"]
    everything = "\n".join([json.dumps(message), *feeds, table.last_text(ANN)]).replace(
        message["game"], "k3x9z"
    )
    table.server.store.close()
    return everything
