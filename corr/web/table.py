"""The table: a player's page of one game."""

from __future__ import annotations

import hashlib
import re
import time
from functools import lru_cache

from flask import Blueprint, abort, current_app, request, session
from werkzeug.wrappers import Response

from corr.desk import catalogue, opening, table, zones
from corr.desk.log import Turn
from corr.desk.table import Standing, Written
from corr.knock import Work
from corr.pages import joined, piece
from corr.web import hand
from corr.web.visit import Answer, back, guard, house, knock, limit, mark, meet, page, say, visitor
from corr.words import Refused, Side

pages = Blueprint("table", __name__, url_prefix="/games")
pages.before_request(guard)

_HOUR = 3_600
#: For so long a page waits for the umpire before it is shown without the answer.
_PATIENCE, _FIRST_GLANCE, _LONGER = 1.0, 0.005, 1.5
_SHORT_LOG, _WHOLE_LOG = 9, 1_000_000
_NUMBER = re.compile(r"\d{1,9}")
_STAMP = re.compile(r"[\d-]{1,40}")
_CODE = re.compile(r"[a-z0-9]{1,12}")
_SIDES = tuple(Side)
_SURE = ("resign", "draw?")
_FILES = "abcdefgh"


@pages.get("/<code>")
def at(code: str) -> Answer:
    """The board as this player sees it, what the umpire has said, and what may be done."""
    standing = _standing(code, "")
    if standing is None:
        session["game"] = code.lower()
        return back("signing.sign_in")
    answer = Response()
    if "said" not in session:
        answer.set_etag(_etag(standing))
        if request.if_none_match.contains(_etag(standing)):
            answer.status_code = 304
            return answer
    if standing.unheard:
        opening.note(house(), standing.unheard)
    answer.mimetype, answer.data = "text/html", _page(standing).encode()
    return answer


def _page(standing: Standing) -> str:
    asked = request.args
    whole = asked.get("log") == "whole"
    ply = standing.moment.public["ply"]
    shown = table.table(house(), standing, -_WHOLE_LOG if whole else ply - _SHORT_LOG)
    view = shown.view
    held = hand.hand(view, asked.get("from", ""), asked.get("drop", ""), asked.get("set", ""))
    sure = asked.get("sure", "")
    return page(
        "web/table.html",
        table=shown,
        view=view,
        standing=standing,
        etag=_etag(standing),
        hand=held,
        ranks=joined([_rank(row, view.side, standing.men) for row in hand.rows(view, held)]),
        files=_FILES if view.side is Side.WHITE else _FILES[::-1],
        turns=joined([_turn(turn, view.side) for turn in shown.log.turns]),
        promotions=hand.promotions(held),
        left=hand.left(held.placed),
        deploying=hand.deploying(held),
        is_sealed=sorted(held.placed) == sorted(hand.hand(view, "", "", "").placed),
        decrees=[
            (zones.worded(each.date, standing.place.zone), each.sentence, each.reason)
            for each in shown.decrees
        ],
        may_act=hand.may_act(view),
        prepared=[(each, hand.prepared(each, view.side)) for each in view.card.setups],
        sure=sure if sure in _SURE and not view.outcome else "",
        whole=whole,
        cards={card.key: card for card in catalogue.cards()},
    )


@pages.post("/<code>")
def write(code: str) -> Answer:
    """Hand something to the umpire, and wait a moment for the answer."""
    limit("table", 1_200, _HOUR)
    form = request.form
    slip, stamp, side = (form.get(field, "") for field in ("slip", "stamp", "side"))
    if not (_NUMBER.fullmatch(slip) and _STAMP.fullmatch(stamp) and side in _SIDES):
        abort(400)
    standing = _standing(code, side)
    if standing is None:
        return back("signing.sign_in")
    written = Written("\n".join(form.get("orders", "").splitlines()).strip(), int(slip), stamp)
    try:
        table.write(house(), standing.place, written, house().now())
    except Refused as refusal:
        say(str(refusal))
    else:
        knock(Work.READ)
        _wait(standing, written)
    return back("table.at", code=code)


@lru_cache(maxsize=4096)
def _rank(row: tuple[hand.Cell, ...], side: Side, men: str) -> str:
    """A row of the board; most are the same on many pages."""
    return piece("parts/squares.html", row=row, side=side, men=men)


@lru_cache(maxsize=4096)
def _turn(turn: Turn, own: Side) -> str:
    """A turn of the log, which stays as it is once it is over."""
    return piece("parts/turn.html", turn=turn, own=own)


def _wait(standing: Standing, written: Written) -> None:
    """A worker is another process: only the database tells when it is done, and is asked less and less often."""
    until, glance = time.monotonic() + _PATIENCE, _FIRST_GLANCE
    while not table.is_answered(house(), standing.place, written) and time.monotonic() < until:
        time.sleep(glance)
        glance *= _LONGER


def _standing(code: str, side: str) -> Standing | None:
    """Where the game stands for whoever is at the browser; None for somebody who is not let in."""
    if not _CODE.fullmatch(code.lower()):
        abort(404)
    secret = session.get("in")
    if secret is None:
        return None
    found = table.standing(house(), secret, code, side, house().now())
    if found is None:
        if visitor() is None:
            return None
        abort(404)
    meet(found.place.player)
    return found


def _etag(standing: Standing) -> str:
    """What tells one state of the page from another: nothing in it comes from the other side's doings alone."""
    told = f"{standing.mark} {mark()} {current_app.config['LOOK']}"
    return hashlib.blake2b(told.encode(), digest_size=12).hexdigest()
