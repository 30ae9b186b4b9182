"""A board in a list or beside a text, small and without names; who cannot see it has the words beside it."""

from __future__ import annotations

from functools import lru_cache

from corr.template_env import piece
from corr.words.board import SQUARES, Side


@lru_cache(maxsize=4096)
def little(signs: tuple[str, ...], side: Side) -> str:
    """What a side sees, from its own side; most such boards are the same when they are looked at again."""
    squares = SQUARES if side is Side.WHITE else SQUARES[::-1]
    is_whole = "?" not in signs
    seen = [on for on in zip(squares, signs, strict=True) if on[1] != ("." if is_whole else "?")]
    return piece("parts/little.html", seen=seen, is_whole=is_whole)
