"""Builds lists of moves to try from clicks (limits: `corr/limits.py`) before they are sent; the address holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from corr import limits
from corr.words.view import ConditionTopic, Stage, View, answer_to_any

_TRY = r"(?:[a-h][1-8][a-h][1-8][qrbn]?|[QRBNP]@[a-h][1-8])"
_BRANCH = re.compile(rf"(\*?)(?:([a-z0-9 <=>,]*):)?((?:{_TRY}(?:\.{_TRY})*)?)")
_SQUARE_CAPTURE = re.compile(r"capture [a-h][1-8]")
#: When tries are made: at once, after either answer to `any?`, or in the next turn whatever else the umpire says.
AT_ONCE, YES, NO, ELSE = "", "yes", "no", "else"
_ANSWERS = (YES, NO)
CAPTURE_ON_SQUARE = "capture on"  # the condition of a capture while its square is still to be chosen
_LINES = ("check rank", "check file", "check long", "check short")
_CONDITIONS = {
    ConditionTopic.CAPTURE: ("capture", "no capture"),
    ConditionTopic.CAPTURE_SQUARE: (CAPTURE_ON_SQUARE,),
    ConditionTopic.CHECK: ("check", "no check", *_LINES),
    ConditionTopic.KNIGHT_CHECK: ("check knight",),
    ConditionTopic.TRIES: ("tries>0", "tries=0"),
}
_TOGETHER = frozenset([*_LINES, "check knight"])  # the only conditions about one thing that may hold together


@dataclass(frozen=True, slots=True)
class Branch:
    """Moves to try one after another, and the conditions for that; all of them must hold."""

    when: tuple[str, ...] = (AT_ONCE,)
    tries: tuple[str, ...] = ()

    @property
    def is_later(self) -> bool:
        """Whether the moves are for the player's next turn."""
        return self.is_if or self.when == (ELSE,)

    @property
    def is_if(self) -> bool:
        """Whether the moves depend on what the umpire will say."""
        return self.when[0] not in (AT_ONCE, ELSE, *_ANSWERS)

    @property
    def place(self) -> int:
        """The sort key: this turn comes before the next, and the unconditional `else` last."""
        return 2 if self.when == (ELSE,) else int(self.is_later)

    @property
    def listed(self) -> str:
        """The moves to try, as the text of an order."""
        return ", ".join(self.tries)

    def hangs_on(self, word: str) -> bool:
        """Tell whether the branch has this condition, or a capture on a square for "capture on"."""
        return self.said(word) in self.when

    def said(self, word: str) -> str:
        """Return the branch's own condition for this one; a capture then has its square."""
        squares = (each for each in self.when if _SQUARE_CAPTURE.fullmatch(each))
        return next(squares, word) if word == CAPTURE_ON_SQUARE else word


