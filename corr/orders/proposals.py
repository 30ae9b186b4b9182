"""What a player may mean by a line that is no order, by own men alone; it is proposed, and never acts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corr.orders.fold import as_it_looks, fold, lower
from corr.orders.line import understand, without_number
from corr.orders.notation import Notated, notated
from corr.orders.puzzle import Puzzle, bare, castling
from corr.words.board import SQUARES, Man
from corr.words.orders import Ask, Castle, Drop, Move, Order, Sense, StandingOrders, Tries
from corr.words.slips import Sight
from corr.words.view import Card

_MOST, _LONGEST = 3, 300
_APART = re.compile(r"(?: ?(?:[,;/]|\b(?:and|or|then)\b) ?)+")
_SQUARE = re.compile(r"[a-h][1-8]")
_AS_A_MOVE = {Castle.SHORT: {"e1g1", "e8g8"}, Castle.LONG: {"e1c1", "e8c8"}}
_DROP = re.compile(r"([kqrbnp]?) ?@ ?([a-h][1-8])")


#: What an order with branches is made of, between its moves.
_BRANCH = re.compile(
    r"[ ;]*(any ?\?|(?:/ ?)?(?:yes|no) ?:|if [^:]{1,80}:|else\b ?:?|sense (?:[a-h][1-8]|none)(?!\w))[ ;]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Own:
    """What a side could try by its own men alone, in which variant, and whether it is its turn."""

    sight: Sight
    moves: tuple[str, ...]
    card: Card
    my_turn: bool = True

    @property
    def men(self) -> dict[str, Man]:
        """Its men by the names of their squares."""
        return {SQUARES[square]: man for man, on in self.sight.own_men().items() for square in on}

    def takes(self, order: Order) -> bool:
        """Whether an order with branches is one for now, in this variant."""
        match order:
            case Ask():
                return self.my_turn and str(Ask()) in self.card.presses
            case Sense():
                return self.my_turn and self.sight.sense_due
            case _:
                return isinstance(order, StandingOrders) and not self.my_turn and bool(self.card.told)

    def allows(self, step: Order) -> bool:
        """Whether its men's pattern allows a move."""
        if isinstance(step, Castle):
            return step in self.sight.castling and not _AS_A_MOVE[step].isdisjoint(self.moves)
        return str(step) in self.moves or f"{step}q" in self.moves


def proposals(puzzle: Puzzle, own: Own) -> tuple[str, ...]:
    """Orders that may have been meant, three at most."""
    if branched := _branched(puzzle, own):
        return (branched,)
    sensed = next((act for act in puzzle.acts if act.startswith("sense ")), "")
    if own.sight.sense_due and not sensed:
        return ()
    first = f"{sensed}; " if own.sight.sense_due else ""
    meant = list(dict.fromkeys(_meant(puzzle, own)))
    is_short = len(meant) <= _MOST and all(len(each) <= _LONGEST for each in meant)
    return tuple(first + each for each in meant) if is_short else ()


def _meant(puzzle: Puzzle, own: Own) -> list[str]:
    text = fold(puzzle.line)
    if len(text) > _LONGEST:
        return []
    orders = understand(text).orders
    if not orders:
        return _in(text, own) or _in(as_it_looks(text), own)
    if {*map(str, orders)} <= {*puzzle.acts}:
        orders = tuple(order for act in puzzle.acts for order in understand(act).orders)
    moves = [_steps(order) for order in orders if not isinstance(order, Sense)]
    steps = [step for each in moves for step in each]
    if not all(moves) or not all(map(own.allows, steps)):
        return []
    return _one_after_the_other(list(map(str, steps)), own)


def _branched(puzzle: Puzzle, own: Own) -> str | None:
    """An order with branches in which each move is clear by own men, where it is all that was written."""
    text = without_number(bare(fold(puzzle.line)))
    before, *branches = _BRANCH.split(text)
    if puzzle.acts or before or not branches or len(text) > _LONGEST:
        return None
    lists = [_list(text, own) for text in branches[1::2]]
    if None in lists:
        return None
    heads = [_behind(head.strip(), number) for number, head in enumerate(branches[::2])]
    written = (f"{head} {tries}".strip() for head, tries in zip(heads, lists, strict=True))
    orders = understand(" ".join(written)).orders
    return str(orders[0]) if len(orders) == 1 and own.takes(orders[0]) else None


def _list(text: str, own: Own) -> str | None:
    """Moves of a branch as we write them, each of which can be one alone; None where one of them is not clear."""
    if not text:
        return ""
    read = [_one(part, own) for part in _APART.split(text)]
    is_clear = all(len(each) == 1 for each in read) and (len(read) == 1 or own.card.lists)
    return ", ".join(each[0] for each in read) if is_clear else None


def _behind(head: str, number: int) -> str:
    """What a branch begins with, as it stands behind others."""
    return f"; {head}" if number and lower(head).startswith(("if", "else")) else head


def _steps(act: Order) -> tuple[Order, ...]:
    return act.steps if isinstance(act, Tries) else (act,) if isinstance(act, Move | Castle | Drop) else ()


def _one_after_the_other(steps: list[str], own: Own) -> list[str]:
    """Several moves as one list, where there are lists."""
    return [", ".join(dict.fromkeys(steps))] if own.card.lists and steps else steps


def _in(text: str, own: Own) -> list[str]:
    """What a line may mean: a list if each part of it is one move, else what its beginning means."""
    text = without_number(bare(text))
    for parts in (_APART.split(text), text.split()):
        read = [_one(part, own) for part in parts]
        if len(parts) > 1 and all(len(each) == 1 for each in read):
            return _one_after_the_other([step for each in read for step in each], own)
    first, *others = _APART.split(text)
    return [] if any(map(_SQUARE.search, others)) else _one(first, own)


def _one(text: str, own: Own) -> list[str]:
    """What one move may be, in whatever words and signs."""
    low, written = lower(text), understand(text).orders
    if written:
        return [str(each) for each in written if _steps(each) == (each,) and own.allows(each)]
    if castles := castling(low):
        return [str(each) for each in castles if own.allows(each)]
    if drop := _DROP.match(low):
        ends = f"{drop[1].upper()}@{drop[2]}"
        return [move for move in own.moves if "@" in move and move.endswith(ends)]
    return next(filter(None, ([*_fitting(each, own)] for each in notated(text))), [])


def _fitting(said: Notated, own: Own) -> Iterator[str]:
    men = own.men
    return (move for move in own.moves if move[:2] in men and said.is_of(men[move[:2]], move))
