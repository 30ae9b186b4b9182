"""Devices that are told of a turn: a player names, tests and removes them, and nobody else's."""

from __future__ import annotations

import json
import re

import pytest

from corr.notifications.client import CallResult
from corr.service.admin.maintenance import delete_player
from corr.service.players import players, push_subscriptions
from corr.service.players.own_data_rows import export
from corr.store.tables import PushSubscriptionRow
from tests.support.browser import Browser
from tests.support.push_device import (
    Waiting,
    endpoint,
    opened_by_device,
    public_and_secret,
    pushes,
    waiting_tests,
)
from tests.support.table import EVE, FAY, Table

AT = "/settings/push"
FIREFOX = "Mozilla/5.0 (X11; Linux) Gecko Firefox/140.0"
TAKEN, FAILED, GONE = CallResult(""), CallResult("It failed."), CallResult("It is gone.", is_gone=True)


@pytest.fixture
def eve(table: Table) -> Browser:
    return at_settings(table, EVE, "Eve")


def at_settings(table: Table, address: str, name: str) -> Browser:
    """The browser of a player who has just been let in, at the settings."""
    browser = Browser(table.app())
    browser.client.environ_base["HTTP_USER_AGENT"] = FIREFOX
    browser.sign_in(table, address, name)
    browser.open("/settings/")
    return browser


def name_device(browser: Browser, at: str, **other: str) -> str:
    """What a browser's script does once its player has pressed the button; the text of the page that follows."""
    public, secret = public_and_secret()
    fields = {"csrf": browser.csrf, "endpoint": at, "p256dh": public, "auth": secret} | other
    browser.client.post(f"{AT}/subscribe", data=fields)
    return browser.open("/settings/")


def told(table: Table, player: str) -> list[Waiting]:
    """What the devices of a player would be told of a turn."""
    with table.server.store.reading() as connection:
        number = players.require_player(connection, player)
    turn = push_subscriptions.word_turn("abcde", "Wild 16", "Tue 24 Nov 2026, 21:00 UTC")
    return pushes(table.server, turn, PushSubscriptionRow.player_id == number)


def record(table: Table, device: int, result: CallResult) -> None:
    with table.server.store.writing() as connection:
        push_subscriptions.record_result(connection, device, result, table.clock())


def marks(browser: Browser) -> list[str]:
    """By what the page names the devices."""
    return re.findall(r'data-device="(\w+)"', browser.client.get("/settings/").get_data(as_text=True))


def test_a_device_is_told_by_game_variant_and_time(table: Table, eve: Browser) -> None:
    at = endpoint()
    assert "We'll notify this device" in name_device(eve, at)
    assert "Firefox, Linux" in eve.open("/settings/")
    (call,) = told(table, "Eve")

    assert call.push.url == at
    assert json.loads(opened_by_device(call.push)) == {
        "title": "Your turn: Wild 16",
        "body": "Game abcde, until Tue 24 Nov 2026, 21:00 UTC",
        "url": "games/abcde",
        "tag": "abcde",
    }


def test_who_has_no_device_is_told_nothing(table: Table, eve: Browser) -> None:
    assert told(table, "Eve") == []


def test_no_endpoint_and_no_key_stands_on_a_page(table: Table, eve: Browser) -> None:
    at = endpoint()
    name_device(eve, at)
    page = eve.client.get("/settings/").get_data(as_text=True)

    assert len(marks(eve)) == 1
    assert not [each for each in (at, *public_and_secret()) if each in page]


def test_a_device_that_is_named_once_more_is_told_once(table: Table, eve: Browser) -> None:
    at = endpoint()
    for _ in range(2):
        name_device(eve, at)

    assert [call.push.url for call in told(table, "Eve")] == [at]


def test_at_a_browser_of_two_players_the_one_who_asked_last_is_told(table: Table, eve: Browser) -> None:
    at, fay = endpoint(), at_settings(table, FAY, "Fay")
    name_device(eve, at)
    record(table, told(table, "Eve")[0].device, FAILED)
    eve.press("Send a test")
    assert "Nothing sent yet." in name_device(fay, at)

    assert told(table, "Eve") == []
    assert [call.push.url for call in told(table, "Fay")] == [at]
    assert waiting_tests(table.server) == []


def test_ten_devices_are_enough_and_one_of_them_may_be_named_anew(table: Table, eve: Browser) -> None:
    places = [endpoint() for _ in range(11)]
    pages = [name_device(eve, at) for at in places]
    assert "You have 10 devices, which is the maximum" in pages[10]
    assert "We'll notify this device" in name_device(eve, places[0])

    assert [call.push.url for call in told(table, "Eve")] == places[:10]


@pytest.mark.parametrize(
    "other",
    [
        {"endpoint": "http://push.maker.example/in"},
        {"endpoint": ""},
        {"p256dh": "AAAA"},
        {"p256dh": "BA" + "A" * 85},
        {"auth": ""},
    ],
)
def test_what_is_no_device_is_refused(table: Table, eve: Browser, other: dict[str, str]) -> None:
    assert "didn't allow notifications" in name_device(eve, endpoint(), **other)

    assert told(table, "Eve") == []


