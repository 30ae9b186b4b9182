"""What is made up by clicks before it is sent: tries in their order, and what they hang on; from the address alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from corr import limits
from corr.words.view import Card, Stage, Told, View

_TRY = r"(?:[a-h][1-8][a-h][1-8][qrbn]?|[QRBNP]@[a-h][1-8])"
_TRIES = rf"((?:{_TRY}(?:\.{_TRY})*)?)"
_DRAFT = re.compile(rf"(?:([a-z0-9 <=>]*):)?{_TRIES}(?:/{_TRIES})?")
_ON_A_SQUARE = re.compile(r"capture [a-h][1-8]")
_ANSWERS = {"yes": "no", "no": "yes"}
#: While the square is still to be chosen on which a capture would be.
SOMEWHERE = "capture on"
_CONDITIONS = {
    Told.CAPTURE: ("capture", "no capture"),
    Told.CAPTURE_SQUARE: (SOMEWHERE,),
    Told.CHECK: ("check", "no check", "check rank", "check file", "check long", "check short"),
    Told.KNIGHT_CHECK: ("check knight",),
    Told.TRIES: ("tries>0", "tries=0"),
}


@dataclass(frozen=True, slots=True)
class Draft:
    """Tries in their order; they hang on an answer to `any?`, on what the umpire will say, or on nothing."""

    hangs_on: str = ""
    tries: tuple[str, ...] = ()
    other: tuple[str, ...] = ()  # those for the other answer to `any?`

    @property
    def address(self) -> str:
        """As the page's address has it."""
        head = f"{self.hangs_on}:" if self.hangs_on else ""
        return head + ".".join(self.tries) + ("/" + ".".join(self.other) if self.other else "")

    @property
    def order(self) -> str:
        """What is sent to the umpire; nothing while something is missing."""
        if self.hangs_on in _ANSWERS:
            lists = {self.hangs_on: self.tries, _ANSWERS[self.hangs_on]: self.other}
            branches = [f"{word}: {', '.join(lists[word])}" for word in _ANSWERS if lists[word]]
            return f"any? {' / '.join(branches)}" if branches else ""
        if not self.tries or self.wants_square:
            return ""
        return (f"if {self.hangs_on}: " if self.hangs_on else "") + ", ".join(self.tries)

    @property
    def wants_square(self) -> bool:
        """Whether the next square that is chosen is the one of a capture."""
        return self.hangs_on == SOMEWHERE

    def on(self, square: str) -> Draft:
        """The same, for a capture on this square."""
        return replace(self, hangs_on=f"capture {square}")

    def on_word(self, word: str) -> Draft:
        """The same, hanging on something else; what hangs on either answer to `any?` stays there."""
        if {word, self.hangs_on} == {*_ANSWERS}:
            return Draft(word, self.other, self.tries)
        return Draft(word, self.tries, self.other if word in _ANSWERS else ())

    def with_try(self, step: str) -> Draft:
        """One more try at the end, unless it stands there already."""
        is_full = len(self.tries) >= limits.TRIES_BY_HAND
        return self if is_full or step in self.tries else replace(self, tries=(*self.tries, step))

    def without(self, step: str) -> Draft:
        """The same without a try."""
        return replace(self, tries=tuple(each for each in self.tries if each != step))

    def earlier(self, step: str) -> Draft:
        """The same with a try one place nearer to the front."""
        at = self.tries.index(step)
        tries = [*self.tries]
        tries[at - 1 : at + 1] = reversed(tries[at - 1 : at + 1])
        return replace(self, tries=tuple(tries))


def read(view: View, text: str | None) -> Draft | None:
    """What the page's address makes up; None where it makes up nothing, or nothing can be made up."""
    if text is None or not may_draft(view):
        return None
    found = _DRAFT.fullmatch(text)
    if not found:
        return Draft()
    hangs_on, tries, other = (part or "" for part in found.groups())
    offered = SOMEWHERE if _ON_A_SQUARE.fullmatch(hangs_on) else hangs_on
    draft = Draft(hangs_on if offered in conditions(view) else "")
    for step in filter(None, tries.split(".")):
        draft = draft.with_try(step)
    if draft.hangs_on not in _ANSWERS:
        return draft
    draft = draft.on_word(_ANSWERS[hangs_on])
    for step in filter(None, other.split(".")):
        draft = draft.with_try(step)
    return draft.on_word(hangs_on)


def may_draft(view: View) -> bool:
    """Whether several tries can be made up: for this turn, or for the next one while the other side is to move."""
    if view.state is not Stage.RUNNING or view.late or view.outcome or not view.card.lists:
        return False
    return view.my_turn or bool(view.card.told and not view.lesson)


def conditions(view: View) -> tuple[str, ...]:
    """On what the tries may hang, as this variant's umpire answers and tells; first, on nothing."""
    if view.my_turn:
        return ("", *_ANSWERS) if "any?" in view.card.presses and not view.has_asked else ("",)
    return ("", *_told(view.card))


def _told(card: Card) -> Iterator[str]:
    for told in Told:
        if told in card.told:
            yield from _CONDITIONS[told]
