"""Lists finished games by the search in the address, and serves them as a file."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Response, abort, request

from corr import limits
from corr.service import catalogue
from corr.service.community import archive
from corr.service.community.archive import Archived, Page
from corr.service.community.archive_filters import Typed
from corr.service.players import time_zones
from corr.template_env import joined, piece
from corr.web.browser_session import house, limit, show
from corr.web.games.finished import unfound
from corr.web.games.thumbnail import little
from corr.words.board import Side
from corr.words.errors import Refused

pages = Blueprint("archive", __name__, url_prefix="/archive")

#: The form's fields, in the order of `Typed`.
_FIELDS = ("player", "variant", "result", "length", "from", "to")
_EMPTY = Page((), None, None)


@pages.get("", strict_slashes=False)
def games() -> tuple[Response, int]:
    """Show a page of the games found, the newest first unless asked otherwise."""
    limit("archive", limits.ARCHIVE_PAGES_AN_HOUR)
    typed = _typed()
    try:
        return _shown(typed, _found(typed)), 200
    except Refused as refusal:
        return _shown(typed, _EMPTY, str(refusal)), 400


@pages.get("/games.pgn")
def file() -> Response:
    """Stream the same games as a file."""
    limit("archive files", limits.ARCHIVE_FILES_AN_HOUR)
    try:
        text = archive.pgn(house(), _typed())
    except Refused as refusal:
        abort(400, str(refusal))
    written = Response(text, content_type="application/vnd.chess-pgn; charset=utf-8")
    written.headers["Content-Disposition"] = 'attachment; filename="games.pgn"'
    return unfound(written)


def _typed() -> Typed:
    asked = (request.args.get(field, "").replace("\0", "") for field in _FIELDS)
    return Typed(*(text[: limits.FIELD_CHARACTERS] for text in asked))


def _found(typed: Typed) -> Page:
    before, after = (request.args.get(name, "") for name in ("before", "after"))
    return archive.page(house(), typed, before, after)


def _shown(typed: Typed, found: Page, refusal: str = "") -> Response:
    text = show(
        "web/archive.html",
        typed={field: text for field, text in zip(_FIELDS, typed, strict=True) if text},
        found=found,
        rows=joined([_row(each, request.script_root) for each in found.games]),
        refusal=refusal,
        cards=catalogue.cards(),
    )
    return unfound(Response(text, mimetype="text/html"))


@lru_cache(maxsize=2_000)
def _row(game: Archived, root: str) -> str:
    """Render a game as a row of the list; cached, since most rows repeat."""
    board, day = (
        little(archive.signs(game), Side.WHITE),
        time_zones.day_there(game.place.ended_at, time_zones.PLAIN),
    )
    return piece("parts/archived_game.html", game=game, day=day, board=board, root=root)
