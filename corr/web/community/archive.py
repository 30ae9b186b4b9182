"""Lists finished games by the search in the address, and serves them as a file."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Response, request

from corr import limits
from corr.service import catalogue
from corr.service.community import archive
from corr.service.community.archive import ArchivedGame, ArchivePage
from corr.service.community.archive_filters import FilterForm
from corr.service.players import times
from corr.text.template_env import join_html, render_piece
from corr.web.browser_session import abort_if_refused, current_server, limit, render_public
from corr.web.games.drawing import draw_thumbnail
from corr.web.games.finished import hide_from_search
from corr.words.board import Side
from corr.words.errors import Refused

pages = Blueprint("archive", __name__, url_prefix="/archive")

#: The form's fields, in the order of `FilterForm`.
_FIELDS = ("player", "variant", "result", "length", "from", "to")
_EMPTY = ArchivePage((), None, None)


@pages.get("", strict_slashes=False)
def games() -> tuple[Response, int]:
    """Show a page of the games found, the newest first unless asked otherwise."""
    limit("archive", limits.ARCHIVE_PAGES_AN_HOUR)
    typed = _read_search()
    try:
        before, after = (request.args.get(name, "") for name in ("before", "after"))
        return _render_results(typed, archive.load_page(current_server(), typed, before, after)), 200
    except Refused as refusal:
        return _render_results(typed, _EMPTY, str(refusal)), 400


@pages.get("/games.pgn")
def file() -> Response:
    """Serve all games that the search finds as one PGN file."""
    limit("archive files", limits.ARCHIVE_FILES_AN_HOUR)
    with abort_if_refused(400):
        text = archive.pgn(current_server(), _read_search())
    written = Response(text, content_type="application/vnd.chess-pgn; charset=utf-8")
    written.headers["Content-Disposition"] = 'attachment; filename="games.pgn"'
    return hide_from_search(written)


def _read_search() -> FilterForm:
    """Return the search in the address."""
    asked = (request.args.get(field, "").replace("\0", "") for field in _FIELDS)
    return FilterForm(*(text[: limits.FIELD_CHARACTERS] for text in asked))


def _render_results(typed: FilterForm, page: ArchivePage, refusal: str = "") -> Response:
    """Render the page with the games found, or with the reason why we refuse to search."""
    text = render_public(
        "web/archive.html",
        typed={field: text for field, text in zip(_FIELDS, typed, strict=True) if text},
        found=page,
        rows=join_html([_row(each, request.script_root) for each in page.games]),
        refusal=refusal,
        cards=catalogue.cards(),
    )
    return hide_from_search(Response(text, mimetype="text/html"))


@lru_cache(maxsize=2_000)
def _row(game: ArchivedGame, root: str) -> str:
    """Render a game as a row of the list; cached, since most rows repeat."""
    board = draw_thumbnail(archive.board_signs(game), Side.WHITE)
    day = times.word_local_day(game.place.ended_at, times.DEFAULT_ZONE)
    return render_piece("parts/archive_game_row.html", game=game, day=day, board=board, root=root)
