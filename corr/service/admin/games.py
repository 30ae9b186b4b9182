"""Shows admins a game: what is public about it, and nothing that the umpire tells one side alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Select, bindparam, select

from corr import limits
from corr.game.clock import clock_of
from corr.messages import sentence
from corr.service import catalogue
from corr.service.admin.conflicts import Stakes, stakes
from corr.service.games import moderation
from corr.service.games.moderation import Entered
from corr.service.house import House
from corr.service.players.lookalikes import looks
from corr.service.players.mailboxes import Correspondent
from corr.service.players.time_format import in_utc
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import Game, OutboxRow, Player, SeatRow
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.view import Stage


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list."""

    id: int
    code: str
    variant: str
    state: str
    players: Pair[str]


@dataclass(frozen=True, slots=True)
class Posted:
    """An email with news for both sides: recipient, kind, time and delivery state."""

    to: str
    kind: str
    when: str
    state: str


@dataclass(frozen=True, slots=True)
class GameReport:
    """A game as an admin reads it."""

    game: ListedGame
    clock: str
    rated: bool
    moves: int
    awaited: str
    deadline: str
    paused: str
    outcome: str
    is_own: bool  # the admin plays in it, and it is not over
    is_partial: (
        bool  # it leaves out emails to the admin's opponent, and when the opponent learned of their turn
    )
    letters: tuple[Posted, ...]
    decrees: tuple[Entered, ...]
    number: int  # the number of the next decree


def report(house: House, operator: Correspondent, code: str) -> GameReport:
    """Return a game by its code; Refused if there is none."""
    with house.store.reading() as connection:
        found = pairs_of(_FoundGame, _Details, connection.execute(_PUBLIC.where(Game.code == _plain(code))))
        if not found:
            raise Refused(sentence("admin.no_game"))
        return _report(connection, operator, *found[0])


def search(house: House, text: str) -> tuple[ListedGame, ...]:
    """Find games by code or by similar players' names, newest first.

    A tutorial is found by its code alone.
    """
    like = looks(text[: limits.SEARCH_CHARACTERS])
    played = select(SeatRow.game_id).join(Player, Player.id == SeatRow.player_id)
    played = played.join(Game, Game.id == SeatRow.game_id).where(Game.lesson.is_(None))
    played = played.where(Player.name_key.contains(like, autoescape=True))
    named = (Game.code == _plain(text)) | (Game.id.in_(played) if like else Game.id.is_(None))
    with house.store.reading() as connection:
        return _first(connection, select(Game.id).where(named))


def newest(house: House) -> tuple[ListedGame, ...]:
    """Return the latest games between people, newest first."""
    with house.store.reading() as connection:
        return _first(connection, select(Game.id).where(Game.lesson.is_(None)))


def _first(connection: Connection, games: Select[int]) -> tuple[ListedGame, ...]:
    ids = connection.execute(games.order_by(Game.id.desc()).limit(limits.GAMES_FOUND)).scalars().all()
    return tuple(sorted(listed(connection, ids), key=lambda each: ids.index(each.id)))


def listed(connection: Connection, ids: Sequence[int]) -> tuple[ListedGame, ...]:
    """Return games by their ids, sorted by code."""
    games = rows_of(_FoundGame, connection.execute(_GAMES.where(Game.id.in_(ids)).order_by(Game.code)))
    names = _names(_seated(connection, ids))
    return tuple(_listed(game, names) for game in games)


class _FoundGame(NamedTuple):
    id: int
    code: str
    variant: str
    state: str


class _Details(NamedTuple):
    clock: str
    rated: bool
    ply: int
    turn: str | None
    deadline: datetime | None
    earliest: datetime | None
    paused_at: datetime | None
    winner: str | None
    reason: str | None


class _Seated(NamedTuple):
    game_id: int
    side: str
    player_id: int
    name: str


class _LetterOut(NamedTuple):
    side: str
    kind: str
    made_at: datetime
    sent_at: datetime | None
    dead_at: datetime | None


