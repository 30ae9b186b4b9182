"""Letters that a mail provider brings: a whole one in each request, sealed with a key that both know.

What it is for is found in its own head, which is sealed with the rest: whoever has overheard a request can only send
it once more, within minutes, and a letter that comes again has no effect.
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
from corr.messages import sentence
from corr.service.players import access_log
from corr.web.browser_session import house, limit

pages = Blueprint("hook", __name__)
log = logging.getLogger(__name__)

_SEAL = re.compile(r"t=([0-9]{1,10}),mac=([0-9a-f]{64})", re.ASCII)


class Hook(NamedTuple):
    """The key of the seals, and who keeps a letter that has come at a moment, for so many of its recipients."""

    key: bytes
    collect: Callable[[bytes, datetime], int]


class Seal(NamedTuple):
    """When a request was sealed, and its HMAC-SHA256 of that, a dot and the letter."""

    at: str
    mac: str

    def is_fresh(self, now: datetime) -> bool:
        """Whether it was made just now, by clocks that may differ."""
        return abs(now - datetime.fromtimestamp(int(self.at), UTC)) <= limits.HOOK_LIFE

    def holds(self, key: bytes, letter: bytes) -> bool:
        """Whether who has the key has sealed this letter at this moment."""
        made = hmac.digest(key, f"{self.at}.".encode() + letter, "sha256").hex()
        return hmac.compare_digest(made, self.mac)


@pages.post("/in/raw")
def take_in() -> Response:
    """Keep the letter before saying so; one that is for nobody here is left alone, as by LMTP."""
    hook: Hook = current_app.extensions["hook"]
    seal, now = _seal(), house().now()
    if seal is None or not seal.is_fresh(now):
        _refuse("old seal")
    request.max_content_length = limits.LETTER_BYTES
    letter = request.get_data(cache=False)
    if not seal.holds(hook.key, letter):
        _refuse("wrong seal")
    try:
        with current_app.extensions["hatch"].turn():
            taken = hook.collect(letter, now)
    except SQLAlchemyError:
        log.exception("could not store an email; the sender will try again")
        abort(503, sentence("hook.later"))
    return _told(sentence("hook.taken") if taken else sentence("hook.left_alone"))


def _seal() -> Seal | None:
    found = _SEAL.fullmatch(request.headers.get("Corr-Seal", ""))
    return Seal(found[1], found[2]) if found else None


def _refuse(why: str) -> NoReturn:
    """Nothing was done; who guesses is soon told to wait."""
    limit("hook", limits.SEALS_REFUSED_AN_HOUR)
    access_log.refused("hook", why)
    abort(403, sentence("hook.no_seal"))


def _told(words: str) -> Response:
    return Response(f"{words}\n", mimetype="text/plain")


@pages.errorhandler(HTTPException)
def _refused(error: HTTPException) -> ResponseReturnValue:
    """Why a letter was not taken in, for the program that brought it."""
    answer = error.get_response()
    words = sentence("mail.too_big") if error.code == 413 else error.description
    answer.data, answer.mimetype = f"{words}\n", "text/plain"
    return answer
