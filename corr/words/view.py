"""Defines what pages and emails read of a running game: its variant's card and a player's view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby, takewhile

from corr.words.board import PieceKind, Side
from corr.words.codes import Audience, Common, Datum
from corr.words.slips import GhostPieces, Outcome, Sentence, Sight, Slip, as_sentence, say_plainly


@dataclass(frozen=True, slots=True)
class PreparedSetup:
    """A set-up with a name, drawn for White, with the row nearest to the enemy first."""

    name: str
    about: str
    rows: tuple[str, str, str, str]

    def men(self, side: Side) -> tuple[tuple[PieceKind, int], ...]:
        """Return the set-up's pieces with their squares for this side, mirrored for Black."""
        squares = (
            (man, 8 * (3 - row) + file) for row, men in enumerate(self.rows) for file, man in enumerate(men)
        )
        flip = 0 if side is Side.WHITE else 56
        return tuple((PieceKind.from_letter(man), square ^ flip) for man, square in squares if man != ".")


class ConditionTopic(StrEnum):
    """What an umpire tells of a move, for conditions of orders for the next turn."""

    CAPTURE = "capture"
    CAPTURE_SQUARE = "capture square"
    CHECK = "check"
    KNIGHT_CHECK = "check knight"
    TRIES = "tries"


#: The default names of the lines of a check.
CHECK_DIRECTIONS = {
    "rank": "on the rank",
    "file": "on the file",
    "long-diagonal": "on the long diagonal",
    "short-diagonal": "on the short diagonal",
    "knight": "by a knight",
}


@dataclass(frozen=True, slots=True)
class VariantInfo:
    """What a player can read about a variant, in sentences: its card in the catalogue."""

    key: str
    name: str
    summary: str
    announcements: tuple[str, ...]
    words: tuple[str, ...]
    example: tuple[str, ...]
    setups: tuple[PreparedSetup, ...] = ()
    chess: str = ""  # the name by which other programs know the rules of its moves, if they do
    short: str = ""  # a name for small spaces, if the name is too long
    refused: str = ""  # what a refusal costs, and who hears of it
    #: How the umpire names the line on which a king is in check.
    lines: Mapping[str, str] = field(default_factory=lambda: CHECK_DIRECTIONS, compare=False)
    men: str = ""  # what a player must know of the pieces to set them up, if they differ from those of chess
    presses: tuple[str, ...] = ()  # orders without a square, for buttons on a page
    lists: bool = True  # whether several moves may be tried one after the other
    says_if_pawns_capture: bool = False  # whether silence before a turn means that no pawn can capture
    #: What orders for the next turn may depend on; empty if there are no such orders.
    told: tuple[ConditionTopic, ...] = (
        ConditionTopic.CAPTURE,
        ConditionTopic.CAPTURE_SQUARE,
        ConditionTopic.CHECK,
        ConditionTopic.KNIGHT_CHECK,
    )


class Stage(StrEnum):
    """How far a game has come."""

    OFFERED = "offered"
    DEPLOYING = "deploying"
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Try:
    """An order of the side's own and the umpire's reply."""

    order: str
    said: str
    stood: str = ""  # the construct that contained the move, unless it stood alone


