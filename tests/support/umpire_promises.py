"""What every umpire promises: random games, and the promises a ruling breaks."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from corr.rules.core.umpire import Ruling, Truth, Umpire
from corr.words.board import SQUARES, Side
from corr.words.codes import Audience, Common
from corr.words.orders import Ask, Castle, Order, PawnTry
from corr.words.slips import Sight
from corr.words.view import ConditionTopic
from tests.support.umpire_cases import order_of

CAPTURE_SQUARE = ConditionTopic.CAPTURE_SQUARE


def orders_of(umpire: Umpire, sight: Sight) -> list[Order]:
    """Every order that a side might give."""
    return [*map(order_of, umpire.possible_tries(sight)), *Castle, PawnTry(), Ask()]


def begin_game(umpire: Umpire, rng: random.Random | None = None) -> Ruling:
    """Begin a game; set-ups are the first ones offered, or random."""
    ruling = umpire.start()
    if ruling.turn is None:
        for side in Side:
            offered = umpire.possible_tries(ruling.truth.sights[side])
            ruling = umpire.judge(ruling.truth, side, order_of(rng.choice(offered) if rng else offered[0]))
    assert ruling.turn is Side.WHITE
    return ruling


class Attempt(NamedTuple):
    """An order, the truth before it, and the ruling."""

    truth: Truth
    side: Side
    order: Order
    ruling: Ruling


def random_games(umpire: Umpire, count: int) -> Iterator[Attempt]:
    """All attempts of some random games."""
    for number in range(count):
        yield from random_game(umpire, number)


@cache
def random_game(umpire: Umpire, seed: int) -> tuple[Attempt, ...]:
    """The attempts of a random game, cached."""
    return tuple(attempts(umpire, seed))


def attempts(umpire: Umpire, seed: int) -> Iterator[Attempt]:
    """Play a random game."""
    rng = random.Random(seed)
    ruling = begin_game(umpire, rng)
    sights = {side: slip.sight for side in Side if (slip := ruling.slips[side])}
    while ruling.turn:
        truth, side = ruling.truth, ruling.turn
        order = rng.choice(orders_of(umpire, sights[side]))
        ruling = umpire.judge(truth, side, order)
        sights |= {who: slip.sight for who in Side if (slip := ruling.slips[who])}
        yield Attempt(truth, side, order, ruling)


def men_on(fen: str) -> dict[str, str]:
    """The pieces on the board by square, as FEN letters, without reserves and marks of promotion."""
    rows = re.split(r"[\[ ]", fen)[0].replace("~", "").split("/")
    text = "".join(
        "".join("." * int(sign) if sign.isdigit() else sign for sign in row) for row in reversed(rows)
    )
    return {square: letter for square, letter in zip(SQUARES, text, strict=True) if letter != "."}


def sight_errors(umpire: Umpire, ruling: Ruling) -> Iterator[str]:
    """Sentences about squares where a sight is wrong or hides a piece of one's own."""
    men = men_on(umpire.fen(ruling.truth))
    for slip in filter(None, (ruling.slips.white, ruling.slips.black)):
        for square, shown in zip(SQUARES, slip.sight.letters(), strict=True):
            man = men.get(square, ".")
            is_own = man != "." and man.isupper() == (slip.side is Side.WHITE)
            if shown not in ("?", man) or (is_own and shown == "?"):
                yield f"{slip.side.called} is shown {shown} on {square}, where {man} stands."


#: The module of each umpire.
FILES = {
    module.UMPIRE.card.key: name
    for name, module in sys.modules.items()
    if name.startswith("corr.rules.variants.") and hasattr(module, "UMPIRE")
}


def broken_promises(umpire: Umpire, ruling: Ruling) -> Iterator[str]:
    """Sentences about facts of a ruling that break what their codes promise."""
    handed = {side: slip.facts for side in Side if (slip := ruling.slips[side])}
    for side, facts in handed.items():
        for fact in facts:
            named = f'"{fact.code}" ({fact.text!r}, as {side.called} is told)'
            if type(fact.code).__module__ not in (Common.__module__, FILES[umpire.card.key]):
                yield f"{named} is declared neither in {Common.__module__} nor in {FILES[umpire.card.key]}."
            yield from (f"{named}: {fault}" for fault in fact.code.contract.faults(fact.data))
            if fact.code == Common.CAPTURE and fact["square"] is None and CAPTURE_SQUARE in umpire.card.told:
                yield f"{named} has no square: leave {CAPTURE_SQUARE} out of what the card says is told."
            others = handed.get(side.other, ())
            if fact.audience is Audience.MOVE:
                if fact.code not in {each.code for each in others}:
                    yield f"{named} is told to one side alone, and both are to hear of a move."
            elif fact.audience is not Audience.SETTING and fact.is_public is not (fact in others):
                to = "both" if fact.is_public else "one side alone"
                yield f"{named} is by its code to be told to {to}: {fact.audience.value}."
    if any(fact.audience is Audience.END for facts in handed.values() for fact in facts) is not bool(
        ruling.outcome
    ):
        yield f"The outcome is {ruling.outcome}: a fact tells of the end of a game when it ends, and only then."
