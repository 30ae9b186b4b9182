"""Parses orders that act on the board: moves, lists (limit: `corr/limits.py`), drops, `px`, `pass`, `any?`, set-ups."""

from __future__ import annotations

import re
from collections.abc import Callable

from corr import limits
from corr.orders.scanner import LineScanner
from corr.words.board import SQUARE_NUMBER, PieceKind
from corr.words.errors import Refused
from corr.words.orders import Act, Ask, Castle, Deploy, Drop, Move, Pass, PawnTry, Step, Tries

KEY = re.compile(r" ?([a-z]+)(?: ?(\?))?(?!\w)")
COLON = re.compile(r" ?:")
SEMICOLON = re.compile(r" ?;")
_COMMA = re.compile(r" ?,")
_EQUALS = re.compile(r" ?=")
_SLASH = re.compile(r" ?/")
_ANSWERS = {"yes": re.compile(r" ?yes ?:"), "no": re.compile(r" ?no ?:")}
#: What may come between a move's squares; capture signs are accepted, but add nothing to the squares.
BETWEEN_SQUARES = r"(?: ?[-x\xd7]? ?|:)"
_SQUARES = re.compile(rf" ?([a-h][1-8]){BETWEEN_SQUARES}([a-h][1-8])")
_MOVE = re.compile(_SQUARES.pattern + r"(?: ?=? ?([qrbn])(?![\w@]))?(?!\w)")
_CASTLE = re.compile(r" ?[o0] ?- ?[o0]( ?- ?[o0])?(?![\w-])")
_PIECE = re.compile(r" ?([qrbn])(?![\w@])")
_DROP = re.compile(r" ?([qrbnp]) ?@ ?([a-h][1-8])(?!\w)")
_A_STEP = re.compile(f"{_SQUARES.pattern}|{_CASTLE.pattern}|{_DROP.pattern}")
_ICCF = re.compile(r"^([1-8]{4})$|^([1-8](?:7[1-8]8|2[1-8]1))([1-4])$")
_PLACED_PIECE = re.compile(r" ?([kqrbnp]?)([a-h][1-8])(?!\w)")
_NAME = re.compile(r" ?([a-z][a-z0-9_-]{1,23})(?![^;])")
_NUMERIC_PROMOTIONS = (PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT)
ACT_START = re.compile(
    rf" ?;(?= ?(?:[a-h][1-8]{BETWEEN_SQUARES}[a-h][1-8]|[o0] ?- ?[o0]|[qrbnp] ?@|(?:px|pass|deploy)\b|any ?\?))"
)

MOVE_HINT = 'Write a move as the square it leaves and the square it goes to, for example "g1f3".'
PROMOTION_HINT = (
    'A pawn can become a queen, rook, bishop or knight. Write "e7e8q", "e7e8r", "e7e8b" or "e7e8n".'
)
LIST_HINT = (
    "If a refused try doesn't end your turn, you can write several moves with commas, for example \"e4d5, "
    'g1f3". The umpire tries them one after the other. Otherwise please write just one move.'
)
BLANKS_HINT = f"An email can have only one move. {LIST_HINT}"
ASK_HINT = 'After "any?" write "yes:" and "no:", each with a move or a list of moves, or write nothing.'
LIST_TOO_LONG = f"A list can have at most {limits.TRIES} moves. Please leave some out."
DEPLOY_HINT = 'After "deploy" write all your pieces with their squares, or the name of a prepared set-up.'


def parse_act(tape: LineScanner) -> Act | None:
    """Parse an order that acts on the board; None if the line begins with none."""
    if tape.sees(_A_STEP):
        tries = parse_moves(tape)
        return tries if len(tries.steps) > 1 else tries.steps[0]
    iccf = tape.take(_ICCF)
    return _parse_numeric_move(iccf[1] or iccf[2], iccf[3]) if iccf else _parse_named_act(tape)


