"""Finds games for admins (limits: `corr/limits.py`), and shows what is public, never what one side is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, Select, bindparam, select
from sqlalchemy.orm import aliased

from corr import limits
from corr.game.clock import parse_clock
from corr.service import catalogue
from corr.service.admin.conflicts import AdminConflicts, load_conflicts
from corr.service.games import moderation
from corr.service.games.moderation import DecreeEntry
from corr.service.players.mailboxes import Correspondent
from corr.service.players.names import fold_lookalikes
from corr.service.players.times import word_in_utc
from corr.service.server import Server
from corr.store.rows import columns_of, pairs_of, rows_of
from corr.store.tables import GameRow, InboxRow, OutboxRow, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.view import Stage


class ListedGame(NamedTuple):
    id: int
    code: str
    key: str
    state: str
    white: str
    black: str
    white_id: int
    black_id: int

    @property
    def variant(self) -> str:
        return catalogue.card(self.key).name

    @property
    def players(self) -> Pair[str]:
        return Pair(self.white, self.black)


@dataclass(frozen=True, slots=True)
class SentEmail:
    """An email with news for both sides: recipient, kind, time and delivery state."""

    to: str
    kind: str
    when: str
    state: str


@dataclass(frozen=True, slots=True)
class GameReport:
    game: ListedGame
    clock: str
    rated: bool
    moves: int
    awaited: str
    deadline: str
    paused: str
    outcome: str
    is_own: bool  # the admin plays in it, and it is not over
    is_partial: bool  # without emails to the admin's opponent, and when the opponent learned of their turn
    letters: Sequence[SentEmail]
    decrees: tuple[DecreeEntry, ...]
    number: int  # the number of the next decree


def load_report(server: Server, operator: Correspondent, code: str) -> GameReport:
    """Return what an admin may see of a game by its code; Refused if unknown."""
    asked = _DETAILS_QUERY.where(GameRow.code == _normalize_code(code))
    with server.store.reading() as connection:
        found = pairs_of(ListedGame, _DetailsRow, connection.execute(asked))
        if not found:
            raise Refused(sentence("admin.no_game"))
        return _report(connection, operator, *found[0])


def search(server: Server, text: str) -> tuple[ListedGame, ...]:
    """Find games by code or part of a player's name, newest first; tutorials by code."""
    like = fold_lookalikes(text[: limits.SEARCH_CHARACTERS])
    played = select(SeatRow.game_id).join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    played = played.join(GameRow, GameRow.id == SeatRow.game_id).where(GameRow.lesson.is_(None))
    played = played.where(PlayerRow.name_key.contains(like, autoescape=True))
    named = (GameRow.code == _normalize_code(text)) | (
        GameRow.id.in_(played) if like else GameRow.id.is_(None)
    )
    with server.store.reading() as connection:
        return _load_found(connection, select(GameRow.id).where(named))


def list_newest(server: Server) -> tuple[ListedGame, ...]:
    """Return the latest games except tutorials, newest first."""
    with server.store.reading() as connection:
        return _load_found(connection, select(GameRow.id).where(GameRow.lesson.is_(None)))


def _load_found(connection: Connection, games: Select[int]) -> tuple[ListedGame, ...]:
    """Load the newest of the games that a query selects, newest first."""
    ids = connection.execute(games.order_by(GameRow.id.desc()).limit(limits.GAMES_FOUND)).scalars().all()
    return tuple(sorted(load_games(connection, ids), key=lambda each: ids.index(each.id)))


def load_games(connection: Connection, ids: Sequence[int]) -> tuple[ListedGame, ...]:
    """Return games by their ids, sorted by code."""
    games = _GAMES.where(GameRow.id.in_(ids)).order_by(GameRow.code)
    return tuple(rows_of(ListedGame, connection.execute(games)))


class _DetailsRow(NamedTuple):
    clock: str
    rated: bool
    ply: int
    turn: str | None
    deadline: datetime | None
    earliest: datetime | None
    paused_at: datetime | None
    winner: str | None
    reason: str | None


class _EmailRow(NamedTuple):
    side: str
    kind: str
    made_at: datetime
    sent_at: datetime | None
    dead_at: datetime | None


_WHITE_SEAT, _BLACK_SEAT = aliased(SeatRow), aliased(SeatRow)
_WHITE, _BLACK = aliased(PlayerRow), aliased(PlayerRow)
_NAMES = {"white": _WHITE.name, "black": _BLACK.name, "white_id": _WHITE.id, "black_id": _BLACK.id}
_GAMES = (
    select(*columns_of(ListedGame, GameRow, key=GameRow.variant, **_NAMES))
    .join(_WHITE_SEAT, (_WHITE_SEAT.game_id == GameRow.id) & (_WHITE_SEAT.side == "white"))
    .join(_BLACK_SEAT, (_BLACK_SEAT.game_id == GameRow.id) & (_BLACK_SEAT.side == "black"))
    .join(_WHITE, _WHITE.id == _WHITE_SEAT.player_id)
    .join(_BLACK, _BLACK.id == _BLACK_SEAT.player_id)
)
_DETAILS_QUERY = _GAMES.add_columns(*columns_of(_DetailsRow, GameRow))
#: Answers are left out: an answer reveals that the player has written, and what they tried in vain.
_EMAILS_QUERY = (
    select(SeatRow.side, OutboxRow.kind, OutboxRow.made_at, OutboxRow.sent_at, OutboxRow.dead_at)
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .where(SeatRow.game_id == bindparam("game"), OutboxRow.kind != "answer")
    .order_by(OutboxRow.made_at.desc(), SeatRow.side)
    .limit(limits.GAMES_FOUND)
)


