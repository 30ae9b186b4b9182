"""What is public about the variants: their cards, what a sight could try, how a game is written down."""

from __future__ import annotations

from collections.abc import Iterable

from corr.messages import sentence
from corr.rules.core import options
from corr.rules.retold import example_orders, pgn, rbc_turns, replay
from corr.rules.retold.example_orders import Trial
from corr.rules.retold.rbc_turns import Moved, Scouting, Sensed
from corr.rules.retold.record import record
from corr.rules.retold.score import lines
from corr.rules.variants import UMPIRES, umpire_of
from corr.words.board import Pair
from corr.words.errors import Refused
from corr.words.orders import Order
from corr.words.slips import Sight, Slip
from corr.words.view import Card, Finished, Replay

__all__ = [
    "Moved",
    "Scouting",
    "Sensed",
    "Trial",
    "card",
    "cards",
    "example",
    "moves",
    "replayed",
    "score",
    "scouted",
    "sensed",
    "shown",
    "taken",
    "written",
]


def cards() -> tuple[Card, ...]:
    """The card of every variant that is served."""
    return tuple(umpire.card for umpire in UMPIRES.values())


def card(variant: str) -> Card:
    """The card of one variant."""
    if variant.lower() not in UMPIRES:
        raise Refused(sentence("challenges.no_variant", variant=variant, variants=", ".join(UMPIRES)))
    return umpire_of(variant.lower()).card


def example(variant: str, sight: Sight, *, captures: bool = False) -> str:
    """A turn that a side could try, from what it sees alone; a pawn's capture, where it has to try one."""
    return options.example(umpire_of(variant).options, sight, captures=captures)


def moves(variant: str, sight: Sight) -> tuple[str, ...]:
    """Every move that the pattern of a side's own men allows, after its sense where there is one."""
    return umpire_of(variant).options(sight._replace(sense_due=False))


def score(slips: Iterable[Slip], first: int) -> tuple[str, ...]:
    """The moves as one side knows them, the first of them numbered."""
    return lines(slips, first)


def written(variant: str, finished: Finished) -> str:
    """A finished game as a PGN file; Refused if there is nothing to write down."""
    return pgn.written(record(card(variant), finished))


def replayed(variant: str, slips: Pair[tuple[Slip, ...]]) -> Replay:
    """A finished game, move by move; Refused if there is nothing to look at."""
    return replay.replay(umpire_of(variant), slips)


def scouted(variant: str, slips: Pair[tuple[Slip, ...]]) -> Pair[Scouting]:
    """What both sides sensed and moved in a finished game; Refused if there is nothing to look at."""
    return rbc_turns.scouting(card(variant), slips)


def sensed(slip: Slip) -> Sensed | None:
    """What a slip tells of a sense."""
    return rbc_turns.sensed(slip)


def taken(slip: Slip) -> int | None:
    """The square where a slip tells that a man was taken."""
    return rbc_turns.taken(slip.facts)


def shown(variant: str, position: str, orders: Iterable[Order]) -> Trial:
    """Orders tried in a position that is nobody's game."""
    return example_orders.tried(umpire_of(variant), position, orders)
