"""Writes a player's turns for other programs: webhook payloads, a calendar and an Atom feed. Pure."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

from corr.text.messages import sentence


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's turn in a game; a test call names no game."""

    game: str
    variant: str
    deadline: str | None  # in ISO 8601
    until: str  # as a person reads it in their own time zone; empty if there is no deadline
    url: str

    @property
    def words(self) -> str:
        """The turn as a sentence."""
        if not self.game:
            return sentence("calls.test")
        if not self.until:
            return sentence("calls.turn", game=self.game, variant=self.variant)
        return sentence("calls.turn_until", game=self.game, variant=self.variant, until=self.until)


@dataclass(frozen=True, slots=True)
class Payload:
    body: bytes
    head: Mapping[str, str]


def _as_json(turn: Turn) -> Payload:
    return _json_payload(
        event="turn" if turn.game else "test",
        game=turn.game or None,
        variant=turn.variant or None,
        deadline=turn.deadline,
        url=turn.url,
    )


def _for_discord(turn: Turn) -> Payload:
    return _json_payload(content=f"{turn.words} {turn.url}", allowed_mentions={"parse": []})


def _for_slack(turn: Turn) -> Payload:
    return _json_payload(text=f"{turn.words} {turn.url}")


def _for_ntfy(turn: Turn) -> Payload:
    return Payload(turn.words.encode(), {"Content-Type": "text/plain; charset=utf-8", "Click": turn.url})


def _json_payload(**told: object) -> Payload:
    return Payload(json.dumps(told, ensure_ascii=False).encode(), {"Content-Type": "application/json"})


#: The payload formats: for a player's own program, or for a well-known service.
WRITERS: Mapping[str, Callable[[Turn], Payload]] = {
    "json": _as_json,
    "discord": _for_discord,
    "slack": _for_slack,
    "ntfy": _for_ntfy,
}


def sign_call(call: Payload, key: str, second: int) -> Payload:
    """Add signature headers, by which the receiver checks a call's sender and time."""
    seal = hmac.new(key.encode(), f"{second}.".encode() + call.body, hashlib.sha256).hexdigest()
    signed = {"X-Corr-Timestamp": str(second), "X-Corr-Signature": f"sha256={seal}"}
    return Payload(call.body, {**call.head, **signed})


_OCTETS = 75
_HOUR = timedelta(hours=1)
_ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class WaitingTurn:
    """A turn that waits for the player: its start, its deadline, and its move number."""

    turn: Turn
    ply: int
    since: datetime
    deadline: datetime | None


def write_calendar(turns: Iterable[WaitingTurn], about: str, now: datetime) -> bytes:
    """Write an RFC 5545 calendar with an hour-long event before each deadline, if any."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//corr//games//EN",
        "METHOD:PUBLISH",
        "X-WR-CALNAME:corr",
        f"SOURCE;VALUE=URI:{about}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ]
    for each in turns:
        if each.deadline:
            lines += _event(each, each.deadline, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _fold_line(line)).encode()


def _event(waiting: WaitingTurn, deadline: datetime, now: datetime) -> list[str]:
    """Return the lines of the calendar event before one deadline."""
    turn = waiting.turn
    return [
        "BEGIN:VEVENT",
        f"UID:{turn.game}-{waiting.ply}@corr",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(deadline - _HOUR)}",
        f"DTEND:{_utc(deadline)}",
        f"SUMMARY:{_text(turn.words)}",
        f"URL:{turn.url}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    """Escape text for a calendar's line."""
    for sign in "\\;,":
        words = words.replace(sign, f"\\{sign}")
    return words


def _fold_line(line: str) -> Iterator[str]:
    """Fold a line to 75 octets without splitting characters; continuations begin with a space."""
    piece = ""
    for sign in line:
        if len((piece + sign).encode()) > _OCTETS:
            yield piece
            piece = " "
        piece += sign
    yield piece


def write_atom(turns: Iterable[WaitingTurn], about: str, now: datetime) -> bytes:
    """Write an RFC 4287 feed with one entry for each turn, newest first."""
    entries = sorted(turns, key=lambda each: each.since, reverse=True)
    feed = ET.Element("feed", xmlns=_ATOM)
    _add_element(feed, "id", "urn:corr:games")
    _add_element(feed, "title", "corr")
    _add_element(feed, "updated", _rfc3339(entries[0].since if entries else now))
    ET.SubElement(ET.SubElement(feed, "author"), "name").text = "corr"
    ET.SubElement(feed, "link", href=about)
    for each in entries:
        entry = ET.SubElement(feed, "entry")
        _add_element(entry, "id", f"urn:corr:{each.turn.game}:{each.ply}")
        _add_element(entry, "title", each.turn.words)
        _add_element(entry, "updated", _rfc3339(each.since))
        ET.SubElement(entry, "link", href=each.turn.url)
    written: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _add_element(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text


def _rfc3339(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
