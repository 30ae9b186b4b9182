"""Draws a small board without names for lists and texts.

The words beside it serve readers who cannot see it.
"""

from __future__ import annotations

from functools import lru_cache

from corr.text.template_env import render_piece
from corr.words.board import SQUARES, Side


@lru_cache(maxsize=4096)
def draw_thumbnail(signs: tuple[str, ...], side: Side) -> str:
    """Draw what a side sees, from its own side; cached, since most boards repeat."""
    squares = SQUARES if side is Side.WHITE else SQUARES[::-1]
    is_whole = "?" not in signs
    seen = [on for on in zip(squares, signs, strict=True) if on[1] != ("." if is_whole else "?")]
    return render_piece("parts/little.html", seen=seen, is_whole=is_whole)
