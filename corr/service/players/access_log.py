"""Logs sign-ins and refusals: what was tried and why it failed, by codes and without names."""

from __future__ import annotations

import logging
from enum import StrEnum

log = logging.getLogger(__name__)


class SignInMethod(StrEnum):
    """The means by which a person signs in."""

    NUMBER = "number"
    LINK = "link"


class SignInPurpose(StrEnum):
    """What a person came for."""

    SIGN_IN = "sign_in"
    ADDRESS = "address"


class RefusalReason(StrEnum):
    """Why a request was refused."""

    UNKNOWN = "unknown"  # there is no such request
    UNSENT = "unsent"  # no email was sent, so nobody can know the number
    USED = "used"
    OLD = "old"
    TRIES = "tries"
    WRONG = "wrong"


def log_sign_in(by: SignInMethod) -> None:
    """Log a sign-in."""
    log.info("signed in", extra={"by": by.value})


def log_sign_out(*, everywhere: bool = False) -> None:
    """Log a sign-out."""
    log.info("signed out", extra={"everywhere": everywhere})


def log_failure(what: SignInPurpose, by: SignInMethod, why: RefusalReason) -> None:
    """Log that a person did not get what they came for."""
    log.warning("sign-in refused", extra={"what": what.value, "by": by.value, "why": why.value})


def log_unsent(what: SignInPurpose) -> None:
    """Log that no email may go to a claimed address."""
    log.info("no email sent to an address", extra={"what": what.value})


def log_refusal(what: str, why: str) -> None:
    """Log a request that was refused before anything was done."""
    log.warning("request refused", extra={"what": what, "why": why})
