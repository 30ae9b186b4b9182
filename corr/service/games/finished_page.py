"""Builds a finished game's page and pictures: both sides' boards, the true board, and orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import Connection

from corr.game.clock import parse_clock
from corr.images import finished_game_images as pictures
from corr.mail.outward.text_board import BoardDrawing, make_board
from corr.service import catalogue
from corr.service.games import board_marks, finished, log_rows
from corr.service.players import publishing
from corr.service.players.authentication import Visitor
from corr.service.server import Server
from corr.text.messages import sentence
from corr.words.board import Pair, Side
from corr.words.replay import DisclosedOrders, Replay, Scene, SquareChanges
from corr.words.slips import Outcome, Sight, say_plainly
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
    def turning_point(self) -> int | None:
        """Return the half-move at which the page opens; None if it opens at the end."""
        return self.replay.find_turning_point(self.outcome.winner)

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
        packed = _load_slips(connection, seats)
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
        replay=_make_replay(game.variant, packed),
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


@dataclass(frozen=True, slots=True)
class SharedGame:
    """A finished game for pictures to share, with the names that strangers may read."""

    variant: str
    slips: Pair[finished.PackedSlips]
    players: Pair[str]
    winner: Side | None

    @property
    def card(self) -> VariantInfo:
        return catalogue.card(self.variant)

    @property
    def replay(self) -> Replay:
        return _make_replay(self.variant, self.slips)


def load_shared(server: Server, mark: str) -> SharedGame:
    """Load a finished game for pictures, by its public key; or raise Refused."""
    with server.store.reading() as connection:
        game = finished.find_by_mark(connection, mark)
        seats = finished.seats_of(connection, game.id)
        return SharedGame(
            game.variant,
            _load_slips(connection, seats),
            finished.names_for(connection, seats, None),
            finished.outcome_of(game).winner,
        )


@lru_cache(maxsize=32)
def draw_strip(game: SharedGame, side: Side | None) -> bytes:
    """Draw a game as small boards, as one side saw it (None: as it was); cached, as it never changes."""
    replay = game.replay
    return pictures.png(
        [replay.sight(frame.number, side) for frame in pictures.lay_out_strip(replay.last).frames]
    )


@lru_cache(maxsize=64)
def draw_moment(game: SharedGame, number: int) -> bytes:
    """Draw three boards after a half-move: what White saw, what was there, what Black saw."""
    return pictures.draw_shared(_make_frame(game, number), _make_lettering(game))


@lru_cache(maxsize=32)
def draw_film(game: SharedGame) -> bytes:
    """Draw a game as an animation of three boards."""
    frames = [_make_frame(game, number) for number in pictures.choose_steps(game.replay.last)]
    return pictures.gif(frames, _make_lettering(game))


def _make_frame(game: SharedGame, number: int) -> pictures.SharedFrame:
    scene = game.replay.scene(number)
    seen = [(scene.sights[side], scene.marked[side]) for side in Side]
    seen.insert(1, (scene.whole, scene.marks))
    boards = tuple((sight, board_marks.overlay_last_move(changes)) for sight, changes in seen)
    words = " ".join(scene.told[scene.turn][:1])  # the opponent's announcement of the move
    return pictures.SharedFrame(boards, _caption(game, number), say_plainly(words))


def _caption(game: SharedGame, number: int) -> str:
    """Return what stands below the boards: the half-move."""
    if number:
        dots = "." if number % 2 else "..."
        return f"{(number + 1) // 2}{dots} {game.replay.moves[number - 1]}"
    return sentence("pictures.deployment") if game.card.setups else sentence("pictures.start")


def _make_lettering(game: SharedGame) -> pictures.Lettering:
    """Return what stands above the boards; a name in letters that we can't draw is left out."""
    names = (pictures.spell(game.players[side]) for side in Side)
    white, black = (
        sentence("pictures.player", side=side.called, name=name) if name else side.called
        for side, name in zip(Side, names, strict=True)
    )
    heading = sentence("pictures.heading", variant=game.card.name, ending=game.replay.ending)
    return pictures.Lettering(heading, (white, sentence("pictures.whole"), black))


def _load_slips(
    connection: Connection, seats: Mapping[Side, finished.SeatedPlayer]
) -> Pair[finished.PackedSlips]:
    """Return all that both sides were told, still packed."""
    return Pair(*(finished.load_packed_slips(connection, seats[side].id) for side in Side))


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
def _make_replay(variant: str, packed: Pair[finished.PackedSlips]) -> Replay:
    """Retell a finished game move by move; cached, because its slips never change."""
    slips = Pair(*(finished.unpack_slips(side, packed[side]) for side in Side))
    return catalogue.make_replay(variant, slips)
