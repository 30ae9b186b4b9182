"""A record is proved by its seals, the letters that showed them, and the rules: what holds and what does not."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from corr.proof.clocks import check_clocks
from corr.proof.replay import replay
from corr.proof.verify import Wrong, checked


class Proof(NamedTuple):
    """Whether a record holds, and a sentence that says so."""

    holds: bool
    sentence: str


def prove(
    record: Iterable[bytes], letters: Iterable[Iterable[bytes]] = (), most_orders: float = math.inf
) -> Proof:
    """Check a record, and whether the letters of these mbox files show its seals."""
    try:
        read, sentence = checked(record, letters)
        if read.is_timed:
            check_clocks(read)
        replay(read, most_orders)
    except Wrong as wrong:
        return Proof(holds=False, sentence=str(wrong))
    return Proof(
        holds=True, sentence=f"{sentence}; every ruling and every word of the umpire follows the rules."
    )
