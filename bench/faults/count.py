"""The independent reader: counts what went wrong, from the tables and the mail alone; imports nothing of the house."""

from __future__ import annotations

import base64
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from bench.faults import flags
from bench.faults.games import Prepared
from bench.faults.postmen import Letter
from bench.faults.sink import Received

Row = tuple[Any, ...]
Name = tuple[str, int]  # what a Message-ID of the house stands for: a seat's code, and which of its letters
Ask = Callable[[str], list[Row]]

_SIDES = ("white", "black")
_PARSER = BytesHeaderParser()
_COMMON = Path(__file__).parents[2] / "corr" / "store" / "packed2.txt"


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of one game, as the tables have it."""

    game: str
    side: str
    code: str
    address: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A letter that the house took in, and how often it was answered."""

    seat: Seat
    raw: bytes
    is_read: bool
    reading: str
    answers: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter that the house owes to a seat."""

    id: int
    seat: Seat
    number: int
    kind: str
    tries: int
    is_done: bool

    @property
    def name(self) -> Name:
        return self.seat.code, self.number


@dataclass
class Evidence:
    """All that is left after a run: the tables, what players wrote, what they got, and what they meant to play."""

    ask: Ask
    written: list[Letter]
    received: list[Received]
    prepared: Mapping[str, Prepared]

    def __post_init__(self) -> None:
        self.seats = _seats(self.ask)
        self.sent = [_sent(row, self.seats) for row in self.ask(_OUTBOX)]
        self.taken = self._taken()
        self.arrived: dict[Name, list[Received]] = defaultdict(list)
        for received in self.received:
            self.arrived[_named(message_id(received.raw))].append(received)

    def _taken(self) -> dict[tuple[str, str], list[Taken]]:
        """What was taken in, by its writer's address and its Message-ID."""
        answers: dict[int, list[Name]] = defaultdict(list)
        for inbox_id, seat_id, number in self.ask(_ANSWERS):
            answers[inbox_id].append((self.seats[seat_id].code, number))
        taken: dict[tuple[str, str], list[Taken]] = defaultdict(list)
        for number, seat_id, raw, read_at, reading in self.ask(_INBOX):
            seat, letter = self.seats[seat_id], unpacked(bytes(raw))
            kept = Taken(seat, letter, read_at is not None, reading or "", tuple(answers[number]))
            taken[seat.address, message_id(letter)].append(kept)
        return taken

    def judge(self) -> dict[str, list[str]]:
        """What must not be, by the heading it is counted under; each wrong in a line of words."""
        return {
            "accepted letters judged not exactly once": list(self._misjudged()),
            "games with a move made twice, left out, or other than written": list(self._mismoved()),
            "letters never handed over": list(self._never_handed_over()),
            "two different letters under one Message-ID": list(self._ambiguous()),
            "letters to a wrong address": list(self._misaddressed()),
            "letters of players refused for good": list(self._refused()),
            "games without their right end": list(self._unended()),
            "players flagged untold, or before their time": list(flags.wronged(self.ask)),
        }

    def _misjudged(self) -> Iterable[str]:
        for letter in self.written:
            kept = self.taken.get((letter.player, letter.message_id), [])
            wrong = _misjudgement(letter, kept) or self._answer_astray(letter, kept)
            if wrong:
                yield f"{letter.message_id} of {letter.player}: {wrong}"
        known = {(letter.player, letter.message_id) for letter in self.written}
        for (address, unknown), kept in self.taken.items():
            if (address, unknown) not in known and not all(_is_the_demos(each.raw) for each in kept):
                yield f"{unknown} of {address}: was never written"

    def _answer_astray(self, letter: Letter, kept: list[Taken]) -> str:
        for answer in (answer for each in kept for answer in each.answers):
            if letter.player not in {received.recipient for received in self.arrived.get(answer, [])}:
                return "its answer did not arrive"
        return ""

    def _mismoved(self) -> Iterable[str]:
        made: dict[str, list[Row]] = defaultdict(list)
        for seat_id, ply, text in self.ask(
            "select seat_id, ply, text from orders where verdict = 'moved' order by id"
        ):
            seat = self.seats[seat_id]
            made[seat.game].append((ply, seat.side, text))
        plies: dict[str, int] = dict(self.ask("select code, ply from games"))
        for game, prepared in self.prepared.items():
            meant = [(ply, _SIDES[ply % 2], move) for ply, move in enumerate(prepared.moves)]
            if made[game] != meant or plies[game] != len(meant):
                right = sum(one == other for one, other in zip(made[game], meant, strict=False))
                yield f"game {game}: {right} of {len(meant)} moves right, {len(made[game])} in the log"

    def _never_handed_over(self) -> Iterable[str]:
        for sent in self.sent:
            arrived = {received.recipient for received in self.arrived.get(sent.name, [])}
            if not sent.is_done or (sent.seat.address not in arrived and not self._is_superseded(sent)):
                yield f"outbox row {sent.id} to {sent.seat.address}"

    def _is_superseded(self, sent: Sent) -> bool:
        """Whether a letter of a turn was put off until a letter of a later turn had told more."""
        return (
            sent.tries > 1
            and sent.kind in {"turn", "reminder"}
            and any(
                later.seat == sent.seat
                and later.kind == "turn"
                and later.number > sent.number
                and self.arrived.get(later.name)
                for later in self.sent
            )
        )

    def _ambiguous(self) -> Iterable[str]:
        variants: dict[str, set[bytes]] = defaultdict(set)
        for received in self.received:
            variants[message_id(received.raw)].add(received.raw)
        return (f"{name}: {len(found)} different" for name, found in variants.items() if len(found) > 1)

    def _misaddressed(self) -> Iterable[str]:
        owners = {sent.name: sent.seat for sent in self.sent}
        for received in self.received:
            letter = _PARSER.parsebytes(received.raw)
            seat = owners.get(_named(str(letter["Message-ID"])))
            if seat is None or not _is_addressed_to(seat, received.recipient, letter):
                yield f"{letter['Message-ID']} to {received.recipient}"

    def _refused(self) -> Iterable[str]:
        return (f"{letter.message_id}: {letter.refused}" for letter in self.written if letter.refused)

    def _unended(self) -> Iterable[str]:
        ends = {
            code: (state, reason) for code, state, reason in self.ask("select code, state, reason from games")
        }
        for code, (state, reason) in ends.items():
            if code not in self.prepared:
                yield f"game {code}: no letter of it arrived"
            elif state != "over" or not _is_right_end(self.prepared[code], reason):
                yield f"game {code}: meant to end {self.prepared[code].end}, it is {state} ({reason})"

    def came_again(self) -> int:
        """Letters that came more than once, which is allowed."""
        return sum(len(copies) > 1 for copies in self.arrived.values())


