"""Lists a player's rated games in a variant (limits: `corr/limits.py`), with expected score and change of rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Boolean, Connection, Select, bindparam, func, literal, select, union_all

from corr import limits
from corr.game.rating import Rating, expected_score
from corr.service import catalogue
from corr.service.community import player_search
from corr.service.community.leaderboard import STRENGTH_COLUMNS, StoredStrength, Strength
from corr.service.community.player_search import PageOwner
from corr.service.players import publishing
from corr.service.server import Server
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import PlayerRow, RatedGameRow, RatingRow, SeatRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.view import VariantInfo


class HistoryRow(NamedTuple):
    """A stored rated game as one of its players sees it."""

    id: int
    ended_at: datetime
    side: str
    winner: str | None
    uncounted: str
    rating: float
    deviation: float
    rating_after: float
    deviation_after: float
    other_rating: float
    other_deviation: float
    other: str
    is_other_hidden: bool
    is_by_name: bool  # whether both players go by their own names beside ended games

    @property
    def opponent(self) -> str:
        """The opponent's name, or empty if it is not public."""
        return "" if self.is_other_hidden or not self.is_by_name else self.other

    @property
    def result(self) -> str:
        if self.winner is None:
            return "drawn"
        return "won" if self.winner == self.side else "lost"

    @property
    def before(self) -> Rating:
        return Rating(self.rating, self.deviation)

    @property
    def after(self) -> Rating:
        return Rating(self.rating_after, self.deviation_after)

    @property
    def opposite(self) -> Rating:
        """The opponent's rating before the game."""
        return Rating(self.other_rating, self.other_deviation)

    @property
    def percent(self) -> int:
        """The expected score in percent of a point."""
        return round(100 * expected_score(self.before, self.opposite))

    @property
    def why_not(self) -> str:
        """The reason why the game does not count; empty if it does."""
        return sentence(f"uncounted.{self.uncounted}") if self.uncounted else ""


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """A page of a player's rated games in a variant, newest first, with rating and curve."""

    whose: PageOwner
    card: VariantInfo
    strength: Strength | None
    games: Sequence[HistoryRow]
    number: int
    goes_on: bool
    curve: tuple[float, ...]


def load_history(server: Server, name: str, variant: str, number: int, now: datetime) -> RatingHistory:
    """Return one page of a rating history; Refused if hidden, unknown or past the end."""
    with server.store.reading() as connection:
        who = player_search.find_page_owner(connection, name)
        card = catalogue.card(variant)
        asked = {"player": who.id, "variant": card.key}
        is_by_name = who.publishes in publishing.BY_NAME
        numbers = max(1, -(-connection.execute(_TOTAL, asked).scalar_one() // limits.RATED_GAMES_A_PAGE))
        if number > numbers:
            raise Refused(sentence("players.no_rated_games", pages=numbers))
        games = _games(connection, asked | {"is_own_by_name": is_by_name}, number)
        kept = one_or_none_of(StoredStrength, connection.execute(_STRENGTH, asked))
        points = load_curve(connection, who.id, card.key, limits.LARGE_CURVE)
    return RatingHistory(who, card, kept.by(now) if kept else None, games, number, number < numbers, points)


class _PointRow(NamedTuple):
    id: int
    before: float
    after: float


def load_curve(connection: Connection, player_id: int, variant: str, most: int) -> tuple[float, ...]:
    """Return the points of a player's rating curve, earliest first; empty without counted games."""
    asked = {"player": player_id, "variant": variant, "most": most}
    found = rows_of(_PointRow, connection.execute(_CURVE, asked))[::-1]
    return (found[0].before, *(each.after for each in found)) if found else ()


def _select_of_side(side: Side, *asked: Any) -> Select[Any]:
    """Select from the games that a player played on one side in a variant."""
    is_theirs = getattr(RatedGameRow, f"{side}_id") == bindparam("player")
    return select(*asked).where(is_theirs, RatedGameRow.variant == bindparam("variant"))


def _merge_newest(parts: Sequence[Select[Any]], most: Any) -> Select[Any]:
    """Merge a player's games as White and as Black, newest first, reading few of each."""
    both = union_all(
        *(select(part.order_by(RatedGameRow.id.desc()).limit(most).subquery()) for part in parts)
    )
    found = both.subquery()
    return select(found).order_by(found.c.id.desc())


#: A game that a player began under another name.
_BEGAN_WITHOUT_NAME = (
    select(SeatRow.id)
    .where(SeatRow.game_id == RatedGameRow.game_id, SeatRow.publishes.not_in(publishing.BY_NAME))
    .exists()
)


def _select_games(side: Side) -> Select[Any]:
    """Select a player's rated games on one side, as a HistoryRow; `is_own_by_name` is bound too."""
    own, other = f"{side}_", f"{side.other}_"
    column = RatedGameRow.__table__.c
    return _select_of_side(
        side,
        RatedGameRow.id,
        RatedGameRow.ended_at,
        literal(str(side)).label("side"),
        RatedGameRow.winner,
        RatedGameRow.uncounted,
        *(
            column[f"{own}{name}"].label(name)
            for name in ("rating", "deviation", "rating_after", "deviation_after")
        ),
        *(column[f"{other}{name}"].label(f"other_{name}") for name in ("rating", "deviation")),
        PlayerRow.name.label("other"),
        PlayerRow.hidden.label("is_other_hidden"),
        (
            PlayerRow.publishes.in_(publishing.BY_NAME)
            & bindparam("is_own_by_name", type_=Boolean)
            & ~_BEGAN_WITHOUT_NAME
        ).label("is_by_name"),
    ).join(PlayerRow, PlayerRow.id == column[f"{other}id"])


def _select_counted(side: Side) -> Select[Any]:
    """Select a side's rating before and after each game that counts."""
    column = RatedGameRow.__table__.c
    before, after = column[f"{side}_rating"], column[f"{side}_rating_after"]
    points = _select_of_side(side, RatedGameRow.id, before.label("before"), after.label("after"))
    return points.where(RatedGameRow.uncounted == "")


_GAMES = (
    _merge_newest([_select_games(side) for side in Side], bindparam("up_to"))
    .limit(bindparam("most"))
    .offset(bindparam("passed"))
)
_CURVE = _merge_newest([_select_counted(side) for side in Side], bindparam("most")).limit(bindparam("most"))
_WHITE_GAMES, _BLACK_GAMES = (_select_of_side(side, func.count()).scalar_subquery() for side in Side)
_TOTAL = select(_WHITE_GAMES + _BLACK_GAMES)
_STRENGTH = select(*STRENGTH_COLUMNS).where(
    RatingRow.player_id == bindparam("player"), RatingRow.variant == bindparam("variant")
)


def _games(connection: Connection, asked: dict[str, Any], number: int) -> list[HistoryRow]:
    """Return one page of a player's rated games, newest first."""
    most = limits.RATED_GAMES_A_PAGE
    page = {"most": most, "passed": (number - 1) * most, "up_to": number * most}
    return rows_of(HistoryRow, connection.execute(_GAMES, asked | page))
