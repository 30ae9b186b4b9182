"""Turns a line of text into orders, or says where it went wrong: one grammar for all."""

from corr.orders.commands import Trait, has_trait
from corr.orders.conflicts import join_acts
from corr.orders.line_parser import kind_of
from corr.orders.lone_move import understand_lone_move
from corr.orders.own_moves import OwnMoves
from corr.orders.proposals import propose_from_prose, propose_orders, propose_setting, propose_setups
from corr.orders.reading import ParsedEmail, find_first_order, parse_game_lines, parse_lines, parse_order
from corr.orders.scanner import fold
from corr.orders.unclear_lines import UnclearLine

__all__ = [
    "OwnMoves",
    "ParsedEmail",
    "Trait",
    "UnclearLine",
    "find_first_order",
    "fold",
    "has_trait",
    "join_acts",
    "kind_of",
    "parse_game_lines",
    "parse_lines",
    "parse_order",
    "propose_from_prose",
    "propose_orders",
    "propose_setting",
    "propose_setups",
    "understand_lone_move",
]
