"""What a letter's orders do to a game, one after another, and what is to be answered to each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from corr.desk import bench, catalogue, hearing
from corr.desk.pairing import Pairing, pair, swapped
from corr.desk.rekeying import rekey
from corr.desk.sitting import Sitting, sit_down
from corr.game import match
from corr.orders import BOARD, together
from corr.words import (
    Ask,
    Order,
    Outcome,
    Pair,
    Refused,
    Sense,
    Side,
    Slip,
    Standing,
    Tries,
    Verdict,
    Word,
)

_ANSWERS = ("accept", "decline")
#: What became of a set-up that was taken.
_DEPLOYED = ("sealed", "begun", "clash", "void")
_ENQUIRIES = ("show", "help", "rules")
#: Words that do nothing at a seat, and the note that says why.
_NOT_HERE = {
    **dict.fromkeys(("games", "challenge", "seek", "seeks", "take", "withdraw", "never"), "for_the_site"),
    "confirm": "nothing_to_confirm",
}
#: Of another game: both have asked for it, and it has begun.
_AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class Written:
    """A letter's orders, with what decides whether they are fresh."""

    side: Side
    orders: tuple[Order, ...]
    slip: int
    ply: int
    received_at: datetime
    inbox_id: int
    confirms: bool


@dataclass(frozen=True, slots=True)
class Item:
    """One order and what is answered to it: a note that a template words, or what the umpire said."""

    order: str
    note: str
    said: str = ""
    move: str = ""


def act_on(sitting: Sitting, written: Written) -> list[Item]:
    """Let each order act, or none of those that act where one of them cannot; an item for each."""
    written = replace(written, orders=together(written.orders))
    before = {order: _obstacle(sitting, written, order) for order in written.orders}
    stopped = any(_is_stopping(sitting, written, order, before[order]) for order in written.orders)
    items: list[Item] = []
    for order in sorted(written.orders, key=_turn_in_letter):
        note = before[order] or _obstacle(sitting, written, order)
        if note is None and stopped and not _is_enquiry(order):
            note = "resign_alone" if _is_resignation(order) else "untried"
        if note is None and _is_offer(order) and not _moved_or_not_asked(written, items):
            note = "not_offered"
        items.append(Item(_as_written(order), note) if note else _act(sitting, written, order))
    return items


def flag(sitting: Sitting, side: Side) -> None:
    """End the game of a side that has run out of time; it is news to both."""
    judgement = bench.flag(sitting.connection, sitting.game_id, sitting.variant, side)
    assert judgement.outcome is not None
    sitting.end(judgement.outcome)
    _tell_both(sitting, judgement.slips)


def start(connection: Connection, pairing: Pairing, now: datetime) -> int:
    """A game to which both have said yes already: it begins at once."""
    game_id = pair(connection, pairing, accepted=True)
    sitting = sit_down(connection, game_id, now)
    begin(sitting)
    sitting.close()
    return game_id


def begin(sitting: Sitting) -> None:
    """Both have accepted: the umpire sets up the board and White's clock starts, or asks both to deploy."""
    judgement = bench.begin(sitting.connection, sitting.game_id, sitting.variant)
    if judgement.turn:
        sitting.play(judgement.turn)
    else:
        sitting.deploy()
    _tell_both(sitting, judgement.slips)


def _tell_both(sitting: Sitting, slips: Pair[Slip | None]) -> None:
    for side in Side:
        slip = slips[side]
        if slip:
            sitting.tell(side, slip)


# ---------------------------------------------------------------- what stands in an order's way


def _turn_in_letter(order: Order) -> int:
    """An offer is answered before the move beside the answer; a draw is offered after the move."""
    return 0 if isinstance(order, Word) and order.word in _ANSWERS else 2 if _is_offer(order) else 1


def _is_resignation(order: Order) -> bool:
    return isinstance(order, Word) and order.word == "resign"


def _is_offer(order: Order) -> bool:
    return isinstance(order, Word) and order.word == "draw?"


def _moved_or_not_asked(written: Written, items: list[Item]) -> bool:
    """A draw beside a move is offered only if the move was made."""
    asked = any(isinstance(order, BOARD) for order in written.orders)
    return not asked or any(item.note in (Verdict.MOVED, *_DEPLOYED) for item in items)


def _is_enquiry(order: Order) -> bool:
    return isinstance(order, Word) and order.word in _ENQUIRIES


def _is_stopping(sitting: Sitting, written: Written, order: Order, obstacle: str | None) -> bool:
    """In doubt nothing is tried: some orders, where they cannot act, hold up the rest of their letter."""
    match order:
        case Word(word="resign"):
            return sitting.running and not _is_sure(written, order) and len(written.orders) > 1
        case Word(word="accept") if sitting.running:
            return obstacle is not None or any(isinstance(each, BOARD) for each in written.orders)
        case Word(word="accept" | "decline" | "cancel" | "claim" | "confirm") | Standing():
            return obstacle is not None
        case _:
            return False


