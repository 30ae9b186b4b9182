"""Puts orders to the umpire and gives both sides its answers."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from corr.game.order_obstacles import OrderBatch
from corr.game.resign_and_draw import DrawOffer, declined_offer_fact
from corr.service.games import acknowledgements, clock_start, lifecycle, log_rows
from corr.service.games.game_changes import LogEntry
from corr.service.games.game_session import GameSession
from corr.service.games.page_orders import DEPLOYMENT_NOTES, AnswerItem
from corr.service.games.seals import OrderTimes
from corr.service.games.umpire_access import Judgement
from corr.words.board import Pair, Side
from corr.words.codes import Common
from corr.words.orders import Ask, Order, Origin, Sense, Tries
from corr.words.slips import REFUSED_VERDICTS, Slip, Verdict
from corr.words.view import Try, group_tries

#: Verdicts on orders that did nothing, so that earlier standing orders go on waiting.
_UNTRIED = (Verdict.UNREADABLE, Verdict.HELD)


class OrderSource(NamedTuple):
    """An order's side, email, arrival and turn end, and its origin where it matters."""

    side: Side
    inbox_id: int
    came: OrderTimes
    origin: Origin | None = None


def deploy(session: GameSession, batch: OrderBatch, order: Order) -> AnswerItem:
    """Take how a side sets up its pieces; both set-ups begin the game, unless they clash."""
    session.mark_turn()
    side, ply = batch.side, session.state.ply
    ((_, judgement),) = session.umpire.play(side, order)
    own = judgement.slips[side]
    assert own
    note = _advance_deployment(session, judgement, own)
    if note in DEPLOYMENT_NOTES[1:]:
        # This is news to the writer too, whose next order must answer a slip of the new stage.
        lifecycle.tell_both(session, judgement.slips)
    else:
        _answer_without_move(session, side, judgement.slips)
    session.log(side, batch.inbox_id, LogEntry(str(order), judgement.verdict, own.spoken, ply))
    return AnswerItem(str(order), note, own.spoken)


def _advance_deployment(session: GameSession, judgement: Judgement, own: Slip) -> str:
    """Change the state after a set-up; return "sealed", "begun", "clash", "void" or the verdict."""
    state, now = session.state, session.now
    if judgement.verdict is not Verdict.TOLD:
        return judgement.verdict
    if own.tells(Common.TURN):
        session.state = state.play(judgement.turn, now)
        return "begun"
    if judgement.outcome:
        session.state = state.end(judgement.outcome, now)
        return "void"
    if own.tells(Common.CLASH):
        session.state = state.deploy(now)
        return "clash"
    assert judgement.turn
    session.state = state.seal(judgement.turn, now)
    clock_start.start_clock(session)
    return "sealed"


def put_to_umpire(session: GameSession, source: OrderSource, order: Order) -> AnswerItem:
    """Let the umpire judge an order, or each try of a list; return one answer."""
    session.mark_turn()
    if source.origin is Origin.STANDING and isinstance(order, Tries):
        judged = session.umpire.play_ahead(source.side, order)
    else:
        judged = session.umpire.play(source.side, order)
    items = [
        _apply_judgement(session, source, *each, source.origin or log_rows.find_origin(order, each[0]))
        for each in judged
    ]
    if judged[0][0] is order:
        return items[0]
    answer = _answer_to_list(order, items, tuple(put for put, _ in judged))
    refused = [_is_heard_refused(source.side, each) for put, each in judged if put != Ask()]
    return replace(answer, heard=sum(refused))


def _is_heard_refused(side: Side, judgement: Judgement) -> bool:
    """Whether the opponent hears that a try was refused."""
    is_refused = judgement.verdict in REFUSED_VERDICTS
    return is_refused and judgement.slips[side.other] is not None


def _answer_to_list(order: Order, items: list[AnswerItem], put: tuple[Order, ...]) -> AnswerItem:
    """Join the answers to a list's tries into one, with the tries that were not needed."""
    *before, last = items
    if put == (Ask(),):
        return replace(last, order=format_order(order))
    made = last.note == Verdict.MOVED
    tried = group_tries(Try(item.order, item.said) for item in (before if made else items))
    if not made:
        is_asked_in_vain = put[0] == Ask() and before[0].note == Verdict.NONSENSE
        note = "unasked" if is_asked_in_vain else "exhausted"
        return AnswerItem(format_order(order), note, last.said, tried=tried)
    return replace(last, order=format_order(order), tried=tried, untried=_list_untried(order, put))


