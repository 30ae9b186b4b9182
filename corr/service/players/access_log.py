"""Logs sign-ins and refusals: what was tried and why it failed, by codes and without names."""

from __future__ import annotations

import logging
from enum import StrEnum

log = logging.getLogger(__name__)


class By(StrEnum):
    """The means by which a person signs in."""

    NUMBER = "number"
    LINK = "link"


class What(StrEnum):
    """What a person came for."""

    SIGN_IN = "sign_in"
    ADDRESS = "address"


class Why(StrEnum):
    """Why a request was refused."""

    UNKNOWN = "unknown"  # there is no such request
    UNSENT = "unsent"  # no email was sent, so nobody can know the number
    USED = "used"
    OLD = "old"
    TRIES = "tries"
    WRONG = "wrong"


def let_in(by: By) -> None:
    """Log a sign-in."""
    log.info("signed in", extra={"by": by.value})


def let_out(*, everywhere: bool = False) -> None:
    """Log a sign-out."""
    log.info("signed out", extra={"everywhere": everywhere})


def kept_out(what: What, by: By, why: Why) -> None:
    """Log that a person did not get what they came for."""
    log.warning("sign-in refused", extra={"what": what.value, "by": by.value, "why": why.value})


def unsent(what: What) -> None:
    """Log that no email may go to a claimed address."""
    log.info("no email sent to an address", extra={"what": what.value})


def refused(what: str, why: str) -> None:
    """Log a request that was refused before anything was done."""
    log.warning("request refused", extra={"what": what, "why": why})
