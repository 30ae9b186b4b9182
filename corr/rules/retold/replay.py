"""Replays a finished game move by move: the true board, what each side saw, and its possible moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import chess
from chess.variant import CrazyhouseBoard

from corr.rules.core.crazyhouse import sort_reserve
from corr.rules.core.rbc_truth import sensed_mask
from corr.rules.core.sights import make_sight
from corr.rules.core.umpire import SIDES, Umpire
from corr.rules.retold import boards, score
from corr.rules.retold.retold_game import RetoldGame, retell
from corr.words.board import SQUARE_NUMBER, Pair, Side
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.replay import Analysis, Replay, Scene, SquareChanges
from corr.words.slips import Losses, Sight, Slip
from corr.words.view import VariantInfo

_SQUARE = re.compile("[a-h][1-8]")
#: What the pieces are worth when a game's turning point is looked for.
_VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def changes_as_told(game: RetoldGame, number: int, side: Side) -> SquareChanges:
    """Return the squares to highlight after a half-move, by what this side was told of it."""
    if not number:
        return SquareChanges()
    slip, is_mover = game.turns[side][number][0], game.movers[number] is side
    told = (fact["square"] for fact in slip.facts if fact.code == Common.CAPTURE)
    is_checked = slip.tells(Common.CHECK) and not is_mover
    return SquareChanges(
        moved=_squares(game.made(number)) if is_mover else (),
        taken=tuple(str(square) for square in told if square),
        checked=_square_names(slip.sight.own & slip.sight.kings) if is_checked else (),
        kinds=_kinds(slip) if is_checked else (),
    )


def changes_in_truth(game: RetoldGame, number: int, before: chess.Board, after: chess.Board) -> SquareChanges:
    """Return the squares to highlight after a half-move, by the true boards before and after."""
    is_check = game.turns[game.movers[number].other][number][0].tells(Common.CHECK)
    return changes_by_move(game.made(number), before, after, is_check=is_check)


def changes_by_move(
    move: object, before: chess.Board, after: chess.Board, *, is_check: bool
) -> SquareChanges:
    """Return the squares to highlight after a move, from the boards before and after it."""
    color = not before.turn
    return SquareChanges(
        moved=_squares(move),
        taken=_square_names(before.occupied_co[color] & ~after.occupied_co[color]),
        checked=_square_names(after.pieces_mask(chess.KING, color)) if is_check else (),
        between=_check_lines(after, color) if is_check else (),
    )


def _squares(move: object) -> tuple[str, ...]:
    """Return the names of the squares in a move."""
    return tuple(_SQUARE.findall(str(move)))


def _kinds(slip: Slip) -> tuple[str, ...]:
    """Return the kinds of check that a slip announces."""
    told = (fact["kinds"] for fact in slip.facts if fact.code == Common.CHECK)
    return tuple(kind for kinds in told if isinstance(kinds, tuple) for kind in kinds)


def _check_lines(board: chess.Board, color: chess.Color) -> tuple[tuple[str, ...], ...]:
    """Return the squares between a king and each distant piece that checks him."""
    king = board.king(color)
    if king is None:
        return ()
    found = (chess.SquareSet.between(king, checker) for checker in board.attackers(not color, king))
    return tuple(
        tuple(
            chess.square_name(each)
            for each in sorted(squares, key=lambda one: chess.square_distance(king, one))
        )
        for squares in found
        if squares
    )


def _square_names(mask: int) -> tuple[str, ...]:
    return tuple(map(chess.square_name, chess.scan_forward(mask)))


def analyse_line(umpire: Umpire[Any], start: chess.Board, line: tuple[str, ...]) -> Analysis:
    """Return the position after further moves from a board; Refused if one is illegal."""
    board, before, written = start.copy(stack=False), start, list[str]()
    for move in line:
        if move not in _legal(umpire, board):
            raise Refused(f"{move} isn't possible here.")
        before = board.copy(stack=False)
        written.append(boards.play_move(umpire.card, board, move))
    return Analysis(
        turn=SIDES[board.turn],
        fen=board.fen(),
        whole=make_sight(board, Side.WHITE, Pair(Losses(), Losses()), chess.BB_ALL, _reserves(board)),
        marks=_marks(umpire, before, board, line),
        moves=tuple(written),
        legal=_legal(umpire, board),
    )


def _legal(umpire: Umpire[Any], board: chess.Board) -> tuple[str, ...]:
    """Return the legal moves of the side to move; none once a king is gone."""
    kings = (board.pieces_mask(chess.KING, color) for color in chess.COLORS)
    return tuple(umpire.legal(board)) if all(kings) else ()


def _marks(
    umpire: Umpire[Any], before: chess.Board, board: chess.Board, line: tuple[str, ...]
) -> SquareChanges:
    """Return the squares to highlight after the last move of an analysed line."""
    if not line:
        return SquareChanges()
    is_check = bool(umpire.card.chess) and board.is_check()
    return changes_by_move(line[-1], before, board, is_check=is_check)


def _reserves(board: chess.Board) -> Pair[str] | None:
    if not isinstance(board, CrazyhouseBoard):
        return None
    white, black = str(board.pockets[chess.WHITE]), str(board.pockets[chess.BLACK])
    return Pair(sort_reserve(white.upper()), sort_reserve(black.lower()))


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
        material=tuple(map(_balance, positions)),
    )


def _balance(board: chess.Board) -> int:
    """Return the value of White's pieces less Black's, with their reserves."""
    reserves = _reserves(board)
    held = reserves.white + reserves.black if reserves else ""
    pieces = (*board.piece_map().values(), *map(chess.Piece.from_symbol, held))
    return sum(_VALUES.get(man.piece_type, 0) * (1 if man.color else -1) for man in pieces)


def _score(slips: tuple[Slip, ...]) -> tuple[str, ...]:
    """Return the moves of both sides as one side's slips show them."""
    return tuple(move for _, move in score.moves(slips))


