"""The page of the browsers at which one is let in, and what is kept of them."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import func, select

from corr.service.players import sessions
from corr.store.tables import SessionRow, SignInRow
from corr.web.account.sessions import describe_browser
from tests.support.browser import Browser, link_in
from tests.support.table import EVE, FAY, Table, text_of

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1 Version/18.5 Mobile Safari/604.1"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0"
CHROME = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36"


def at(table: Table, agent: str, address: str = EVE, name: str = "") -> Browser:
    """Somebody who is let in at a browser that says what it is."""
    browser = Browser(table.app())
    browser.client.environ_base["HTTP_USER_AGENT"] = agent
    browser.sign_in(table, address, name)
    return browser


def count(table: Table, kind: type) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(kind)).scalar_one()


@pytest.mark.parametrize(
    ("agent", "read"),
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
def test_of_a_browser_its_name_and_its_system_are_known_and_no_more(agent: str, read: str) -> None:
    assert describe_browser(agent) == read


def test_each_browser_is_listed_with_since_when_last_seen_and_which_is_this_one(table: Table) -> None:
    at(table, SAFARI, EVE, "Eve")
    table.clock.pass_by(days=2, hours=3)
    here = at(table, FIREFOX)
    page = here.open("/sessions/")

    assert (
        "Firefox, Linux : this one Signed in on Sun 22 Nov 2026, 15:00 UTC. Last seen on Sun 22 Nov 2026."
        in page
    )
    assert "Safari, iPhone Signed in on Fri 20 Nov 2026, 12:00 UTC. Last seen on Fri 20 Nov 2026." in page
    assert page.count("Sign out this browser") == 1


def test_a_browser_is_seen_once_a_day_whatever_it_opens(table: Table) -> None:
    first, second = at(table, SAFARI, EVE, "Eve"), at(table, FIREFOX)
    table.clock.pass_by(hours=13)
    first.open("/lobby/")
    table.clock.pass_by(hours=2)
    first.open("/games/")

    assert (
        "Safari, iPhone Signed in on Fri 20 Nov 2026, 12:00 UTC. Last seen on Sat 21 Nov 2026."
        in second.open("/sessions/")
    )
    with table.server.store.reading() as connection:
        seen = connection.execute(select(SessionRow.seen_at)).scalars().all()
    assert {(each.hour, each.minute, each.second) for each in seen} == {(0, 0, 0)}


def test_one_browser_is_signed_out_and_no_other(table: Table) -> None:
    lost, kept = at(table, SAFARI, EVE, "Eve"), at(table, CHROME)
    here = at(table, FIREFOX)
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


def test_everywhere_means_here_too(table: Table) -> None:
    other, here = at(table, SAFARI, EVE, "Eve"), at(table, FIREFOX)
    here.open("/sessions/")
    here.press("Sign out everywhere")

    for browser in (other, here):
        assert "Sign in" in browser.open("/sessions/")


def test_nobody_signs_out_somebody_elses_browser_or_reads_of_it(table: Table) -> None:
    eve, fay = at(table, SAFARI, EVE, "Eve"), at(table, FIREFOX, FAY, "Fay")
    with table.server.store.reading() as connection:
        marks = [sessions._mark(each) for each in connection.execute(select(SessionRow.secret)).scalars()]
    assert "Safari" not in fay.open("/sessions/")
    for mark in (*marks[:1], "1", ""):
        fay.client.post("/sessions/out", data={"csrf": fay.csrf, "mark": mark})

    assert "You are Eve" in eve.open("/settings/")


def test_who_was_let_in_some_time_ago_signs_in_again_before_others_are_signed_out(table: Table) -> None:
    thief, owner = at(table, SAFARI, EVE, "Eve"), at(table, FIREFOX)
    table.clock.pass_by(minutes=11)
    thief.open("/sessions/")

    assert "Please sign in again by email" in thief.press("Sign out this browser")
    assert "You are Eve" in owner.open("/settings/")


def test_marks_tell_nothing_of_how_many_there_are(table: Table) -> None:
    at(table, SAFARI, EVE, "Eve")
    page = at(table, FIREFOX)
    page.open("/sessions/")
    mark = re.search(r'name="mark" value="(\w+)"', page.answer.get_data(as_text=True))

    assert mark
    assert re.fullmatch(r"[0-9a-f]{16}", mark[1])


def test_who_has_no_name_yet_sees_their_browsers_and_a_stranger_is_asked_to_sign_in(table: Table) -> None:
    assert "Firefox, Linux : this one" in at(table, FIREFOX).open("/sessions/")
    assert "Sign in" in Browser(table.app()).open("/sessions/")


def test_a_browser_that_was_not_there_for_a_month_is_let_out_and_nothing_of_it_is_kept(table: Table) -> None:
    idle, busy = at(table, SAFARI, EVE, "Eve"), at(table, FIREFOX)
    for _ in range(4):
        table.clock.pass_by(days=8)
        busy.open("/lobby/")
        table.sweep()

    assert "You are Eve" in busy.open("/lobby/")
    assert "Sign in" in idle.open("/settings/")
    assert (count(table, SessionRow), count(table, SignInRow)) == (1, 0)


def test_so_it_is_while_nobody_sweeps(table: Table) -> None:
    idle, busy = at(table, SAFARI, EVE, "Eve"), at(table, FIREFOX)
    table.clock.pass_by(days=25)
    busy.open("/lobby/")
    table.clock.pass_by(days=6)

    assert "Safari" not in busy.open("/sessions/")
    assert "Sign in" in idle.open("/settings/")


def test_a_letter_lets_in_its_reader_and_nobody_else_whatever_has_been_forgotten(table: Table) -> None:
    """On SQLite a row that is gone leaves its number to the next one."""
    mallory, eve = Browser(table.app()), Browser(table.app())
    mallory.sign_in_by_letter(table, FAY)
    old = link_in(text_of(table.newest(FAY)))
    table.clock.pass_by(days=31)
    table.sweep()
    eve.open("/sign-in")
    eve.press("Email me a code", address=EVE)
    table.work()

    thief = Browser(table.app())
    assert "Press the button to sign in" not in thief.open(old)
    page = thief.client.post(old, data={"csrf": thief.csrf, "deed": "sign in"}, follow_redirects=True)
    assert "Sign in by email" in page.get_data(as_text=True)
