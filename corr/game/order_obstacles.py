"""Finds why an order cannot act in a game now, and names the note that tells its writer. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from corr.game.state import State
from corr.orders import Trait, has_trait
from corr.words.board import Side
from corr.words.orders import Command, Order, StandingOrders
from corr.words.view import Stage


@dataclass(frozen=True, slots=True)
class OrderBatch:
    """The orders of an email, with what decides whether they are still fresh."""

    side: Side
    orders: tuple[Order, ...]
    slip: int
    ply: int
    received_at: datetime
    inbox_id: int
    confirms: bool
    page: bool = False  # it was written on a web page
    told: int | None = None  # how many moves the writer knew of, if known
    confirmed_at: datetime | None = None  # when its writer confirmed it, if it was doubtful
    agreed: bool = False  # its writer only said yes to what we had proposed

    @property
    def charged_until(self) -> datetime:
        """When the writer stopped thinking: when the email came, or was confirmed if doubtful."""
        return self.confirmed_at or self.received_at

    def is_ahead(self, ply: int) -> bool:
        """Whether an email out of turn answers the slip of its writer's last turn or a newer one."""
        return self.ply >= ply - 1

    def is_informed(self, ply: int) -> bool:
        """Whether the writer knew of this many moves, so that an order out of turn is deliberate."""
        return self.told is not None and self.told >= ply

    def predates_own_move(self, ply: int) -> bool:
        """Whether an order out of turn was written before its writer knew of their own move."""
        return self.told is not None and self.told < ply and ply > 0

    def predates_opponents_move(self, ply: int) -> bool:
        """Whether it was written for the current turn, but before the writer knew of the opponent's move."""
        return self.told is not None and self.told == ply - 1 and self.ply >= 0

    def is_sure(self, resign: Command) -> bool:
        """Whether the player has confirmed their resignation."""
        return resign.rest == "resign" or self.confirms


def is_board_order(order: Order) -> bool:
    """Whether the umpire judges an order on the board, unlike commands and orders for the next turn."""
    return not isinstance(order, Command | StandingOrders)


def find_obstacle(state: State, batch: OrderBatch, order: Order) -> str | None:
    """Return the name of the note on why an order cannot act now; None if it can."""
    return _agreement_obstacle(state, batch) or _own_obstacle(state, batch, order)


def _own_obstacle(state: State, batch: OrderBatch, order: Order) -> str | None:
    """Return why this kind of order cannot act now; None if it can."""
    match order:
        case Command() if has_trait(order, Trait.AT_ANY_TIME):
            return None
        case Command(word="resign"):
            return _standstill(state)
        case _ if state.is_late(batch.side, batch.received_at):
            return "late"
        case Command():
            return _word_obstacle(state, batch, order)
        case StandingOrders():
            return _advance_obstacle(state, batch)
        case _:
            return _board_obstacle(state, batch)


def _agreement_obstacle(state: State, batch: OrderBatch) -> str | None:
    """Return why a yes to our proposal cannot act now: a move was made since, or it may answer an offer."""
    if not batch.agreed:
        return None
    if state.stage is Stage.OFFERED and not state.accepted[batch.side]:
        return "yes_to_which"
    if (batch.told or 0) != state.ply:  # an email before the first slip tells of no move
        return "old"
    is_offered = state.under_way and batch.side.other in (state.draw_offer.offer, state.pause.asked)
    return "yes_to_which" if is_offered or state.again == batch.side.other else None


def is_stopping(state: State, batch: OrderBatch, order: Order, note: str | None) -> bool:
    """Whether an order that cannot act stops the rest of its email, since in doubt nothing is tried."""
    match order:
        case Command(word="resign"):
            return state.under_way and not batch.is_sure(order) and len(batch.orders) > 1
        case Command(word="accept") if state.under_way:
            return note is not None or not all(isinstance(each, Command) for each in batch.orders)
        case _:
            return note is not None and (
                isinstance(order, StandingOrders) or has_trait(order, Trait.HOLDS_UP)
            )


