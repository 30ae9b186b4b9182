"""Umpires the secret deployment before the first move in some variants (most set-ups to offer: `corr/limits.py`)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import chess

from corr import limits
from corr.rules.core import announcements
from corr.rules.core.announcements import Facts
from corr.rules.core.checks import CASTLINGS
from corr.rules.core.deployed_play import DeployedReferee
from corr.rules.core.notation import KIND_NUMBERS
from corr.rules.core.setups import PlacedPieces, read_setup
from corr.rules.core.sights import make_sight
from corr.rules.core.slip_delivery import rule_aloud, rule_for_one, rule_unreadable
from corr.rules.core.umpire import BLACK, WHITE, Ruling, Truth, Umpire
from corr.words.board import SQUARES, Pair, PieceKind, Side
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.orders import Deploy, Order, SetupChoices, Step
from corr.words.slips import Fact, Losses, Outcome, Sight, Verdict
from corr.words.view import VariantInfo

VERSION = 0x53
_HEAD = struct.Struct("<BBBB")
_PIECE_KINDS = tuple(PieceKind)
_ROUNDS = 5
_ROOKS = [(each.king, each.rook) for each in CASTLINGS.values()]

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
    def board(self) -> chess.Board:
        """The board, still empty."""
        return chess.Board(None)

    @property
    def sights(self) -> Pair[Sight]:
        """What each side sees: its favourite set-up."""
        return Pair(_sight(self.choices.white, WHITE), _sight(self.choices.black, BLACK))

    @property
    def turn(self) -> Side | None:
        """The only side still to deploy; None for both."""
        white, black = self.choices.white, self.choices.black
        if self.over or not (white or black):
            return None
        return BLACK if white else WHITE


DeployingTruth: TypeAlias = SealedDeployment | Truth


@dataclass(frozen=True)
class DeploymentUmpire(Umpire[DeployingTruth]):
    """A variant with a deployment, which precedes the game that its referee umpires."""

    card: VariantInfo
    referee: DeployedReferee

    def start(self, fen: str | None = None) -> Ruling[DeployingTruth]:
        """Ask both sides to deploy, or set up a given position."""
        if fen is None:
            return rule_aloud(SealedDeployment(), Verdict.TOLD, _DEPLOY)
        return self._announce_kings(self.referee.start(fen), ())

    def judge(self, truth: DeployingTruth, side: Side, order: Order) -> Ruling[DeployingTruth]:
        """Store a side's set-up, begin play once both sides have deployed, and then umpire the game."""
        if isinstance(truth, Truth):
            if isinstance(order, Deploy | SetupChoices) and not truth.over:
                return rule_unreadable(truth, side, _TOO_LATE)
            return self.referee.judge(truth, side, order)
        if truth.over:
            return rule_for_one(truth, side, Verdict.OVER, announcements.OVER)
        try:
            return self._seal(truth, side, self._set_ups(order, side))
        except Refused as fault:
            return rule_unreadable(truth, side, str(fault))

    def is_knowably_impossible(self, truth: DeployingTruth, step: Step) -> bool:
        if not isinstance(truth, Truth):
            raise Refused(_NOT_YET_HINT)
        return self.referee.is_knowably_impossible(truth, step)

    def end(self, truth: DeployingTruth, fact: Fact, outcome: Outcome) -> Ruling[DeployingTruth]:
        """End the game for a reason off the board; before the first move, set-ups stay secret."""
        if isinstance(truth, Truth):
            return self.referee.end(truth, fact, outcome)
        return rule_aloud(replace(truth, over=True), Verdict.TOLD, fact, outcome=outcome)

    def flagged(self, truth: DeployingTruth, side: Side) -> Ruling[DeployingTruth]:
        """End the game because a side's time ran out; nobody wins if the opponent hasn't deployed."""
        if _has_no_setup(truth, side.other):
            return self.end(truth, _VOID, Outcome(None, "void"))
        return super().flagged(truth, side)

    def abandoned(self, truth: DeployingTruth, side: Side) -> Ruling[DeployingTruth]:
        """End the game without result, since a side has left it."""
        if _has_no_setup(truth, side.other):
            return self.end(truth, _VOID, Outcome(None, "void"))
        return super().abandoned(truth, side)

    def can_mate(self, truth: DeployingTruth, side: Side) -> bool:
        return not isinstance(truth, Truth) or self.referee.can_mate(truth, side)

    def possible_tries(self, sight: Sight) -> tuple[str, ...]:
        """Return every move that the side's own pieces allow, or the prepared set-ups before it has pieces."""
        if not sight.own:
            return tuple(f"deploy {prepared.name}" for prepared in self.card.setups)
        return self.referee.possible_tries(sight)

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        return self.referee.legal(board)

    def fen(self, truth: DeployingTruth) -> str:
        return self.referee.fen(truth) if isinstance(truth, Truth) else truth.board.fen()

    def pack(self, truth: DeployingTruth) -> bytes:
        return self.referee.pack(truth) if isinstance(truth, Truth) else _pack(truth)

    def restore(self, data: bytes) -> DeployingTruth:
        return _restore(data) if data[:1] == bytes([VERSION]) else self.referee.restore(data)

    def _set_ups(self, order: Order, side: Side) -> tuple[PlacedPieces, ...]:
        """Return the set-ups that an order offers, checked; Refused if it offers none."""
        match order:
            case Deploy():
                return (read_setup(order, side, self.card.setups),)
            case SetupChoices(deploys) if len(deploys) <= limits.SET_UPS:
                return tuple(read_setup(each, side, self.card.setups) for each in deploys)
            case SetupChoices():
                raise Refused(_TOO_MANY_HINT)
            case _:
                raise Refused(_NOT_YET_HINT)

    def _seal(
        self, truth: SealedDeployment, side: Side, set_ups: tuple[PlacedPieces, ...]
    ) -> Ruling[DeployingTruth]:
        """Store a side's set-ups in secret, and begin play if both sides have sent theirs."""
        sealed = replace(truth, choices=truth.choices.with_value(side, set_ups))
        said = _DEPLOYED_FACTS[side]
        if sealed.choices[side.other]:
            return self._join(sealed, said)
        if truth.choices[side]:
            return rule_for_one(sealed, side, Verdict.TOLD, said)
        return rule_aloud(sealed, Verdict.TOLD, said)

    def _join(self, sealed: SealedDeployment, fact: Fact) -> Ruling[DeployingTruth]:
        """Begin play with the first set-ups that do not clash; else let both deploy again, or give up."""
        for white, black in _pairs_by_preference(sealed.choices):
            board = _board(white, black)
            if not self._clashes(board):
                return self._announce_kings(self.referee.begin(self.referee.field.first(board)), (fact,))
        times = sealed.clashes + 1
        if times < _ROUNDS:
            return rule_aloud(SealedDeployment(clashes=times), Verdict.TOLD, fact, _CLASH)
        void = SealedDeployment(over=True, clashes=times)
        return rule_aloud(void, Verdict.TOLD, fact, _TOO_MANY_CLASHES_FACT, outcome=Outcome(None, "void"))

    def _clashes(self, board: chess.Board) -> bool:
        """Whether play can't begin here: a king is attacked, or White has no move."""
        sieges = (self.referee.field.movement.find_checks_and_pins(board, color) for color in chess.COLORS)
        return any(checkers for _, checkers, _ in sieges) or not self.referee.field.movement.can_move(board)

    def _announce_kings(self, ruling: Ruling[Truth], before: Facts) -> Ruling[DeployingTruth]:
        """Tell each side, in the first ruling, where the opponent's king is."""
        board, slips = ruling.truth.board, ruling.slips
        assert slips.white
        assert slips.black
        white, black = (
            slip._replace(facts=(*before, _king(board, slip.side.other), *slip.facts))
            for slip in (slips.white, slips.black)
        )
        return Ruling(ruling.truth, ruling.verdict, Pair(white, black), ruling.turn, ruling.outcome)


def _has_no_setup(truth: DeployingTruth, side: Side) -> bool:
    return not isinstance(truth, Truth) and not truth.choices[side]


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
            board.set_piece_at(square, chess.Piece(KIND_NUMBERS[man], color))
        for home, corner in _ROOKS:
            is_home = home == board.king(color) and chess.square_rank(home) == (0 if color else 7)
            if is_home and board.piece_at(corner) == chess.Piece(chess.ROOK, color):
                board.castling_rights |= chess.BB_SQUARES[corner]
    return board


def _king(board: chess.Board, side: Side) -> Fact:
    """Announce the square of this side's king."""
    square = board.king(side is WHITE)
    assert square is not None
    return Fact(
        Common.KING, f"{side.called}'s king stands on {SQUARES[square]}", (("square", SQUARES[square]),)
    )


def _sight(set_ups: tuple[PlacedPieces, ...], side: Side) -> Sight:
    """Return what a side sees before the first move: its favourite set-up, if it has sent one."""
    board = chess.Board(None)
    for man, square in set_ups[0] if set_ups else ():
        board.set_piece_at(square, chess.Piece(KIND_NUMBERS[man], side is WHITE))
    return make_sight(board, side, _NO_LOSSES, board.occupied)


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
