"""Reads the terms of a challenge: variant, clock, challenger's color, and rated or casual."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corr.game import clock as clocks
from corr.game.clock import parse_clock
from corr.service import catalogue
from corr.service.players import house_bots
from corr.text.messages import sentence
from corr.words.errors import Refused

DEFAULT_CLOCK, NO_CLOCK = "3d", "none"
#: The clocks that a page offers to choose from; a player can also type others.
_CLOCKS = (
    *("1d", "2d", "3d", "5d", "7d", "10d", "14d", "30d"),
    *("2d+bank10d", "5d+bank30d", "15d+12h/20d", "30d+1d/45d", NO_CLOCK, "live"),
)
_UNSUITED_FOR_EVENTS = (NO_CLOCK, "live")
_LIVE_VARIANT, _FIRST_VARIANT = "rbc", "wild16"
_COLORS = ("white", "black", "random")
_TERMS = (
    r"(?P<variant>[a-z][a-z0-9-]*)(?: (?P<clock>(?:\d\S*|none|live)(?: claim)?(?: steady)?))?"
    r"(?: (?P<color>white|black|random))?(?: (?P<weight>rated|casual))?"
)
_SEEK, _CHALLENGE = re.compile(_TERMS), re.compile(rf"(?P<whom>.+?) {_TERMS}")


@dataclass(frozen=True, slots=True)
class Terms:
    variant: str
    clock: str
    color: str = "random"
    rated: bool = False

    @property
    def sentence(self) -> str:
        """The terms as the challenged player reads them."""
        variant, clock = catalogue.card(self.variant).name, parse_clock(self.clock).sentence
        weight = "rated" if self.rated else "casual"
        return sentence(f"challenges.{weight}", variant=variant, clock=clock)


def make_terms(variant: str, clock: str = "", color: str = "", *, rated: bool = False) -> Terms:
    """Check and return terms; Refused if the variant, clock or color does not exist."""
    if (color or "random") not in _COLORS:
        raise Refused(sentence("challenges.no_color"))
    key, by = catalogue.card(variant).key, clocks.parse_new_clock(clock or DEFAULT_CLOCK)
    if by.is_live and key != _LIVE_VARIANT:
        raise Refused(sentence("challenges.not_live", variant=catalogue.card(_LIVE_VARIANT).name))
    return Terms(key, str(by), color or "random", rated)


def list_clocks(*, for_events: bool = False) -> list[tuple[str, str]]:
    """Return the clocks to choose from, each as written and as a person reads it."""
    clocks = [each for each in _CLOCKS if not (for_events and each in _UNSUITED_FOR_EVENTS)]
    return [(each, parse_clock(each).sentence) for each in clocks]


def parse_challenge(rest: str) -> tuple[str, Terms]:
    """Read a challenge command: the challenged player's name, and the terms."""
    if " " not in rest:
        return rest, _find_usual_terms(rest)
    found = _CHALLENGE.fullmatch(rest)
    assert found, rest  # the command grammar has checked it before
    return found["whom"], _read_match(found)


def _find_usual_terms(whom: str) -> Terms:
    """Return the terms of a challenge without any, to a bot or an address; Refused for a name."""
    if "@" in whom or house_bots.find_bot(whom):
        return make_terms(_FIRST_VARIANT)
    raise Refused(sentence("challenges.name_a_variant", name=whom))


def parse_seek(rest: str) -> Terms:
    """Read the terms of a challenge to everybody."""
    found = _SEEK.fullmatch(rest)
    assert found, rest
    return _read_match(found)


def _read_match(found: re.Match[str]) -> Terms:
    clock, color = found["clock"] or "", found["color"] or ""
    return make_terms(found["variant"], clock, color, rated=found["weight"] == "rated")
