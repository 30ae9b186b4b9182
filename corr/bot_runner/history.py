"""Reads a bot seat's history: each slip in order, with the seat's own order that it answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from corr.bots.history import Observation
from corr.orders import UnclearLine, parse_order
from corr.service.games.history import SeatHistory
from corr.service.games.log import LoggedOrder
from corr.service.games.new_slips import NumberedSlip
from corr.words.codes import Common
from corr.words.orders import Command, Deploy
from corr.words.slips import Slip

#: Facts that come from the match and not from the umpire.
_MATCH_CODES = frozenset(
    (
        Common.OFFER,
        Common.DECLINED,
        Common.CONFIRM,
        Common.UNREADABLE,
        Common.PAUSED,
        Common.RESUMED,
        Common.EXTENDED,
    )
)


def read_observations(history: SeatHistory) -> Sequence[Observation]:
    """Return the whole history without slips that say nothing about the board."""
    return tuple(_pair_with_orders(history.handed, history.orders))


def _pair_with_orders(handed: Iterable[NumberedSlip], orders: Iterable[LoggedOrder]) -> Iterator[Observation]:
    asked = deque((each.ply, parse_order(each.text)) for each in orders if each.is_move or each.said)
    for each in handed:
        while asked and isinstance(asked[0][1], Deploy) and each.step == 0 and asked[0][0] != each.ply:
            asked.popleft()  # its answer is the news to both sides
        order = asked.popleft()[1] if asked and _answers(each) else None
        slip = _board_facts(each.slip)
        if slip is not None:
            yield Observation(slip, None if isinstance(order, Command | UnclearLine) else order)


def _answers(handed: NumberedSlip) -> bool:
    """Whether a slip answers an order of this seat, not being news or telling of the opponent's actions."""
    slip, made = handed.slip, handed.slip.made
    if handed.step == 0:
        return False
    if made is not None:
        return made["side"] == slip.side
    return not any(fact.get("side") == slip.side.other for fact in slip.facts)


def _board_facts(slip: Slip) -> Slip | None:
    """Return what the umpire says on a slip; None if nothing."""
    facts = tuple(fact for fact in slip.facts if fact.code not in _MATCH_CODES)
    return slip._replace(facts=facts) if facts else None
