"""A player's own games, and what is offered to them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from flask import Blueprint, request

from corr import limits
from corr.desk.lobby import page
from corr.desk.people import zones
from corr.desk.table import your_games
from corr.desk.table.your_games import Own
from corr.pages import joined, piece
from corr.web import visit
from corr.web.table.little import little
from corr.web.visit import Answer, back, guard, house, visitor

pages = Blueprint("games", __name__, url_prefix="/games")
pages.before_request(guard)

#: Which games a page may be asked for alone.
_PARTS = ("turn", "waiting", "finished")


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
    of_part = dict(zip(_PARTS, (own.mine, own.waiting, own.finished), strict=True))
    asked = request.args.get("show", "")
    shown = asked if asked in _PARTS else ""
    return visit.page(
        "web/your_games.html",
        seen=page.lobby(house(), found, now),
        waited_for=len(own.mine),
        shown=shown,
        counts={part: len(games) for part, games in of_part.items()},
        games={part: _pieces(games) if shown in ("", part) else "" for part, games in of_part.items()},
        days=limits.CHALLENGE_LIFE.days,
        asks_zone=found.zone == zones.PLAIN,
    )


def _pieces(own: Iterable[Own]) -> str:
    root = request.script_root
    return joined([_piece(each, root) for each in own])


@lru_cache(maxsize=10_000)
def _piece(game: Own, root: str) -> str:
    """A game as a card, or as a row once it is over; most are the same when they are looked at again."""
    seen = your_games.glimpse(game)
    return piece(
        "parts/your_game.html", game=game, said=seen.said, board=little(seen.signs, game.side), root=root
    )
