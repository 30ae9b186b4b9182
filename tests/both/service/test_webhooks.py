"""Whose turn it is, is called at web addresses of their own, and finds it in feeds."""

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
from tests.support.https_hosts import Host, hosted, says
from tests.support.push_device import opened_by_device, public_and_secret
from tests.support.table import ANN, BEN, Table, lay
from tests.support.waiting import PATIENCE, join, wait_until


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path, says("200 OK")) as host:
        yield host


@pytest.fixture
def called(table: Table, host: Host) -> Table:
    """A house in which Ann is called, at a game that has begun."""
    table.server = replace(table.server, webhook_client=host.wire)
    table.begin()
    notifications.add(table.server, visitor(table, ANN), host.url, "json", table.clock())
    return table


def visitor(table: Table, address: str) -> Visitor:
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, address)
    assert who
    return Visitor(who, "Ann", table.clock(), "UTC")


def call(table: Table) -> None:
    """Make all calls that are due."""
    notification_queue.Caller(table.server).call_some(PATIENCE, lambda: None)


def heard(host: Host) -> list[dict[str, Any]]:
    return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in host.heard]


def count(table: Table, kind: type[CallRow | NotificationWayRow]) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(kind)).scalar_one()


def test_ones_turn_is_called_and_nothing_of_what_has_happened(called: Table, host: Host) -> None:
    called.play("e2e4", "d7d5")
    call(called)
    (told,) = heard(host)
    assert (told["event"], told["variant"], told["deadline"]) == (
        "turn",
        "Wild 16",
        "2026-11-23T12:00:00+00:00",
    )
    assert set(told) == {"event", "game", "variant", "deadline", "url"}
    assert count(called, CallRow) == 0


def test_nobody_is_called_for_the_other_sides_turn_nor_twice(called: Table, host: Host) -> None:
    called.play("e2e4")
    called.reply(BEN, "show")
    call(called)
    assert heard(host) == []
    called.reply(BEN, "e7e5")
    call(called)
    called.reply(ANN, "show")
    called.reply(ANN, "e1e2")
    call(called)
    assert len(heard(host)) == 1


def test_a_turn_that_is_over_is_not_called(called: Table, host: Host) -> None:
    called.play("e2e4", "e7e5", "d2d4")
    call(called)
    assert heard(host) == []
    assert count(called, CallRow) == 0


def test_what_does_not_get_through_is_tried_again_later(called: Table, host: Host) -> None:
    host.answer = says("503 Busy")
    called.play("e2e4", "e7e5")
    call(called)
    assert len(host.heard) == 1
    called.clock.pass_by(minutes=2)
    call(called)
    assert len(host.heard) == 2
    host.answer = says("200 OK")
    called.clock.pass_by(minutes=6)
    call(called)
    call(called)
    assert len(host.heard) == 3


def test_a_place_to_which_nothing_gets_through_for_three_days_is_called_no_more(
    called: Table, host: Host
) -> None:
    host.answer = says("500 Oh")
    for moves in (("e2e4", "e7e5"), ("d2d4", "d7d5"), ("a2a3", "a7a6")):
        called.play(*moves)
        call(called)
        called.clock.pass_by(days=1, hours=12)
    called.work()
    assert count(called, NotificationWayRow) == 0
    letter = next(each for each in called.letters(ANN) if "Your webhook was switched off" in each["Subject"])
    assert host.url.split("?")[0] in "".join(letter.get_body(("plain",)).get_content().split())
    asked = len(host.heard)
    called.play("b2b3", "b7b6")
    call(called)
    assert len(host.heard) == asked


def test_a_call_goes_no_sooner_than_a_letter_would(called: Table, host: Host) -> None:
    called.play("e2e4", "e7e5")
    called.server = replace(called.server, pace=AnswerPace(60.0, 1e-9))
    call(called)
    assert heard(host) == []
    called.clock.pass_by(seconds=61)
    call(called)
    assert len(heard(host)) == 1


