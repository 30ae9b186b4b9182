"""Converts a game and its seats between database rows and the state that a `GameSession` changes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeVar

from sqlalchemy import ColumnElement, ScalarSelect, bindparam, func, select, update

from corr.game import time_log
from corr.game.clock import parse_clock
from corr.game.late_notice import Wait
from corr.game.reminder_times import TimeSettings
from corr.game.resign_and_draw import DrawOffer, Pause
from corr.game.standing_orders import StandingOrdersText
from corr.game.state import State
from corr.game.turn_deadline import TurnTime
from corr.record.seals import to_canonical_json
from corr.record.turns import Heading
from corr.service.games import notes, outages
from corr.service.players import times
from corr.service.players.switches import Switch, parse_switches
from corr.service.players.times import StoredTimeSettings
from corr.store.rows import columns_of
from corr.store.tables import GameRow, OutboxRow, PlayerRow, QuotableRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.slips import GhostPieces, Outcome, Sight, Slip
from corr.words.view import Stage

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class LockedGameRow(NamedTuple):
    variant: str
    clock: str
    state: str
    ply: int
    turn: str | None
    deadline: datetime | None
    earliest: datetime | None
    waits_from: datetime | None
    paused_at: datetime | None
    calendar: str
    time_log: str
    pause_asked: str | None
    paused_until: datetime | None
    offer: str | None
    offered_white: int
    offered_black: int
    offer_slip: int | None
    winner: str | None
    reason: str | None
    ended_at: datetime | None
    again: str | None
    kept_until: datetime | None
    lesson: int | None
    credited: int
    outage_from: datetime | None
    outage_until: datetime | None
    newest_outage: int | None
    flags_from: datetime | None
    code: str
    rated: bool
    by_lot: bool
    leaves: int
    seal: bytes | None
    sealed: str
    unsealed: bool

    @property
    def heading(self) -> Heading:
        """Return the game's data for the first line of its record."""
        return Heading(self.code, self.variant, self.clock, self.rated, self.by_lot)


class LockedSeatRow(NamedTuple):
    seat_id: int
    side: str
    accepted: bool
    slips: int
    steps: int
    letters: int
    mailed: int
    newest_digested: int | None
    digests: str | None
    answers: int
    telling: int | None
    opened: int | None
    opened_at: datetime | None
    delayed_from: datetime | None
    held: timedelta
    bank: timedelta | None
    remind_at: datetime | None
    reminded: timedelta | None
    ghosts: str
    notes: int
    house: bool
    standing: str | None
    standing_by: int | None
    standing_delay: str | None
    standing_due: datetime | None
    thinks_at: datetime | None
    opponent: str | None
    name: str
    player_id: int
    mailing: str
    switched: str
    answer_waits: bool
    zone: str
    weekends: bool
    vacations: str
    remind: str
    quiet: str
    goes_on_leave: bool
    called: bool
    guest: bool


_T = TypeVar("_T")


def _select_new_emails(asked: ColumnElement[_T]) -> ScalarSelect[_T]:
    """Build a subquery for a value over a seat's emails written since the last seal."""
    return (
        select(asked)
        .select_from(OutboxRow)
        .join(QuotableRow, QuotableRow.letter_id == OutboxRow.id)
        .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.number > SeatRow.mailed, QuotableRow.digest != "")
        .correlate(SeatRow)
        .scalar_subquery()
    )


# Whether a seat's newest email is an answer that hasn't gone out.
_ANSWER_WAITS = (
    select(OutboxRow.id)
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.number == SeatRow.letters, OutboxRow.kind == "answer")
    .where(OutboxRow.sent_at.is_(None), OutboxRow.dead_at.is_(None))
    .correlate(SeatRow)
    .exists()
)
# Building this statement for each email would take longer than the database takes to run it.
LOCK_GAME_QUERY = (
    select(
        *columns_of(
            LockedGameRow, GameRow, newest_outage=outages.NEWEST_OUTAGE, flags_from=outages.FLAGS_FROM
        ),
        *columns_of(
            LockedSeatRow,
            SeatRow,
            PlayerRow,
            seat_id=SeatRow.id,
            newest_digested=_select_new_emails(func.max(OutboxRow.number)),
            digests=_select_new_emails(func.aggregate_strings(QuotableRow.digest, " ")),
            answer_waits=_ANSWER_WAITS,
        ),
    )
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .where(GameRow.id == bindparam("game"))
    # Lock the seats too: after waiting for a lock, a query rereads only the locked rows, and others stay stale.
    # On PostgreSQL, NO KEY UPDATE does not block an email that is just coming in for the seat.
    .with_for_update(of=(GameRow, SeatRow), key_share=True)
)
GAME_UPDATE = update(GameRow).where(GameRow.id == bindparam("game"))
SEAT_UPDATE = update(SeatRow).where(SeatRow.id == bindparam("seat_id"))


@dataclass(slots=True)
class SeatState:
    """A seat of a locked game: counters, news, sight, whether an email is due, and standing orders."""

    id: int
    player_id: int
    mailing: str  # whether emails tell of game events: each, daily, off
    slips: int
    steps: int
    letters: int
    mailed: int  # the newest email whose words the record has
    newest_digested: int  # the newest email whose words the next seal adds
    digests: tuple[str, ...]  # of the words that the next seal adds
    answers: int
    opened_at: datetime | None  # when the page was opened, if that was before this turn's email went out
    ghosts: GhostPieces
    notes: int  # how many were written so far
    wants_answers: bool = True  # also to emails that only make a move
    #: Whether the newest email before this session is an answer that hasn't gone out.
    answer_waits: bool = False
    is_house_bot: bool = False  # played by a bot of the site, which gets no emails
    is_guest: bool = False  # played by a guest, who has no address
    is_notified: bool = False  # notified in other ways than email when the turn begins
    news: Slip | None = None
    news_leaf: int = 0  # the leaf of the record to which the news belongs
    sight: Sight | None = None
    is_email_due: bool = False
    standing: StandingOrdersText | None = None
    thinks_at: datetime | None = None  # from when on its bot may think


