"""Defines a slip, what the umpire gives one side after an order: announcements ("facts") and what it now sees."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from corr.words.board import Pair, PieceKind, Side, squares_of
from corr.words.codes import Audience, Code, Common, Data, Datum, SquareContents
from corr.words.orders import Castle


@dataclass(frozen=True, slots=True)
class Fact:
    """One announcement: a code and checked data for programs, a sentence for people, empty if unspoken."""

    code: Code
    text: str
    data: Data = ()

    def __post_init__(self) -> None:
        if not isinstance(self.code, Code):
            raise TypeError(f'No variant declares the code "{self.code}".')
        if not self.code.contract.fits_data(self.data):
            faults = " ".join(self.code.contract.faults(self.data))
            raise ValueError(f'The fact "{self.code}" is wrong. {faults}')

    @classmethod
    def from_stored(cls, code: Code, text: str, data: Data) -> Fact:
        """Restore a stored fact without checking it against today's contract."""
        fact = object.__new__(cls)
        object.__setattr__(fact, "code", code)
        object.__setattr__(fact, "text", text)
        object.__setattr__(fact, "data", data)
        return fact

    def __getitem__(self, key: str) -> Datum:
        return dict(self.data)[key]

    def get(self, key: str) -> Datum:
        return dict(self.data).get(key)

    @property
    def plain(self) -> dict[str, object]:
        """The data in a form that JSON can hold."""
        return {
            key: dict(datum.on) if isinstance(datum, SquareContents) else datum for key, datum in self.data
        }

    @property
    def audience(self) -> Audience:
        return self.code.contract.audience

    @property
    def is_public(self) -> bool:
        """Whether both sides hear this announcement, perhaps each in its own words."""
        if self.audience is _ANSWER:
            return self.get("side") is not None
        return self.audience in _PUBLIC

    @property
    def shown(self) -> SquareContents | None:
        """The squares that this announcement shows, as after a sense; None if it shows none."""
        return next((datum for _, datum in self.data if isinstance(datum, SquareContents)), None)


#: Names that are faster to look up than the enumeration's.
_MOVE, _ANSWER = Audience.MOVE, Audience.ANSWER
_PUBLIC = (_MOVE, Audience.BOTH, Audience.END)
#: Words of the rules, and what people read in their place.
_PLAIN_WORDS = (
    (re.compile(r"\b1 pawn tries\b"), "1 pawn try"),
    (re.compile(r"\bPawn capture\."), "Pawn capture possible."),
    (re.compile(r"\bcaptured a man\b"), "captured a piece"),
    (re.compile(r"\bBoth sides deploy their men\b"), "Both sides deploy their pieces"),
    (re.compile(r"\bThe operator has ended the game\b"), "An admin has ended the game"),
    (re.compile(r"\byou could have seen it's impossible\b"), "you could have ruled it out yourself"),
    (re.compile(r"\bthe question before it was impossible\b"), "your question was impossible"),
)


class Sentence(NamedTuple):
    """A sentence of the umpire's, with the code of what it tells."""

    text: str
    code: Code

    @property
    def is_grave(self) -> bool:
        """Whether it tells of a capture or a check."""
        return self.code in (Common.CAPTURE, Common.CHECK)


@dataclass(frozen=True, slots=True)
class Losses:
    """How many pieces a side has lost, and how many were pawns if that is told."""

    men: int = 0
    pawns: int | None = 0


@dataclass(frozen=True, slots=True)
class RememberedSquares:
    """What a side once knew of some squares, and in which of its turns; 0 is the start."""

    move: int
    squares: tuple[tuple[int, str], ...]  # with a FEN letter, `.` for empty, or `x` for an unknown piece


#: Pieces that a player imagines: squares from a1 on, each with the FEN letter of an opposing piece.
GhostPieces: TypeAlias = tuple[tuple[int, str], ...]

#: Squares that are marked on a drawn board, each with its overlays.
SquareMarks: TypeAlias = tuple[tuple[int, tuple[str, ...]], ...]

#: The turns for which a sighting is recent; after that, squares that were empty look like any other.
RECENT_TURNS = 2
#: How a remembered square is drawn by its age in turns: 0, 1 or 2; `?3` for three or four; `?4` for more.
FADED_SUFFIXES = ("!0", "!1", "!2", "?3", "?4")