def test_a_test_is_sent_at_once_and_never_again(called: Table, host: Host) -> None:
    ann = visitor(called, ANN)
    (mine,) = notifications.load_ways(called.server, ann).webhooks
    host.answer = says("404 Not Found")
    assert "on its way" in notifications.test(called.server, ann, mine.number, called.clock())
    call(called)
    called.clock.pass_by(hours=1)
    call(called)
    (told,) = heard(host)
    assert told["event"] == "test"
    (mine,) = notifications.load_ways(called.server, ann).webhooks
    assert mine.trouble == "The host answered with status 404."


def test_two_who_call_at_once_make_one_call(called: Table, host: Host) -> None:
    called.play("e2e4", "e7e5")
    assert notification_queue.Caller(called.server)._take() is not None
    call(called)
    assert host.heard == []


def test_a_host_that_does_not_answer_holds_up_no_other(called: Table, host: Host) -> None:
    asked, is_over = list[str](), threading.Event()

    def look_up(name: str, _port: int) -> list[str]:
        asked.append(name)
        if name == "slow.example":
            is_over.wait()
        return ["127.0.0.1"]

    called.server = replace(called.server, webhook_client=replace(host.wire, look_up=look_up))
    for path in "ab":
        url = f"https://slow.example:{host.port}/{path}"
        notifications.add(called.server, visitor(called, ANN), url, "json", called.clock())
    called.play("e2e4", "e7e5")
    caller = notification_queue.Caller(called.server)
    waits = threading.Thread(target=caller.call_some, args=(PATIENCE, lambda: None))
    waits.start()
    wait_until(lambda: "slow.example" in asked, "the slow host is called")
    caller.call_some(PATIENCE, lambda: None)
    assert (asked.count("slow.example"), len(host.heard)) == (1, 1)
    is_over.set()
    join(waits)
    assert asked.count("slow.example") == 2


def test_who_calls_wakes_another_for_what_else_waits(called: Table) -> None:
    called.play("e2e4", "e7e5")
    woken = list[str]()
    notification_queue.Caller(called.server).call_some(PATIENCE, lambda: woken.append("another"))
    assert woken


@pytest.mark.parametrize(("tried", "later"), [(0, 1), (1, 5), (2, 20)])
def test_a_call_is_tried_again_at_the_moments_that_are_told(
    called: Table, host: Host, tried: int, later: int
) -> None:
    host.answer = says("503 Busy")
    called.play("e2e4", "e7e5")
    called.server = replace(called.server, pace=AnswerPace(0.1, 1e-9))
    call(called)
    called.clock.pass_by(seconds=1)
    call(called)
    for _ in range(tried):
        called.clock.pass_by(hours=2)
        call(called)
    assert len(host.heard) == tried + 1
    with called.server.store.reading() as connection:
        due = connection.execute(select(CallRow.due_at)).scalar_one()
    assert due - called.clock() == timedelta(minutes=later)


def test_the_page_switches_ways_on_and_off(table: Table, host: Host) -> None:
    table.server = replace(table.server, webhook_client=host.wire)
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
    call(table)
    assert "and it answered" in ann.open("/settings/calls/")
    assert "Switched off" in ann.press("Remove")


@pytest.mark.parametrize(("kind", "file"), [("calendar", "games.ics"), ("atom", "games.atom")])
def test_a_feed_is_read_by_whoever_has_its_address_and_by_nobody_else(
    table: Table, kind: str, file: str
) -> None:
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


def test_a_calendar_has_ones_own_turns_and_no_others(table: Table) -> None:
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
def on_a_device(table: Table, host: Host) -> Table:
    """A house in which Ann is told on a device, whose maker is the host."""
    table.server = replace(table.server, webhook_client=host.wire)
    table.begin()
    place = push_subscriptions.Browser(host.url, *public_and_secret(), "Firefox")
    push_subscriptions.add(table.server, visitor(table, ANN), place, table.clock())
    return table


def shown(host: Host) -> list[dict[str, Any]]:
    """What the device has been told."""
    bodies = (each.partition(b"\r\n\r\n")[2] for each in host.heard)
    return [json.loads(opened_by_device(Push(host.url, {}, body))) for body in bodies]


