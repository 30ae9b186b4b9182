"""A line of text becomes orders, or the place where it went wrong: one grammar for everyone."""

from corr.orders.fold import fold
from corr.orders.line import Kind, kind_of
from corr.orders.puzzle import Puzzle
from corr.orders.reading import Reading, first_order, read, read_order
from corr.orders.together import BOARD, together

__all__ = [
    "BOARD",
    "Kind",
    "Puzzle",
    "Reading",
    "first_order",
    "fold",
    "kind_of",
    "read",
    "read_order",
    "together",
]
