"""Lets anybody play on from a position of a finished game; each move is a link, nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, request

from corr.service.games import finished_page
from corr.web.browser_session import current_server, render_public
from corr.web.games import drawing
from corr.web.games.finished import SIDES, hide_from_search, requested_step
from corr.words.board import Side
from corr.words.errors import Refused

pages = Blueprint("analysis", __name__, url_prefix="/finished")

LONGEST = 60  # the most moves of a line
#: The length of a move's start, or of a drop's piece, and the length including the square where it ends.
_ORIGIN_LENGTH, _MOVE_LENGTH = 2, 4


class ClickAction(NamedTuple):
    """What a click on a square does: select its piece, deselect it, play a move, or choose among several."""

    kind: str
    of: str


@pages.get("/<mark>/analysis")
def board(mark: str) -> Response:
    """Show a position of a finished game, after the further moves in the address."""
    line = tuple(filter(None, request.args.get("line", "").split(",")))
    try:
        game = finished_page.load_shared(current_server(), mark)
        replay = game.replay
        at = requested_step(replay.last)
        found = replay.analysed(at, line) if len(line) <= LONGEST else abort(404)
    except Refused:
        abort(404)
    turned = SIDES.get(request.args.get("below", ""))
    below = turned or Side.WHITE
    legal = found.legal if len(line) < LONGEST else ()
    held = _selected_origin(request.args.get("held", ""), legal)
    page = render_public(
        "web/analysis.html",
        card=game.card,
        mark=mark,
        at=at,
        step=replay.moves[at - 1] if at else "",
        line=line,
        found=found,
        view=finished_page.view_board(found.whole, found.marks, below),
        below=below,
        marks=drawing.draw_changes,
        turned=turned,
        legal=legal,
        held=held,
        deeds=_deeds(legal, held),
        choices=[move for move in legal if len(held) == _MOVE_LENGTH and move.startswith(held)],
        drops=sorted({move[:_ORIGIN_LENGTH] for move in legal if move[1] == "@"}),
        passes="pass" in legal,
    )
    return hide_from_search(Response(page, mimetype="text/html"))


def _selected_origin(asked: str, legal: Sequence[str]) -> str:
    """Return the piece selected in the address, if it can move; otherwise an empty string."""
    # Examples are `e2`, `N@` for a piece of the reserve, and `e7e8` before a promotion is chosen.
    is_whole = len(asked) in (_ORIGIN_LENGTH, _MOVE_LENGTH)
    return asked if is_whole and any(move.startswith(asked) for move in legal) else ""


def _deeds(legal: Sequence[str], held: str) -> dict[str, ClickAction]:
    """Map each square's name to what a click on it does."""
    moves = [move for move in legal if move != "pass"]
    deeds = {move[:_ORIGIN_LENGTH]: ClickAction("take", move[:_ORIGIN_LENGTH]) for move in moves}
    if held:
        deeds[held[:_ORIGIN_LENGTH]] = ClickAction("down", "")
    for move in moves:
        if held and move.startswith(held[:_ORIGIN_LENGTH]):
            is_one = sum(other[:_MOVE_LENGTH] == move[:_MOVE_LENGTH] for other in moves) == 1
            deeds[move[_ORIGIN_LENGTH:_MOVE_LENGTH]] = (
                ClickAction("play", move) if is_one else ClickAction("choose", move[:_MOVE_LENGTH])
            )
    return deeds
