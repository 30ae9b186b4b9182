"""Replays a finished game move by move: the true board, what each side saw, and its possible moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import chess

from corr.rules.core.sights import make_sight
from corr.rules.core.umpire import SIDES, Umpire
from corr.rules.retold import boards, score, square_changes
from corr.rules.retold.analysis import analyse_line
from corr.rules.retold.public_slips import RetoldGame, retell
from corr.words.board import SQUARE_NUMBER, Pair, Side
from corr.words.codes import Common
from corr.words.slips import Sight, Slip
from corr.words.view import Analysis, Replay, Scene, SquareChanges


def build_replay(umpire: Umpire[Any], slips: Pair[tuple[Slip, ...]]) -> Replay:
    """Build the replay from both sides' slips; Refused if the pieces were never on the board."""
    game = retell(slips)
    board = boards.build_first_board(umpire.card, game)
    positions, moves = [board.copy(stack=False)], []
    for move in boards.play_moves(umpire.card, board, game):
        moves.append(move)
        positions.append(board.copy(stack=False))
    scenes = _Scenes(umpire, game, tuple(positions))
    return Replay(
        clashes=sum(slip.tells(Common.CLASH) for slip in slips.white),
        moves=tuple(moves),
        scores=Pair(_score(slips.white), _score(slips.black)),
        ending=game.ending,
        scene=scenes.scene,
        sight=scenes.sight,
        analysed=scenes.analysed,
    )


def _score(slips: tuple[Slip, ...]) -> tuple[str, ...]:
    return tuple(move for _, move in score.moves(slips))


@dataclass(frozen=True, slots=True)
class _Scenes:
    """The scenes of one game, each built when it is viewed."""

    umpire: Umpire[Any]
    game: RetoldGame
    positions: tuple[chess.Board, ...]

    def scene(self, number: int) -> Scene:
        board, game = self.positions[number], self.game
        return Scene(
            turn=SIDES[board.turn],
            fen=board.fen(),
            whole=self.sight(number, None),
            marks=self._changes_at(number),
            sights=Pair(*(self.sight(number, side) for side in Side)),
            marked=Pair(*(square_changes.changes_as_told(game, number, side) for side in Side)),
            said=game.comments(number),
            told=Pair(*(game.told(number, side) for side in Side)),
            legal=Pair(*(self.umpire.legal(_with_side_to_move(board, side)) for side in Side)),
        )

    def sight(self, number: int, side: Side | None) -> Sight:
        board = self.positions[number]
        sights = Pair(*(self.game.turns[each][number][0].sight for each in Side))
        return self._seen(board, sights[side], number) if side else _full_sight(board, sights)

    def analysed(self, number: int, line: tuple[str, ...]) -> Analysis:
        return analyse_line(self.umpire, self.positions[number], line)

    def _changes_at(self, number: int) -> SquareChanges:
        if not number:
            return SquareChanges()
        return square_changes.changes_in_truth(
            self.game, number, self.positions[number - 1], self.positions[number]
        )

    def _seen(self, board: chess.Board, sight: Sight, number: int) -> Sight:
        """Return what a side saw after the half-move, and by a sense before the next."""
        _, *later = self.game.turns[sight.side][number]
        window = _sensed_mask(later)
        if not window:
            return sight
        seen = make_sight(board, sight.side, sight.lost, sight.own | window, sight.reserves, turn=sight.turn)
        return seen._replace(recalled=sight.recalled)


def _full_sight(board: chess.Board, sights: Pair[Sight]) -> Sight:
    lost = Pair(*(sights[side].lost[side] for side in Side))
    return make_sight(board, Side.WHITE, lost, chess.BB_ALL, sights.white.reserves)


def _sensed_mask(slips: list[Slip]) -> int:
    names = (name for slip in slips for fact in slip.facts if fact.shown for name, _ in fact.shown.on)
    return sum(1 << SQUARE_NUMBER[name] for name in names)


def _with_side_to_move(board: chess.Board, side: Side) -> chess.Board:
    """Return the same position with this side to move, and no en passant if it is out of turn."""
    if SIDES[board.turn] is side:
        return board
    turned = board.copy(stack=False)
    turned.turn, turned.ep_square = side is Side.WHITE, None
    return turned
