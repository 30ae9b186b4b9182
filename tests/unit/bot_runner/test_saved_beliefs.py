"""Saved beliefs: a bot's thought can be packed and unpacked."""

from __future__ import annotations

import json
import zlib

import pytest

from corr.bot_runner.bot_memory import SavedBelief, pack, unpack
from corr.bots.bot import PackedPositions, Thought

FEW = PackedPositions((b"one", b"", b"three"), (1.0, 0.25, 1.75), is_whole=False)
BEFORE = PackedPositions((b"before",), (), is_whole=True)


@pytest.mark.parametrize(
    "thought",
    [
        Thought(7, (5, 6), FEW),
        Thought(7, (6,), FEW, BEFORE),
        Thought(3, (), PackedPositions(), PackedPositions()),
    ],
)
def test_a_thought_survives_packing(thought: Thought) -> None:
    assert unpack(SavedBelief(thought.heard, pack(thought), None, None)) == thought


def test_an_older_format_is_discarded() -> None:
    older = zlib.compress(json.dumps([[5, 6], False, [3]]).encode() + b"\none")

    assert unpack(SavedBelief(7, older, None, None)) == Thought()
