"""Words an admin's changes to the time of a match, as both sides are told of them."""

from __future__ import annotations

from functools import cache

from corr.words.board import Side
from corr.words.codes import Common
from corr.words.slips import Fact

PAUSED = Fact(Common.PAUSED, "An admin has paused the game.")
RESUMED = Fact(Common.RESUMED, "An admin has resumed the game.")


@cache
def extension_fact(sides: tuple[Side, ...], days: int) -> Fact:
    """Say that the sides the umpire waits for have more time."""
    whom = " and ".join(side.called for side in sides)
    more = "one more day" if days == 1 else f"{days} more days"
    return Fact(Common.EXTENDED, f"An admin has given {whom} {more}.", (("days", days),))
