"""Puts the marks of a drawn board into words, for readers who see no pictures."""

from __future__ import annotations

from collections import defaultdict

from corr.text.template_env import render
from corr.words.board import SQUARES
from corr.words.slips import SquareMarks

#: Maps the first word of a mark's drawing to how we describe it.
_MARK_WORDS = {
    "last": "last",
    "ring": "captured",
    "king": "checked",
    "line": "line",
    "dot": "knight",
    "try": "tries",
    "left": "framed",
    "right": "framed",
    "top": "framed",
    "bottom": "framed",
}


def describe_marks(marks: SquareMarks, *, is_over: bool) -> str:
    """Describe the marked squares on one line; omit hairlines, which only join chevrons."""
    found = defaultdict[str, dict[str, None]](dict)
    for square, over in marks:
        for mark in over:
            if said := _MARK_WORDS.get(mark.partition(" ")[0]):
                found[said][SQUARES[square]] = None
    on = {said: [*found[said]] for said in _MARK_WORDS.values()}
    return " ".join(render("parts/marked.txt", is_over=is_over, on=on).split())
