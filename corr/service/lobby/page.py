"""Loads the lobby and handles challenges for web pages (limits: `corr/limits.py`); each function is one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, literal, select, union_all
from sqlalchemy.orm import aliased

from corr import limits
from corr.game.rating import Rating, age_rating, periods
from corr.service.lobby import challenges
from corr.service.lobby.challenges import CHALLENGE_QUERY, StoredChallenge
from corr.service.lobby.terms import NO_CLOCK, Terms
from corr.service.players import house_bots, players
from corr.service.players.authentication import Visitor
from corr.service.players.house_bots import HouseBot
from corr.service.server import Server
from corr.store.rows import one_or_none_of, pairs_of
from corr.store.tables import ChallengeRow, CorrespondentRow, GameRow, Moment, PlayerRow, RatingRow, SeatRow
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.view import Stage


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge as a page shows it."""

    challenge: StoredChallenge
    challenger: str
    rating: str  # the challenger's public rating in this variant; empty if unrated
    own: bool


@dataclass(frozen=True, slots=True)
class Lobby:
    """A visitor's view of the lobby: challenges to everybody, and their own."""

    seeks: tuple[Offer, ...]
    made: tuple[Offer, ...]
    received: tuple[Offer, ...]
    are_awake: bool  # the site's own bots


def load_lobby(server: Server, visitor: Visitor | None, now: datetime) -> Lobby:
    """Return the challenges to everybody, and those a visitor made or received."""
    player_id = visitor.who.player_id if visitor else None
    with server.store.asking() as connection:
        asked = {"now": now, "player": player_id or _NOBODY}
        are_awake = house_bots.are_awake(connection, now)
        open_ones = pairs_of(StoredChallenge, _ChallengerRow, connection.execute(_LOBBY_QUERY, asked))
    offers = {
        part: [by.offer(each, player_id, now) for each, by in open_ones if by.part == part] for part in _PARTS
    }
    seeks, made, received = (tuple(offers[part]) for part in _PARTS)
    return Lobby(seeks, made, received, are_awake)


class _ChallengerRow(NamedTuple):
    challenger: str
    challenger_id: int
    rating: float | None
    deviation: float | None
    volatility: float | None
    rated_at: datetime | None
    part: str

    def offer(self, challenge: StoredChallenge, player_id: int | None, now: datetime) -> Offer:
        """Return this challenger's offer as a player sees it."""
        return Offer(challenge, self.challenger, self._rated(now), own=self.challenger_id == player_id)

    def _rated(self, now: datetime) -> str:
        """Return the challenger's rating in the offered variant as of now; empty if unrated."""
        if self.rating is None or self.deviation is None or self.volatility is None or self.rated_at is None:
            return ""
        known = Rating(self.rating, self.deviation, self.volatility)
        return age_rating(known, periods(now - self.rated_at)).shown


# One query returns the whole lobby; each part of it uses its own index.
_PARTS = ("sought", "made", "received")
_NOBODY = 0
_CHALLENGER = aliased(CorrespondentRow)
# These are subqueries for one row each, as a database that expects few players would start a join from them.
_CHALLENGER_ID = (
    select(_CHALLENGER.player_id)
    .where(_CHALLENGER.id == ChallengeRow.by_id)
    .correlate(ChallengeRow)
    .scalar_subquery()
)
_CHALLENGER_NAME = select(PlayerRow.name).where(PlayerRow.id == _CHALLENGER_ID).scalar_subquery()
_RATING = (
    select(RatingRow.player_id)
    .join(PlayerRow, PlayerRow.id == RatingRow.player_id)
    .where(
        RatingRow.player_id == _CHALLENGER_ID,
        RatingRow.variant == ChallengeRow.variant,
        PlayerRow.hidden.is_not(True),
    )
)
_OPEN_QUERY = CHALLENGE_QUERY.add_columns(
    _CHALLENGER_NAME.label("challenger"),
    _CHALLENGER_ID.label("challenger_id"),
    *(
        _RATING.with_only_columns(column).correlate(ChallengeRow).scalar_subquery().label(column.key)
        for column in (RatingRow.rating, RatingRow.deviation, RatingRow.volatility, RatingRow.rated_at)
    ),
).where(ChallengeRow.state == "open", _CHALLENGER_ID.is_not(None))
OWN_MAILBOXES = select(CorrespondentRow.id).where(CorrespondentRow.player_id == bindparam("player"))
_SEEKS_QUERY = _OPEN_QUERY.where(
    ChallengeRow.kind == "seek", ChallengeRow.expires_at > bindparam("now", type_=Moment)
)
_MADE_QUERY = _OPEN_QUERY.where(ChallengeRow.by_id.in_(OWN_MAILBOXES))
_RECEIVED_QUERY = _OPEN_QUERY.where(ChallengeRow.to_id.in_(OWN_MAILBOXES), ChallengeRow.kind == "invitation")
_LOBBY_QUERY = union_all(
    *(
        select(part_of.subquery(), literal(part).label("part"))
        for part, part_of in zip(
            _PARTS,
            (_SEEKS_QUERY.order_by(ChallengeRow.id).limit(limits.OFFERS_SHOWN), _MADE_QUERY, _RECEIVED_QUERY),
            strict=True,
        )
    )
).order_by("id")
_BY_CODE = _OPEN_QUERY.add_columns(literal("").label("part")).where(
    ChallengeRow.code == bindparam("code"), ChallengeRow.kind == "link"
)


