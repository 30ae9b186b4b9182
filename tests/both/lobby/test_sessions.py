"""The page of signed-in devices, and what we store about each browser."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import func, select

from corr.service.players import sessions
from corr.store.tables import SessionRow, SignInRow
from corr.web.account.signed_in_browsers import describe_browser
from tests.support.browser import Browser, link_in
from tests.support.table import EVE, FAY, Table, text_of

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1 Version/18.5 Mobile Safari/604.1"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0"
CHROME = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36"


def signed_in_with(table: Table, agent: str, address: str = EVE, name: str = "") -> Browser:
    """A browser with this user agent, signed in."""
    browser = Browser(table.app())
    browser.client.environ_base["HTTP_USER_AGENT"] = agent
    browser.sign_in(table, address, name)
    return browser


def count(table: Table, kind: type) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(kind)).scalar_one()


@pytest.mark.parametrize(
    ("agent", "description"),
    [
        (FIREFOX, "Firefox, Linux"),
        (SAFARI, "Safari, iPhone"),
        (EDGE, "Edge, Windows"),
        (CHROME, "Chrome, Android"),
        ("curl/8", ""),
        ("", ""),
        ("<script> Windows", "Windows"),
    ],
)
def test_a_browser_is_described_only_by_its_name_and_system(agent: str, description: str) -> None:
    assert describe_browser(agent) == description


def test_each_browser_is_listed_with_its_dates_and_this_one_is_marked(table: Table) -> None:
    signed_in_with(table, SAFARI, EVE, "Eve")
    table.clock.advance(days=2, hours=3)
    here = signed_in_with(table, FIREFOX)
    page = here.open("/sessions/")

    assert (
        "Firefox, Linux : this one Signed in on Sun 22 Nov 2026, 15:00 UTC. Last seen on Sun 22 Nov 2026."
        in page
    )
    assert "Safari, iPhone Signed in on Fri 20 Nov 2026, 12:00 UTC. Last seen on Fri 20 Nov 2026." in page
    assert page.count("Sign out this browser") == 1


def test_the_last_visit_is_stored_only_as_a_day(table: Table) -> None:
    first, second = signed_in_with(table, SAFARI, EVE, "Eve"), signed_in_with(table, FIREFOX)
    table.clock.advance(hours=13)
    first.open("/lobby/")
    table.clock.advance(hours=2)
    first.open("/games/")

    assert (
        "Safari, iPhone Signed in on Fri 20 Nov 2026, 12:00 UTC. Last seen on Sat 21 Nov 2026."
        in second.open("/sessions/")
    )
    with table.server.store.reading() as connection:
        seen = connection.execute(select(SessionRow.seen_at)).scalars().all()
    assert {(each.hour, each.minute, each.second) for each in seen} == {(0, 0, 0)}


def test_signing_out_one_browser_leaves_the_others(table: Table) -> None:
    lost, kept = signed_in_with(table, SAFARI, EVE, "Eve"), signed_in_with(table, CHROME)
    here = signed_in_with(table, FIREFOX)
    here.open("/sessions/")
    form = re.search(r'Safari.*?name="mark" value="(\w+)"', here.answer.get_data(as_text=True), re.DOTALL)
    assert form
    assert here.answer.get_data(as_text=True).count('name="mark"') == 2
    answer = here.client.post(
        "/sessions/out", data={"csrf": here.csrf, "mark": form[1]}, follow_redirects=True
    )

    assert "That browser is now signed out." in answer.get_data(as_text=True)
    assert "Sign in" in lost.open("/settings/")
    for browser in (kept, here):
        assert "You are Eve" in browser.open("/settings/")
    assert "Safari" not in here.open("/sessions/")


def test_sign_out_everywhere_includes_this_browser(table: Table) -> None:
    other, here = signed_in_with(table, SAFARI, EVE, "Eve"), signed_in_with(table, FIREFOX)
    here.open("/sessions/")
    here.press("Sign out everywhere")

    for browser in (other, here):
        assert "Sign in" in browser.open("/sessions/")


def test_nobody_can_see_or_sign_out_another_players_browser(table: Table) -> None:
    eve, fay = signed_in_with(table, SAFARI, EVE, "Eve"), signed_in_with(table, FIREFOX, FAY, "Fay")
    with table.server.store.reading() as connection:
        marks = [sessions._mark(each) for each in connection.execute(select(SessionRow.secret)).scalars()]
    assert "Safari" not in fay.open("/sessions/")
    for mark in (*marks[:1], "1", ""):
        fay.client.post("/sessions/out", data={"csrf": fay.csrf, "mark": mark})

    assert "You are Eve" in eve.open("/settings/")


def test_signing_out_other_browsers_needs_a_recent_sign_in(table: Table) -> None:
    thief, owner = signed_in_with(table, SAFARI, EVE, "Eve"), signed_in_with(table, FIREFOX)
    table.clock.advance(minutes=11)
    thief.open("/sessions/")

    assert "Please sign in again by email" in thief.press("Sign out this browser")
    assert "You are Eve" in owner.open("/settings/")


def test_a_browsers_mark_does_not_reveal_how_many_there_are(table: Table) -> None:
    signed_in_with(table, SAFARI, EVE, "Eve")
    page = signed_in_with(table, FIREFOX)
    page.open("/sessions/")
    mark = re.search(r'name="mark" value="(\w+)"', page.answer.get_data(as_text=True))

    assert mark
    assert re.fullmatch(r"[0-9a-f]{16}", mark[1])


def test_a_player_without_a_name_sees_their_browsers_and_a_stranger_must_sign_in(table: Table) -> None:
    assert "Firefox, Linux : this one" in signed_in_with(table, FIREFOX).open("/sessions/")
    assert "Sign in" in Browser(table.app()).open("/sessions/")


def test_a_browser_unused_for_a_month_is_signed_out_and_deleted(table: Table) -> None:
    idle, busy = signed_in_with(table, SAFARI, EVE, "Eve"), signed_in_with(table, FIREFOX)
    for _ in range(4):
        table.clock.advance(days=8)
        busy.open("/lobby/")
        table.sweep()

    assert "You are Eve" in busy.open("/lobby/")
    assert "Sign in" in idle.open("/settings/")
    assert (count(table, SessionRow), count(table, SignInRow)) == (1, 0)


def test_a_browser_unused_for_a_month_is_signed_out_before_any_sweep(table: Table) -> None:
    idle, busy = signed_in_with(table, SAFARI, EVE, "Eve"), signed_in_with(table, FIREFOX)
    table.clock.advance(days=25)
    busy.open("/lobby/")
    table.clock.advance(days=6)

    assert "Safari" not in busy.open("/sessions/")
    assert "Sign in" in idle.open("/settings/")


def test_an_old_sign_in_link_never_signs_in_a_later_player(table: Table) -> None:
    """SQLite gives the number of a deleted row to the next row."""
    mallory, eve = Browser(table.app()), Browser(table.app())
    mallory.sign_in_by_email(table, FAY)
    old = link_in(text_of(table.last_email(FAY)))
    table.clock.advance(days=31)
    table.sweep()
    eve.open("/sign-in")
    eve.press("Email me a code", address=EVE)
    table.run_workers()

    thief = Browser(table.app())
    assert "Press the button to sign in" not in thief.open(old)
    page = thief.client.post(old, data={"csrf": thief.csrf, "deed": "sign in"}, follow_redirects=True)
    assert "Sign in by email" in page.get_data(as_text=True)
