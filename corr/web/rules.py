"""Shows the rules of the variants, from the same cards as the emails that answer "rules"."""

from __future__ import annotations

from flask import Blueprint, abort

from corr.service import catalogue
from corr.service.games.board_marks import collect_marks
from corr.service.pictures import Drawing, list_by_difficulty, pictures
from corr.service.players import house_bots
from corr.text.messages import sentence
from corr.web.browser_session import render_public
from corr.web.games import drawing
from corr.web.games.drawing import draw_thumbnail
from corr.words.errors import Refused

pages = Blueprint("rules", __name__)


@pages.get("/rules", strict_slashes=False)
def variants() -> str:
    """List the variants, the easiest first."""
    return render_public("web/rules.html", variants=list_by_difficulty(), little=draw_thumbnail, marks=_marks)


@pages.get("/rules/<variant>")
def variant(variant: str) -> str:
    try:
        card = catalogue.card(variant)
    except Refused:
        abort(404, sentence("pages.no_variant"))
    return render_public(
        "web/variant.html",
        card=card,
        bots=house_bots.HOUSE_BOTS,
        cards=catalogue.cards(),
        pictures=pictures(card.key),
        little=draw_thumbnail,
        marks=_marks,
    )


def _marks(board: Drawing) -> str:
    """Return the marks over an example's board as HTML; empty without a board."""
    return drawing.draw_marks(board.view, collect_marks(board.view)) if board.view else ""
