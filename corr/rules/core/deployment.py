"""Umpires the secret deployment that comes before the first move in some variants."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import chess

from corr.rules.core import announcements
from corr.rules.core.announcements import Facts
from corr.rules.core.deployed_play import DeployedRules
from corr.rules.core.referee import Referee
from corr.rules.core.sights import make_sight
from corr.rules.core.umpire import BLACK, WHITE, Ruling, Truth
from corr.rules.core.written_setup import PlacedPieces, read_setup
from corr.words.board import SQUARES, Pair, PieceKind, Side
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.orders import Deploy, Order, SetupChoices, Step
from corr.words.slips import Fact, Losses, Outcome, Sight, Slip, Verdict
from corr.words.view import Card

VERSION = 0x53
_HEAD = struct.Struct("<BBBB")
_PIECE_KINDS = tuple(PieceKind)
_MOST_SETUPS = 5
_ROUNDS = 5
_RIGHTS = {
    (chess.WHITE, chess.E1): (chess.A1, chess.H1),
    (chess.BLACK, chess.E8): (chess.A8, chess.H8),
}

_DEPLOY = Fact(Common.DEPLOYMENT, "Both sides deploy their men")
_DEPLOYED_FACTS = {
    side: Fact(Common.DEPLOYED, f"{side.called} has deployed", (("side", side),)) for side in Side
}
_CLASH = Fact(Common.CLASH, "The deployments clash; deploy again")
_TOO_MANY_CLASHES_FACT = Fact(Common.VOID, "The deployments have clashed five times. The game is void.")
_VOID = Fact(Common.VOID, "Neither side has deployed in time. The game is void.")
_NOT_YET_HINT = (
    'Your pieces aren\'t on the board yet. Write "deploy" and then the name of a set-up, or all your pieces.'
)
_TOO_LATE = "Your pieces are already on the board, and stay as you deployed them."
_TOO_MANY_HINT = "The umpire looks at five set-ups at most."
_NO_CHOICES: Pair[tuple[PlacedPieces, ...]] = Pair((), ())
_NO_LOSSES = Pair(Losses(0, None), Losses(0, None))


@dataclass(frozen=True, slots=True, repr=False)
class SealedDeployment:
    """What only the umpire knows before the first move: each side's set-ups, in its order of preference."""

    choices: Pair[tuple[PlacedPieces, ...]] = _NO_CHOICES
    over: bool = False
    clashes: int = 0

    def __repr__(self) -> str:
        return "<Truth before the first move>"

    @property
    def sights(self) -> Pair[Sight]:
        """What each side sees: its favourite set-up."""
        return Pair(_sight(self.choices.white, WHITE), _sight(self.choices.black, BLACK))


DeployingTruth: TypeAlias = SealedDeployment | Truth


