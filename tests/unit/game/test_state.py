"""`State`, a match as one value: why an order can't act, and how the match changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from corr.game.clock import parse_clock
from corr.game.late_notice import Wait
from corr.game.order_obstacles import OrderBatch, find_obstacle, is_stopping
from corr.game.reminder_times import TimeSettings
from corr.game.resign_and_draw import DrawOffer
from corr.game.state import State
from corr.game.time_off import Span, TimeOff
from corr.game.turn_deadline import ShownTime, TurnTime
from corr.game.turn_reminders import remind, sides_to_remind, with_reminders
from corr.limits import LATE_EMAIL_WAIT
from corr.orders import parse_order
from corr.words.board import Pair, Side
from corr.words.orders import Castle, Order, StandingOrders, Tries
from corr.words.slips import Outcome
from corr.words.view import Stage

WHITE, BLACK = Side.WHITE, Side.BLACK
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DRAW = Outcome(None, "agreement")

OFFERED = State(parse_clock("3d"))
OFFERED_FOR_TEN_DAYS = State(parse_clock("10d"))
AWAY_AT_WEEKENDS = Pair(TimeSettings(TimeOff(UTC, weekends=True)), TimeSettings())
DEPLOYING = OFFERED.deploy(NOON)
SEALED = DEPLOYING.seal(BLACK, NOON)
CLASHED = SEALED.deploy(NOON)
BEGUN = OFFERED.play(WHITE, NOON)
MOVED = BEGUN.move(WHITE, BLACK, NOON, NOON)
STEADY, LIVE, UNTIMED = (State(parse_clock(text)).play(WHITE, NOON) for text in ("3d steady", "live", "none"))
LESSON = replace(BEGUN, lesson=1)
WHITE_OFFERS = BEGUN.offer(DrawOffer(WHITE, Pair(1, 0)), 4)
BLACK_OFFERS = BEGUN.offer(DrawOffer(BLACK, Pair(0, 1)), 4)
OVER = MOVED.end(DRAW, NOON)
DECLINED = OFFERED.end(Outcome(None, "declined"), NOON)


def order(text: str) -> Order:
    if text == "standing":
        return StandingOrders((), Tries((Castle.SHORT,)))
    parsed = parse_order(text)
    assert isinstance(parsed, Order)
    return parsed


def batch(*texts: str, **otherwise: object) -> OrderBatch:
    """Return a batch of White's orders that came in time and answer the newest slip."""
    fresh = {"side": WHITE, "slip": 9, "ply": 0, "received_at": NOON, "inbox_id": 1, "confirms": False}
    return OrderBatch(orders=tuple(map(order, texts)), **(fresh | otherwise))


def with_turn_email(state: State, letter: int = 5, side: Side = WHITE) -> State:
    """Return the state after this side's turn email was written but not yet delivered."""
    return state.note_turn_emails({side: letter}, NOON)


# ---------------------------------------------------------------- obstacles

LATE = {"received_at": NOON + 3 * DAY + HOUR}
IN_TIME = {"received_at": NOON + 3 * DAY}
OF_BLACK = {"side": BLACK}


