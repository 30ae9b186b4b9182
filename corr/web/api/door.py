"""How a program is let in by its token, and what it is told where something is not possible: JSON, and no cookie."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from flask import Blueprint, abort, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from corr.desk.people import tokens
from corr.desk.people.signing import Visitor
from corr.sentences import sentence
from corr.web.visit import house

_STATUSES = (400, 401, 404, 405, 413, 429)


def room(name: str) -> Blueprint:
    """A part of what programs may ask, whose refusals are JSON."""
    made = Blueprint(name, __name__, url_prefix="/api")
    for status in _STATUSES:
        made.register_error_handler(status, _refused)
    return made


def program() -> Visitor:
    """Whose program asks, by its token alone, whatever cookie comes with it."""
    given = request.authorization
    token = given.token if given and given.type == "bearer" else None
    found = tokens.visitor(house(), token) if token else None
    if found is None:
        abort(401, sentence("tokens.unknown"))
    return found


def told(body: dict[str, Any]) -> Response:
    """An answer, or that it is the one that the program has already."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    etag = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    answer = Response(text, mimetype="application/json")
    if request.if_none_match.contains(etag):
        answer = Response(status=304)
    answer.set_etag(etag)
    return answer


def _refused(error: HTTPException) -> Response:
    is_worded = error.description != type(error).description
    why = error.description if is_worded else sentence("pages.not_possible")
    answer = Response(json.dumps({"error": why}, ensure_ascii=False), error.code, mimetype="application/json")
    if error.code == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if wait := getattr(error, "retry_after", None):
        answer.headers["Retry-After"] = str(wait)
    return answer
