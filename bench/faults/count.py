"""Counts what went wrong, from the tables and the emails alone; it imports nothing of the server."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.mail import Name, Received, name_of

if TYPE_CHECKING:
    from bench.faults.players import Prepared
    from bench.faults.post import Letter

Row = tuple[Any, ...]
Ask = Callable[[str], list[Row]]

_SIDES = ("white", "black")
_COMMON = Path(__file__).parents[2] / "corr" / "store" / "packed2.txt"
_DAY = 86_400_000_000
_LONGEST_WAIT = 7 * _DAY
_OUTBOX = """
    select id, seat_id, number, kind, tries, sent_at is not null and dead_at is null, made_at, sent_at from outbox
"""
_INBOX = "select id, seat_id, raw, read_at, reading from inbox join originals on letter_id = id"
_ANSWERS = "select inbox_id, seat_id, number from outbox where kind = 'answer'"
_MOVES = "select seat_id, ply, text from orders where verdict = 'moved' order by id"
_SEATS = """
    select seats.id, games.code, seats.side, seats.code, players.address
    from seats join games on games.id = seats.game_id join players on players.id = seats.player_id
"""
_FLAGGED = """
    select games.code, games.clock, games.ended_at, seats.id,
           (select max(at) from orders join seats as both_seats on both_seats.id = orders.seat_id
            where both_seats.game_id = games.id and verdict = 'moved')
    from games join seats on seats.game_id = games.id and seats.side <> games.winner
    where games.reason = 'time'
"""


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of one game, as the tables have it."""

    game: str
    side: str
    code: str
    address: str


@dataclass(frozen=True, slots=True)
class Taken:
    """An email that the server accepted, and its answers."""

    seat: Seat
    raw: bytes
    is_read: bool
    reading: str
    answers: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """An email that the server owes to a seat."""

    id: int
    seat: Seat
    number: int
    kind: str
    tries: int
    is_done: bool
    made_at: int
    sent_at: int | None

    @property
    def name(self) -> Name:
        return self.seat.code, self.number