@dataclass(frozen=True, slots=True)
class _Scenes:
    """The scenes of one game, each built when it is viewed."""

    umpire: Umpire[Any]
    game: RetoldGame
    positions: tuple[chess.Board, ...]

    def scene(self, number: int) -> Scene:
        """Describe the game after this many half-moves: the board, both views, and what was said."""
        board, game = self.positions[number], self.game
        return Scene(
            turn=SIDES[board.turn],
            fen=board.fen(),
            whole=self.sight(number, None),
            marks=self._changes_at(number),
            sights=Pair(*(self.sight(number, side) for side in Side)),
            marked=Pair(*(changes_as_told(game, number, side) for side in Side)),
            said=game.comments(number),
            told=Pair(*(game.told(number, side) for side in Side)),
            legal=Pair(*(self.umpire.legal(_with_side_to_move(board, side)) for side in Side)),
        )

    def sight(self, number: int, side: Side | None) -> Sight:
        """Return what a side saw after this many half-moves; None for the whole board."""
        board = self.positions[number]
        sights = Pair(*(self.game.turns[each][number][0].sight for each in Side))
        return self._seen(board, sights[side], number) if side else _full_sight(board, sights)

    def analysed(self, number: int, line: tuple[str, ...]) -> Analysis:
        return analyse_line(self.umpire, self.positions[number], line)

    def _changes_at(self, number: int) -> SquareChanges:
        if not number:
            return SquareChanges()
        return changes_in_truth(self.game, number, self.positions[number - 1], self.positions[number])

    def _seen(self, board: chess.Board, sight: Sight, number: int) -> Sight:
        """Return what a side saw after the half-move, and by a sense before the next."""
        _, *later = self.game.turns[sight.side][number]
        window = _mask_of_shown_squares(later)
        if not window:
            return sight
        seen = make_sight(board, sight.side, sight.lost, sight.own | window, sight.reserves, turn=sight.turn)
        return seen._replace(recalled=sight.recalled)


def _full_sight(board: chess.Board, sights: Pair[Sight]) -> Sight:
    lost = Pair(*(sights[side].lost[side] for side in Side))
    return make_sight(board, Side.WHITE, lost, chess.BB_ALL, sights.white.reserves)


def _mask_of_shown_squares(slips: list[Slip]) -> int:
    """Return the squares that these slips showed, as a bitboard."""
    names = (name for slip in slips for fact in slip.facts if fact.shown for name, _ in fact.shown.on)
    return sum(1 << SQUARE_NUMBER[name] for name in names)


def _with_side_to_move(board: chess.Board, side: Side) -> chess.Board:
    """Return the same position with this side to move, and no en passant if it is out of turn."""
    if SIDES[board.turn] is side:
        return board
    turned = board.copy(stack=False)
    turned.turn, turned.ep_square = side is Side.WHITE, None
    return turned


_CENTRES = {sensed_mask(square): square for square in range(64)} | {0: None}


class SenseResult(NamedTuple):
    """A sense: its square, if it had one, and what it showed, as FEN letters."""

    square: int | None
    shown: tuple[tuple[int, str], ...]


class MoveResult(NamedTuple):
    """A requested move or pass, what became of it, where a piece was captured, and the boards around it."""

    asked: str
    made: str | None
    taken: int | None
    before: str
    after: str


class RbcTurns(NamedTuple):
    """The senses and moves of one side in order; after its last sense a side may not have moved."""

    senses: tuple[SenseResult, ...]
    moves: tuple[MoveResult, ...]


def extract_turns(card: VariantInfo, slips: Pair[tuple[Slip, ...]]) -> Pair[RbcTurns]:
    """Return both sides' senses and moves in a game of Reconnaissance Blind Chess, or raise Refused."""
    game = retell(slips)
    board, moves = boards.build_first_board(card, game), {side: list[MoveResult]() for side in Side}
    for number in range(1, len(game.movers)):
        mover, before = game.movers[number], _fen(board)
        boards.play_move(card, board, game.made(number))
        moves[mover].append(_read_move_result(game.turns[mover][number][0], before, _fen(board)))
    return Pair(
        *(RbcTurns(tuple(filter(None, map(find_sense, slips[side]))), tuple(moves[side])) for side in Side)
    )


def find_sense(slip: Slip) -> SenseResult | None:
    fact = slip.find(Common.SENSED)
    if fact is None or fact.shown is None:
        return None
    shown = {SQUARE_NUMBER[name]: letter for name, letter in fact.shown.on}
    return SenseResult(_CENTRES[sum(1 << square for square in shown)], tuple(shown.items()))


def find_capture(slip: Slip) -> int | None:
    """Return the square of the capture that a slip announces; None if there is none."""
    fact = slip.find(Common.CAPTURE)
    return None if fact is None else SQUARE_NUMBER[str(fact["square"])]


def _read_move_result(slip: Slip, before: str, after: str) -> MoveResult:
    told = slip.find(Common.TAKEN)
    assert told
    made = told["move"]
    return MoveResult(
        str(told["asked"]), None if made is None else str(made), find_capture(slip), before, after
    )


def _fen(board: chess.Board) -> str:
    return board.fen(en_passant="fen")
