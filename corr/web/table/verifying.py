"""Whether the record of a finished game holds: it is checked on a page, or by a program that is handed out here."""

from __future__ import annotations

from importlib import resources

from flask import Blueprint, Response, abort, request

from corr import limits
from corr.desk.table import recorded
from corr.proof.proving import prove
from corr.proof.verify import lines_in
from corr.sentences import sentence
from corr.web.visit import Answer, back, guard, house, limit, page, say, visitor
from corr.words.errors import Refused

pages = Blueprint("verifying", __name__)


@pages.before_request
def take() -> None:
    """Files are larger than what is typed into any other form."""
    request.max_content_length = limits.RECORD_BYTES
    guard()


_AN_HOUR = 60


@pages.get("/verify")
def form() -> Answer:
    """What a record proves, and a form that takes one with one's letters."""
    return page("web/verify.html", proof=None)


@pages.post("/verify")
def verify() -> Answer:
    """What holds of a record, in one sentence."""
    limit("verify", _AN_HOUR)
    record = request.files.get("record")
    if not record:
        say(Refused(sentence("games.no_file")))
        return back("verifying.form")
    letters = [lines_in(each.read()) for each in request.files.getlist("letters") if each]
    return page("web/verify.html", proof=prove(lines_in(record.read()), letters))


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
        text = recorded.of_player(house(), code, who.who.player_id)
    except Refused as refusal:
        abort(404, str(refusal))
    file = Response(recorded.packed(text), mimetype="application/gzip")
    file.headers["Content-Disposition"] = f'attachment; filename="{code.lower()}.jsonl.gz"'
    return file
