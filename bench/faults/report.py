"""What a run found, as a table to read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from bench.faults.count import Evidence
from bench.faults.table import Plan, Table
from tests.support.procfile import End

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found, in words, and whether all is well."""

    text: str
    is_clean: bool


def report(plan: Plan, table: Table, evidence: Evidence, last: list[End]) -> Report:
    wrongs = evidence.judge()
    fate, written = table.fate, evidence.written
    accepted = sum(letter.accepted > 0 for letter in written)
    rows = [
        ("games played at once, and in all", f"{plan.games}, {len(evidence.prepared)}"),
        ("letters of players accepted", f"{accepted:,} of {len(written):,}"),
        ("letters of the house received", f"{len(evidence.received):,}"),
        ("of them come more than once (allowed)", f"{evidence.came_again():,}"),
        ("processes killed", f"{fate.kills.total()}: {_listed(fate.kills)}"),
        ("other troubles", f"{fate.troubles.total()}: {_listed(fate.troubles)}"),
        ("letters of players put off or cut off", _listed(table.postmen.heard)),
        ("letters of the house put off or cut off", _listed(table.stack.misdeeds())),
        ("processes that ended by themselves", _listed(table.keeper.ended_by_themselves)),
        ("told to stop while at work", _stopped(fate.ends)),
        ("told to stop at the end", _stopped(last)),
        ("left out", table.stack.left_out() or "nothing"),
        ("minutes", f"{(time.monotonic() - table.begun) / 60:.1f}"),
        *((heading, str(len(found))) for heading, found in wrongs.items()),
    ]
    width = max(len(heading) for heading, _ in rows)
    lines = [f"{heading:{width}}  {value}" for heading, value in rows]
    lines += [f"{heading}: {wrong}" for heading, found in wrongs.items() for wrong in found[:_SHOWN]]
    return Report("\n".join(lines), is_clean=not any(wrongs.values()))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {number}" for what, number in sorted(counts.items())) or "none"


def _stopped(ends: list[End]) -> str:
    """How many ended in good order, how soon, and how the others ended."""
    good = sum(end.status == 0 for end in ends)
    others = Counter(f"{end.name} with status {end.status}" for end in ends if end.status)
    slowest = max((end.seconds for end in ends), default=0.0)
    told = f"{good} of {len(ends)} ended in good order, the slowest in {slowest:.1f} s"
    return f"{told}; {_listed(others)}" if others else told
