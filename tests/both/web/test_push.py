"""Push notifications: players add, test and remove their own devices, and nobody else's."""

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
    PendingPush,
    decrypt_on_device,
    endpoint,
    pending_test_pushes,
    public_and_secret,
    pushes,
)
from tests.support.table import EVE, FAY, Table

PUSH_PATH = "/settings/push"
FIREFOX = "Mozilla/5.0 (X11; Linux) Gecko Firefox/140.0"
DELIVERED, FAILED, GONE = CallResult(""), CallResult("It failed."), CallResult("It is gone.", is_gone=True)


@pytest.fixture
def eve(table: Table) -> Browser:
    return open_settings(table, EVE, "Eve")


def open_settings(table: Table, address: str, name: str) -> Browser:
    """A newly signed-in player's browser with the settings open."""
    browser = Browser(table.app())
    browser.client.environ_base["HTTP_USER_AGENT"] = FIREFOX
    browser.sign_in(table, address, name)
    browser.open("/settings/")
    return browser


def add_device(browser: Browser, at: str, **other: str) -> str:
    """Do what the page's script does after "Notify this device"; return the settings page."""
    public, secret = public_and_secret()
    fields = {"csrf": browser.csrf, "endpoint": at, "p256dh": public, "auth": secret} | other
    browser.client.post(f"{PUSH_PATH}/subscribe", data=fields)
    return browser.open("/settings/")


def turn_notifications(table: Table, player: str) -> list[PendingPush]:
    """The notifications that a player's devices would get of a turn."""
    with table.server.store.reading() as connection:
        number = players.require_player(connection, player)
    turn = push_subscriptions.word_turn("abcde", "Wild 16", "Tue 24 Nov 2026, 21:00 UTC")
    return pushes(table.server, turn, PushSubscriptionRow.player_id == number)


def store_result(table: Table, device: int, result: CallResult) -> None:
    with table.server.store.writing() as connection:
        push_subscriptions.record_result(connection, device, result, table.clock())


def marks(browser: Browser) -> list[str]:
    """The marks by which the page tells a player's devices apart."""
    return re.findall(r'data-device="(\w+)"', browser.client.get("/settings/").get_data(as_text=True))


def test_a_notification_has_the_game_variant_and_deadline(table: Table, eve: Browser) -> None:
    at = endpoint()
    assert "We'll notify this device" in add_device(eve, at)
    assert "Firefox, Linux" in eve.open("/settings/")
    (call,) = turn_notifications(table, "Eve")

    assert call.push.url == at
    assert json.loads(decrypt_on_device(call.push)) == {
        "title": "Your turn: Wild 16",
        "body": "Game abcde, until Tue 24 Nov 2026, 21:00 UTC",
        "url": "games/abcde",
        "tag": "abcde",
    }


def test_a_player_without_devices_gets_no_notifications(table: Table, eve: Browser) -> None:
    assert turn_notifications(table, "Eve") == []


def test_no_page_shows_an_endpoint_or_a_key(table: Table, eve: Browser) -> None:
    at = endpoint()
    add_device(eve, at)
    page = eve.client.get("/settings/").get_data(as_text=True)

    assert len(marks(eve)) == 1
    assert not [each for each in (at, *public_and_secret()) if each in page]


def test_a_device_added_twice_is_notified_once(table: Table, eve: Browser) -> None:
    at = endpoint()
    for _ in range(2):
        add_device(eve, at)

    assert [call.push.url for call in turn_notifications(table, "Eve")] == [at]


def test_a_browser_shared_by_two_players_notifies_the_last_who_asked(table: Table, eve: Browser) -> None:
    at, fay = endpoint(), open_settings(table, FAY, "Fay")
    add_device(eve, at)
    store_result(table, turn_notifications(table, "Eve")[0].device, FAILED)
    eve.press("Send a test")
    assert "Nothing sent yet." in add_device(fay, at)

    assert turn_notifications(table, "Eve") == []
    assert [call.push.url for call in turn_notifications(table, "Fay")] == [at]
    assert pending_test_pushes(table.server) == []


def test_a_player_has_ten_devices_at_most_and_can_add_one_of_them_again(table: Table, eve: Browser) -> None:
    places = [endpoint() for _ in range(11)]
    pages = [add_device(eve, at) for at in places]
    assert "You have 10 devices, which is the maximum" in pages[10]
    assert "We'll notify this device" in add_device(eve, places[0])

    assert [call.push.url for call in turn_notifications(table, "Eve")] == places[:10]


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
def test_an_invalid_device_is_refused(table: Table, eve: Browser, other: dict[str, str]) -> None:
    assert "didn't allow notifications" in add_device(eve, endpoint(), **other)

    assert turn_notifications(table, "Eve") == []


