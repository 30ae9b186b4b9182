"""Turns a line of text into orders, or says where it went wrong: one grammar for all."""

from corr.orders.commands import Trait, has
from corr.orders.line import kind_of
from corr.orders.multiline import BOARD, join_acts
from corr.orders.normalization import fold
from corr.orders.own_moves import Own
from corr.orders.proposals import proposals
from corr.orders.prose import in_prose, set_up
from corr.orders.reading import Reading, first_order, read, read_for_games, read_order
from corr.orders.unclear_lines import Puzzle

__all__ = [
    "BOARD",
    "Own",
    "Puzzle",
    "Reading",
    "Trait",
    "first_order",
    "fold",
    "has",
    "in_prose",
    "join_acts",
    "kind_of",
    "proposals",
    "read",
    "read_for_games",
    "read_order",
    "set_up",
]
