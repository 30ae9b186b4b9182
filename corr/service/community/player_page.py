"""Builds a player's public page: profile, strength, running games as far as public, and ended games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, literal_column, select
from sqlalchemy.orm import aliased

from corr import limits
from corr.service import catalogue
from corr.service.community import page_lookup, rating_history
from corr.service.community.page_lookup import Whose
from corr.service.community.strength import KEPT_STRENGTH, KeptStrength, Strength
from corr.service.games import finished
from corr.service.house import House
from corr.service.players import publishing
from corr.store.rows import pairs_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import Decree, Game, OutboxRow, Player, RatingRow, SeatRow, SlipRow
from corr.words.board import Side
from corr.words.slips import Outcome
from corr.words.view import Card, Stage

_WITHOUT_RESULT = "void"
_FIRST_LETTER = 1


@dataclass(frozen=True, slots=True)
class InVariant:
    """A player's strength in a variant, and its recent curve."""

    card: Card
    strength: Strength
    curve: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Goes:
    """A running game; everything here is public, and nothing else about it is."""

    variant: str
    opponent: str  # empty if that player's page is hidden
    rated: bool
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Over:
    """An ended game, with the mark of its page."""

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
    """The public page of a player."""

    whose: Whose
    since: datetime | None
    variants: tuple[InVariant, ...]
    running: tuple[Goes, ...]
    over: tuple[Over, ...]
    lists_games: bool

    @property
    def results(self) -> tuple[int, int, int]:
        """The wins, draws and losses of counted rated games, in all variants."""
        strengths = [each.strength for each in self.variants]
        return (
            sum(each.won for each in strengths),
            sum(each.drawn for each in strengths),
            sum(each.lost for each in strengths),
        )


def of_name(house: House, name: str, now: datetime) -> PlayerPage:
    """Return a player's page; an unknown name and a hidden page are refused alike."""
    with house.store.reading() as connection:
        who = page_lookup.named(connection, name)
        lists_games = who.publishes in publishing.BY_NAME
        return PlayerPage(
            who,
            connection.execute(_SINCE, {"player": who.id}).scalar_one(),
            _variants(connection, who.id, now),
            _running(connection, who.id) if lists_games else (),
            _over(connection, who.id) if lists_games else (),
            lists_games,
        )


class _Variant(NamedTuple):
    variant: str


class _Running(NamedTuple):
    variant: str
    rated: bool
    opponent: str
    is_hidden: bool
    since: datetime | None


class _Over(NamedTuple):
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


