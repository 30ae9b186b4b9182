"""What the umpire hands a side: facts, what it sees, and how its game ended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from corr.words.board import Man, Pair, Side, squares_of
from corr.words.codes import Audience, Code, Common, Contents, Data, Datum
from corr.words.orders import Castle


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing the umpire says: a code and data for programs, a sentence for people.

    An empty sentence means that the variant's umpire says nothing aloud. ValueError where the data are not those that
    the code owes.
    """

    code: Code
    text: str
    data: Data = ()

    def __post_init__(self) -> None:
        if not isinstance(self.code, Code):
            raise TypeError(f'A fact cannot be made: nobody declares the code "{self.code}".')
        if not self.code.contract.is_kept_by(self.data):
            faults = " ".join(self.code.contract.faults(self.data))
            raise ValueError(f'A fact "{self.code}" cannot be made. {faults}')

    @classmethod
    def as_kept(cls, code: Code, text: str, data: Data) -> Fact:
        """A fact that was made once, whatever its code owes today."""
        fact = object.__new__(cls)
        object.__setattr__(fact, "code", code)
        object.__setattr__(fact, "text", text)
        object.__setattr__(fact, "data", data)
        return fact

    def __getitem__(self, key: str) -> Datum:
        return dict(self.data)[key]

    def get(self, key: str) -> Datum:
        """A datum; None where it is not told."""
        return dict(self.data).get(key)

    @property
    def plain(self) -> dict[str, object]:
        """The data as JSON can hold it."""
        return {key: dict(datum.on) if isinstance(datum, Contents) else datum for key, datum in self.data}

    @property
    def audience(self) -> Audience:
        """Who hears it."""
        return self.code.contract.audience

    @property
    def is_public(self) -> bool:
        """Whether both hear it, be it in words of their own."""
        if self.audience is _ANSWER:
            return self.get("side") is not None
        return self.audience in _PUBLIC

    @property
    def shown(self) -> Contents | None:
        """What it shows of the board."""
        return next((datum for _, datum in self.data if isinstance(datum, Contents)), None)


#: By these names they are found faster than in the enumeration.
_MOVE, _ANSWER = Audience.MOVE, Audience.ANSWER
_PUBLIC = (_MOVE, Audience.BOTH, Audience.END)
_ONE_TRY = re.compile(r"\b1 pawn tries\b")
_GRAVE = (Common.CAPTURE, Common.CHECK)


