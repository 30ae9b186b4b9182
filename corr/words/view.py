"""What a player reads: of a variant, of a game that is played, and of one that is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby, takewhile
from typing import NamedTuple

from corr.words.board import Man, Pair, Side
from corr.words.codes import Audience, Common, Datum
from corr.words.slips import Imagined, Outcome, Sight, Slip, as_sentence, in_english


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


class Told(StrEnum):
    """What an umpire tells of a move, on which orders for the next turn may hang."""

    CAPTURE = "capture"
    CAPTURE_SQUARE = "capture square"
    CHECK = "check"
    KNIGHT_CHECK = "check knight"
    TRIES = "tries"


#: How a line of check is named where the umpire has no words of its own for it.
LINES = {
    "rank": "on the rank",
    "file": "on the file",
    "long-diagonal": "on the long diagonal",
    "short-diagonal": "on the short diagonal",
    "knight": "by a knight",
}


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
    short: str = ""  # what it is called where there is little room, if not by its name
    refused: str = ""  # what a refusal costs, and who hears of it
    #: How the umpire names the line on which a king is in check.
    lines: Mapping[str, str] = field(default_factory=lambda: LINES, compare=False)
    men: str = ""  # what whoever sets them up has to know of them, where they are not those of chess
    presses: tuple[str, ...] = ()  # orders that name no square, for a page to put on buttons
    lists: bool = True  # whether several moves may be tried one after the other
    #: On what orders for the next turn may hang; on nothing where there are none.
    told: tuple[Told, ...] = (Told.CAPTURE, Told.CAPTURE_SQUARE, Told.CHECK, Told.KNIGHT_CHECK)


class Tried(NamedTuple):
    """Tries that were refused one after another, and what the umpire said to each."""

    orders: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Disclosed:
    """What everybody may read of what a side wrote, once its game is over."""

    stood: Mapping[int, str] = field(
        default_factory=dict
    )  # by its number, of a half-move that did not stand alone
    tries: Mapping[int, tuple[Tried, ...]] = field(
        default_factory=dict
    )  # by how many half-moves had been made


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
    disclosed: Pair[Disclosed] = field(default=Pair(Disclosed(), Disclosed()))
    licence: str = ""  # under which everybody may have it


@dataclass(frozen=True, slots=True)
class Touched:
    """What a half-move has done to squares of a board, as far as whoever looks at it was told."""

    moved: tuple[str, ...] = ()  # between which squares it went; none where nothing moved
    taken: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()  # where a king stands in check
    kinds: tuple[str, ...] = ()  # of the check, where that is all that was told
    between: tuple[
        tuple[str, ...], ...
    ] = ()  # from the king outwards to each who gives it, where they are seen


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished game after one of its half-moves: the board, what each side saw, what was said until the next."""

    turn: Side
    fen: str
    whole: Sight
    marks: Touched  # of the whole board
    sights: Pair[Sight]
    marked: Pair[Touched]  # of what each side saw
    said: tuple[str, ...]  # to both, and to each alone
    told: Pair[tuple[str, ...]]  # the same as each side heard it
    legal: Pair[tuple[str, ...]]  # what each side could move, were it its turn


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position of a finished game after moves that nobody made in it."""

    turn: Side
    fen: str
    whole: Sight
    marks: Touched
    moves: tuple[str, ...]
    legal: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game that can be looked at before its first half-move, which is scene 0, and after each."""

    clashes: int  # how often the men had to be deployed anew
    moves: tuple[str, ...]
    scores: Pair[tuple[str, ...]]  # the same as either side knew them
    ending: str
    scene: Callable[[int], Scene]
    sight: Callable[[int, Side | None], Sight]  # of a scene's boards that of a side, or the whole one
    analysed: Callable[[int, tuple[str, ...]], Analysis]  # a scene's position after further moves

    @property
    def last(self) -> int:
        """The number of the last scene."""
        return len(self.moves)