_STRENGTHS = select(RatingRow.variant, *KEPT_STRENGTH).where(RatingRow.player_id == bindparam("player"))
_OTHER, _OPPONENT = aliased(SeatRow), aliased(Player)
#: The player's latest games; even for a player of very many games, all that matter here are among them.
_LATELY = (
    select(SeatRow.id, SeatRow.game_id, SeatRow.side, SeatRow.slips, SeatRow.steps, SeatRow.publishes)
    .where(SeatRow.player_id == bindparam("player"))
    .order_by(SeatRow.game_id.desc())
    .limit(limits.GAMES_LOOKED_AT)
    .subquery()
)
_IS_OTHER = (_OTHER.game_id == Game.id) & (_OTHER.id != _LATELY.c.id)
# A game in which either player went by another name at its start, or does now, is on nobody's page.
_ARE_BY_NAME = (
    _LATELY.c.publishes.in_(publishing.BY_NAME),
    publishing.in_game(_OTHER, _OPPONENT).in_(publishing.BY_NAME),
)
# The server writes a seat's first email when the game is made, so its time reveals no player's actions.
_FIRST = (
    select(func.min(OutboxRow.made_at))
    .where(OutboxRow.seat_id.in_((_LATELY.c.id, _OTHER.id)), OutboxRow.number == _FIRST_LETTER)
    .correlate(_LATELY, _OTHER)
    .scalar_subquery()
)
_RUNNING = (
    select(
        Game.variant,
        Game.rated,
        _OPPONENT.name.label("opponent"),
        _OPPONENT.hidden.label("is_hidden"),
        _FIRST.label("since"),
    )
    .join_from(_LATELY, Game, Game.id == _LATELY.c.game_id)
    .join(_OTHER, _IS_OTHER)
    .join(_OPPONENT, _OPPONENT.id == _OTHER.player_id)
    .where(Game.state.in_((Stage.DEPLOYING, Stage.RUNNING)), Game.lesson.is_(None), *_ARE_BY_NAME)
    .order_by(Game.id.desc())
    .limit(limits.RUNNING_SHOWN)
)
# A game's own page shows an admin's remarks, which may name anybody; so such a game is on no player's page.
_CHOSEN = (
    select(
        Game.id,
        _LATELY.c.id.label("seat_id"),
        _LATELY.c.side,
        _LATELY.c.slips,
        _LATELY.c.steps,
        _OPPONENT.name.label("opponent"),
    )
    .join_from(_LATELY, Game, Game.id == _LATELY.c.game_id)
    .join(_OTHER, _IS_OTHER)
    .join(_OPPONENT, _OPPONENT.id == _OTHER.player_id)
    .where(
        Game.state == Stage.OVER,
        Game.ply >= literal_column("0"),
        Game.lesson.is_(None),
        Game.reason.is_not(None),
        Game.reason != _WITHOUT_RESULT,
        ~select(Decree.id).where(Decree.game_id == Game.id, Decree.said.is_not(None)).exists(),
        _LATELY.c.slips > 0,
        _OPPONENT.hidden.is_not(True),
        *_ARE_BY_NAME,
    )
    .order_by(Game.ended_at.desc(), Game.id.desc())
    .limit(limits.ENDED_SHOWN)
    .subquery()
)
_IS_LAST = (
    (SlipRow.seat_id == _CHOSEN.c.seat_id)
    & (SlipRow.number == _CHOSEN.c.slips)
    & (SlipRow.step == _CHOSEN.c.steps)
)
_OVER = (
    select(
        Game.code,
        Game.variant,
        _CHOSEN.c.side,
        _CHOSEN.c.opponent,
        Game.winner,
        Game.reason,
        Game.ply,
        Game.ended_at,
        SlipRow.facts,
        SlipRow.sight,
    )
    .join_from(_CHOSEN, Game, Game.id == _CHOSEN.c.id)
    .join(SlipRow, _IS_LAST)
    .order_by(Game.ended_at.desc(), Game.id.desc())
)
_EARLIEST = (
    select(SeatRow.game_id)
    .join(Game, Game.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), Game.state != Stage.OFFERED, Game.lesson.is_(None))
    .order_by(SeatRow.game_id)
    .limit(1)
    .scalar_subquery()
)
_SINCE = (
    select(func.min(OutboxRow.made_at))
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .where(SeatRow.game_id == _EARLIEST, OutboxRow.number == _FIRST_LETTER)
)


def _variants(connection: Connection, player_id: int, now: datetime) -> tuple[InVariant, ...]:
    """Return the variants in which a player is rated, in the site's order."""
    found = pairs_of(_Variant, KeptStrength, connection.execute(_STRENGTHS, {"player": player_id}))
    strengths = {each.variant: kept.by(now) for each, kept in found}
    return tuple(
        InVariant(
            card,
            strengths[card.key],
            rating_history.curve(connection, player_id, card.key, limits.SMALL_CURVE),
        )
        for card in catalogue.cards()
        if card.key in strengths
    )


def _running(connection: Connection, player_id: int) -> tuple[Goes, ...]:
    found = rows_of(_Running, connection.execute(_RUNNING, {"player": player_id}))
    return tuple(
        Goes(
            catalogue.card(each.variant).name,
            "" if each.is_hidden else each.opponent,
            each.rated,
            each.since,
        )
        for each in found
    )


def _over(connection: Connection, player_id: int) -> tuple[Over, ...]:
    found = rows_of(_Over, connection.execute(_OVER, {"player": player_id}))
    secret = publishing.secret(connection)
    return tuple(_ended(each, finished.marked(secret, each.code)) for each in found)


def _ended(game: _Over, mark: str) -> Over:
    side, winner = Side(game.side), Side(game.winner) if game.winner else None
    return Over(
        mark,
        catalogue.card(game.variant).name,
        side,
        game.opponent,
        Outcome(winner, game.reason or ""),
        (game.ply + 1) // 2,
        game.ended_at,
        unpack(side, game.facts, game.sight).sight.signs(),
    )
