"""Reads a side's log of orders, and picks those that others may read after the game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, update
from sqlalchemy.orm import aliased

from corr.store.rows import columns_of, rows_of
from corr.store.tables import OrderRow, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.orders import Ask, Order, Origin, Sense, Tries
from corr.words.replay import DisclosedOrders, RefusedTries
from corr.words.slips import REFUSED_VERDICTS, Slip, Verdict
from corr.words.view import Try


class LoggedOrder(NamedTuple):
    seat_id: int
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
        """Whether the order moved nothing: it was refused, or stopped before it was tried."""
        return self.verdict in (*REFUSED_VERDICTS, Verdict.HELD)

    @property
    def is_refused_try(self) -> bool:
        """Whether the umpire refused the order as a try to move; a forbidden question is none."""
        is_question = self.text.startswith("any?") and self.verdict == Verdict.NONSENSE
        return self.verdict in REFUSED_VERDICTS and not is_question


#: The number of characters that name a move's two squares.
_MOVE = 4
_QUESTION_WORDS = ("any?", "sense")
ORDER_COLUMNS = columns_of(LoggedOrder, OrderRow)
_SEAT_ORDERS_QUERY = (
    select(*ORDER_COLUMNS)
    .where(OrderRow.seat_id == bindparam("seat"), OrderRow.ply >= 0)
    .order_by(OrderRow.id)
)
_HAS_MOVE_ORIGIN = (OrderRow.verdict == Verdict.MOVED) & (OrderRow.origin != Origin.PLAIN)
_WHOLE_LOG_QUERY = _SEAT_ORDERS_QUERY.where((OrderRow.verdict != Verdict.MOVED) | _HAS_MOVE_ORIGIN)
_MOVES = _SEAT_ORDERS_QUERY.where(_HAS_MOVE_ORIGIN)
_SETTINGS_UPDATE = (
    update(SeatRow)
    .where(SeatRow.game_id == bindparam("game"))
    .values(
        tells_tries=select(PlayerRow.tells_tries).where(PlayerRow.id == SeatRow.player_id).scalar_subquery(),
        publishes=select(PlayerRow.publishes).where(PlayerRow.id == SeatRow.player_id).scalar_subquery(),
    )
)


def copy_settings(connection: Connection, game_id: int) -> None:
    """Copy what each player lets others read (refused tries, name) into a game that begins."""
    connection.execute(_SETTINGS_UPDATE, {"game": game_id})


def find_origin(order: Order, put: Order) -> Origin:
    """Return whether a tried move came from a list or an "if" branch of its order."""
    match order:
        case Tries():
            return Origin.LIST
        case Ask() if put == Ask():
            return Origin.PLAIN
        case Ask(yes, no) if yes != no:
            return Origin.BRANCH
        case Ask(yes=Tries(steps)) if len(steps) > 1:
            return Origin.LIST
        case Sense(branches=branches) if branches:
            return Origin.BRANCH
        case _:
            return Origin.PLAIN


def load_orders(connection: Connection, seat_id: int, *, whole: bool) -> Sequence[LoggedOrder]:
    """Read a side's moves from lists and "if" branches; with `whole`, also orders that moved nothing."""
    question = _WHOLE_LOG_QUERY if whole else _MOVES
    return rows_of(LoggedOrder, connection.execute(question, {"seat": seat_id}))


def word_origins(logged: Iterable[LoggedOrder], *, numbered: bool = True) -> Iterator[str]:
    """Yield words for each order: which try of a list or branch moved; "" for others."""
    tries: Counter[tuple[int, int, str]] = Counter()
    for each in logged:
        of = (each.ply, each.inbox_id, each.origin)
        tries[of] += each.is_move or each.is_refused_try
        if not (each.is_move and each.origin):
            yield ""
        elif numbered and tries[of] > 1:
            yield sentence(f"stood_try.{each.origin}", number=tries[of])
        else:
            yield sentence(f"stood.{each.origin}")