def parse_moves(tape: LineScanner) -> Tries:
    """Parse a single move, or a list of moves with commas, each kept once; Refused if there are too many."""
    steps = [_step(tape)]
    while tape.take(_COMMA):
        steps.append(_step(tape))
        if len(steps) > limits.TRIES:
            raise Refused(LIST_TOO_LONG)
    if not tape.done and tape.sees(_SQUARES):
        raise tape.stuck(BLANKS_HINT)
    return Tries(tuple(dict.fromkeys(steps)))


def _parse_numeric_move(squares: str, man: str | None) -> Move:
    """Parse a numeric move as correspondence players write it, alone on its line: 5254 goes from e2 to e4."""
    files, ranks = [int(number) - 1 for number in squares[::2]], [int(number) - 1 for number in squares[1::2]]
    origin, target = (8 * rank + file for file, rank in zip(files, ranks, strict=True))
    return Move(origin, target, _NUMERIC_PROMOTIONS[int(man) - 1] if man else None)


def _parse_named_act(tape: LineScanner) -> Act | None:
    """Parse an act that begins with a word, such as `px` or `deploy`; None otherwise."""
    key = tape.sees(KEY)
    reader = ACT_PARSERS.get(key[1] + (key[2] or "")) if key else None
    if key is None or reader is None:
        return None
    tape.at = key.end()
    return reader(tape)


def _step(tape: LineScanner) -> Step:
    """Parse a single move, drop or castling; raise Refused for anything else."""
    if tape.sees(_SQUARES):
        return _move(tape)
    drop, castle = tape.take(_DROP), tape.take(_CASTLE)
    if drop:
        return Drop(PieceKind.from_letter(drop[1]), SQUARE_NUMBER[drop[2]])
    if castle:
        return Castle.LONG if castle[1] else Castle.SHORT
    raise tape.stuck(MOVE_HINT)


def _move(tape: LineScanner) -> Move:
    found = tape.require(_MOVE, MOVE_HINT)
    if tape.take(_EQUALS):
        raise tape.stuck(PROMOTION_HINT)
    man = PieceKind.from_letter(found[3]) if found[3] else None
    return Move(SQUARE_NUMBER[found[1]], SQUARE_NUMBER[found[2]], man)


def _pawn_try(tape: LineScanner) -> PawnTry:
    piece = tape.require(_PIECE, PROMOTION_HINT) if tape.take(_EQUALS) else None
    return PawnTry(PieceKind.from_letter(piece[1]) if piece else None)


def _ask(tape: LineScanner) -> Ask:
    """Parse what may follow `any?`: moves after `yes:` and moves after `no:`."""
    left, branches = dict(_ANSWERS), dict[str, Tries]()
    while left:
        slash = tape.take(_SLASH)
        answer = next((each for each, pattern in left.items() if tape.take(pattern)), None)
        if answer is None:
            if slash:
                raise tape.stuck(ASK_HINT)
            break
        del left[answer]
        branches[answer] = parse_moves(tape)
    return Ask(branches.get("yes"), branches.get("no"))


def _deploy(tape: LineScanner) -> Deploy:
    men = _parse_pieces(tape)
    if men:
        return Deploy(men)
    return Deploy(name=tape.require(_NAME, DEPLOY_HINT)[1])


def _parse_pieces(tape: LineScanner) -> tuple[tuple[PieceKind, int], ...]:
    """Parse pieces with their squares, such as `Ke1, e2`; empty if there are none."""
    men: list[tuple[PieceKind, int]] = []
    comma = None
    while len(men) <= len(SQUARE_NUMBER) and (found := tape.take(_PLACED_PIECE)):
        men.append((PieceKind.from_letter(found[1] or "p"), SQUARE_NUMBER[found[2]]))
        comma = tape.take(_COMMA)
    if comma:
        raise tape.stuck(DEPLOY_HINT)
    return tuple(men)


ACT_PARSERS: dict[str, Callable[[LineScanner], Act]] = {
    "px": _pawn_try,
    "pass": lambda _tape: Pass(),
    "any?": _ask,
    "deploy": _deploy,
}
