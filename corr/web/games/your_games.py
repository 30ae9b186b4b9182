"""Shows a player's own games and offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from flask import Blueprint, request

from corr import limits
from corr.service import catalogue
from corr.service.games import finished_list, your_games
from corr.service.games.finished_list import EndedGame
from corr.service.games.your_games import OwnGame, TimeLeft
from corr.service.lobby import page
from corr.service.players import bouncing_mailboxes, times
from corr.service.players.bouncing_mailboxes import BouncingMailbox
from corr.text.template_env import join_html, render_piece
from corr.web import browser_session
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor_or_guest,
    redirect_to,
)
from corr.web.games.drawing import draw_thumbnail

pages = Blueprint("games", __name__, url_prefix="/games")
pages.before_request(check_form)

_PARTS = ("turn", "waiting", "finished")  # the lists of games that a page can show alone


@pages.get("/")
def mine() -> PageResponse:
    """List the player's running and finished games and offers, for one variant if asked."""
    found = current_visitor_or_guest()
    if found is None:
        return redirect_to("signing.sign_in")
    if found.who.player_id is None:
        return redirect_to("lobby.lobby_page")
    now, asked = current_server().now(), request.args.get("show", "")
    shown = asked if asked in _PARTS else ""
    number = _number() if shown == "finished" else 1
    most = limits.FINISHED_A_PAGE if shown == "finished" else limits.FINISHED_SHOWN
    asked = request.args.get("variant", "")
    variant = asked if asked in {card.key for card in catalogue.cards()} else ""
    wanted = finished_list.ListRequest(most, (number - 1) * most, variant)
    own = your_games.list_games(current_server(), found.who.player_id, now, wanted)
    if number > 1 and not own.over.shown:
        return redirect_to("games.mine", show=shown, **({"variant": variant} if variant else {}))
    browser_session.remember_waiting(len(own.mine))
    kept = your_games.filter_by_variant
    going = {"turn": kept(own.mine, variant), "waiting": kept(own.waiting, variant)}
    root = request.script_root
    drawn = {part: _cards(games, now, root) if shown in ("", part) else "" for part, games in going.items()}
    failing: Sequence[BouncingMailbox] = ()
    if any(each.undelivered for each in own.mine + own.waiting):
        with current_server().store.asking() as connection:
            failing = bouncing_mailboxes.list_bouncing(connection, found.who.player_id)
    return browser_session.render_page(
        "web/your_games.html",
        seen=page.load_lobby(current_server(), found, now),
        shown=shown,
        counts={part: len(games) for part, games in going.items()} | {"finished": own.over.total},
        variant=variant,
        cards=catalogue.cards(),
        games=drawn | {"finished": join_html([_row(each, found.zone, root) for each in own.over.shown])},
        number=number,
        numbers=-(-own.over.total // most),
        days=limits.CHALLENGE_LIFE.days,
        asks_zone=found.zone == times.DEFAULT_ZONE,
        failing=failing,
        gets_emails=found.gets_emails,
    )


def _number() -> int:
    """Return which page of finished games the address asks for, from 1."""
    asked = request.args.get("page", "")
    return max(1, int(asked[:6])) if asked.isascii() and asked.isdecimal() else 1


def _cards(own: Iterable[OwnGame], now: datetime, root: str) -> str:
    left = your_games.find_time_left
    return join_html([_card(each, left(each.deadline, now) if each.deadline else None, root) for each in own])


@lru_cache(maxsize=10_000)
def _card(game: OwnGame, left: TimeLeft | None, root: str) -> str:
    """Render a game as a card; cached, since most cards repeat."""
    seen = your_games.preview_game(game)
    board = draw_thumbnail(seen.signs, game.side)
    return render_piece("parts/your_game.html", game=game, left=left, said=seen.said, board=board, root=root)


@lru_cache(maxsize=1_000)
def _row(game: EndedGame, zone: str, root: str) -> str:
    """Render a finished game as a row of the list."""
    day = times.word_local_day(game.ended_at, zone) if game.ended_at else ""
    board = draw_thumbnail(finished_list.board_signs(game), game.side)
    return render_piece("parts/your_game_row.html", game=game, day=day, board=board, root=root)