@pytest.mark.parametrize(
    ("state", "text", "letter", "note"),
    [
        (OFFERED, "accept", {}, None),
        (OFFERED, "decline", {}, None),
        (OFFERED, "e2e4", {}, "not_begun"),
        (OFFERED, "draw?", {}, "not_begun"),
        (OFFERED, "resign", {}, "not_begun"),
        (OFFERED, "again", {}, "not_over"),
        (BEGUN, "e2e4", {}, None),
        (BEGUN, "any?", {}, None),
        (BEGUN, "e2e4", OF_BLACK, "not_your_turn"),
        (BEGUN, "e2e4", {"ply": 2}, "old"),
        (BEGUN, "deploy Ke1", {"ply": -1}, "old_set_up"),
        (MOVED, "e2e4", {"ply": 0}, "not_your_turn"),
        (MOVED, "e2e4", {"ply": 0, "told": 0}, "moved_before"),
        (MOVED, "e2e4", {"ply": 0, "told": 1}, "not_your_turn"),
        (BEGUN, "e7e5", OF_BLACK | {"told": -1}, "not_your_turn"),
        (MOVED, "standing", {"ply": 0, "told": 0}, None),
        (MOVED, "standing", {"ply": 0, "told": 0, "page": True}, "moved_before"),
        (MOVED, "standing", {"ply": 0, "told": 1, "page": True}, None),
        (MOVED, "e7e5", OF_BLACK, "old"),
        (MOVED, "e7e5", OF_BLACK | {"told": 0}, "overtaken"),
        (MOVED, "standing", OF_BLACK | {"told": 0}, "overtaken_if"),
        (MOVED, "e7e5", OF_BLACK | {"ply": 1}, None),
        (BEGUN, "draw?", {}, None),
        (BEGUN, "resign", {}, None),
        (BEGUN, "again", {}, "not_over"),
        (BEGUN, "accept", {}, "nothing_on_offer"),
        (BEGUN, "decline", {}, "nothing_on_offer"),
        (WHITE_OFFERS, "accept", {}, "nothing_on_offer"),
        (BLACK_OFFERS, "accept", {"slip": 4}, None),
        (BLACK_OFFERS, "accept", {"slip": 3}, "old_offer"),
        (BLACK_OFFERS, "decline", {"slip": 3}, "old_offer"),
        (BEGUN.ask_for_pause(BLACK, 4), "accept", {"slip": 4}, None),
        (BEGUN.ask_for_pause(BLACK, 4), "accept", {"slip": 3}, "old_offer"),
        (BEGUN.ask_for_pause(BLACK, 4), "decline", {"slip": 3}, "old_offer"),
        (BEGUN.ask_for_pause(WHITE, 4), "accept", {"slip": 4}, "nothing_on_offer"),
        (BLACK_OFFERS.ask_for_pause(BLACK, 6), "accept", {"slip": 5}, "old_offer"),
        (DEPLOYING, "deploy Ke1", {"ply": 0}, None),
        (DEPLOYING, "deploy Ke1", {"ply": -1}, None),
        (DEPLOYING, "deploy Ke1", OF_BLACK | {"ply": -1}, None),
        (SEALED, "deploy Ke1", {"ply": -1}, None),
        (CLASHED, "deploy Ke1", {"ply": -1}, "old_set_up"),
        (CLASHED, "deploy Ke1", {"ply": -2}, None),
        (CLASHED, "deploy Ke1", {"ply": 1}, "old"),
        (OVER, "e2e4", {}, "over"),
        (OVER, "accept", {}, "over"),
        (OVER, "draw?", {}, "over"),
        (OVER, "resign", {}, "over"),
        (OVER, "again", {}, None),
        (OVER.ask_again(WHITE), "again", {}, "again_waits"),
        (OVER.ask_again(BLACK), "again", {}, None),
        (OVER.ask_again(BLACK).begin_again("k3x9q"), "again", {}, "again_begun"),
        (DECLINED, "accept", {}, "declined"),
        (DECLINED, "e2e4", {}, "declined"),
        (DECLINED, "again", {}, "declined"),
        # Only a player to move can be late; while both deploy, either can.
        (BEGUN, "e2e4", IN_TIME, None),
        (BEGUN, "e2e4", LATE, "late"),
        (BEGUN, "draw?", LATE, "late"),
        (BEGUN, "again", LATE, "late"),
        (BEGUN, "standing", LATE, "late"),
        (BEGUN, "resign", LATE, None),
        (BEGUN, "show", LATE, None),
        (BEGUN, "new address", LATE, None),
        (BEGUN, "draw?", LATE | OF_BLACK, None),
        (SEALED, "deploy Ke1", LATE | {"ply": -1}, "late"),
        (CLASHED, "deploy Ke1", {"ply": -2, "received_at": NOON + 1.6 * DAY}, "late"),
        (BEGUN.stop_clock(NOON), "e2e4", LATE, None),
        (BEGUN.extend(DAY, NOON), "e2e4", LATE, None),
        (with_turn_email(BEGUN), "e2e4", LATE, None),
        (with_turn_email(BEGUN).settle({WHITE: NOON}), "e2e4", LATE, "late"),
        (with_turn_email(BEGUN).settle({WHITE: NOON + 2 * HOUR}), "e2e4", LATE, None),
        (with_turn_email(BEGUN).delay([WHITE]), "e2e4", LATE, None),
        (with_turn_email(BEGUN).delay([WHITE]), "e2e4", {"received_at": NOON + 11 * DAY}, "late"),
        # Orders for the site, or for nobody.
        (BEGUN, "seeks", {}, "for_the_site"),
        (BEGUN, "challenge ben wild16", {}, "for_the_site"),
        (BEGUN, "confirm", {}, "nothing_to_confirm"),
        # Claims.
        (OFFERED, "claim", {}, "not_begun"),
        (BEGUN, "claim", {}, "nothing_to_claim"),
        (BEGUN, "claim", OF_BLACK, "nothing_to_claim"),
        (OVER, "claim", {}, "over"),
        # Pauses.
        (BEGUN, "pause?", {}, None),
        (BEGUN.stop_clock(NOON), "pause?", {}, "is_paused"),
        *((each, "pause?", {}, "no_pause") for each in (STEADY, LIVE, UNTIMED, LESSON)),
        # Standing orders.
        (OFFERED, "standing", {}, "not_begun"),
        (DEPLOYING, "standing", {"ply": -1}, "not_begun"),
        (BEGUN, "standing", {}, "beside_no_move"),
        (BEGUN, "standing", {"ply": 2}, "old"),
        (BEGUN, "standing", OF_BLACK, None),
        (MOVED, "standing", {}, None),
        (MOVED, "standing", {"ply": 1}, None),
        (MOVED.move(BLACK, WHITE, NOON, NOON), "standing", {}, "old"),
        (MOVED.move(BLACK, WHITE, NOON, NOON).move(WHITE, BLACK, NOON, NOON), "standing", {}, "old"),
        (OVER, "standing", {}, "over"),
        *((state, word, LATE, None) for state in (BEGUN, OVER) for word in ("cancel", "delay 2h")),
        *((state, text, {}, None) for state in (OFFERED, BEGUN, OVER) for text in ("show", "help", "rules")),
    ],
)
def test_find_obstacle(state: State, text: str, letter: dict[str, object], note: str | None):
    assert find_obstacle(state, batch(text, **letter), order(text)) == note


