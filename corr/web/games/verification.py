"""Checks the record of a finished game on a page (limits: `corr/limits.py`), and serves a program that does it too."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import resources

from flask import Blueprint, Response, abort, request
from werkzeug.exceptions import ServiceUnavailable

from corr import limits
from corr.proof.proof import prove
from corr.proof.verify import InvalidRecord, split_lines
from corr.service.games import game_records
from corr.text.messages import sentence
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    limit,
    redirect_to,
    render_page,
    set_message,
)
from corr.words.errors import Refused

pages = Blueprint("verifying", __name__)
#: Allows one check at a time, since a check slows the other pages of its process.
CHECK_SEMAPHORE = threading.Semaphore()


@pages.before_request
def prepare_upload() -> None:
    """Allow larger files than other forms do, and apply the rate limit before reading them."""
    request.max_content_length = limits.RECORD_BYTES
    if request.method == "POST":
        limit("verify", limits.RECORDS_AN_HOUR)
    check_form()


@pages.get("/verify")
def form() -> PageResponse:
    """Show what a record proves, and a form for a record and the player's emails."""
    return render_page("web/verify.html", proof=None)


@pages.post("/verify")
def verify() -> PageResponse:
    """Check a record, and say the result in one sentence."""
    record = request.files.get("record")
    if not record:
        set_message(Refused(sentence("games.no_file")))
        return redirect_to("verifying.form")
    files = []
    for each in filter(None, (record, *request.files.getlist("letters"))):
        with closing(each):
            files.append(split_lines(each.read()))
    if not CHECK_SEMAPHORE.acquire(timeout=limits.RECORD_WAIT):
        raise ServiceUnavailable(sentence("games.checking"), retry_after=limits.RECORD_WAIT)
    try:
        unpacked, *letters = _limited_lines(files)
        proof = prove(unpacked, letters, limits.RECORD_ORDERS)
    finally:
        CHECK_SEMAPHORE.release()
    return render_page("web/verify.html", proof=proof)


def _limited_lines(files: Iterable[Iterable[bytes]]) -> Iterator[Iterator[bytes]]:
    """Return each file's lines; raise InvalidRecord if they are too many in all."""
    # A packed file may hold any number of lines.
    left = [limits.RECORD_BYTES, limits.RECORD_LINES]

    def lines(file: Iterable[bytes]) -> Iterator[bytes]:
        for line in file:
            left[0] -= len(line)
            left[1] -= 1
            if min(left) < 0:
                raise InvalidRecord(sentence("games.too_much"))
            yield line

    return map(lines, files)


@pages.get("/verify.py")
def program() -> Response:
    """Serve `verify.py`, for anybody who does not trust our server."""
    source = resources.files("corr.proof").joinpath("verify.py").read_bytes()
    return Response(source, mimetype="text/x-python")


@pages.get("/games/<code>/record")
def record(code: str) -> PageResponse:
    """Serve a finished game's record to one of its players."""
    who = current_visitor()
    if who is None or who.who.player_id is None:
        return redirect_to("signing.sign_in")
    try:
        text = game_records.load_own_record(current_server(), code, who.who.player_id)
    except Refused as refusal:
        abort(404, str(refusal))
    file = Response(game_records.compress(text), mimetype="application/gzip")
    file.headers["Content-Disposition"] = f'attachment; filename="{code.lower()}.jsonl.gz"'
    return file
