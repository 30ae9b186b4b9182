"""Carries out an email's orders in a game one by one, and collects the answer to each."""

from __future__ import annotations

from dataclasses import replace

from corr.game.order_obstacles import OrderBatch, find_obstacle, is_board_order, is_stopping
from corr.game.standing_orders import to_standing_orders
from corr.orders import Trait, has_trait, join_acts
from corr.service.games import clock_start, game_commands, rulings, standing_orders, tutorials
from corr.service.games.game_session import GameSession
from corr.service.games.page_orders import DEPLOYMENT_NOTES, AnswerItem
from corr.service.games.seals import OrderTimes
from corr.words.orders import Ask, Command, Order, Sense, StandingOrders
from corr.words.slips import Verdict
from corr.words.view import Stage


def carry_out_orders(session: GameSession, batch: OrderBatch) -> list[AnswerItem]:
    """Carry out an email's orders, but only questions if one stops the rest; return each answer."""
    batch = replace(batch, orders=_convert_early_moves(session, batch, join_acts(batch.orders)))
    _start_late_clock(session, batch)
    before = {order: _obstacle(session, batch, order) for order in batch.orders}
    stopped = any(is_stopping(session.state, batch, order, note) for order, note in before.items())
    items: list[AnswerItem] = []
    for order in sorted(batch.orders, key=_order_rank):
        note = before[order]
        if note is None and not isinstance(order, StandingOrders):  # which expect changes by earlier orders
            note = find_obstacle(session.state, batch, order)
        if note is None and stopped and not has_trait(order, Trait.ASKS):
            note = "resign_alone" if _is_word(order, "resign") else "untried"
        note = note or _find_lapse(batch, order, items)
        items.append(AnswerItem(rulings.format_order(order), note) if note else _act(session, batch, order))
    return items


def _convert_early_moves(
    session: GameSession, batch: OrderBatch, orders: tuple[Order, ...]
) -> tuple[Order, ...]:
    """Turn moves written in the opponent's turn into next-turn orders, unless some are given."""
    state = session.state
    is_early = state.stage is Stage.RUNNING and state.turn is batch.side.other
    if not is_early or not batch.is_informed(state.ply) or not standing_orders.is_supported(session):
        return orders
    if any(isinstance(each, StandingOrders) for each in orders):
        return orders
    return tuple(to_standing_orders(order) or order for order in orders)


def _obstacle(session: GameSession, batch: OrderBatch, order: Order) -> str | None:
    """Return why an order can't act now, as a template's key; None if it can."""
    return (
        standing_orders.find_obstacle(session, batch, order)
        or tutorials.find_word_obstacle(session, batch, order)
        or find_obstacle(session.state, batch, order)
    )


def _start_late_clock(session: GameSession, batch: OrderBatch) -> None:
    """Start the clock if the writer seems out of time, as late notice may leave some."""
    acts = not all(has_trait(order, Trait.AT_ANY_TIME) for order in batch.orders)
    if acts and session.state.is_due(batch.side, batch.received_at):
        clock_start.start_clock(session)


def _order_rank(order: Order) -> int:
    """Rank an order: answers to offers, moves, draw offers, orders for the next turn, lists."""
    match order:
        case Command(word="accept" | "decline" | "cancel"):
            return 0
        case Command(word="draw?"):
            return 2
        case StandingOrders():
            return 3
        case Command(word="delay"):
            return 4
        case Command(word="games"):
            return 5
        case _:
            return 1


def _is_word(order: Order, word: str) -> bool:
    return isinstance(order, Command) and order.word == word


def _find_lapse(batch: OrderBatch, order: Order, items: list[AnswerItem]) -> str | None:
    """Return why a draw offer or next-turn orders lapse with a failed move, as a key, or None."""
    if any(item.note in (Verdict.MOVED, *DEPLOYMENT_NOTES) for item in items):
        return None
    if isinstance(order, StandingOrders):
        return "not_kept" if any(map(is_board_order, batch.orders)) else None
    return "not_offered" if _is_word(order, "draw?") and any(map(_acts_on_board, batch.orders)) else None


def _acts_on_board(order: Order) -> bool:
    """Whether an order acts on the board: not a bare `any?` or `sense`, a command, or next-turn orders with `if`."""
    if order == Ask() or (isinstance(order, Sense) and not order.branches and order.otherwise is None):
        return False
    return is_board_order(order) or (isinstance(order, StandingOrders) and not order.branches)


def _act(session: GameSession, batch: OrderBatch, order: Order) -> AnswerItem:
    """Carry out one order, by its kind and the game's stage, and return the answer."""
    match order:
        case Command(word="accept" | "decline") if session.state.stage is Stage.OFFERED:
            return game_commands.answer_challenge(session, batch, order)
        case StandingOrders():
            return AnswerItem(str(order), standing_orders.keep(session, batch, order))
        case Command():
            return game_commands.HANDLERS[order.word](session, batch, order)
        case _ if session.state.stage is Stage.DEPLOYING:
            return rulings.deploy(session, batch, order)
        case _:
            return _put_to_umpire(session, batch, order)


def _put_to_umpire(session: GameSession, batch: OrderBatch, order: Order) -> AnswerItem:
    """Let the umpire judge an order; the answer also tells if it replaced next-turn orders."""
    seat = session.seat_states[batch.side]
    kept = seat.standing
    by = rulings.OrderSource(batch.side, batch.inbox_id, OrderTimes(batch.received_at, batch.charged_until))
    item = rulings.put_to_umpire(session, by, order)
    is_replaced = kept is not None and seat.standing is None and item.note != Verdict.MOVED
    return replace(item, replaces=True) if is_replaced else item
