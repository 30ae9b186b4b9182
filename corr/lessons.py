"""The lessons of the tutorial, as they stand among the templates."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from corr.orders import Puzzle, read_order
from corr.pages import folder
from corr.words.orders import Order
from corr.words.view import Lesson


@dataclass(frozen=True, slots=True)
class Script:
    """A lesson with what its pupil is not shown: how the men stand, what the tutor plays, and what ends it."""

    lesson: Lesson
    position: str
    opens: Order | None
    aim: str
    done: str
    hint: str


@dataclass(frozen=True, slots=True)
class Tutorial:
    """All lessons, and by the rules of which variant they are played."""

    variant: str
    scripts: tuple[Script, ...]

    def script(self, number: int) -> Script:
        """The lesson of a number; they are counted from 1."""
        return self.scripts[number - 1]


@cache
def tutorial() -> Tutorial:
    """The tutorial of this house."""
    told = tomllib.loads((folder() / "lessons.toml").read_text("utf-8"))
    of = len(told["lessons"])
    return Tutorial(
        told["variant"],
        tuple(
            Script(
                lesson=Lesson(number, of, each["title"], tuple(each["text"])),
                position=each["position"],
                opens=_order(each["opens"]) if "opens" in each else None,
                aim=each["aim"],
                done=each["done"],
                hint=each["hint"],
            )
            for number, each in enumerate(told["lessons"], 1)
        ),
    )


def _order(text: str) -> Order:
    order = read_order(text)
    assert not isinstance(order, Puzzle), order.why
    return order
