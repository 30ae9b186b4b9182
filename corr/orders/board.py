"""Parses orders that act on the board: moves, lists, drops, `px`, `pass`, `any?` and set-ups."""

from __future__ import annotations

import re
from collections.abc import Callable

from corr import limits
from corr.orders.scanner import Tape
from corr.words.board import SQUARE_NUMBER, Man
from corr.words.errors import Refused
from corr.words.orders import Act, Ask, Castle, Deploy, Drop, Move, Pass, PawnTry, Step, Tries

KEY = re.compile(r" ?([a-z]+)(?: ?(\?))?(?!\w)")
COLON = re.compile(r" ?:")
SEMICOLON = re.compile(r" ?;")
_COMMA = re.compile(r" ?,")
_EQUALS = re.compile(r" ?=")
_SLASH = re.compile(r" ?/")
_ANSWERS = {"yes": re.compile(r" ?yes ?:"), "no": re.compile(r" ?no ?:")}
#: What may stand between a move's squares; capture signs are accepted, but add nothing to the squares.
BETWEEN = r"(?: ?[-x\xd7]? ?|:)"
_SQUARES = re.compile(rf" ?([a-h][1-8]){BETWEEN}([a-h][1-8])")
_MOVE = re.compile(_SQUARES.pattern + r"(?: ?=? ?([qrbn])(?![\w@]))?(?!\w)")
_CASTLE = re.compile(r" ?[o0] ?- ?[o0]( ?- ?[o0])?(?![\w-])")
_PIECE = re.compile(r" ?([qrbn])(?![\w@])")
_DROP = re.compile(r" ?([qrbnp]) ?@ ?([a-h][1-8])(?!\w)")
_A_STEP = re.compile(f"{_SQUARES.pattern}|{_CASTLE.pattern}|{_DROP.pattern}")
_ICCF = re.compile(r"^([1-8]{4})$|^([1-8](?:7[1-8]8|2[1-8]1))([1-4])$")
_MAN = re.compile(r" ?([kqrbnp]?)([a-h][1-8])(?!\w)")
_NAME = re.compile(r" ?([a-z][a-z0-9_-]{1,23})(?![^;])")
_NUMBERED_MEN = (Man.QUEEN, Man.ROOK, Man.BISHOP, Man.KNIGHT)
ACT_START = re.compile(
    rf" ?;(?= ?(?:[a-h][1-8]{BETWEEN}[a-h][1-8]|[o0] ?- ?[o0]|[qrbnp] ?@|(?:px|pass|deploy)\b|any ?\?))"
)

A_MOVE = 'Write a move as the square it leaves and the square it goes to, for example "g1f3".'
A_PIECE = 'A pawn can become a queen, rook, bishop or knight. Write "e7e8q", "e7e8r", "e7e8b" or "e7e8n".'
A_COMMA = (
    "If a refused try doesn't end your turn, you can write several moves with commas, for "
    'example "e4d5, g1f3". The umpire tries them one after the other. Otherwise please '
    "write just one move."
)
BLANKS = f"An email can have one move. {A_COMMA}"
AN_ASK = 'After "any?" write "yes:" and "no:", each with a move or a list of moves, or write nothing.'
TOO_LONG = f"A list can have at most {limits.TRIES} moves. Please leave some out."
A_DEPLOY = 'After "deploy" write all your pieces with their squares, or the name of a prepared set-up.'


def act(tape: Tape) -> Act | None:
    """Parse the next act; None if there is none."""
    if tape.sees(_A_STEP):
        tries = moves(tape)
        return tries if len(tries.steps) > 1 else tries.steps[0]
    iccf = tape.take(_ICCF)
    return _numbered(iccf[1] or iccf[2], iccf[3]) if iccf else _named(tape)


def moves(tape: Tape) -> Tries:
    """Parse a single move, or a list of moves with commas, each kept once."""
    steps = [_step(tape)]
    while tape.take(_COMMA):
        steps.append(_step(tape))
        if len(steps) > limits.TRIES:
            raise Refused(TOO_LONG)
    if not tape.done and tape.sees(_SQUARES):
        raise tape.stuck(BLANKS)
    return Tries(tuple(dict.fromkeys(steps)))


def _numbered(squares: str, man: str | None) -> Move:
    """Parse a numeric move as correspondence players write it, alone on its line: 5254 goes from e2 to e4."""
    files, ranks = [int(number) - 1 for number in squares[::2]], [int(number) - 1 for number in squares[1::2]]
    origin, target = (8 * rank + file for file, rank in zip(files, ranks, strict=True))
    return Move(origin, target, _NUMBERED_MEN[int(man) - 1] if man else None)


def _named(tape: Tape) -> Act | None:
    key = tape.sees(KEY)
    reader = ACTS.get(key[1] + (key[2] or "")) if key else None
    if key is None or reader is None:
        return None
    tape.at = key.end()
    return reader(tape)


def _step(tape: Tape) -> Step:
    if tape.sees(_SQUARES):
        return _move(tape)
    drop, castle = tape.take(_DROP), tape.take(_CASTLE)
    if drop:
        return Drop(Man.from_letter(drop[1]), SQUARE_NUMBER[drop[2]])
    if castle:
        return Castle.LONG if castle[1] else Castle.SHORT
    raise tape.stuck(A_MOVE)


def _move(tape: Tape) -> Move:
    found = tape.need(_MOVE, A_MOVE)
    if tape.take(_EQUALS):
        raise tape.stuck(A_PIECE)
    man = Man.from_letter(found[3]) if found[3] else None
    return Move(SQUARE_NUMBER[found[1]], SQUARE_NUMBER[found[2]], man)


def _pawn_try(tape: Tape) -> PawnTry:
    piece = tape.need(_PIECE, A_PIECE) if tape.take(_EQUALS) else None
    return PawnTry(Man.from_letter(piece[1]) if piece else None)


def _pass(_tape: Tape) -> Pass:
    return Pass()


def _ask(tape: Tape) -> Ask:
    left, branches = dict(_ANSWERS), dict[str, Tries]()
    while left:
        slash = tape.take(_SLASH)
        answer = next((each for each, pattern in left.items() if tape.take(pattern)), None)
        if answer is None:
            if slash:
                raise tape.stuck(AN_ASK)
            break
        del left[answer]
        branches[answer] = moves(tape)
    return Ask(branches.get("yes"), branches.get("no"))


def _deploy(tape: Tape) -> Deploy:
    men = _men(tape)
    if men:
        return Deploy(men)
    return Deploy(name=tape.need(_NAME, A_DEPLOY)[1])


def _men(tape: Tape) -> tuple[tuple[Man, int], ...]:
    men: list[tuple[Man, int]] = []
    comma = None
    while len(men) <= len(SQUARE_NUMBER) and (found := tape.take(_MAN)):
        men.append((Man.from_letter(found[1] or "p"), SQUARE_NUMBER[found[2]]))
        comma = tape.take(_COMMA)
    if comma:
        raise tape.stuck(A_DEPLOY)
    return tuple(men)


ACTS: dict[str, Callable[[Tape], Act]] = {
    "px": _pawn_try,
    "pass": _pass,
    "any?": _ask,
    "deploy": _deploy,
}