def _list_untried(order: Order, put: tuple[Order, ...]) -> str:
    """Return the part of a list of tries that the umpire was not asked, as text."""
    if isinstance(order, Ask):
        lists, put = [tries for tries in (order.yes, order.no) if tries], put[1:]
    else:
        lists = [order] if isinstance(order, Tries) else []
    behind = (tries.steps[len(put) :] for tries in lists if tries.steps[: len(put)] == put)
    return ", ".join(map(str, next(behind, ())))


def _apply_judgement(
    session: GameSession, source: OrderSource, order: Order, judgement: Judgement, origin: Origin
) -> AnswerItem:
    """Change the state by a judgement, give out and log its words, and return the answer."""
    side, ply = source.side, session.state.ply
    slips = judgement.slips
    if judgement.verdict not in _UNTRIED:
        session.seat_states[side].standing = None
    if judgement.verdict is Verdict.MOVED:
        slips = _add_declined_offer(slips, session.state.draw_offer, side)
        delivered_at = clock_start.start_bank_clock(session, side)
        session.state = session.state.move(side, judgement.turn, session.now, source.came.spent, delivered_at)
    if judgement.outcome:
        session.state = session.state.end(judgement.outcome, session.now)
    is_move, text = judgement.verdict is Verdict.MOVED, format_order(order)
    said = (hand_out if is_move else _answer_without_move)(session, side, slips)
    kept = _private_words(side, slips) if is_move else said
    session.log(side, source.inbox_id, LogEntry(text, judgement.verdict, kept, ply, origin))
    session.mark_turn(source.came)
    uneventful = is_move and acknowledgements.is_uneventful(slips[side], text)
    return AnswerItem(text, judgement.verdict, said, _move(judgement.slips[side]), uneventful=uneventful)


def _add_declined_offer(slips: Pair[Slip | None], draw_offer: DrawOffer, side: Side) -> Pair[Slip | None]:
    """Add to what both sides are told that the mover turned down a draw offer, if so."""
    told = declined_offer_fact(draw_offer, side)
    if told is None:
        return slips
    both = (slips[each] for each in Side)
    return Pair(*(slip and slip._replace(facts=(told, *slip.facts)) for slip in both))


def _private_words(side: Side, slips: Pair[Slip | None]) -> str:
    """Return what only the mover was told of its move."""
    own, others = slips[side], slips[side.other]
    if own is None:
        return ""
    heard = {fact.text for fact in others.facts} if others else set()
    return own._replace(facts=tuple(fact for fact in own.facts if fact.text not in heard)).spoken


def format_order(order: Order) -> str:
    """Write an order as its player would: "any?; e4d5" is a question and a try."""
    match order:
        case Ask(yes=Tries() as tries) if tries == order.no:
            return f"any?; {tries}"
        case Sense(branches=(), otherwise=act) if act is not None:
            return f"{replace(order, otherwise=None)}; {act}"
        case _:
            return str(order)


def _move(slip: Slip | None) -> str:
    """Return the move really played; "" if there is none or the umpire's words tell it."""
    made = slip.made if slip and not slip.tells(Common.TAKEN) else None
    return str(made["move"]) if made else ""


def hand_out(session: GameSession, writer: Side, slips: Pair[Slip | None]) -> str:
    """Tell both sides the umpire's words, the opponent by email; return what the writer was told."""
    others = slips[writer.other]
    if others:
        session.add_news(writer.other, others)
    return _hand_to_writer(session, writer, slips[writer])


def _answer_without_move(session: GameSession, writer: Side, slips: Pair[Slip | None]) -> str:
    """Tell both sides of an order that didn't move, without email; return what its writer was told."""
    others = slips[writer.other]
    if others:
        session.add_step(writer.other, others)
    return _hand_to_writer(session, writer, slips[writer])


def _hand_to_writer(session: GameSession, writer: Side, own: Slip | None) -> str:
    """Give the writer its slip, if any, and return the umpire's words on it."""
    if own is None:
        return ""
    session.add_step(writer, own)
    return own.spoken
