"""Defines the errors of the project, and says whom their messages are for.

CorrError
├── Refused         a person asked for something impossible; the message is for that person
└── Misconfigured   the operator's settings lack or contradict something; the message names the key
"""

from __future__ import annotations


class CorrError(Exception):
    """Any error that this project raises on purpose."""


class Refused(CorrError):
    """A person asked for something impossible; the message is for that person."""


class Misconfigured(CorrError):
    """The operator's settings lack or contradict something; the message names the key."""