@pytest.mark.parametrize(
    ("state", "texts", "letter", "stops"),
    [
        (BEGUN, ("resign",), {}, False),
        (BEGUN, ("resign", "e2e4"), {}, True),
        (BEGUN, ("resign resign", "e2e4"), {}, False),
        (BEGUN, ("resign", "e2e4"), {"confirms": True}, False),
        (OVER, ("resign", "again"), {}, False),
        (BLACK_OFFERS, ("accept",), {}, False),
        (BLACK_OFFERS, ("accept", "e2e4"), {}, True),
        (BLACK_OFFERS, ("accept", "standing"), {}, True),
        (BLACK_OFFERS, ("accept", "e2e4"), {"slip": 3}, True),
        (BLACK_OFFERS, ("decline", "e2e4"), {}, False),
        (BLACK_OFFERS, ("decline", "e2e4"), {"slip": 3}, True),
        (OFFERED, ("accept", "e2e4"), {}, False),
        (BEGUN, ("confirm", "e2e4"), {}, True),
        (BEGUN, ("claim", "e2e4"), {}, True),
        (BEGUN, ("pause?", "e2e4"), {}, False),
        (BEGUN, ("standing", "e2e4"), {}, False),
        (BEGUN, ("standing", "e2e4"), {"ply": 3}, True),
        (BEGUN, ("standing", "draw?"), {}, True),
        (BEGUN, ("show", "e2e4"), {}, False),
        (BEGUN, ("e2e4", "show"), {"ply": 3}, False),
    ],
)
def test_which_order_stops_the_rest_of_its_email(
    state: State, texts: tuple[str, ...], letter: dict[str, object], *, stops: bool
):
    all_orders = batch(*texts, **letter)
    first = all_orders.orders[0]
    assert is_stopping(state, all_orders, first, find_obstacle(state, all_orders, first)) is stops