def test_a_device_is_told_of_its_players_turn_and_of_nothing_that_has_happened(
    on_a_device: Table, host: Host
) -> None:
    on_a_device.play("e2e4")
    call(on_a_device)
    assert shown(host) == []
    on_a_device.reply(BEN, "d7d5")
    call(on_a_device)
    (told,) = shown(host)
    assert told["title"] == "Your turn: Wild 16"
    assert told["body"].endswith(", until Mon 23 Nov 2026, 12:00 UTC")
    assert count(on_a_device, CallRow) == 0


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
def test_a_device_that_is_gone_is_forgotten(on_a_device: Table, host: Host, status: str) -> None:
    host.answer = says(status)
    on_a_device.play("e2e4", "d7d5")
    call(on_a_device)
    assert (count(on_a_device, CallRow), count(on_a_device, PushSubscriptionRow)) == (0, 0)


def test_a_device_that_somebody_else_has_by_then_is_told_nothing(on_a_device: Table, host: Host) -> None:
    on_a_device.play("e2e4", "d7d5")
    place = push_subscriptions.Browser(host.url, *public_and_secret(), "Firefox")
    push_subscriptions.add(on_a_device.server, visitor(on_a_device, BEN), place, on_a_device.clock())
    call(on_a_device)
    assert host.heard == []
    assert count(on_a_device, CallRow) == 0


def test_what_does_not_get_through_to_a_device_is_tried_again(on_a_device: Table, host: Host) -> None:
    host.answer = says("503 Busy")
    on_a_device.play("e2e4", "d7d5")
    call(on_a_device)
    host.answer = says("201 Created")
    on_a_device.clock.pass_by(minutes=2)
    call(on_a_device)
    assert len(shown(host)) == 2
    assert count(on_a_device, CallRow) == 0


def test_a_test_of_a_device_is_sent(on_a_device: Table, host: Host) -> None:
    ann = visitor(on_a_device, ANN)
    (mine,) = push_subscriptions.list_devices(on_a_device.server, ann)
    push_subscriptions.ask_for_test(on_a_device.server, ann, mine.mark, on_a_device.clock())
    for _ in range(2):
        call(on_a_device)
        assert [told["title"] for told in shown(host)] == ["Test notification"]


def test_a_test_of_a_device_that_nobody_could_send_for_ten_minutes_is_not_sent(
    on_a_device: Table, host: Host
) -> None:
    ann = visitor(on_a_device, ANN)
    (mine,) = push_subscriptions.list_devices(on_a_device.server, ann)
    push_subscriptions.ask_for_test(on_a_device.server, ann, mine.mark, on_a_device.clock())
    on_a_device.clock.pass_by(minutes=11)
    call(on_a_device)
    assert (host.heard, count(on_a_device, CallRow)) == ([], 0)


# ---------------------------------------------------------------- twins


def test_what_is_told_elsewhere_does_not_depend_on_what_the_other_side_tried(tmp_path: Path) -> None:
    at_once, after_three = (
        told_elsewhere(tmp_path / name, refused)
        for name, refused in (("a", ()), ("b", ("a7a4", "e8e6", "h7h3")))
    )
    assert "It is your turn in game" in at_once
    assert at_once == after_three


def told_elsewhere(folder: Path, refused: tuple[str, ...]) -> str:
    """All that Ann is told by a call, a calendar, a feed and one letter a day, once Ben has tried and moved."""
    folder.mkdir()
    table = lay(folder)
    with hosted(folder, says("200 OK")) as host:
        table.server = replace(table.server, webhook_client=host.wire)
        table.begin_anew()
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
        call(table)
        (told,) = heard(host)
    keys, stranger = notifications.load_ways(table.server, ann).feeds, table.app().test_client()
    feeds = [stranger.get(f"/told/{keys[kind]}/{file}").text for kind, file in files.items()]
    table.clock.pass_by(hours=2)
    table.sweep()
    table.work()
    assert "Your games today" in table.newest(ANN)["Subject"]
    everything = "\n".join([json.dumps(told), *feeds, table.says(ANN)]).replace(told["game"], "k3x9z")
    table.server.store.close()
    return everything
