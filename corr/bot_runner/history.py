"""Reads a bot seat's history: each slip in order, with the seat's own order that it answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from corr.bots.history import Heard
from corr.orders import Puzzle, read_order
from corr.service.games.history import Handed, SeatHistory
from corr.service.games.log import Logged
from corr.words.codes import Common
from corr.words.orders import Deploy, Word
from corr.words.slips import Slip

#: Facts that come from the match and not from the umpire.
_OF_THE_MATCH = frozenset(
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


def lived(history: SeatHistory) -> Sequence[Heard]:
    """Return the whole history without slips that say nothing about the board."""
    return tuple(_lived(history.handed, history.orders))


def _lived(handed: Iterable[Handed], orders: Iterable[Logged]) -> Iterator[Heard]:
    asked = deque((each.ply, read_order(each.text)) for each in orders if each.is_move or each.said)
    for each in handed:
        while asked and isinstance(asked[0][1], Deploy) and each.step == 0 and asked[0][0] != each.ply:
            asked.popleft()  # its answer is the news to both sides
        order = asked.popleft()[1] if asked and _answers(each) else None
        slip = _of_the_board(each.slip)
        if slip is not None:
            yield Heard(slip, None if isinstance(order, Word | Puzzle) else order)


def _answers(handed: Handed) -> bool:
    """Whether a slip answers an order of this seat, not being news or telling of the opponent's actions."""
    slip, made = handed.slip, handed.slip.made
    if handed.step == 0:
        return False
    if made is not None:
        return made["side"] == slip.side
    return not any(fact.get("side") == slip.side.other for fact in slip.facts)


def _of_the_board(slip: Slip) -> Slip | None:
    """Return what the umpire says on a slip; None if nothing."""
    facts = tuple(fact for fact in slip.facts if fact.code not in _OF_THE_MATCH)
    return slip._replace(facts=facts) if facts else None
