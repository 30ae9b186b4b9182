"""Builds a finished game's page and pictures: both sides' boards, the true board, and orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from corr.game.clock import parse_clock
from corr.images import game_images as pictures
from corr.mail.outward.board import BoardDrawing, make_board
from corr.service import catalogue
from corr.service.games import finished, log_rows
from corr.service.players import publishing
from corr.service.players.authentication import Visitor
from corr.service.server import Server
from corr.words.board import Pair, Side
from corr.words.replay import DisclosedOrders, Replay, Scene, SquareChanges
from corr.words.slips import Outcome, Sight
from corr.words.view import Try, VariantInfo


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """A finished game for `templates/en/web/finished.html`, with the orders that the visitor may read."""

    code: str
    card: VariantInfo
    players: Pair[str]
    outcome: Outcome
    begun: str
    clock: str
    replay: Replay
    disclosed: Pair[DisclosedOrders]
    own: Mapping[
        Side, Mapping[int, tuple[Try, ...]]
    ]  # by the visitor's own sides: orders that nobody else may read
    asks: bool  # whether the visitor played it and has not said yet if such games may be published

    @property
    def film(self) -> pictures.StripLayout:
        """Lay out the page's strip of small boards, evenly spread over the game."""
        return pictures.lay_out_strip(self.replay.last)

    @property
    def you(self) -> Side | None:
        """Return the visitor's side; None if they played neither, or both."""
        return next(iter(self.own)) if len(self.own) == 1 else None


def load_page(server: Server, mark: str, visitor: Visitor | None) -> FinishedPage:
    """Build a finished game's page, by the key in its public address; else raise Refused."""
    player_id = visitor.who.player_id if visitor else None
    with server.store.reading() as connection:
        game = finished.find_by_mark(connection, mark)
        seats = finished.seats_of(connection, game.id)
        handed = Pair(*(finished.load_packed_slips(connection, seats[side].id) for side in Side))
        begun = finished.find_start(connection, seats.values())
        own = [side for side, seat in seats.items() if seat.player_id == player_id]
        logs = {
            side: log_rows.load_orders(connection, seat.id, whole=seat.tells_tries or side in own)
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
        clock=parse_clock(game.clock).sentence,
        replay=_make_replay(game.variant, handed),
        disclosed=Pair(*(log_rows.list_disclosed(logs[side], tells_tries=tells[side]) for side in Side)),
        own={side: log_rows.list_undisclosed(logs[side], tells_tries=tells[side]) for side in own},
        asks=asks,
    )


@dataclass(frozen=True, slots=True)
class SceneView:
    """The board after one half-move, as a side saw it or as it really was."""

    sight: Sight
    board: BoardDrawing
    marks: SquareChanges


class ImageFormat(StrEnum):
    PNG = "png"
    GIF = "gif"


def draw_game(server: Server, mark: str, side: Side | None, kind: ImageFormat) -> bytes:
    """Draw a finished game as one side saw it (None: as it was); raise Refused for unknown keys."""
    return _draw_cached(*_load_slips(server, mark), side, kind)


def replay(server: Server, mark: str) -> tuple[VariantInfo, Replay]:
    """Return a finished game's variant and moves, but not its players' orders; or raise Refused."""
    variant, handed = _load_slips(server, mark)
    return catalogue.card(variant), _make_replay(variant, handed)


def _load_slips(server: Server, mark: str) -> tuple[str, Pair[finished.PackedSlips]]:
    """Return a finished game's variant and all that both sides were told, still packed."""
    with server.store.reading() as connection:
        game = finished.find_by_mark(connection, mark)
        seats = finished.seats_of(connection, game.id)
        return game.variant, Pair(*(finished.load_packed_slips(connection, seats[side].id) for side in Side))


@lru_cache(maxsize=32)
def _draw_cached(
    variant: str, handed: Pair[finished.PackedSlips], side: Side | None, kind: ImageFormat
) -> bytes:
    """Draw a finished game's picture; cached, because the game never changes."""
    replay = _make_replay(variant, handed)
    if kind is ImageFormat.GIF:
        return pictures.gif([replay.sight(number, side) for number in pictures.choose_gif_steps(replay.last)])
    return pictures.png(
        [replay.sight(frame.number, side) for frame in pictures.lay_out_strip(replay.last).frames]
    )


def view_scene(scene: Scene, side: Side | None, below: Side) -> SceneView:
    """Prepare the board after a half-move, as a side saw it (None: as it was)."""
    if side:
        return view_board(scene.sights[side], scene.marked[side], below)
    return view_board(scene.whole, scene.marks, below)


def view_board(sight: Sight, marks: SquareChanges, below: Side) -> SceneView:
    """Prepare a board for the page, with one side's own rows at the bottom."""
    seen = make_board(sight)
    return SceneView(sight, seen if sight.side is below else seen.turned, marks)


@lru_cache(maxsize=16)
def _make_replay(variant: str, handed: Pair[finished.PackedSlips]) -> Replay:
    """Retell a finished game move by move; cached, because its slips never change."""
    slips = Pair(*(finished.unpack_slips(side, handed[side]) for side in Side))
    return catalogue.make_replay(variant, slips)
