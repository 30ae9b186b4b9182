"""Shows a player's own games and offers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from flask import Blueprint, request

from corr import limits
from corr.service import catalogue
from corr.service.games import finished_list, your_games
from corr.service.games.finished_list import Ended
from corr.service.games.your_games import Left, Own
from corr.service.lobby import page
from corr.service.players import bouncing_mailboxes, time_zones
from corr.service.players.bouncing_mailboxes import Failing
from corr.template_env import joined, piece
from corr.web import browser_session
from corr.web.browser_session import Answer, back, guard, house, visitor
from corr.web.games.thumbnail import little

pages = Blueprint("games", __name__, url_prefix="/games")
pages.before_request(guard)

#: The lists of games that a page can show alone.
_PARTS = ("turn", "waiting", "finished")


@pages.get("/")
def mine() -> Answer:
    """List the player's running and finished games and offers, for one variant if asked."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    if found.who.player_id is None:
        return back("lobby.lobby_page")
    now, asked = house().now(), request.args.get("show", "")
    shown = asked if asked in _PARTS else ""
    number = _number() if shown == "finished" else 1
    most = limits.FINISHED_A_PAGE if shown == "finished" else limits.FINISHED_SHOWN
    variant = _variant()
    wanted = finished_list.Asked(most, (number - 1) * most, variant)
    own = your_games.of_player(house(), found.who.player_id, now, wanted)
    if number > 1 and not own.over.shown:
        return back("games.mine", show=shown, **({"variant": variant} if variant else {}))
    browser_session.count_waiting(len(own.mine))
    kept = your_games.of_variant
    going = {"turn": kept(own.mine, variant), "waiting": kept(own.waiting, variant)}
    drawn = {part: _cards(games, now) if shown in ("", part) else "" for part, games in going.items()}
    return browser_session.page(
        "web/your_games.html",
        seen=page.lobby(house(), found, now),
        shown=shown,
        counts={part: len(games) for part, games in going.items()} | {"finished": own.over.total},
        variant=variant,
        cards=catalogue.cards(),
        games=drawn | {"finished": _rows(own.over.shown, found.zone)},
        number=number,
        numbers=-(-own.over.total // most),
        days=limits.CHALLENGE_LIFE.days,
        asks_zone=found.zone == time_zones.PLAIN,
        failing=_failing(found.who.player_id)
        if any(each.undelivered for each in own.mine + own.waiting)
        else (),
        has_letters=found.has_letters,
    )


def _failing(player_id: int) -> tuple[Failing, ...]:
    with house().store.asking() as connection:
        return bouncing_mailboxes.of_player(connection, player_id)


def _variant() -> str:
    asked = request.args.get("variant", "")
    return asked if asked in {card.key for card in catalogue.cards()} else ""


def _number() -> int:
    asked = request.args.get("page", "")
    return max(1, int(asked[:6])) if asked.isascii() and asked.isdecimal() else 1


def _cards(own: Iterable[Own], now: datetime) -> str:
    root, left = request.script_root, your_games.left
    return joined([_card(each, left(each.deadline, now) if each.deadline else None, root) for each in own])


@lru_cache(maxsize=10_000)
def _card(game: Own, left: Left | None, root: str) -> str:
    """Render a game as a card; cached, since most cards repeat."""
    seen = your_games.glimpse(game)
    board = little(seen.signs, game.side)
    return piece("parts/your_game.html", game=game, left=left, said=seen.said, board=board, root=root)


def _rows(over: Iterable[Ended], zone: str) -> str:
    return joined([_row(each, zone, request.script_root) for each in over])


@lru_cache(maxsize=1_000)
def _row(game: Ended, zone: str, root: str) -> str:
    """Render a finished game as a row of the list."""
    day = time_zones.day_there(game.ended_at, zone) if game.ended_at else ""
    board = little(finished_list.signs(game), game.side)
    return piece("parts/ended_game.html", game=game, day=day, board=board, root=root)
