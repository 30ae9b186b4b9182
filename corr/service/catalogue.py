"""Tells what is public about variants: their cards, possible moves, and how a game is written."""

from __future__ import annotations

from collections.abc import Iterable

from corr.rules.core import notation
from corr.rules.retold import boards, pgn, replay
from corr.rules.retold.boards import Trial
from corr.rules.retold.pgn import build_record
from corr.rules.retold.replay import RbcTurns, SenseResult
from corr.rules.retold.score import lines
from corr.rules.variants import UMPIRES, find_umpire
from corr.text.messages import sentence
from corr.words.board import Pair
from corr.words.errors import Refused
from corr.words.orders import Order
from corr.words.slips import Sight, Slip
from corr.words.view import Card, CompletedGame, Replay

#: Others may use these types of the rules by way of this module alone.
__all__ = ["RbcTurns", "SenseResult", "Trial"]


def cards() -> tuple[Card, ...]:
    return tuple(umpire.card for umpire in UMPIRES.values())


def card(variant: str) -> Card:
    """Return the card of a variant; Refused for an unknown one."""
    if variant.lower() not in UMPIRES:
        raise Refused(sentence("challenges.no_variant", variant=variant, variants=", ".join(UMPIRES)))
    return find_umpire(variant.lower()).card


def example(variant: str, sight: Sight, *, captures: bool = False) -> str:
    """Return a turn a side could try from its sight, a pawn capture if required."""
    return notation.example(find_umpire(variant).options, sight, captures=captures)


def moves(variant: str, sight: Sight) -> tuple[str, ...]:
    """Return every move that the patterns of a side's own pieces allow, after any sense."""
    return find_umpire(variant).options(sight._replace(sense_due=False))


def score(slips: Iterable[Slip], first: int) -> tuple[str, ...]:
    """Return the moves as one side knows them, numbered from `first` on."""
    return lines(slips, first)


def write_pgn(variant: str, finished: CompletedGame) -> str:
    """Return a finished game as a PGN file; Refused if there is nothing to write."""
    return pgn.write_pgn(build_record(card(variant), finished))


def make_replay(variant: str, slips: Pair[tuple[Slip, ...]]) -> Replay:
    """Return a finished game move by move; Refused if there is nothing to show."""
    return replay.build_replay(find_umpire(variant), slips)


def list_scouting(variant: str, slips: Pair[tuple[Slip, ...]]) -> Pair[RbcTurns]:
    """Return what both sides sensed and moved; Refused if there is nothing to show."""
    return replay.extract_turns(card(variant), slips)


def read_sense(slip: Slip) -> SenseResult | None:
    """Return what a slip tells of a sense, if anything."""
    return replay.find_sense(slip)


def read_capture(slip: Slip) -> int | None:
    """Return the square of a capture that a slip tells of, if any."""
    return replay.find_capture(slip)


def try_orders(variant: str, position: str, orders: Iterable[Order]) -> Trial:
    """Try orders in a position that belongs to no game."""
    return boards.try_orders(find_umpire(variant), position, orders)
