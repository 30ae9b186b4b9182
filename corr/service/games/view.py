"""Builds a `View`: all that a player may know of a game, by their slips and public state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, Protocol, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Select, bindparam, select

from corr import limits
from corr.game.clock import parse_clock
from corr.mail.outward.fallback_email import PlainFacts
from corr.mail.outward.missing_parts import MissingParts
from corr.service import catalogue
from corr.service.games import log_rows, notes, poll_status
from corr.service.games.log_rows import LoggedOrder
from corr.service.games.notes import StoredNote
from corr.service.games.public_state import PublicState
from corr.service.games.seats import Seat
from corr.service.games.slip_queries import NumberedSlip
from corr.service.players import times
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import SlipRow
from corr.text.lessons import tutorial
from corr.words.board import SQUARES, Side, squares_of
from corr.words.slips import Sight, Slip, newest_setup_index, say_plainly
from corr.words.view import Lesson, Try, View, group_tries, is_in_check, is_pawn_capture_due

_SHORT_SCORE = 3


@dataclass(frozen=True, slots=True)
class ViewMoment:
    """The moment that a view shows: the last slip its player got, and the public state then."""

    slip: int
    step: int
    inbox_id: int | None
    public: PublicState


class GameInfo(NamedTuple):
    code: str
    variant: str
    clock: str
    name: str


class Reader(Protocol):
    """The reader of a view: a side of a game and its player."""

    @property
    def side(self) -> Side: ...

    @property
    def player(self) -> str: ...

    @property
    def zone(self) -> str: ...


class PrivateState(NamedTuple):
    """A side's private things at a moment: its ghosts and its number of notes."""

    ghosts: str = ""
    notes: int = 0