def fade_sign(sign: str) -> str:
    """Round the age in a remembered square's sign to one of five steps: `p?7` becomes `p?4`."""
    return (
        sign
        if len(sign) < len("p!0")
        else sign[0] + FADED_SUFFIXES[min(3 + (int(sign[2:]) > 4), int(sign[2:]))]
    )


class Sight(NamedTuple):
    """What a side sees: bitboards of the squares it knows and of the pieces it knows there.

    A `seen` square without a piece is empty. A square outside `seen` is unseen; where a variant shows squares,
    `recalled` may hold it from earlier turns, oldest first, and `turn` counts the turns the side has begun.
    Reserves are FEN letters with White's pieces as capitals. Where a variant has a sense, one may be due before the
    next move.
    """

    side: Side
    own: int
    seen: int
    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    castling: tuple[Castle, ...] = ()
    lost: Pair[Losses] = Pair(Losses(), Losses())
    promoted: int = 0
    reserves: Pair[str] | None = None
    recalled: tuple[RememberedSquares, ...] = ()
    sense_due: bool = False
    turn: int | None = None

    def masks(self) -> tuple[tuple[PieceKind, int], ...]:
        """Return each kind of piece with a bitboard of where either side's are seen."""
        return (
            (PieceKind.PAWN, self.pawns),
            (PieceKind.KNIGHT, self.knights),
            (PieceKind.BISHOP, self.bishops),
            (PieceKind.ROOK, self.rooks),
            (PieceKind.QUEEN, self.queens),
            (PieceKind.KING, self.kings),
        )

    def letters(self) -> str:
        """Return the 64 squares from a1, b1 … to h8: FEN letters, `.` seen empty, `?` unseen."""
        squares = ["?"] * 64
        for square in squares_of(self.seen):
            squares[square] = "."
        white = self.own if self.side is Side.WHITE else ~self.own
        for man, mask in self.masks():
            letter = man.letter
            for square in squares_of(mask & white):
                squares[square] = letter
            for square in squares_of(mask & ~white):
                squares[square] = letter.lower()
        return "".join(squares)

    def signs(self) -> tuple[str, ...]:
        """Return 64 signs from a1: FEN letters, `Q~` promoted, `p!2` seen two turns ago, `p?3` long ago."""
        letters = self.letters()
        if not self.promoted and not self.recalled:
            return tuple(letters)
        signs = [letter + "~" * (self.promoted >> square & 1) for square, letter in enumerate(letters)]
        for recalled in self.newest_memories():
            age = self.age(recalled)
            mark = "!" if age <= RECENT_TURNS else "?"
            for square, letter in recalled.squares:
                if letter != "." or age <= RECENT_TURNS:
                    signs[square] = f"{letter}{mark}{age}"
        return tuple(signs)

    def signs_with_ghosts(self, ghosts: GhostPieces) -> tuple[str, ...]:
        """Return the board's 64 signs, with `q'` where the player imagines an opposing queen."""
        signs = list(self.signs())
        for square, man in ghosts:
            signs[square] = f"{man}'"
        return tuple(signs)

    def marks(self, ghosts: GhostPieces = ()) -> frozenset[str]:
        """Return which signs a legend must explain: `~`, `!`, `?`, `'`, `x`/`X` unknown pieces, `_` empty squares."""
        marked = [sign for sign in self.signs_with_ghosts(ghosts) if len(sign) > 1]
        unknown = {sign[0] for sign in marked} & set("xX")
        return frozenset("_" if sign[0] == "." else sign[1] for sign in marked) | unknown

    def age(self, recalled: RememberedSquares) -> int:
        """Return how many turns old a memory is; sights stored without a turn count from the newest."""
        return (self.recalled[-1].move if self.turn is None else self.turn) - recalled.move

    def newest_memories(self) -> tuple[RememberedSquares, ...]:
        """Return the newest memory of each square that is not seen now, without the side's own pieces."""
        newest = {square: each for each in self.recalled for square, _ in each.squares}
        still = [
            RememberedSquares(
                each.move,
                tuple(on for on in each.squares if newest[on[0]] is each and self._is_unverified(*on)),
            )
            for each in self.recalled
        ]
        return tuple(each for each in still if each.squares)

    def _is_unverified(self, square: int, letter: str) -> bool:
        """Whether a remembered square may still be true: it isn't seen now, nor its piece elsewhere."""
        is_own = letter.isupper() if self.side is Side.WHITE else letter.islower()
        is_elsewhere = letter in "Kk" and self.kings & ~self.own != 0
        return not (self.seen >> square & 1 or is_own or is_elsewhere)

    def seen_beyond_own(self) -> tuple[tuple[int, str], ...]:
        """Return the squares seen beyond the side's own pieces, each with a FEN letter or `.`."""
        squares = squares_of(self.seen & ~self.own)
        letters = self.letters() if squares else ""
        return tuple((square, letters[square]) for square in squares)

    def own_pieces(self) -> dict[PieceKind, tuple[int, ...]]:
        return self._men_on(self.own)

    def own_promoted(self) -> dict[PieceKind, tuple[int, ...]]:
        """Return the side's promoted pieces, each kind with its squares."""
        return self._men_on(self.own & self.promoted)

    def _men_on(self, squares: int) -> dict[PieceKind, tuple[int, ...]]:
        """Return the pieces seen on these squares, each kind with its squares, the king first."""
        kinds = reversed(self.masks())
        return {man: squares_of(mask & squares) for man, mask in kinds if mask & squares}


