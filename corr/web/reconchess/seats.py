"""Signs in a `reconchess` bot, and finds its seat in a game with the newest slips."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flask import abort, request
from werkzeug.exceptions import ServiceUnavailable

from corr.service import catalogue
from corr.service.catalogue import SenseResult
from corr.service.games import notice_times, page, slip_queries
from corr.service.games.page import GamePlayer, GameStatus
from corr.service.games.slip_queries import NumberedSlip
from corr.service.lobby.page import load_rbc_outcome
from corr.service.players import access_log, tokens
from corr.service.players.authentication import Visitor
from corr.service.players.names import fold_lookalikes, remove_bot_mark
from corr.text.messages import sentence
from corr.web.browser_session import current_server
from corr.words.codes import Common
from corr.words.slips import Sight, Slip
from corr.words.view import Stage

PREFIX = "/reconchess/api"

_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE = len(_SIGNS)
_NUMBER = re.compile(r"[1-9][0-9]{0,59}")


class Credentials(NamedTuple):
    name: str
    token: str

    def is_for(self, player: str) -> bool:
        """Tell whether the name in the request is this player's."""
        return fold_lookalikes(remove_bot_mark(self.name)) == fold_lookalikes(remove_bot_mark(player))


def require_bot() -> Visitor:
    """Return the player of the bot that sends the request, or answer 401."""
    given = credentials()
    found = tokens.find_bearer(current_server(), given.token)
    if found is None or not found.plays or not given.is_for(found.visitor.name or ""):
        access_log.log_refusal(request.endpoint or "", "token")
        abort(401, sentence("reconchess.unknown"))
    return found.visitor


def credentials() -> Credentials:
    """Return the name and token in the request, or answer 401."""
    given = request.authorization
    if given is None or given.type != "basic":
        abort(401, sentence("reconchess.unknown"))
    return Credentials(given.username or "", given.password or "")


def code_to_number(code: str) -> int:
    """Return the number by which a bot knows the game or challenge of this code."""
    return int(f"1{code}", _BASE)


def number_to_code(number: str) -> str:
    """Return the code of the game or challenge that a bot knows by this number, or answer 404."""
    left, code = int(number) if _NUMBER.fullmatch(number) else 0, ""
    while left >= _BASE:
        left, sign = divmod(left, _BASE)
        code = _SIGNS[sign] + code
    if left != 1:
        abort(404, sentence("pages.no_game"))
    return code


_NEWEST_SLIPS = 20  # this many slips cover two turns, whatever else was told between them


class BotMove(NamedTuple):
    """The bot's own move: the one asked for, the one made, and the square of a capture."""

    asked: str
    made: str | None
    taken: int | None


@dataclass(frozen=True, slots=True)
class BotSeat:
    """How the game stands for a bot, with its newest slips."""

    at: GamePlayer
    slips: Sequence[Slip]

    @property
    def status(self) -> GameStatus:
        return self.at.status

    @property
    def is_my_turn(self) -> bool:
        public = self.status.public
        return public.state is Stage.RUNNING and public.turn is self.status.side and not public.paused

    @property
    def sight(self) -> Sight:
        return self.slips[-1].sight

    @property
    def sensed(self) -> SenseResult | None:
        """What the bot sensed this turn; None if it has yet to sense."""
        found = [each for slip in self._slips_this_turn if (each := catalogue.read_sense(slip))]
        return found[-1] if found else None

    @property
    def last(self) -> BotMove | None:
        """The bot's own latest move; None if it has not moved."""
        return next(filter(None, map(_done, reversed(self.slips))), None)

    @property
    def taken(self) -> int | None:
        """The square on which the opponent's last move captured a piece, or None."""
        theirs = [slip for slip in self.slips if slip.made and slip.made["side"] != slip.side]
        return catalogue.read_capture(theirs[-1]) if theirs else None

    @property
    def _slips_this_turn(self) -> Sequence[Slip]:
        """The slips since the last move."""
        made = [number for number, slip in enumerate(self.slips) if slip.made]
        return self.slips[made[-1] if made else 0 :]


def find_seat(who: Visitor, number: str) -> BotSeat:
    """Return the bot's seat in the game of this number, and note that it has heard of its turn."""
    code = _find_game_code(number_to_code(number))
    found = page.list_game_players(current_server(), who.who.player_id or 0, code, current_server().now())
    if not (found and found[0].status.slips):
        abort(404, sentence("pages.no_game"))
    if found[0].pending_visit:
        notice_times.record_visit(current_server(), found[0].pending_visit)
    return BotSeat(found[0], [each.slip for each in _newest(found[0])])


def not_yet_error() -> ServiceUnavailable:
    """Return an error for work that a worker has yet to do, after which a bot asks again."""
    return ServiceUnavailable(sentence("reconchess.not_yet"), retry_after=1)


def _find_game_code(code: str) -> str:
    """Return the code of the game to which an invitation led; raise an error without one."""
    came = load_rbc_outcome(current_server(), code)
    if came and came.begins:
        raise not_yet_error()
    return came.game if came and came.game else abort(404, sentence("pages.no_game"))


def _newest(player: GamePlayer) -> Sequence[NumberedSlip]:
    return slip_queries.load_newest(current_server(), player.seat_id, player.status.side, _NEWEST_SLIPS)


def _done(slip: Slip) -> BotMove | None:
    """Return the bot's own move that a slip tells of, or None."""
    told = slip.find(Common.TAKEN)
    if told is None:
        return None
    made = told["move"]
    return BotMove(str(told["asked"]), None if made is None else str(made), catalogue.read_capture(slip))
