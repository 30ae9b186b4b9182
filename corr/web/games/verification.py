"""Whether the record of a finished game holds: it is checked on a page, or by a program that is handed out here."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import resources

from flask import Blueprint, Response, abort, request
from werkzeug.exceptions import ServiceUnavailable

from corr import limits
from corr.messages import sentence
from corr.proof.proof import prove
from corr.proof.verify import Wrong, lines_in
from corr.service.games import game_records
from corr.web.browser_session import Answer, back, guard, house, limit, page, say, visitor
from corr.words.errors import Refused

pages = Blueprint("verifying", __name__)
#: While a record is checked, the other pages of this process are slower.
CHECKING = threading.Semaphore()


@pages.before_request
def take() -> None:
    """Files are larger than what is typed into any other form, and so are counted before they are read."""
    request.max_content_length = limits.RECORD_BYTES
    if request.method == "POST":
        limit("verify", limits.RECORDS_AN_HOUR)
    guard()


@pages.get("/verify")
def form() -> Answer:
    """What a record proves, and a form that takes one with one's letters."""
    return page("web/verify.html", proof=None)


@pages.post("/verify")
def verify() -> Answer:
    """What holds of a record, in one sentence."""
    record = request.files.get("record")
    if not record:
        say(Refused(sentence("games.no_file")))
        return back("verifying.form")
    files = []
    for each in filter(None, (record, *request.files.getlist("letters"))):
        with closing(each):
            files.append(lines_in(each.read()))
    if not CHECKING.acquire(timeout=limits.RECORD_WAIT):
        raise ServiceUnavailable(sentence("games.checking"), retry_after=limits.RECORD_WAIT)
    try:
        unpacked, *letters = _few(files)
        proof = prove(unpacked, letters, limits.RECORD_ORDERS)
    finally:
        CHECKING.release()
    return page("web/verify.html", proof=proof)


def _few(files: Iterable[Iterable[bytes]]) -> Iterator[Iterator[bytes]]:
    """The lines of files, as long as they are few and short in all: a packed file may hold any number."""
    left = [limits.RECORD_BYTES, limits.RECORD_LINES]

    def lines(file: Iterable[bytes]) -> Iterator[bytes]:
        for line in file:
            left[0] -= len(line)
            left[1] -= 1
            if min(left) < 0:
                raise Wrong(sentence("games.too_much"))
            yield line

    return map(lines, files)


@pages.get("/verify.py")
def program() -> Response:
    """The program that checks all but the rules, for whoever will not trust ours."""
    source = resources.files("corr.proof").joinpath("verify.py").read_bytes()
    return Response(source, mimetype="text/x-python")


@pages.get("/games/<code>/record")
def record(code: str) -> Answer:
    """The record of a game for one of its players, once it is over."""
    who = visitor()
    if who is None or who.who.player_id is None:
        return back("signing.sign_in")
    try:
        text = game_records.of_player(house(), code, who.who.player_id)
    except Refused as refusal:
        abort(404, str(refusal))
    file = Response(game_records.packed(text), mimetype="application/gzip")
    file.headers["Content-Disposition"] = f'attachment; filename="{code.lower()}.jsonl.gz"'
    return file
