"""What a letter's orders do to a game, one after another, and what is to be answered to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from corr import limits
from corr.desk import catalogue
from corr.desk.table import bench, games, ghosts, hearing, log, notes, standing, tutoring
from corr.desk.table.notes import KeptNote
from corr.desk.table.pairing import Pairing, pair, swapped
from corr.desk.table.rekeying import rekey
from corr.desk.table.seats import seat_by_id
from corr.desk.table.sitting import Entry, Sitting, sit_down
from corr.game.match import Reply
from corr.game.standing import as_standing
from corr.game.state import Written, is_for_the_board, is_stopping, obstacle
from corr.orders import Trait, has, join_acts
from corr.words.board import SQUARES, Pair, Side
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.orders import Ask, Order, Origin, Sense, StandingOrders, Tries, Word
from corr.words.slips import Outcome, Slip, Verdict
from corr.words.view import Stage, Try, together

#: What became of a set-up that was taken.
_DEPLOYED = ("sealed", "begun", "clash", "void")


@dataclass(frozen=True, slots=True)
class Item:
    """One order and what is answered to it: a note that a template words, or what the umpire said."""

    order: str
    note: str
    said: str = ""
    move: str = ""
    tried: tuple[Try, ...] = ()  # of a list: what was no move, and what the umpire said to it
    heard: int = 0  # how many of these the other side hears of
    untried: str = ""  # what stood behind the move
    lines: tuple[str, ...] = ()  # what was asked for, where it is a list


class By(NamedTuple):
    """Whose order is put to the umpire, by which letter it came, and in what it stood where the order does not tell."""

    side: Side
    inbox_id: int
    origin: Origin | None = None


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
        items.append(Item(_as_written(order), note) if note else _act(sitting, written, order))
    return items


def _for_its_turn(sitting: Sitting, written: Written, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """A move out of turn is for the next one, if nothing stops it; beside orders that hang on something it is not."""
    state = sitting.state
    is_early = state.stage is Stage.RUNNING and state.turn is written.side.other
    if not is_early or written.is_second_thought(state.ply) or not standing.has_any(sitting):
        return orders
    if any(isinstance(each, StandingOrders) for each in orders):
        return orders
    return tuple(as_standing(order) or order for order in orders)


def _obstacle(sitting: Sitting, written: Written, order: Order) -> str | None:
    """Why an order cannot act now, as a note."""
    return standing.obstacle(sitting, written, order) or obstacle(sitting.state, written, order)


def _obstacle_by_now(sitting: Sitting, written: Written, order: Order) -> str | None:
    """The same after what stood before it has acted; what is for the next turn is made for just that."""
    return None if isinstance(order, StandingOrders) else obstacle(sitting.state, written, order)


def _settle_what_seems_late(sitting: Sitting, written: Written) -> None:
    """Whoever was told of the turn later than the deadline knows may still have time."""
    acts = not all(has(order, Trait.AT_ANY_TIME) for order in written.orders)
    if acts and sitting.state.is_due(written.side, written.received_at):
        hearing.settle(sitting)


def flag(sitting: Sitting, side: Side) -> None:
    """End the game of a side that has run out of time; it is news to both."""
    judgement = bench.flag(sitting.connection, sitting.game_id, sitting.variant, side)
    assert judgement.outcome is not None
    sitting.state = sitting.state.end(judgement.outcome, sitting.now)
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
    log.settle(sitting.connection, sitting.game_id)
    judgement = bench.begin(sitting.connection, sitting.game_id, sitting.variant)
    state, now = sitting.state, sitting.now
    sitting.state = state.play(judgement.turn, now) if judgement.turn else state.deploy(now)
    _tell_both(sitting, judgement.slips)


def _tell_both(sitting: Sitting, slips: Pair[Slip | None]) -> None:
    for side in Side:
        slip = slips[side]
        if slip:
            sitting.tell(side, slip)


# ---------------------------------------------------------------- the orders of one letter


def _turn_in_letter(order: Order) -> int:
    """An offer is answered before the move beside the answer; a draw is offered, and the next turn cared for, after."""
    match order:
        case Word(word="accept" | "decline" | "cancel"):
            return 0
        case Word(word="draw?"):
            return 2
        case StandingOrders():
            return 3
        case Word(word="delay"):
            return 4
        case _:
            return 1


def _is_resignation(order: Order) -> bool:
    return isinstance(order, Word) and order.word == "resign"


def _is_offer(order: Order) -> bool:
    return isinstance(order, Word) and order.word == "draw?"


def _hangs_on_its_move(written: Written, order: Order, items: list[Item]) -> str | None:
    """A draw beside a move is offered only if the move was made, and what is for the next turn is kept only then."""
    if any(item.note in (Verdict.MOVED, *_DEPLOYED) for item in items):
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
            return _answer_challenge(sitting, written, order)
        case StandingOrders():
            return Item(str(order), standing.keep(sitting, written, order))
        case Word():
            return _DEEDS[order.word](sitting, written, order)
        case _ if sitting.state.stage is Stage.DEPLOYING:
            return _deployment(sitting, written, order)
        case _:
            sitting.chairs[written.side].standing = None
            return put_to_umpire(sitting, By(written.side, written.inbox_id), order)


def _answer_challenge(sitting: Sitting, written: Written, order: Word) -> Item:
    state, side = sitting.state, written.side
    if order.word == "decline":
        sitting.state = state.end(Outcome(None, "declined"), sitting.now)
        sitting.write(side.other, "declined")
        return Item(str(order), "challenge_declined")
    sitting.state = state.accept(side)
    if not state.accepted[side.other]:
        return Item(str(order), "challenge_accepted")
    begin(sitting)
    return Item(str(order), "begun")


def _again(sitting: Sitting, written: Written, order: Word) -> Item:
    """Another game with the colours changed, once both have asked for it."""
    sitting.state = sitting.state.ask_again(written.side)
    if sitting.state.again != "agreed":
        sitting.write(written.side.other, "again")
        return Item(str(order), "again_asked")
    connection = sitting.connection
    start(connection, swapped(connection, sitting.game_id), sitting.now)
    return Item(str(order), "again_begun")


def _new_address(sitting: Sitting, written: Written, order: Word) -> Item:
    rekey(sitting, written.side)
    return Item(str(order), "new_address")


def _cancel(sitting: Sitting, written: Written, order: Word) -> Item:
    return Item(str(order), standing.cancel(sitting, written.side))


def _delay(sitting: Sitting, written: Written, order: Word) -> Item:
    return Item(str(order), standing.delay(sitting, written.side, order.rest))


def _show(_sitting: Sitting, _written: Written, order: Word) -> Item:
    return Item(str(order), "show")


def _help(_sitting: Sitting, _written: Written, order: Word) -> Item:
    return Item(str(order), "help")


def _games(sitting: Sitting, written: Written, order: Word) -> Item:
    seat_id = sitting.chairs[written.side].id
    return Item(str(order), "games", lines=games.listed_for(sitting.connection, seat_id, sitting.now))


def _tutorial(sitting: Sitting, written: Written, order: Word) -> Item:
    connection, seat_id = sitting.connection, sitting.chairs[written.side].id
    pairing = tutoring.pairing(connection, seat_by_id(connection, seat_id).player_id)
    if pairing is None:
        return Item(str(order), "tutorial_goes_on")
    start(connection, pairing, sitting.now)
    return Item(str(order), "tutorial_begun")


def _rules(sitting: Sitting, _written: Written, order: Word) -> Item:
    try:
        return Item(str(order), "rules", catalogue.card(order.rest or sitting.variant).key)
    except Refused as refusal:
        return Item(str(order), "no_such_variant", str(refusal))


def _imagine(sitting: Sitting, written: Written, order: Word) -> Item:
    """Men that the player imagines; where it is seen what stands there, there are none."""
    if sitting.state.stage not in _WITH_A_BOARD:
        return Item(str(order), "no_board")
    chair, sight = sitting.chairs[written.side], sitting.sight(written.side)
    chair.ghosts, seen = ghosts.wished(chair.ghosts, order.rest, sight)
    return Item(str(order), "ghosts", ", ".join(SQUARES[square] for square in seen))


def _note(sitting: Sitting, written: Written, order: Word) -> Item:
    if sitting.state.stage not in _WITH_A_BOARD:
        return Item(str(order), "no_board")
    if len(order.rest) > limits.NOTE_CHARACTERS:
        return Item(str(order), "note_too_long")
    chair = sitting.chairs[written.side]
    chair.notes += 1
    notes.keep(sitting.connection, KeptNote(chair.id, chair.notes, sitting.state.ply, order.rest))
    return Item(str(order), "noted")


_WITH_A_BOARD = (Stage.RUNNING, Stage.OVER)


def _match_order(sitting: Sitting, written: Written, order: Word) -> Item:
    side = written.side
    reply = sitting.state.hear(side, order.word, sure=written.is_sure(order))
    if reply.ended:
        sitting.state = sitting.state.offer(reply.match, None)
        said = _end(sitting, side, reply.ended)
    else:
        said = _spread(sitting, side, reply)
    sitting.log(side, written.inbox_id, Entry(str(order), reply.verdict, said, sitting.state.ply))
    return Item(str(order), "said", said)


_DEEDS: dict[str, Callable[[Sitting, Written, Word], Item]] = {
    "accept": _match_order,
    "decline": _match_order,
    "draw?": _match_order,
    "resign": _match_order,
    "again": _again,
    "new": _new_address,
    "ghost": _imagine,
    "note": _note,
    "cancel": _cancel,
    "delay": _delay,
    "show": _show,
    "help": _help,
    "rules": _rules,
    "games": _games,
    "tutorial": _tutorial,
}


def _end(sitting: Sitting, side: Side, how: str) -> str:
    """End the game by resignation or agreement; what the writer was told."""
    table = sitting.connection, sitting.game_id, sitting.variant
    judgement = bench.resign(*table, side) if how == "resignation" else bench.agree(*table)
    assert judgement.outcome is not None
    sitting.state = sitting.state.end(judgement.outcome, sitting.now)
    return _hand_out(sitting, side, judgement.slips)


def _spread(sitting: Sitting, side: Side, reply: Reply) -> str:
    """Hand both sides what a match order told them; what the writer was told."""
    facts = Pair(reply.facts.white or (), reply.facts.black or ())
    own = sitting.say(side, facts[side])
    sitting.add(side, own)
    if facts[side.other]:
        sitting.tell(side.other, sitting.say(side.other, facts[side.other]))
    sitting.state = sitting.state.offer(reply.match, sitting.chairs[side.other].slips)
    return own.spoken


def _deployment(sitting: Sitting, written: Written, order: Order) -> Item:
    """A set-up: sealed, or the second one, by which the game begins unless the two clash."""
    side, ply = written.side, sitting.state.ply
    ((_, judgement),) = bench.play(sitting.connection, sitting.game_id, sitting.variant, side, order)
    own = judgement.slips[side]
    assert own
    note = _stage(sitting, judgement, own)
    if note in _DEPLOYED[1:]:
        # News to both, the writer too: what he writes next answers a slip of the new stage.
        _tell_both(sitting, judgement.slips)
    else:
        _hand_back(sitting, side, judgement.slips)
    sitting.log(side, written.inbox_id, Entry(str(order), judgement.verdict, own.spoken, ply))
    return Item(str(order), note, own.spoken)


def _stage(sitting: Sitting, judgement: bench.Judgement, own: Slip) -> str:
    """Where the deployment stands after an order, as a note."""
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
    hearing.settle(sitting)
    return "sealed"


def put_to_umpire(sitting: Sitting, by: By, order: Order) -> Item:
    """A list of tries is one order, each try of which is judged and written down by itself."""
    table = sitting.connection, sitting.game_id, sitting.variant
    if by.origin is Origin.STANDING and isinstance(order, Tries):
        judged = bench.play_ahead(*table, by.side, order)
    else:
        judged = bench.play(*table, by.side, order)
    items = [_judged(sitting, by, *each, by.origin or log.origin(order, each[0])) for each in judged]
    if len(items) == 1 and not isinstance(order, Tries):
        return items[0]
    answer = _answer_to_list(order, items, tuple(put for put, _ in judged))
    return replace(answer, heard=sum(_is_heard_refused(by.side, each) for _, each in judged))


def _is_heard_refused(side: Side, judgement: bench.Judgement) -> bool:
    """Whether the other side hears of a try that it was refused."""
    is_refused = judgement.verdict in (Verdict.REFUSED, Verdict.NONSENSE)
    return is_refused and judgement.slips[side.other] is not None


def _answer_to_list(order: Order, items: list[Item], put: tuple[Order, ...]) -> Item:
    """What is answered to a list as a whole: what was said to each try, and what was not tried any more."""
    *before, last = items
    made = last.note == Verdict.MOVED
    tried = together(Try(item.order, item.said) for item in (before if made else items))
    if not made:
        return Item(str(order), "exhausted", last.said, tried=tried)
    return replace(last, order=str(order), tried=tried, untried=_behind(order, put))


def _behind(order: Order, put: tuple[Order, ...]) -> str:
    """What stands behind the last of these in its list."""
    if isinstance(order, Ask):
        lists, put = [tries for tries in (order.yes, order.no) if tries], put[1:]
    else:
        lists = [order] if isinstance(order, Tries) else []
    behind = (tries.steps[len(put) :] for tries in lists if tries.steps[: len(put)] == put)
    return ", ".join(map(str, next(behind, ())))


def _judged(sitting: Sitting, by: By, order: Order, judgement: bench.Judgement, origin: Origin) -> Item:
    side, ply = by.side, sitting.state.ply
    if judgement.verdict is Verdict.MOVED:
        sitting.state = sitting.state.move(side, judgement.turn, sitting.now)
    if judgement.outcome:
        sitting.state = sitting.state.end(judgement.outcome, sitting.now)
    is_move, text = judgement.verdict is Verdict.MOVED, _as_written(order)
    said = (_hand_out if is_move else _hand_back)(sitting, side, judgement.slips)
    kept = _told_alone(side, judgement.slips) if is_move else said
    put = _as_written(log.as_put(order, judgement.verdict, judgement.slips[side]))
    sitting.log(side, by.inbox_id, Entry(put, judgement.verdict, kept, ply, origin))
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
    made = slip.made if slip and not slip.tells(Common.TAKEN) else None
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
