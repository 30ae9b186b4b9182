"""What goes wrong, and how it is said.

CorrError
├── Refused         a person asked for something that cannot be had; the message is for that person
└── Misconfigured   the operator's settings lack or contradict something; the message names the key
"""

from __future__ import annotations


class CorrError(Exception):
    """Anything that this project raises on purpose."""


class Refused(CorrError):
    """A person asked for something that cannot be had; the message is for that person."""


class Misconfigured(CorrError):
    """The operator's settings lack or contradict something; the message names the key."""
