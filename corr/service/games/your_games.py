"""Lists a player's own games: whose turn it is in each, and how much time is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, exists, func, select
from sqlalchemy.orm import aliased

from corr import limits
from corr.game.state import awaited
from corr.game.turn_notice import Time, Wait
from corr.messages import sentence
from corr.service import catalogue
from corr.service.games import finished_list
from corr.service.games.ghosts import of_text
from corr.service.house import House
from corr.service.players import hours, time_zones
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import Game, OutboxRow, Player, SeatRow, SlipRow
from corr.words.board import Pair, Side
from corr.words.view import Stage


class Left(NamedTuple):
    """The time left."""

    days: int
    hours: int
    minutes: int


class Own(NamedTuple):
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
    is_unheard: bool  # whether the turn's clock waits until the player is told
    ghosts: str
    facts: bytes | None  # of the newest slip, as its row keeps it
    sight: bytes | None


class Glimpse(NamedTuple):
    """A game's preview: the umpire's last words and the board's signs from a1 on."""

    said: str
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Games:
    """A player's games: waiting for them, waiting for others, and some finished ones."""

    mine: tuple[Own, ...]
    waiting: tuple[Own, ...]
    over: finished_list.Games


def of_player(house: House, player_id: int, now: datetime, asked: finished_list.Asked) -> Games:
    """List a player's games, the next deadline first, and the requested finished ones."""
    with house.store.reading() as connection:
        going = _going(connection, player_id, now)
        over = finished_list.of_player(connection, player_id, asked)
    return Games(*_parted(going), over)


def of_variant(games: Sequence[Own], variant: str) -> tuple[Own, ...]:
    """Filter games by a variant, or return all where none is named."""
    return tuple(each for each in games if not variant or each.variant == _names()[variant])


def _parted(going: Sequence[Own]) -> tuple[tuple[Own, ...], tuple[Own, ...]]:
    """Split games into those that wait for their player and the others."""
    return tuple(each for each in going if each.my_turn), tuple(each for each in going if not each.my_turn)


def _going(connection: Connection, player_id: int, now: datetime) -> list[Own]:
    """Read a player's unfinished games; a second query corrects deadlines after late emails."""
    asked = {"player": player_id}
    played = rows_of(_Played, connection.execute(_GAMES, asked))
    if not any(game.is_delayed for game in played):
        return [_own(game) for game in played]
    delayed = rows_of(_Delayed, connection.execute(_DELAYED, asked))
    shown = {(each.code, each.side): _shown(each, now) for each in delayed}
    return [_own(game)._replace(deadline=shown.get((game.code, game.side), game.deadline)) for game in played]


_FOG = Glimpse("", ("?",) * 64)


def glimpse(game: Own) -> Glimpse:
    """Return a game's preview, or fog where reading it would have to start the clock."""
    if game.facts is None or game.sight is None or game.is_unheard:
        return _FOG
    slip = unpack(game.side, game.facts, game.sight)
    return Glimpse(slip.spoken, slip.sight.signs_with(of_text(game.ghosts)))


class Listing(NamedTuple):
    """Lines of unfinished games by code, and a sentence about those left out."""

    lines: dict[str, str]
    more: str = ""


def listed(connection: Connection, player_id: int, now: datetime) -> Listing:
    """List unfinished games for an email, those that wait for the player first."""
    zone = connection.execute(_ZONE, {"player": player_id}).scalar_one()
    mine, waiting = _parted(_going(connection, player_id, now))
    going = mine + waiting
    more = len(going) - limits.GAMES_LISTED
    return Listing({each.code: _line(each, zone) for each in going[: limits.GAMES_LISTED]}, _more(more))


def listed_for(connection: Connection, seat_id: int, now: datetime) -> Listing:
    """List the same for a seat's player."""
    return listed(connection, connection.execute(_SITS, {"seat": seat_id}).scalar_one(), now)


def _more(count: int) -> str:
    if count < 1:
        return ""
    return sentence("games.more", count=count) if count > 1 else sentence("games.one_more")


_ZONE = select(Player.zone).where(Player.id == bindparam("player"))
_SITS = select(SeatRow.player_id).where(SeatRow.id == bindparam("seat"))


def _line(game: Own, zone: str) -> str:
    standing = sentence(f"games.{_standing(game)}", opponent=game.opponent)
    time = ""
    if game.is_paused:
        time = sentence("games.paused")
    elif game.deadline:
        time = sentence("games.until", deadline=time_zones.worded(game.deadline, zone))
    return sentence(
        "games.line",
        code=game.code,
        variant=game.variant,
        opponent=game.opponent,
        side=game.side.called,
        standing=standing + time,
    )