def test_adding_a_device_needs_a_recent_sign_in(table: Table, eve: Browser) -> None:
    table.clock.advance(minutes=11)
    fields = {"csrf": eve.csrf, "endpoint": endpoint(), "p256dh": "", "auth": ""}
    answer = eve.client.post(f"{PUSH_PATH}/subscribe", data=fields, follow_redirects=True)

    assert "To do this, you must have signed in within the last ten minutes" in answer.get_data(as_text=True)
    assert turn_notifications(table, "Eve") == []


def test_a_removed_device_is_not_notified(table: Table, eve: Browser) -> None:
    add_device(eve, endpoint())
    assert "We'll no longer notify “Firefox, Linux”." in eve.press("Remove")

    assert turn_notifications(table, "Eve") == []


@pytest.mark.parametrize("action", ["remove", "test"])
def test_only_a_players_own_devices_can_be_removed_or_tested(table: Table, eve: Browser, action: str) -> None:
    add_device(eve, endpoint())
    fay = open_settings(table, FAY, "Fay")
    for mark in (marks(eve)[0], "none"):
        fay.client.post(f"{PUSH_PATH}/{action}", data={"csrf": fay.csrf, "device": mark})

        assert "You have no such device." in fay.open("/settings/")
    assert len(turn_notifications(table, "Eve")) == 1
    assert pending_test_pushes(table.server) == []


def test_a_stranger_is_redirected_to_sign_in(table: Table) -> None:
    browser = Browser(table.app())
    browser.open("/sign-in")
    for action in ("subscribe", "remove", "test"):
        answer = browser.client.post(f"{PUSH_PATH}/{action}", data={"csrf": browser.csrf})

        assert answer.headers["Location"] == "/sign-in"


# ---------------------------------------------------------------- tests and failures


def test_a_test_goes_only_to_the_device_it_is_for(table: Table, eve: Browser) -> None:
    places = [endpoint(), endpoint()]
    for at in places:
        add_device(eve, at)
    assert "A test for “Firefox, Linux” is on its way." in eve.press("Send a test")
    assert "A test is on its way." in eve.open("/settings/")
    (call,) = pending_test_pushes(table.server)

    assert call.push.url == places[0]
    assert json.loads(decrypt_on_device(call.push))["title"] == "Test notification"


def test_each_device_shows_when_it_was_last_notified(table: Table, eve: Browser) -> None:
    add_device(eve, endpoint())
    (call,) = turn_notifications(table, "Eve")
    assert "Nothing sent yet." in eve.open("/settings/")
    store_result(table, call.device, FAILED)
    table.clock.advance(hours=1)
    store_result(table, call.device, FAILED)
    assert "Nothing has got through since Fri 20 Nov 2026, 12:00 UTC." in eve.open("/settings/")
    store_result(table, call.device, DELIVERED)

    assert "Last notified Fri 20 Nov 2026, 13:00 UTC." in eve.open("/settings/")


def test_a_device_that_is_gone_is_not_notified(table: Table, eve: Browser) -> None:
    add_device(eve, endpoint())
    store_result(table, turn_notifications(table, "Eve")[0].device, GONE)

    assert turn_notifications(table, "Eve") == []


def test_a_device_that_fails_for_three_days_is_not_notified(table: Table, eve: Browser) -> None:
    add_device(eve, endpoint())
    (call,) = turn_notifications(table, "Eve")
    for day in range(3):
        store_result(table, call.device, FAILED)
        assert len(turn_notifications(table, "Eve")) == 1, day
        table.clock.advance(days=1)
    store_result(table, call.device, FAILED)

    assert turn_notifications(table, "Eve") == []


# ---------------------------------------------------------------- stored data


def test_devices_are_exported_without_keys_and_deleted_with_their_player(table: Table, eve: Browser) -> None:
    at = endpoint()
    add_device(eve, at)
    assert [(each["name"], each["endpoint"]) for each in export(table.server, "Eve")["devices"]] == [
        ("Firefox, Linux", at)
    ]
    assert not [key for key in public_and_secret() if key in json.dumps(export(table.server, "Eve"))]
    fay = open_settings(table, FAY, "Fay")
    add_device(fay, endpoint())
    (call,) = turn_notifications(table, "Eve")
    delete_player(table.server, "Eve", table.clock())
    store_result(table, call.device, DELIVERED)

    with table.server.store.reading() as connection:
        endpoints = connection.exec_driver_sql("SELECT endpoint FROM subscriptions").scalars().all()
    assert len(endpoints) == 1
    assert at not in endpoints


def test_a_server_signs_with_the_key_that_its_page_shows(table: Table, eve: Browser) -> None:
    page = eve.client.get("/settings/").get_data(as_text=True)
    found = re.search(r'data-key="(B[\w-]{86})"', page)
    assert found
    add_device(eve, endpoint())

    assert turn_notifications(table, "Eve")[0].push.headers["Authorization"].endswith(f", k={found[1]}")
