"""Finds a bot's seat in a game, and its slips of this turn and the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flask import abort
from werkzeug.exceptions import ServiceUnavailable

from corr.messages import sentence
from corr.service import catalogue
from corr.service.catalogue import Sensed
from corr.service.games import new_slips, page, page_visits
from corr.service.games.new_slips import Numbered
from corr.service.games.page import AtTable, Standing
from corr.service.lobby import bot_invitations
from corr.service.players.authentication import Visitor
from corr.web.browser_session import house
from corr.web.reconchess.token_auth import code_of
from corr.words.codes import Common
from corr.words.slips import Sight, Slip
from corr.words.view import Stage

#: This many slips cover two turns, whatever else was told between them.
_LATELY = 20


class Done(NamedTuple):
    """The bot's own move: the one asked for, the one made, and the square of a capture."""

    asked: str
    made: str | None
    taken: int | None


@dataclass(frozen=True, slots=True)
class Seat:
    """How the game stands for a bot, with its newest slips."""

    at: AtTable
    slips: Sequence[Slip]

    @property
    def standing(self) -> Standing:
        return self.at.standing

    @property
    def is_my_turn(self) -> bool:
        public = self.standing.public
        return public.state is Stage.RUNNING and public.turn is self.standing.side and not public.paused

    @property
    def sight(self) -> Sight:
        return self.slips[-1].sight

    @property
    def sensed(self) -> Sensed | None:
        """What the bot sensed in this turn."""
        found = [each for slip in self._this_turn if (each := catalogue.sensed(slip))]
        return found[-1] if found else None

    @property
    def last(self) -> Done | None:
        """The bot's last move."""
        return next(filter(None, map(_done, reversed(self.slips))), None)

    @property
    def taken(self) -> int | None:
        """Where the opponent's last move captured a piece."""
        theirs = [slip for slip in self.slips if slip.made and slip.made["side"] != slip.side]
        return catalogue.taken(theirs[-1]) if theirs else None

    @property
    def _this_turn(self) -> Sequence[Slip]:
        """The slips since the last move."""
        made = [number for number, slip in enumerate(self.slips) if slip.made]
        return self.slips[made[-1] if made else 0 :]


def seat_of(who: Visitor, number: str) -> Seat:
    """Return the bot's seat in the game of this number, and note that it has heard of its turn."""
    code = _game_of(code_of(number))
    found = page.seats_of(house(), who.who.player_id or 0, code, house().now())
    if not (found and found[0].standing.slips):
        abort(404, sentence("pages.no_game"))
    if found[0].unheard:
        page_visits.note(house(), found[0].unheard)
    return Seat(found[0], [each.slip for each in _newest(found[0])])


def not_yet() -> ServiceUnavailable:
    """Return the error for work that a worker has yet to do.

    A bot retries after half a second, and so loses nothing.
    """
    return ServiceUnavailable(sentence("reconchess.not_yet"), retry_after=1)


def _game_of(code: str) -> str:
    """Return the code of the game that an invitation led to."""
    came = bot_invitations.came_of(house(), code)
    if came and came.begins:
        raise not_yet()
    return came.game if came and came.game else abort(404, sentence("pages.no_game"))


def _newest(at: AtTable) -> Sequence[Numbered]:
    return new_slips.newest(house(), at.seat_id, at.standing.side, _LATELY)


def _done(slip: Slip) -> Done | None:
    told = next((fact for fact in slip.facts if fact.code == Common.TAKEN), None)
    if told is None:
        return None
    made = told["move"]
    return Done(str(told["asked"]), None if made is None else str(made), catalogue.taken(slip))