def _standing(game: Own) -> str:
    """Return the name of the sentence that says what a game waits for."""
    whose = "yours" if game.my_turn else "theirs"
    return {Stage.OFFERED: "accept_", Stage.DEPLOYING: "deploy_"}.get(Stage(game.state), "turn_") + whose


class _Played(NamedTuple):
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
    is_unheard: bool
    ghosts: str
    opponent: str
    undelivered: int
    facts: bytes | None
    sight: bytes | None


class _Delayed(NamedTuple):
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


_OTHER = aliased(SeatRow)
_UNDELIVERED = (
    select(func.count())
    .where(OutboxRow.seat_id == SeatRow.id, OutboxRow.dead_at.is_not(None))
    .scalar_subquery()
)
_IS_TOLD = (
    (OutboxRow.seat_id == SeatRow.id) & (OutboxRow.number >= SeatRow.telling) & OutboxRow.sent_at.is_not(None)
)
_IS_NEWEST = (
    (SlipRow.seat_id == SeatRow.id) & (SlipRow.number == SeatRow.slips) & (SlipRow.step == SeatRow.steps)
)
# Whether the email about this turn has not gone out yet, and the player has not opened the page either.
_IS_UNHEARD = (
    (Game.state == Stage.RUNNING)
    & Game.waits_from.is_not(None)
    & SeatRow.telling.is_not(None)
    & SeatRow.opened.is_distinct_from(SeatRow.telling)
    & ~exists(select(OutboxRow.id).where(_IS_TOLD))
)
_OF_PLAYER = (SeatRow.player_id == bindparam("player")) & (Game.state != Stage.OVER)
_IS_OTHER = (_OTHER.game_id == Game.id) & (_OTHER.id != SeatRow.id)
_GAMES = (
    select(
        Game.code,
        Game.variant,
        Game.state,
        Game.ply,
        Game.turn,
        Game.deadline,
        Game.paused_at.is_not(None).label("is_paused"),
        Game.earliest.is_not(None).label("is_delayed"),
        SeatRow.side,
        SeatRow.accepted,
        _IS_UNHEARD.label("is_unheard"),
        SeatRow.ghosts,
        Player.name.label("opponent"),
        _UNDELIVERED.label("undelivered"),
        SlipRow.facts,
        SlipRow.sight,
    )
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(_OTHER, _IS_OTHER)
    .join(Player, Player.id == _OTHER.player_id)
    .outerjoin(SlipRow, _IS_NEWEST)
    .where(_OF_PLAYER)
    .order_by(func.coalesce(Game.earliest, Game.deadline).nulls_last(), Game.id.desc())
    .limit(limits.GAMES_SHOWN)
)
_DELAYED = (
    select(
        Game.code,
        SeatRow.side,
        Game.state,
        Game.turn,
        Game.deadline,
        Game.calendar,
        Game.earliest,
        Game.waits_from,
        Game.paused_at,
        SeatRow.delayed_from,
        SeatRow.held,
        _OTHER.delayed_from.label("other_delayed_from"),
        _OTHER.held.label("other_held"),
    )
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(_OTHER, _IS_OTHER)
    .where(_OF_PLAYER, Game.earliest.is_not(None))
)


_SIDES = {side.value: side for side in Side}


@lru_cache(maxsize=10_000)
def _own(game: _Played) -> Own:
    """Return a game as its player sees it; cached, because most games rarely change."""
    both_are = game.state == Stage.DEPLOYING and not game.turn
    is_awaited = not game.accepted if game.state == Stage.OFFERED else game.turn == game.side or both_are
    return Own(
        game.code,
        _names()[game.variant],
        _SIDES[game.side],
        game.opponent,
        game.state,
        game.ply // 2 + 1 if game.ply > 0 else 1,
        is_awaited,
        game.deadline,
        game.is_paused,
        game.undelivered,
        is_awaited and game.is_unheard,
        game.ghosts,
        game.facts,
        game.sight,
    )


def _shown(game: _Delayed, now: datetime) -> datetime | None:
    """Return the deadline as the player is told it."""
    own, other = (
        Wait(None, game.delayed_from, game.held),
        Wait(None, game.other_delayed_from, game.other_held),
    )
    side = _SIDES[game.side]
    waits, by = Pair(own, own).but(side.other, other), hours.calendar_of(game.calendar)
    time = Time(game.deadline, game.earliest, game.waits_from, calendar=by, waits=waits)
    return time.shown(side, awaited(game.state, game.turn), game.paused_at or now).deadline


@cache
def _names() -> dict[str, str]:
    return {card.key: card.name for card in catalogue.cards()}


def left(deadline: datetime, now: datetime) -> Left:
    """Return the time left in days and hours, or in minutes under an hour."""
    span = deadline - now
    if span.days < 0:
        return Left(0, 0, 0)
    hours, seconds = divmod(span.seconds, 3_600)
    return Left(span.days, hours, 0 if span.days or hours else seconds // 60)