@dataclass(frozen=True, slots=True)
class Draft:
    """Branches in order, one of which is open for changes; `my_turn` tells whether the player is to move."""

    my_turn: bool
    branches: tuple[Branch, ...]
    at: int = 0

    @property
    def open(self) -> Branch:
        """The branch that the next choice joins."""
        return self.branches[self.at]

    @property
    def later(self) -> tuple[Branch, ...]:
        """The branches for the player's next turn."""
        return tuple(each for each in self.branches if each.is_later)

    @property
    def unsent(self) -> tuple[Branch, ...]:
        """Conditional branches without tries: they are not sent with the others, but stay."""
        return tuple(each for each in self.branches if each.is_if and not each.tries)

    @property
    def rest(self) -> str:
        """The text for the page's address of what remains after everything complete is sent."""
        return replace(self, branches=self.unsent, at=0).address

    @property
    def reached(self) -> frozenset[str]:
        """The squares where this turn's moves may end, while a branch for the next turn is open."""
        nows = (each for each in self.branches if not each.is_later)
        return frozenset(step[2:4] for each in nows for step in each.tries if self.open.is_later)

    @property
    def tries(self) -> int:
        """The number of tries in all branches."""
        return sum(len(each.tries) for each in self.branches)

    @property
    def address(self) -> str:
        """The draft as text for the page's address, from which `read` gets it back."""
        marks = ["*" if number and number == self.at else "" for number in range(len(self.branches))]
        heads = [f"{','.join(each.when)}:" if each.when != (AT_ONCE,) else "" for each in self.branches]
        lists = [".".join(each.tries) for each in self.branches]
        return "/".join(map("".join, zip(marks, heads, lists, strict=True)))

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders to send, for this turn and the next; none while something is missing."""
        filled = [each for each in self.branches if each.tries]
        if any(CAPTURE_ON_SQUARE in each.when for each in filled):
            return ()
        ifs = [f"if {' and '.join(each.when)}: {each.listed}" for each in filled if each.is_if]
        others = [each.listed for each in filled if each.when == (ELSE,)]
        later = "; ".join([*ifs, *(f"else {each}" if ifs else each for each in others)])
        now = self._now(filled)
        if self.my_turn and later and not (now and ifs):
            return ()
        return tuple(filter(None, (now, later)))

    def _now(self, filled: Iterable[Branch]) -> str:
        """Return the order for this turn; empty without one."""
        lists = {each.when[0]: each.listed for each in filled if not each.is_later}
        asked = " / ".join(f"{word}: {lists[word]}" for word in _ANSWERS if word in lists)
        return f"any? {asked}" if asked else lists.get(AT_ONCE, "")

    @property
    def wants_square(self) -> bool:
        """Whether the next chosen square is that of a capture."""
        return CAPTURE_ON_SQUARE in self.open.when

    def on(self, square: str) -> Draft:
        """Return the draft with this square for the open branch's capture."""
        when = tuple(f"capture {square}" if each == CAPTURE_ON_SQUARE else each for each in self.open.when)
        return self._changed(replace(self.open, when=when))

    def with_condition_switched(self, word: str) -> Draft:
        """Return the draft after a click on a condition, which switches it on or off."""
        branch, known = self.open, self.open.when if self.open.is_if else ()
        if branch.hangs_on(word):
            left = tuple(each for each in known if not Branch((each,)).hangs_on(word))
        else:
            left = (*(each for each in known if _go_together(each, word)), word)
        is_taken = not left and any(each.when == (ELSE,) for each in self.branches)
        return self if is_taken else self._changed(replace(branch, when=left or (ELSE,)))

    def with_time_chosen(self, word: str) -> Draft:
        """Return the draft after a click on a time: now, after an answer, or the next turn."""
        # A branch for either answer to `any?` keeps its time.
        known = next((each for each in self.branches if each.when == (word,)), None)
        if known is not None:
            return self._made(self.branches, known)
        nows = [each for each in self.branches if not each.is_later]
        is_other_answer = word in _ANSWERS and any(each.when[0] in _ANSWERS for each in nows)
        if word == ELSE or is_other_answer or not nows:
            fresh = Branch((word,))
            return self._made([*self.branches, fresh], fresh)
        moved = replace(self.open if self.open in nows else nows[0], when=(word,))
        return self._made([moved, *self.later], moved)

    def to(self, branch: Branch) -> Draft:
        """Return the draft with another of its branches open."""
        return self._made(self.branches, branch)

    def with_try(self, step: str) -> Draft:
        """Return the draft with a move added to the open branch, unless it is there already."""
        if self.tries >= limits.CLICKED_TRIES or step in self.open.tries:
            return self
        return self._changed(replace(self.open, tries=(*self.open.tries, step)))

    def without(self, step: str) -> Draft:
        """Return the draft without this move in the open branch."""
        return self._changed(
            replace(self.open, tries=tuple(each for each in self.open.tries if each != step))
        )

    def earlier(self, step: str) -> Draft:
        """Return the draft with a move of the open branch one place earlier."""
        at = self.open.tries.index(step)
        tries = [*self.open.tries]
        tries[at - 1 : at + 1] = reversed(tries[at - 1 : at + 1])
        return self._changed(replace(self.open, tries=tuple(tries)))

    def _changed(self, branch: Branch) -> Draft:
        """Return the draft with another branch in place of the open one."""
        return self._made([branch if each is self.open else each for each in self.branches], branch)

    def _made(self, branches: Iterable[Branch], gone_on: Branch) -> Draft:
        """Return the draft with these branches, sorted and without empty ones; `gone_on` is open."""
        kept = sorted(
            (each for each in branches if each is gone_on or each.tries or each.is_if),
            key=lambda each: each.place,
        )
        at = next(number for number, each in enumerate(kept) if each is gone_on)
        return replace(self, branches=tuple(kept), at=at)


