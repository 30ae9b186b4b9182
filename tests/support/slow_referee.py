"""A slow and obvious second referee for Assassin and Welbeck Kriegspiel, by the numbers of the rulings."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, NamedTuple

Side = Literal["white", "black"]
Variant = Literal["assassin", "welbeck"]
Move = tuple[str, str, str | None]
Key = tuple[frozenset[tuple[str, str]], Side, str, str | None]
Steps = tuple[tuple[int, int], ...]

FILES = "abcdefgh"
ROWS = "12345678"
STRAIGHT: Steps = ((0, 1), (0, -1), (1, 0), (-1, 0))
SLANTED: Steps = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS: Steps = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
LINES = {"B": SLANTED, "R": STRAIGHT, "Q": STRAIGHT + SLANTED}

FORWARD = {"white": 1, "black": -1}
SECOND_ROW = {"white": "2", "black": "7"}
LAST_ROW = {"white": "8", "black": "1"}
OWN_HALF = {"white": "1234", "black": "5678"}
ARMY = {"K": 1, "Q": 1, "R": 2, "B": 2, "N": 2, "P": 8}
PROMOTIONS = {"assassin": "rbn", "welbeck": "qrbn"}


class Castling(NamedTuple):
    """The squares of one castling, and those that have to be empty."""

    king_from: str
    king_to: str
    rook_from: str
    rook_to: str
    between: tuple[str, ...]


CASTLINGS = {
    "K": Castling("e1", "g1", "h1", "f1", ("f1", "g1")),
    "Q": Castling("e1", "c1", "a1", "d1", ("b1", "c1", "d1")),
    "k": Castling("e8", "g8", "h8", "f8", ("f8", "g8")),
    "q": Castling("e8", "c8", "a8", "d8", ("b8", "c8", "d8")),
}


@dataclass(frozen=True)
class Position:
    """The true board: FEN letters by square, and the rest of the position."""

    men: dict[str, str]
    side: Side
    castling: str
    target: str | None
    clock: int
    number: int
    variant: Variant

    @cached_property
    def legal(self) -> frozenset[Move]:
        """The legal moves, cached."""
        return frozenset(move for move in _all_moves(self) if not checkers(after(self, move), self.side))


def from_fen(fen: str, variant: Variant) -> Position:
    """Read the six fields of a FEN; Welbeck has no double steps, so no en passant target."""
    board, turn, castling, target, clock, number = fen.split()
    men = {}
    for row, line in zip(reversed(ROWS), board.split("/"), strict=True):
        squares = "".join("." * int(sign) if sign.isdigit() else sign for sign in line)
        men.update({file + row: man for file, man in zip(FILES, squares, strict=True) if man != "."})
    side: Side = "white" if turn == "w" else "black"
    passed = target if target != "-" and variant == "assassin" else None
    return Position(men, side, castling.replace("-", ""), passed, int(clock), int(number), variant)


def to_fen(position: Position) -> str:
    """Write the six fields of a FEN, with the en passant target even if no pawn can use it."""
    board = "/".join("".join(position.men.get(file + row, "1") for file in FILES) for row in reversed(ROWS))
    for empty in range(8, 1, -1):
        board = board.replace("1" * empty, str(empty))
    rights = position.castling or "-"
    return f"{board} {position.side[0]} {rights} {position.target or '-'} {position.clock} {position.number}"


def side_of(man: str) -> Side:
    """White's pieces are capital letters."""
    return "white" if man.isupper() else "black"


def other(side: Side) -> Side:
    """The opponent."""
    return "black" if side == "white" else "white"


@cache
def step(square: str, files: int, rows: int) -> str | None:
    """The square this many files to the right and rows up, if the board has it."""
    file = FILES.index(square[0]) + files
    row = ROWS.index(square[1]) + rows
    return FILES[file] + ROWS[row] if file in range(8) and row in range(8) else None


@cache
def steps(square: str, ways: Steps) -> frozenset[str]:
    """The squares of the board that are one of these steps away."""
    return frozenset(there for way in ways if (there := step(square, *way)))


def reach(men: dict[str, str], square: str, ways: Steps) -> AbstractSet[str]:
    """The squares along these lines, up to and including the first piece."""
    seen = set()
    for way in ways:
        there = step(square, *way)
        while there:
            seen.add(there)
            there = None if there in men else step(there, *way)
    return seen


def attacks(position: Position, square: str) -> AbstractSet[str]:
    """The squares that the piece on this square attacks; a spy attacks nothing (AS-7)."""
    man = position.men[square]
    kind = man.upper()
    if kind == "P":
        forward = FORWARD[side_of(man)]
        return steps(square, ((-1, forward), (1, forward)))
    if kind == "N":
        return set() if position.variant == "assassin" else steps(square, LEAPS)
    if kind == "K":
        return steps(square, STRAIGHT + SLANTED)
    return reach(position.men, square, LINES[kind])