def format_order(order: LoggedOrder, slip: Slip | None) -> str:
    """Return an order as written, or as `e4xd5` if it was a move that captured; "resign resign" is "resign"."""
    made = slip.made if slip and order.verdict == Verdict.MOVED else None
    is_named = made is not None and str(made["move"])[:_MOVE] == order.text[:_MOVE]
    if slip and is_named:
        return slip.listed(order.text)
    return "resign" if order.text == "resign resign" else order.text


def list_disclosed(logged: Sequence[LoggedOrder], *, tells_tries: bool) -> DisclosedOrders:
    """Return what others may read of a side's orders: moves' origins, and refused tries if allowed."""
    stood = zip(logged, word_origins(logged, numbered=tells_tries), strict=True)
    refused = [each for each in logged if each.is_refused_try] if tells_tries else []
    return DisclosedOrders(
        stood={each.ply + 1: words for each, words in stood if words},
        tries={ply: tuple(_group_tries(then)) for ply, then in groupby(refused, key=lambda each: each.ply)},
    )


def list_undisclosed(logged: Sequence[LoggedOrder], *, tells_tries: bool) -> Mapping[int, tuple[Try, ...]]:
    """Return the orders that moved nothing and that only their player may read, by half-move."""
    own: defaultdict[int, list[Try]] = defaultdict(list)
    for each in logged:
        was_asked = each.verdict == Verdict.TOLD and each.text.startswith(_QUESTION_WORDS)
        if (was_asked or each.is_in_vain) and not (tells_tries and each.is_refused_try):
            own[each.ply].append(Try(each.text, each.said))
    return {ply: tuple(tries) for ply, tries in own.items()}


def _group_tries(refused: Iterable[LoggedOrder]) -> Iterator[RefusedTries]:
    """Join successive refused tries that got the same answer."""
    for said, alike in groupby(refused, key=lambda each: each.said):
        yield RefusedTries(tuple(each.text for each in alike), said)


def _is_no_move(order: type[OrderRow]) -> ColumnElement[bool]:
    """Build a condition on orders: a refused or held-back one, or a question."""
    was_asked = order.text.startswith("any?") | order.text.startswith("sense")
    in_vain = order.verdict.in_((*REFUSED_VERDICTS, Verdict.HELD))
    return in_vain | ((order.verdict == Verdict.TOLD) & was_asked)


def _is_put(order: type[OrderRow]) -> ColumnElement[bool]:
    """Build a condition on orders: a move, or an order that moved nothing."""
    return _is_no_move(order) | (order.verdict == Verdict.MOVED)


_EARLIER_ORDER = aliased(OrderRow)

_LAST_PLY = (
    select(func.max(_EARLIER_ORDER.ply))
    .where(
        _EARLIER_ORDER.seat_id == SeatRow.id, _EARLIER_ORDER.ply < bindparam("ply_"), _is_put(_EARLIER_ORDER)
    )
    .correlate(SeatRow)
    .scalar_subquery()
)

# Finding the last move first lets the orders be found by their index, however long the game is.
_LAST_PLIES = (
    select(SeatRow.id.label("seat_id"), _LAST_PLY.label("ply"))
    .where(SeatRow.id.in_(bindparam("seats", expanding=True)))
    .cte("last")
    .prefix_with("MATERIALIZED")
)

#: What sides wrote in their last turn, and what they wrote in this one without moving.
LATEST_TRIES_QUERY = (
    select(*ORDER_COLUMNS)
    .join_from(_LAST_PLIES, OrderRow, OrderRow.seat_id == _LAST_PLIES.c.seat_id)
    .where(
        OrderRow.ply.in_((_LAST_PLIES.c.ply, bindparam("ply_"))),
        ((OrderRow.ply < bindparam("ply_")) & _is_put(OrderRow)) | _is_no_move(OrderRow),
    )
    .order_by(OrderRow.seat_id, OrderRow.id)
)
