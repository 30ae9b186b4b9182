"""Does what a visitor does on the lobby pages: each function is one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, literal, select, union_all
from sqlalchemy.orm import aliased

from corr import limits
from corr.game.rating import Rating, aged, periods
from corr.messages import sentence
from corr.service.house import House
from corr.service.lobby import challenges
from corr.service.lobby.challenges import KEPT_CHALLENGE, KeptChallenge
from corr.service.lobby.terms import Terms
from corr.service.players import house_bots, mailboxes
from corr.service.players.authentication import Visitor
from corr.service.players.house_bots import Program
from corr.store.rows import one_or_none_of, pairs_of
from corr.store.tables import Challenge, CorrespondentRow, Game, Moment, Player, RatingRow
from corr.words.errors import Refused


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge as a page shows it."""

    code: str
    kind: str
    variant: str
    terms: str
    clock: str
    rated: bool
    color: str
    challenger: str
    rating: str  # the challenger's public rating in this variant; empty if unrated
    whom: str
    own: bool


@dataclass(frozen=True, slots=True)
class Lobby:
    """A visitor's view of the lobby: challenges to everybody, and their own."""

    seeks: tuple[Offer, ...]
    made: tuple[Offer, ...]
    received: tuple[Offer, ...]
    are_awake: bool  # the site's own bots


def lobby(house: House, visitor: Visitor | None, now: datetime) -> Lobby:
    """Return the challenges to everybody, and those a visitor made or received."""
    player_id = visitor.who.player_id if visitor else None
    with house.store.asking() as connection:
        asked = {"now": now, "player": player_id or _NOBODY}
        are_awake = house_bots.are_awake(connection, now)
        open_ones = pairs_of(KeptChallenge, _Challenger, connection.execute(_OFFERED, asked))

    def offers(part: str) -> tuple[Offer, ...]:
        return tuple(
            _offer(each, by, now, own=by.challenger_id == player_id)
            for each, by in open_ones
            if by.part == part
        )

    seeks, made, received = map(offers, _PARTS)
    return Lobby(seeks, made, received, are_awake)


class _Challenger(NamedTuple):
    challenger: str
    challenger_id: int
    rating: float | None
    deviation: float | None
    volatility: float | None
    rated_at: datetime | None
    part: str

    def rated(self, now: datetime) -> str:
        """Return the challenger's rating in the offered variant, aged until now."""
        if self.rating is None or self.deviation is None or self.volatility is None or self.rated_at is None:
            return ""
        known = Rating(self.rating, self.deviation, self.volatility)
        return aged(known, periods(now - self.rated_at)).shown


# One query returns the whole lobby; each part of it uses its own index.
_PARTS = ("sought", "made", "received")
_NOBODY = 0
_CHALLENGER = aliased(CorrespondentRow)
# These are subqueries for one row each, as a database that expects few players would start a join from them.
_CHALLENGER_ID = (
    select(_CHALLENGER.player_id)
    .where(_CHALLENGER.id == Challenge.by_id)
    .correlate(Challenge)
    .scalar_subquery()
)
_CHALLENGER_NAME = select(Player.name).where(Player.id == _CHALLENGER_ID).scalar_subquery()
_RATED = (
    select(RatingRow.player_id)
    .join(Player, Player.id == RatingRow.player_id)
    .where(
        RatingRow.player_id == _CHALLENGER_ID,
        RatingRow.variant == Challenge.variant,
        Player.hidden.is_not(True),
    )
)
_OPEN = select(
    *KEPT_CHALLENGE,
    _CHALLENGER_NAME.label("challenger"),
    _CHALLENGER_ID.label("challenger_id"),
    *(
        _RATED.with_only_columns(column).correlate(Challenge).scalar_subquery().label(column.key)
        for column in (RatingRow.rating, RatingRow.deviation, RatingRow.volatility, RatingRow.rated_at)
    ),
).where(Challenge.state == "open", _CHALLENGER_ID.is_not(None))
_MAILBOXES = select(CorrespondentRow.id).where(CorrespondentRow.player_id == bindparam("player"))
_SOUGHT = _OPEN.where(Challenge.kind == "seek", Challenge.expires_at > bindparam("now", type_=Moment))
_MADE = _OPEN.where(Challenge.by_id.in_(_MAILBOXES))
_RECEIVED = _OPEN.where(Challenge.to_id.in_(_MAILBOXES), Challenge.kind == "invitation")
_OFFERED = union_all(
    *(
        select(part_of.subquery(), literal(part).label("part"))
        for part, part_of in zip(
            _PARTS,
            (_SOUGHT.order_by(Challenge.id).limit(limits.OFFERS_SHOWN), _MADE, _RECEIVED),
            strict=True,
        )
    )
).order_by("id")
_BY_CODE = _OPEN.add_columns(literal("").label("part")).where(
    Challenge.code == bindparam("code"), Challenge.kind == "link"
)