# ---------------------------------------------------------------- changes


def turn(begun: datetime, most: timedelta, **otherwise: object) -> TurnTime:
    """Return the time of a turn whose emails haven't been written."""
    return TurnTime(**{"deadline": begun + most, "is_new": True} | otherwise)


LATER = NOON + HOUR


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (OFFERED.accept(BLACK), {"accepted": Pair(False, True)}),
        (
            OFFERED.deploy(NOON),
            {"stage": Stage.DEPLOYING, "ply": -1, "time": turn(NOON, 3 * DAY)},
        ),
        (
            OFFERED.play(WHITE, NOON),
            {"stage": Stage.RUNNING, "turn": WHITE, "time": turn(NOON, 3 * DAY)},
        ),
        (
            OFFERED.play(WHITE, NOON).move(WHITE, BLACK, LATER, LATER),
            {"stage": Stage.RUNNING, "ply": 1, "turn": BLACK, "time": turn(LATER, 3 * DAY)},
        ),
        (
            OFFERED.deploy(NOON).seal(BLACK, LATER),
            {"stage": Stage.DEPLOYING, "ply": -1, "turn": BLACK, "time": turn(NOON, 3 * DAY)},
        ),
        (
            OFFERED.deploy(NOON).seal(BLACK, NOON).deploy(LATER),
            {"stage": Stage.DEPLOYING, "ply": -2, "time": turn(LATER, 1.5 * DAY)},
        ),
        (
            OFFERED.deploy(NOON).deploy(NOON).deploy(LATER),
            {"stage": Stage.DEPLOYING, "ply": -3, "time": turn(LATER, 0.75 * DAY)},
        ),
        (
            OFFERED.deploy(NOON).play(WHITE, LATER),
            {"stage": Stage.RUNNING, "turn": WHITE, "time": turn(LATER, 3 * DAY)},
        ),
        (
            OFFERED.end(DRAW, NOON),
            {"stage": Stage.OVER, "outcome": DRAW, "ended_at": NOON, "time": TurnTime(is_new=True)},
        ),
        (
            OFFERED.play(WHITE, NOON).stop_clock(NOON).end(DRAW, LATER),
            {"stage": Stage.OVER, "outcome": DRAW, "ended_at": LATER, "time": TurnTime(is_new=True)},
        ),
    ],
)
def test_how_a_match_changes(before: State, after: dict[str, object]):
    assert before == replace(OFFERED, **after)


@pytest.mark.parametrize(
    ("state", "sides"),
    [
        (OFFERED, ()),
        (DEPLOYING, (WHITE, BLACK)),
        (SEALED, (BLACK,)),
        (BEGUN, (WHITE,)),
        (MOVED, (BLACK,)),
        (OVER, ()),
    ],
)
def test_the_sides_to_move(state: State, sides: tuple[Side, ...]):
    assert state.awaited == sides
    assert state.under_way is bool(sides)


@pytest.mark.parametrize(
    ("state", "offer", "slip"),
    [
        (WHITE_OFFERS, WHITE, 4),
        (WHITE_OFFERS.move(WHITE, BLACK, NOON, NOON), WHITE, 4),
        (BLACK_OFFERS.move(WHITE, BLACK, NOON, NOON), None, 4),
        (WHITE_OFFERS.offer(DrawOffer(WHITE), 7), WHITE, 4),
        (WHITE_OFFERS.offer(DrawOffer(), 7), None, 4),
        (WHITE_OFFERS.offer(DrawOffer(), 7).offer(DrawOffer(BLACK), 9), BLACK, 9),
        (DEPLOYING.offer(DrawOffer(WHITE, Pair(1, 0)), 2).play(WHITE, NOON), WHITE, 2),
    ],
)
def test_a_draw_offer_lasts_until_it_is_answered(state: State, offer: Side | None, slip: int):
    assert (state.draw_offer.offer, state.offer_slip) == (offer, slip)