def _standstill(state: State) -> str | None:
    """Return why a game that isn't under way allows no order; None if it is under way."""
    if state.under_way:
        return None
    return "not_begun" if state.stage is Stage.OFFERED else _declined_obstacle(state) or "over"


def _declined_obstacle(state: State) -> str | None:
    """Return "declined" if the game's challenge was declined; else None."""
    return "declined" if state.outcome and state.outcome.reason == "declined" else None


def _word_obstacle(state: State, batch: OrderBatch, order: Command) -> str | None:
    """Return why a command cannot act now; None if it can."""
    match order.word:
        case "again":
            return _again_obstacle(state, batch.side)
        case "pause?" | "resume" | "claim":
            return _standstill(state) or _time_obstacle(state, batch, order.word)
        case "accept" | "decline":
            return _answer_obstacle(state, batch)
        case _ if has_trait(order, Trait.GAME):
            return _standstill(state)
        case _:
            return "nothing_to_confirm" if order.word == "confirm" else "for_the_site"


def _answer_obstacle(state: State, batch: OrderBatch) -> str | None:
    """Return why `accept` or `decline` cannot act now; None if it can."""
    if state.stage is Stage.OFFERED:
        return None
    if not state.under_way:
        return _standstill(state)
    if (state.draw_offer.offer or state.pause.asked) is not batch.side.other:
        return "nothing_on_offer"
    return "old_offer" if batch.slip < (state.offer_slip or 0) else None


def _time_obstacle(state: State, batch: OrderBatch, word: str) -> str | None:
    """Return why `pause?`, `resume` or `claim` cannot act now; None if it can."""
    match word:
        case "pause?":
            return _pause_obstacle(state, batch.side)
        case "resume":
            return None if state.pause.until else "no_pause_to_end"
        case _:
            return None if state.may_claim(batch.side, batch.received_at) else "nothing_to_claim"


def _pause_obstacle(state: State, side: Side) -> str | None:
    if state.lesson or state.clock.steady or state.clock.is_live or state.time.deadline is None:
        return "no_pause"
    if state.paused:
        return "is_paused"
    return "pause_waits" if state.pause.asked is side else None


def _again_obstacle(state: State, side: Side) -> str | None:
    """Return why `again`, a wish for a rematch, cannot act now; None if it can."""
    if state.stage is not Stage.OVER:
        return "not_over"
    if state.again in (None, side.other):
        return _declined_obstacle(state)
    return "again_waits" if state.again == side else "again_begun"


def _advance_obstacle(state: State, batch: OrderBatch) -> str | None:
    """Return why orders for the player's next turn can't be kept now; None if they can."""
    if state.stage is not Stage.RUNNING:
        return _standstill(state) or "not_begun"
    if state.turn is not batch.side:
        if not batch.is_ahead(state.ply):
            return "old"
        # An email may come before its writer's move is answered; a page is answered at once, so its order may not.
        return "moved_before" if batch.page and batch.predates_own_move(state.ply) else None
    if batch.ply != state.ply:
        return "overtaken_if" if batch.predates_opponents_move(state.ply) else "old"
    return None if any(map(is_board_order, batch.orders)) else "beside_no_move"


def _board_obstacle(state: State, batch: OrderBatch) -> str | None:
    """Return why a move or another board order cannot act now; None if it can."""
    if not state.under_way:
        return _standstill(state)
    if state.stage is Stage.RUNNING and state.turn is not batch.side:
        return "moved_before" if batch.predates_own_move(state.ply) else "not_your_turn"
    if state.stage is Stage.DEPLOYING and batch.ply == 0:
        return None  # the challenge, and emails from before the first round
    if batch.ply == state.ply:
        return None
    if batch.predates_opponents_move(state.ply):
        return "overtaken"
    return "old_set_up" if batch.ply < 0 else "old"
