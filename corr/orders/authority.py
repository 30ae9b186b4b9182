"""Decides whether an email to a game acts, must be confirmed or is refused, by the evidence of who wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import product

from corr.orders.commands import Trait, has_trait
from corr.words.orders import Command, Order


class Evidence(StrEnum):
    """The evidence of who wrote an email; each is also the note under which doubtful emails are kept."""

    ADDRESS = "address"  # it came to a secret address of our emails, from the player's own address
    VOUCHED = "vouched"  # our mail server vouches for the player's own address
    MESSAGE_ID = "found"  # it names one of our emails, seen perhaps in a log or a forwarded copy
    CALLED_FORGED = "unvouched"  # our mail server says that somebody forged the player's address
    ELSEWHERE = "forged"  # it came from an address that is not the player's


class Matter(StrEnum):
    """What an order is about."""

    NOTHING = "no order, or `confirm` alone"
    QUESTION = "a question: `help`, `show`, `rules`, `games`"
    GAME = "a move, or a word about the game"
    ACCOUNT = "a word for the whole account: `vacation`, `mail`, `data`, …"


class Authority(StrEnum):
    """What happens to an email: it acts, waits for its player's confirmation, or is refused."""

    ACTS = "acts"
    ASKS = "asks"
    REFUSED = "refused"


_ACTS, _ASKS, _REFUSED = Authority
_ROWS: dict[Evidence, Sequence[Authority]] = {  # in the order of `Matter`
    Evidence.ADDRESS: (_ACTS, _ACTS, _ACTS, _ACTS),
    Evidence.VOUCHED: (_ACTS, _ACTS, _ACTS, _ACTS),
    Evidence.MESSAGE_ID: (_ACTS, _ACTS, _ASKS, _ASKS),
    Evidence.CALLED_FORGED: (_REFUSED, _ASKS, _ASKS, _ASKS),
    Evidence.ELSEWHERE: (_REFUSED, _REFUSED, _ASKS, _ASKS),
}
#: What happens to an email, by its evidence and the matter of its orders.
AUTHORITY = dict(
    zip(product(Evidence, Matter), (each for row in Evidence for each in _ROWS[row]), strict=True)
)


def classify_order(order: Order) -> Matter:
    """Classify an order by what it is about, which decides how much proof it needs."""
    if order == Command("confirm"):
        return Matter.NOTHING
    if has_trait(order, Trait.ASKS):
        return Matter.QUESTION
    return Matter.ACCOUNT if has_trait(order, Trait.ACCOUNT) else Matter.GAME


def decide_authority(evidence: Evidence, orders: Iterable[Order]) -> Authority:
    """Decide whether an email with these orders acts, waits for confirmation or is refused, always as a whole."""
    found = {AUTHORITY[evidence, each] for each in map(classify_order, orders)} or {
        AUTHORITY[evidence, Matter.NOTHING]
    }
    return next(each for each in (_ASKS, _REFUSED, _ACTS) if each in found)