class Stage(StrEnum):
    """How far a game has come."""

    OFFERED = "offered"
    DEPLOYING = "deploying"
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Try:
    """An order of one's own and what the umpire said to it."""

    order: str
    said: str
    stood: str = ""  # of a move that did not stand alone, in what it stood


def together(tries: Iterable[Try]) -> tuple[Try, ...]:
    """Tries, each once, those to which the same was said as one, beginning with what was said first."""
    orders = dict[tuple[str, str], dict[str, None]]()
    for each in tries:
        orders.setdefault((each.said, each.stood), {})[each.order] = None
    return tuple(Try(", ".join(alike), *said) for said, alike in orders.items())


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson of the tutorial, as its pupil reads of it: which of how many it is, and what is to be done.

    Of a whole game, also what its pupil has met in it by now of all that there is to be explained, and what not.
    """

    number: int
    of: int
    title: str
    text: tuple[str, ...]
    met: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """What a player has noted for themselves, and at which move."""

    move: int
    text: str


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may know of its game at one moment: a fold of its own slips and of what is public."""

    game: str
    card: Card
    side: Side
    name: str
    opponent: str
    clock: str
    state: Stage
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
    seal: str = ""  # of the last turn that was over: which turn, and its letters
    untimed: bool = False  # whether there is no clock
    steady: bool = False  # whether no pause stops it
    claimed: bool = False  # whether a side whose time is over loses only if the other side says so
    banks: tuple[str, str] | None = None  # what White has saved and what Black has
    paused: bool = False  # no time runs, and nobody is late
    pause_until: str = ""  # at the latest, where both have agreed to it
    outage: tuple[str, ...] = ()  # from when to when our server stood still in this turn
    pause_asked: Side | None = None  # who would like a pause
    delay: str = ""  # of the letter about the other side's turn, which "waits" or was "late"
    until: str = ""  # for how long the other side's time does not run at most
    lesson: Lesson | None = None  # where the game is a tutorial
    ghosts: Imagined = ()
    notes: tuple[Note, ...] = ()  # the newest first
    standing: str = ""  # the side's own orders for its next turn
    standing_waits: bool = False  # whether they wait for their hour, the other side having moved
    standing_delay: str = (
        ""  # how long they wait once the other side has moved, "2-8h"; none where they do not
    )

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
        return self.turn is self.side or (self.state is Stage.DEPLOYING and self.turn is None)

    @property
    def may_pause(self) -> bool:
        """Whether a pause can be asked for."""
        return not (self.steady or self.untimed or self.paused or self.pause_asked or self.lesson)

    @property
    def revealed(self) -> bool:
        """True if this side sees the whole board, as it does once the game is over."""
        return self.sight is not None and self.sight.seen == 2**64 - 1

    @property
    def spoken(self) -> str:
        """What the umpire says on the newest slip."""
        return in_english(self.slips[-1].spoken) if self.slips else ""

    @property
    def spoken_words(self) -> tuple[tuple[str, bool], ...]:
        """The same sentence by sentence, and which of it is grave."""
        return _in_english(self.slips[-1].words) if self.slips else ()

    @property
    def announced(self) -> str:
        """What the umpire said when this turn began."""
        return " ".join(text for text, _ in self.announced_words)

    @property
    def announced_words(self) -> tuple[tuple[str, bool], ...]:
        """The same sentence by sentence, and which of it is grave."""
        turns = [slip for slip in self.slips if slip.tells(Common.TURN)]
        newest = turns[-1:] or self.slips[-1:]
        return _in_english(newest[0].words) if newest else ()

    @property
    def reports(self) -> tuple[tuple[int, str], ...]:
        """What one was shown of the board on these slips, by a sense or a spy, and at which move of one's own."""
        told, move = [], 1
        for slip in self.slips:
            told += [(move, fact.text) for fact in slip.facts if fact.shown is not None]
            move += slip.made is not None and slip.made["side"] == self.side
        return tuple((move, as_sentence(text)) for move, text in told)

    @property
    def at_once(self) -> tuple[str, ...]:
        """Orders that name no square and can act in this turn of one's own, for a button or a letter that is ready."""
        if self.state is not Stage.RUNNING or not self.my_turn or self.late:
            return ()
        return tuple(order for order in self.card.presses if self._can_be_pressed(order))

    def _can_be_pressed(self, order: str) -> bool:
        match order:
            case "any?":
                return not self.has_asked
            case "px":
                return self._pawn_tries == 1
            case _:
                return self.sight is not None and self.sight.sense_due == order.startswith("sense")

    @property
    def _pawn_tries(self) -> Datum:
        """How many captures by pawns were counted when this turn began; None where nobody counts them."""
        began = next((slip for slip in reversed(self.slips) if slip.tells(Common.TURN)), None)
        facts = began.facts if began else ()
        return next((fact["count"] for fact in facts if fact.code == Common.TRIES), None)

    @property
    def answers(self) -> tuple[str, ...]:
        """Orders that can act and answer what the other side proposes, a draw or a pause."""
        if self.state not in _UNDER_WAY or self.late:
            return ()
        draw = ("accept", "decline") if self.offer is self.side.other else ()
        if self.pause_asked is not self.side.other or self.paused:
            return draw
        return (*draw, "pause?") if self.offer else ("pause?", "decline")

    @property
    def may_offer_draw(self) -> bool:
        """Whether a draw can be offered: none is on offer, and this side has offered none in this turn of its own."""
        may = self.state in _UNDER_WAY and not (self.offer or self.lesson or self.late)
        return may and not _has_offered(self.slips, self.side)

    @property
    def has_asked(self) -> bool:
        """Whether one's own question, "any?", was answered in this turn."""
        return answered(self.slips, self.side) is not None

    @property
    def is_told_to_try(self) -> bool:
        """Whether the answer was that a pawn can capture, so that one has to try it first."""
        return answered(self.slips, self.side) is True

    @property
    def overheard(self) -> tuple[tuple[str, int], ...]:
        """What the umpire said aloud in the other side's turn since one's own last move, and how often in a row."""
        said: list[str] = []
        for slip in self.slips:
            if slip.made is None:
                said += [
                    fact.text
                    for fact in slip.facts
                    if fact.audience is Audience.ANSWER and fact.get("side") == self.side.other
                ]
            elif slip.made["side"] == self.side:
                said.clear()
        return tuple((as_sentence(text), len(list(each))) for text, each in groupby(said))


_UNDER_WAY = (Stage.DEPLOYING, Stage.RUNNING)


def _in_english(words: tuple[tuple[str, bool], ...]) -> tuple[tuple[str, bool], ...]:
    return tuple((in_english(text), is_grave) for text, is_grave in words)


def _has_offered(slips: Sequence[Slip], side: Side) -> bool:
    """Whether a side has offered a draw since the other's last move."""
    for slip in reversed(slips):
        if slip.made and slip.made["side"] == side.other:
            return False
        if any(fact.code == Common.OFFER and fact["side"] == side for fact in slip.facts):
            return True
    return False


def is_in_check(slips: Sequence[Slip]) -> bool:
    """Whether the umpire has announced a check since the side's own last move."""
    since = takewhile(lambda slip: not slip.is_of_own_move, reversed(slips))
    return any(fact.code == Common.CHECK for slip in since for fact in slip.facts)


def answered(slips: Sequence[Slip], side: Side) -> bool | None:
    """Whether a pawn can capture, as a side was told in this turn; None where it has not asked."""
    for slip in reversed(slips):
        if slip.made:
            return None
        for fact in slip.facts:
            if fact.code == Common.ANY and fact["side"] == side:
                return bool(fact["answer"])
    return None