def _go_together(one: str, other: str) -> bool:
    """Tell whether the umpire can announce both conditions after one move."""
    things = [each.removeprefix("no ").partition(" ")[0].rstrip("0=>") for each in (one, other)]
    return things[0] != things[1] or {one, other} <= _TOGETHER


def parse_draft(view: View, text: str | None) -> Draft | None:
    """Return the draft in the page's address; None if there is none, or none is allowed."""
    if text is None or not can_draft(view):
        return None
    first = AT_ONCE if view.my_turn else ELSE
    blank = Draft(view.my_turn, (Branch((first,)),))
    parts = [_BRANCH.fullmatch(each) for each in text.split("/")[: limits.CLICKED_BRANCHES]]
    draft, at = replace(blank, branches=()), 0
    for part in parts:
        if part is None:
            return blank
        branch = Branch(_read_conditions(view, part[2] or first))
        if branch.is_if or all(each.when != branch.when for each in draft.branches):
            draft = replace(draft, branches=(*draft.branches, branch), at=len(draft.branches))
            at = draft.at if part[1] else at
            for step in filter(None, part[3].split(".")):
                draft = draft.with_try(step)
    return replace(draft, at=0).to(draft.branches[at])


def _read_conditions(view: View, text: str) -> tuple[str, ...]:
    """Return the branch's conditions as the address has them, if this game allows them."""
    words, known = tuple(dict.fromkeys(text.split(","))), next_turn_conditions(view)
    if len(words) == 1 and (
        words[0] in answer_conditions(view) or (words[0] == ELSE and (known or not view.my_turn))
    ):
        return words
    if all((CAPTURE_ON_SQUARE if _SQUARE_CAPTURE.fullmatch(each) else each) in known for each in words):
        return words
    return (AT_ONCE if view.my_turn else ELSE,)


def can_draft(view: View) -> bool:
    """Return whether the player can draft tries, for this turn or for the next."""
    if view.state is not Stage.RUNNING or view.late or view.outcome or not view.card.lists:
        return False
    return view.my_turn or bool(next_turn_conditions(view))


def answer_conditions(view: View) -> tuple[str, ...]:
    """Return when in this turn tries may be made: at once, or after each answer to `any?`."""
    if not view.my_turn:
        return ()
    return (AT_ONCE, *_ANSWERS) if "any?" in view.card.presses and not view.has_asked else (AT_ONCE,)


def wanted_captures(view: View, draft: Draft | None) -> bool | None:
    """Return True if the next try must be a pawn capture, False if it can't be one; else None."""
    if not view.my_turn or (draft and draft.open.is_later):
        return None
    asked = draft.open.when[0] if draft else AT_ONCE
    is_yes = asked == YES or (asked == AT_ONCE and view.is_told_to_try)
    if is_yes and not (draft and draft.open.tries):
        return True
    is_no = asked == NO or answer_to_any(view.slips, view.side) is False
    return False if is_no else None


def next_turn_conditions(view: View) -> tuple[str, ...]:
    """Return the conditions for the next turn's tries that this variant's umpire can announce."""
    told = [] if view.lesson else [topic for topic in ConditionTopic if topic in view.card.told]
    return tuple(condition for topic in told for condition in _CONDITIONS[topic])
