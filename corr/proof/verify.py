"""Check the record of a game of corr, with nothing but Python: python3 verify.py RECORD [LETTERS.mbox ...]

It says whether anyone changed a turn after it was sealed, and whether your emails show the same seals. Whether the
umpire followed the rules, only `corr verify` checks. This is one file on purpose: download it and run it alone.

    leaf = SHA-256(salt, line)        seal = SHA-256(seal before, leaf)

A line describes one turn, and each seal covers all turns up to its own. Each deadline must follow from the start of its
turn, the clock, and what delayed it, and nobody may lose on time before it. A line contains SHA-256(salt, part) of what
each side ordered and was told, and of its refused tries alone. The record has the other side's parts only if its player
lets others read them. A seal is written as the first 26 characters of its base32.

Copyright (c) 2026 the authors of corr

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
"""

from __future__ import annotations

import binascii
import gzip
import io
import json
import re
import sys
import zlib
import zoneinfo
from base64 import b32encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UTC = timezone.utc  # noqa: UP017  # older Pythons know it by this name alone
SIDES = ("white", "black")
PARTS = {
    "white": "ordered or was told",
    "black": "ordered or was told",
    "white_tries": "tried",
    "black_tries": "tried",
}
#: The most bytes of a line, lines of a record, bytes of an email, and bytes of a record that we read.
MOST_BYTES, MOST_LINES, MOST_OF_LETTER = 4_000_000, 10_000, 2_000_000
MOST_IN_ALL = 50_000_000
#: The form of a turn's name, and of a game's code.
TURN, GAME = re.compile(r"[0-9a-z.]{1,10}"), re.compile(r"[0-9a-z]{1,20}")
#: A seal as an email states it itself; before a quoted one there would be a mark.
SEAL = re.compile(r"^Seal ([0-9a-z.]{1,10}): ([A-Z2-7]{26})[ \t]*$", re.MULTILINE)
MOST_OF_NAME = 100  # the most characters of a player's name
#: The most bytes of a header and of one field, and the most levels of parts within parts of an email.
MOST_OF_HEAD, MOST_OF_FIELD, DEEPEST = 65_536, 1_000, 10
FIELD = re.compile(rb"^([!-9;-~]{1,100}):(.*(?:\n[ \t].*)*)", re.MULTILINE)
#: The blanks between two encoded words (RFC 2047), and an encoded word.
BETWEEN = re.compile(rb"(?<=\?=)\s{1,10}(?==\?)")
WORD = re.compile(rb"=\?[!->@-~]{1,60}\?([bq])\?([!->@-~]{0,400})\?=", re.IGNORECASE)
BOUNDARY = re.compile(rb"boundary\s{0,10}=\s{0,10}(?:\"([^\"]{1,100})\"|([^\s;\"]{1,100}))", re.IGNORECASE)
FIRST_TIMED_VERSION = 2  # the version of records that explain their deadlines
MICROSECOND, MINUTE, HOUR, DAY = (
    timedelta(microseconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)
#: The reasons that put a deadline off by as long as they last, and all reasons for a changed deadline.
STOP_REASONS = ("told", "pause", "outage", "operator", "leave")
DELAY_REASONS = (*STOP_REASONS, "hours", "anew")
#: The most deadlines of an email that we check, and the last year that they may name.
MOST_DEADLINES, LAST_YEAR = 20, 9_000
OWNER = re.compile(r"[Yy]ou are (White|Black)\.")  # how an email says which side its reader plays
#: How an email states a deadline: in UTC, or in the time of a place.
DEADLINE = re.compile(
    r"(?:Your turn: (?:reply|move) by|is to move, until|Deploy your (?:men|pieces) by|has until) "
    r"\w{3} (\d{1,2} \w{3} \d{4}, \d\d:\d\d) (?:UTC|\(([^(),]{1,40})[^()]{0,20}\))"
)


class InvalidRecord(Exception):
    """Says in a sentence what is wrong with a record."""


@dataclass
class Turn:
    """A turn of a record, whose seal follows from the seal before it."""

    name: str
    told: dict[str, Any]
    parts: dict[str, Any]  # what a side ordered and was told, or its tries, where this record shows it
    seal: str
    names: dict[str, str]  # the players' names, which only the first turn has
    mover: str | None = None  # the side whose turn it was; None while both deploy
    time: Time | None = None  # None if there is no deadline, or no explanation


@dataclass
class Time:
    """A turn's deadline, with the start, the allowed time and the delays that explain it."""

    began: datetime
    allowed: timedelta
    deadline: datetime
    steps: list[tuple[str, datetime, datetime | None]]
    is_late: bool  # whether its player heard of the turn late, which the other side never learns

    def has(self, why: str) -> bool:
        """Tell whether the deadline was put off for this reason."""
        return any(each == why for each, _, _ in self.steps)

    def goes_on(self, why: str) -> bool:
        """Tell whether this reason still held when the turn ended."""
        return any(each == why and until is None for each, _, until in self.steps)

    @property
    def earliest(self) -> datetime:
        """The earliest deadline by the record; uncounted weekends or vacations may make it later."""
        anew = max((at for at, (why, _, _) in enumerate(self.steps) if why == "anew"), default=None)
        began = self.began if anew is None else self.steps[anew][1]
        ended = [(why, since, until) for why, since, until in self.steps[(anew or 0) :] if until is not None]
        waited = sum((until - since for why, since, until in ended if why == "told"), timedelta())
        deadline = began + self.allowed + waited
        for why, since, until in ended:
            if why == "operator" and self.has("hours"):
                continue  # the days that an admin added may also be days that are not counted
            if why in STOP_REASONS and why != "told":
                # By a clock that was set back, an outage can lie before its turn, on days that aren't counted.
                counted = until - (min(max(since, began), until) if self.has("hours") else since)
                deadline = max(deadline, since) + counted
        return deadline


@dataclass
class Record:
    """A record whose seals hold."""

    game: str
    side: str | None  # the side whose record it is; None if it is for everybody
    turns: list[Turn]
    sent: dict[str, list[list[str]]]  # the turns and seals that the server says it sent to each side
    letters: set[str]  # hashes of further emails that the server says it sent, which no seal covers
    seals: set[tuple[str, str]]  # each turn's name with its seal

    @property
    def is_timed(self) -> bool:
        """Whether the record explains its deadlines."""
        return bool(self.turns[0].told.get("record") == FIRST_TIMED_VERSION)

    @property
    def mailed(self) -> set[str] | None:
        """The sealed hashes of the emails sent to this side; None if there are none."""
        parts = (turn.parts[self.side] for turn in self.turns if self.side in turn.parts)
        found = [part["mailed"] for part in parts if isinstance(part, dict) and "mailed" in part]
        return set().union(*map(_texts, found)) if found else None


@dataclass
class EmailEvidence:
    """What emails say about a game: its seals, its deadlines, and the hashes of their texts."""

    sealed: int = 0
    others: int = 0  # how many emails are about other games or none
    seals: list[tuple[str, str, str]] = field(default_factory=list)  # the email's date, the turn, its seal
    #: The email's date, the turn before the deadline, and the moments that the deadline may mean.
    deadlines: list[tuple[str, str, list[datetime]]] = field(default_factory=list)
    #: The email's date, its reader's side, the turn before it, and the hash of its text.
    words: list[tuple[str, str, str, str]] = field(default_factory=list)


def read_record(lines: Iterable[bytes]) -> Record:
    """Read a record; raise InvalidRecord for the first turn whose seal or time is wrong."""
    numbered = enumerate(lines, start=1)
    _, head = next(((at, _object(1, raw)) for at, raw in numbered), (0, {}))
    if (
        set(head) - {"letters"} != {"corr", "game", "side", "sent"}
        or head["corr"] != "record"
        or head["side"] not in (*SIDES, None)
        or not _is_name(GAME, head["game"])
    ):
        raise InvalidRecord("This isn't a game record: its first line doesn't say so.")
    game, sent, turns = head["game"], head["sent"], list[Turn]()
    before, size = bytes(32), 0
    for at, raw in numbered:
        size += len(raw)
        if at > MOST_LINES or size > MOST_IN_ALL:
            raise InvalidRecord("This isn't a game record: it is far too long.")
        before, turn = _turn(at, raw, game, turns, before)
        if (turns or [turn])[0].told.get("record") == FIRST_TIMED_VERSION:
            _check_time(turn, turns)
        turns.append(turn)
    if not turns or turns[-1].told.get("outcome") is None:
        last = f"after {format_turn_name(turns[-1].name)}" if turns else "before its first turn"
        raise InvalidRecord(f"The record ends {last}, before the game was over. Its end is missing.")
    seals = {(turn.name, turn.seal) for turn in turns}
    record = Record(game, head["side"], turns, sent, _texts(head.get("letters", [])), seals)
    _check_sent(record)
    return record


def _texts(value: Any) -> set[str]:
    """Return a list of texts as a set; raise InvalidRecord if it is not one."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidRecord("The record doesn't say which emails were sent.")
    return set(value)


def _is_name(names: re.Pattern[str], name: Any) -> bool:
    """Tell whether a value is a name of this form."""
    return isinstance(name, str) and bool(names.fullmatch(name))


def _object(at: int, raw: bytes) -> dict[str, Any]:
    """Parse a line as a JSON object; raise InvalidRecord unless it is in its only form."""
    try:
        text = raw.decode().removesuffix("\n")
        value = json.loads(text)
        is_canonical = canonical(value) == text
    except (ValueError, RecursionError):
        is_canonical, value = False, None
    if not is_canonical or not isinstance(value, dict):
        raise InvalidRecord(f"Line {at} is not as the server wrote it.")
    return value


def canonical(value: Any) -> str:
    """Write a value as JSON in the one form that we hash."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _turn(at: int, raw: bytes, game: str, before: list[Turn], sealed: bytes) -> tuple[bytes, Turn]:
    """Return a line's new seal and its turn; raise InvalidRecord if the record has another seal."""
    after = f"after {format_turn_name(before[-1].name)}" if before else "at the start"
    try:
        value = _object(at, raw)
        line, name = value["line"], value["line"]["turn"]
        number, is_of_game = line["leaf"], line["game"] == game
        leaf = sha256(_salt(value["salt"]) + canonical(line).encode()).digest()
        parts = {name: value[name] for name in PARTS if value[name] is not None}
        changed = [name for name, part in parts.items() if _hash_hidden(part, "part") != line[name]]
        stated, is_named, players = value["seal"], _is_name(TURN, name), value.get("players", {})
        is_named &= all(side in SIDES and len(players[side]["name"]) <= MOST_OF_NAME for side in players)
        misnamed = [side for side in players if _hash_hidden(players[side], "name") != line["players"][side]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidRecord(f"Line {at}, {after}, isn't a line of a record.") from error
    except InvalidRecord as wrong:
        raise InvalidRecord(f"Line {at}, {after}, is not as the server wrote it.") from wrong
    if not is_named:
        raise InvalidRecord(f"Line {at}, {after}, isn't a line of a record.")
    if not is_of_game:
        raise InvalidRecord(f"Line {at}, {after}, belongs to another game.")
    if number != len(before):
        raise InvalidRecord(
            f"A turn is missing or out of place {after}: the next one is {format_turn_name(name)}."
        )
    if misnamed:
        raise InvalidRecord(f"The game was sealed with another name for {misnamed[0].capitalize()}.")
    if changed:
        side = changed[0].partition("_")[0].capitalize()
        raise InvalidRecord(f"Someone changed what {side} {PARTS[changed[0]]} in {format_turn_name(name)}.")
    seal = sha256(sealed + leaf).digest()
    if format_seal(seal) != stated:
        raise InvalidRecord(
            f"The seal of {format_turn_name(name)} doesn't match: someone changed the turn, its salt or its seal."
        )
    open_parts = {name: part["part"] for name, part in parts.items()}
    names = {side: players[side]["name"] for side in players}
    return seal, Turn(name, line, open_parts, format_seal(seal), names)


def _hash_hidden(hidden: dict[str, Any], what: str) -> str:
    """Return the hash that stands for a hidden part in its turn's line."""
    return sha256(_salt(hidden["salt"]) + canonical(hidden[what]).encode()).hexdigest()


def _salt(text: str) -> bytes:
    """Decode a salt; raise ValueError unless it is in lower-case hex."""
    salt = bytes.fromhex(text)
    if salt.hex() != text:
        raise ValueError("not in lower case")
    return salt


def format_seal(seal: bytes) -> str:
    """Write a seal as emails show it, with 26 characters."""
    return b32encode(seal).decode()[:26]


def format_turn_name(name: str) -> str:
    """Return a turn's name in words, such as `turn 12w`."""
    if name == "end":
        return "the end of the game"
    if name == "0":
        return "the beginning of the game"
    return f"the set-ups ({name})" if name.startswith("0.") else f"turn {name}"


def _check_sent(record: Record) -> None:
    """Check that the seals that the server says it sent are those of the record."""
    for side in SIDES:
        try:
            sent = dict.fromkeys((name, seal) for name, seal in record.sent[side])
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidRecord("The record's first line doesn't say which seals were sent.") from error
        for name, seal in sent:
            if (name, seal) not in record.seals:
                told = format_turn_name(str(name)[:10])
                raise InvalidRecord(
                    f"The seal of {told} that we sent {side.capitalize()} isn't the one in this record."
                )


def _check_time(turn: Turn, before: list[Turn]) -> None:
    """Check that a turn's deadline is explained, and that nobody lost on time before it."""
    try:
        turn.mover = _mover(turn, before)
        turn.time = _time(turn, is_first=not before)
        if turn.time:
            _check_steps(turn, turn.time, before)
            _check_end(turn, turn.time, (before or [turn])[0].told["clock"])
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise InvalidRecord(
            f"We can't read what the record says about the time of {format_turn_name(turn.name)}."
        ) from error


def _time(turn: Turn, *, is_first: bool) -> Time | None:
    """Return what the record says about a turn's deadline; None if there is none."""
    stated, deadline, is_late = turn.told["time"], turn.told["deadline"], False
    own = (part["time"] for side, part in turn.parts.items() if side in SIDES and "time" in part)
    if stated is None and (private := next(own, None)) is not None:
        stated, deadline, is_late = private, private["deadline"], True
    if stated is None:
        if not is_first and (deadline is not None or turn.mover in turn.parts):
            raise InvalidRecord(f"The record doesn't explain the deadline of {format_turn_name(turn.name)}.")
        return None
    if (stated["allowed"] is None) != (deadline is None):
        raise ValueError("a deadline without a time, or a time without a deadline")
    if deadline is None:
        return None
    steps = [
        (why, _moment(since), _moment(until) if until else None) for why, since, until in stated["steps"]
    ]
    if any(why not in DELAY_REASONS or (until and until < since) for why, since, until in steps):
        raise ValueError("no step")
    began, until = _moment(stated["began"]), _moment(deadline)
    return Time(began, stated["allowed"] * MICROSECOND, until, steps, is_late)


def _moment(text: str) -> datetime:
    """Parse a moment; raise ValueError if it has no time zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without a zone")
    return moment


def _mover(turn: Turn, before: list[Turn]) -> str | None:
    """Return the side whose turn it was; None while both sides deploy."""
    if turn.name.startswith("0"):
        return None
    last = before[-1].name if before else ""
    is_white = turn.name.endswith("w") if turn.name != "end" else not last.endswith("w")
    return SIDES[0] if is_white else SIDES[1]


def _check_steps(turn: Turn, time: Time, before: list[Turn]) -> None:
    """Check that each delay of a deadline also appears elsewhere in the record, and vice versa."""
    name, told = format_turn_name(turn.name), turn.told
    if before and time.began.isoformat() != before[-1].told["at"]:
        raise InvalidRecord(f"According to the record, {name} didn't begin when the turn before it ended.")
    given = [until - since for why, since, until in time.steps if why == "operator" and until]
    decreed = [int(each["detail"]) * DAY for each in told["decrees"] if each["deed"] == "extend"]
    if given != decreed:
        raise InvalidRecord(f"The days an admin gave in {name} aren't those added to the deadline.")
    stood = [until.isoformat() for why, _, until in time.steps if why == "outage" and until]
    if told["outage"] and told["outage"][1] not in stood:
        raise InvalidRecord(f"The server was down in {name}, but that wasn't added to the deadline.")
    resumed = [
        sum(fact["code"] == "resumed" for slip in part["slips"] for fact in slip["facts"])
        for side, part in turn.parts.items()
        if side in SIDES
    ]
    paused = sum(why == "pause" and until is not None for why, _, until in time.steps)
    if any(each != paused for each in resumed):
        raise InvalidRecord(f"The game was paused in {name}, but the deadline wasn't moved by exactly that.")
    is_later = time.deadline > time.earliest and not time.has("hours") and not time.is_late
    if time.deadline < time.earliest or is_later:
        raise InvalidRecord(
            f"The deadline of {name} was {_format_moment(time.deadline)}, but its parts add "
            f"up to {_format_moment(time.earliest)}."
        )


def _check_end(turn: Turn, time: Time, clock: str) -> None:
    """Check that a loss on time came after the deadline, and a move before it."""
    name, told = format_turn_name(turn.name), turn.told
    words = clock.split()
    if time.has("hours") and ("steady" in words or "live" in words):
        raise InvalidRecord(f"Some hours of {name} weren't counted, but this game's clock counts all hours.")
    ended = datetime.fromisoformat(told["at"])
    facts = (
        fact["code"]
        for side, part in turn.parts.items()
        if side in SIDES
        for slip in part["slips"]
        for fact in slip["facts"]
    )
    outcome = told["outcome"]
    is_flagged = outcome is not None and (outcome["reason"] == "time" or "abandoned" in facts)
    if is_flagged and (ended <= time.deadline or time.goes_on("pause")):
        raise InvalidRecord(
            f"The game ended on time at {_format_moment(ended)}, but the deadline was {_format_moment(time.deadline)}."
        )
    came = told["came"] and datetime.fromisoformat(told["came"])
    flags_from = told.get("flags_from")
    may_be_late = (
        "claim" in words
        or time.goes_on("told")
        or time.goes_on("pause")
        or (flags_from and came and came < datetime.fromisoformat(flags_from))
    )
    if came and came > time.deadline and not may_be_late:
        raise InvalidRecord(
            f"The order of {name} came at {_format_moment(came)}, but the deadline was {_format_moment(time.deadline)}."
        )


def _format_moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%a %d %b %Y, %H:%M:%S} UTC"


def find_seals(lines: Iterable[bytes], game: str) -> EmailEvidence:
    """Return what the emails of an mbox file, or a single email, say about a game."""
    found, code = EmailEvidence(), f"({game})".encode()
    for raw in _messages(lines):
        fields, body = _split_header(raw)
        if code not in _words(fields.get(b"subject", b"")):
            found.others += 1
            continue
        date = fields.get(b"date", b"an unknown date").decode("ascii", "replace")
        text = _text(fields, body).decode(errors="replace")
        seals = SEAL.findall(text)
        found.sealed += bool(seals)
        found.seals += [(date, name, seal) for name, seal in seals]
        if seals:
            found.deadlines += [(date, seals[-1][0], moments) for moments in _deadlines(text)]
            words = " ".join(text.split())  # however its lines are broken
            whose, digest = OWNER.search(words), format_seal(sha256(words.encode()).digest())
            found.words += [(date, whose[1].lower(), seals[-1][0], digest)] if whose else []
    return found


def _deadlines(text: str) -> Iterator[list[datetime]]:
    """Yield each deadline that an email states itself, as the moments that it may mean."""
    own = " ".join(line for line in text.split("\n") if not line.startswith((">", "|")))
    for told, place in DEADLINE.findall(" ".join(own.split()))[:MOST_DEADLINES]:
        try:
            moment = datetime.strptime(told, "%d %b %Y, %H:%M")  # noqa: DTZ007  # its zone comes next
        except ValueError:
            continue
        if moment.year > LAST_YEAR:
            continue
        names = _places().get(place.replace(" ", "_"), ()) if place else ()
        zones = [zoneinfo.ZoneInfo(each) for each in names] if place else [UTC]
        yield [moment.replace(tzinfo=zone, fold=fold) for zone in zones for fold in (0, 1)]


@cache
def _places() -> dict[str, list[str]]:
    """Map the name of each place, such as `Berlin`, to its time zones."""
    found = dict[str, list[str]]()
    for each in sorted(zoneinfo.available_timezones()):
        found.setdefault(each.rpartition("/")[2], []).append(each)
    return found


def _messages(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Split an mbox file into emails; cut one that is far too long."""
    letter, size = list[bytes](), 0
    for line in lines:
        if line.startswith(b"From ") and letter:
            yield b"".join(letter)
            letter, size = [], 0
        size += len(line)
        if size <= MOST_OF_LETTER and not line.startswith(b"From "):
            letter.append(line)
    if letter:
        yield b"".join(letter)


def _split_header(raw: bytes) -> tuple[dict[bytes, bytes], bytes]:
    """Split an email or a part into its fields and the rest; Python's own parser can take minutes."""
    text = raw.replace(b"\r\n", b"\n")
    if text.startswith(b"\n"):
        return {}, text[1:]
    head, _, body = text.partition(b"\n\n")
    fields = dict[bytes, bytes]()
    for name, value in FIELD.findall(head[:MOST_OF_HEAD]):
        fields.setdefault(name.lower(), value[:MOST_OF_FIELD].replace(b"\n", b"").strip())
    return fields, body


def _words(field: bytes) -> bytes:
    """Decode the encoded words (RFC 2047) in a field."""

    def decode(found: re.Match[bytes]) -> bytes:
        is_quoted = found[1] in b"qQ"
        return binascii.a2b_qp(found[2], header=True) if is_quoted else _decode_base64(found[2])

    return WORD.sub(decode, BETWEEN.sub(b"", field))


def _decode_base64(text: bytes) -> bytes:
    """Decode base64; return nothing if it is malformed."""
    try:
        return binascii.a2b_base64(text)
    except binascii.Error:
        return b""


def _text(fields: dict[bytes, bytes], body: bytes) -> bytes:
    """Return the text in an email's first part; empty if that is not plain text."""
    for _ in range(DEEPEST):
        kind = fields.get(b"content-type", b"text/plain").lower()
        if not kind.startswith(b"multipart/"):
            break
        boundary = BOUNDARY.search(fields[b"content-type"])
        border = b"\n--" + ((boundary[1] or boundary[2]) if boundary else b"\n")
        part = (b"\n" + body).partition(border)[2].partition(b"\n")[2].partition(border)[0]
        fields, body = _split_header(part)
    if not kind.startswith(b"text/plain"):
        return b""
    encoding = fields.get(b"content-transfer-encoding", b"").lower()
    if encoding == b"base64":
        return _decode_base64(body).replace(b"\r\n", b"\n")
    return binascii.a2b_qp(body).replace(b"\r\n", b"\n") if encoding == b"quoted-printable" else body


def compare_seals(record: Record, evidence: EmailEvidence) -> None:
    """Raise InvalidRecord if an email has another seal or deadline than the record."""
    for date, name, seal in evidence.seals:
        if (name, seal) not in record.seals:
            raise InvalidRecord(
                f"In the email of {date} the seal of {format_turn_name(name)} isn't the record's."
            )
    following = {turn.name: after for turn, after in zip(record.turns, record.turns[1:], strict=False)}
    for date, name, moments in evidence.deadlines:
        after = following.get(name)
        if (
            after
            and after.time
            and moments
            and not any(_is_deadline_told(each, after.time, date) for each in moments)
        ):
            raise InvalidRecord(
                f"In the email of {date} the deadline of {format_turn_name(after.name)} isn't the record's, "
                f"which is {_format_moment(after.time.deadline)}."
            )


def compare_words(record: Record, evidence: EmailEvidence) -> int:
    """Count the emails whose text the record seals; raise InvalidRecord for one with another text.

    Those sent with the last turns are ignored, since no later turn could seal them.
    """
    try:
        mailed, last = record.mailed, record.turns[-1].told.get("at")
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidRecord("We can't read what the record says about emails.") from error
    if mailed is None:
        return 0
    unsealed = {turn.name for turn in record.turns if turn.told.get("at") == last}
    known = mailed | record.letters
    for date, whose, name, digest in evidence.words:
        is_sealed = whose == record.side and name not in unsealed
        if is_sealed and digest not in known:
            raise InvalidRecord(f"The email of {date} doesn't have the words we sent you.")
    return sum(digest in mailed for *_, digest in evidence.words)


def _is_deadline_told(moment: datetime, time: Time, date: str) -> bool:
    """Tell whether an email may state this deadline, which may have been put off since."""
    if moment + MINUTE <= time.began + time.allowed:
        return False
    changed = [since for why, since, _ in time.steps if why == "hours"]
    return moment <= time.deadline + (HOUR if time.is_late else MINUTE) or _is_before(date, changed)


def _is_before(date: str, changed: list[datetime]) -> bool:
    """Tell whether an email is older than a change of its player's hours, which moves deadlines."""
    try:
        return bool(changed) and parsedate_to_datetime(date) <= max(changed)
    except (TypeError, ValueError, OverflowError):
        return False


def read_file_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, unpacked if gzip packed it."""
    with path.open("rb") as file:
        yield from split_lines(file)


def split_lines(content: bytes | IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of an open file, or of its bytes, unpacked if gzip packed them."""
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    try:
        with gzip.open(file) if is_packed else file as plain:
            while line := plain.readline(MOST_BYTES):
                yield line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidRecord("We can't unpack the file: part of it is missing or changed.") from error


def check_record(record_file: Iterable[bytes], letter_files: Iterable[Iterable[bytes]]) -> tuple[Record, str]:
    """Return a record and a sentence that says what holds; raise InvalidRecord if something does not."""
    record = read_record(record_file)
    found, worded = EmailEvidence(), 0
    for file in letter_files:
        more = find_seals(file, record.game)
        compare_seals(record, more)
        worded += compare_words(record, more)
        found.sealed, found.others = found.sealed + more.sealed, found.others + more.others
    beside = f", and {found.sealed} of your emails have the same seals" if found.sealed else ""
    beside += f", {worded} of them with the words we sent" if worded else ""
    since = record.turns[0].told.get("sealed_from")
    late = f" (from turn {since} on, with everything before it sealed together)" if since else ""
    holds = (
        f"The record of game {record.game} is valid: {len(record.turns)} turns, each sealed by the next{late}"
    )
    untimed = "" if record.is_timed else ", but it is of an older kind, which can't prove times"
    called_by = [f'{side.capitalize()} was "{name}"' for side, name in sorted(record.turns[0].names.items())]
    who = f"; {' and '.join(reversed(called_by))}" if called_by else ""
    return record, f"{holds}{beside}{untimed}{who}"


def main() -> int:
    """Check the files named on the command line; return the exit status."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.stdout.write(f"{__doc__}\n")
        return 2
    try:
        _, sentence = check_record(
            read_file_lines(Path(sys.argv[1])), map(read_file_lines, map(Path, sys.argv[2:]))
        )
    except (InvalidRecord, OSError) as wrong:
        sys.stdout.write(f"{wrong}\n")
        return 1
    sys.stdout.write(f"{sentence}. This didn't check the rules: corr verify does that.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
