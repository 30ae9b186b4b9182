"""Holds the answer to each order of an email."""

from __future__ import annotations

from dataclasses import dataclass

from corr.words.view import Try

#: The possible results of an accepted set-up.
DEPLOYMENT_NOTES = ("sealed", "begun", "clash", "void")


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """One order and its answer: a note that a template words, or the umpire's words."""

    order: str
    note: str
    said: str = ""
    move: str = ""
    tried: tuple[Try, ...] = ()  # for a list: the tries that were no move, with the umpire's words
    heard: int = 0  # how many of these tries the opponent hears about
    untried: str = ""  # the rest of the list after the move that was made
    lines: tuple[str, ...] = ()  # the requested lines, for a command that lists something
    replaces: bool = False  # whether it replaced the standing orders for this turn