def attackers(position: Position, square: str, side: Side) -> set[str]:
    """The squares of this side's pieces that attack the square."""
    mine = {start for start, man in position.men.items() if side_of(man) == side}
    return {start for start in mine if square in attacks(position, start)}


def king_square(position: Position, side: Side) -> str:
    """The square of this side's king."""
    king = "K" if side == "white" else "k"
    return next(square for square, man in position.men.items() if man == king)


def checkers(position: Position, side: Side) -> set[str]:
    """The squares of the pieces that attack this side's king."""
    return attackers(position, king_square(position, side), other(side))


def check_kinds(position: Position) -> set[str]:
    """From which directions the side to move is in check (G3)."""
    king = king_square(position, position.side)
    rising = reach({}, king, ((1, 1), (-1, -1)))
    falling = reach({}, king, ((1, -1), (-1, 1)))
    longer = rising if len(rising) > len(falling) else falling
    kinds = set()
    for square in checkers(position, position.side):
        if square[0] == king[0]:
            kinds.add("file")
        elif square[1] == king[1]:
            kinds.add("rank")
        elif square in rising | falling:
            kinds.add("long-diagonal" if square in longer else "short-diagonal")
        else:
            kinds.add("knight")
    return kinds


def pawn_steps(position: Position, square: str) -> set[str]:
    """Straight ahead: two squares only from a side's second row, and never in Welbeck (AS-5)."""
    forward = FORWARD[position.side]
    one, two = step(square, 0, forward), step(square, 0, 2 * forward)
    if not one or one in position.men:
        return set()
    may_double = position.variant == "assassin" and square[1] == SECOND_ROW[position.side]
    return {one, two} if two and may_double and two not in position.men else {one}


def destinations(position: Position, square: str) -> AbstractSet[str]:
    """Where the mover's piece may go, ignoring the king's safety and castling."""
    enemies = {there for there, man in position.men.items() if side_of(man) != position.side}
    kind = position.men[square].upper()
    if kind == "P":
        captures = attacks(position, square) & (enemies | {position.target})
        return pawn_steps(position, square) | captures
    if kind == "N" and position.variant == "assassin":
        return steps(square, LEAPS) - set(position.men)
    return attacks(position, square) - (set(position.men) - enemies)


def castling_moves(position: Position) -> set[Move]:
    """Castling with the right, over empty squares, not out of, through or into check (AS-12)."""
    found: set[Move] = set()
    for right in position.castling:
        castling = CASTLINGS[right]
        mine = side_of(right) == position.side
        free = not any(square in position.men for square in castling.between)
        walk = (castling.king_from, castling.rook_to, castling.king_to)
        safe = not any(attackers(position, square, other(position.side)) for square in walk)
        if mine and free and safe:
            found.add((castling.king_from, castling.king_to, None))
    return found


def legal_moves(position: Position) -> AbstractSet[Move]:
    """Every move that leaves the mover's king unattacked, promotions letter by letter (AS-5, AS-6, AS-7)."""
    return position.legal


def _all_moves(position: Position) -> set[Move]:
    """Where the mover's pieces may go, ignoring the king's safety."""
    moves = castling_moves(position)
    for square, man in position.men.items():
        if side_of(man) != position.side:
            continue
        for there in destinations(position, square):
            if man.upper() == "P" and there[1] == LAST_ROW[position.side]:
                moves |= {(square, there, letter) for letter in PROMOTIONS[position.variant]}
            else:
                moves.add((square, there, None))
    return moves


def captured(position: Position, move: Move) -> tuple[str, bool] | None:
    """The square to announce, en passant the landing square too, and whether it is en passant (C4, C5)."""
    start, end, _ = move
    if end in position.men:
        return end, False
    if position.men[start].upper() == "P" and start[0] != end[0]:
        return end, True
    return None


def after(position: Position, move: Move) -> Position:
    """The position that a move leads to."""
    start, end, letter = move
    capture = captured(position, move)
    men = dict(position.men)
    man = men.pop(start)
    is_pawn = man.upper() == "P"
    men[end] = man
    if letter:
        men[end] = letter.upper() if position.side == "white" else letter
    if capture and capture[1]:
        del men[end[0] + start[1]]
    lost = set()
    for right, castling in CASTLINGS.items():
        if man in "Kk" and (start, end) == (castling.king_from, castling.king_to):
            men[castling.rook_to] = men.pop(castling.rook_from)
        if {start, end} & {castling.king_from, castling.rook_from}:
            lost.add(right)
    rights = "".join(right for right in position.castling if right not in lost)
    doubled = is_pawn and abs(int(end[1]) - int(start[1])) == 2
    target = step(start, 0, FORWARD[position.side]) if doubled else None
    clock = 0 if is_pawn or capture else position.clock + 1
    number = position.number + (position.side == "black")
    return Position(men, other(position.side), rights, target, clock, number, position.variant)


