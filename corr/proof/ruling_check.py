"""Judges a record's orders again, to check every ruling and announcement against the rules."""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from corr.orders import UnclearLine, parse_order
from corr.proof.verify import InvalidRecord, Record, Turn, canonical, format_turn_name
from corr.record import turns
from corr.record.turns import FIRST_VERSION, VERSION, pick_tries, tries_part_name
from corr.rules.core import deployment, rbc_truth
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.codes import Audience, Common, find_code
from corr.words.errors import Refused
from corr.words.orders import Command, Order, Sense, SetupChoices, StandingOrders
from corr.words.slips import Outcome, Slip, Verdict

#: The facts that do not come from the umpire's rulings, and are not compared.
_MATCH_CODES = frozenset(
    (
        Common.OFFER,
        Common.DECLINED,
        Common.CONFIRM,
        Common.PAUSE_ASKED,
        Common.PAUSED,
        Common.RESUMED,
        Common.EXTENDED,
        Common.HELD,
        Common.UNREADABLE,
        Common.OVER,
    )
)
#: The times of set-ups known only by their order: before any time, and after any.
_FIRST_KEY, _LAST_KEY = "", "~"
_SETTING_UP = -1  # the move number of a set-up, which comes before any move, and so before any try
_MOST_CHARACTERS = 1_000  # the most characters that an order can have
_JUDGED_VERDICTS = (Verdict.MOVED, Verdict.REFUSED, Verdict.NONSENSE, Verdict.TOLD)


def check_rulings(record: Record, most: float = math.inf) -> None:
    """Judge a record's orders, at most `most`, again; raise InvalidRecord if one breaks the rules."""
    first = record.turns[0].told
    try:
        umpire = find_umpire(first["variant"])
    except (KeyError, TypeError, Refused) as error:
        raise InvalidRecord("This umpire doesn't know the variant of this record.") from error
    game = _Game(umpire, most, is_worded=first.get("record") in (FIRST_VERSION, VERSION))
    for turn in record.turns:
        try:
            game.play(turn)
        except InvalidRecord:
            raise
        except Exception as error:  # data that was never our order or slip can fail in any way
            raise InvalidRecord(f"The umpire can't replay {format_turn_name(turn.name)}.") from error


@dataclass
class _ExpectedSlips:
    """What a side should hear in a turn, and the boards it sees."""

    facts: list[Any] = field(default_factory=list)
    sights: list[Any] = field(default_factory=list)


