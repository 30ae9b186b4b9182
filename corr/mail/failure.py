"""That a letter will not arrive: by the figures of RFC 3463, whether its mailbox takes no letters at all."""

from __future__ import annotations

import re
from typing import NamedTuple

_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")
#: Of a mailbox that is there, and is full or switched off; of a way that was not found; of who we are.
_MAY_MEND = ("4.", "5.2.1", "5.2.2", "5.4.", "5.7.")


class Failure(NamedTuple):
    """Whether the mailbox of a letter takes none at all, and why, where figures say it."""

    is_hard: bool
    status: str


def failure(said: str) -> Failure:
    """What a mail server said of a letter, which may begin with figures."""
    found = _STATUS.match(said.strip())
    status = found[0] if found else ""
    return Failure(not status.startswith(_MAY_MEND), status)