def test_a_draw_can_be_offered_again_in_a_new_stage():
    offered = DEPLOYING.offer(DrawOffer(None, Pair(1, 1)), None)
    assert offered.play(WHITE, NOON).draw_offer == DrawOffer()


def test_another_game_begins_once_both_have_asked_for_it():
    assert OVER.ask_again(WHITE).again == WHITE
    assert OVER.ask_again(WHITE).ask_again(WHITE).again == WHITE
    assert OVER.ask_again(WHITE).begin_again("k3x9q").again == "k3x9q"


@pytest.mark.parametrize(
    ("state", "moment", "side"),
    [
        (BEGUN, NOON + 3 * DAY, None),
        (BEGUN, NOON + 3 * DAY + HOUR, WHITE),
        (DEPLOYING, NOON + 4 * DAY, WHITE),
        (SEALED, NOON + 4 * DAY, BLACK),
        (BEGUN.stop_clock(NOON), NOON + 4 * DAY, None),
        (with_turn_email(BEGUN), NOON + 4 * DAY, None),
        (with_turn_email(BEGUN).delay([WHITE]), NOON + 4 * DAY, None),
        (with_turn_email(BEGUN).delay([WHITE]), NOON + 11 * DAY, WHITE),
        (OVER, NOON + 30 * DAY, None),
    ],
)
def test_which_flag_falls(state: State, moment: datetime, side: Side | None):
    assert state.flagged(moment) is side


REMINDED = remind(BEGUN, [WHITE], NOON + 1.5 * DAY)


@pytest.mark.parametrize(
    ("state", "moment", "is_due"),
    [
        (BEGUN, NOON + 1.4 * DAY, False),
        (BEGUN, NOON + 1.5 * DAY, True),
        (REMINDED, NOON + 1.5 * DAY, False),
        (REMINDED, NOON + 2.3 * DAY, False),
        (REMINDED, NOON + 2.4 * DAY, True),
        (BEGUN.extend(DAY, NOON), NOON + 2.4 * DAY, False),
        (BEGUN.extend(DAY, NOON), NOON + 2.5 * DAY, True),
        (BEGUN.stop_clock(NOON), NOON + 2.4 * DAY, False),
        (OVER, NOON + 2.4 * DAY, False),
    ],
)
def test_when_a_reminder_is_due(state: State, moment: datetime, *, is_due: bool):
    assert sides_to_remind(with_reminders(state, NOON + 1.4 * DAY), moment) == ((WHITE,) if is_due else ())


def test_a_due_reminder_stays_due_until_it_is_sent():
    due = with_reminders(BEGUN, NOON)
    assert sides_to_remind(with_reminders(due, NOON + 1.6 * DAY), NOON + 1.6 * DAY) == (WHITE,)


def test_no_reminder_comes_before_the_turn_email():
    undelivered = with_reminders(replace(BEGUN, time=BEGUN.time.waiting({WHITE: 1}, NOON)), NOON)
    assert sides_to_remind(undelivered, NOON + 1.6 * DAY) == ()
    assert sides_to_remind(undelivered.settle({WHITE: NOON}), NOON + 1.6 * DAY) == (WHITE,)


def test_missed_reminders_are_sent_as_one():
    late = remind(with_reminders(BEGUN, NOON), [WHITE], NOON + 2.5 * DAY)
    assert with_reminders(late, NOON + 2.5 * DAY).remind_at == Pair(NOON + 2.7 * DAY, None)


def test_no_reminder_is_due_after_the_last_call():
    called = remind(with_reminders(BEGUN, NOON), [WHITE], NOON + 2.7 * DAY)
    assert with_reminders(called, NOON + 2.7 * DAY).remind_at == Pair(None, None)


