"""Serves the page on which a player follows and plays one game."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate

from flask import Blueprint, abort, current_app, request, session
from werkzeug.wrappers import Response

from corr import limits
from corr.service import catalogue
from corr.service.games import board_marks, notice_times, page, poll_status
from corr.service.games.log_view import Exchange, OwnOrder
from corr.service.games.page import GamePage, GamePlayer, GameStatus
from corr.service.games.page_orders import PageText, suggest_orders
from corr.service.players import settings, switches, times
from corr.service.players.switches import Switch
from corr.text.messages import sentence
from corr.text.template_env import join_html, render_piece
from corr.web import browser_session
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    current_visitor_or_guest,
    form_token,
    limit,
    redirect_to,
    remember_guest,
    remember_visitor,
    set_message,
)
from corr.web.games import draft, drawing, square_clicks
from corr.web.order_submission import submit_orders
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.errors import Refused
from corr.words.view import PreparedSetup, Stage, VariantInfo, View

pages = Blueprint("table", __name__, url_prefix="/games")
pages.before_request(check_form)

_SHORT_LOG, _WHOLE_LOG = 24, 1_000_000
#: The fewest moves of the log that are shown. Beyond that, rows may have `_SHORT_ROWS` characters, and more beside a
#: light board, so that both have `_BOARD_AND_ROWS`.
_FEWEST_ROWS, _SHORT_ROWS, _BOARD_AND_ROWS = 2, 900, 4_600
_STAMP = re.compile(r"[0-9]{1,9}-[0-9]{1,9}-[0-9]{1,9}")
_CODE = re.compile(r"[a-z0-9]{1,12}")
_PLY = re.compile(r"[0-9]{1,5}")
_SIDES = tuple(Side)
_CONFIRMED_COMMANDS = ("resign", "draw?", "pause?")
_FILES = "abcdefgh"
_ADDRESS = 500


@pages.get("/<code>")
def at(code: str) -> PageResponse:
    """Show the board as this player sees it, the umpire's words, and the possible actions."""
    seat = _find_seat(code, "")
    if seat is None:
        session["game"] = code.lower()
        return redirect_to("signing.sign_in")
    answer, etag, left = (
        Response(),
        _etag(seat.status),
        _minutes_left(seat.status, current_server().now()),
    )
    if "said" not in session:
        shown = f"{etag}-{left}"
        answer.set_etag(shown)
        if request.if_none_match.contains(etag) or request.if_none_match.contains(shown):
            answer.status_code = 304
            return answer
    if seat.pending_visit:
        notice_times.record_visit(current_server(), seat.pending_visit)
    # Attributes use double quotes, so apostrophes need no escaping.
    answer.mimetype, answer.data = "text/html", _page(seat, etag, left).replace("&#39;", "'").encode()
    return answer


@dataclass(frozen=True, slots=True)
class TablePage:
    """What the templates of the page draw, beside its view and the selection."""

    contents: GamePage
    status: GameStatus
    etag: str
    here: str
    left_over: str | None
    minutes: int | None
    forms: Mapping[str, str]
    deadline: str
    until: str
    ranks: str
    board_form: str
    choices: square_clicks.Choices
    reached: Mapping[str, tuple[str, ...]]
    marks: str
    past: View | None  # what the player saw at an earlier moment, if the board shows that
    past_move: int | None  # the log's row of that moment
    switches: Sequence[tuple[Switch, bool]]
    unfolded: bool
    files: str
    moves: str
    goes_on: bool
    whole: bool
    is_upwards: bool
    last_wrote: Sequence[OwnOrder]  # from the last turn in which the player wrote anything
    promotions: Sequence[tuple[str, str]]
    left: str
    deploying: str
    is_sealed: bool
    may_act: bool
    may_choose: bool
    may_draft: bool
    turns: Sequence[str]
    conditions: Sequence[str]
    prepared: Sequence[tuple[PreparedSetup, str]]
    meant: Sequence[str]
    sure: str
    cards: Mapping[str, VariantInfo]


