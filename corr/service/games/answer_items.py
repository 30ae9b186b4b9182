"""What is answered to an order."""

from __future__ import annotations

from dataclasses import dataclass

from corr.words.view import Try

#: What became of a set-up that was taken.
DEPLOYED = ("sealed", "begun", "clash", "void")


@dataclass(frozen=True, slots=True)
class Item:
    """One order and what is answered to it: a note that a template words, or what the umpire said."""

    order: str
    note: str
    said: str = ""
    move: str = ""
    tried: tuple[Try, ...] = ()  # of a list: what was no move, and what the umpire said to it
    heard: int = 0  # how many of these the other side hears of
    untried: str = ""  # what stood behind the move
    lines: tuple[str, ...] = ()  # what was asked for, where it is a list
    replaces: bool = False  # what was ordered for this turn before it, which is kept no longer
