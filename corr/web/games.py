"""A player's own games, and what is offered to them."""

from __future__ import annotations

from flask import Blueprint

from corr.desk import challenges, games, lobby
from corr.web.visit import Answer, back, guard, house, page, visitor

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
    return page(
        "web/games.html",
        seen=lobby.lobby(house(), found, now),
        games=games.games(house(), found.who.player_id, now),
        days=challenges.LIFE.days,
    )