def test_an_extension_after_the_last_call_counts_as_waiting():
    waiting = BEGUN.extend_after_last_call(WHITE, HOUR, NOON + 4 * DAY)
    assert (waiting.time.deadline, waiting.time.waits.white) == (NOON + 4 * DAY + HOUR, Wait(held=HOUR))


# ---------------------------------------------------------------- time waits for delivery

LATE_FOR_WHITE = with_turn_email(BEGUN).delay([WHITE])


@pytest.mark.parametrize(
    ("state", "deadline", "wait"),
    [
        (with_turn_email(BEGUN), 3 * DAY, Wait(5)),
        (BEGUN.note_turn_emails({BLACK: 5}, NOON), 3 * DAY, Wait()),
        (with_turn_email(BEGUN).settle({}), 3 * DAY, Wait(5)),
        (with_turn_email(BEGUN).settle({WHITE: NOON + HOUR}), 3 * DAY + HOUR, Wait(held=HOUR)),
        (with_turn_email(BEGUN).settle({WHITE: NOON - HOUR}), 3 * DAY, Wait()),
        (with_turn_email(BEGUN).settle({WHITE: NOON + 30 * DAY}), 10 * DAY, Wait(held=LATE_EMAIL_WAIT)),
        (LATE_FOR_WHITE, 10 * DAY, Wait(5, NOON)),
        (LATE_FOR_WHITE.settle({WHITE: NOON + DAY}), 4 * DAY, Wait(5, NOON)),
        (
            LATE_FOR_WHITE.count_waiting({WHITE: NOON + DAY}, NOON + 2 * DAY),
            10 * DAY,
            Wait(5, NOON + DAY, DAY),
        ),
        (LATE_FOR_WHITE.mark_told([WHITE]), 10 * DAY, Wait(None, NOON)),
    ],
)
def test_a_sides_time_starts_when_its_email_is_delivered(state: State, deadline: timedelta, wait: Wait):
    assert (state.time.deadline, state.time.waits.white) == (NOON + deadline, wait)


def test_a_games_total_wait_is_kept_after_the_turn():
    assert LATE_FOR_WHITE.move(WHITE, BLACK, NOON + DAY, NOON + DAY).time.waits.white == Wait(held=DAY)
    assert LATE_FOR_WHITE.move(WHITE, BLACK, NOON + 30 * DAY, NOON + 30 * DAY).time.waits.white == Wait(
        held=LATE_EMAIL_WAIT
    )


def test_a_game_that_has_used_its_longest_wait_waits_no_more():
    after_longest_wait = replace(
        BEGUN, time=replace(BEGUN.time, waits=Pair(Wait(held=LATE_EMAIL_WAIT), Wait()))
    )
    assert with_turn_email(after_longest_wait).time.waits_from is None


def test_a_side_that_deploys_has_its_email_and_the_game_waits_for_the_other():
    both = DEPLOYING.note_turn_emails({WHITE: 5, BLACK: 6}, NOON).delay([WHITE, BLACK])
    sealed = both.seal(BLACK, NOON + DAY)
    assert sealed.time.waits == Pair(Wait(held=DAY), Wait(6, NOON))
    assert (sealed.time.earliest, sealed.time.waits_from) == (NOON + 3 * DAY, NOON)


def test_while_both_deploy_a_late_email_gives_both_more_time():
    one = DEPLOYING.note_turn_emails({WHITE: 5}, NOON).delay([WHITE])
    sealed = one.seal(BLACK, NOON + DAY)
    assert (sealed.time.earliest, sealed.time.waits_from) == (NOON + 4 * DAY, NOON + DAY)


def test_restarting_one_sides_time_still_waits_for_the_other():
    both = DEPLOYING.note_turn_emails({WHITE: 5, BLACK: 6}, NOON)
    anew = both.begin_anew(WHITE, LATER)
    assert (anew.time.deadline, anew.time.waits_from) == (LATER + 3 * DAY, LATER)
    assert anew.time.waits == Pair(Wait(), Wait(6))