class _Game:
    def __init__(self, umpire: Umpire[Any], most: float, *, is_worded: bool) -> None:
        self._umpire, self._left, self._is_worded = umpire, most, is_worded
        self._heard = {side: _ExpectedSlips() for side in Side}
        self._outcome: Outcome | None = None
        self._truth: Any = None
        self._take(umpire.start())

    def play(self, turn: Turn) -> None:
        """Judge the orders of a turn again, and compare the results with the record."""
        if _has_unknown_setup(turn):
            self._take(self._umpire.start())
            self._heard = {side: _ExpectedSlips(sights=self._heard[side].sights[-1:]) for side in Side}
            return
        for side, order, verdict in _orders(turn, self):
            self._left -= 1
            if self._left < 0:
                raise InvalidRecord(
                    "The record has too many orders to check on this page. Use corr verify instead."
                )
            ruling = self._umpire.judge(self._truth, side, order)
            if verdict is not None and ruling.verdict != verdict:
                raise InvalidRecord(
                    f'In {format_turn_name(turn.name)} {side.called}\'s "{order}" was {verdict}, but '
                    f"by the rules it is {ruling.verdict}."
                )
            self._take(ruling)
        self._end(turn)
        for side in Side:
            if (part := turn.parts.get(side)) is not None:
                self._compare(turn, side, part)
                if pick_tries(part["orders"]) != turn.parts.get(tries_part_name(side)):
                    raise InvalidRecord(
                        f"In {format_turn_name(turn.name)} the tries that the record gives for {side.called} "
                        "aren't the real ones."
                    )
            self._heard[side] = _ExpectedSlips(sights=self._heard[side].sights[-1:])

    @property
    def turn(self) -> Side | None:
        """The side to move; None while a side can still change its set-up."""
        return (
            None if isinstance(self._truth, deployment.SealedDeployment) else self._umpire.turn(self._truth)
        )

    def whole(self, order: Order) -> Order:
        """Put an empty sense before a move, where the variant wants one and the record has none."""
        is_due = isinstance(self._truth, rbc_truth.Truth) and self._truth.seen is None
        if not is_due or isinstance(order, Sense):
            return order
        assert not isinstance(order, Command | StandingOrders | SetupChoices)
        return Sense(None, otherwise=order)

    def _take(self, ruling: Ruling[Any]) -> None:
        """Apply a ruling to the game, and note what each side hears and sees."""
        self._truth, self._outcome = ruling.truth, ruling.outcome
        for side in Side:
            slip: Slip | None = ruling.slips[side]
            if slip is not None:
                heard = self._heard[side]
                heard.facts += _to_plain_json(turns.facts_to_json(slip.facts))
                heard.sights.append(_to_plain_json(turns.sight_to_json(slip.sight)))

    def _end(self, turn: Turn) -> None:
        """Let the umpire announce an ending that no move caused, and compare the outcomes."""
        said = turn.told["outcome"]
        if said is None:
            if self._outcome is not None:
                raise InvalidRecord(
                    f"By the rules the game ended with {format_turn_name(turn.name)}, but it went on."
                )
            return
        outcome = Outcome(Side(said["winner"]) if said["winner"] else None, said["reason"])
        if self._outcome is None:
            self._take(self._ended(outcome, turn))
        if self._outcome != outcome:
            raise InvalidRecord("The game didn't end as the record says.")

    def _ended(self, outcome: Outcome, turn: Turn) -> Ruling[Any]:
        """Return the umpire's ruling for an ending that no move caused, as the record announces it."""
        for code, end in (
            (Common.RESIGNED, self._umpire.resigned),
            (Common.TIME, self._umpire.flagged),
            (Common.ABANDONED, self._umpire.abandoned),
            (Common.LEFT, self._umpire.left),
        ):
            if side := _named_side(turn, code):
                return end(self._truth, side)
        if outcome.reason == "agreement":
            return self._umpire.agreed(self._truth)
        return self._umpire.adjudicated(self._truth, outcome)

    def _compare(self, turn: Turn, side: Side, part: dict[str, Any]) -> None:
        """Raise InvalidRecord if the record told or showed a side anything but what the rulings gave it."""
        is_read = side.other in turn.parts or tries_part_name(side.other) in turn.parts
        heard, unread = self._heard[side], None if is_read else side.other
        told = (fact for slip in part["slips"] for fact in slip["facts"])
        said, ruled = (
            [fact for fact in facts if _is_umpires_fact(fact, unread)] for facts in (told, heard.facts)
        )
        if self._shown(said) != self._shown(ruled):
            raise InvalidRecord(
                f"In {format_turn_name(turn.name)} the umpire told {side.called} something different "
                "from what the rules say."
            )
        shown = set(map(_canonical_sight, heard.sights))
        for slip in part["slips"]:
            if _canonical_sight(slip["sight"]) not in shown:
                raise InvalidRecord(
                    f"In {format_turn_name(turn.name)} the umpire showed {side.called} a different board "
                    "from the real one."
                )

    def _shown(self, facts: Iterable[Any]) -> list[Any]:
        """Return facts to compare, without their sentences if the record is of an older version."""
        return [fact if self._is_worded else {**fact, "words": ""} for fact in facts]


def _orders(turn: Turn, game: _Game) -> Iterator[tuple[Side, Order, str | None]]:
    """Yield a turn's orders in sequence, with verdicts; of a hidden part, only the moves."""
    waiting = {side: deque(_known_orders(turn, side)) for side in Side}
    while any(waiting.values()):
        side = game.turn or min(filter(waiting.get, Side), key=lambda side: waiting[side][0][0])
        if not waiting[side]:
            raise InvalidRecord(f"In {format_turn_name(turn.name)} {side.called} moved out of turn.")
        _, order, verdict = waiting[side].popleft()
        yield side, (game.whole(order) if verdict is None else order), verdict