def load_offer(server: Server, visitor: Visitor | None, code: str, now: datetime) -> Offer:
    """Return the open challenge of a secret link; Refused if there is none."""
    with server.store.asking() as connection:
        asked = {"code": code if code.isalnum() else ""}
        links = pairs_of(StoredChallenge, _ChallengerRow, connection.execute(_BY_CODE, asked))
    player_id = visitor.who.player_id if visitor else None
    for each, by in links:
        if each.expires_at is not None and each.expires_at > now:
            return by.offer(each, player_id, now)
    raise Refused(sentence("challenges.closed"))


def challenge(server: Server, visitor: Visitor, whom: str, offered: Terms, now: datetime) -> str:
    """Challenge one player by name or address, and return the message to show."""
    with server.store.writing() as connection:
        by, whom = visitor.player, whom.strip()
        if program := house_bots.find_challenged_bot(connection, whom):
            challenges.challenge_bot(connection, by, program, offered, now)
            return sentence("challenges.accepted")
        challenges.invite(connection, server, by, whom, offered, now)
        player = None if "@" in whom else players.find_player(connection, whom)
        if player is None:
            sent = sentence("challenges.sent_to_address", whom=whom)
        else:
            sent = sentence("challenges.sent_to", whom=players.name_of_player(connection, player))
    return f"{sent} {sentence('challenges.answer_follows')}"


def play_bot(server: Server, visitor: Visitor, bot: HouseBot, offered: Terms, now: datetime) -> str:
    """Start a game against one of the site's bots; return the challenge's code."""
    # A guest could not be told that the time runs out.
    terms = replace(offered, clock=NO_CLOCK, rated=False) if visitor.is_guest else offered
    with server.store.writing() as connection:
        _check_guest(connection, visitor, now)
        return challenges.challenge_bot(connection, visitor.player, bot, terms, now).code


def _check_guest(connection: Connection, visitor: Visitor, now: datetime) -> None:
    """Raise Refused for a guest who plays, or has started today, as many games as a guest can."""
    if not visitor.is_guest:
        return
    running, started = challenges.count_guest_games(connection, visitor.who, now)
    if running >= limits.GUEST_GAMES or started >= limits.BOT_GAMES_A_DAY:
        raise Refused(sentence("guests.enough_games", most=limits.GUEST_GAMES))


class ChallengeOutcome(NamedTuple):
    """An accepted challenge's outcome: its game's code, once a worker has started it."""

    id: int
    state: str
    game: str | None

    @property
    def begins(self) -> bool:
        """Tell whether a worker has yet to start the game."""
        return self.state == "accepted" and self.game is None


OUTCOME_QUERY = select(ChallengeRow.id, ChallengeRow.state, GameRow.code.label("game")).outerjoin(
    GameRow, GameRow.id == ChallengeRow.game_id
)
_OWN_OUTCOME_QUERY = OUTCOME_QUERY.where(
    ChallengeRow.code == bindparam("code"),
    ChallengeRow.by_id.in_(OWN_MAILBOXES) | ChallengeRow.to_id.in_(OWN_MAILBOXES),
)
_STARTED_QUERY = select(ChallengeRow.id).where(
    ChallengeRow.id.in_(bindparam("challenges", expanding=True)), ChallengeRow.game_id.is_not(None)
)


