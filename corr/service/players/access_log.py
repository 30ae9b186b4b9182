"""What the log tells of who comes in, and who is kept out: what was tried and why not, by codes, and nobody's name."""

from __future__ import annotations

import logging
from enum import StrEnum

log = logging.getLogger(__name__)


class By(StrEnum):
    """By what somebody would come in."""

    NUMBER = "number"
    LINK = "link"


class What(StrEnum):
    """What somebody came for."""

    SIGN_IN = "sign_in"
    ADDRESS = "address"


class Why(StrEnum):
    """Why somebody was kept out."""

    UNKNOWN = "unknown"  # nobody has asked for just this
    UNSENT = "unsent"  # no letter went, so that nobody can know the number
    USED = "used"
    OLD = "old"
    TRIES = "tries"
    WRONG = "wrong"


def let_in(by: By) -> None:
    """Somebody came in."""
    log.info("signed in", extra={"by": by.value})


def let_out(*, everywhere: bool = False) -> None:
    """Somebody has left."""
    log.info("signed out", extra={"everywhere": everywhere})


def kept_out(what: What, by: By, why: Why) -> None:
    """Somebody did not get what they came for."""
    log.warning("sign-in refused", extra={"what": what.value, "by": by.value, "why": why.value})


def unsent(what: What) -> None:
    """An address was named to which no letter may go."""
    log.info("no email sent to an address", extra={"what": what.value})


def refused(what: str, why: str) -> None:
    """A request was refused before anything was done."""
    log.warning("request refused", extra={"what": what, "why": why})
