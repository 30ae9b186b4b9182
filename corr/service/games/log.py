"""The log of a side: in what its moves stood, and which of it everybody may read once its game is over."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, Protocol

from sqlalchemy import Connection, bindparam, select, update

from corr.messages import sentence
from corr.store.rows import rows_of
from corr.store.tables import OrderRow, Player, SeatRow
from corr.words.orders import Ask, Order, Origin, Sense, Tries
from corr.words.slips import IN_VAIN, Slip, Verdict
from corr.words.view import Disclosed, Tried, Try


class Logged(NamedTuple):
    """An order as the log has it."""

    inbox_id: int
    ply: int
    text: str
    verdict: str
    said: str
    origin: str

    @property
    def is_move(self) -> bool:
        return self.verdict == Verdict.MOVED

    @property
    def is_in_vain(self) -> bool:
        """Whether it moved nothing: it was refused, or held back before it was tried."""
        return self.verdict in (*IN_VAIN, Verdict.HELD)

    @property
    def is_refused_try(self) -> bool:
        """Whether it was put to the umpire and refused; a question that may not be asked is no try."""
        is_question = self.text.startswith("any?") and self.verdict == Verdict.NONSENSE
        return self.verdict in IN_VAIN and not is_question


#: So many letters name the two squares of a move.
_MOVE = 4
_ASKING = ("any?", "sense")
#: What `Logged` is read from.
LOGGED = (
    OrderRow.inbox_id,
    OrderRow.ply,
    OrderRow.text,
    OrderRow.verdict,
    OrderRow.said,
    OrderRow.origin,
)
_OF_SEAT = (
    select(*LOGGED).where(OrderRow.seat_id == bindparam("seat"), OrderRow.ply >= 0).order_by(OrderRow.id)
)
_IS_OF_SEVERAL = (OrderRow.verdict == Verdict.MOVED) & (OrderRow.origin != Origin.PLAIN)
_WHOLE = _OF_SEAT.where((OrderRow.verdict != Verdict.MOVED) | _IS_OF_SEVERAL)
_MOVES = _OF_SEAT.where(_IS_OF_SEVERAL)
_SETTLE = (
    update(SeatRow)
    .where(SeatRow.game_id == bindparam("game"))
    .values(
        tells_tries=select(Player.tells_tries).where(Player.id == SeatRow.player_id).scalar_subquery(),
        publishes=select(Player.publishes).where(Player.id == SeatRow.player_id).scalar_subquery(),
    )
)


def settle(connection: Connection, game_id: int) -> None:
    """A game begins: what its players have set about their refused tries and their names is kept with it."""
    connection.execute(_SETTLE, {"game": game_id})


def origin(order: Order, put: Order) -> Origin:
    """In what stood that which of an order was put to the umpire."""
    match order:
        case Tries():
            return Origin.LIST
        case Ask() if put == Ask():
            return Origin.PLAIN
        case Ask(yes, no) if yes != no:
            return Origin.BRANCH
        case Ask(yes=Tries(steps)) if len(steps) > 1:
            return Origin.LIST
        case Sense(glimpses=glimpses) if glimpses:
            return Origin.BRANCH
        case _:
            return Origin.PLAIN


def of_seat(connection: Connection, seat_id: int, *, whole: bool) -> Sequence[Logged]:
    """The moves of a side that did not stand alone; if the whole log may be read, what moved nothing too."""
    question = _WHOLE if whole else _MOVES
    return rows_of(Logged, connection.execute(question, {"seat": seat_id}))


def in_words(logged: Iterable[Logged], *, numbered: bool = True) -> Iterator[str]:
    """Of each order in what it stood, and if that is to be told, which try of it was the move; "" for the rest."""
    tries: Counter[tuple[int, int, str]] = Counter()
    for each in logged:
        of = (each.ply, each.inbox_id, each.origin)
        tries[of] += each.is_move or each.is_refused_try
        yield _worded(each.origin, tries[of] if numbered else 1) if each.is_move and each.origin else ""


def _worded(origin: str, number: int) -> str:
    return sentence(f"stood_try.{origin}", number=number) if number > 1 else sentence(f"stood.{origin}")


class _Kept(Protocol):
    """An order as a row has it."""

    @property
    def text(self) -> str: ...
    @property
    def verdict(self) -> str: ...


def listed(order: _Kept, slip: Slip | None) -> str:
    """An order as it was written, `e4xd5` where it named the move that was made, and its slip tells of a capture."""
    made = slip.made if slip and order.verdict == Verdict.MOVED else None
    is_named = made is not None and str(made["move"])[:_MOVE] == order.text[:_MOVE]
    return slip.listed(order.text) if slip and is_named else order.text


def disclosed(logged: Sequence[Logged], *, tells_tries: bool) -> Disclosed:
    """What everybody may read of a side's log: in what its moves stood, and its refused tries if it tells them."""
    stood = zip(logged, in_words(logged, numbered=tells_tries), strict=True)
    refused = [each for each in logged if each.is_refused_try] if tells_tries else []
    return Disclosed(
        stood={each.ply + 1: words for each, words in stood if words},
        tries={ply: tuple(_together(then)) for ply, then in groupby(refused, key=lambda each: each.ply)},
    )


def kept_back(logged: Sequence[Logged], *, tells_tries: bool) -> Mapping[int, tuple[Try, ...]]:
    """What of it its player alone may read: all that was no move, and is not disclosed, by how many were made."""
    own: defaultdict[int, list[Try]] = defaultdict(list)
    for each in logged:
        if _moved_nothing(each) and not (tells_tries and each.is_refused_try):
            own[each.ply].append(Try(each.text, each.said))
    return {ply: tuple(tries) for ply, tries in own.items()}


def _moved_nothing(logged: Logged) -> bool:
    was_asked = logged.verdict == Verdict.TOLD and logged.text.startswith(_ASKING)
    return was_asked or logged.is_in_vain


def _together(refused: Iterable[Logged]) -> Iterator[Tried]:
    """Tries, those to which the same was said together."""
    for said, alike in groupby(refused, key=lambda each: each.said):
        yield Tried(tuple(each.text for each in alike), said)
