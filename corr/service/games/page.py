"""Reads what a player's page of a game shows, for `templates/en/web/table.html`: state, board, log and last answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import aliased

from corr.game.late_notice import Wait
from corr.game.state import awaited_sides
from corr.game.turn_deadline import ShownTime, TurnTime
from corr.mail.outward.missing_parts import MissingParts
from corr.service.games import finished, log_view, moderation, notes, notice_times, outages, seals, view
from corr.service.games.log_view import DecreeLine
from corr.service.games.public_state import PublicState, banks_in_minutes, outcome_of, side_of
from corr.service.games.slip_queries import NumberedSlip
from corr.service.games.view import GameInfo
from corr.service.players import authentication, house_bots, times
from corr.service.server import Server
from corr.store.rows import columns_of, rows_of
from corr.store.tables import (
    CorrespondentRow,
    DecisionRow,
    GameRow,
    InboxRow,
    PlayerRow,
    SeatRow,
    SessionRow,
    TaskRunRow,
)
from corr.text.lessons import is_whole_game
from corr.words.board import Pair, Side
from corr.words.view import Stage, View


@dataclass(frozen=True, slots=True)
class GameStatus:
    """A game's state for one player, from which the page and its log are made."""

    info: GameInfo
    side: Side
    player: str
    zone: str
    men: str  # how the page draws the pieces
    switched: str  # what the player has switched on or off
    rated: bool
    public: PublicState
    accepted: bool
    slips: int
    steps: int
    answers: int
    waits: bool  # whether something written on the page is still unread
    answer: str | None  # the umpire's last answer on the page
    decrees: int  # how many decrees took effect in the game
    again: str | None  # the side that asks for another game, or the code of the one that has begun
    own: view.PrivateState
    is_asleep: bool  # whether the opponent is a bot of the site that is not running
    is_guest: bool  # whether the player has no address yet

    @property
    def stamp(self) -> str:
        """Return the page's version: the seat's counters, which change with every slip and answer."""
        return f"{self.slips}-{self.steps}-{self.answers}"

    @property
    def next_game(self) -> str:
        """Return the code of the rematch, "agreed" if it is not kept, or "" without one."""
        return self.again if self.again and self.again not in tuple(Side) else ""

    @property
    def mark(self) -> str:
        """Return a hash of the status, which changes exactly when the page does."""
        return hashlib.blake2b(repr(self).encode(), digest_size=12).hexdigest()


class GamePlayer(NamedTuple):
    """A signed-in player of the game: their rows, and the game's state for them."""

    seat_id: int
    game_id: int
    player_id: int
    status: GameStatus
    #: The email about this turn, if its clock may wait for a page visit.
    pending_visit: notice_times.PageVisit | None


@dataclass(frozen=True, slots=True)
class GamePage:
    view: View
    log: log_view.Log
    answer: dict[str, Any] | None
    decrees: Sequence[DecreeLine]  # the decrees that took effect in the game
    shared: str | None  # the mark of the finished game's public page
    past: View | None = None  # what the player saw after an earlier half-move, if that was asked for


def find_game_player(server: Server, secret: str, code: str, side: str, now: datetime) -> GamePlayer | None:
    """Find a browser's signed-in player of a game, with its state; None for anyone else."""
    # A player of both sides gets the awaited side, unless the request names a side.
    asked = {"code": code.lower(), "of_side": side, **authentication.session_parameters(secret, now)}
    with server.store.asking() as connection:
        found = rows_of(_PageRow, connection.execute(_BROWSER_QUERY, asked))
    return found[0].at_table(now) if found else None


def list_game_players(server: Server, player_id: int, code: str, now: datetime) -> Sequence[GamePlayer]:
    """Return the API player's seats in a game, the one to move first; empty if they don't play."""
    asked = {"code": code, "of_side": "", "player": player_id}
    with server.store.asking() as connection:
        found = rows_of(_PageRow, connection.execute(_SEATS_QUERY, asked))
    return [each.at_table(now) for each in found]


