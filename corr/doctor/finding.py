"""Describes one result of the doctor's checks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A result: the thing checked, whether it is well, a sentence, and advice."""

    what: str
    is_well: bool
    says: str
    advice: str = ""


def report_ok(what: str, says: str) -> Finding:
    return Finding(what, is_well=True, says=says)


def report_problem(what: str, says: str, advice: str = "") -> Finding:
    return Finding(what, is_well=False, says=says, advice=advice)