@dataclass(frozen=True, slots=True)
class Toll:
    """How many men a side has lost, and how many of them were pawns where that is told."""

    men: int = 0
    pawns: int | None = 0


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a side once knew of some squares, and in which turn of its own; 0 is the start.

    Each holds a FEN letter, `.` where it was empty, or `x` for a man of the other side's whose kind was not told.
    """

    move: int
    squares: tuple[tuple[int, str], ...]


#: Men that a player imagines: squares from a1 on, each with the FEN letter of an enemy's man.
Imagined: TypeAlias = tuple[tuple[int, str], ...]

#: Squares that are marked on a drawn board, each with what lies over it.
Marked: TypeAlias = tuple[tuple[int, tuple[str, ...]], ...]

#: For so many turns what one was shown is recent; after that, squares that were empty are as any other.
RECENT = 2
#: How what is recalled fades: its mark, and the step of its age, where 3 is three or four turns, and 4 is more.
FADING = ("!0", "!1", "!2", "?3", "?4")


def faded(sign: str) -> str:
    """A sign with the step of its age in place of the age."""
    return sign if len(sign) < len("p!0") else sign[0] + FADING[min(3 + (int(sign[2:]) > 4), int(sign[2:]))]


class Sight(NamedTuple):
    """What a side sees: bitboards of the squares it knows and of the men it knows there.

    A square of `seen` that holds no man is seen to be empty; a square outside `seen` is unseen, and may still be
    recalled from an earlier turn, oldest first, where a variant shows squares: there, `turn` is how many turns of its
    own the side has begun. Reserves are FEN letters, White's men capitals. Where a variant has a sense, one may be due
    before the next move.
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
    lost: Pair[Toll] = Pair(Toll(), Toll())
    promoted: int = 0
    reserves: Pair[str] | None = None
    recalled: tuple[Recalled, ...] = ()
    sense_due: bool = False
    turn: int | None = None

    def masks(self) -> tuple[tuple[Man, int], ...]:
        """Each kind of man with the squares where one is seen, of either side."""
        return (
            (Man.PAWN, self.pawns),
            (Man.KNIGHT, self.knights),
            (Man.BISHOP, self.bishops),
            (Man.ROOK, self.rooks),
            (Man.QUEEN, self.queens),
            (Man.KING, self.kings),
        )

    def letters(self) -> str:
        """The 64 squares from a1, b1 … to h8: FEN letters, `.` seen empty, `?` unseen."""
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
        """The squares' letters, `Q~` for a promoted man, and what is recalled and not seen now with its age in turns.

        `p!2` is a pawn of two turns ago, `p?3` an older one; of squares that were empty the recent ones are told.
        """
        letters = self.letters()
        if not self.promoted and not self.recalled:
            return tuple(letters)
        signs = [letter + "~" * (self.promoted >> square & 1) for square, letter in enumerate(letters)]
        for recalled in self.still_recalled():
            age = self.age(recalled)
            mark = "!" if age <= RECENT else "?"
            for square, letter in recalled.squares:
                if letter != "." or age <= RECENT:
                    signs[square] = f"{letter}{mark}{age}"
        return tuple(signs)

    def signs_with(self, ghosts: Imagined) -> tuple[str, ...]:
        """The same with `q'` for a man that is imagined where none is seen."""
        signs = list(self.signs())
        for square, man in ghosts:
            signs[square] = f"{man}'"
        return tuple(signs)

    def marks(self, ghosts: Imagined = ()) -> frozenset[str]:
        """What a legend explains: `~`, `!`, `?`, `'`, `x` and `X` for unknown pieces, and `_` for empty squares."""
        marked = [sign for sign in self.signs_with(ghosts) if len(sign) > 1]
        unknown = {sign[0] for sign in marked} & set("xX")
        return frozenset("_" if sign[0] == "." else sign[1] for sign in marked) | unknown

    def age(self, recalled: Recalled) -> int:
        """How many turns ago that was; by the newest where a sight was kept before it had its turn."""
        return (self.recalled[-1].move if self.turn is None else self.turn) - recalled.move

    def still_recalled(self) -> tuple[Recalled, ...]:
        """What is recalled of squares that are not seen now: of each what it held last, and no man of one's own."""
        newest = {square: each for each in self.recalled for square, _ in each.squares}
        still = [
            Recalled(
                each.move, tuple(on for on in each.squares if newest[on[0]] is each and self._lacks(*on))
            )
            for each in self.recalled
        ]
        return tuple(each for each in still if each.squares)

    def _lacks(self, square: int, letter: str) -> bool:
        """Whether a square is unseen now, and was not held by a man who would be seen if he stood there.

        That is one of one's own, and the other side's king where he is seen elsewhere.
        """
        is_own = letter.isupper() if self.side is Side.WHITE else letter.islower()
        is_elsewhere = letter in "Kk" and self.kings & ~self.own != 0
        return not (self.seen >> square & 1 or is_own or is_elsewhere)

    def beside(self) -> tuple[tuple[int, str], ...]:
        """What is seen where no man of one's own stands: squares, each with a FEN letter or `.`."""
        squares = squares_of(self.seen & ~self.own)
        letters = self.letters() if squares else ""
        return tuple((square, letters[square]) for square in squares)

    def own_men(self) -> dict[Man, tuple[int, ...]]:
        """One's own men, king first, each kind with its squares."""
        return self._men_on(self.own)

    def own_promoted(self) -> dict[Man, tuple[int, ...]]:
        """Those of one's own men that were pawns, each kind with its squares."""
        return self._men_on(self.own & self.promoted)

    def _men_on(self, squares: int) -> dict[Man, tuple[int, ...]]:
        kinds = reversed(self.masks())
        return {man: squares_of(mask & squares) for man, mask in kinds if mask & squares}


class Slip(NamedTuple):
    """What the umpire hands one side after a ruling: facts, and what that side now sees."""

    side: Side
    facts: tuple[Fact, ...]
    sight: Sight

    @property
    def made(self) -> Fact | None:
        """The move or the drop that this slip tells of; its data hold the side, and for that side the move."""
        return next((fact for fact in self.facts if fact.code.contract.audience is _MOVE), None)

    @property
    def is_of_own_move(self) -> bool:
        """Whether this side has made the move that it tells of."""
        return self.made is not None and self.made["side"] == self.side

    def listed(self, move: str) -> str:
        """A move of this side's own as lists have it: `e4xd5` where this slip of it tells of a capture."""
        return f"{move[:2]}x{move[2:]}" if self.tells(Common.CAPTURE) else move

    @property
    def sets_up(self) -> bool:
        """Whether the men came onto the board by what it tells, or stand anew as for each lesson of a tutorial."""
        return self.made is None and self.tells(Common.TURN)

    def tells(self, code: Code) -> bool:
        """Whether one of its facts has this code."""
        return any(fact.code == code for fact in self.facts)

    @property
    def spoken(self) -> str:
        """What the umpire says aloud, as sentences."""
        return " ".join(text for text, _ in self.words)

    @property
    def words(self) -> tuple[tuple[str, bool], ...]:
        """The same sentence by sentence, and whether it tells of something grave: a capture, or a check."""
        return tuple((as_sentence(fact.text), fact.code in _GRAVE) for fact in self.facts if fact.text)


def newest_set_up(slips: Iterable[Slip]) -> int:
    """The place of the slip by which the men stand as they do, but for what was moved since."""
    return max((place for place, slip in enumerate(slips) if slip.sets_up), default=0)


def as_sentence(text: str) -> str:
    """A text with the stop that ends a sentence."""
    return text if text.endswith((".", "!")) else f"{text}."


def in_english(said: str) -> str:
    """The umpire's words as a person reads them: the rules, and so the log and the PGN, say "1 pawn tries"."""
    return _ONE_TRY.sub("1 pawn try", said)


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


#: What became of what was put to the umpire and moved nothing.
IN_VAIN = (Verdict.REFUSED, Verdict.NONSENSE)
