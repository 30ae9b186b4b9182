"""Puts a list of moves, or "any?" with lists, to the umpire one by one until a move is made (limit: `corr/limits.py`).

It skips what the player could see is impossible, since nobody else should hear "impossible" because of a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corr.rules.core import announcements
from corr.rules.core.slip_delivery import rule_for_one, rule_unreadable
from corr.rules.core.umpire import Ruling, T, Umpire
from corr.words.board import Side
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.orders import Ask, Order, Step, Tries
from corr.words.slips import Verdict

LIST_RULES = (
    'Moves with commas between them are a list: "e4d5, f4e5, g1f3". The umpire tries them '
    "in order until one is possible, and that one is your move."
)

REFUSAL_RULES = (
    "Your opponent hears each refusal, but never which move was refused, so think before you write. In a list, the "
    "umpire quietly skips any move that you could have ruled out yourself. Your opponent hears nothing about it."
)


def try_one_by_one(
    umpire: Umpire[T], truth: T, side: Side, order: Order
) -> Iterator[tuple[Order, Ruling[T]]]:
    """Yield each part of an order with the umpire's ruling; the last ruling holds the new truth."""
    steps = _all_steps(order)
    if not steps or umpire.turn(truth) is not side:
        yield order, umpire.judge(truth, side, order)
        return
    question = umpire.judge(truth, side, Ask()) if isinstance(order, Ask) else None
    if question and question.verdict is Verdict.UNREADABLE:
        yield order, question
        return
    try:
        for step in steps:
            umpire.is_knowably_impossible(truth, step)
    except Refused as puzzle:
        yield order, rule_unreadable(truth, side, str(puzzle))
        return
    if question and isinstance(order, Ask):
        yield from _ask_then_try(umpire, question, side, order)
    else:
        yield from _try_until_moved(umpire, truth, side, steps)


def try_ahead(umpire: Umpire[T], truth: T, side: Side, tries: Tries) -> Iterator[tuple[Order, Ruling[T]]]:
    """Try a list written before the opponent's move, skipping what has become impossible."""
    yield from _try_until_moved(umpire, truth, side, tries.steps)


def _all_steps(order: Order) -> tuple[Step, ...]:
    """Return every move in a list, or in both lists of an "any?"; else nothing."""
    match order:
        case Tries(steps):
            return steps
        case Ask(yes, no):
            return tuple(dict.fromkeys(step for tries in (yes, no) if tries for step in tries.steps))
        case _:
            return ()


def _ask_then_try(
    umpire: Umpire[T], question: Ruling[T], side: Side, order: Ask
) -> Iterator[tuple[Order, Ruling[T]]]:
    """Yield "any?" with its ruling, then the moves of the list for the answer."""
    yield Ask(), question
    own = question.slips[side]
    answered = own.find(Common.ANY) if own else None
    if answered is None:
        yield from _hold_back(
            question.truth, side, _all_steps(order), "the question before it was impossible"
        )
    elif tries := order.yes if answered["answer"] else order.no:
        yield from _try_until_moved(umpire, question.truth, side, tries.steps)


def _try_until_moved(
    umpire: Umpire[T], truth: T, side: Side, steps: Iterable[Step]
) -> Iterator[tuple[Order, Ruling[T]]]:
    """Put moves to the umpire until one is made, skipping those known to be impossible."""
    for step in steps:
        if _is_knowably_impossible(umpire, truth, step):
            yield from _hold_back(truth, side, [step], "you could have seen it's impossible")
            continue
        ruling = umpire.judge(truth, side, step)
        yield step, ruling
        truth = ruling.truth
        if ruling.verdict is Verdict.MOVED:
            return


def _is_knowably_impossible(umpire: Umpire[T], truth: T, step: Step) -> bool:
    """Whether the player could see that a move is impossible, or no list may have it."""
    try:
        return umpire.is_knowably_impossible(truth, step)
    except Refused:
        return True


def _hold_back(truth: T, side: Side, steps: Iterable[Step], why: str) -> Iterator[tuple[Order, Ruling[T]]]:
    """Yield the moves that aren't put to the umpire, each with a private slip that says why."""
    for step in steps:
        yield step, rule_for_one(truth, side, Verdict.HELD, announcements.held_back_fact(why))