def _page(seat: GamePlayer, etag: str, left: int | None) -> str:
    """Render a player's page of a game, with what the address selects."""
    asked, status = request.args, seat.status
    whole, on = asked.get("log") == "whole", switches.parse_switches(status.switched)
    is_upwards = Switch.OLDEST in on
    contents = page.load_page(
        current_server(),
        seat,
        -_WHOLE_LOG if whole else status.public.ply - _SHORT_LOG,
        int(asked["at"]) if _PLY.fullmatch(asked.get("at", "")) else None,
    )
    view, past = contents.view, contents.past
    if Switch.RECALLED not in on:
        view, past = board_marks.drop_recalled(view), past and board_marks.drop_recalled(past)
    taken, drop, set_up, ghost = (asked.get(each, "") for each in ("from", "drop", "set", "ghost"))
    drafted = draft.parse_draft(view, asked.get("list"))
    choices = square_clicks.find_choices(view, drafted)
    held = square_clicks.read_selection(
        view, choices, taken or _continued(asked), drop, set_up, drafted, ghost
    )
    sure = asked.get("sure", "")
    board, deadline = past or view, status.public.time.deadline
    marked = board_marks.collect_marks(board).shown(on)
    planned = () if past else square_clicks.planned_moves(view, held)
    shows_reach, is_past = Switch.REACH in on, past is not None
    ranks = square_clicks.rows(
        board, held, marked.with_planned(planned), choices, shows_reach=shows_reach, is_past=is_past
    )
    board_form = square_clicks.main_form(ranks)
    drawn = _board(ranks, status, board_form)
    # Beside a past board the log has as many rows as beside the board of now, so that they stay in their places.
    present = drawn
    if past:
        now = board_marks.collect_marks(view).shown(on).with_planned(())
        cells = square_clicks.rows(view, held, now, choices, shows_reach=shows_reach)
        present = _board(cells, status, square_clicks.main_form(cells))
    room = max(_SHORT_ROWS, _BOARD_AND_ROWS - len(present))
    own_boards = [(row, _own_board(row, view, status.public.ply)) for row in contents.log.rows]
    moves = [_row(row, at) for row, at in own_boards]
    fitting = sum(signs <= room for signs in accumulate(map(len, moves)))
    shown_move = _row_number(past, view.side)
    for number, (row, at) in enumerate(own_boards):
        if row.number == shown_move:
            moves[number] = _row(row, at, is_shown=True)
    shown = len(moves) if whole else max(_FEWEST_ROWS, fitting)
    rows = contents.log.rows if view.state is Stage.RUNNING else ()
    table = TablePage(
        contents=contents,
        status=status,
        etag=etag,
        here=f"{request.script_root}/games/{view.game}",
        left_over=None if left is None else poll_status.word_minutes(left),
        minutes=left,
        forms=poll_status.word_forms(),
        deadline=poll_status.round_to_minute(deadline).isoformat() if deadline else "",
        until=times.word_short(deadline, status.zone) if deadline else "",
        ranks=drawn,
        board_form=board_form,
        choices=choices,
        reached=choices.likely if Switch.REACH in on else {},
        marks=drawing.draw_marks(board, marked, planned),
        past=past,
        past_move=shown_move,
        switches=[(each, each in on) for each in board_marks.switches(view)],
        unfolded=asked.get("fold") == "marks",
        files=_FILES if view.side is Side.WHITE else _FILES[::-1],
        moves=join_html(moves[:shown][::-1] if is_upwards else moves[:shown]),
        goes_on=contents.log.goes_on or shown < len(moves),
        whole=whole,
        is_upwards=is_upwards,
        last_wrote=next((row.wrote for row in rows if row.wrote), ()),
        promotions=square_clicks.promotions(held),
        left=square_clicks.pieces_left(held.placed),
        deploying=square_clicks.deploy_order(held),
        is_sealed=sorted(held.placed)
        == sorted(square_clicks.read_selection(view, choices, "", "", "").placed),
        may_act=square_clicks.can_act(view),
        may_choose=square_clicks.can_choose(view),
        may_draft=draft.can_draft(view),
        turns=draft.answer_conditions(view),
        conditions=draft.next_turn_conditions(view),
        prepared=[(each, square_clicks.format_prepared(each, view.side)) for each in view.card.setups],
        meant=suggest_orders(contents.answer, view) if contents.answer else (),
        sure=sure if sure in _CONFIRMED_COMMANDS and not view.outcome else "",
        cards={card.key: card for card in catalogue.cards()},
    )
    return browser_session.render_page("web/table.html", table=table, view=view, selection=held)


@pages.post("/<code>/switch")
def switch(code: str) -> PageResponse:
    """Switch an option of the page on or off, and show the page again."""
    found = current_visitor_or_guest()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    wish = request.form.get("switch", "")
    try:
        settings.set_switch(current_server(), found, wish)
    except Refused as refusal:
        set_message(refusal)
    return redirect_to(
        "table.at", code=code, **_kept_choices(), _anchor="log" if wish.startswith(Switch.OLDEST) else "marks"
    )