_OUTBOX = "select id, seat_id, number, kind, tries, sent_at, dead_at from outbox"
_INBOX = "select id, seat_id, raw, read_at, reading from inbox join originals on letter_id = id"
_ANSWERS = "select inbox_id, seat_id, number from outbox where kind = 'answer'"
_SEATS = """
    select seats.id, games.code, seats.side, seats.code, players.address
    from seats join games on games.id = seats.game_id join players on players.id = seats.player_id
"""


def message_id(raw: bytes) -> str:
    return str(_PARSER.parsebytes(raw)["Message-ID"])


def _named(address: str) -> Name:
    """What a secret address or a Message-ID of the house stands for."""
    local = address.strip("<>").partition("@")[0].upper()
    token = base64.b32decode(local + "=" * (-len(local) % 8))
    return base64.b32encode(token[1:6]).decode().lower(), int.from_bytes(token[6:9])


def unpacked(kept: bytes) -> bytes:
    """A letter as it came: it is kept packed, with what letters have in common left out."""
    if not kept.startswith(b"\0\7"):
        return kept
    lines = _COMMON.read_bytes().splitlines()
    common = b"\r\n> ".join(lines) + b"\n" + b"\n".join(lines)
    return zlib.decompressobj(wbits=-15, zdict=common).decompress(kept[2:])


def _seats(ask: Ask) -> dict[int, Seat]:
    return {number: Seat(*columns) for number, *columns in ask(_SEATS)}


def _sent(row: Row, seats: Mapping[int, Seat]) -> Sent:
    id_, seat_id, number, kind, tries, sent_at, dead_at = row
    return Sent(id_, seats[seat_id], number, kind, tries, sent_at is not None and dead_at is None)


def _is_the_demos(raw: bytes) -> bool:
    """True of a letter by which the demo accepts its first game: it alone writes names beside addresses."""
    return any(line in raw for line in (b"From: Ann <", b"From: Ben <"))


def _misjudgement(letter: Letter, kept: list[Taken]) -> str:
    if not letter.accepted and not kept:
        return ""
    if len(kept) != 1:
        return f"taken in {len(kept)} times"
    taken = kept[0]
    if taken.raw != letter.raw:
        return "other bytes were taken in than were written"
    if not taken.is_read or taken.reading not in ("read", "again"):
        return f"read as {taken.reading!r}"
    return "" if len(taken.answers) == 1 else f"answered {len(taken.answers)} times"


def _is_addressed_to(seat: Seat, recipient: str, letter: Message) -> bool:
    """True if envelope, header, game and secret reply address are all this seat's."""
    return (
        recipient == seat.address
        and letter["To"] == seat.address
        and letter["Subject"].endswith(f"({seat.game})")
        and _named(letter["Reply-To"])[0] == seat.code
    )


def _is_right_end(prepared: Prepared, reason: str) -> bool:
    expected = {"resigned": "resignation", "left": "time"}.get(prepared.end)
    return reason == expected if expected else reason not in ("resignation", "time")
