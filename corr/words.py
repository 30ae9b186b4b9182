"""The words that may cross the screen between two players. Imports nothing of the project.

What goes wrong:

    CorrError
    ├── Refused         a person asked for something that cannot be had; the message is for that person
    └── Misconfigured   the operator's settings lack or contradict something; the message names the key
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Generic, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class CorrError(Exception):
    """Anything that this project raises on purpose."""


class Refused(CorrError):
    """A person asked for something that cannot be had; the message is for that person."""


class Misconfigured(CorrError):
    """The operator's settings lack or contradict something; the message names the key."""


# ---------------------------------------------------------------- sides, men and squares


class Side(StrEnum):
    """One of the two players of a game."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        return _BLACK if self is _WHITE else _WHITE

    @property
    def called(self) -> str:
        """As the umpire says it: White, Black."""
        return "White" if self is _WHITE else "Black"


#: The sides by names that are found faster than in the enumeration.
_WHITE, _BLACK = Side


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """One thing for each side."""

    white: T
    black: T

    def __getitem__(self, side: Side) -> T:
        return self.white if side is _WHITE else self.black

    def but(self, side: Side, thing: T) -> Pair[T]:
        """The same pair with another thing on one side."""
        return Pair(thing, self.black) if side is _WHITE else Pair(self.white, thing)


class Man(StrEnum):
    """A kind of chessman."""

    PAWN = "pawn"
    KNIGHT = "knight"
    BISHOP = "bishop"
    ROOK = "rook"
    QUEEN = "queen"
    KING = "king"

    @property
    def letter(self) -> str:
        return "N" if self is Man.KNIGHT else self.value[0].upper()

    @classmethod
    def from_letter(cls, letter: str) -> Man:
        return _MAN_OF_LETTER[letter.upper()]


_MAN_OF_LETTER = {man.letter: man for man in Man}

#: Square names by number: a1 is 0, b1 is 1, h8 is 63.
SQUARES: tuple[str, ...] = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
SQUARE_NUMBER = {name: number for number, name in enumerate(SQUARES)}


# ---------------------------------------------------------------- orders: what a player may write


@dataclass(frozen=True, slots=True)
class Move:
    """From one square to another, `e2e4` or `e7e8n`."""

    origin: int
    target: int
    promotion: Man | None = None

    def __str__(self) -> str:
        letter = self.promotion.letter.lower() if self.promotion else ""
        return SQUARES[self.origin] + SQUARES[self.target] + letter


class Castle(StrEnum):
    """Castling by its own word."""

    SHORT = "o-o"
    LONG = "o-o-o"


@dataclass(frozen=True, slots=True)
class PawnTry:
    """`px`: the one pawn capture there is."""

    promotion: Man | None = None

    def __str__(self) -> str:
        return f"px={self.promotion.letter}" if self.promotion else "px"


@dataclass(frozen=True, slots=True)
class Drop:
    """A man from the reserve onto the board, `N@f5`."""

    man: Man
    square: int

    def __str__(self) -> str:
        return f"{self.man.letter}@{SQUARES[self.square]}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Not moving, where a variant allows it."""

    def __str__(self) -> str:
        return "pass"


Step: TypeAlias = Move | Castle | Drop


@dataclass(frozen=True, slots=True)
class Tries:
    """Moves to be tried in order until one is the move."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return ", ".join(str(step) for step in self.steps)


@dataclass(frozen=True, slots=True)
class Ask:
    """`any?`, with what to try after either answer."""

    yes: Tries | None = None
    no: Tries | None = None

    def __str__(self) -> str:
        branches = [f"{word}: {tries}" for word, tries in (("yes", self.yes), ("no", self.no)) if tries]
        return " ".join(["any?", " / ".join(branches)]).strip()


@dataclass(frozen=True, slots=True)
class Deploy:
    """Set-ups for one's own men in order of preference, or the name of a prepared one."""

    men: tuple[tuple[Man, int], ...] = ()
    name: str = ""

    def __str__(self) -> str:
        men = [man.letter + SQUARES[square] for man, square in self.men]
        return " ".join(["deploy", *men, *([self.name] if self.name else [])])


@dataclass(frozen=True, slots=True)
class Choices:
    """Several set-ups, in order of preference."""

    deploys: tuple[Deploy, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.deploys))


Act: TypeAlias = Move | Castle | PawnTry | Drop | Pass | Tries | Ask | Deploy


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What to do if a sensed square holds something: `if e5=p: d4e5`."""

    square: int
    what: str
    act: Act

    def __str__(self) -> str:
        return f"if {SQUARES[self.square]}={self.what}: {self.act}"


@dataclass(frozen=True, slots=True)
class Sense:
    """Looking at a square (or at none), and what to do after it."""

    square: int | None
    glimpses: tuple[Glimpse, ...] = ()
    otherwise: Act | None = None

    def __str__(self) -> str:
        head = f"sense {'none' if self.square is None else SQUARES[self.square]}"
        tail = [f"else {self.otherwise}"] if self.otherwise is not None else []
        return "; ".join([head, *map(str, self.glimpses), *tail])


@dataclass(frozen=True, slots=True)
class Told:
    """A condition on what the umpire will say: `capture e5`, `tries>0`."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Answer:
    """What to try if all of some conditions hold."""

    told: tuple[Told, ...]
    tries: Tries

    def __str__(self) -> str:
        return f"if {' and '.join(map(str, self.told))}: {self.tries}"


