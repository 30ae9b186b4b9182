"""Signs programs in by their token, and reads and writes their JSON, without cookies."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from flask import abort, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from corr.service.games.json_format import encode_json
from corr.service.players import access_log, tokens
from corr.service.players.authentication import Visitor
from corr.service.players.tokens import Bearer
from corr.text.messages import sentence
from corr.web.browser_session import current_server, limit

API_PATHS = ("/api/", "/reconchess/")  # below these paths every response is JSON


def require_program() -> Visitor:
    """Return the player to whom the request's token belongs, or answer 401; cookies do not count."""
    return _bearer().visitor


def require_bot(what: str, an_hour: int) -> Visitor:
    """Return the player of a token that may play, up to an hourly limit; refuse others."""
    found = _bearer()
    if not found.plays:
        abort(403, sentence("tokens.reads_alone"))
    limit(what, an_hour, f"player {found.visitor.who.player_id}")
    return found.visitor


def _bearer() -> Bearer:
    """Return the player to whom the request's token belongs and its rights, or answer 401."""
    given = request.authorization
    token = given.token if given and given.type == "bearer" else None
    found = tokens.find_bearer(current_server(), token) if token else None
    if found is None:
        access_log.log_refusal(request.endpoint or "", "token")
        abort(401, sentence("tokens.unknown"))
    return found


def read_json() -> dict[str, Any]:
    """Return the JSON object in the request, or answer 400."""
    try:
        found = json.loads(request.get_data())
        json.dumps(found, ensure_ascii=False).encode()  # refuse half a surrogate pair
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        abort(400, sentence("programs.no_object"))
    return found


def json_response(body: dict[str, Any], status: int = 200) -> Response:
    """Return a JSON response, or 304 if the program has the same one already."""
    text = encode_json(body)
    etag = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    answer = Response(text, status, mimetype="application/json")
    if request.if_none_match.contains(etag):
        answer = Response(status=304)
    answer.set_etag(etag)
    return answer


def json_refusal(error: HTTPException) -> Response:
    """Return an HTTP error as a JSON response, with a sentence."""
    is_worded = error.description != type(error).description
    why = error.description if is_worded else sentence("pages.not_possible")
    answer = error.get_response()
    answer.data, answer.mimetype = json.dumps({"error": why}, ensure_ascii=False), "application/json"
    if error.code == 401:
        answer.headers["WWW-Authenticate"] = "Bearer" if request.path.startswith(API_PATHS[0]) else "Basic"
    return answer
