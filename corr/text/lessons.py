"""Reads the tutorial's lessons, and chooses the texts that fit the umpire's words to the pupil."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

from corr.text.messages import template_folder
from corr.words.board import Side
from corr.words.codes import Common
from corr.words.slips import Slip, newest_setup_index
from corr.words.view import Lesson


@dataclass(frozen=True, slots=True)
class Comment:
    """The tutor's explanation, in paragraphs, of something that the pupil hears for the first time."""

    heard: Callable[[Slip], bool]
    about: str
    text: tuple[str, ...]
    page: str

    def first(self, slips: Iterable[Slip]) -> int | None:
        """Return the index of the first slip that this comment explains, or None."""
        return next((place for place, slip in enumerate(slips) if self.heard(slip)), None)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The tutor's suggestion, in paragraphs, after a number of moves with nothing to explain."""

    after: int
    text: tuple[str, ...]
    page: str


@dataclass(frozen=True, slots=True)
class Script:
    """A lesson with its hidden parts: the position, the goal, and all its texts."""

    lesson: Lesson
    position: str
    aim: str
    solution: str
    done: str
    hint: str
    comments: tuple[Comment, ...]
    proposals: tuple[Proposal, ...]

    @property
    def is_game(self) -> bool:
        """Whether the lesson is a whole game, which only its result ends."""
        return self.aim == "end"

    def told(self, slips: Sequence[Slip], mover: Side | None = None) -> Lesson:
        """Return the lesson with its texts; in a whole game, those that are new since the last move."""
        if not self.is_game:
            return self.lesson
        game = slips[newest_setup_index(slips) :]
        moves = (place for place, slip in enumerate(game) if slip.made and mover in (None, slip.made["side"]))
        last = max(moves, default=0)
        said = (*self._explained(game), *self._proposed(game))
        new = [each for place, each in said if place >= last]
        return replace(
            self.lesson,
            text=tuple(chain.from_iterable(each.text for each in new)),
            page="\n".join(each.page for each in new),
            met=tuple(self._about(game, heard=True)),
            unmet=tuple(self._about(game, heard=False)),
        )

    def _explained(self, game: Sequence[Slip]) -> Iterator[tuple[int, Lesson | Comment]]:
        """Return a game's explanations, each with the index of its slip."""
        yield 0, self.lesson
        for comment in self.comments:
            if (place := comment.first(game)) is not None:
                yield place, comment

    def _proposed(self, game: Sequence[Slip]) -> Iterator[tuple[int, Proposal]]:
        """Yield the suggestions that are due, one for each turn with nothing new to explain."""
        explained = {place for place, _ in self._explained(game)}
        waiting, moves = list(self.proposals), 0
        for place, slip in enumerate(game):
            moves += slip.is_of_own_move
            is_quiet = (
                slip.is_of_opponents_move and not slip.tells(Common.CAPTURE) and not slip.tells(Common.CHECK)
            )
            if is_quiet and place not in explained and waiting and waiting[0].after <= moves:
                yield place, waiting.pop(0)

    def _about(self, game: Sequence[Slip], *, heard: bool) -> Iterator[str]:
        """Yield the topics of the comments that the game has, or has not, given cause for."""
        return (each.about for each in self.comments if (each.first(game) is not None) is heard)


@dataclass(frozen=True, slots=True)
class Tutorial:
    variant: str
    scripts: tuple[Script, ...]

    def script(self, number: int) -> Script:
        return self.scripts[number - 1]


@cache
def tutorial() -> Tutorial:
    told = tomllib.loads((template_folder() / "lessons.toml").read_text("utf-8"))
    of = len(told["lessons"])
    return Tutorial(
        told["variant"],
        tuple(
            Script(
                lesson=Lesson(number, of, each["title"], tuple(each["text"]), each["page"]),
                position=each["position"],
                aim=each["aim"],
                solution=each.get("solution", ""),
                done=each.get("done", ""),
                hint=each["hint"],
                comments=tuple(map(_comment, each.get("comments", ()))),
                proposals=tuple(
                    Proposal(made["after"], tuple(made["text"]), made["page"])
                    for made in each.get("proposals", ())
                ),
            )
            for number, each in enumerate(told["lessons"], 1)
        ),
    )


def is_whole_game(lesson: int | None) -> bool:
    """Tell whether the game of this lesson, or outside the tutorial (None), is a whole game."""
    return lesson is None or tutorial().script(lesson).is_game


def _comment(told: Mapping[str, Any]) -> Comment:
    return Comment(_TRIGGERS[told["heard"]], told["about"], tuple(told["text"]), told["page"])


_TRIGGERS: Mapping[str, Callable[[Slip], bool]] = {
    "tries": lambda slip: any(fact.code == Common.TRIES and fact["count"] for fact in slip.facts),
    "captured": lambda slip: slip.is_of_opponents_move and slip.tells(Common.CAPTURE),
    "check": lambda slip: slip.is_of_opponents_move and slip.tells(Common.CHECK),
    "capture": lambda slip: slip.is_of_own_move and slip.tells(Common.CAPTURE),
    "gives check": lambda slip: slip.is_of_own_move and slip.tells(Common.CHECK),
}