@dataclass(frozen=True, slots=True)
class Standing:
    """Orders for the next turn that hang on what the umpire will say."""

    answers: tuple[Answer, ...]
    otherwise: Tries | None = None

    def __str__(self) -> str:
        tail = [f"else {self.otherwise}"] if self.otherwise is not None else []
        return "; ".join([*map(str, self.answers), *tail])


@dataclass(frozen=True, slots=True)
class Word:
    """An order that is about the match, the mail or oneself: `resign`, `show`, `note …`."""

    word: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.word} {self.rest}".strip()


Order: TypeAlias = Act | Choices | Sense | Standing | Word


# ---------------------------------------------------------------- what the umpire hands a side


@dataclass(frozen=True, slots=True)
class Contents:
    """What stands on some squares, as a fact's data: `e5` and a FEN letter, or `.` for an empty square."""

    on: tuple[tuple[str, str], ...]


Datum: TypeAlias = str | int | bool | tuple[str, ...] | Contents | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing the umpire says: a code and data for programs, a sentence for people.

    An empty sentence means that the variant's umpire says nothing aloud.
    """

    code: str
    text: str
    data: tuple[tuple[str, Datum], ...] = ()

    def __getitem__(self, key: str) -> Datum:
        return dict(self.data)[key]

    @property
    def plain(self) -> dict[str, object]:
        """The data as JSON can hold it."""
        return {key: dict(datum.on) if isinstance(datum, Contents) else datum for key, datum in self.data}


@dataclass(frozen=True, slots=True)
class Toll:
    """How many men a side has lost, and how many of them were pawns where that is told."""

    men: int = 0
    pawns: int | None = 0


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a side once was shown of some squares, a FEN letter or `.` each, and at which move; 0 is the start."""

    move: int
    squares: tuple[tuple[int, str], ...]


class Sight(NamedTuple):
    """What a side sees: bitboards of the squares it knows and of the men it knows there.

    A square of `seen` that holds no man is seen to be empty; a square outside `seen` is unseen, and may still be
    recalled from an earlier turn, oldest first. Reserves are FEN letters, White's men capitals. Where a variant has a
    sense, one may be due before the next move.
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
            for square in squares_of(mask & white):
                squares[square] = man.letter
            for square in squares_of(mask & ~white):
                squares[square] = man.letter.lower()
        return "".join(squares)

    def signs(self) -> tuple[str, ...]:
        """The squares' letters, `Q~` for a promoted man, `p?` and `.?` for what is recalled and not seen now."""
        letters = self.letters()
        if not self.promoted and not self.recalled:
            return tuple(letters)
        signs = [letter + "~" * (self.promoted >> square & 1) for square, letter in enumerate(letters)]
        for recalled in self.still_recalled():
            for square, letter in recalled.squares:
                signs[square] = f"{letter}?"
        return tuple(signs)

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
        """Whether a square is unseen now, and was not held by a man of one's own: that one would be seen."""
        is_own = letter.isupper() if self.side is Side.WHITE else letter.islower()
        return not (self.seen >> square & 1 or is_own)

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


@lru_cache(maxsize=4096)
def squares_of(mask: int) -> tuple[int, ...]:
    """The squares of a bitboard, from a1 to h8."""
    return tuple(square for square in range(64) if mask >> square & 1)