_OTHER_SEAT, _OPPONENT, _PLAYER = aliased(SeatRow), aliased(PlayerRow), aliased(PlayerRow)
_HAS_UNREAD_TEXT = (
    select(InboxRow.id)
    .where(InboxRow.seat_id == SeatRow.id, InboxRow.read_at.is_(None), InboxRow.page)
    .exists()
)
_ANSWER = (
    select(InboxRow.answer)
    .where(InboxRow.seat_id == SeatRow.id, InboxRow.page)
    .order_by(InboxRow.id.desc())
    .limit(1)
    .scalar_subquery()
)
_BOT_SEEN_AT = (
    select(TaskRunRow.seen_at)
    .where(TaskRunRow.name == house_bots.THINKING_SIGN, _OTHER_SEAT.house)
    .correlate(_OTHER_SEAT)
    .scalar_subquery()
)
_DECREE_COUNT = (
    select(func.count())
    .where(DecisionRow.game_id == GameRow.id, DecisionRow.said.is_not(None))
    .scalar_subquery()
)
_IS_MOVERS = SeatRow.side == GameRow.turn


class _PageRow(NamedTuple):
    seat_id: int
    side: str
    slips: int
    steps: int
    answers: int
    accepted: bool
    game_id: int
    player_id: int
    code: str
    variant: str
    clock: str
    state: str
    ply: int
    turn: str | None
    deadline: datetime | None
    calendar: str
    pause_asked: str | None
    paused_until: datetime | None
    offer: str | None
    winner: str | None
    reason: str | None
    again: str | None
    rated: bool
    paused_at: datetime | None
    waits_from: datetime | None
    earliest: datetime | None
    lesson: int | None
    outage_from: datetime | None
    outage_until: datetime | None
    sealed: str
    seal: bytes | None
    telling: int | None
    opened: int | None
    opened_at: datetime | None
    delayed_from: datetime | None
    held: timedelta
    bank: timedelta | None
    ghosts: str
    notes: int
    standing: str | None
    standing_due: datetime | None
    standing_delay: str | None
    other_telling: int | None
    other_delayed_from: datetime | None
    other_held: timedelta
    other_bank: timedelta | None
    other_is_house: bool
    thought_at: datetime | None
    name: str
    men: str
    switched: str
    zone: str
    guest: bool
    opponent: str
    waits: bool
    decrees: int
    answer: str | None

    def at_table(self, now: datetime) -> GamePlayer:
        """Convert the row into the player and the game's state for them."""
        pending_visit = (
            notice_times.make_visit(self.seat_id, self.telling, self.opened, now) if self.waits_from else None
        )
        return GamePlayer(self.seat_id, self.game_id, self.player_id, _make_status(self, now), pending_visit)


_COLUMNS = columns_of(
    _PageRow,
    SeatRow,
    GameRow,
    _PLAYER,
    seat_id=SeatRow.id,
    game_id=GameRow.id,
    player_id=_PLAYER.id,
    code=GameRow.code,
    other_telling=_OTHER_SEAT.telling,
    other_delayed_from=_OTHER_SEAT.delayed_from,
    other_held=_OTHER_SEAT.held,
    other_bank=_OTHER_SEAT.bank,
    other_is_house=_OTHER_SEAT.house,
    thought_at=_BOT_SEEN_AT,
    opponent=_OPPONENT.name,
    waits=_HAS_UNREAD_TEXT,
    decrees=_DECREE_COUNT,
    answer=_ANSWER,
)


