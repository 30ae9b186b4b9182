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
    """Show a finished game after a half-move: the asked one, its turning point or the last."""
    try:
        found = finished_page.load_page(current_server(), mark, current_visitor_or_guest())
    except Refused as refusal:
        abort(404, str(refusal))
    side = SIDES.get(request.args.get("from", ""))
    # One side's view tells nothing that this side didn't know, so not where the game turned.
    turning_point = None if side else found.turning_point
    at = requested_step(found.replay.last, turning_point)
    turned = SIDES.get(request.args.get("below", ""))
    below = turned or side or found.you or Side.WHITE
    scene, shown = found.replay.scene(at), [side] if side else list(Side)
    shown_by = render_page if found.own else render_public
    stood = {number: words for each in shown for number, words in found.disclosed[each].stood.items()}
    shows_orders = "orders" in request.args
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
        turning_point=turning_point,
        has_orders=bool(stood),
        shows_orders=shows_orders,
        stood=stood if shows_orders else {},
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


@pages.get("/<mark>/film.png")
def strip(mark: str) -> Response:
    """Serve the strip of small boards on the page, as one side saw them or as they were."""
    return _picture(finished_page.draw_strip(_shared(mark), SIDES.get(request.args.get("from", ""))), "png")


@pages.get("/<mark>/boards.png")
def boards(mark: str) -> Response:
    """Serve a picture to share: three boards after a half-move."""
    game = _shared(mark)
    turning_point = game.replay.find_turning_point(game.winner)
    return _picture(finished_page.draw_moment(game, requested_step(game.replay.last, turning_point)), "png")


@pages.get("/<mark>/film.gif")
def film(mark: str) -> Response:
    """Serve an animation to share: three boards, move by move."""
    return _picture(finished_page.draw_film(_shared(mark)), "gif")


def _shared(mark: str) -> finished_page.SharedGame:
    try:
        return finished_page.load_shared(current_server(), mark)
    except Refused as refusal:
        abort(404, str(refusal))


def _picture(drawn: bytes, kind: str) -> Response:
    picture = Response(drawn, mimetype=f"image/{kind}")
    picture.add_etag()
    picture.make_conditional(request)
    return hide_from_search(picture)


def requested_step(last: int, default: int | None = None) -> int:
    """Return the half-move that the address asks for, by default this one or the last."""
    asked = request.args.get("at", "")
    if asked.isdecimal():
        return min(int(asked[:9]), last)
    return last if default is None else default


def hide_from_search(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex"
    return response