def _obstacle(sitting: Sitting, written: Written, order: Order) -> str | None:
    """Why an order cannot act now, as a note; None where it can."""
    match order:
        case Word(word="show" | "help" | "rules" | "new"):
            return None
        case _ if hearing.is_late(sitting, written.side, written.received_at) and not _is_resignation(order):
            return "late"
        case Word(word="accept" | "decline") if sitting.state == "offered":
            return None
        case Word(word="accept" | "decline" | "draw?" | "resign" | "again"):
            return _match_obstacle(sitting, written, order)
        case Word() | Standing():
            return _NOT_HERE.get(str(order).split()[0], "not_acting")
        case _:
            return _board_obstacle(sitting, written)


def _standstill(sitting: Sitting) -> str:
    """Why nothing can be done in a game that is not running."""
    if sitting.state == "offered":
        return "not_begun"
    return _declined(sitting) or "over"


def _match_obstacle(sitting: Sitting, written: Written, order: Word) -> str | None:
    if order.word == "again":
        return _again_obstacle(sitting, written)
    if not sitting.running:
        return _standstill(sitting)
    if order.word not in _ANSWERS:
        return None
    if sitting.match.offer is not written.side.other:
        return "nothing_on_offer"
    return "old_offer" if written.slip < (sitting.offer_slip or 0) else None


def _again_obstacle(sitting: Sitting, written: Written) -> str | None:
    """Why another game cannot be asked for now."""
    if sitting.state != "over":
        return "not_over"
    if sitting.again == _AGREED:
        return "again_begun"
    return "again_waits" if sitting.again == written.side else _declined(sitting)


def _declined(sitting: Sitting) -> str | None:
    return "declined" if sitting.outcome and sitting.outcome.reason == "declined" else None


def _board_obstacle(sitting: Sitting, written: Written) -> str | None:
    if not sitting.running:
        return _standstill(sitting)
    if not sitting.deploying and sitting.turn is not written.side:
        return "not_your_turn"
    if sitting.deploying and written.ply == 0:
        return None  # the challenge, and what was said before the first round
    if written.ply < 0:
        return None if written.ply == sitting.ply else "old_set_up"
    return None if written.ply == sitting.ply else "old"


def _is_sure(written: Written, order: Word) -> bool:
    return order.rest == "resign" or written.confirms


# ---------------------------------------------------------------- acting


def _act(sitting: Sitting, written: Written, order: Order) -> Item:
    match order:
        case Word(word="accept" | "decline") if sitting.state == "offered":
            return _answer_challenge(sitting, written, order)
        case Word(word="rules", rest=variant):
            return _rules(sitting, order, variant)
        case Word(word="show" | "help"):
            return Item(str(order), order.word)
        case Word():
            return _DEEDS.get(order.word, _match_order)(sitting, written, order)
        case _ if sitting.deploying:
            return _deployment(sitting, written, order)
        case _:
            return _board_order(sitting, written, order)


def _answer_challenge(sitting: Sitting, written: Written, order: Word) -> Item:
    if order.word == "decline":
        sitting.end(Outcome(None, "declined"))
        sitting.write(written.side.other, "declined")
        return Item(str(order), "challenge_declined")
    sitting.chairs[written.side].accepted = True
    if not sitting.chairs[written.side.other].accepted:
        return Item(str(order), "challenge_accepted")
    begin(sitting)
    return Item(str(order), "begun")


def _again(sitting: Sitting, written: Written, order: Word) -> Item:
    """Another game with the colours changed, once both have asked for it."""
    side = written.side
    if sitting.again != side.other:
        sitting.again = side
        sitting.write(side.other, "again")
        return Item(str(order), "again_asked")
    sitting.again = _AGREED
    connection = sitting.connection
    start(connection, swapped(connection, sitting.game_id), sitting.now)
    return Item(str(order), "again_begun")


def _new_address(sitting: Sitting, written: Written, order: Word) -> Item:
    rekey(sitting, written.side)
    return Item(str(order), "new_address")


_DEEDS = {"again": _again, "new": _new_address}


def _rules(sitting: Sitting, order: Word, variant: str) -> Item:
    try:
        return Item(str(order), "rules", catalogue.card(variant or sitting.variant).key)
    except Refused as refusal:
        return Item(str(order), "no_such_variant", str(refusal))


def _match_order(sitting: Sitting, written: Written, order: Word) -> Item:
    reply = _reply(sitting, written, order)
    sitting.match = reply.match
    side = written.side
    said = _end(sitting, side, reply.ended) if reply.ended else _spread(sitting, side, reply)
    sitting.log(written.side, written.inbox_id, str(order), reply.verdict, said, sitting.ply)
    return Item(str(order), "said", said)


def _end(sitting: Sitting, side: Side, how: str) -> str:
    """End the game by resignation or agreement; what the writer was told."""
    table = sitting.connection, sitting.game_id, sitting.variant
    judgement = bench.resign(*table, side) if how == "resignation" else bench.agree(*table)
    assert judgement.outcome is not None
    sitting.end(judgement.outcome)
    return _hand_out(sitting, side, judgement.slips)