def offer(house: House, visitor: Visitor | None, code: str, now: datetime) -> Offer:
    """Return the open challenge of a secret link; Refused if there is none."""
    with house.store.asking() as connection:
        asked = {"code": code if code.isalnum() else ""}
        links = pairs_of(KeptChallenge, _Challenger, connection.execute(_BY_CODE, asked))
    player_id = visitor.who.player_id if visitor else None
    for each, by in links:
        if each.expires_at is not None and each.expires_at > now:
            return _offer(each, by, now, own=by.challenger_id == player_id)
    raise Refused(sentence("challenges.closed"))


def challenge(house: House, visitor: Visitor, whom: str, offered: Terms, now: datetime) -> str:
    """Challenge one player by name or address, and return the message to show."""
    with house.store.writing() as connection:
        by, whom = _player(visitor), whom.strip()
        if program := house_bots.meant(connection, whom):
            challenges.program(connection, by, program, offered, now)
            return sentence("challenges.accepted")
        challenges.invite(connection, house, by, whom, offered, now)
    return f"{sentence('challenges.sent')} {sentence('challenges.answer_follows')}"


def play(house: House, visitor: Visitor, whom: Program, offered: Terms, now: datetime) -> str:
    """Start a game against one of the site's bots; return the challenge's code."""
    with house.store.writing() as connection:
        return challenges.program(connection, _player(visitor), whom, offered, now).code


class Came(NamedTuple):
    """An accepted challenge's outcome: its game's code, once a worker has started it."""

    id: int
    state: str
    game: str | None

    @property
    def begins(self) -> bool:
        """Tell whether a worker has yet to start the game."""
        return self.state == "accepted" and self.game is None


_CAME = (
    select(Challenge.id, Challenge.state, Game.code.label("game"))
    .outerjoin(Game, Game.id == Challenge.game_id)
    .where(
        Challenge.code == bindparam("code"),
        Challenge.by_id.in_(_MAILBOXES) | Challenge.to_id.in_(_MAILBOXES),
    )
)
_BEGUN = select(Challenge.id).where(
    Challenge.id.in_(bindparam("challenges", expanding=True)), Challenge.game_id.is_not(None)
)


def came_of(house: House, visitor: Visitor, code: str) -> Came | None:
    """Return the outcome of a challenge that the visitor made or accepted, or None."""
    asked = {"code": code, "player": visitor.who.player_id or _NOBODY}
    with house.store.asking() as connection:
        return one_or_none_of(Came, connection.execute(_CAME, asked))


def begun(house: House, challenges: Collection[int]) -> Sequence[int]:
    """Return the challenges whose games have started."""
    with house.store.asking() as connection:
        return connection.execute(_BEGUN, {"challenges": list(challenges)}).scalars().all()


def seek(house: House, visitor: Visitor, offered: Terms, now: datetime) -> None:
    """Offer a game to everybody."""
    with house.store.writing() as connection:
        challenges.seek(connection, _player(visitor), offered, now)


def link(house: House, visitor: Visitor, offered: Terms, now: datetime) -> str:
    """Offer a game by a secret link, and return its code."""
    with house.store.writing() as connection:
        return challenges.link(connection, _player(visitor), offered, now).code


def tutorial(house: House, visitor: Visitor, now: datetime) -> str:
    """Ask for the tutorial, and return its code."""
    with house.store.writing() as connection:
        return challenges.tutorial(connection, _player(visitor), now).code


def accept(house: House, visitor: Visitor, code: str, now: datetime) -> None:
    """Accept an invitation, a link, or a challenge to everybody."""
    with house.store.writing() as connection:
        challenges.accept(connection, _player(visitor), _found(connection, code), now)


def decline(house: House, visitor: Visitor, code: str, now: datetime) -> None:
    """Decline an invitation."""
    with house.store.writing() as connection:
        challenges.decline(connection, _player(visitor), _found(connection, code), now)


def withdraw(house: House, visitor: Visitor, code: str, now: datetime) -> None:
    """Withdraw one's own challenge."""
    with house.store.writing() as connection:
        challenges.withdraw(connection, _player(visitor), _found(connection, code), now)


def _player(visitor: Visitor) -> mailboxes.Correspondent:
    if visitor.name is None:
        raise Refused(sentence("names.choose_first"))
    return visitor.who


def _found(connection: Connection, code: str) -> KeptChallenge:
    found = challenges.by_code(connection, code)
    if found is None:
        raise Refused(sentence("challenges.closed"))
    return found


def _offer(offered: KeptChallenge, by: _Challenger, now: datetime, *, own: bool) -> Offer:
    return Offer(
        code=offered.code,
        kind=offered.kind,
        variant=offered.variant,
        terms=offered.terms.sentence,
        clock=offered.clock,
        rated=offered.rated,
        color=offered.color,
        challenger=by.challenger,
        rating=by.rated(now),
        whom=offered.whom or "",
        own=own,
    )
