"""Builds the page of a finished game: the truth from three sides, and what a player wrote.

The template `templates/en/web/finished.html` draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from corr import game_images as pictures
from corr.game.clock import clock_of
from corr.mail.outward.board import Board, board
from corr.service import catalogue
from corr.service.games import finished, log
from corr.service.house import House
from corr.service.players import publishing
from corr.service.players.authentication import Visitor
from corr.words.board import Pair, Side
from corr.words.slips import Outcome, Sight
from corr.words.view import Card, Disclosed, Replay, Scene, Touched, Try


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """A finished game: its players, its moves, and the orders that the visitor may read."""

    code: str
    card: Card
    players: Pair[str]
    outcome: Outcome
    begun: str
    clock: str
    replay: Replay
    disclosed: Pair[Disclosed]
    own: Mapping[
        Side, Mapping[int, tuple[Try, ...]]
    ]  # by the visitor's own sides: orders that nobody else may read
    asks: bool  # whether the visitor played it and has not said yet if such games may be published

    @property
    def film(self) -> pictures.Strip:
        """Lay out the strip of small boards."""
        return pictures.laid_out(self.replay.last)

    @property
    def you(self) -> Side | None:
        """Return the visitor's side, if they played exactly one."""
        return next(iter(self.own)) if len(self.own) == 1 else None


def of_mark(house: House, mark: str, visitor: Visitor | None) -> FinishedPage:
    """Return the finished game's page for anybody who has its mark; else Refused."""
    player_id = visitor.who.player_id if visitor else None
    with house.store.reading() as connection:
        game = finished.shared(connection, mark)
        seats = finished.seats_of(connection, game.id)
        handed = Pair(*(finished.handed(connection, seats[side].id) for side in Side))
        begun = finished.begun(connection, seats.values())
        own = [side for side, seat in seats.items() if seat.player_id == player_id]
        logs = {
            side: log.of_seat(connection, seat.id, whole=seat.tells_tries or side in own)
            for side, seat in seats.items()
        }
        names = finished.names_for(connection, seats, visitor)
        asks = bool(player_id and own and publishing.is_unanswered(connection, player_id))
    tells = {side: seat.tells_tries for side, seat in seats.items()}
    return FinishedPage(
        code=game.code,
        card=catalogue.card(game.variant),
        players=names,
        outcome=finished.outcome_of(game),
        begun=begun.strftime("%-d %B %Y") if begun else "",
        clock=clock_of(game.clock).sentence,
        replay=_replayed(game.variant, handed),
        disclosed=Pair(*(log.disclosed(logs[side], tells_tries=tells[side]) for side in Side)),
        own={side: log.kept_back(logs[side], tells_tries=tells[side]) for side in own},
        asks=asks,
    )


@dataclass(frozen=True, slots=True)
class View:
    """A scene's board, as a side saw it or as it really was."""

    sight: Sight
    board: Board
    marks: Touched


class Film(StrEnum):
    """The image formats in which a game is shared."""

    PNG = "png"
    GIF = "gif"


def film(house: House, mark: str, side: Side | None, kind: Film) -> bytes:
    """Draw a finished game as a side saw it, or as it was; else Refused."""
    return _filmed(*_kept(house, mark), side, kind)


def replay(house: House, mark: str) -> tuple[Card, Replay]:
    """Return a finished game move by move, without what its players wrote; else Refused."""
    variant, handed = _kept(house, mark)
    return catalogue.card(variant), _replayed(variant, handed)


def _kept(house: House, mark: str) -> tuple[str, Pair[finished.PackedSlips]]:
    """Return a game's variant and both sides' slips."""
    with house.store.reading() as connection:
        game = finished.shared(connection, mark)
        seats = finished.seats_of(connection, game.id)
        return game.variant, Pair(*(finished.handed(connection, seats[side].id) for side in Side))


@lru_cache(maxsize=32)
def _filmed(variant: str, handed: Pair[finished.PackedSlips], side: Side | None, kind: Film) -> bytes:
    """Draw a picture once: a finished game never changes."""
    replay = _replayed(variant, handed)
    if kind is Film.GIF:
        return pictures.gif([replay.sight(number, side) for number in pictures.moving(replay.last)])
    return pictures.png([replay.sight(frame.number, side) for frame in pictures.laid_out(replay.last).frames])


def drawn(scene: Scene, side: Side | None, below: Side) -> View:
    """Draw a scene as a side saw it, or as it was, from one side."""
    if side:
        return shown(scene.sights[side], scene.marked[side], below)
    return shown(scene.whole, scene.marks, below)


def shown(sight: Sight, marks: Touched, below: Side) -> View:
    """Draw a board with one side's own rows below."""
    seen = board(sight)
    return View(sight, seen if sight.side is below else seen.turned, marks)


@lru_cache(maxsize=16)
def _replayed(variant: str, handed: Pair[finished.PackedSlips]) -> Replay:
    """Cache a replay by its slips, which never change, so that it never goes stale."""
    slips = Pair(*(finished.unpacked(side, handed[side]) for side in Side))
    return catalogue.replayed(variant, slips)
