"""Sides, men and squares."""

from __future__ import annotations

import pytest

from corr.words.board import Pair


def test_a_pair_is_asked_by_its_sides_and_never_walked_through() -> None:
    with pytest.raises(TypeError, match="not iterable"):
        list(Pair(1, 2))  # type: ignore[call-overload]