@pages.post("/<code>")
def write(code: str) -> PageResponse:
    """Pass the orders in the form to the umpire, wait a moment, and show the page again."""
    limit("table", limits.TABLE_FORMS_AN_HOUR)
    form = request.form
    stamp, side = (form.get(field, "") for field in ("stamp", "side"))
    if not (_STAMP.fullmatch(stamp) and side in _SIDES):
        abort(400)
    written = PageText(_orders(), stamp)
    try:
        if submit_orders(lambda: _find_seat(code, side), written) is None:
            return redirect_to("signing.sign_in")
    except Refused as refusal:
        set_message(refusal)
    return redirect_to("table.at", code=code, **_kept_choices())


def _orders() -> str:
    """Return the orders in the form, typed or clicked; a note's words on one line."""
    form = request.form
    if square := _square(form):
        return f"{form.get('hand', 'sense ')}{square}"
    if "note" in form:
        return f"note {' '.join(form['note'].split())}"
    return "\n".join(form.get("orders", "").splitlines()).strip()


def _square(fields: Iterable[str]) -> str:
    """Return the square whose button was pressed, or an empty string."""
    return next((each for each in fields if each in SQUARE_NUMBER), "")


def _continued(asked: Mapping[str, str]) -> str:
    """Return the square of the piece in hand with the one that was pressed; empty if none was."""
    square = _square(asked)
    return asked.get("hand", "") + square if square else ""


def _kept_choices() -> dict[str, str]:
    """Return the form's other choices, so that the next page keeps them."""
    return {
        each: request.form[each][:_ADDRESS]
        for each in ("list", "ghost", "log", "fold")
        if each in request.form
    }


@lru_cache(maxsize=4096)
def _rank(row: tuple[square_clicks.Cell, ...], side: Side, men: str, form: str) -> str:
    """Render a row of the board in a form; cached, since most rows are on many pages."""
    return render_piece("parts/table/board_row.html", row=row, side=side, men=men, form=form)


def _board(ranks: Iterable[tuple[square_clicks.Cell, ...]], status: GameStatus, form: str) -> str:
    return join_html([_rank(row, status.side, status.men, form) for row in ranks])


@lru_cache(maxsize=4096)
def _row(row: Exchange, at: int, *, is_shown: bool = False) -> str:
    """Render a move of the log, which never changes after both sides have moved."""
    return render_piece("parts/table/log_row.html", row=row, at=at, is_shown=is_shown)


def _row_number(past: View | None, side: Side) -> int | None:
    """Return the number of the log's row to which a past board belongs."""
    return None if past is None else past.move_number - (side is Side.BLACK or past.turn is Side.WHITE)


def _own_board(row: Exchange, view: View, ply: int) -> int:
    """Return the half-move after which the log shows the board of an own move; 0 if it shows none."""
    at = 2 * row.number - (view.side is Side.WHITE)
    return at if row.number and at < ply and view.state is Stage.RUNNING else 0


def _minutes_left(status: GameStatus, now: datetime) -> int | None:
    """Return the minutes left; None if the page must say something else about the time."""
    public = status.public
    deadline, is_own = public.time.deadline, public.turn is status.side
    if deadline is None or public.late or public.paused or public.is_over or not status.slips:
        return None
    return None if public.time.delay and not is_own else poll_status.count_minutes(deadline, now)


def _find_seat(code: str, side: str) -> GamePlayer | None:
    """Return the visitor's seat in the game; None for a visitor who is not signed in."""
    if not _CODE.fullmatch(code.lower()):
        abort(404)
    secret = session.get("in")
    if secret is None:
        return None
    found = page.find_game_player(current_server(), secret, code, side, current_server().now())
    if found is None:
        if current_visitor() is None:  # a guest, too, may be a player who isn't signed in here
            return None
        abort(404, sentence("pages.no_game"))
    if found.status.is_guest:
        remember_guest(found.player_id)
    else:
        status = found.status
        remember_visitor(status.player, found.player_id, status.switched, status.men)
    return found


def _etag(status: GameStatus) -> str:
    """Return a tag for the page's state. No part of it changes by the opponent's actions alone."""
    told = f"{status.mark} {form_token()} {current_app.config['APPEARANCE']}"
    return hashlib.blake2b(told.encode(), digest_size=12).hexdigest()
