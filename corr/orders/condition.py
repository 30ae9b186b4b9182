"""Parses conditional orders: on what a sensed square holds, or on what the umpire will say."""

from __future__ import annotations

import re

from corr.orders.board_orders import ACT_START, COLON, MOVE_HINT, parse_act, parse_moves
from corr.orders.scanner import LineScanner
from corr.orders.unclear_lines import IF_HINT
from corr.words.board import SQUARE_NUMBER, PieceKind
from corr.words.orders import Act, Branch, Condition, Sense, SenseBranch, StandingOrders

_SQUARE = re.compile(r" ?([a-h][1-8])(?!\w)")
_SENSED = re.compile(r" ?([a-h][1-8]|none)(?!\w)")
_GLIMPSE = re.compile(r" ?; ?if ([a-h][1-8]) ?=")
_ANY_GLIMPSE = re.compile(r" ?[a-h][1-8] ?=")
_SQUARE_CONTENT = re.compile(r" ?(empty|enemy|pawn|knight|bishop|rook|queen|king|[pnbrqk])(?!\w)")
_ELSE = re.compile(r" ?;? ?else(?!\w)(?: ?:)?")
_IF = re.compile(r" ?; ?if(?!\w)(?! [a-h][1-8] ?=)")
_AND = re.compile(r" ?and(?!\w)")
_CAPTURE_OR_CHECK = re.compile(r" ?(no )?(capture|check)(?!\w)")
_CHECK = re.compile(r" ?(rank|file|long|short|knight)(?: diagonal)?(?!\w)")
_PX = re.compile(r" ?px\b")
_TRIES = re.compile(r" ?tries ?([=<>]) ?(\d{1,2})(?!\w)")

SENSE_HINT = 'After "sense" write one square, for example "d5", or the word "none".'
CONTENT_HINT = (
    'After the "=" write what the square holds: "empty", "enemy", or a piece such as "p" or "pawn".'
)
NO_PX_HINT = (
    'After an "if", write a move by its squares, for example "e4d5, c4d5". The word "px" '
    "works only on your own turn, when you know the number of pawn tries."
)
COLON_HINT = 'After the condition of an "if" write a ":" and then what to do.'
SQUARE_CONDITION_HINT = 'An "if" about a square comes after "sense" and a ";" in the same order.'


def parse_sense(tape: LineScanner) -> Sense:
    """Parse what follows `sense`: a square, and moves that depend on what it shows."""
    name = tape.require(_SENSED, SENSE_HINT)[1]
    branches = []
    while seen := tape.take(_GLIMPSE):
        what = tape.require(_SQUARE_CONTENT, CONTENT_HINT)[1]
        tape.require(COLON, COLON_HINT)
        branches.append(SenseBranch(SQUARE_NUMBER[seen[1]], _short(what), _act(tape)))
    otherwise = _act(tape) if tape.take(_ELSE) or tape.take(ACT_START) else None
    return Sense(None if name == "none" else SQUARE_NUMBER[name], tuple(branches), otherwise)


def parse_standing_orders(tape: LineScanner) -> StandingOrders:
    """Parse `if` branches for the next turn, and perhaps an `else`, after the first `if`."""
    branches = [_branch(tape)]
    while tape.take(_IF):
        branches.append(_branch(tape))
    return StandingOrders(tuple(branches), parse_moves(tape) if tape.take(_ELSE) else None)


def _short(what: str) -> str:
    """Shorten the name of a piece to its letter, and keep "empty" and "enemy"."""
    return what if len(what) == 1 or what in ("empty", "enemy") else PieceKind(what).letter.lower()


def _act(tape: LineScanner) -> Act:
    """Parse an order that acts on the board; raise Refused with a hint if there is none."""
    found = parse_act(tape)
    if found is None:
        raise tape.stuck(MOVE_HINT)
    return found


def _branch(tape: LineScanner) -> Branch:
    """Parse the conditions of one `if`, and the moves to try if all hold."""
    conditions = [_condition(tape)]
    while tape.take(_AND):
        conditions.append(_condition(tape))
    tape.require(COLON, COLON_HINT)
    if tape.sees(_PX):
        raise tape.stuck(NO_PX_HINT)
    return Branch(tuple(conditions), parse_moves(tape))


def _condition(tape: LineScanner) -> Condition:
    """Parse one condition on what the umpire says: a capture, a check or pawn tries."""
    tries = tape.take(_TRIES)
    if tries:
        return Condition(f"tries{tries[1]}{int(tries[2])}")
    if tape.sees(_ANY_GLIMPSE):
        raise tape.stuck(SQUARE_CONDITION_HINT)
    found = tape.require(_CAPTURE_OR_CHECK, IF_HINT)
    if found[1]:
        return Condition(f"no {found[2]}")
    closer = tape.take(_SQUARE if found[2] == "capture" else _CHECK)
    return Condition(f"{found[2]} {closer[1]}" if closer else found[2])
