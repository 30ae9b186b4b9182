"""One thing that the doctor looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it is well, what there is to say, and what to do."""

    what: str
    is_well: bool
    says: str
    advice: str = ""


def well(what: str, says: str) -> Finding:
    return Finding(what, is_well=True, says=says)


def wrong(what: str, says: str, advice: str = "") -> Finding:
    return Finding(what, is_well=False, says=says, advice=advice)