def load_outcome(server: Server, visitor: Visitor, code: str) -> ChallengeOutcome | None:
    """Return the outcome of a challenge that the visitor made or accepted, or None."""
    asked = {"code": code, "player": visitor.who.player_id or _NOBODY}
    with server.store.asking() as connection:
        return one_or_none_of(ChallengeOutcome, connection.execute(_OWN_OUTCOME_QUERY, asked))


def find_started(server: Server, challenges: Collection[int]) -> Sequence[int]:
    """Return those of these challenges whose games have started, for pages that wait."""
    with server.store.asking() as connection:
        return connection.execute(_STARTED_QUERY, {"challenges": list(challenges)}).scalars().all()


def seek(server: Server, visitor: Visitor, offered: Terms, now: datetime) -> None:
    """Offer a game to everybody."""
    with server.store.writing() as connection:
        challenges.seek(connection, visitor.player, offered, now)


def make_link(server: Server, visitor: Visitor, offered: Terms, now: datetime) -> str:
    """Offer a game by a secret link, and return its code."""
    with server.store.writing() as connection:
        return challenges.make_link(connection, visitor.player, offered, now).code


def request_tutorial(server: Server, visitor: Visitor, now: datetime) -> str:
    """Ask a worker to start the tutorial, and return the code to wait by."""
    with server.store.writing() as connection:
        _check_guest(connection, visitor, now)
        return challenges.request_tutorial(connection, visitor.player, now).code


#: What a player may do about a challenge, and the message for each.
ANSWERS = {
    "accept": (challenges.accept, sentence("challenges.accepted")),
    "decline": (challenges.decline, sentence("challenges.declined")),
    "withdraw": (challenges.withdraw, sentence("challenges.withdrawn")),
}


def answer(server: Server, visitor: Visitor, code: str, deed: str, now: datetime) -> str:
    """Accept or decline a challenge, or withdraw one's own; return the message. Refused if closed or not theirs."""
    do, done = ANSWERS[deed]
    with server.store.writing() as connection:
        who, found = visitor.player, challenges.find_challenge(connection, code)
        if found is None:
            raise Refused(sentence("challenges.closed"))
        do(connection, who, found, now)
    return done


#: The only variant that the protocol of `reconchess` knows: Reconnaissance Blind Chess (RBC).
BOT_VARIANT = "rbc"

_CHALLENGES_QUERY = select(ChallengeRow.code).where(
    ChallengeRow.to_id.in_(OWN_MAILBOXES),
    ChallengeRow.state == "open",
    ChallengeRow.kind == "invitation",
    ChallengeRow.variant == BOT_VARIANT,
)
_GAMES_QUERY = (
    select(func.coalesce(ChallengeRow.code, GameRow.code).label("code"))
    .join_from(SeatRow, GameRow, GameRow.id == SeatRow.game_id)
    .outerjoin(ChallengeRow, ChallengeRow.game_id == GameRow.id)
    .where(
        SeatRow.player_id == bindparam("player"),
        GameRow.state == Stage.RUNNING,
        GameRow.variant == BOT_VARIANT,
    )
)
_INVITATIONS_QUERY = union_all(_CHALLENGES_QUERY, _GAMES_QUERY)
_CHALLENGE_OUTCOME_QUERY = OUTCOME_QUERY.where(
    ChallengeRow.code == bindparam("code"), ChallengeRow.variant == BOT_VARIANT
)
_GAME_OUTCOME_QUERY = select(
    GameRow.id, literal("accepted").label("state"), GameRow.code.label("game")
).where(GameRow.code == bindparam("code"), GameRow.variant == BOT_VARIANT)


def list_bot_invitations(server: Server, player_id: int) -> Sequence[str]:
    """Return the codes of open RBC challenges to a bot, and of its running RBC games or their challenges."""
    with server.store.asking() as connection:
        return connection.execute(_INVITATIONS_QUERY, {"player": player_id}).scalars().all()


def load_rbc_outcome(server: Server, code: str) -> ChallengeOutcome | None:
    """Return what became of an RBC challenge or game by its code; None if unknown."""
    asked = {"code": code}
    with server.store.asking() as connection:
        came = one_or_none_of(ChallengeOutcome, connection.execute(_CHALLENGE_OUTCOME_QUERY, asked))
        return came or one_or_none_of(ChallengeOutcome, connection.execute(_GAME_OUTCOME_QUERY, asked))
