"""What a letter has to do without: a part of it that cannot be made never holds up the rest."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from corr.template_folder import folder

Thing = TypeVar("Thing")

_OURS = (str(Path(__file__).parents[1]), str(folder()))


class Lack(NamedTuple):
    """A part that could not be made, and where of which kind the fault is: nothing of what it is about."""

    part: str
    fault: str


@dataclass(slots=True)
class Lacks:
    """The parts that one letter has to do without."""

    found: list[Lack] = field(default_factory=list)

    def or_without(
        self, part: str, make: Callable[[], Thing], without: Thing, *beyond: type[Exception]
    ) -> Thing:
        """The part, or what stands in its place where it cannot be made; errors from beyond are no fault of it."""
        try:
            return make()
        except beyond:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, the letter goes
            self.found.append(Lack(part, fault(error)))
            return without


def fault(error: BaseException) -> str:
    """`KeyError at score.py:45`: the innermost line of ours, and never what the error says."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(_OURS)] or frames
    where = f" at {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}{where}"