def test_a_move_in_a_pause_moves_the_pause_to_the_next_turns_start():
    passed = BEGUN.stop_clock(NOON).move(WHITE, BLACK, LATER, LATER)
    assert (passed.time.paused_at, passed.time.deadline) == (LATER, LATER + 3 * DAY)


BOTH_LATE = DEPLOYING.note_turn_emails({WHITE: 5, BLACK: 6}, NOON).delay([WHITE, BLACK])
TOLD_LATE = LATE_FOR_WHITE.settle({WHITE: NOON + DAY})


@pytest.mark.parametrize(
    ("state", "side", "shown"),
    [
        (BEGUN, WHITE, ShownTime(NOON + 3 * DAY)),
        (BEGUN, BLACK, ShownTime(NOON + 3 * DAY)),
        (with_turn_email(BEGUN), BLACK, ShownTime(NOON + 3 * DAY)),
        (LATE_FOR_WHITE, WHITE, ShownTime(NOON + 3 * DAY + 90 * MINUTE)),
        (LATE_FOR_WHITE, BLACK, ShownTime(None, "waits", NOON + LATE_EMAIL_WAIT)),
        (TOLD_LATE, WHITE, ShownTime(NOON + 4 * DAY)),
        (TOLD_LATE, BLACK, ShownTime(None, "waits", NOON + LATE_EMAIL_WAIT)),
        (TOLD_LATE.mark_told([WHITE]), BLACK, ShownTime(None, "late")),
        (BOTH_LATE, WHITE, ShownTime(NOON + 3 * DAY + HOUR)),
        (BOTH_LATE.seal(WHITE, NOON + 90 * MINUTE), WHITE, ShownTime(NOON + 3 * DAY + 90 * MINUTE)),
        (OVER, WHITE, ShownTime(None)),
    ],
)
def test_the_time_shown_to_a_side_90_minutes_later(state: State, side: Side, shown: ShownTime):
    """While both deploy the time is shown in whole hours, so that their pages rarely change."""
    assert state.shown(side, NOON + 90 * MINUTE) == shown


# ---------------------------------------------------------------- properties

SPANS = some.timedeltas(timedelta(), timedelta(days=20))
STEPS: dict[str, Callable[[State, datetime], State]] = {
    "move": lambda state, now: state.move(state.turn, state.turn.other, now, now) if state.turn else state,
    "anew": lambda state, now: state.begin_anew(WHITE, now) if state.under_way else state,
    "letters": lambda state, now: state.note_turn_emails({WHITE: 5, BLACK: 6}, now),
    "late": lambda state, now: state.delay(state.awaited) if state.time.waits_from else state,
    "told": lambda state, now: state.settle(dict.fromkeys(Side, now)),
    "pause": lambda state, now: state if state.paused or not state.under_way else state.stop_clock(now),
    "resume": lambda state, now: state.resume(now) if state.paused else state,
    "extend": lambda state, now: state.extend(DAY, now) if state.under_way else state,
    "clash": lambda state, now: state.deploy(now) if state.stage is Stage.DEPLOYING else state,
    "begin": lambda state, now: state.play(WHITE, now) if state.stage is Stage.DEPLOYING else state,
    "end": lambda state, now: state.end(DRAW, now) if state.under_way else state,
}


@given(
    some.sampled_from([BEGUN, DEPLOYING]),
    some.lists(some.tuples(some.sampled_from([*STEPS]), SPANS), max_size=12),
)
def test_a_game_has_a_deadline_only_while_it_is_under_way(state: State, steps: list[tuple[str, timedelta]]):
    now = NOON
    for name, span in steps:
        now += span
        state = STEPS[name](state, now)
        assert state.under_way is (state.time.deadline is not None) is bool(state.awaited)
        assert state.under_way or not (state.paused or state.time.waits_from or state.time.earliest)
        assert all(state.time.waits[side].held >= timedelta() for side in Side)
        assert all(state.time.waits[side].letter is None for side in Side if side not in state.awaited)


