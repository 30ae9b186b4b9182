"""Logs sign-ins, sign-outs and refused requests by codes, never with names or addresses."""

from __future__ import annotations

import logging
from enum import StrEnum

log = logging.getLogger(__name__)


class SignInMethod(StrEnum):
    """How a person proved that they read our email: by its six-digit number, its link, or an invitation's link."""

    NUMBER = "number"
    LINK = "link"
    INVITATION = "invitation"


class SignInPurpose(StrEnum):
    """What a person proved an address for: signing in, or adding it."""

    SIGN_IN = "sign_in"
    ADDRESS = "address"


class RefusalReason(StrEnum):
    """Why the number or link of a sign-in email was refused."""

    UNKNOWN = "unknown"  # there is no such request
    UNSENT = "unsent"  # no email was sent, so nobody can know the number
    USED = "used"  # it worked before
    OLD = "old"  # it has expired
    TRIES = "tries"  # too many wrong numbers were tried
    WRONG = "wrong"  # the number is wrong


def log_sign_in(method: SignInMethod) -> None:
    """Log that a person signed in, by the number or the link of our email."""
    log.info("signed in", extra={"by": method.value})


def log_sign_out(*, everywhere: bool = False) -> None:
    """Log that a player signed out, at one browser or everywhere."""
    log.info("signed out", extra={"everywhere": everywhere})


def log_failure(purpose: SignInPurpose, method: SignInMethod, reason: RefusalReason) -> None:
    """Log that the number or link of a sign-in email was refused, and why."""
    log.warning("sign-in refused", extra={"what": purpose.value, "by": method.value, "why": reason.value})


def log_unsent(purpose: SignInPurpose) -> None:
    """Log that our rules or limits forbid an email to a typed address."""
    log.info("no email sent to an address", extra={"what": purpose.value})


def log_refusal(what: str, why: str) -> None:
    """Log that a web request, named by `what`, was refused before it did anything."""
    log.warning("request refused", extra={"what": what, "why": why})
