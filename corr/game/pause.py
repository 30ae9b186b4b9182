"""Models a pause that both sides agree to: who has asked for it, and when it ends by itself. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from corr.words.board import Side
from corr.words.codes import Common
from corr.words.slips import Fact

AGREED = Fact(Common.PAUSED, "You have both agreed to a pause.")
ENDED = Fact(Common.RESUMED, "The pause is over.")


@dataclass(frozen=True, slots=True)
class Pause:
    """The side that has asked for a pause, or the end of the current pause."""

    asked: Side | None = None
    until: datetime | None = None


NO_PAUSE = Pause()


@cache
def request_fact(side: Side) -> Fact:
    return Fact(Common.PAUSE_ASKED, f"{side.called} asks for a pause.", (("side", side),))


@cache
def decline_fact(side: Side) -> Fact:
    return Fact(Common.DECLINED, f"{side.called} doesn't want a pause.", (("side", side),))


@cache
def end_fact(side: Side) -> Fact:
    return Fact(Common.RESUMED, f"{side.called} has ended the pause.")
