"""Puts orders to the umpire and hands both sides its answers."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from corr.game.match import Match, turned_down
from corr.game.state import Written
from corr.service.games import deadlines, lifecycle, log, umpire_access
from corr.service.games.answer_items import DEPLOYED, Item
from corr.service.games.game_session import Entry, Sitting
from corr.service.games.seals import Came
from corr.words.board import Pair, Side
from corr.words.codes import Common
from corr.words.orders import Ask, Order, Origin, Sense, Tries
from corr.words.slips import IN_VAIN, Slip, Verdict
from corr.words.view import Try, together

#: Verdicts on orders that did nothing, so that earlier standing orders go on waiting.
_UNTRIED = (Verdict.UNREADABLE, Verdict.HELD)


class By(NamedTuple):
    """An order's side, email, arrival and turn end, and its origin where it matters."""

    side: Side
    inbox_id: int
    came: Came
    origin: Origin | None = None


def deploy(sitting: Sitting, written: Written, order: Order) -> Item:
    """Take a set-up; the second one begins the game unless the two clash."""
    sitting.mark_turn()
    side, ply = written.side, sitting.state.ply
    ((_, judgement),) = umpire_access.play(sitting.connection, sitting.game_id, sitting.variant, side, order)
    own = judgement.slips[side]
    assert own
    note = _stage(sitting, judgement, own)
    if note in DEPLOYED[1:]:
        # This is news to the writer too, whose next order must answer a slip of the new stage.
        lifecycle.tell_both(sitting, judgement.slips)
    else:
        _hand_back(sitting, side, judgement.slips)
    sitting.log(side, written.inbox_id, Entry(str(order), judgement.verdict, own.spoken, ply))
    return Item(str(order), note, own.spoken)


def _stage(sitting: Sitting, judgement: umpire_access.Judgement, own: Slip) -> str:
    """Advance the deployment after an order, and return a note about it."""
    state, now = sitting.state, sitting.now
    if judgement.verdict is not Verdict.TOLD:
        return judgement.verdict
    if own.tells(Common.TURN):
        sitting.state = state.play(judgement.turn, now)
        return "begun"
    if judgement.outcome:
        sitting.state = state.end(judgement.outcome, now)
        return "void"
    if own.tells(Common.CLASH):
        sitting.state = state.deploy(now)
        return "clash"
    assert judgement.turn
    sitting.state = state.seal(judgement.turn, now)
    deadlines.settle(sitting)
    return "sealed"


def put_to_umpire(sitting: Sitting, by: By, order: Order) -> Item:
    """Judge an order, each try of a list separately, and return one answer."""
    sitting.mark_turn()
    table = sitting.connection, sitting.game_id, sitting.variant
    if by.origin is Origin.STANDING and isinstance(order, Tries):
        judged = umpire_access.play_ahead(*table, by.side, order)
    else:
        judged = umpire_access.play(*table, by.side, order)
    items = [_judged(sitting, by, *each, by.origin or log.origin(order, each[0])) for each in judged]
    if judged[0][0] is order:
        return items[0]
    answer = _answer_to_list(order, items, tuple(put for put, _ in judged))
    refused = [_is_heard_refused(by.side, each) for put, each in judged if put != Ask()]
    return replace(answer, heard=sum(refused))


def _is_heard_refused(side: Side, judgement: umpire_access.Judgement) -> bool:
    """Whether the opponent hears that a try was refused."""
    is_refused = judgement.verdict in IN_VAIN
    return is_refused and judgement.slips[side.other] is not None


def _answer_to_list(order: Order, items: list[Item], put: tuple[Order, ...]) -> Item:
    """Sum up a list's tries as one answer, with the tries left over."""
    *before, last = items
    if put == (Ask(),):
        return replace(last, order=as_written(order))
    made = last.note == Verdict.MOVED
    tried = together(Try(item.order, item.said) for item in (before if made else items))
    if not made:
        is_asked_in_vain = put[0] == Ask() and before[0].note == Verdict.NONSENSE
        note = "unasked" if is_asked_in_vain else "exhausted"
        return Item(as_written(order), note, last.said, tried=tried)
    return replace(last, order=as_written(order), tried=tried, untried=_behind(order, put))


