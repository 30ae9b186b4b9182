"""Builds a player's public page: profile, ratings, and public running and ended games (limits: `corr/limits.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, literal_column, select
from sqlalchemy.orm import aliased

from corr import limits
from corr.service import catalogue
from corr.service.community import player_search, rating_history
from corr.service.community.leaderboard import STRENGTH_COLUMNS, StoredStrength, Strength
from corr.service.community.player_search import PageOwner
from corr.service.games import finished
from corr.service.players import publishing
from corr.service.server import Server
from corr.store.rows import columns_of, pairs_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import DecisionRow, GameRow, OutboxRow, PlayerRow, RatingRow, SeatRow, SlipRow
from corr.words.board import Side
from corr.words.slips import Outcome
from corr.words.view import Stage, VariantInfo

_WITHOUT_RESULT = "void"
_FIRST_EMAIL = 1


@dataclass(frozen=True, slots=True)
class VariantStrength:
    """A player's strength in a variant, and its recent curve."""

    card: VariantInfo
    strength: Strength
    curve: tuple[float, ...]


class RunningGame(NamedTuple):
    """What everybody may know of a running game; nothing else about it is public."""

    key: str
    rated: bool
    opponent_name: str
    is_hidden: bool  # whether the opponent's page is hidden
    since: datetime | None

    @property
    def variant(self) -> str:
        return catalogue.card(self.key).name

    @property
    def opponent(self) -> str:
        """The opponent's name, empty if that player's page is hidden."""
        return "" if self.is_hidden else self.opponent_name


@dataclass(frozen=True, slots=True)
class EndedGame:
    mark: str
    variant: str
    side: Side
    opponent: str
    outcome: Outcome
    moves: int
    ended_at: datetime | None
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    whose: PageOwner
    since: datetime | None
    variants: tuple[VariantStrength, ...]
    running: tuple[RunningGame, ...]
    over: tuple[EndedGame, ...]

    @property
    def results(self) -> tuple[int, int, int]:
        """The wins, draws and losses of counted rated games, in all variants."""
        strengths = [each.strength for each in self.variants]
        won, drawn, lost = (
            sum(getattr(each, kind) for each in strengths) for kind in ("won", "drawn", "lost")
        )
        return won, drawn, lost


def load_page(server: Server, name: str, now: datetime) -> PlayerPage:
    """Return a player's page; an unknown name and a hidden page are refused alike."""
    with server.store.reading() as connection:
        who = player_search.find_page_owner(connection, name)
        lists_games = who.publishes in publishing.BY_NAME
        return PlayerPage(
            who,
            connection.execute(_PLAYS_SINCE_QUERY, {"player": who.id}).scalar_one(),
            _variants(connection, who.id, now),
            tuple(rows_of(RunningGame, connection.execute(_RUNNING_QUERY, {"player": who.id})))
            if lists_games
            else (),
            _list_ended(connection, who.id) if lists_games else (),
        )


class _VariantRow(NamedTuple):
    variant: str


class _EndedRow(NamedTuple):
    code: str
    variant: str
    side: str
    opponent: str
    winner: str | None
    reason: str | None
    ply: int
    ended_at: datetime | None
    facts: bytes
    sight: bytes


