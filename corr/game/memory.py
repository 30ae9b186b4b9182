"""Remembers what a side has seen of hidden squares or can deduce, until something disproves it."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from corr.words.board import SQUARE_NUMBER, PieceKind, Side
from corr.words.codes import Common, SquareContents
from corr.words.slips import RECENT_TURNS, Fact, RememberedSquares, Sight, Slip

_START = 0
_EMPTY = "."
_UNTOLD = "x"


def add_memory(before: Sight | None, slip: Slip) -> Slip:
    """Add to a slip what its side remembers; `before` is what that side saw until then."""
    sight = slip.sight
    if sight.turn is None:
        return slip
    memory = _Memory(before or sight, sight, sight.turn)
    for fact in slip.facts:
        memory.learn(fact)
    return slip._replace(sight=sight._replace(recalled=memory.recalled()))


class _Memory:
    """The last known content of each square and its turn, updated by the facts of a slip."""

    def __init__(self, before: Sight, sight: Sight, turn: int) -> None:
        self._before, self._sight, self._turn = before, sight, turn
        self._known = {square: (each.move, held) for each in before.recalled for square, held in each.squares}
        self._path = (0, 0)

    def learn(self, fact: Fact) -> None:
        """Learn from one announcement of the umpire."""
        if fact.code is Common.KING:
            self._hold(_square(fact["square"]), self._theirs(PieceKind.KING.letter), _START)
        elif fact.code is Common.MOVED:
            self._moved(str(fact["move"] or "pass"))
        elif fact.code is Common.TAKEN:
            self._taken(str(fact["asked"]), str(fact["move"] or "pass"))
        elif fact.code is Common.CAPTURE and fact["square"] is not None:
            self._captured(fact, _square(fact["square"]))
        elif shown := fact.shown:
            self._shown(shown)

    def recalled(self) -> tuple[RememberedSquares, ...]:
        """Return all memories, oldest first, without the side's own pieces and squares that were empty long ago."""
        known = sorted(
            (move, square, held)
            for square, (move, held) in self._known.items()
            if not self._sight.own >> square & 1 and (held != _EMPTY or self._turn - move <= RECENT_TURNS)
        )
        return tuple(
            RememberedSquares(move, tuple([(square, held) for _, square, held in each]))
            for move, each in groupby(known, key=lambda each: each[0])
        )

    def _shown(self, shown: SquareContents) -> None:
        """Remember what a sense or a spy showed, except own pieces."""
        for name, held in shown.on:
            if held == _EMPTY or held == self._theirs(held):
                self._hold(SQUARE_NUMBER[name], held, self._turn)

    def _moved(self, move: str) -> None:
        """Remember that the squares which an own move left or crossed are empty."""
        if move == "pass":
            return
        origin, target = self._path = _squares(move)
        self._empty(origin, *_squares_between(origin, target))
        if self._before.kings >> origin & 1 and abs(target - origin) == 2:
            corner = origin | 7 if target > origin else origin & ~7
            self._empty(corner, *_squares_between(origin, corner))

    def _taken(self, asked: str, made: str) -> None:
        """Deduce why an own pawn did not get to the square it was asked to move to."""
        if asked[:4] == made[:4] or asked == "pass":
            return
        origin, target = _squares(asked)
        if not self._before.own & self._before.pawns & 1 << origin:
            return
        if made != "pass":
            self._blocked(target)
        elif origin % 8 == target % 8:
            self._blocked(origin + self._forward)
        else:
            self._empty(target)

    def _captured(self, fact: Fact, square: int) -> None:
        """Remember which square a capture shows to be empty or to hold the captor."""
        passing = fact.get("en_passant")
        if fact["side"] == self._sight.side:
            origin, target = self._path
            self._empty(origin & ~7 | target & 7 if passing else square)
        elif passing:
            self._hold(square, self._theirs(PieceKind.PAWN.letter), self._turn)
            self._empty(square + self._forward)
        elif passing is False or not self._may_be_en_passant(square):
            self._hold(square, self._theirs(_UNTOLD), self._turn)

    def _may_be_en_passant(self, square: int) -> bool:
        """Whether an own pawn's double step has just ended here, so that its captor may be behind it."""
        behind, home = square - self._forward, square - 2 * self._forward
        if not self._before.pawns >> square & 1 or home // 8 not in (1, 6):
            return False
        return all(self._known.get(each) == (self._before.turn, _EMPTY) for each in (behind, home))

    def _hold(self, square: int, held: str, move: int) -> None:
        """Record what is on a square; a side has only one king, so any older place of it goes."""
        if held in "Kk":
            self._known = {each: known for each, known in self._known.items() if known[1] != held}
        self._known[square] = move, held

    def _empty(self, *squares: int) -> None:
        for square in squares:
            self._known[square] = self._turn, _EMPTY

    def _blocked(self, square: int) -> None:
        """Remember that an opponent's piece is here, of unknown kind if none was seen."""
        if self._known.get(square, (0, _EMPTY))[1] == _EMPTY:
            self._hold(square, self._theirs(_UNTOLD), self._turn)

    def _theirs(self, letter: str) -> str:
        """Return a piece's letter in the opponent's case."""
        return letter.lower() if self._sight.side is Side.WHITE else letter.upper()

    @property
    def _forward(self) -> int:
        """What to add to a square's number for one step ahead."""
        return 8 if self._sight.side is Side.WHITE else -8


def _square(name: object) -> int:
    return SQUARE_NUMBER[str(name)]


def _squares(move: str) -> tuple[int, int]:
    return SQUARE_NUMBER[move[:2]], SQUARE_NUMBER[move[2:4]]


@lru_cache(maxsize=4096)
def _squares_between(origin: int, target: int) -> tuple[int, ...]:
    """Return the squares between two squares of one line; empty if they share no line."""
    files, ranks = target % 8 - origin % 8, target // 8 - origin // 8
    if files and ranks and abs(files) != abs(ranks):
        return ()
    steps = max(abs(files), abs(ranks))
    step = files // steps + 8 * (ranks // steps)
    return tuple(origin + step * count for count in range(1, steps))
