"""A player's own games, and what is offered to them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from flask import Blueprint, request

from corr import limits
from corr.desk.lobby import page
from corr.desk.table import your_games
from corr.desk.table.your_games import Own
from corr.pages import joined, piece
from corr.web import visit
from corr.web.visit import Answer, back, guard, house, visitor

pages = Blueprint("games", __name__, url_prefix="/games")
pages.before_request(guard)


@pages.get("/")
def mine() -> Answer:
    """Where it is one's turn, where one waits, what has ended, and what is offered."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    if found.who.player_id is None:
        return back("lobby.lobby_page")
    now = house().now()
    own = your_games.of_player(house(), found.who.player_id, now)
    return visit.page(
        "web/your_games.html",
        seen=page.lobby(house(), found, now),
        waited_for=len(own.mine),
        mine=_rows(own.mine),
        waiting=_rows(own.waiting),
        finished=_rows(own.finished),
        days=limits.CHALLENGE_LIFE.days,
    )


def _rows(own: Iterable[Own]) -> str:
    root = request.script_root
    return joined([_row(each, root) for each in own])


@lru_cache(maxsize=10_000)
def _row(game: Own, root: str) -> str:
    """A game as a row; most are the same when they are looked at again."""
    return piece("parts/your_game.html", game=game, root=root)