_STRENGTHS = select(RatingRow.variant, *STRENGTH_COLUMNS).where(RatingRow.player_id == bindparam("player"))
_OTHER_SEAT, _OPPONENT = aliased(SeatRow), aliased(PlayerRow)
#: The player's latest games; even for a player of very many games, all that matter here are among them.
_RECENT_SEATS = (
    select(SeatRow.id, SeatRow.game_id, SeatRow.side, SeatRow.slips, SeatRow.steps, SeatRow.publishes)
    .where(SeatRow.player_id == bindparam("player"))
    .order_by(SeatRow.game_id.desc())
    .limit(limits.GAMES_LOOKED_AT)
    .subquery()
)
_IS_OTHER = (_OTHER_SEAT.game_id == GameRow.id) & (_OTHER_SEAT.id != _RECENT_SEATS.c.id)
# A game in which either player went by another name at its start, or does now, is on nobody's page.
_ARE_BOTH_NAMED = (
    _RECENT_SEATS.c.publishes.in_(publishing.BY_NAME),
    publishing.select_publishing(_OTHER_SEAT, _OPPONENT).in_(publishing.BY_NAME),
)
# The server writes a seat's first email when the game is made, so its time reveals no player's actions.
_STARTED_AT = (
    select(func.min(OutboxRow.made_at))
    .where(OutboxRow.seat_id.in_((_RECENT_SEATS.c.id, _OTHER_SEAT.id)), OutboxRow.number == _FIRST_EMAIL)
    .correlate(_RECENT_SEATS, _OTHER_SEAT)
    .scalar_subquery()
)
_RUNNING_QUERY = (
    select(
        GameRow.variant.label("key"),
        GameRow.rated,
        _OPPONENT.name.label("opponent_name"),
        _OPPONENT.hidden.label("is_hidden"),
        _STARTED_AT.label("since"),
    )
    .join_from(_RECENT_SEATS, GameRow, GameRow.id == _RECENT_SEATS.c.game_id)
    .join(_OTHER_SEAT, _IS_OTHER)
    .join(_OPPONENT, _OPPONENT.id == _OTHER_SEAT.player_id)
    .where(GameRow.state.in_((Stage.DEPLOYING, Stage.RUNNING)), GameRow.lesson.is_(None), *_ARE_BOTH_NAMED)
    .order_by(GameRow.id.desc())
    .limit(limits.RUNNING_SHOWN)
)
# A game's own page shows an admin's remarks, which may name anybody; so such a game is on no player's page.
_ENDED_GAMES = (
    select(
        GameRow.id,
        _RECENT_SEATS.c.id.label("seat_id"),
        _RECENT_SEATS.c.side,
        _RECENT_SEATS.c.slips,
        _RECENT_SEATS.c.steps,
        _OPPONENT.name.label("opponent"),
    )
    .join_from(_RECENT_SEATS, GameRow, GameRow.id == _RECENT_SEATS.c.game_id)
    .join(_OTHER_SEAT, _IS_OTHER)
    .join(_OPPONENT, _OPPONENT.id == _OTHER_SEAT.player_id)
    .where(
        GameRow.state == Stage.OVER,
        GameRow.ply >= literal_column("0"),
        GameRow.lesson.is_(None),
        GameRow.reason.is_not(None),
        GameRow.reason != _WITHOUT_RESULT,
        ~select(DecisionRow.id)
        .where(DecisionRow.game_id == GameRow.id, DecisionRow.said.is_not(None))
        .exists(),
        _RECENT_SEATS.c.slips > 0,
        _OPPONENT.hidden.is_not(True),
        *_ARE_BOTH_NAMED,
    )
    .order_by(GameRow.ended_at.desc(), GameRow.id.desc())
    .limit(limits.ENDED_SHOWN)
    .subquery()
)
_IS_LAST_SLIP = (
    (SlipRow.seat_id == _ENDED_GAMES.c.seat_id)
    & (SlipRow.number == _ENDED_GAMES.c.slips)
    & (SlipRow.step == _ENDED_GAMES.c.steps)
)
_ENDED_QUERY = (
    select(
        *columns_of(
            _EndedRow,
            GameRow,
            side=_ENDED_GAMES.c.side,
            opponent=_ENDED_GAMES.c.opponent,
            facts=SlipRow.facts,
            sight=SlipRow.sight,
        )
    )
    .join_from(_ENDED_GAMES, GameRow, GameRow.id == _ENDED_GAMES.c.id)
    .join(SlipRow, _IS_LAST_SLIP)
    .order_by(GameRow.ended_at.desc(), GameRow.id.desc())
)
_FIRST_GAME = (
    select(SeatRow.game_id)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), GameRow.state != Stage.OFFERED, GameRow.lesson.is_(None))
    .order_by(SeatRow.game_id)
    .limit(1)
    .scalar_subquery()
)
_PLAYS_SINCE_QUERY = (
    select(func.min(OutboxRow.made_at))
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .where(SeatRow.game_id == _FIRST_GAME, OutboxRow.number == _FIRST_EMAIL)
)


def _variants(connection: Connection, player_id: int, now: datetime) -> tuple[VariantStrength, ...]:
    """Return a player's strength and rating curve in each variant, in the site's order."""
    found = pairs_of(_VariantRow, StoredStrength, connection.execute(_STRENGTHS, {"player": player_id}))
    strengths = {each.variant: kept.by(now) for each, kept in found}
    rated = [card for card in catalogue.cards() if card.key in strengths]
    curves = (
        rating_history.load_curve(connection, player_id, card.key, limits.SMALL_CURVE) for card in rated
    )
    return tuple(
        VariantStrength(card, strengths[card.key], curve) for card, curve in zip(rated, curves, strict=True)
    )


def _list_ended(connection: Connection, player_id: int) -> tuple[EndedGame, ...]:
    """Return a player's latest ended games that are public, newest first."""
    found = rows_of(_EndedRow, connection.execute(_ENDED_QUERY, {"player": player_id}))
    secret = publishing.load_secret(connection)
    return tuple(
        EndedGame(
            finished.compute_page_key(secret, game.code),
            catalogue.card(game.variant).name,
            Side(game.side),
            game.opponent,
            Outcome(Side(game.winner) if game.winner else None, game.reason or ""),
            (game.ply + 1) // 2,
            game.ended_at,
            unpack(Side(game.side), game.facts, game.sight).sight.signs(),
        )
        for game in found
    )
