"""A program's games, and what the umpire has handed it in each."""

from __future__ import annotations

import re
from typing import Any

from flask import abort, request
from werkzeug.wrappers import Response

from corr.desk.table import ended, handed, opening, page, your_games
from corr.desk.table.handed import Numbered
from corr.desk.table.your_games import Own
from corr.sentences import sentence
from corr.web.api.door import program, room, told
from corr.web.visit import house
from corr.words.board import SQUARES, Side, squares_of
from corr.words.slips import Sight, Toll

pages = room("api_games")

_CODE = re.compile(r"[a-z0-9]{1,12}")
_AFTER = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_NO_OTHERS = ended.Asked(0)


@pages.get("/games")
def mine() -> Response:
    """One's games that are not over, those that wait for oneself first."""
    player = program().who.player_id or 0
    games = your_games.of_player(house(), player, house().now(), _NO_OTHERS)
    return told({"games": [_game(each) for each in (*games.mine, *games.waiting)]})


def _game(game: Own) -> dict[str, Any]:
    return {
        "code": game.code,
        "variant": game.variant,
        "side": game.side,
        "opponent": game.opponent,
        "state": game.state,
        "my_turn": game.my_turn,
        "deadline": game.deadline.isoformat() if game.deadline else None,
    }


@pages.get("/games/<code>/slips")
def slips(code: str) -> Response:
    """One's own slips in a game, those after one that is named."""
    player = program().who.player_id or 0
    after = _AFTER.fullmatch(request.args.get("after", "0"))
    side = request.args.get("side", "")
    if after is None or side not in ("", *Side):
        abort(400, sentence("tokens.no_such_slip"))
    code = code.lower()
    seat = page.at_table_of(house(), player, code, side, house().now()) if _CODE.fullmatch(code) else None
    if seat is None:
        abort(404, sentence("pages.no_game"))
    if seat.unheard:
        opening.note(house(), seat.unheard)
    standing, since = seat.standing, (int(after[1]), int(after[2] or 0))
    public = standing.public
    outcome = public.outcome
    return told(
        {
            "code": standing.meeting.code,
            "variant": standing.meeting.variant,
            "side": standing.side,
            "state": public.state,
            "stamp": standing.stamp,
            "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
            "slips": [_slip(each) for each in handed.after(house(), seat.seat_id, standing.side, since)],
        }
    )


def _slip(each: Numbered) -> dict[str, Any]:
    return {
        "number": each.number,
        "step": each.step,
        "ply": each.ply,
        "facts": [{"code": fact.code, "words": fact.text, "data": fact.plain} for fact in each.slip.facts],
        "sight": _sight(each.slip.sight),
    }


def _sight(sight: Sight) -> dict[str, Any]:
    reserves = sight.reserves
    return {
        "squares": sight.letters(),
        "own": [SQUARES[square] for square in squares_of(sight.own)],
        "promoted": [SQUARES[square] for square in squares_of(sight.promoted)],
        "castling": list(sight.castling),
        "lost": {side: _toll(sight.lost[side]) for side in Side},
        "reserves": {side: reserves[side] for side in Side} if reserves else None,
        "recalled": [
            {"turn": each.move, "squares": {SQUARES[square]: letter for square, letter in each.squares}}
            for each in sight.still_recalled()
        ],
        "sense_due": sight.sense_due,
    }


def _toll(toll: Toll) -> dict[str, int | None]:
    return {"men": toll.men, "pawns": toll.pawns}
