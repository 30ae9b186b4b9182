"""What a letter's orders do to a game, one after another, and what is to be answered to each."""

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
    """Let each order act, or none of those that act where one of them cannot; an item for each."""
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
    """A move out of turn is for the next one, if nothing stops it; beside orders that hang on something it is not."""
    state = sitting.state
    is_early = state.stage is Stage.RUNNING and state.turn is written.side.other
    if not is_early or not written.is_informed(state.ply) or not standing_orders.has_any(sitting):
        return orders
    if any(isinstance(each, StandingOrders) for each in orders):
        return orders
    return tuple(as_standing(order) or order for order in orders)


def _obstacle(sitting: Sitting, written: Written, order: Order) -> str | None:
    """Why an order cannot act now, as a note."""
    return (
        standing_orders.obstacle(sitting, written, order)
        or tutorials.hindrance(sitting, order)
        or obstacle(sitting.state, written, order)
    )


def _obstacle_by_now(sitting: Sitting, written: Written, order: Order) -> str | None:
    """The same after what stood before it has acted; what is for the next turn is made for just that."""
    return None if isinstance(order, StandingOrders) else obstacle(sitting.state, written, order)


def _settle_what_seems_late(sitting: Sitting, written: Written) -> None:
    """Whoever was told of the turn later than the deadline knows may still have time."""
    acts = not all(has(order, Trait.AT_ANY_TIME) for order in written.orders)
    if acts and sitting.state.is_due(written.side, written.received_at):
        deadlines.settle(sitting)


# ---------------------------------------------------------------- the orders of one letter


def _turn_in_letter(order: Order) -> int:
    """An offer is answered before the move beside the answer; a draw is offered, and the next turn cared for, after.

    Where all games stand is told at the end.
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
    """A draw beside a move is offered only if the move was made, and what is for the next turn is kept only then."""
    if any(item.note in (Verdict.MOVED, *DEPLOYED) for item in items):
        return None
    if isinstance(order, StandingOrders):
        return "not_kept" if any(map(is_for_the_board, written.orders)) else None
    return "not_offered" if _is_offer(order) and any(map(_is_move, written.orders)) else None


def _is_move(order: Order) -> bool:
    """Whether an order moves a man, now or by a move that waits for its turn: a question or a look alone does not."""
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
    """What is tried takes the place of what had been ordered for this turn; who has not moved by it is told so."""
    chair = sitting.chairs[written.side]
    kept = chair.standing
    by = rulings.By(written.side, written.inbox_id, Came(written.received_at, written.spent_until))
    item = rulings.put_to_umpire(sitting, by, order)
    is_replaced = kept is not None and chair.standing is None and item.note != Verdict.MOVED
    return replace(item, replaces=True) if is_replaced else item