class ViewRequest(NamedTuple):
    """What an email tells: seat, moment, private things, and whether the whole score."""

    seat: Seat
    moment: ViewMoment
    own: PrivateState
    whole_score: bool

    @property
    def ply(self) -> int:
        return self.moment.public.ply

    @property
    def since(self) -> int:
        """Return the first half-move whose slips are read: 0 for lessons or whole scores, else recent."""
        is_whole = self.whole_score or self.moment.public.lesson
        return min(self.ply, 0 if is_whole else max(0, self.ply // 2 - _SHORT_SCORE) * 2)


class StoredSlip(NamedTuple):
    seat_id: int
    number: int
    step: int
    ply: int
    facts: bytes
    sight: bytes


class SeatRecords(NamedTuple):
    """Slips and tries by seat and first move read, and notes by seat."""

    slips: Mapping[tuple[int, int], Sequence[StoredSlip]]
    tries: Mapping[tuple[int, int], Sequence[LoggedOrder]]
    notes: Mapping[int, Sequence[StoredNote]]


_Columns = TypeVarTuple("_Columns")
_SeatRecord = TypeVar("_SeatRecord", StoredSlip, LoggedOrder)


def load_records(connection: Connection, asked: Collection[ViewRequest]) -> SeatRecords:
    """Read slips, tries and notes for several emails, with one query for each half-move."""
    return SeatRecords(
        _load_by_seat(connection, StoredSlip, _SLIPS_QUERY, asked, lambda each: each.since),
        _load_by_seat(connection, LoggedOrder, log_rows.LATEST_TRIES_QUERY, asked, lambda each: each.ply),
        notes.load_notes(connection, {each.seat.id for each in asked if each.own.notes}),
    )


def _load_by_seat(
    connection: Connection,
    kind: Callable[[*_Columns], _SeatRecord],
    question: Select[*_Columns],
    asked: Collection[ViewRequest],
    move: Callable[[ViewRequest], int],
) -> dict[tuple[int, int], Sequence[_SeatRecord]]:
    """Run a query once for each half-move asked; return rows by seat and half-move."""
    kept: dict[tuple[int, int], Sequence[_SeatRecord]] = {}
    for ply, group in groupby(sorted(asked, key=move), key=move):
        seats = {"seats": [each.seat.id for each in group], "ply_": ply}
        found = rows_of(kind, connection.execute(question, seats))
        kept |= {(seat, ply): list(own) for seat, own in groupby(found, key=lambda each: each.seat_id)}
    return kept


def build_view(game: GameInfo, request: ViewRequest, records: SeatRecords, lacks: MissingParts) -> View:
    """Build what a seat knew at a past moment, so that late emails tell no more."""
    seat, moment, ply, since = request.seat, request.moment, request.ply, request.since
    rows = _list_until(moment, records.slips.get((seat.id, since), ()))
    slips = tuple(_unpack_row(seat.side, row) for row in rows)
    tries = records.tries.get((seat.id, ply), ())
    told = [slip for row, slip in zip(rows, slips, strict=True) if row.ply > since]
    notes_then = [row for row in records.notes.get(seat.id, ()) if row.number <= request.own.notes]
    most = limits.NOTES_SHOWN if request.whole_score else limits.NOTES_IN_TURN
    made = {row.ply - 1: slip for row, slip in zip(rows, slips, strict=True) if slip.is_of_own_move}
    return build_base_view(
        game,
        seat,
        moment.public,
        slips,
        lacks,
        lesson=lacks.make_or_replace("lesson", lambda: find_lesson(moment.public, slips), None),
        last_tries=group_tries(
            Try(log_rows.format_order(row, made.get(row.ply)), row.said) for row in tries if row.ply < ply
        ),
        tries=group_tries(
            Try(row.text, row.said)
            for row in tries
            if row.ply == ply and row.inbox_id < (moment.inbox_id or 0)
        ),
        score=lacks.make_or_replace("score", lambda: _score(request, slips, told), tuple[str, ...]()),
        ghosts=notes.parse_ghosts(request.own.ghosts),
        notes=tuple(row.note for row in notes_then[:most]),
    )


def list_slips(request: ViewRequest, records: SeatRecords) -> list[NumberedSlip]:
    """Return what an email's reader was told up to its moment, as numbered slips."""
    rows = _list_until(request.moment, records.slips.get((request.seat.id, request.since), ()))
    return [NumberedSlip(row.number, row.step, row.ply, _unpack_row(request.seat.side, row)) for row in rows]


def find_lesson(public: PublicState, slips: Sequence[Slip], mover: Side | None = None) -> Lesson | None:
    """Return the tutorial's lesson, with words since the last move or `mover`'s last; else None."""
    return tutorial().script(public.lesson).told(slips, mover) if public.lesson else None


def _score(request: ViewRequest, slips: Sequence[Slip], told: Sequence[Slip]) -> tuple[str, ...]:
    """Return the moves that an email lists; in a tutorial, only those since the last set-up."""
    if not request.moment.public.lesson:
        return catalogue.score(told, request.since // 2 + 1)
    score = catalogue.score(slips[newest_setup_index(slips) :], 1)
    return score if request.whole_score else score[-_SHORT_SCORE:]


def _list_until(moment: ViewMoment, rows: Sequence[StoredSlip]) -> list[StoredSlip]:
    """Return the slip rows that a seat had been given by a moment."""
    return [row for row in rows if (row.number, row.step) <= (moment.slip, moment.step)]


def build_base_view(
    game: GameInfo,
    reader: Reader,
    public: PublicState,
    slips: tuple[Slip, ...],
    lacks: MissingParts,
    **more: Any,
) -> View:
    """Build a view from slips and public state, and from `more` of its fields, such as the tries."""
    clock = parse_clock(game.clock)
    return View(
        game=game.code,
        card=catalogue.card(game.variant),
        side=reader.side,
        name=reader.player,
        opponent=game.name,
        clock=clock.sentence,
        state=public.state,
        move_number=max(public.ply, 0) // 2 + 1,
        turn=public.turn,
        deadline=_word_moment(public.time.deadline, reader.zone),
        late=public.late,
        offer=public.offer,
        outcome=public.outcome,
        slips=slips,
        seal=public.seal,
        taken=_list_taken(slips),
        example=lacks.make_or_replace(
            "example", lambda: _example(game.variant, reader.side, public, slips), ""
        ),
        untimed=clock.is_untimed,
        steady=clock.steady or clock.is_live,
        claimed=clock.claimed,
        banks=_banks(public),
        paused=public.paused,
        pause_until=_word_moment(public.pause_until, reader.zone),
        pause_asked=public.pause_asked,
        outage=tuple(_word_moment(each, reader.zone) for each in public.outage or ()),
        delay=public.time.delay,
        until=_word_moment(public.time.until, reader.zone),
        standing=public.standing,
        standing_waits=public.standing_waits,
        standing_delay=public.standing_delay,
        **more,
    )


def _example(variant: str, side: Side, public: PublicState, slips: tuple[Slip, ...]) -> str:
    """Return a move to suggest; "" in check, because most moves don't answer it."""
    if not slips or public.turn is not side or is_in_check(slips):
        return ""
    return catalogue.example(variant, slips[-1].sight, captures=is_pawn_capture_due(slips, side))


_SLIPS_QUERY = (
    select(SlipRow.seat_id, SlipRow.number, SlipRow.step, SlipRow.ply, SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id.in_(bindparam("seats", expanding=True)), SlipRow.ply >= bindparam("ply_"))
    .order_by(SlipRow.seat_id, SlipRow.number, SlipRow.step)
)


def build_bare(
    connection: Connection, game: GameInfo, seat: Seat, moment: ViewMoment, lacks: MissingParts
) -> PlainFacts:
    """Return the few facts for a plain email, which replaces one that we can't compose."""
    public = moment.public
    asked = {"seats": [seat.id], "ply_": public.ply - 1}
    rows = _list_until(moment, rows_of(StoredSlip, connection.execute(_SLIPS_QUERY, asked)))
    read = [lacks.make_or_replace("slip", partial(_unpack_row, seat.side, row), None) for row in rows]
    slips = [slip for slip in read if slip]
    return PlainFacts(
        variant=lacks.make_or_replace("card", lambda: catalogue.card(game.variant).name, game.variant),
        opponent=game.name,
        side=seat.side,
        state=public.state,
        turn=public.turn,
        deadline=_word_or_iso(public.time.deadline, seat.zone, lacks),
        late=public.late,
        paused=public.paused,
        paused_until=_word_or_iso(public.pause_until, seat.zone, lacks),
        pause_asked=public.pause_asked,
        outage=tuple(_word_or_iso(each, seat.zone, lacks) for each in public.outage or ()),
        untimed=lacks.make_or_replace(
            "clock", lambda: parse_clock(game.clock).is_untimed, public.time.deadline is None
        ),
        claimed=lacks.make_or_replace("clock", lambda: parse_clock(game.clock).claimed, False),
        delay=public.time.delay,
        until=_word_or_iso(public.time.until, seat.zone, lacks),
        offer=public.offer,
        winner=public.outcome.winner if public.outcome else None,
        said=lacks.make_or_replace(
            "said", lambda: " ".join(filter(None, (say_plainly(slip.spoken) for slip in slips))), ""
        ),
        men=lacks.make_or_replace("men", lambda: _group_pieces(slips[-1].sight) if slips else (), ()),
        seal=public.seal,
    )


def _group_pieces(sight: Sight) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Group a side's own pieces by kind, with their squares."""
    own = sight.own_pieces().items()
    return tuple((str(man), tuple(SQUARES[square] for square in squares)) for man, squares in own)


def _unpack_row(side: Side, row: StoredSlip) -> Slip:
    return unpack(side, row.facts, row.sight)


def _list_taken(slips: Sequence[Slip]) -> tuple[str, ...]:
    """List the own pieces that the opponent's last move captured; none after an own move."""
    for before, after in zip(reversed(slips[:-1]), reversed(slips), strict=False):
        if after.made:
            return () if after.made["side"] == after.side else _list_gone(before.sight, after.sight)
    return ()


def _list_gone(before: Sight, after: Sight) -> tuple[str, ...]:
    """List the own pieces, with squares, that the later of two boards lacks."""
    gone = before.own & ~after.own
    men = ((man, squares_of(mask & gone)) for man, mask in before.masks() if mask & gone)
    return tuple(
        f"{man} on {SQUARES[square]}{', a promoted pawn,' * (before.promoted >> square & 1)}"
        for man, squares in men
        for square in squares
    )


def _banks(public: PublicState) -> tuple[str, str] | None:
    """Return both sides' saved time in words; None if the game has no time banks."""
    if public.banks is None:
        return None
    white, black = map(poll_status.word_minutes, public.banks)
    return white, black


def _word_moment(moment: datetime | None, zone: str) -> str:
    """Word a moment in the player's time zone; empty for None."""
    return times.word_moment(moment, zone) if moment else ""


def _word_or_iso(moment: datetime | None, zone: str, lacks: MissingParts) -> str:
    """Word a time in the player's zone, in ISO format if that fails; empty for None."""
    if moment is None:
        return ""
    return lacks.make_or_replace("deadline", lambda: times.word_moment(moment, zone), moment.isoformat())
