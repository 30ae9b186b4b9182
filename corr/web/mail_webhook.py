"""Receives emails from a mail provider: each request holds a whole one, signed with a key (limits: `corr/limits.py`).

The signature also covers the recipients, which are in the email's header. A repeated request has no effect.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple, NoReturn

from flask import Blueprint, Response, abort, current_app, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from corr import limits
from corr.service.players import access_log
from corr.text.messages import sentence
from corr.web.browser_session import current_server, limit

pages = Blueprint("hook", __name__)
log = logging.getLogger(__name__)

_SEAL = re.compile(r"t=([0-9]{1,10}),mac=([0-9a-f]{64})", re.ASCII)


class MailWebhook(NamedTuple):
    """The signature key, and the function that stores an email and returns how many recipients are ours."""

    key: bytes
    collect: Callable[[bytes, datetime], int]


class WebhookSignature(NamedTuple):
    """The time of a request's signature, and its HMAC-SHA256 over that time, a dot and the email."""

    at: str
    mac: str

    def is_fresh(self, now: datetime) -> bool:
        """Return whether the signature is recent, allowing for clocks that differ."""
        return abs(now - datetime.fromtimestamp(int(self.at), UTC)) <= limits.WEBHOOK_SIGNATURE_LIFE

    def holds(self, key: bytes, letter: bytes) -> bool:
        """Return whether a holder of the key signed this email at this time."""
        made = hmac.digest(key, f"{self.at}.".encode() + letter, "sha256").hex()
        return hmac.compare_digest(made, self.mac)


@pages.post("/in/raw")
def take_in() -> Response:
    """Store the email before confirming it; ignore one without our recipients, as LMTP does."""
    hook: MailWebhook = current_app.extensions["hook"]
    seal, now = _seal(), current_server().now()
    if seal is None or not seal.is_fresh(now):
        _refuse("old seal")
    request.max_content_length = limits.LETTER_BYTES
    letter = request.get_data(cache=False)
    if not seal.holds(hook.key, letter):
        _refuse("wrong seal")
    try:
        with current_app.extensions["order_lock"].turn():
            taken = hook.collect(letter, now)
    except SQLAlchemyError:
        log.exception("could not store an email; the sender will try again")
        abort(503, sentence("hook.later"))
    return _text_response(sentence("hook.taken") if taken else sentence("hook.left_alone"))


def _seal() -> WebhookSignature | None:
    """Return the signature in the request's header, or None."""
    found = _SEAL.fullmatch(request.headers.get("Corr-Seal", ""))
    return WebhookSignature(found[1], found[2]) if found else None


def _refuse(why: str) -> NoReturn:
    """Refuse the request; a rate limit soon stops anybody who guesses."""
    limit("hook", limits.BAD_SIGNATURES_AN_HOUR)
    access_log.log_refusal("hook", why)
    abort(403, sentence("hook.no_seal"))


def _text_response(words: str) -> Response:
    return Response(f"{words}\n", mimetype="text/plain")


@pages.errorhandler(HTTPException)
def _show_refusal(error: HTTPException) -> ResponseReturnValue:
    """Tell the mail provider's program in plain text why we refused an email."""
    answer = error.get_response()
    words = sentence("mail.too_big") if error.code == 413 else error.description
    answer.data, answer.mimetype = f"{words}\n", "text/plain"
    return answer
