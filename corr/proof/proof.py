"""Proves a record by its seals, by the emails that show them, and by the rules."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from corr.proof.clocks import check_clocks
from corr.proof.replay import replay
from corr.proof.verify import InvalidRecord, check_record


class Proof(NamedTuple):
    """Whether a record holds, and a sentence that says so."""

    holds: bool
    sentence: str


def prove(
    record: Iterable[bytes], letters: Iterable[Iterable[bytes]] = (), most_orders: float = math.inf
) -> Proof:
    """Check a record, and whether the emails of these mbox files show its seals."""
    try:
        read, sentence = check_record(record, letters)
        if read.is_timed:
            check_clocks(read)
        replay(read, most_orders)
    except InvalidRecord as wrong:
        return Proof(holds=False, sentence=str(wrong))
    return Proof(
        holds=True, sentence=f"{sentence}; every ruling and every word of the umpire follows the rules."
    )