def _has_unknown_setup(turn: Turn) -> bool:
    """Tell whether both sides deployed in vain, and the record hides a set-up."""
    known = {side for side in Side if side in turn.parts} | {each["side"] for each in turn.told["moves"]}
    return turn.name.startswith("0.") and known != set(Side)


def _is_umpires_fact(fact: dict[str, Any], unread: Side | None) -> bool:
    """Tell whether the umpire's rulings give this fact, and not about a hidden side's tries."""
    code = find_code(fact["code"])
    is_answer = code.contract.audience is Audience.ANSWER and unread is not None
    return code not in _MATCH_CODES and not (is_answer and fact["data"].get("side") == unread)


def _known_orders(turn: Turn, side: Side) -> Iterator[tuple[str, Order, str | None]]:
    """Yield a side's orders, each with time and verdict; of a hidden part, the public ones."""
    part = turn.parts.get(side)
    if part is None:
        yield from _public_orders(turn, side)
        return
    for each in part["orders"]:
        if each["verdict"] in _JUDGED_VERDICTS:
            order = _parse_order(each["text"], turn)
            if not isinstance(order, Command):
                yield each["at"], order, each["verdict"]


def _public_orders(turn: Turn, side: Side) -> Iterator[tuple[str, Order, str | None]]:
    """Yield a hidden side's moves, each after the tries that its player lets others read."""
    tried = deque(turn.parts.get(tries_part_name(side), ()))
    at = _FIRST_KEY if _has_deployed_first(side, turn) else _LAST_KEY
    for each in turn.told["moves"]:
        if each["side"] == side:
            while tried and tried[0]["ply"] <= each.get("ply", _SETTING_UP):
                yield _tried_order(tried.popleft(), turn)
            yield at, _parse_order(each["move"], turn), None
    for each in tried:
        yield _tried_order(each, turn)


def _has_deployed_first(side: Side, turn: Turn) -> bool:
    """Tell whether this side's set-up came first, by the record or else by the umpire's words."""
    own = turn.parts.get(side.other)
    if own and own["orders"] and own["orders"][-1]["at"] >= turn.told["at"]:
        said = [fact for slip in own["slips"] for fact in slip["facts"] if fact["code"] == Common.DEPLOYED]
        if said:
            return bool(said[-1]["data"]["side"] != side)
    return bool(turn.told["moves"] and turn.told["moves"][0]["side"] == side)


def _tried_order(each: dict[str, Any], turn: Turn) -> tuple[str, Order, str | None]:
    """Return a try that its player lets others read, as an order with its verdict."""
    return _LAST_KEY, _parse_order(each["text"], turn), each["verdict"]


def _parse_order(text: str, turn: Turn) -> Order:
    order = parse_order(text[:_MOST_CHARACTERS])
    if isinstance(order, UnclearLine):
        raise InvalidRecord(
            f'In {format_turn_name(turn.name)} there is an unreadable order: "{text[:_MOST_CHARACTERS]}".'
        )
    return order


def _named_side(turn: Turn, code: Common) -> Side | None:
    """Return the side that an announcement with this code names; None without one."""
    parts = (turn.parts[each] for each in Side if each in turn.parts)
    facts = (fact for part in parts for slip in part["slips"] for fact in slip["facts"])
    return next((Side(fact["data"]["side"]) for fact in facts if fact["code"] == code), None)


def _to_plain_json(value: Any) -> Any:
    """Return a value as it would be after writing and reading it as JSON."""
    return json.loads(canonical(value))


def _canonical_sight(sight: dict[str, Any]) -> str:
    """Return what a side saw as JSON in its only form, without remembered squares."""
    return canonical({key: datum for key, datum in sight.items() if key != "recalled"})
