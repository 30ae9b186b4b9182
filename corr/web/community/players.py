"""Shows players: a search by name, the leaderboards, a page for each, and how a rating came about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from flask import Blueprint, abort, request

from corr.game.rating import LOWEST_DEVIATION, PERIODS_A_DAY, PROVISIONAL, TAU, Rating
from corr.service import catalogue
from corr.service.community import leaderboard, player_page, player_search, rating_history
from corr.service.community.leaderboard import LeaderboardKey
from corr.service.community.player_page import EndedGame
from corr.service.players import house_bots, times
from corr.text.messages import sentence
from corr.text.template_env import join_html, render_piece
from corr.web.browser_session import (
    abort_if_refused,
    current_server,
    current_visitor,
    page_number,
    render_public,
)
from corr.web.games.drawing import draw_thumbnail
from corr.words.errors import Refused

#: The drawing's width and height, and the fewest rating points it spans, so that small changes look small.
WIDTH, HEIGHT, _LEAST_RANGE = 100, 20, 60
_MARGIN = 2


def draw_curve(points: Sequence[float]) -> str:
    """Return an SVG path through all ratings; without any, a line across the middle."""
    if not points:
        return f"M0 {HEIGHT // 2}H{WIDTH}"
    low, high = min(points), max(points)
    middle, span = (low + high) / 2, max(high - low, _LEAST_RANGE)
    step = WIDTH / max(1, len(points) - 1)
    at = [
        f"{number * step:.3g} {HEIGHT / 2 - (point - middle) / span * (HEIGHT - 2 * _MARGIN):.3g}"
        for number, point in enumerate(points)
    ]
    return "M" + " ".join(at)


pages = Blueprint("players", __name__, url_prefix="/players")

#: The numbers with which everybody can compute a rating again.
_INITIAL_RATING = Rating()
_NUMBERS = {
    "rating": f"{_INITIAL_RATING.rating:g}",
    "deviation": f"{_INITIAL_RATING.deviation:g}",
    "volatility": f"{_INITIAL_RATING.volatility:g}",
    "tau": f"{TAU:g}",
    "floor": f"{LOWEST_DEVIATION:g}",
    "provisional": f"{PROVISIONAL:g}",
    "periods": f"{PERIODS_A_DAY:g}",
}


@pages.get("/")
def players() -> str:
    """Show the players whose names begin as asked, or else the leaders of each variant."""
    sought = request.args.get("name", "").strip()
    found, nobody = _find_names(sought)
    return render_public(
        "web/players.html",
        sought=sought,
        found=found,
        nobody=nobody,
        leading={} if sought else leaderboard.list_leaders(current_server(), current_server().now()),
        cards=catalogue.cards(),
        programs=house_bots.HOUSE_BOTS,
    )


def _find_names(sought: str) -> tuple[Sequence[str], str]:
    """Return the names that begin so, or why there are none."""
    try:
        return player_search.find_by_prefix(current_server(), sought) if sought else (), ""
    except Refused as refusal:
        return (), str(refusal)


@pages.get("/board/<variant>")
def people(variant: str) -> str:
    """Show a variant's leaderboard of people."""
    return _board(LeaderboardKey(_require_variant(variant)))


@pages.get("/board/<variant>/programs")
def of_programs(variant: str) -> str:
    """Show a variant's leaderboard of bots."""
    return _board(LeaderboardKey(_require_variant(variant), are_programs=True))


def _board(key: LeaderboardKey) -> str:
    own = current_visitor()
    player_id, now = own.who.player_id if own else None, current_server().now()
    with abort_if_refused(404):
        seen = leaderboard.load_board(current_server(), key, page_number(), player_id, now)
    return render_public("web/leaderboard.html", board=seen, cards=catalogue.cards(), day=_day)


@pages.get("/<name>")
def player(name: str) -> str:
    with abort_if_refused(404):
        seen = player_page.load_page(current_server(), _decode_name(name), current_server().now())
    zone = _zone()
    return render_public(
        "web/player.html",
        seen=seen,
        bot=house_bots.find_bot(seen.whose.name),
        over=join_html(_row(each, zone, request.script_root) for each in seen.over),
        path=draw_curve,
        day=_day,
        month=_month,
    )


@pages.get("/<name>/<variant>")
def rating(name: str, variant: str) -> str:
    """Show how a player's rating in a variant came about."""
    variant = _require_variant(variant)
    whose, now = _decode_name(name), current_server().now()
    with abort_if_refused(404):
        seen = rating_history.load_history(current_server(), whose, variant, page_number(), now)
    return render_public(
        "web/rating_history.html",
        seen=seen,
        path=draw_curve,
        day=_day,
        month=_month,
        numbers=_NUMBERS,
    )


def _require_variant(variant: str) -> str:
    try:
        return catalogue.card(variant).key
    except Refused:
        abort(404, sentence("pages.no_variant"))


def _decode_name(name: str) -> str:
    """Return the name with spaces, for which some links have plus signs."""
    return name.replace("+", " ")


def _zone() -> str:
    """Return the visitor's time zone; the default one for strangers."""
    found = current_visitor()
    return found.zone if found else times.DEFAULT_ZONE


def _day(moment: datetime | None) -> str:
    """Return the day of a moment in the visitor's time zone."""
    return times.word_local_day(moment, _zone()) if moment else ""


def _month(moment: datetime) -> str:
    return f"{moment:%B %Y}"


@lru_cache(maxsize=1_000)
def _row(game: EndedGame, zone: str, root: str) -> str:
    """Render a finished game as a row of the list."""
    day = times.word_local_day(game.ended_at, zone) if game.ended_at else ""
    board = draw_thumbnail(game.signs, game.side)
    return render_piece("parts/player_game_row.html", game=game, day=day, board=board, root=root)