def make_state(game: LockedGameRow, white: LockedSeatRow, black: LockedSeatRow) -> State:
    return State(
        clock=parse_clock(game.clock),
        stage=Stage(game.state),
        accepted=Pair(white.accepted, black.accepted),
        ply=game.ply,
        turn=Side(game.turn) if game.turn else None,
        time=TurnTime(
            deadline=game.deadline,
            earliest=game.earliest,
            waits_from=game.waits_from,
            paused_at=game.paused_at,
            outage=outages.make_span(game.outage_from, game.outage_until),
            calendar=times.parse_calendar(game.calendar),
            waits=Pair(*(Wait(seat.telling, seat.delayed_from, seat.held) for seat in (white, black))),
            # A game whose release kept no time log has none.
            log=time_log.decode_time_log(json.loads(game.time_log), _EPOCH) if game.time_log else None,
        ),
        habits=Pair(_habits(white), _habits(black)),
        banks=Pair(white.bank, black.bank),
        remind_at=Pair(white.remind_at, black.remind_at),
        reminded=Pair(white.reminded, black.reminded),
        draw_offer=DrawOffer(
            Side(game.offer) if game.offer else None, Pair(game.offered_white, game.offered_black)
        ),
        offer_slip=game.offer_slip,
        pause=Pause(Side(game.pause_asked) if game.pause_asked else None, game.paused_until),
        outcome=Outcome(Side(game.winner) if game.winner else None, game.reason) if game.reason else None,
        ended_at=game.ended_at,
        again=Side(game.again) if game.again in tuple(Side) else game.again,
        lesson=game.lesson,
        credited=game.credited,
        flags_from=game.flags_from,
    )


def _habits(seat: LockedSeatRow) -> TimeSettings:
    """Return the time settings of a seat's player: hours, vacations, reminders and quiet hours."""
    return times.parse_time_settings(
        StoredTimeSettings(
            seat.zone, seat.weekends, seat.vacations, seat.remind, seat.quiet, seat.goes_on_leave
        )
    )


def game_values(state: State) -> dict[str, object]:
    """Return the values of the game's columns, to store its state."""
    time, draw_offer, outcome = state.time, state.draw_offer, state.outcome
    return {
        "state": state.stage,
        "ply": state.ply,
        "turn": state.turn,
        "deadline": time.deadline,
        "offer": draw_offer.offer,
        "offer_slip": state.offer_slip,
        "pause_asked": state.pause.asked,
        "paused_until": state.pause.until,
        "offered_white": draw_offer.offered.white,
        "offered_black": draw_offer.offered.black,
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "again": state.again,
        "lesson": state.lesson,
        "ended_at": state.ended_at,
        "paused_at": time.paused_at,
        "calendar": times.format_calendar(time.calendar),
        "time_log": to_canonical_json(time.log.kept(_EPOCH)) if time.log else "",
        "waits_from": time.waits_from,
        "earliest": time.earliest,
        "credited": state.credited,
        "outage_from": time.outage.start if time.outage else None,
        "outage_until": time.outage.end if time.outage else None,
    }


def make_seat_state(seat: LockedSeatRow) -> SeatState:
    return SeatState(
        id=seat.seat_id,
        player_id=seat.player_id,
        mailing=seat.mailing,
        slips=seat.slips,
        steps=seat.steps,
        letters=seat.letters,
        mailed=seat.mailed,
        newest_digested=seat.newest_digested or seat.mailed,
        digests=tuple(sorted((seat.digests or "").split())),
        answers=seat.answers,
        opened_at=seat.opened_at if seat.telling and seat.opened == seat.telling else None,
        ghosts=notes.parse_ghosts(seat.ghosts),
        notes=seat.notes,
        wants_answers=Switch.ANSWERS in parse_switches(seat.switched),
        answer_waits=seat.answer_waits,
        is_house_bot=seat.house,
        is_guest=seat.guest,
        is_notified=seat.called,
        standing=_make_standing(seat),
        thinks_at=seat.thinks_at,
    )


def _make_standing(seat: LockedSeatRow) -> StandingOrdersText | None:
    """Return the orders that a seat gave for its next turn; None without any."""
    if seat.standing is None or seat.standing_by is None:
        return None
    return StandingOrdersText(seat.standing, seat.standing_by, seat.standing_delay or "", seat.standing_due)


def seat_values(seat: SeatState, state: State, side: Side) -> dict[str, object]:
    """Return the values of a seat's columns, to store its state."""
    wait = state.time.waits[side]
    standing = None if state.stage is Stage.OVER else seat.standing
    return {
        "seat_id": seat.id,
        "accepted": state.accepted[side],
        "slips": seat.slips,
        "steps": seat.steps,
        "letters": seat.letters,
        "mailed": seat.mailed,
        "answers": seat.answers,
        "telling": wait.letter,
        "delayed_from": wait.delayed_from,
        "held": wait.held,
        "bank": state.banks[side],
        "remind_at": state.remind_at[side],
        "reminded": state.reminded[side],
        "ghosts": notes.format_ghosts(seat.ghosts),
        "notes": seat.notes,
        "standing": standing.text if standing else None,
        "standing_by": standing.inbox_id if standing else None,
        "standing_delay": (standing.delay or None) if standing else None,
        "standing_due": standing.due_time(state.time.deadline) if standing else None,
        "thinks_at": seat.thinks_at,
    }
