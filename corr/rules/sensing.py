"""Looking at a square and those around it, and what of it a side still remembers later."""

from __future__ import annotations

from functools import lru_cache

import chess

from corr.words import SQUARES, Contents, Fact, Man, Recalled, Side, squares_of

_AROUND = [chess.BB_KING_ATTACKS[square] | 1 << square for square in range(64)]
#: The squares of each window by their names: file by file, and up each file.
_ORDER = [sorted(squares_of(window), key=SQUARES.__getitem__) for window in _AROUND]

_KINDS = {
    Side.WHITE: {man.letter: man for man in reversed(Man)},
    Side.BLACK: {man.letter.lower(): man for man in reversed(Man)},
}
_WHITE, _BLACK = ".PNBRQK", ".pnbrqk"


def window(square: int | None) -> int:
    """The squares that a sense of this square shows, as a bitboard; none where there was none."""
    return 0 if square is None else _AROUND[square]


def contents(board: chess.Board, square: int | None) -> str:
    """What stands on the squares of the window, file by file: FEN letters, or a dot for an empty one."""
    return "" if square is None else "".join([_letter(board, each) for each in _ORDER[square]])


def holds(board: chess.Board, square: int, what: str, side: Side) -> bool:
    """Whether a square holds what this side asked for: nothing, or such a man of the other side."""
    letter = _letter(board, square)
    if what == "empty":
        return letter == "."
    is_enemy = letter.islower() if side is Side.WHITE else letter.isupper()
    return is_enemy and what in ("enemy", letter.lower())


def _letter(board: chess.Board, square: int) -> str:
    kind = board.piece_type_at(square) or 0
    return (_WHITE if board.occupied_co[True] >> square & 1 else _BLACK)[kind]


@lru_cache(maxsize=8192)
def remembered(move: int, side: Side, square: int, shown: str) -> Recalled:
    """What of this is worth knowing later: where no man of one's own stood."""
    own = str.isupper if side is Side.WHITE else str.islower
    pairs = zip(_ORDER[square], shown, strict=True)
    return Recalled(move, tuple((each, letter) for each, letter in pairs if not own(letter)))


def outdated(recalled: Recalled, known: int) -> Recalled:
    """The same without squares of which this side knows better by now."""
    kept = tuple(pair for pair in recalled.squares if not known >> pair[0] & 1)
    return recalled if len(kept) == len(recalled.squares) else Recalled(recalled.move, kept)


# ---------------------------------------------------------------- what is said


@lru_cache(maxsize=8192)
def sensed(side: Side, square: int | None, shown: str) -> Fact:
    """Told to whoever sensed, and to nobody else."""
    if square is None:
        return Fact("sensed", "You sensed nothing", (("squares", Contents(())),))
    pairs = tuple((SQUARES[each], letter) for each, letter in zip(_ORDER[square], shown, strict=True))
    return Fact(
        "sensed", f"Around {SQUARES[square]} you see {_seen(side, pairs)}", (("squares", Contents(pairs)),)
    )


def _seen(side: Side, pairs: tuple[tuple[str, str], ...]) -> str:
    """The other side's men, then one's own, kings first, then the empty squares."""
    called = {letter: f"{side.other.called}'s {man}" for letter, man in _KINDS[side.other].items()}
    called |= {letter: f"your own {man}" for letter, man in _KINDS[side].items()} | {".": "nothing"}
    listed = ((what, [name for name, stands in pairs if stands == letter]) for letter, what in called.items())
    return "; ".join(_on(what, names) for what, names in listed if names)


def _on(what: str, names: list[str]) -> str:
    plural = "s" if len(names) > 1 and what != "nothing" else ""
    return f"{what}{plural} on {_listed(names)}"


def _listed(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
