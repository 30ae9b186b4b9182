"""Shows a finished game to anybody with its link, step by step, as White, Black and the umpire saw it."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from corr.service.games import finished, finished_page
from corr.web.browser_session import current_server, current_visitor_or_guest, render_page, render_public
from corr.web.games import drawing
from corr.words.board import Side
from corr.words.errors import Refused

pages = Blueprint("finished", __name__, url_prefix="/finished")

SIDES = {side.value: side for side in Side}  # the sides by their names in a link


@pages.get("/<mark>")
def game(mark: str) -> Response:
    """Show a finished game after one of its half-moves, by default the last."""
    try:
        found = finished_page.load_page(current_server(), mark, current_visitor_or_guest())
    except Refused as refusal:
        abort(404, str(refusal))
    side, at = SIDES.get(request.args.get("from", "")), requested_step(found.replay.last)
    turned = SIDES.get(request.args.get("below", ""))
    below = turned or side or found.you or Side.WHITE
    scene, shown = found.replay.scene(at), [side] if side else list(Side)
    shown_by = render_page if found.own else render_public
    text = shown_by(
        "web/finished.html",
        game=found,
        mark=mark,
        side=side,
        at=at,
        scene=scene,
        view=finished_page.view_scene(scene, side, below),
        views={} if side else {each: finished_page.view_scene(scene, each, below) for each in Side},
        below=below,
        marks=drawing.draw_changes,
        turned=turned,
        moves=found.replay.scores[side] if side else found.replay.moves,
        spoken=scene.told[side] if side else scene.said,
        shown=shown,
        stood={number: words for each in shown for number, words in found.disclosed[each].stood.items()},
    )
    return hide_from_search(Response(text, mimetype="text/html"))


@pages.get("/<mark>/game.pgn")
def pgn(mark: str) -> Response:
    try:
        found = finished.load_by_mark(current_server(), mark, current_visitor_or_guest())
    except Refused as refusal:
        abort(404, str(refusal))
    file = Response(found.pgn, content_type="application/vnd.chess-pgn; charset=utf-8")
    file.headers["Content-Disposition"] = f'attachment; filename="{found.variant}-{found.finished.game}.pgn"'
    return hide_from_search(file)


@pages.get("/<mark>/film.<kind>")
def film(mark: str, kind: str) -> Response:
    """Serve a finished game as a picture, as one side saw it or as it was."""
    if kind not in tuple(finished_page.ImageFormat):
        abort(404)
    side = SIDES.get(request.args.get("from", ""))
    try:
        drawn = finished_page.draw_game(current_server(), mark, side, finished_page.ImageFormat(kind))
    except Refused as refusal:
        abort(404, str(refusal))
    picture = Response(drawn, mimetype=f"image/{kind}")
    picture.add_etag()
    picture.make_conditional(request)
    return hide_from_search(picture)


def requested_step(last: int) -> int:
    """Return the half-move that the address asks for, by default the last."""
    asked = request.args.get("at", "")
    return min(int(asked[:9]), last) if asked.isdecimal() else last


def hide_from_search(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex"
    return response
