"""What a game is played with: how its men are set up, written down, packed away and taken out again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corr.rules import memo, setup
from corr.rules.options import options
from corr.rules.play import Played, first
from corr.rules.sights import Shown
from corr.rules.umpire import WHITE, Truth
from corr.words import Side, Sight


@dataclass(frozen=True, slots=True)
class Kit:
    """The set of men of one kind of chess, and whether a side's men could still mate."""

    lay: Callable[[str | None, Shown], Played]
    fen: Callable[[Truth], str]
    pack: Callable[[Truth], bytes]
    restore: Callable[[bytes, Shown], Truth]
    can_mate: Callable[[Truth, Side], bool]
    options: Callable[[Sight], tuple[str, ...]] = options


def _lay(fen: str | None, shown: Shown) -> Played:
    return first(setup.board(fen), shown)


def _fen(truth: Truth) -> str:
    return truth.board.fen()


def _can_mate(truth: Truth, side: Side) -> bool:
    return not truth.board.has_insufficient_material(side is WHITE)


#: The men of chess.
CHESS = Kit(_lay, _fen, memo.pack, memo.restore, _can_mate)