def _join_page_tables(seated: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Add to a query of seats all tables of a game page, its order, and the bound `code` and `of_side`."""
    return (
        seated.join(GameRow, GameRow.id == SeatRow.game_id)
        .join(_PLAYER, _PLAYER.id == SeatRow.player_id)
        .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == GameRow.id) & (_OTHER_SEAT.id != SeatRow.id))
        .join(_OPPONENT, _OPPONENT.id == _OTHER_SEAT.player_id)
        .where(GameRow.code == bindparam("code"))
        .order_by(
            (SeatRow.side == bindparam("of_side")).desc(), _IS_MOVERS.desc(), SeatRow.accepted, SeatRow.id
        )
    )


_BROWSER_QUERY = _join_page_tables(
    select(*_COLUMNS)
    .join_from(SessionRow, CorrespondentRow, CorrespondentRow.id == SessionRow.correspondent_id)
    .join(SeatRow, SeatRow.player_id == CorrespondentRow.player_id)
    .where(authentication.IS_OPEN_SESSION)
)
_SEATS_QUERY = _join_page_tables(
    select(*_COLUMNS).select_from(SeatRow).where(SeatRow.player_id == bindparam("player"))
)


def _make_status(row: _PageRow, now: datetime) -> GameStatus:
    """Convert a row into the game's state, as its player may know it."""
    shown, banks = _find_shown_time(row, now), (row.bank, row.other_bank)
    return GameStatus(
        info=GameInfo(row.code, row.variant, row.clock, row.opponent),
        side=Side(row.side),
        player=row.name,
        zone=row.zone,
        men=row.men,
        switched=row.switched,
        rated=row.rated,
        public=PublicState(
            state=Stage(row.state),
            ply=row.ply,
            turn=side_of(row.turn),
            time=shown,
            late=shown.deadline is not None and now > shown.deadline and row.paused_at is None,
            paused=row.paused_at is not None,
            offer=side_of(row.offer),
            outcome=outcome_of(row.winner, row.reason),
            pause_asked=side_of(row.pause_asked),
            pause_until=row.paused_until,
            outage=outages.make_span(row.outage_from, row.outage_until),
            banks=banks_in_minutes(*(banks if row.side == Side.WHITE else banks[::-1])),
            lesson=row.lesson,
            standing=row.standing or "",
            standing_waits=row.standing_due is not None,
            standing_delay=row.standing_delay or "",
            seal=seals.format_seal_line(row.sealed, row.seal),
        ),
        accepted=row.accepted,
        slips=row.slips,
        steps=row.steps,
        answers=row.answers,
        waits=row.waits,
        answer=row.answer,
        decrees=row.decrees,
        again=row.again,
        own=view.PrivateState(row.ghosts, row.notes),
        is_asleep=row.other_is_house
        and is_whole_game(row.lesson)
        and not house_bots.is_awake(row.thought_at, now),
        is_guest=row.guest,
    )


def _find_shown_time(row: _PageRow, now: datetime) -> ShownTime:
    """Return the deadline as this player may know it, now that the page is open."""
    side, own = Side(row.side), Wait(row.telling, row.delayed_from, row.held)
    other = Wait(row.other_telling, row.other_delayed_from, row.other_held)
    waits = Pair(own, own).with_value(side.other, other)
    is_open = row.state != Stage.DEPLOYING and row.telling is not None and row.opened == row.telling
    heard = (row.opened_at if is_open else row.paused_at) or now
    by = times.parse_calendar(row.calendar)
    time = TurnTime(row.deadline, row.earliest, row.waits_from, calendar=by, waits=waits)
    return time.shown(side, awaited_sides(row.state, row.turn), heard)


def load_page(server: Server, seat: GamePlayer, since: int, then: int | None = None) -> GamePage:
    """Build a page's contents, its log since this half-move, and the board after half-move `then`."""
    # The tutor's words stay until the player has moved again, because the tutor answers at once.
    status = seat.status
    since = 0 if status.public.lesson else since if then is None else min(since, then - _OWN_MOVE_BEFORE)
    with server.store.reading() as connection:
        kept = log_view.load_history(connection, seat.seat_id, status.side, since)
        decreed = moderation.list_public_decrees(connection, seat.game_id) if status.decrees else ()
        code = status.info.code
        shared = finished.find_page_key(connection, code) if status.public.is_over else None
        noted = notes.load_notes(connection, [seat.seat_id] if status.own.notes else []).get(seat.seat_id, ())
    answer = json.loads(status.answer) if status.answer else None
    news = answer if answer and answer["slip"] == status.slips else None
    seen = view.build_base_view(
        status.info,
        status,
        status.public,
        kept.slips,
        MissingParts(),
        lesson=view.find_lesson(status.public, kept.slips, status.side),
        ghosts=notes.parse_ghosts(status.own.ghosts),
        notes=tuple(row.note for row in noted),
    )
    told = [
        DecreeLine(each.ply, times.word_moment(each.date, status.zone), each.sentence, each.reason)
        for each in decreed
    ]
    past = None if then is None else _look_back(status, kept.numbered_slips, then)
    return GamePage(seen, kept.log(told), news, told, shared, past)


#: How many half-moves before a board the player's own last move may be, which is marked on it.
_OWN_MOVE_BEFORE = 2


def _look_back(status: GameStatus, slips: Sequence[NumberedSlip], then: int) -> View | None:
    """Return the player's view after a half-move, from the slips that they had by then."""
    public, told = status.public, tuple(each.slip for each in slips if each.ply <= then)
    if public.state is not Stage.RUNNING or then >= public.ply or not told:
        return None
    turn = Side.BLACK if then % 2 else Side.WHITE
    return view.build_base_view(
        status.info, status, replace(public, ply=then, turn=turn), told, MissingParts()
    )