def pawn_tries(position: Position) -> set[tuple[str, str]]:
    """The legal captures by pawns, each once however it may promote (G4)."""
    return {
        (move[0], move[1])
        for move in legal_moves(position)
        if position.men[move[0]].upper() == "P" and captured(position, move)
    }


def is_spy_move(position: Position, move: Move) -> bool:
    """Whether a spy moves and gets a report; a pawn that becomes a spy isn't one yet (AS-8)."""
    return position.variant == "assassin" and position.men[move[0]].upper() == "N"


def spy_report(position_after: Position, square: str) -> dict[str, str]:
    """The contents of the square's neighbours, ordered by file and row (AS-8)."""
    return {there: position_after.men.get(there, ".") for there in sorted(steps(square, STRAIGHT + SLANTED))}


def key(position: Position) -> Key:
    """What must be equal for a repetition: pieces, side, castling and legal en passant (G7)."""
    tries = {end for start, end in pawn_tries(position) if end not in position.men}
    target = position.target if tries else None
    return frozenset(position.men.items()), position.side, position.castling, target


def winner_of_mate(position: Position) -> Side:
    """Who wins when the side to move is mated; in Assassin only a check by the queen wins (AS-9)."""
    kinds = {position.men[square].upper() for square in checkers(position, position.side)}
    mates_well = position.variant == "welbeck" or "Q" in kinds
    return other(position.side) if mates_well else position.side


def is_dead(position: Position) -> bool:
    """King against king, with one bishop or knight, or with bishops on one colour only (G7)."""
    others = {square: man.upper() for square, man in position.men.items() if man.upper() != "K"}
    lone_knight = list(others.values()) == ["N"]
    only_bishops = set(others.values()) <= {"B"}
    return lone_knight or (only_bishops and len({is_light(square) for square in others}) <= 1)


def is_light(square: str) -> bool:
    """Whether the square is light, as h1 is."""
    return (FILES.index(square[0]) + ROWS.index(square[1])) % 2 == 1


def ending(position: Position, history: Sequence[Key], clock: int) -> tuple[str, Side | None] | None:
    """Why the game is over and who won, first reason first (G7); this position's key is in the history."""
    is_stuck = not legal_moves(position)
    if is_stuck and checkers(position, position.side):
        return "checkmate", winner_of_mate(position)
    draws = {
        "assassins": position.variant == "assassin" and not {"Q", "q"} & set(position.men.values()),
        "stalemate": is_stuck,
        "material": position.variant == "welbeck" and is_dead(position),
        "repetition": history.count(key(position)) >= 3,
        "fifty": clock >= 100,
    }
    return next(((reason, None) for reason, is_so in draws.items() if is_so), None)


def faults(men: Sequence[str], side: Side, variant: Variant) -> list[str]:
    """What is wrong with a deployment such as Ke1 Qd1 …, the same in both variants (AS-1)."""
    squares = [man[1:] for man in men]
    half = {file + row for file in FILES for row in OWN_HALF[side]}
    bishops = [man[1:] for man in men if man[0] == "B" and man[1:] in half]
    found = [f"{man} is no man." for man in men if man[0] not in ARMY]
    for letter, due in ARMY.items():
        placed = sum(man[0] == letter for man in men)
        if placed != due:
            found.append(f"{placed} {letter} instead of {due}.")
    found += [f"{man} is outside {side}'s four rows." for man in men if man[1:] not in half]
    found += [f"{square} is taken twice." for square in sorted(set(squares)) if squares.count(square) > 1]
    if len(bishops) == 2 and is_light(bishops[0]) == is_light(bishops[1]):
        found.append("Both bishops are on one colour.")
    return found


def joined(white_men: Sequence[str], black_men: Sequence[str], variant: Variant) -> Position:
    """The position in which the game begins, White to move."""
    men = {man[1:]: man[0] for man in white_men} | {man[1:]: man[0].lower() for man in black_men}
    return Position(men, "white", castling_rights(white_men, black_men), None, 0, 1, variant)


def castling_rights(white_men: Sequence[str], black_men: Sequence[str]) -> str:
    """The castling rights of a king and rooks deployed on their usual squares (AS-12)."""
    rights = ""
    for right, castling in CASTLINGS.items():
        men = white_men if side_of(right) == "white" else black_men
        if f"K{castling.king_from}" in men and f"R{castling.rook_from}" in men:
            rights += right
    return rights


def clash(white_men: Sequence[str], black_men: Sequence[str], variant: Variant) -> bool:
    """Whether two deployments are void together: a king is attacked, or White cannot move (AS-4)."""
    position = joined(white_men, black_men, variant)
    return bool(checkers(position, "white") or checkers(position, "black")) or not legal_moves(position)