@lru_cache(maxsize=256)
def draw_signs(sight: Sight, ghosts: GhostPieces = ()) -> tuple[str, ...]:
    """Return the 64 signs of a drawn board: as `signs_with_ghosts`, with ages rounded by `fade_sign`."""
    return tuple(map(fade_sign, sight.signs_with_ghosts(ghosts)))


class Slip(NamedTuple):
    """What the umpire gives one side after a ruling: facts, and what that side now sees."""

    side: Side
    facts: tuple[Fact, ...]
    sight: Sight

    @property
    def made(self) -> Fact | None:
        """The announcement that a side has moved, which names the move to that side only; None without a move."""
        for fact in self.facts:
            if fact.code.contract.audience is _MOVE:
                return fact
        return None

    @property
    def is_of_own_move(self) -> bool:
        made = self.made
        return made is not None and made["side"] == self.side

    @property
    def is_of_opponents_move(self) -> bool:
        made = self.made
        return made is not None and made["side"] == self.side.other

    def listed(self, move: str) -> str:
        """Write this side's own move for a list of moves, as `e4xd5` if the slip tells of a capture."""
        return f"{move[:2]}x{move[2:]}" if self.tells(Common.CAPTURE) else move

    @property
    def sets_up(self) -> bool:
        """Whether this slip says that the pieces were set up, for a game or a tutorial's lesson."""
        return self.made is None and self.tells(Common.TURN)

    def find(self, code: Code) -> Fact | None:
        """Return the first announcement with this code; None if there is none."""
        for fact in self.facts:
            if fact.code == code:
                return fact
        return None

    def tells(self, code: Code) -> bool:
        return self.find(code) is not None

    @property
    def spoken(self) -> str:
        """What the umpire says aloud, as sentences."""
        return " ".join(each.text for each in self.words)

    @property
    def words(self) -> tuple[Sentence, ...]:
        """The sentences that the umpire says aloud."""
        return tuple(Sentence(as_sentence(fact.text), fact.code) for fact in self.facts if fact.text)


def newest_setup_index(slips: Iterable[Slip]) -> int:
    """Return the index of the slip that last set up the pieces; 0 if none did."""
    return max((place for place, slip in enumerate(slips) if slip.sets_up), default=0)


def as_sentence(text: str) -> str:
    return text if text.endswith((".", "!")) else f"{text}."


@lru_cache(maxsize=256)
def say_plainly(said: str) -> str:
    """Reword the rules' terms for people, such as "1 pawn tries" as "1 pawn try"."""
    for pattern, plainly in _PLAIN_WORDS:
        said = pattern.sub(plainly, said)
    return said


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won, or nobody, and why."""

    winner: Side | None
    reason: str


class Verdict(StrEnum):
    """What became of an order."""

    MOVED = "moved"
    REFUSED = "refused"
    NONSENSE = "nonsense"
    HELD = "held"
    TOLD = "told"
    UNREADABLE = "unreadable"
    OVER = "over"


#: The verdicts on an order that was put to the umpire but moved nothing.
REFUSED_VERDICTS = (Verdict.REFUSED, Verdict.NONSENSE)
