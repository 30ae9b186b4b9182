"""Event pages: entering, leaving and challenging, and what visitors may see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corr.service.events import page
from tests.support import events as people
from tests.support.browser import Browser
from tests.support.events import (
    FIVE,
    address,
    begin_section,
    end_game,
    enter_pyramid,
    enter_section,
    load_standings,
    make_player,
    running_games,
)
from tests.support.table import EVE, OLGA, Table, text_of
from tests.support.twin_servers import make_twins


@pytest.fixture
def eve(table: Table) -> Browser:
    browser = Browser(table.app_with_workers(OLGA))
    browser.sign_in(table, EVE, "Eve")
    browser.open("/events/")
    return browser


def test_a_section_is_entered_left_and_filled_on_its_page(table: Table, eve: Browser) -> None:
    assert "You have entered" in eve.press("Enter the section", variant="rbc")
    assert "4 of 5 places are free" in eve.open(eve.path)
    assert "bots welcome" in eve.press("Save the choice", fills="yes")
    assert "left the section before it started" in eve.press("Leave the section")
    eve.press("Enter the section")
    for name in FIVE[:4]:
        event = enter_section(table, name, "rbc")
    table.run_workers()

    assert "Standings" in eve.open(f"/events/{event.code}")


def test_running_games_are_hidden_and_finished_ones_are_linked(table: Table, eve: Browser) -> None:
    event = begin_section(table)
    shown = eve.open(f"/events/{event.code}")
    assert "/finished/" not in eve.answer.get_data(as_text=True)
    assert not [each.code for each in running_games(table, event) if each.code in shown]
    end_game(table, running_games(table, event)[0], "white")
    table.sweep()
    eve.open(f"/events/{event.code}")

    links = re.findall(r'href="(/finished/[^"]+)"', eve.answer.get_data(as_text=True))
    assert len(set(links)) == 1
    assert eve.client.get(links[0]).status_code == 200


def test_the_standings_are_available_as_text_and_as_trf(table: Table, eve: Browser) -> None:
    event = begin_section(table)
    end_game(table, running_games(table, event)[0], "draw")
    table.sweep()

    text = eve.client.get(f"/events/{event.code}/crosstable.txt")
    assert "0.5" in text.get_data(as_text=True)
    report = eve.client.get(f"/events/{event.code}/report.trf").get_data(as_text=True)
    assert report.startswith(f"012 Section {event.code} of Wild 16")
    assert len(re.findall(r"^001 ", report, re.MULTILINE)) == 5
    assert eve.client.get(f"/events/{enter_pyramid(table, 'Ada').code}/report.trf").status_code == 404


def test_a_private_section_is_found_only_by_its_link(table: Table, eve: Browser) -> None:
    eve.press("Create the section", variant="cincinnati", size="3")
    link, code = eve.path, load_standings(table, enter_private(table, eve, FIVE[0])).event.code
    stranger = Browser(table.app_with_workers())

    assert "private" in stranger.open(link)
    assert stranger.client.get(f"/events/{code}").status_code == 404
    assert stranger.client.get(f"/events/{code}/crosstable.txt").status_code == 404
    assert code not in stranger.open("/events/")
    page.enter(table.server, make_player(table, FIVE[1]), link.rpartition("/")[2], table.clock(), fills=False)
    table.run_workers()
    assert "Standings" in eve.open(link)


def enter_private(table: Table, eve: Browser, name: str) -> people.Event:
    """Enter the private section whose page Eve has open."""
    secret = eve.path.rpartition("/")[2]
    page.enter(table.server, make_player(table, name), secret, table.clock(), fills=False)
    with table.server.store.reading() as connection:
        found = people.events.find_event(connection, secret)
    assert found
    return found


def test_a_visitor_returns_to_the_event_after_signing_in(table: Table, eve: Browser) -> None:
    eve.press("Create the section", size="3")
    link, fay = eve.path, Browser(table.app_with_workers())
    fay.open(link)
    fay.sign_in_by_email(table, "fay@f.example")

    assert fay.path == link
    fay.press("Save name", name="Fay")
    assert fay.path == link
    assert "You have entered" in fay.press("Enter the section")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"size": "2"}, "3 to 9 players"),
        ({"clock": "live", "variant": "rbc"}, "another clock"),
        ({"clock": "nonsense"}, "Nothing"),
        ({"variant": "chess"}, "no variant"),
    ],
)
def test_an_impossible_section_is_refused_with_the_reason(
    table: Table, eve: Browser, fields: dict[str, str], why: str
) -> None:
    shown = eve.press("Create the section", **fields)

    assert "corr" in shown
    assert eve.path == "/events/"
    assert why in shown or why == "Nothing"


def test_a_pyramid_is_climbed_on_its_page(table: Table, eve: Browser) -> None:
    event = enter_pyramid(table, "Bob")
    eve.open(f"/events/{event.code}")
    eve.press("Enter the pyramid")
    assert "The game with Bob has started" in eve.press("Challenge")
    end_game(table, running_games(table, event)[0], "white")
    table.sweep()
    assert "Level 2" in eve.open(f"/events/{event.code}")
    assert "left the pyramid" in eve.press("Leave it now")


def test_an_operator_creates_corrects_and_stops_an_event(table: Table) -> None:
    olga = Browser(table.app_with_workers(OLGA))
    olga.sign_in(table, OLGA, "Olga")
    olga.open("/admin/events/")
    assert "The event is open for entries" in olga.press(
        "Create the section", name="Autumn cup", size="3", reason="It is autumn."
    )
    code = olga.path.rpartition("/")[2]
    for name in FIVE[:3]:
        page.enter(table.server, make_player(table, name), code, table.clock(), fills=False)
    table.run_workers()
    olga.open(olga.path)
    found = re.search(r'<option value="(\d+)">[^<]+: still running', olga.answer.get_data(as_text=True))
    assert found
    assert "counts as a draw" in olga.press(
        "Change the result", game=found[1], score="draw", reason="They agreed."
    )
    assert "Nothing" not in olga.press("Stop the event", reason="Winter has come.")

    stranger = Browser(table.app_with_workers())
    shown = stranger.open(f"/events/{code}")
    for said in ("It is autumn.", "They agreed.", "Winter has come.", "stopped this event"):
        assert said in shown
    assert Browser(table.app_with_workers()).client.get("/admin/events/").status_code == 404


def test_an_operator_who_plays_in_an_event_decides_nothing(table: Table) -> None:
    olga = Browser(table.app_with_workers(OLGA))
    olga.sign_in(table, OLGA, "Olga")
    olga.open("/events/")
    olga.press("Enter the section", variant="rbc")
    code = olga.path.rpartition("/")[2]

    assert "another admin has to decide" in olga.open(f"/admin/events/{code}")
    olga.open("/events/")
    answer = olga.client.post(
        f"/admin/events/{code}/stop", data={"csrf": olga.csrf, "number": "1", "reason": "x"}
    )
    assert "another admin has to decide" in answer.get_data(as_text=True)


def test_a_visitor_sees_standings_but_no_addresses(table: Table) -> None:
    event, stranger = begin_section(table), Browser(table.app_with_workers())

    assert address(FIVE[0]) not in stranger.open(f"/events/{event.code}")
    assert "Standings" in stranger.open(f"/events/{event.code}")
    assert stranger.client.get("/events/nothing").status_code == 404
    assert stranger.client.get("/events/?page=7").status_code == 404


@pytest.mark.parametrize("visitor", ["", FIVE[0]])
def test_event_pages_reveal_nothing_about_running_games(table: Table, tmp_path: Path, visitor: str) -> None:
    """On one of the twin servers a player is refused, notes and moves in a game; on the other nothing happens."""
    event = begin_section(table)
    browser = Browser(table.app())
    if visitor:
        browser.sign_in_directly(table, address(visitor))
    twins = make_twins(table, tmp_path, browser)
    mover = address(running_games(table, event)[0].white)
    (*_, asked) = (each for each in twins.one.table.emails_to(mover) if "Your turn" in text_of(each))
    for text in ("a1a5\nnote hers is the centre", "e2e4"):
        twins.one.table.reply(mover, text, to=asked)

    assert "Black's move" in twins.one.table.last_text(mover)
    for path in ("", f"{event.code}", f"{event.code}/crosstable.txt", f"{event.code}/report.trf"):
        one, other = (without_count(each) for each in twins.answers(f"/events/{path}"))
        assert one == other, path
    twins.close()


def without_count(answer: bytes) -> bytes:
    """The page without the count of your own waiting games in its header."""
    plain = re.sub(rb' <b class="count">.*?</b>', b"", answer)
    return re.sub(rb"Content-Length: \d+", b"", plain)