def _behind(order: Order, put: tuple[Order, ...]) -> str:
    """Return the part of the list after the tries that were put."""
    if isinstance(order, Ask):
        lists, put = [tries for tries in (order.yes, order.no) if tries], put[1:]
    else:
        lists = [order] if isinstance(order, Tries) else []
    behind = (tries.steps[len(put) :] for tries in lists if tries.steps[: len(put)] == put)
    return ", ".join(map(str, next(behind, ())))


def _judged(
    sitting: Sitting, by: By, order: Order, judgement: umpire_access.Judgement, origin: Origin
) -> Item:
    side, ply = by.side, sitting.state.ply
    slips = judgement.slips
    if judgement.verdict not in _UNTRIED:
        sitting.chairs[side].standing = None
    if judgement.verdict is Verdict.MOVED:
        slips = _with_offer_turned_down(slips, sitting.state.match, side)
        handed_over = deadlines.settle_for_bank(sitting, side)
        sitting.state = sitting.state.move(side, judgement.turn, sitting.now, by.came.spent, handed_over)
    if judgement.outcome:
        sitting.state = sitting.state.end(judgement.outcome, sitting.now)
    is_move, text = judgement.verdict is Verdict.MOVED, as_written(order)
    said = (hand_out if is_move else _hand_back)(sitting, side, slips)
    kept = _told_alone(side, slips) if is_move else said
    sitting.log(side, by.inbox_id, Entry(text, judgement.verdict, kept, ply, origin))
    sitting.mark_turn(by.came)
    return Item(text, judgement.verdict, said, _move(judgement.slips[side]))


def _with_offer_turned_down(slips: Pair[Slip | None], standing: Match, side: Side) -> Pair[Slip | None]:
    """Tell both first that the mover turned down a draw offer, if there was one."""
    told = turned_down(standing, side)
    if told is None:
        return slips
    handed = (slips[each] for each in Side)
    return Pair(*(slip and slip._replace(facts=(told, *slip.facts)) for slip in handed))


def _told_alone(side: Side, slips: Pair[Slip | None]) -> str:
    """Return what only the mover was told of its move."""
    own, others = slips[side], slips[side.other]
    if own is None:
        return ""
    heard = {fact.text for fact in others.facts} if others else set()
    return own._replace(facts=tuple(fact for fact in own.facts if fact.text not in heard)).spoken


def as_written(order: Order) -> str:
    """Write an order as its player knows it: question or sense, then the move."""
    match order:
        case Ask(yes=Tries() as tries) if tries == order.no:
            return f"any?; {tries}"
        case Sense(glimpses=(), otherwise=act) if act is not None:
            return f"{replace(order, otherwise=None)}; {act}"
        case _:
            return str(order)


def _move(slip: Slip | None) -> str:
    """Return the move really played, unless the umpire's words already tell it."""
    made = slip.made if slip and not slip.tells(Common.TAKEN) else None
    return str(made["move"]) if made else ""


def hand_out(sitting: Sitting, writer: Side, slips: Pair[Slip | None]) -> str:
    """Answer the writer and hand the opponent news; return what the writer was told."""
    others = slips[writer.other]
    if others:
        sitting.tell(writer.other, others)
    return _hand_to_writer(sitting, writer, slips[writer])


def _hand_back(sitting: Sitting, writer: Side, slips: Pair[Slip | None]) -> str:
    """Answer an order that is no move; the opponent's next email tells of it."""
    others = slips[writer.other]
    if others:
        sitting.add(writer.other, others)
    return _hand_to_writer(sitting, writer, slips[writer])


def _hand_to_writer(sitting: Sitting, writer: Side, own: Slip | None) -> str:
    if own is None:
        return ""
    sitting.add(writer, own)
    return own.spoken