@dataclass
class Evidence:
    """What a run leaves: the tables, the emails both ways, and the prepared games."""

    ask: Ask
    written: list[Letter]
    received: list[Received]
    prepared: Mapping[str, Prepared]

    def __post_init__(self) -> None:
        self.seats = {number: Seat(*columns) for number, *columns in self.ask(_SEATS)}
        self.sent = [Sent(row[0], self.seats[row[1]], *row[2:]) for row in self.ask(_OUTBOX)]
        self.taken = self._taken()
        self.arrived: dict[Name, list[Received]] = defaultdict(list)
        for received in self.received:
            self.arrived[received.name].append(received)

    def _taken(self) -> dict[tuple[str, str], list[Taken]]:
        """The accepted emails by sender and Message-ID."""
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
        """Everything that went wrong, as sentences under the headings that count it."""
        return {
            "accepted emails judged not exactly once": list(self._misjudged()),
            "games with a move made twice, left out, or other than written": list(self._mismoved()),
            "emails never sent": list(self._never_sent()),
            "two different emails under one Message-ID": list(self._ambiguous()),
            "emails to a wrong address": list(self._misaddressed()),
            "emails of players refused for good": [
                f"{each.message_id}: {each.refused}" for each in self.written if each.refused
            ],
            "games without their right end": list(self._unended()),
            "players flagged untold, or before their time": list(self._flagged()),
        }

    def _misjudged(self) -> Iterable[str]:
        for letter in self.written:
            kept = self.taken.get((letter.player, letter.message_id), [])
            if wrong := _misjudgement(letter, kept) or self._answer_astray(letter, kept):
                yield f"{letter.message_id} of {letter.player}: {wrong}"
        known = {(letter.player, letter.message_id) for letter in self.written}
        for (address, unknown), kept in self.taken.items():
            if (address, unknown) not in known and not all(_is_the_demos(each.raw) for each in kept):
                yield f"{unknown} of {address}: was never written"

    def _answer_astray(self, letter: Letter, kept: list[Taken]) -> str:
        for answer in (answer for each in kept for answer in each.answers):
            came = self.arrived.get(answer) or self._merged(answer, letter.message_id)
            if letter.player not in {received.recipient for received in came}:
                return "its answer did not arrive"
        return ""

    def _merged(self, answer: Name, *answered: str) -> list[Received]:
        """The email of the next turn, if it replies to a player and so includes an unsent answer."""
        seat, number = answer
        return [each for each in self.arrived.get((seat, number + 1), []) if each["In-Reply-To"] in answered]

    def _mismoved(self) -> Iterable[str]:
        made: dict[str, list[Row]] = defaultdict(list)
        for seat_id, ply, text in self.ask(_MOVES):
            made[self.seats[seat_id].game].append((ply, self.seats[seat_id].side, text))
        plies: dict[str, int] = dict(self.ask("select code, ply from games"))
        for game, prepared in self.prepared.items():
            meant = [(ply, _SIDES[ply % 2], move) for ply, move in enumerate(prepared.moves)]
            if made[game] != meant or plies[game] != len(meant):
                right = sum(one == other for one, other in zip(made[game], meant, strict=False))
                yield f"game {game}: {right} of {len(meant)} moves right, {len(made[game])} in the log"

    def _never_sent(self) -> Iterable[str]:
        for sent in self.sent:
            arrived = {received.recipient for received in self.arrived.get(sent.name, [])}
            is_told = sent.seat.address in arrived or self._is_superseded(sent) or self._is_merged(sent)
            if not (sent.is_done and is_told):
                yield f"outbox row {sent.id} to {sent.seat.address}"

    def _is_superseded(self, sent: Sent) -> bool:
        """Whether a turn's email was left out because a later turn's email told more."""
        later = (
            each
            for each in self.sent
            if each.seat == sent.seat and each.kind == "turn" and each.number > sent.number
        )
        told = any(self.arrived.get(each.name) for each in later)
        return sent.tries > 1 and sent.kind in {"turn", "reminder"} and told

    def _is_merged(self, sent: Sent) -> bool:
        """Whether the next turn's email included the answer."""
        answered = (letter.message_id for letter in self.written if letter.player == sent.seat.address)
        told = self._merged(sent.name, *answered) if sent.kind == "answer" else []
        return sent.seat.address in {each.recipient for each in told}

    def _ambiguous(self) -> Iterable[str]:
        variants: dict[str, set[bytes]] = defaultdict(set)
        for received in self.received:
            variants[received["Message-ID"]].add(received.raw)
        return (f"{name}: {len(found)} different" for name, found in variants.items() if len(found) > 1)

    def _misaddressed(self) -> Iterable[str]:
        owners = {sent.name: sent.seat for sent in self.sent}
        for received in self.received:
            seat = owners.get(received.name)
            if seat is None or not _is_addressed_to(seat, received):
                yield f"{received['Message-ID']} to {received.recipient}"

    def _unended(self) -> Iterable[str]:
        for code, state, reason in self.ask("select code, state, reason from games"):
            if code not in self.prepared:
                yield f"game {code}: no email of it arrived"
            elif state != "over" or not _is_right_end(self.prepared[code], reason):
                yield f"game {code}: meant to end {self.prepared[code].end}, it is {state} ({reason})"

    def _flagged(self) -> Iterator[str]:
        """Players who lost on time without hearing of their turn or having all their time."""
        for game, clock, ended_at, seat, moved_at in self.ask(_FLAGGED):
            begun = moved_at or 0
            told = [
                sent.sent_at
                for sent in self.sent
                if sent.kind != "over" and sent.seat == self.seats[seat] and sent.made_at >= begun
                if sent.sent_at and sent.sent_at <= ended_at
            ]
            time = int(clock.removesuffix("d")) * _DAY
            if not told and ended_at - begun < time + _LONGEST_WAIT:
                yield f"game {game}: flagged untold"
            elif told and ended_at - min(told) < time:
                yield f"game {game}: flagged {(time - ended_at + min(told)) / 1e6:.0f} s before the time"

    def came_again(self) -> int:
        """Emails that came more than once, which is allowed."""
        return sum(len(copies) > 1 for copies in self.arrived.values())


def message_id(raw: bytes) -> str:
    return Received("", raw)["Message-ID"]


def unpacked(kept: bytes) -> bytes:
    """A received email, stored compressed."""
    if not kept.startswith(b"\0\7"):
        return kept
    lines = _COMMON.read_bytes().splitlines()
    common = b"\r\n> ".join(lines) + b"\n" + b"\n".join(lines)
    return zlib.decompressobj(wbits=-15, zdict=common).decompress(kept[2:])


def _is_the_demos(raw: bytes) -> bool:
    """True for the emails that accept the demo's first game: only they have names beside addresses."""
    return any(line in raw for line in (b"From: Ann <", b"From: Ben <"))


def _misjudgement(letter: Letter, kept: list[Taken]) -> str:
    if not letter.accepted and not kept:
        return ""
    if len(kept) != 1:
        return f"taken in {len(kept)} times"
    (taken,) = kept
    if taken.raw != letter.raw:
        return "other bytes were taken in than were written"
    if not taken.is_read or taken.reading not in ("read", "again"):
        return f"read as {taken.reading!r}"
    return "" if len(taken.answers) == 1 else f"answered {len(taken.answers)} times"


def _is_addressed_to(seat: Seat, received: Received) -> bool:
    """True if envelope, header, game and secret reply address are all this seat's."""
    return (
        received.recipient == received["To"] == seat.address
        and received["Subject"].endswith(f"({seat.game})")
        and name_of(received["Reply-To"])[0] == seat.code
    )


def _is_right_end(prepared: Prepared, reason: str) -> bool:
    expected = {"resigned": "resignation", "left": "time"}.get(prepared.end)
    return reason == expected if expected else reason not in ("resignation", "time")
