"""Players: found by name, the leaderboards, a page for each, and how a rating came about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TypeVar

from flask import Blueprint, abort, request

from corr.game.rating import FLOOR, PERIODS_A_DAY, PROVISIONAL, TAU, Rating
from corr.messages import sentence
from corr.service import catalogue
from corr.service.community import leaderboard, player_page, rating_history, search
from corr.service.community.leaderboard import Which
from corr.service.community.player_page import Over
from corr.service.players import house_bots, time_zones
from corr.template_env import joined, piece
from corr.web.browser_session import house, show, visitor
from corr.web.community import rating_curve
from corr.web.games.thumbnail import little
from corr.words.errors import Refused

pages = Blueprint("players", __name__, url_prefix="/players")

_Found = TypeVar("_Found")
#: By which everybody may reckon it once more.
_FIRST = Rating()
_NUMBERS = {
    "rating": f"{_FIRST.rating:g}",
    "deviation": f"{_FIRST.deviation:g}",
    "volatility": f"{_FIRST.volatility:g}",
    "tau": f"{TAU:g}",
    "floor": f"{FLOOR:g}",
    "provisional": f"{PROVISIONAL:g}",
    "periods": f"{PERIODS_A_DAY:g}",
}


@pages.get("/")
def players() -> str:
    """Who begins so, where somebody is looked for; else who leads in each variant."""
    sought = request.args.get("name", "").strip()
    found, nobody = _found(sought)
    return show(
        "web/players.html",
        sought=sought,
        found=found,
        nobody=nobody,
        leading={} if sought else leaderboard.first_places(house(), house().now()),
        cards=catalogue.cards(),
        programs=house_bots.PROGRAMS,
    )


def _found(sought: str) -> tuple[Sequence[str], str]:
    """The names that begin so, or why there are none."""
    try:
        return search.beginning(house(), sought) if sought else (), ""
    except Refused as refusal:
        return (), str(refusal)


@pages.get("/board/<variant>")
def people(variant: str) -> str:
    """The leaderboard of people in a variant."""
    return _board(Which(_known(variant)))


@pages.get("/board/<variant>/programs")
def of_programs(variant: str) -> str:
    """That of programs."""
    return _board(Which(_known(variant), are_programs=True))


def _board(which: Which) -> str:
    own = visitor()
    seen = _or_missing(
        lambda: leaderboard.board(
            house(), which, _number(), own.who.player_id if own else None, house().now()
        )
    )
    return show("web/leaderboard.html", board=seen, cards=catalogue.cards(), day=_day)


@pages.get("/<name>")
def player(name: str) -> str:
    """A player's page."""
    seen = _or_missing(lambda: player_page.of_name(house(), _plain(name), house().now()))
    zone = _zone()
    return show(
        "web/player.html",
        seen=seen,
        over=joined(_row(each, zone, request.script_root) for each in seen.over),
        path=rating_curve.path,
        day=_day,
        month=_month,
    )


@pages.get("/<name>/<variant>")
def rating(name: str, variant: str) -> str:
    """How a player's rating in a variant came about."""
    variant = _known(variant)
    seen = _or_missing(
        lambda: rating_history.of_name(house(), _plain(name), variant, _number(), house().now())
    )
    return show(
        "web/rating_history.html",
        seen=seen,
        path=rating_curve.path,
        day=_day,
        month=_month,
        numbers=_NUMBERS,
    )


def _or_missing(asked: Callable[[], _Found]) -> _Found:
    """What is asked for, or the page that says why there is none."""
    try:
        return asked()
    except Refused as refusal:
        abort(404, str(refusal))


def _known(variant: str) -> str:
    """The key of a variant that there is."""
    try:
        return catalogue.card(variant).key
    except Refused:
        abort(404, sentence("pages.no_variant"))


def _plain(name: str) -> str:
    """A name as it is written elsewhere; some write blanks in addresses so."""
    return name.replace("+", " ")


def _number() -> int:
    """Which page of a list is asked for."""
    asked = request.args.get("page", "")
    return max(1, int(asked[:9])) if asked.isascii() and asked.isdecimal() else 1


def _zone() -> str:
    found = visitor()
    return found.zone if found else time_zones.PLAIN


def _day(moment: datetime | None) -> str:
    """The day of a moment where whoever looks at it is."""
    return time_zones.day_there(moment, _zone()) if moment else ""


def _month(moment: datetime) -> str:
    return f"{moment:%B %Y}"


@lru_cache(maxsize=1_000)
def _row(game: Over, zone: str, root: str) -> str:
    """A game that is over as a row of their list."""
    day = time_zones.day_there(game.ended_at, zone) if game.ended_at else ""
    return piece("parts/over_game.html", game=game, day=day, board=little(game.signs, game.side), root=root)
