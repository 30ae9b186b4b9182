"""Gives other services what the rules know of variants: cards, possible moves, replays and PGN."""

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
from corr.words.replay import CompletedGame, Replay
from corr.words.slips import Sight, Slip
from corr.words.view import VariantInfo

#: Other folders import these types of the rules from here.
__all__ = ["RbcTurns", "SenseResult", "Trial"]


def cards() -> tuple[VariantInfo, ...]:
    """Return the cards of all variants, which describe their rules to players."""
    return tuple(umpire.card for umpire in UMPIRES.values())


def card(variant: str) -> VariantInfo:
    """Return the card that describes a variant's rules to players; Refused for an unknown variant."""
    if variant.lower() not in UMPIRES:
        raise Refused(sentence("challenges.no_variant", variant=variant, variants=", ".join(UMPIRES)))
    return find_umpire(variant.lower()).card


def example(variant: str, sight: Sight, *, captures: bool = False) -> str:
    """Return an example of a move for a side now, a pawn capture if required."""
    return notation.example(find_umpire(variant).possible_tries, sight, captures=captures)


def moves(variant: str, sight: Sight) -> tuple[str, ...]:
    """Return all moves that a side's pieces could try; in RBC, after sensing."""
    return find_umpire(variant).possible_tries(sight._replace(sense_due=False))


def score(slips: Iterable[Slip], first: int) -> tuple[str, ...]:
    """Return a side's score sheet from its slips: one line a move, numbered from `first`."""
    return lines(slips, first)


def write_pgn(variant: str, finished: CompletedGame) -> str:
    """Return a finished game as a PGN file; Refused if there is nothing to write."""
    return pgn.write_pgn(build_record(card(variant), finished))


def make_replay(variant: str, slips: Pair[tuple[Slip, ...]]) -> Replay:
    """Return a finished game to replay move by move; Refused if never set up."""
    return replay.build_replay(find_umpire(variant), slips)


def list_scouting(variant: str, slips: Pair[tuple[Slip, ...]]) -> Pair[RbcTurns]:
    """Return both sides' senses and moves in a game of RBC; Refused if never set up."""
    return replay.extract_turns(card(variant), slips)


def read_sense(slip: Slip) -> SenseResult | None:
    """Return what a slip says a player sensed in RBC; None if it says nothing."""
    return replay.find_sense(slip)


def read_capture(slip: Slip) -> int | None:
    """Return the square of the capture that a slip announces; None if it announces none."""
    return replay.find_capture(slip)


def try_orders(variant: str, position: str, orders: Iterable[Order]) -> Trial:
    """Let the umpire judge orders in an example position, for pictures of the rules."""
    return boards.try_orders(find_umpire(variant), position, orders)
