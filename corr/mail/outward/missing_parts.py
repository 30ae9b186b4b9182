"""Notes the parts of an email that cannot be made, so that they never hold up the rest."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from corr.text.messages import template_folder

Thing = TypeVar("Thing")

_OWN_FOLDERS = (str(Path(__file__).parents[1]), str(template_folder()))


class MissingPart(NamedTuple):
    """A part that failed, with the kind and place of the fault, but nothing of its content."""

    part: str
    fault: str


@dataclass(slots=True)
class MissingParts:
    found: list[MissingPart] = field(default_factory=list)

    def make_or_replace(
        self, part: str, make: Callable[[], Thing], without: Thing, *beyond: type[Exception]
    ) -> Thing:
        """Make the part, or return its substitute on failure; errors from `beyond` pass through."""
        try:
            return make()
        except beyond:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, the letter goes
            self.found.append(MissingPart(part, describe_fault(error)))
            return without


def describe_fault(error: BaseException) -> str:
    """Name the error and our innermost line, as `KeyError at score.py:45`, but never its message."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(_OWN_FOLDERS)] or frames
    where = f" at {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}{where}"