def _reply(sitting: Sitting, written: Written, order: Word) -> match.Reply:
    match order.word:
        case "resign":
            return match.resign(sitting.match, written.side, sure=_is_sure(written, order))
        case "draw?":
            return match.offer(sitting.match, written.side, max(sitting.ply, 0))
        case "accept":
            return match.accept(sitting.match, written.side)
        case _:
            return match.decline(sitting.match, written.side)


def _spread(sitting: Sitting, side: Side, reply: match.Reply) -> str:
    """Hand both sides what a match order told them; what the writer was told."""
    facts = Pair(reply.facts.white or (), reply.facts.black or ())
    own = sitting.say(side, facts[side])
    sitting.add(side, own)
    if facts[side.other]:
        sitting.tell(side.other, sitting.say(side.other, facts[side.other]))
    _keep_offer(sitting, side)
    return own.spoken


def _keep_offer(sitting: Sitting, side: Side) -> None:
    """An offer that this side just made can be answered from the slip that tells of it on."""
    if sitting.match.offer is None:
        sitting.offer_slip = None
    elif sitting.match.offer is side and sitting.offer_slip is None:
        sitting.offer_slip = sitting.chairs[side.other].slips


def _deployment(sitting: Sitting, written: Written, order: Order) -> Item:
    """A set-up: sealed, or the second one, by which the game begins unless the two clash."""
    side, ply = written.side, sitting.ply
    judgement = bench.play(sitting.connection, sitting.game_id, sitting.variant, side, order)
    own = judgement.slips[side]
    assert own
    note = _stage(sitting, judgement, own)
    if note in _DEPLOYED[1:]:
        # News to both, the writer too: what he writes next answers a slip of the new stage.
        _tell_both(sitting, judgement.slips)
    else:
        _hand_back(sitting, side, judgement.slips)
    sitting.log(side, written.inbox_id, str(order), judgement.verdict, own.spoken, ply)
    return Item(str(order), note, own.spoken)


def _stage(sitting: Sitting, judgement: bench.Judgement, own: Slip) -> str:
    """Where the deployment stands after an order, as a note."""
    told = {fact.code for fact in own.facts}
    if judgement.verdict is not Verdict.TOLD:
        return judgement.verdict
    if "turn" in told:
        sitting.play(judgement.turn)
        return "begun"
    if judgement.outcome:
        sitting.end(judgement.outcome)
        return "void"
    if "clash" in told:
        sitting.deploy()
        return "clash"
    assert judgement.turn
    sitting.seal(judgement.turn)
    hearing.settle(sitting)
    return "sealed"


def _board_order(sitting: Sitting, written: Written, order: Order) -> Item:
    side, ply = written.side, sitting.ply
    judgement = bench.play(sitting.connection, sitting.game_id, sitting.variant, side, order)
    if judgement.verdict is Verdict.MOVED:
        sitting.ply += 1
        sitting.match = match.moved(sitting.match, side)
        _keep_offer(sitting, side)
        sitting.pass_turn(judgement.turn)
    if judgement.outcome:
        sitting.end(judgement.outcome)
    is_move, text = judgement.verdict is Verdict.MOVED, _as_written(order)
    said = (_hand_out if is_move else _hand_back)(sitting, side, judgement.slips)
    kept = _told_alone(side, judgement.slips) if is_move else said
    sitting.log(side, written.inbox_id, text, judgement.verdict, kept, ply)
    return Item(text, judgement.verdict, said, _move(judgement.slips[side]))


def _told_alone(side: Side, slips: Pair[Slip | None]) -> str:
    """What the mover was told of its move and the other side was not."""
    own, others = slips[side], slips[side.other]
    if own is None:
        return ""
    heard = {fact.text for fact in others.facts} if others else set()
    return own._replace(facts=tuple(fact for fact in own.facts if fact.text not in heard)).spoken


def _as_written(order: Order) -> str:
    """An order as its player knows it: the question or the sense, and the move below it, were two lines."""
    match order:
        case Ask(yes=Tries() as tries) if tries == order.no:
            return f"any?; {tries}"
        case Sense(glimpses=(), otherwise=act) if act is not None:
            return f"{replace(order, otherwise=None)}; {act}"
        case _:
            return str(order)


def _move(slip: Slip | None) -> str:
    """What was really played, as the mover's own slip tells it; nothing where the umpire says so aloud."""
    made = slip.made if slip and not any(fact.code == "taken" for fact in slip.facts) else None
    return str(made["move"]) if made else ""


def _hand_out(sitting: Sitting, writer: Side, slips: Pair[Slip | None]) -> str:
    """The writer's slip answers, the other side's is news; what the writer was told."""
    others = slips[writer.other]
    if others:
        sitting.tell(writer.other, others)
    return _hand_to_writer(sitting, writer, slips[writer])


def _hand_back(sitting: Sitting, writer: Side, slips: Pair[Slip | None]) -> str:
    """What is no move: where the other side hears it too, it reads of it in its next letter."""
    others = slips[writer.other]
    if others:
        sitting.add(writer.other, others)
    return _hand_to_writer(sitting, writer, slips[writer])


def _hand_to_writer(sitting: Sitting, writer: Side, own: Slip | None) -> str:
    if own is None:
        return ""
    sitting.add(writer, own)
    return own.spoken