_GAMES = select(Game.id, Game.code, Game.variant, Game.state)
_PUBLIC = _GAMES.add_columns(
    Game.clock,
    Game.rated,
    Game.ply,
    Game.turn,
    Game.deadline,
    Game.earliest,
    Game.paused_at,
    Game.winner,
    Game.reason,
)
_SEATS = (
    select(SeatRow.game_id, SeatRow.side, SeatRow.player_id, Player.name)
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.game_id.in_(bindparam("games", expanding=True)))
)
#: Answers are left out: an answer reveals that the player has written, and what they tried in vain.
_LETTERS = (
    select(SeatRow.side, OutboxRow.kind, OutboxRow.made_at, OutboxRow.sent_at, OutboxRow.dead_at)
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .where(SeatRow.game_id == bindparam("game"), OutboxRow.kind != "answer")
    .order_by(OutboxRow.made_at.desc(), SeatRow.side)
    .limit(limits.GAMES_FOUND)
)


def _plain(code: str) -> str:
    """Normalize a code for the query; empty if it cannot be one."""
    text = code.strip().lower()[: limits.SEARCH_CHARACTERS]
    return text if text.isalnum() else ""


def _seated(connection: Connection, ids: Sequence[int]) -> list[_Seated]:
    return rows_of(_Seated, connection.execute(_SEATS, {"games": list(ids)}))


def _names(seated: Sequence[_Seated]) -> dict[tuple[int, str], str]:
    return {(seat.game_id, seat.side): seat.name for seat in seated}


def _listed(game: _FoundGame, names: dict[tuple[int, str], str]) -> ListedGame:
    players = Pair(*(names[game.id, side] for side in Side))
    return ListedGame(game.id, game.code, catalogue.card(game.variant).name, game.state, players)


def _report(
    connection: Connection, operator: Correspondent, found: _FoundGame, public: _Details
) -> GameReport:
    seats = _seated(connection, [found.id])
    game = _listed(found, _names(seats))
    players, held = {seat.player_id for seat in seats}, stakes(connection, operator)
    is_partial = not players.isdisjoint(held.opponents)
    return GameReport(
        game=game,
        clock=clock_of(public.clock).sentence,
        rated=public.rated,
        moves=max(public.ply, 0),
        awaited=_awaited(public.turn, game),
        deadline=in_utc(public.earliest if is_partial and public.earliest else public.deadline),
        paused=in_utc(public.paused_at),
        outcome=_outcome(public),
        is_own=game.state != Stage.OVER and operator.player_id in players,
        is_partial=is_partial,
        letters=tuple(_posted(each, game) for each in _letters(connection, held, game.id)),
        decrees=moderation.entered(connection, game.id),
        number=moderation.next_number(connection, game.id),
    )


def _awaited(turn: str | None, game: ListedGame) -> str:
    """Name the side or sides that the umpire waits for."""
    if turn:
        return f"{Side(turn).called}, {game.players[Side(turn)]}"
    return sentence("admin.both_sides") if game.state == Stage.DEPLOYING else ""


def _outcome(public: _Details) -> str:
    """Word the game's result."""
    if not public.reason:
        return ""
    if public.winner:
        return sentence("admin.won", side=Side(public.winner).called, reason=public.reason)
    return sentence("admin.nobody_won", reason=public.reason)


def _letters(connection: Connection, held: Stakes, game_id: int) -> Sequence[_LetterOut]:
    """Return the emails of a game that this admin can see, newest first."""
    theirs = _LETTERS.where(held.seat(SeatRow.id))
    return rows_of(_LetterOut, connection.execute(theirs, {"game": game_id}))


def _posted(letter: _LetterOut, game: ListedGame) -> Posted:
    return Posted(game.players[Side(letter.side)], letter.kind, in_utc(letter.made_at), _became(letter))


def _became(letter: _LetterOut) -> str:
    """Word an email's delivery state."""
    if letter.sent_at:
        return sentence("admin.sent")
    return sentence("admin.given_up") if letter.dead_at else sentence("admin.not_sent")
