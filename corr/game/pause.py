"""A pause to which both sides agree: who has asked for it, and when it ends by itself. Pure."""

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
    """Who has asked for a pause, or until when there is one."""

    asked: Side | None = None
    until: datetime | None = None


NO_PAUSE = Pause()


@cache
def asked(side: Side) -> Fact:
    """A side would like the time to stand."""
    return Fact(Common.PAUSE_ASKED, f"{side.called} asks for a pause.", (("side", side),))


@cache
def declined(side: Side) -> Fact:
    """A side would rather play on."""
    return Fact(Common.DECLINED, f"{side.called} doesn't want a pause.", (("side", side),))


@cache
def ended(side: Side) -> Fact:
    """A side would like the time to run again."""
    return Fact(Common.RESUMED, f"{side.called} has ended the pause.")
