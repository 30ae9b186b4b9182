"""Feeds of turns: calendar programs and Atom readers can read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import icalendar
import pytest

from corr.notifications import calendar_and_feeds
from corr.notifications.calendar_and_feeds import Turn, WaitingTurn

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
GAMES_URL = "https://play.example/games/"
ATOM = "{http://www.w3.org/2005/Atom}"


def waiting(code: str, days: int | None, variant: str = "Wild 16", since: datetime = NOON) -> WaitingTurn:
    deadline = NOON + timedelta(days=days) if days else None
    until = f"{deadline:%a %-d %b %Y, %H:%M} UTC" if deadline else ""
    turn = Turn(code, variant, deadline.isoformat() if deadline else None, until, f"{GAMES_URL}{code}")
    return WaitingTurn(turn, 6, since, deadline)


def test_a_calendar_program_can_read_the_deadlines() -> None:
    read = icalendar.Calendar.from_ical(
        calendar_and_feeds.write_calendar(
            [waiting("k3x9z", 3), waiting("q7k2m", None), waiting("v5t8n", 5)], GAMES_URL, NOON
        )
    )
    events = read.walk("VEVENT")
    assert [str(event["UID"]) for event in events] == ["k3x9z-6@corr", "v5t8n-6@corr"]
    assert events[0].decoded("DTEND") == NOON + timedelta(days=3)
    assert events[0].decoded("DTSTART") == NOON + timedelta(days=3, hours=-1)
    assert str(events[0]["SUMMARY"]) == (
        "It's your turn in game k3x9z, Wild 16. Move by Mon 23 Nov 2026, 12:00 UTC."
    )
    assert str(events[0]["URL"]) == "https://play.example/games/k3x9z"


@pytest.mark.parametrize("variant", ["a; b, c \\ d", "é" * 90, "ü" * 36 + "x", "♞" * 40])
def test_long_lines_are_folded_without_loss(variant: str) -> None:
    written = calendar_and_feeds.write_calendar([waiting("k3x9z", 3, variant)], GAMES_URL, NOON)
    assert max(map(len, written.split(b"\r\n"))) <= 75
    (event,) = icalendar.Calendar.from_ical(written).walk("VEVENT")
    assert variant in str(event["SUMMARY"])


def test_a_calendar_without_turns_is_valid() -> None:
    assert (
        icalendar.Calendar.from_ical(calendar_and_feeds.write_calendar([], GAMES_URL, NOON)).walk("VEVENT")
        == []
    )


def test_an_atom_feed_has_the_newest_turn_first() -> None:
    later = NOON + timedelta(hours=1)
    feed = ET.fromstring(  # it is our own
        calendar_and_feeds.write_atom(
            [waiting("k3x9z", 3), waiting("q7k2m", None, "<&>", later)], GAMES_URL, NOON
        )
    )
    assert feed.findtext(f"{ATOM}updated") == "2026-11-20T13:00:00Z"
    entries = [
        (entry.findtext(f"{ATOM}id"), entry.findtext(f"{ATOM}title"), entry.findtext(f"{ATOM}updated"))
        for entry in feed.findall(f"{ATOM}entry")
    ]
    assert entries == [
        ("urn:corr:q7k2m:6", "It's your turn in game q7k2m, <&>.", "2026-11-20T13:00:00Z"),
        (
            "urn:corr:k3x9z:6",
            "It's your turn in game k3x9z, Wild 16. Move by Mon 23 Nov 2026, 12:00 UTC.",
            "2026-11-20T12:00:00Z",
        ),
    ]


def test_an_empty_feed_has_a_time() -> None:
    feed = ET.fromstring(calendar_and_feeds.write_atom([], GAMES_URL, NOON))  # it is our own
    assert feed.findtext(f"{ATOM}updated") == "2026-11-20T12:00:00Z"
    assert feed.findall(f"{ATOM}entry") == []
