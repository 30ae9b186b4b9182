"""Carries out an email's orders in a game one by one, and collects the answer to each."""

from __future__ import annotations

from dataclasses import replace

from corr.game.standing_orders import as_standing
from corr.game.state import Written, is_for_the_board, is_stopping, obstacle
from corr.orders import Trait, has, join_acts
from corr.service.games import deadlines, game_commands, rulings, standing_orders, tutorials
from corr.service.games.answer_items import DEPLOYED, Item
from corr.service.games.game_session import Sitting
from corr.service.games.seals import Came
from corr.words.orders import Ask, Order, Sense, StandingOrders, Word
from corr.words.slips import Verdict
from corr.words.view import Stage


def act_on(sitting: Sitting, written: Written) -> list[Item]:
    """Carry out every order that acts, or none if one cannot; return an item each."""
    written = replace(written, orders=_for_its_turn(sitting, written, join_acts(written.orders)))
    _settle_what_seems_late(sitting, written)
    before = {order: _obstacle(sitting, written, order) for order in written.orders}
    stopped = any(is_stopping(sitting.state, written, order, note) for order, note in before.items())
    items: list[Item] = []
    for order in sorted(written.orders, key=_turn_in_letter):
        note = before[order] or _obstacle_by_now(sitting, written, order)
        if note is None and stopped and not has(order, Trait.ASKS):
            note = "resign_alone" if _is_resignation(order) else "untried"
        note = note or _hangs_on_its_move(written, order, items)
        items.append(Item(rulings.as_written(order), note) if note else _act(sitting, written, order))
    return items


def _for_its_turn(sitting: Sitting, written: Written, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Turn early moves into standing orders, unless conditional ones stand beside them."""
    state = sitting.state
    is_early = state.stage is Stage.RUNNING and state.turn is written.side.other
    if not is_early or not written.is_informed(state.ply) or not standing_orders.has_any(sitting):
        return orders
    if any(isinstance(each, StandingOrders) for each in orders):
        return orders
    return tuple(as_standing(order) or order for order in orders)


def _obstacle(sitting: Sitting, written: Written, order: Order) -> str | None:
    """Return why an order cannot act now, as a note."""
    return (
        standing_orders.obstacle(sitting, written, order)
        or tutorials.hindrance(sitting, order)
        or obstacle(sitting.state, written, order)
    )


def _obstacle_by_now(sitting: Sitting, written: Written, order: Order) -> str | None:
    """Return the same after earlier orders acted; standing orders expect such changes."""
    return None if isinstance(order, StandingOrders) else obstacle(sitting.state, written, order)


def _settle_what_seems_late(sitting: Sitting, written: Written) -> None:
    """Settle the clock first: a player who was told late may still have time."""
    acts = not all(has(order, Trait.AT_ANY_TIME) for order in written.orders)
    if acts and sitting.state.is_due(written.side, written.received_at):
        deadlines.settle(sitting)


# ---------------------------------------------------------------- the orders of one email


def _turn_in_letter(order: Order) -> int:
    """Rank an order: answers to offers, moves, draw offers, then standing orders.

    The list of games comes last.
    """
    match order:
        case Word(word="accept" | "decline" | "cancel"):
            return 0
        case Word(word="draw?"):
            return 2
        case StandingOrders():
            return 3
        case Word(word="delay"):
            return 4
        case Word(word="games"):
            return 5
        case _:
            return 1


def _is_resignation(order: Order) -> bool:
    return isinstance(order, Word) and order.word == "resign"


def _is_offer(order: Order) -> bool:
    return isinstance(order, Word) and order.word == "draw?"


def _hangs_on_its_move(written: Written, order: Order, items: list[Item]) -> str | None:
    """Return why a draw offer or standing orders lapse: the move beside them failed."""
    if any(item.note in (Verdict.MOVED, *DEPLOYED) for item in items):
        return None
    if isinstance(order, StandingOrders):
        return "not_kept" if any(map(is_for_the_board, written.orders)) else None
    return "not_offered" if _is_offer(order) and any(map(_is_move, written.orders)) else None


def _is_move(order: Order) -> bool:
    """Whether an order moves a piece, now or later, rather than only asks or senses."""
    if order == Ask() or (isinstance(order, Sense) and not order.glimpses and order.otherwise is None):
        return False
    return is_for_the_board(order) or (isinstance(order, StandingOrders) and not order.branches)


# ---------------------------------------------------------------- acting


def _act(sitting: Sitting, written: Written, order: Order) -> Item:
    match order:
        case Word(word="accept" | "decline") if sitting.state.stage is Stage.OFFERED:
            return game_commands.answer_challenge(sitting, written, order)
        case StandingOrders():
            return Item(str(order), standing_orders.keep(sitting, written, order))
        case Word():
            return game_commands.DEEDS[order.word](sitting, written, order)
        case _ if sitting.state.stage is Stage.DEPLOYING:
            return rulings.deploy(sitting, written, order)
        case _:
            return _put_to_umpire(sitting, written, order)


def _put_to_umpire(sitting: Sitting, written: Written, order: Order) -> Item:
    """Try an order, and note if it replaced standing orders without moving."""
    chair = sitting.chairs[written.side]
    kept = chair.standing
    by = rulings.By(written.side, written.inbox_id, Came(written.received_at, written.spent_until))
    item = rulings.put_to_umpire(sitting, by, order)
    is_replaced = kept is not None and chair.standing is None and item.note != Verdict.MOVED
    return replace(item, replaces=True) if is_replaced else item
