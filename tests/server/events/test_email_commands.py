"""Events by email: commands and their answers."""

from __future__ import annotations

import re

from corr.service.events import page
from corr.service.events.page import EventForm
from tests.support.events import FIVE, address, enter_pyramid, enter_section, load_standings, make_player
from tests.support.table import EVE, Table


def eve_writes(table: Table, text: str) -> str:
    """Write as Eve, a known player, and return the answer."""
    make_player(table, "Eve")
    table.write_to_site(address("Eve"), text)
    return table.last_text(address("Eve"))


def section_code_in(text: str) -> str:
    found = re.search(r'"withdraw (\w{5})"', text)
    assert found
    return found[1]


def test_a_section_is_entered_and_left_by_email(table: Table) -> None:
    said = eve_writes(table, "enter wild16")
    assert "You have entered" in said
    assert "rated, with 3 days for each move, plus a time bank of 10 days" in said
    code = section_code_in(said)
    assert f"({code})" in eve_writes(table, "events")

    assert "left the section before it started" in eve_writes(table, f"withdraw {code}")
    assert "You're not in this event" in eve_writes(table, f"withdraw {code}")


def test_a_stranger_confirms_first(table: Table) -> None:
    table.write_to_site(EVE, "enter wild16 programs", name="Eve")
    assert "confirm" in table.last_text(EVE)
    table.reply(EVE, "confirm")

    assert "You have entered" in table.last_text(EVE)


def test_the_fifth_entry_starts_the_section_and_everyone_is_notified(table: Table) -> None:
    for name in FIVE[:4]:
        enter_section(table, name)

    eve_writes(table, "enter wild 16")
    table.sweep()
    subjects = [str(each["Subject"]) for each in table.emails_to(address("Ada"))]
    assert len([each for each in subjects if each.startswith("[corr] Wild 16 with")]) == 8
    assert len([each for each in subjects if each.endswith("has started")]) == 1


def test_open_events_are_listed_with_their_entrants(table: Table) -> None:
    enter_section(table, "Ada", "rbc")
    enter_pyramid(table, "Bob")

    said = re.sub(r"\s*\|\s*", " ", eve_writes(table, "events"))
    assert "free places: 4 of 5; players: Ada" in said
    assert "Pyramid of Wild 16; players: Bob" in said


def test_a_pyramid_challenge_by_email(table: Table) -> None:
    event = enter_pyramid(table, "Bob")
    assert "enter it first" in eve_writes(table, "challenge Bob wild16 pyramid")
    assert "lowest level" in eve_writes(table, "enter wild16 pyramid")
    assert "already" in eve_writes(table, "enter wild16 pyramid")
    table.write_to_site(address("Eve"), "challenge Bob wild16 pyramid")

    answers = [str(each["Subject"]) for each in table.emails_to(address("Eve"))]
    assert any("Wild 16 with Bob" in each for each in answers)
    assert len(load_standings(table, event).games) == 1
    assert "No player with this name is in this pyramid" in eve_writes(
        table, "challenge Nobody wild16 pyramid"
    )


def test_a_private_section_is_entered_by_its_secret_first(table: Table) -> None:
    form = EventForm("wild16", "3d", "3", rated=False)
    made = page.make_private(table.server, make_player(table, "Ada"), form, table.clock())

    assert "There is no event" in eve_writes(table, f"enter {made.code}")
    assert "You have entered" in eve_writes(table, f"enter {made.secret}")
    assert "You have entered" in eve_writes(table, f"enter {made.code}")


def test_an_unknown_event_is_refused(table: Table) -> None:
    assert "There is no variant" in eve_writes(table, "enter 22222")
    assert "None of your open challenges matches this" in eve_writes(table, "withdraw 22222")
    assert "There is no variant" in eve_writes(table, "enter chess")