@dataclass(frozen=True, slots=True)
class DeploymentUmpire:
    """A variant with a deployment, which precedes the game that its referee umpires."""

    referee: Referee
    field: DeployedRules

    @property
    def card(self) -> Card:
        """The variant's catalogue card."""
        return self.referee.card

    def start(self, fen: str | None = None) -> Ruling[DeployingTruth]:
        """Ask both sides to deploy, or set up a given position."""
        if fen is None:
            return _both(SealedDeployment(), (_DEPLOY,), (_DEPLOY,))
        return self._announce_kings(self.referee.start(fen), ())

    def judge(self, truth: DeployingTruth, side: Side, order: Order) -> Ruling[DeployingTruth]:
        """Seal a set-up, put the pieces on the board once both are in, and then umpire the game."""
        if isinstance(truth, Truth):
            return self._play(truth, side, order)
        if truth.over:
            return _rule_for_one(truth, side, Verdict.OVER, announcements.OVER)
        try:
            return self._seal(truth, side, self._set_ups(order, side))
        except Refused as fault:
            return _rule_for_one(truth, side, Verdict.UNREADABLE, announcements.unreadable_fact(str(fault)))

    def is_vain(self, truth: DeployingTruth, step: Step) -> bool:
        """Whether the side to move could know that a step is impossible; Refused if it is no move."""
        if not isinstance(truth, Truth):
            raise Refused(_NOT_YET_HINT)
        return self.referee.is_vain(truth, step)

    def resigned(self, truth: DeployingTruth, side: Side) -> Ruling[DeployingTruth]:
        """End the game with a win for the opponent."""
        if isinstance(truth, Truth):
            return self.referee.resigned(truth, side)
        return _rule_end(truth, announcements.resignation_fact(side), Outcome(side.other, "resignation"))

    def agreed(self, truth: DeployingTruth) -> Ruling[DeployingTruth]:
        """End the game as a draw."""
        if isinstance(truth, Truth):
            return self.referee.agreed(truth)
        return _rule_end(truth, announcements.end_fact("agreement", None), Outcome(None, "agreement"))

    def flagged(self, truth: DeployingTruth, side: Side) -> Ruling[DeployingTruth]:
        """End the game with a win for the opponent; before the first move only if the opponent has deployed."""
        if isinstance(truth, Truth):
            return self.referee.flagged(truth, side)
        if not truth.choices[side.other]:
            return _rule_end(truth, _VOID, Outcome(None, "void"))
        return _rule_end(truth, announcements.time_fact(side, draw=False), Outcome(side.other, "time"))

    def abandoned(self, truth: DeployingTruth, side: Side) -> Ruling[DeployingTruth]:
        """End the game that a side has left; before the first move, set-ups stay sealed."""
        if isinstance(truth, Truth):
            return self.referee.abandoned(truth, side)
        told = _VOID if not truth.choices[side.other] else announcements.abandoned_fact(side)
        return _rule_end(truth, told, Outcome(None, "void"))

    def left(self, truth: DeployingTruth, side: Side) -> Ruling[DeployingTruth]:
        """End the game lost for a side that left the event; set-ups of an unbegun game stay sealed."""
        if isinstance(truth, Truth):
            return self.referee.left(truth, side)
        return _rule_end(truth, announcements.left_event_fact(side), Outcome(side.other, "resignation"))

    def adjudicated(self, truth: DeployingTruth, outcome: Outcome) -> Ruling[DeployingTruth]:
        """End the game as an admin has decided; before the first move, set-ups stay sealed."""
        if isinstance(truth, Truth):
            return self.referee.adjudicated(truth, outcome)
        return _rule_end(truth, announcements.adjudication_fact(outcome), outcome)

    def options(self, sight: Sight) -> tuple[str, ...]:
        """Return every move that the side's own pieces allow, or the prepared set-ups before it has pieces."""
        if not sight.own:
            return tuple(f"deploy {prepared.name}" for prepared in self.card.setups)
        return self.referee.options(sight)

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Return every legal move on this board, a secret until the end of the game."""
        return self.referee.legal(board)

    def turn(self, truth: DeployingTruth) -> Side | None:
        """Return whose order the umpire awaits; None for both while they deploy, and for nobody after the end."""
        return self.referee.turn(truth) if isinstance(truth, Truth) else _awaited_side(truth)

    def plies(self, truth: DeployingTruth) -> int:
        """Return how many moves both sides have made."""
        return self.referee.plies(truth) if isinstance(truth, Truth) else 0

    def fen(self, truth: DeployingTruth) -> str:
        """Return the whole position as FEN; an empty board before the pieces are on it."""
        return self.referee.fen(truth) if isinstance(truth, Truth) else chess.Board(None).fen()

    def pack(self, truth: DeployingTruth) -> bytes:
        """Pack a snapshot that `restore` can read in any process."""
        return self.referee.pack(truth) if isinstance(truth, Truth) else _pack(truth)

    def restore(self, data: bytes) -> DeployingTruth:
        """Restore a snapshot; ValueError for one that this version did not write."""
        return _restore(data) if data[:1] == bytes([VERSION]) else self.referee.restore(data)

    # ------------------------------------------------------------ deployment

    def _set_ups(self, order: Order, side: Side) -> tuple[PlacedPieces, ...]:
        match order:
            case Deploy():
                return (read_setup(order, side, self.card.setups),)
            case SetupChoices(deploys) if len(deploys) <= _MOST_SETUPS:
                return tuple(read_setup(each, side, self.card.setups) for each in deploys)
            case SetupChoices():
                raise Refused(_TOO_MANY_HINT)
            case _:
                raise Refused(_NOT_YET_HINT)

    def _seal(
        self, truth: SealedDeployment, side: Side, set_ups: tuple[PlacedPieces, ...]
    ) -> Ruling[DeployingTruth]:
        sealed = replace(truth, choices=truth.choices.with_value(side, set_ups))
        said = _DEPLOYED_FACTS[side]
        if sealed.choices[side.other]:
            return self._joined(sealed, said)
        if truth.choices[side]:
            return _rule_for_one(sealed, side, Verdict.TOLD, said)
        return _both(sealed, (said,), (said,))

    def _joined(self, sealed: SealedDeployment, said: Fact) -> Ruling[DeployingTruth]:
        """Put the pieces on the board, by the first two set-ups that do not clash."""
        for white, black in _pairs_by_preference(sealed.choices):
            board = _board(white, black)
            if not self._clashes(board):
                return self._announce_kings(self.referee.begin(self.field.first(board)), (said,))
        return _rule_clash(sealed.clashes + 1, said)

    def _clashes(self, board: chess.Board) -> bool:
        attacked = (
            self.field.movement.siege(board, chess.WHITE)[1]
            | self.field.movement.siege(board, chess.BLACK)[1]
        )
        return attacked != 0 or not self.field.movement.can_move(board)

    def _announce_kings(self, ruling: Ruling[Truth], before: Facts) -> Ruling[DeployingTruth]:
        """Tell each side, in the first ruling, where the opponent's king is."""
        board, slips = ruling.truth.board, ruling.slips
        assert slips.white
        assert slips.black
        white, black = (
            Slip(slip.side, (*before, _king(board, slip.side.other), *slip.facts), slip.sight)
            for slip in (slips.white, slips.black)
        )
        return Ruling(ruling.truth, ruling.verdict, Pair(white, black), ruling.turn, ruling.outcome)

    def _play(self, truth: Truth, side: Side, order: Order) -> Ruling[DeployingTruth]:
        if isinstance(order, Deploy | SetupChoices) and not truth.over:
            slip = Slip(side, (announcements.unreadable_fact(_TOO_LATE),), truth.sights[side])
            return Ruling(truth, Verdict.UNREADABLE, _slip_for_one(slip), self.referee.turn(truth))
        return self.referee.judge(truth, side, order)