def test_only_who_was_let_in_lately_names_one(table: Table, eve: Browser) -> None:
    table.clock.pass_by(minutes=11)
    fields = {"csrf": eve.csrf, "endpoint": endpoint(), "p256dh": "", "auth": ""}
    answer = eve.client.post(f"{AT}/subscribe", data=fields, follow_redirects=True)

    assert "For this, your sign-in must be less than ten minutes old" in answer.get_data(as_text=True)
    assert told(table, "Eve") == []


def test_a_device_that_is_removed_is_told_nothing_more(table: Table, eve: Browser) -> None:
    name_device(eve, endpoint())
    assert "We no longer notify “Firefox, Linux”." in eve.press("Remove")

    assert told(table, "Eve") == []


@pytest.mark.parametrize("deed", ["remove", "test"])
def test_nobody_removes_or_tests_what_is_anothers_or_nobodys(table: Table, eve: Browser, deed: str) -> None:
    name_device(eve, endpoint())
    fay = at_settings(table, FAY, "Fay")
    for mark in (marks(eve)[0], "none"):
        fay.client.post(f"{AT}/{deed}", data={"csrf": fay.csrf, "device": mark})

        assert "You have no such device." in fay.open("/settings/")
    assert len(told(table, "Eve")) == 1
    assert waiting_tests(table.server) == []


def test_a_stranger_is_led_to_sign_in(table: Table) -> None:
    browser = Browser(table.app())
    browser.open("/sign-in")
    for deed in ("subscribe", "remove", "test"):
        answer = browser.client.post(f"{AT}/{deed}", data={"csrf": browser.csrf})

        assert answer.headers["Location"] == "/sign-in"


# ---------------------------------------------------------------- tests, and what becomes of calls


def test_a_test_goes_to_the_one_device_that_it_was_asked_for(table: Table, eve: Browser) -> None:
    places = [endpoint(), endpoint()]
    for at in places:
        name_device(eve, at)
    assert "A test for “Firefox, Linux” is on its way." in eve.press("Send a test")
    assert "A test is on its way." in eve.open("/settings/")
    (call,) = waiting_tests(table.server)

    assert call.push.url == places[0]
    assert json.loads(opened_by_device(call.push))["title"] == "Test notification"


def test_what_has_become_of_calls_stands_beside_the_device(table: Table, eve: Browser) -> None:
    name_device(eve, endpoint())
    (call,) = told(table, "Eve")
    assert "Nothing sent yet." in eve.open("/settings/")
    record(table, call.device, FAILED)
    table.clock.pass_by(hours=1)
    record(table, call.device, FAILED)
    assert "Nothing has got through since Fri 20 Nov 2026, 12:00 UTC." in eve.open("/settings/")
    record(table, call.device, TAKEN)

    assert "Last notified Fri 20 Nov 2026, 13:00 UTC." in eve.open("/settings/")


def test_a_device_that_is_gone_is_told_nothing_more(table: Table, eve: Browser) -> None:
    name_device(eve, endpoint())
    record(table, told(table, "Eve")[0].device, GONE)

    assert told(table, "Eve") == []


def test_a_device_to_which_nothing_gets_through_for_three_days_is_told_nothing_more(
    table: Table, eve: Browser
) -> None:
    name_device(eve, endpoint())
    (call,) = told(table, "Eve")
    for day in range(3):
        record(table, call.device, FAILED)
        assert len(told(table, "Eve")) == 1, day
        table.clock.pass_by(days=1)
    record(table, call.device, FAILED)

    assert told(table, "Eve") == []


# ---------------------------------------------------------------- what is kept


def test_devices_are_exported_without_their_keys_and_forgotten(table: Table, eve: Browser) -> None:
    at = endpoint()
    name_device(eve, at)
    assert [(each["name"], each["endpoint"]) for each in export(table.server, "Eve")["devices"]] == [
        ("Firefox, Linux", at)
    ]
    assert not [key for key in public_and_secret() if key in json.dumps(export(table.server, "Eve"))]
    fay = at_settings(table, FAY, "Fay")
    name_device(fay, endpoint())
    (call,) = told(table, "Eve")
    delete_player(table.server, "Eve", table.clock())
    record(table, call.device, TAKEN)

    with table.server.store.reading() as connection:
        kept = connection.exec_driver_sql("SELECT endpoint FROM subscriptions").scalars().all()
    assert len(kept) == 1
    assert at not in kept


def test_each_house_has_a_key_of_its_own_by_which_browsers_know_it(table: Table, eve: Browser) -> None:
    page = eve.client.get("/settings/").get_data(as_text=True)
    found = re.search(r'data-key="(B[\w-]{86})"', page)
    assert found
    name_device(eve, endpoint())

    assert told(table, "Eve")[0].push.headers["Authorization"].endswith(f", k={found[1]}")