def _normalize_code(code: str) -> str:
    """Normalize a code for the query; empty if it cannot be one."""
    text = code.strip().lower()[: limits.SEARCH_CHARACTERS]
    return text if text.isalnum() else ""


def _report(
    connection: Connection, operator: Correspondent, game: ListedGame, public: _DetailsRow
) -> GameReport:
    """Build a game's report, hiding what an admin who plays its players mustn't know."""
    players, held = {game.white_id, game.black_id}, load_conflicts(connection, operator)
    is_partial = not players.isdisjoint(held.opponents)
    return GameReport(
        game=game,
        clock=parse_clock(public.clock).sentence,
        rated=public.rated,
        moves=max(public.ply, 0),
        awaited=_name_awaited(public.turn, game),
        deadline=word_in_utc(public.earliest if is_partial and public.earliest else public.deadline),
        paused=word_in_utc(public.paused_at),
        outcome=_outcome(public),
        is_own=game.state != Stage.OVER and operator.player_id in players,
        is_partial=is_partial,
        letters=_list_emails(connection, held, game),
        decrees=moderation.list_decrees(connection, game.id),
        number=moderation.next_number(connection, game.id),
    )


def _name_awaited(turn: str | None, game: ListedGame) -> str:
    """Return who must move, as a side and name or both sides; empty if nobody."""
    if turn:
        return f"{Side(turn).called}, {game.players[Side(turn)]}"
    return sentence("admin.both_sides") if game.state == Stage.DEPLOYING else ""


def _outcome(public: _DetailsRow) -> str:
    """Return a game's result as a sentence; empty if it isn't over."""
    if not public.reason:
        return ""
    if public.winner:
        return sentence("admin.won", side=Side(public.winner).called, reason=public.reason)
    return sentence("admin.nobody_won", reason=public.reason)


def _list_emails(connection: Connection, conflicts: AdminConflicts, game: ListedGame) -> Sequence[SentEmail]:
    """Return the emails of a game that this admin can see, newest first."""
    theirs = _EMAILS_QUERY.where(conflicts.seat(SeatRow.id))
    return tuple(
        SentEmail(game.players[Side(each.side)], each.kind, word_in_utc(each.made_at), _word_delivery(each))
        for each in rows_of(_EmailRow, connection.execute(theirs, {"game": game.id}))
    )


def _word_delivery(letter: _EmailRow) -> str:
    """Return in words whether an email was sent, given up or still waits."""
    if letter.sent_at:
        return sentence("admin.sent")
    return sentence("admin.given_up") if letter.dead_at else sentence("admin.not_sent")


_OVERDUE_TIME = timedelta(hours=1)
_STUCK_TRIES = 3
_MAX_GAMES = 100


@dataclass(frozen=True, slots=True)
class StuckGame:
    game: ListedGame
    causes: tuple[str, ...]


def list_stuck_games(server: Server, operator: Correspondent, now: datetime) -> tuple[StuckGame, ...]:
    """Return unfinished games that may need an admin, with the causes, sorted by code."""
    with server.store.reading() as connection:
        causes: defaultdict[int, list[str]] = defaultdict(list)
        for cause, games in _causes(load_conflicts(connection, operator), now, server.grace):
            for game_id in connection.execute(games.distinct().limit(_MAX_GAMES)).scalars():
                causes[game_id].append(cause)
        found = load_games(connection, list(causes))
        return tuple(StuckGame(each, tuple(causes[each.id])) for each in found)


def _causes(conflicts: AdminConflicts, now: datetime, grace: timedelta) -> Iterator[tuple[str, Select[int]]]:
    """Yield kinds of trouble with queries for their games, hiding what opponents' emails reveal."""
    games = select(GameRow.id).where(GameRow.state != Stage.OVER)
    runs = GameRow.paused_at.is_(None)
    theirs = games.join(SeatRow, SeatRow.game_id == GameRow.id).where(conflicts.seat(SeatRow.id))
    yield sentence("admin.stuck_paused"), games.where(GameRow.paused_at.is_not(None))
    yield sentence("admin.stuck_late"), games.where(runs, GameRow.deadline < now - _OVERDUE_TIME)
    unread = theirs.join(InboxRow, InboxRow.seat_id == SeatRow.id).where(InboxRow.read_at.is_(None))
    in_time = InboxRow.received_at <= GameRow.deadline
    yield sentence("admin.stuck_waits"), unread.where(runs, GameRow.deadline < now - grace, in_time)
    yield sentence("admin.stuck_unread"), unread.where(InboxRow.tries >= _STUCK_TRIES)
    dead = theirs.join(OutboxRow, OutboxRow.seat_id == SeatRow.id)
    yield sentence("admin.stuck_dead"), dead.where(OutboxRow.dead_at.is_not(None))
