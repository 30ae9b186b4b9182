"""Lists the months with games whose players publish them, and serves those games as files."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from corr.service.games import open_data
from corr.service.games.open_data import FileFormat
from corr.web.browser_session import current_server, render_public
from corr.words.errors import Refused

pages = Blueprint("open_games", __name__, url_prefix="/open")

_KINDS = {
    FileFormat.RECORDS: "application/jsonl",
    FileFormat.PGN: "application/vnd.chess-pgn; charset=utf-8",
    FileFormat.RBC: "application/jsonl",
}


@pages.get("", strict_slashes=False)
def months() -> str:
    return render_public("web/open_games.html", months=open_data.list_months(current_server()))


@pages.get("/<month>.<what>")
def file(month: str, what: str) -> Response:
    """Stream the games that ended in a month as a file."""
    if what not in tuple(FileFormat):
        abort(404)
    kind = FileFormat(what)
    try:
        found = open_data.parse_month(month)
    except Refused as refusal:
        abort(404, str(refusal))
    games = Response(open_data.export(current_server(), kind, found), content_type=_KINDS[kind])
    games.headers["Content-Disposition"] = f'attachment; filename="{found.name}.{kind}"'
    return games