class Slip(NamedTuple):
    """What the umpire hands one side after a ruling: facts, and what that side now sees."""

    side: Side
    facts: tuple[Fact, ...]
    sight: Sight

    @property
    def made(self) -> Fact | None:
        """The move or the drop that this slip tells of; its data hold the side, and for that side the move."""
        return next((fact for fact in self.facts if fact.code in ("moved", "dropped")), None)

    @property
    def spoken(self) -> str:
        """What the umpire says aloud, as sentences."""
        return " ".join(_sentence(fact.text) for fact in self.facts if fact.text)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!")) else f"{text}."


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
    TOLD = "told"
    UNREADABLE = "unreadable"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A set-up that can be deployed by its name; drawn for White, the row nearest to the enemy first."""

    name: str
    about: str
    rows: tuple[str, str, str, str]

    def men(self, side: Side) -> tuple[tuple[Man, int], ...]:
        """Its men as this side deploys them."""
        squares = (
            (man, 8 * (3 - row) + file) for row, men in enumerate(self.rows) for file, man in enumerate(men)
        )
        flip = 0 if side is Side.WHITE else 56
        return tuple((Man.from_letter(man), square ^ flip) for man, square in squares if man != ".")


@dataclass(frozen=True, slots=True)
class Card:
    """A variant's catalogue card: what a player can read about it, in sentences.

    `chess` names the rules that its moves keep to as other programs name them; nobody else knows those of the rest.
    """

    key: str
    name: str
    summary: str
    announcements: tuple[str, ...]
    words: tuple[str, ...]
    example: tuple[str, ...]
    setups: tuple[Prepared, ...] = ()
    chess: str = ""
    presses: tuple[str, ...] = ()  # orders that name no square, for a page to put on buttons


# ---------------------------------------------------------------- what a player reads


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over: who played it, when, how it ended, and all that either side was handed."""

    game: str
    site: str
    begun: str  # the day, as PGN writes it
    time_control: str  # as PGN writes it
    players: Pair[str]
    slips: Pair[tuple[Slip, ...]]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished game after one of its half-moves: the board, what each side saw, what was said until the next."""

    turn: Side
    trace: tuple[str, ...]  # between which squares the half-move went; none where nothing moved
    whole: Sight
    sights: Pair[Sight]
    said: tuple[str, ...]  # to both, and to each alone
    told: Pair[tuple[str, ...]]  # the same as each side heard it
    legal: Pair[tuple[str, ...]]  # what each side could move, were it its turn


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game that can be looked at before its first half-move, which is scene 0, and after each."""

    clashes: int  # how often the men had to be deployed anew
    moves: tuple[str, ...]
    scores: Pair[tuple[str, ...]]  # the same as either side knew them
    ending: str
    scene: Callable[[int], Scene]

    @property
    def last(self) -> int:
        """The number of the last scene."""
        return len(self.moves)


@dataclass(frozen=True, slots=True)
class Try:
    """An order of one's own and what the umpire said to it."""

    order: str
    said: str


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may know of its game at one moment: a fold of its own slips and of what is public."""

    game: str
    card: Card
    side: Side
    name: str
    opponent: str
    clock: str
    state: str
    move_number: int
    turn: Side | None
    deadline: str
    late: bool
    offer: Side | None
    outcome: Outcome | None
    slips: tuple[Slip, ...]
    taken: tuple[str, ...]
    last_tries: tuple[Try, ...]
    tries: tuple[Try, ...]
    score: tuple[str, ...]
    example: str
    paused: bool = False  # by the operator: no time runs, and nobody is late
    delay: str = ""  # of the letter about the other side's turn, which "waits" or was "late"
    until: str = ""  # for how long the other side's time does not run at most

    def __post_init__(self) -> None:
        if any(slip.side is not self.side or slip.sight.side is not self.side for slip in self.slips):
            raise ValueError(f"a slip of {self.side.other.called}'s in a view of {self.side.called}'s")

    @property
    def sight(self) -> Sight | None:
        """What this side sees now; nothing before the game has begun."""
        return self.slips[-1].sight if self.slips else None

    @property
    def my_turn(self) -> bool:
        """True if the umpire waits for this side: while both deploy, nobody's turn is both sides'."""
        return self.turn is self.side or (self.state == "deploying" and self.turn is None)

    @property
    def revealed(self) -> bool:
        """True if this side sees the whole board, as it does once the game is over."""
        return self.sight is not None and self.sight.seen == 2**64 - 1

    @property
    def spoken(self) -> str:
        """What the umpire says on the newest slip."""
        return self.slips[-1].spoken if self.slips else ""

    @property
    def announced(self) -> str:
        """What the umpire said when this turn began."""
        turns = [slip for slip in self.slips if any(fact.code == "turn" for fact in slip.facts)]
        return turns[-1].spoken if turns else self.spoken

    @property
    def reports(self) -> tuple[tuple[int, str], ...]:
        """What one was shown of the board on these slips, by a sense or a spy, and at which move of one's own."""
        told, move = [], 1
        for slip in self.slips:
            told += [(move, fact.text) for fact in slip.facts if fact.code in _SHOWN]
            move += slip.made is not None and slip.made["side"] == self.side
        return tuple((move, _sentence(text)) for move, text in told)

    @property
    def overheard(self) -> tuple[tuple[str, int], ...]:
        """What the umpire said aloud in the other side's turn since one's own last move, and how often in a row."""
        said: list[str] = []
        for slip in self.slips:
            if slip.made is None:
                said += [
                    fact.text
                    for fact in slip.facts
                    if fact.code in _HEARD_BY_BOTH and dict(fact.data).get("side") == self.side.other
                ]
            elif slip.made["side"] == self.side:
                said.clear()
        return tuple((_sentence(text), len(list(each))) for text, each in groupby(said))


#: What tells a side alone what stands on some squares.
_SHOWN = ("sensed", "spy")
#: What an umpire may say to an order that is no move; where both hear it, it names the side.
_HEARD_BY_BOTH = ("illegal", "nonsense", "impossible", "any")
