"""Guesses which of the moves that a side's own pieces allow a text may mean, for proposals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from corr.orders.line_parser import parse_line
from corr.orders.other_notations import NotatedMove, parse_notation
from corr.orders.scanner import lower
from corr.orders.unclear_lines import find_castling
from corr.words.board import SQUARES, PieceKind
from corr.words.orders import Ask, Castle, Move, Order, Sense, StandingOrders, Step, Tries
from corr.words.slips import Sight
from corr.words.view import VariantInfo

_CASTLING_MOVES = {Castle.SHORT: {"e1g1", "e8g8"}, Castle.LONG: {"e1c1", "e8c8"}}


@dataclass(frozen=True, slots=True)
class OwnMoves:
    """What a side could try by its own pieces only, in which variant, and whether it is its turn."""

    sight: Sight
    moves: tuple[str, ...]
    card: VariantInfo
    possible_tries: Callable[[Sight], tuple[str, ...]]
    my_turn: bool = True

    @property
    def men(self) -> dict[str, PieceKind]:
        """The side's own pieces, each by the name of its square."""
        return {SQUARES[square]: man for man, on in self.sight.own_pieces().items() for square in on}

    def after(self, move: Move) -> OwnMoves:
        """Return what this side could try after its own move, ignoring the opponent's pieces."""
        sight = _sight_after(self.sight, move)
        return replace(self, sight=sight, moves=self.possible_tries(sight), my_turn=False)

    def takes(self, order: Order) -> bool:
        """Whether "any?", a sense or orders for the next turn can be given now."""
        match order:
            case Ask():
                return self.my_turn and str(Ask()) in self.card.presses
            case Sense():
                return self.my_turn and self.sight.sense_due
            case _:
                return isinstance(order, StandingOrders) and not self.my_turn and bool(self.card.told)

    def allows(self, step: Order) -> bool:
        """Whether the own pieces allow this move, drop or castling."""
        if isinstance(step, Castle):
            return step in self.sight.castling and not _CASTLING_MOVES[step].isdisjoint(self.moves)
        return str(step) in self.moves or f"{step}q" in self.moves


def _sight_after(sight: Sight, move: Move) -> Sight:
    """Return the sight after a move of the side's own piece, ignoring the opponent's pieces."""
    left, come = 1 << move.origin, 1 << move.target
    man = move.promotion or next(kind for kind, mask in sight.masks() if mask & left)
    pawns, knights, bishops, rooks, queens, kings = (
        mask & ~left & ~come | (come if kind is man else 0) for kind, mask in sight.masks()
    )
    return sight._replace(
        own=sight.own & ~left | come,
        seen=sight.seen | left | come,
        pawns=pawns,
        knights=knights,
        bishops=bishops,
        rooks=rooks,
        queens=queens,
        kings=kings,
    )


_DROP = re.compile(r"([kqrbnp]?) ?[@*] ?([a-h][1-8])")
_SPOKEN_DROP = re.compile(
    rf"(?:drop|put|place)(?: (?:an?|my|the))? ({'|'.join(PieceKind)}|[qrbnp]) (?:(?:on|at|to|onto) )?([a-h][1-8])\b"
)


def guess_moves(text: str, own: OwnMoves) -> list[str]:
    """Return the moves that a text in any notation may mean, if own pieces allow them."""
    low, written = lower(text), parse_line(text).orders
    if written:
        return [str(each) for each in written if steps_of(each) == (each,) and own.allows(each)]
    if castles := find_castling(low):
        return [str(each) for each in castles if own.allows(each)]
    if drop := _DROP.match(low):
        return _drops(drop[1], drop[2], own)
    if drops := guess_drops(low, own):
        return drops
    return next(filter(None, ([*_fitting(each, own)] for each in parse_notation(text))), [])


def steps_of(act: Order) -> tuple[Order, ...]:
    """Return the single moves in an order; empty if it isn't a move or a list."""
    return act.steps if isinstance(act, Tries) else (act,) if isinstance(act, Step) else ()


def guess_drops(low: str, own: OwnMoves) -> list[str]:
    """Return the possible drops that a lower-case line describes in words."""
    found = _SPOKEN_DROP.search(low)
    return _drops(found[1], found[2], own) if found else []


def _drops(man: str, square: str, own: OwnMoves) -> list[str]:
    """Return the possible drops on a square, of any piece if none is named."""
    letter = PieceKind(man).letter if len(man) > 1 else man.upper()
    return [move for move in own.moves if "@" in move and move.endswith(f"{letter}@{square}")]


def _fitting(said: NotatedMove, own: OwnMoves) -> Iterator[str]:
    """Yield the moves of own pieces that a notated move can mean."""
    men = own.men
    return (move for move in own.moves if move[:2] in men and said.is_of(men[move[:2]], move))