@given(SPANS, SPANS)
def test_a_pause_keeps_the_time_left(until: timedelta, standstill: timedelta):
    stopped = NOON + until
    time, after = BEGUN.time, BEGUN.stop_clock(stopped).resume(stopped + standstill).time
    assert time.deadline
    assert after.deadline
    assert after.deadline - (stopped + standstill) == max(time.deadline - stopped, timedelta())
    assert after.paused_at is None


@given(some.sampled_from([with_turn_email(BEGUN), LATE_FOR_WHITE]), SPANS, SPANS)
def test_a_pause_keeps_the_rest_of_a_wait(state: State, until: timedelta, standstill: timedelta):
    stopped = NOON + min(until, LATE_EMAIL_WAIT - MINUTE)
    time, after = state.time, state.stop_clock(stopped).resume(stopped + standstill).time
    assert time.deadline
    assert time.waits_from
    assert (after.deadline, after.waits_from) == (time.deadline + standstill, time.waits_from + standstill)


@given(some.sampled_from([Pair(TimeSettings(), TimeSettings()), AWAY_AT_WEEKENDS]), SPANS, SPANS)
def test_a_pause_counts_for_a_side_whose_email_was_never_delivered(
    habits: Pair[TimeSettings], into: timedelta, standstill: timedelta
):
    """Its time runs anyway once the game has waited for the maximum."""
    late = replace(
        with_turn_email(OFFERED_FOR_TEN_DAYS.play(WHITE, NOON)).delay([WHITE]), habits=habits
    ).change_calendar(NOON)
    stopped = NOON + LATE_EMAIL_WAIT + min(into, 9 * DAY)
    after = late.stop_clock(stopped).resume(stopped + standstill)

    assert late.time.deadline
    left = late.calendar.counted(stopped, late.time.deadline)
    deadline = late.calendar.after(stopped + standstill, left)
    assert after.time.deadline == deadline
    assert after.time.shown(WHITE, [WHITE], stopped + standstill).deadline == deadline
    assert after.settle({WHITE: stopped + standstill + HOUR}).time.deadline == deadline


def test_an_outage_is_corrected_if_the_system_clock_is_set_back():
    """The clock jumps ahead by a day, and back after an hour; White moves when it shows the time of the jump."""
    jumped = BEGUN.credit(1, Span(NOON + HOUR, NOON + HOUR + DAY))
    back = jumped.credit(2, Span(NOON + 2 * HOUR, NOON + 2 * HOUR))

    assert jumped.time.left_at(NOON + 3 * HOUR) == 3 * DAY - HOUR
    assert back.time.left_at(NOON + 3 * HOUR) == 4 * DAY - 3 * HOUR


@given(SPANS, SPANS)
def test_a_late_email_leaves_as_much_time_as_a_prompt_one(before: timedelta, rest: timedelta):
    """Seven days at most, whether or not it was known to be late."""
    delivered = {WHITE: NOON + before}
    at_once, known = with_turn_email(BEGUN).settle(delivered), LATE_FOR_WHITE.settle(delivered)
    assert at_once.time.deadline == known.time.deadline == NOON + 3 * DAY + min(before, LATE_EMAIL_WAIT)
    assert find_obstacle(known, batch("e2e4", received_at=NOON + rest), order("e2e4")) == (
        "late" if rest > 3 * DAY + min(before, LATE_EMAIL_WAIT) else None
    )


def test_weekends_off_set_while_an_email_is_late_count_once() -> None:
    """Ten days from when the email leaves, at most seven days later; with four weekends in between."""
    late = replace(
        with_turn_email(OFFERED_FOR_TEN_DAYS.play(WHITE, NOON)).delay([WHITE]), habits=AWAY_AT_WEEKENDS
    )
    by_weekends = late.change_calendar(NOON + DAY)

    deadline = by_weekends.time.deadline
    assert deadline == by_weekends.calendar.after(NOON + LATE_EMAIL_WAIT, 10 * DAY)
