"""Lists a player's own games (limits: `corr/limits.py`): whose turn it is in each, and how much time is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, exists, func, select
from sqlalchemy.orm import aliased

from corr import limits
from corr.game.late_notice import Wait
from corr.game.state import awaited_sides
from corr.game.turn_deadline import TurnTime
from corr.service import catalogue
from corr.service.games import finished_list
from corr.service.games.notes import parse_ghosts
from corr.service.players import times
from corr.service.server import Server
from corr.store.rows import columns_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import GameRow, OutboxRow, PlayerRow, SeatRow, SlipRow
from corr.text.messages import sentence
from corr.words.board import Pair, Side
from corr.words.view import Stage


class TimeLeft(NamedTuple):
    days: int
    hours: int
    minutes: int


class OwnGame(NamedTuple):
    """One of a player's unfinished games, with what is public about it."""

    code: str
    variant: str
    side: Side
    opponent: str
    state: str
    move: int
    my_turn: bool
    deadline: datetime | None
    is_paused: bool
    undelivered: int
    is_unnoticed: bool  # whether the turn's clock waits until the player is told
    ghosts: str
    facts: bytes | None  # of the newest slip, as its row keeps it
    sight: bytes | None


class GamePreview(NamedTuple):
    said: str
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerGames:
    """A player's games: waiting for them, waiting for others, and some finished ones."""

    mine: tuple[OwnGame, ...]
    waiting: tuple[OwnGame, ...]
    over: finished_list.EndedGames


def list_games(
    server: Server, player_id: int, now: datetime, asked: finished_list.ListRequest
) -> PlayerGames:
    """List a player's games, the next deadline first, and the requested finished ones."""
    with server.store.reading() as connection:
        going = _load_unfinished(connection, player_id, now)
        over = finished_list.list_games(connection, player_id, asked)
    return PlayerGames(*_split_by_turn(going), over)


def filter_by_variant(games: Sequence[OwnGame], variant: str) -> tuple[OwnGame, ...]:
    """Filter games by a variant, or return all where none is named."""
    return tuple(each for each in games if not variant or each.variant == catalogue.card(variant).name)


def _split_by_turn(going: Sequence[OwnGame]) -> tuple[tuple[OwnGame, ...], tuple[OwnGame, ...]]:
    """Split games into those that wait for their player and the others."""
    return tuple(each for each in going if each.my_turn), tuple(each for each in going if not each.my_turn)


def _load_unfinished(connection: Connection, player_id: int, now: datetime) -> list[OwnGame]:
    """Read a player's unfinished games; a second query corrects deadlines after late emails."""
    asked = {"player": player_id}
    played = rows_of(_UnfinishedRow, connection.execute(_GAMES, asked))
    if not any(game.is_delayed for game in played):
        return [_make_own_game(game) for game in played]
    delayed = rows_of(_DelayedRow, connection.execute(_DELAYED_QUERY, asked))
    shown = {(each.code, each.side): _find_shown_deadline(each, now) for each in delayed}
    return [
        _make_own_game(game)._replace(deadline=shown.get((game.code, game.side), game.deadline))
        for game in played
    ]


_FOG = GamePreview("", ("?",) * 64)


def preview_game(game: OwnGame) -> GamePreview:
    """Return the umpire's last words and the board; hidden if reading them would start the clock."""
    if game.facts is None or game.sight is None or game.is_unnoticed:
        return _FOG
    slip = unpack(game.side, game.facts, game.sight)
    return GamePreview(slip.spoken, slip.sight.signs_with_ghosts(parse_ghosts(game.ghosts)))


class GameListing(NamedTuple):
    """Lines of unfinished games by code, and a sentence about those left out."""

    lines: dict[str, str]
    more: str = ""


def list_for_email(connection: Connection, player_id: int, now: datetime) -> GameListing:
    """List unfinished games for an email, those that wait for the player first."""
    zone = connection.execute(_ZONE, {"player": player_id}).scalar_one()
    mine, waiting = _split_by_turn(_load_unfinished(connection, player_id, now))
    going = mine + waiting
    lines = {each.code: _line(each, zone) for each in going[: limits.GAMES_LISTED]}
    more = len(going) - limits.GAMES_LISTED
    if more < 1:
        return GameListing(lines)
    return GameListing(lines, sentence("games.more", count=more) if more > 1 else sentence("games.one_more"))


_ZONE = select(PlayerRow.zone).where(PlayerRow.id == bindparam("player"))


def _line(game: OwnGame, zone: str) -> str:
    """Write a line about a game: its code, the players, who must act, and until when."""
    what = {Stage.OFFERED: "accept", Stage.DEPLOYING: "deploy"}.get(Stage(game.state), "turn")
    waits_for = f"{what}_{'yours' if game.my_turn else 'theirs'}"
    status = sentence(f"waiting.{waits_for}", opponent=game.opponent)
    time = ""
    if game.is_paused:
        time = sentence("games.paused")
    elif game.deadline:
        time = sentence("games.until", deadline=times.word_moment(game.deadline, zone))
    return sentence(
        "games.line",
        code=game.code,
        variant=game.variant,
        opponent=game.opponent,
        side=game.side.called,
        status=status + time,
    )