def group_tries(tries: Iterable[Try]) -> tuple[Try, ...]:
    """Join tries that got the same reply into one, so that each reply is shown once."""
    orders = dict[tuple[str, str], dict[str, None]]()
    for each in tries:
        orders.setdefault((each.said, each.stood), {})[each.order] = None
    return tuple(Try(", ".join(alike), *said) for said, alike in orders.items())


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson of the tutorial as its pupil reads it: its number, the total, and the task."""

    number: int
    of: int
    title: str
    text: tuple[str, ...]
    page: str  # what the game's page says instead of the text: one sentence, or several on their own lines
    met: tuple[str, ...] = ()  # the points met so far, in a lesson over a whole game
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A player's private note, and at which move it was made."""

    move: int
    text: str


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may know of its game at one moment, from its own slips and public information."""

    game: str
    card: VariantInfo
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
    example: str
    last_tries: tuple[Try, ...] = ()
    tries: tuple[Try, ...] = ()
    score: tuple[str, ...] = ()
    seal: str = ""  # of the last finished turn: which turn, and its letters
    untimed: bool = False  # whether there is no clock
    steady: bool = False  # whether no pause stops it
    claimed: bool = False  # whether the opponent must claim a win on time
    banks: tuple[str, str] | None = None  # the saved time of White and of Black
    paused: bool = False  # no time runs, and nobody is late
    pause_until: str = ""  # the latest end of a pause that both agreed to
    outage: tuple[str, ...] = ()  # from when to when our server was down in this turn
    pause_asked: Side | None = None  # the side that asks for a pause
    delay: str = ""  # of the email about the other side's turn, which "waits" or was "late"
    until: str = ""  # until when the other side's clock may wait at most
    lesson: Lesson | None = None  # if the game is a tutorial
    ghosts: GhostPieces = ()
    notes: tuple[Note, ...] = ()  # the newest first
    standing: str = ""  # the side's own orders for its next turn
    standing_waits: bool = False  # whether they wait for their hour, since the opponent has moved
    standing_delay: str = ""  # how long they wait once the opponent has moved, "2-8h"; empty if they do not

    def __post_init__(self) -> None:
        if any(slip.side is not self.side or slip.sight.side is not self.side for slip in self.slips):
            raise ValueError(f"a slip of {self.side.other.called}'s in a view of {self.side.called}'s")

    @property
    def sight(self) -> Sight | None:
        """What this side sees now; None before the game has begun."""
        return self.slips[-1].sight if self.slips else None

    @property
    def my_turn(self) -> bool:
        """Whether the umpire waits for this side; while both deploy, it waits for both sides."""
        return self.turn is self.side or (self.state is Stage.DEPLOYING and self.turn is None)

    @property
    def may_pause(self) -> bool:
        return not (self.steady or self.untimed or self.paused or self.pause_asked or self.lesson)

    @property
    def revealed(self) -> bool:
        """Whether this side sees the whole board, as after the game."""
        return self.sight is not None and self.sight.seen == 2**64 - 1

    @property
    def spoken(self) -> str:
        """What the umpire last said to this side; empty before the game has begun."""
        return say_plainly(self.slips[-1].spoken) if self.slips else ""

    @property
    def spoken_words(self) -> tuple[Sentence, ...]:
        """The umpire's last sentences."""
        return _say_plainly(self.slips[-1].words) if self.slips else ()

    @property
    def announced(self) -> str:
        """What the umpire said when the newest turn began."""
        return " ".join(each.text for each in self.announced_words)

    @property
    def announced_words(self) -> tuple[Sentence, ...]:
        """The sentences said as the newest turn began."""
        newest = self._newest_announcement
        return _say_plainly(newest.words) if newest else ()

    @property
    def announced_events(self) -> tuple[str, ...]:
        """Whether the umpire's newest announcement told of a check, a capture or both, in this order."""
        newest = self.slips[-1] if self.outcome and self.slips else self._newest_announcement
        return tuple(code for code in _GRAVEST if newest and newest.tells(code))

    @property
    def _newest_announcement(self) -> Slip | None:
        """The slip with which the newest turn began."""
        turns = [slip for slip in self.slips if slip.tells(Common.TURN)]
        return next(iter(turns[-1:] or self.slips[-1:]), None)

    @property
    def reports(self) -> tuple[tuple[int, str], ...]:
        """Every report of a sense or spy so far: the side's move number and the sentence."""
        told, move = [], 1
        for slip in self.slips:
            told += [(move, fact.text) for fact in slip.facts if fact.shown is not None]
            move += slip.is_of_own_move
        return tuple((move, as_sentence(text)) for move, text in told)

    @property
    def at_once(self) -> tuple[str, ...]:
        """Orders without a square that can act in this turn, for a button or a prepared email."""
        if self.state is not Stage.RUNNING or not self.my_turn or self.late:
            return ()
        return tuple(order for order in self.card.presses if self._can_be_pressed(order))

    def _can_be_pressed(self, order: str) -> bool:
        """Whether an order without a square can act now, so that it gets a button."""
        match order:
            case "any?":
                return not self.has_asked
            case "px":
                return self._pawn_tries == 1
            case _:
                return self.sight is not None and self.sight.sense_due == order.startswith("sense")

    @property
    def _pawn_tries(self) -> Datum:
        """How many pawn captures the umpire counted when this turn began; None if it counts none."""
        began = next((slip for slip in reversed(self.slips) if slip.tells(Common.TURN)), None)
        tries = began.find(Common.TRIES) if began else None
        return tries["count"] if tries else None

    @property
    def answers(self) -> tuple[str, ...]:
        """Orders that can answer the opponent's draw offer or wish for a pause."""
        if self.state not in _UNDER_WAY or self.late:
            return ()
        draw = ("accept", "decline") if self.offer is self.side.other else ()
        if self.pause_asked is not self.side.other or self.paused:
            return draw
        return (*draw, "pause?") if self.offer else ("pause?", "decline")

    @property
    def may_offer_draw(self) -> bool:
        """Whether this side can offer a draw now: in time, no lesson, none on offer, none offered in this turn."""
        may = self.state in _UNDER_WAY and not (self.offer or self.lesson or self.late)
        return may and not _has_offered_draw(self.slips, self.side)

    @property
    def has_asked(self) -> bool:
        """Whether this side has asked "any?" in this turn."""
        return answer_to_any(self.slips, self.side) is not None

    @property
    def is_told_to_try(self) -> bool:
        """Whether the umpire said yes to "any?", so that this side must try a pawn capture next."""
        return is_pawn_capture_due(self.slips, self.side)

    @property
    def overheard(self) -> tuple[tuple[str, int], ...]:
        """What the umpire answered the opponent aloud since this side's last move, with repetitions counted."""
        said: list[str] = []
        for slip in self.slips:
            if slip.made is None:
                said += [
                    fact.text
                    for fact in slip.facts
                    if fact.audience is Audience.ANSWER and fact.get("side") == self.side.other
                ]
            elif slip.is_of_own_move:
                said.clear()
        return tuple((as_sentence(text), len(list(each))) for text, each in groupby(said))


