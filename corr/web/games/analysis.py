"""Lets anybody play on from a step of a finished game: every move is a link, and we store nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, request

from corr.service.games import finished_page
from corr.web.browser_session import house, show
from corr.web.games import drawing
from corr.web.games.finished import SIDES, step_of, unfound
from corr.words.board import Side
from corr.words.errors import Refused

pages = Blueprint("analysis", __name__, url_prefix="/finished")

#: The most moves of a line.
LONGEST = 60
#: The length of a move's start, or of a drop's piece, and the length including the square where it ends.
_FROM, _FROM_TO = 2, 4


class Deed(NamedTuple):
    """What a click on a square does: select its piece, deselect it, play a move, or choose among several."""

    kind: str
    of: str


@pages.get("/<mark>/analysis")
def board(mark: str) -> Response:
    """Show the board of a step after the moves in the address."""
    line = tuple(filter(None, request.args.get("line", "").split(",")))
    try:
        card, replay = finished_page.replay(house(), mark)
        at = step_of(replay.last)
        found = replay.analysed(at, line) if len(line) <= LONGEST else abort(404)
    except Refused:
        abort(404)
    turned = SIDES.get(request.args.get("below", ""))
    below = turned or Side.WHITE
    legal = found.legal if len(line) < LONGEST else ()
    held = _held(request.args.get("held", ""), legal)
    page = show(
        "web/analysis.html",
        card=card,
        mark=mark,
        at=at,
        step=replay.moves[at - 1] if at else "",
        line=line,
        found=found,
        view=finished_page.shown(found.whole, found.marks, below),
        below=below,
        marks=drawing.touched,
        turned=turned,
        legal=legal,
        held=held,
        deeds=_deeds(legal, held),
        choices=[move for move in legal if len(held) == _FROM_TO and move.startswith(held)],
        drops=sorted({move[:_FROM] for move in legal if move[1] == "@"}),
        passes="pass" in legal,
    )
    return unfound(Response(page, mimetype="text/html"))


def _held(asked: str, legal: Sequence[str]) -> str:
    """Return the selected start of a move, if any move begins so.

    Examples are `e2`, `N@` for a piece of the reserve, and `e7e8` before a promotion is chosen.
    """
    is_whole = len(asked) in (_FROM, _FROM_TO)
    return asked if is_whole and any(move.startswith(asked) for move in legal) else ""


def _deeds(legal: Sequence[str], held: str) -> dict[str, Deed]:
    """Return what a click on each square does."""
    moves = [move for move in legal if move != "pass"]
    deeds = {move[:_FROM]: Deed("take", move[:_FROM]) for move in moves}
    if held:
        deeds[held[:_FROM]] = Deed("down", "")
    for move in moves:
        if held and move.startswith(held[:_FROM]):
            is_one = sum(other[:_FROM_TO] == move[:_FROM_TO] for other in moves) == 1
            deeds[move[_FROM:_FROM_TO]] = Deed("play", move) if is_one else Deed("choose", move[:_FROM_TO])
    return deeds