def _pairs_by_preference(
    choices: Pair[tuple[PlacedPieces, ...]],
) -> Iterator[tuple[PlacedPieces, PlacedPieces]]:
    """Yield pairs of set-ups in the order 1-1, 1-2, 2-1, 2-2, 1-3, 3-1, 2-3, 3-2, 3-3 and so on, White's first."""
    pairs = [
        (max(mine, theirs), min(mine, theirs), mine > theirs, white, black)
        for mine, white in enumerate(choices.white)
        for theirs, black in enumerate(choices.black)
    ]
    yield from ((white, black) for *_, white, black in sorted(pairs, key=lambda pair: pair[:3]))


def _board(white: PlacedPieces, black: PlacedPieces) -> chess.Board:
    """Put both sides' pieces on the board; king and rook on their usual squares may castle."""
    board = chess.Board(None)
    for color, men in ((chess.WHITE, white), (chess.BLACK, black)):
        for man, square in men:
            board.set_piece_at(square, chess.Piece(_PIECE_KINDS.index(man) + 1, color))
        king = board.king(color)
        assert king is not None
        for corner in _RIGHTS.get((color, king), ()):
            if board.piece_at(corner) == chess.Piece(chess.ROOK, color):
                board.castling_rights |= chess.BB_SQUARES[corner]
    return board


def _king(board: chess.Board, side: Side) -> Fact:
    square = board.king(side is WHITE)
    assert square is not None
    return Fact(
        Common.KING, f"{side.called}'s king stands on {SQUARES[square]}", (("square", SQUARES[square]),)
    )


def _awaited_side(truth: SealedDeployment) -> Side | None:
    white, black = truth.choices.white, truth.choices.black
    if truth.over or not (white or black):
        return None
    return BLACK if white else WHITE


def _sight(set_ups: tuple[PlacedPieces, ...], side: Side) -> Sight:
    board = chess.Board(None)
    for man, square in set_ups[0] if set_ups else ():
        board.set_piece_at(square, chess.Piece(_PIECE_KINDS.index(man) + 1, side is WHITE))
    return make_sight(board, side, _NO_LOSSES, board.occupied)


# ---------------------------------------------------------------- delivery of slips


def _both(
    truth: SealedDeployment, white: Facts, black: Facts, outcome: Outcome | None = None
) -> Ruling[DeployingTruth]:
    slips: Pair[Slip | None] = Pair(
        Slip(WHITE, white, truth.sights.white), Slip(BLACK, black, truth.sights.black)
    )
    return Ruling(truth, Verdict.TOLD, slips, _awaited_side(truth), outcome)


def _rule_for_one(
    truth: SealedDeployment, side: Side, verdict: Verdict, fact: Fact
) -> Ruling[DeployingTruth]:
    return Ruling(
        truth, verdict, _slip_for_one(Slip(side, (fact,), truth.sights[side])), _awaited_side(truth)
    )


def _slip_for_one(slip: Slip) -> Pair[Slip | None]:
    nobody: Pair[Slip | None] = Pair(None, None)
    return nobody.with_value(slip.side, slip)


def _rule_clash(times: int, said: Fact) -> Ruling[DeployingTruth]:
    """Let both sides deploy again without revealing set-ups; after the last round the game is void."""
    if times < _ROUNDS:
        return _both(SealedDeployment(clashes=times), (said, _CLASH), (said, _CLASH))
    told = (said, _TOO_MANY_CLASHES_FACT)
    return _both(SealedDeployment(over=True, clashes=times), told, told, Outcome(None, "void"))


def _rule_end(truth: SealedDeployment, fact: Fact, outcome: Outcome) -> Ruling[DeployingTruth]:
    """End the game before the first move; set-ups stay sealed."""
    return _both(replace(truth, over=True), (fact,), (fact,), outcome)


# ---------------------------------------------------------------- snapshots


def _pack(truth: SealedDeployment) -> bytes:
    white, black = truth.choices.white, truth.choices.black
    head = _HEAD.pack(VERSION, truth.over | truth.clashes << 1, len(white), len(black))
    men = (man for set_up in (*white, *black) for man in set_up)
    return head + b"".join(bytes((_PIECE_KINDS.index(man), square)) for man, square in men)


def _restore(data: bytes) -> SealedDeployment:
    _, stage, white, black = _HEAD.unpack_from(data)
    men = [(_PIECE_KINDS[data[at]], data[at + 1]) for at in range(_HEAD.size, len(data), 2)]
    set_ups = [tuple(men[at : at + 16]) for at in range(0, len(men), 16)]
    choices = Pair(tuple(set_ups[:white]), tuple(set_ups[white : white + black]))
    return SealedDeployment(choices, over=bool(stage & 1), clashes=stage >> 1)
