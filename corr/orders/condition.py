"""Parses conditional orders: on what a sensed square holds, or on what the umpire will say."""

from __future__ import annotations

import re

from corr.orders.board import A_MOVE, ACT_START, COLON, act, moves
from corr.orders.scanner import Tape
from corr.orders.unclear_lines import LATER
from corr.words.board import SQUARE_NUMBER, Man
from corr.words.orders import Act, Branch, Condition, Glimpse, Sense, StandingOrders

_SQUARE = re.compile(r" ?([a-h][1-8])(?!\w)")
_SENSED = re.compile(r" ?([a-h][1-8]|none)(?!\w)")
_GLIMPSE = re.compile(r" ?; ?if ([a-h][1-8]) ?=")
_ANY_GLIMPSE = re.compile(r" ?[a-h][1-8] ?=")
_WHAT = re.compile(r" ?(empty|enemy|pawn|knight|bishop|rook|queen|king|[pnbrqk])(?!\w)")
_ELSE = re.compile(r" ?;? ?else(?!\w)(?: ?:)?")
_IF = re.compile(r" ?; ?if(?!\w)(?! [a-h][1-8] ?=)")
_AND = re.compile(r" ?and(?!\w)")
_TOLD = re.compile(r" ?(no )?(capture|check)(?!\w)")
_CHECK = re.compile(r" ?(rank|file|long|short|knight)(?: diagonal)?(?!\w)")
_PX = re.compile(r" ?px\b")
_TRIES = re.compile(r" ?tries ?([=<>]) ?(\d{1,2})(?!\w)")

A_SENSE = 'After "sense" write one square, for example "d5", or the word "none".'
A_WHAT = 'After the "=" write what the square holds: "empty", "enemy", or a piece such as "p" or "pawn".'
NO_PX = (
    'After an "if", write a move by its squares, for example "e4d5, c4d5". The word "px" '
    "works only in your own turn, when you know the number of pawn tries."
)
A_COLON = 'After the condition of an "if" write a ":" and then what to do.'
A_GLIMPSE = 'An "if" about a square comes after "sense" and a ";" in the same order.'


def sense(tape: Tape) -> Sense:
    """Parse what follows the word `sense`."""
    name = tape.need(_SENSED, A_SENSE)[1]
    glimpses = []
    while seen := tape.take(_GLIMPSE):
        what = tape.need(_WHAT, A_WHAT)[1]
        tape.need(COLON, A_COLON)
        glimpses.append(Glimpse(SQUARE_NUMBER[seen[1]], _short(what), _act(tape)))
    otherwise = _act(tape) if tape.take(_ELSE) or tape.take(ACT_START) else None
    return Sense(None if name == "none" else SQUARE_NUMBER[name], tuple(glimpses), otherwise)


def standing(tape: Tape) -> StandingOrders:
    """Parse what follows the word `if`."""
    branches = [_branch(tape)]
    while tape.take(_IF):
        branches.append(_branch(tape))
    return StandingOrders(tuple(branches), moves(tape) if tape.take(_ELSE) else None)


def _short(what: str) -> str:
    return what if len(what) == 1 or what in ("empty", "enemy") else Man(what).letter.lower()


def _act(tape: Tape) -> Act:
    found = act(tape)
    if found is None:
        raise tape.stuck(A_MOVE)
    return found


def _branch(tape: Tape) -> Branch:
    conditions = [_condition(tape)]
    while tape.take(_AND):
        conditions.append(_condition(tape))
    tape.need(COLON, A_COLON)
    if tape.sees(_PX):
        raise tape.stuck(NO_PX)
    return Branch(tuple(conditions), moves(tape))


def _condition(tape: Tape) -> Condition:
    tries = tape.take(_TRIES)
    if tries:
        return Condition(f"tries{tries[1]}{int(tries[2])}")
    if tape.sees(_ANY_GLIMPSE):
        raise tape.stuck(A_GLIMPSE)
    found = tape.need(_TOLD, LATER)
    if found[1]:
        return Condition(f"no {found[2]}")
    closer = tape.take(_SQUARE if found[2] == "capture" else _CHECK)
    return Condition(f"{found[2]} {closer[1]}" if closer else found[2])
