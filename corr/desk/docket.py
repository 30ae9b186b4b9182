"""What an operator may read of a game: what is public about it, and nothing that the umpire tells one side alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, select

from corr.desk import catalogue, decrees
from corr.desk.correspondents import Correspondent
from corr.desk.decrees import Entered
from corr.desk.house import House
from corr.desk.likeness import looks
from corr.desk.moments import in_utc
from corr.desk.stakes import Stakes, stakes
from corr.game.clock import clock_of
from corr.sentences import sentence
from corr.store.tables import Game, OutboxRow, Player, SeatRow
from corr.words import Pair, Refused, Side

_MOST = 50
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list."""

    id: int
    code: str
    variant: str
    state: str
    players: Pair[str]


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter that tells what both know: to whom, of what kind, when it was made, what became of it."""

    to: str
    kind: str
    when: str
    state: str


@dataclass(frozen=True, slots=True)
class Docket:
    """A game as an operator reads it."""

    game: Listed
    clock: str
    rated: bool
    moves: int
    awaited: str
    deadline: str
    paused: str
    outcome: str
    is_own: bool  # the operator plays it too, and it is not over
    is_partial: bool  # letters of an opponent of the operator's, and when it heard of its turn, are left out
    letters: tuple[Posted, ...]
    decrees: tuple[Entered, ...]
    number: int  # of the next decree


def docket(house: House, operator: Correspondent, code: str) -> Docket:
    """A game by its code; Refused where there is none."""
    with house.store.reading() as connection:
        row = connection.execute(_GAMES.where(Game.code == _plain(code))).one_or_none()
        if row is None:
            raise Refused(sentence("admin.no_game"))
        return _docket(connection, operator, row)


def search(house: House, text: str) -> tuple[Listed, ...]:
    """The games of a code, and those of the players whose names are like what was typed; the newest first."""
    like = looks(text[:_LONGEST])
    played = select(SeatRow.game_id).join(Player, Player.id == SeatRow.player_id)
    played = played.where(Player.name_key.contains(like, autoescape=True))
    named = (Game.code == _plain(text)) | (Game.id.in_(played) if like else Game.id.is_(None))
    with house.store.reading() as connection:
        found = connection.execute(select(Game.id).where(named).order_by(Game.id.desc()).limit(_MOST))
        ids = found.scalars().all()
        return tuple(sorted(listed(connection, ids), key=lambda each: ids.index(each.id)))


def listed(connection: Connection, ids: Sequence[int]) -> tuple[Listed, ...]:
    """Games by their ids, in the order of their codes."""
    rows = connection.execute(_GAMES.where(Game.id.in_(ids)).order_by(Game.code)).all()
    names = _names(connection, ids)
    return tuple(_listed(row, names) for row in rows)


Found = Row[*tuple[Any, ...]]

_GAMES: Select[Any] = select(Game.__table__)
_SEATS = (
    select(SeatRow.game_id, SeatRow.side, SeatRow.player_id, Player.name)
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.game_id.in_(bindparam("games", expanding=True)))
)
#: An answer is left out: that there is one tells that its reader has written, and what was tried in vain.
_LETTERS = (
    select(SeatRow.side, OutboxRow.kind, OutboxRow.made_at, OutboxRow.sent_at, OutboxRow.dead_at)
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .where(SeatRow.game_id == bindparam("game"), OutboxRow.kind != "answer")
    .order_by(OutboxRow.made_at.desc(), SeatRow.side)
    .limit(_MOST)
)


def _plain(code: str) -> str:
    """A code as it may be asked for; what can be none is no game's."""
    text = code.strip().lower()[:_LONGEST]
    return text if text.isalnum() else ""


def _names(connection: Connection, ids: Sequence[int]) -> dict[tuple[int, str], str]:
    return {(row.game_id, row.side): row.name for row in connection.execute(_SEATS, {"games": list(ids)})}


def _listed(row: Found, names: dict[tuple[int, str], str]) -> Listed:
    players = Pair(*(names[row.id, side] for side in Side))
    return Listed(row.id, row.code, catalogue.card(row.variant).name, row.state, players)


def _docket(connection: Connection, operator: Correspondent, row: Found) -> Docket:
    seats = connection.execute(_SEATS, {"games": [row.id]}).all()
    game = _listed(row, {(row.id, seat.side): seat.name for seat in seats})
    seated, held = {seat.player_id for seat in seats}, stakes(connection, operator)
    is_partial = not seated.isdisjoint(held.opponents)
    return Docket(
        game=game,
        clock=clock_of(row.clock).sentence,
        rated=row.rated,
        moves=max(row.ply, 0),
        awaited=_awaited(row, game),
        deadline=in_utc(row.earliest if is_partial and row.earliest else row.deadline),
        paused=in_utc(row.paused_at),
        outcome=_outcome(row),
        is_own=row.state != "over" and operator.player_id in seated,
        is_partial=is_partial,
        letters=tuple(_posted(each, game) for each in _letters(connection, held, row.id)),
        decrees=decrees.entered(connection, row.id),
        number=decrees.next_number(connection, row.id),
    )


def _awaited(row: Found, game: Listed) -> str:
    """For whom the umpire waits."""
    if row.turn:
        return f"{Side(row.turn).called}, {game.players[Side(row.turn)]}"
    return sentence("admin.both_sides") if row.state == "deploying" else ""


def _outcome(row: Found) -> str:
    """How a game has ended."""
    if not row.reason:
        return ""
    if row.winner:
        return sentence("admin.won", side=Side(row.winner).called, reason=row.reason)
    return sentence("admin.nobody_won", reason=row.reason)


def _letters(connection: Connection, held: Stakes, game_id: int) -> Sequence[Found]:
    """The letters of a game that this operator may look at, the newest first."""
    return connection.execute(_LETTERS.where(held.seat(SeatRow.id)), {"game": game_id}).all()


def _posted(row: Found, game: Listed) -> Posted:
    return Posted(game.players[Side(row.side)], row.kind, in_utc(row.made_at), _became(row))


def _became(row: Found) -> str:
    """What became of a letter."""
    if row.sent_at:
        return sentence("admin.sent")
    return sentence("admin.given_up") if row.dead_at else sentence("admin.not_sent")