class _UnfinishedRow(NamedTuple):
    code: str
    variant: str
    state: str
    ply: int
    turn: str | None
    deadline: datetime | None
    is_paused: bool
    is_delayed: bool
    side: str
    accepted: bool
    is_unnoticed: bool
    ghosts: str
    opponent: str
    undelivered: int
    facts: bytes | None
    sight: bytes | None


class _DelayedRow(NamedTuple):
    """The columns of a clock that waits, or has waited, for a late email."""

    code: str
    side: str
    state: str
    turn: str | None
    deadline: datetime | None
    calendar: str
    earliest: datetime | None
    waits_from: datetime | None
    paused_at: datetime | None
    delayed_from: datetime | None
    held: timedelta
    other_delayed_from: datetime | None
    other_held: timedelta


_OTHER_SEAT = aliased(SeatRow)
_UNDELIVERED = (
    select(func.count())
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.dead_at.is_not(None))
    .scalar_subquery()
)
_IS_SENT_NOTICE = (
    (OutboxRow.seat_id == SeatRow.id) & (OutboxRow.number >= SeatRow.telling) & OutboxRow.sent_at.is_not(None)
)
_IS_LAST_SLIP = (
    (SlipRow.seat_id == SeatRow.id) & (SlipRow.number == SeatRow.slips) & (SlipRow.step == SeatRow.steps)
)
# Whether the email about this turn has not gone out yet, and the player has not opened the page either.
_IS_UNNOTICED = (
    (GameRow.state == Stage.RUNNING)
    & GameRow.waits_from.is_not(None)
    & SeatRow.telling.is_not(None)
    & SeatRow.opened.is_distinct_from(SeatRow.telling)
    & ~exists(select(OutboxRow.id).where(_IS_SENT_NOTICE))
)
_IS_OWN_UNFINISHED = (SeatRow.player_id == bindparam("player")) & (GameRow.state != Stage.OVER)
_IS_OTHER = (_OTHER_SEAT.game_id == GameRow.id) & (_OTHER_SEAT.id != SeatRow.id)
_GAMES = (
    select(
        *columns_of(
            _UnfinishedRow,
            GameRow,
            SeatRow,
            SlipRow,
            is_paused=GameRow.paused_at.is_not(None),
            is_delayed=GameRow.earliest.is_not(None),
            is_unnoticed=_IS_UNNOTICED,
            opponent=PlayerRow.name,
            undelivered=_UNDELIVERED,
        )
    )
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(_OTHER_SEAT, _IS_OTHER)
    .join(PlayerRow, PlayerRow.id == _OTHER_SEAT.player_id)
    .outerjoin(SlipRow, _IS_LAST_SLIP)
    .where(_IS_OWN_UNFINISHED)
    .order_by(func.coalesce(GameRow.earliest, GameRow.deadline).nulls_last(), GameRow.id.desc())
    .limit(limits.GAMES_SHOWN)
)
_DELAYED_QUERY = (
    select(
        *columns_of(
            _DelayedRow,
            GameRow,
            SeatRow,
            other_delayed_from=_OTHER_SEAT.delayed_from,
            other_held=_OTHER_SEAT.held,
        )
    )
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(_OTHER_SEAT, _IS_OTHER)
    .where(_IS_OWN_UNFINISHED, GameRow.earliest.is_not(None))
)

_SIDES = {side.value: side for side in Side}


@lru_cache(maxsize=10_000)
def _make_own_game(game: _UnfinishedRow) -> OwnGame:
    """Return a game as its player sees it; cached, because most games rarely change."""
    both_are = game.state == Stage.DEPLOYING and not game.turn
    is_awaited = not game.accepted if game.state == Stage.OFFERED else game.turn == game.side or both_are
    return OwnGame(
        game.code,
        catalogue.card(game.variant).name,
        _SIDES[game.side],
        game.opponent,
        game.state,
        game.ply // 2 + 1 if game.ply > 0 else 1,
        is_awaited,
        game.deadline,
        game.is_paused,
        game.undelivered,
        is_awaited and game.is_unnoticed,
        game.ghosts,
        game.facts,
        game.sight,
    )


def _find_shown_deadline(game: _DelayedRow, now: datetime) -> datetime | None:
    """Return the deadline that the player may see after a late email."""
    own, other = (
        Wait(None, game.delayed_from, game.held),
        Wait(None, game.other_delayed_from, game.other_held),
    )
    side = _SIDES[game.side]
    waits, by = Pair(own, own).with_value(side.other, other), times.parse_calendar(game.calendar)
    time = TurnTime(game.deadline, game.earliest, game.waits_from, calendar=by, waits=waits)
    return time.shown(side, awaited_sides(game.state, game.turn), game.paused_at or now).deadline


def find_time_left(deadline: datetime, now: datetime) -> TimeLeft:
    """Return the time left in days and hours, or in minutes under an hour."""
    span = deadline - now
    if span.days < 0:
        return TimeLeft(0, 0, 0)
    hours, seconds = divmod(span.seconds, 3_600)
    return TimeLeft(span.days, hours, 0 if span.days or hours else seconds // 60)