_GRAVEST = (Common.CHECK, Common.CAPTURE)
_UNDER_WAY = (Stage.DEPLOYING, Stage.RUNNING)


def _say_plainly(words: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    return tuple(each._replace(text=say_plainly(each.text)) for each in words)


def _has_offered_draw(slips: Sequence[Slip], side: Side) -> bool:
    """Whether a side has offered a draw since the opponent's last move."""
    for slip in reversed(slips):
        if slip.is_of_opponents_move:
            return False
        if any(fact.code == Common.OFFER and fact["side"] == side for fact in slip.facts):
            return True
    return False


def is_in_check(slips: Sequence[Slip]) -> bool:
    """Whether the umpire has announced a check since the side's own last move."""
    since = takewhile(lambda slip: not slip.is_of_own_move, reversed(slips))
    return any(slip.tells(Common.CHECK) for slip in since)


def answer_to_any(slips: Sequence[Slip], side: Side) -> bool | None:
    """Return the umpire's answer to "any?" in this turn; None if the side has not asked."""
    for slip in reversed(slips):
        if slip.made:
            return None
        for fact in slip.facts:
            if fact.code == Common.ANY and fact["side"] == side:
                return bool(fact["answer"])
    return None


def is_pawn_capture_due(slips: Sequence[Slip], side: Side) -> bool:
    """Whether "any?" was answered yes in this turn, and no pawn capture was tried since."""
    for slip in reversed(slips):
        if slip.made:
            return False
        for fact in reversed(slip.facts):
            if fact.code == Common.ANY and fact["side"] == side:
                return bool(fact["answer"])
            # After a yes, every other move is impossible: the illegal one was a pawn capture.
            if fact.code == Common.ILLEGAL and fact.get("side") == side:
                return False
    return False
