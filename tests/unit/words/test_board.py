"""`Pair`: a value for each side."""

from __future__ import annotations

import pytest

from corr.words.board import Pair


def test_a_pair_cannot_be_iterated() -> None:
    with pytest.raises(TypeError, match="not iterable"):
        list(Pair(1, 2))  # type: ignore[call-overload]
