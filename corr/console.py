"""Runs `corr umpire`: reads one order per line, writes one JSON object per line, and stores nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TextIO

from corr.game import match, standing_orders
from corr.game.match import Match
from corr.orders import Own, Puzzle, proposals, read_order
from corr.rules.core.announcements import Facts
from corr.rules.core.try_lists import given_ahead, in_turn
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import umpire_of
from corr.words.board import Pair, Side
from corr.words.codes import Common
from corr.words.orders import Order, StandingOrders, Word
from corr.words.slips import Fact, Outcome, Sight, Slip, Verdict

_ADDRESSED = re.compile(r"\s*(white|black)\s*:(.*)", re.IGNORECASE | re.DOTALL)
_MATCH_WORDS = {"resign", "draw?", "accept", "decline"}


@dataclass(frozen=True, slots=True)
class Judged:
    """An order that the umpire judged, with its verdict and the facts for each side."""

    order: str
    verdict: Verdict
    facts: Pair[Facts | None]


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """The answer to a line: verdict, facts for each side, and each judged order.

    `ahead` holds the orders given earlier for the turns that began with it.
    """

    verdict: Verdict
    facts: Pair[Facts | None]
    tried: tuple[Judged, ...] = ()
    ahead: tuple[Ahead, ...] = ()


@dataclass(frozen=True, slots=True)
class Ahead:
    """Orders that a side gave before its turn began, and their answer."""

    side: Side
    order: str
    answer: LineAnswer


@dataclass(slots=True)
class ConsoleGame:
    """A game between two people who share a keyboard."""

    umpire: Umpire[Any]
    truth: Any
    sights: Pair[Sight]
    side: Side  # gives the next order, unless the line names a side
    outcome: Outcome | None = None
    public: Match = field(default_factory=Match)
    asked: Side | None = None  # the side just asked to confirm its resignation
    told: Pair[Slip | None] = field(default=Pair(None, None))  # the last slips
    standing: Pair[StandingOrders | None] = field(
        default=Pair(None, None)
    )  # orders for each side's next turn

    def hear(self, side: Side, order: Order) -> LineAnswer:
        """Answer an order of this side, about the board or the match."""
        asked, self.asked = self.asked, None
        if isinstance(order, StandingOrders) and not self.outcome:
            return self._keep(side, order)
        if order == Word("cancel") and self.standing[side]:
            self.standing = self.standing.but(side, None)
            return LineAnswer(Verdict.TOLD, _NOBODY)
        word, *rest = str(order).split()
        if self.outcome or not isinstance(order, Word) or word not in _MATCH_WORDS:
            return self._judge(side, order)
        sure, ply = rest == ["resign"] or asked is side, self.umpire.plies(self.truth)
        reply = match.hear(self.public, side, word, ply, sure=sure)
        self.public = reply.match
        if reply.ended == "resignation":
            return self._end(side, self.umpire.resigned(self.truth, side))
        if reply.ended == "agreement":
            return self._end(side, self.umpire.agreed(self.truth))
        self.asked = side if word == "resign" else None
        return LineAnswer(reply.verdict, reply.facts)

    def _keep(self, side: Side, orders: StandingOrders) -> LineAnswer:
        """Keep a side's orders for its next turn, replacing earlier ones, once it has moved."""
        card = self.umpire.card
        if not card.told:
            return _puzzled(side, standing_orders.NO_NEXT_TURN)
        if not standing_orders.is_told(orders, card.told):
            return _puzzled(side, standing_orders.NOT_TOLD)
        if self.umpire.turn(self.truth) is not side.other:
            return _puzzled(side, standing_orders.YOUR_TURN)
        self.standing = self.standing.but(side, orders)
        return LineAnswer(Verdict.TOLD, _NOBODY)

    def _judge(self, side: Side, order: Order) -> LineAnswer:
        answer = self._put(side, in_turn(self.umpire, self.truth, side, order))
        return replace(answer, ahead=tuple(self._ahead())) if answer.verdict is Verdict.MOVED else answer

    def _ahead(self) -> Iterator[Ahead]:
        """Try the orders given ahead for each turn that begins, until a side has none."""
        while (side := self.umpire.turn(self.truth)) and (orders := self.standing[side]):
            self.standing, told = self.standing.but(side, None), self.told[side]
            assert told
            if tries := standing_orders.chosen(orders, told):
                rulings = given_ahead(self.umpire, self.truth, side, tries)
                yield Ahead(side, str(tries), self._put(side, rulings))

    def _put(self, side: Side, rulings: Iterable[tuple[Order, Ruling[Any]]]) -> LineAnswer:
        tried = [Judged(str(put), ruling.verdict, self._take(side, ruling)) for put, ruling in rulings]
        verdict = tried[-1].verdict
        if verdict is Verdict.MOVED:
            self.public = match.moved(self.public, side)
        return LineAnswer(
            verdict, Pair(_all_told(tried, Side.WHITE), _all_told(tried, Side.BLACK)), tuple(tried)
        )

    def _end(self, side: Side, ruling: Ruling[Any]) -> LineAnswer:
        return LineAnswer(ruling.verdict, self._take(side, ruling))

    def _take(self, side: Side, ruling: Ruling[Any]) -> Pair[Facts | None]:
        """Apply a ruling to the game, and return the facts for each side."""
        self.truth, self.outcome = ruling.truth, ruling.outcome or self.outcome
        self.side = ruling.turn or (side.other if ruling.verdict is Verdict.MOVED else self.side)
        white, black = ruling.slips.white, ruling.slips.black
        self.sights = Pair(
            white.sight if white else self.sights.white, black.sight if black else self.sights.black
        )
        self.told = Pair(white or self.told.white, black or self.told.black)
        return Pair(white.facts if white else None, black.facts if black else None)


_NOBODY: Pair[Facts | None] = Pair(None, None)


def _all_told(tried: Iterable[Judged], side: Side) -> Facts | None:
    """Join all facts for a side; None if it is not told that anything happened."""
    told = [facts for facts in (each.facts[side] for each in tried) if facts is not None]
    return tuple(chain.from_iterable(told)) if told else None


def run(
    variant_key: str,
    fen: str | None,
    reveal: bool,  # noqa: FBT001  # in the order in which the command takes them
    lines: Iterable[str],
    out: TextIO,
) -> None:
    """Print the start, then one answer for each line, at once."""
    table, answer = _laid(umpire_of(variant_key), fen)
    _print(out, _row(table, None, None, answer, reveal=reveal))
    for line in lines:
        side, text = _addressed(line, table.side)
        order = read_order(text)
        if isinstance(order, Puzzle):
            table.asked, answer = None, _puzzled(side, order.why)
            row = _row(table, side, None, answer, reveal=reveal)
            _print(out, row | {"meant": _meant(table, side, order)})
        else:
            answer = table.hear(side, order)
            _print(out, _row(table, side, str(order), answer, reveal=reveal))


def _laid(umpire: Umpire[Any], fen: str | None) -> tuple[ConsoleGame, LineAnswer]:
    """Return the game with its pieces set up, and the first answer."""
    ruling = umpire.start(fen)
    white, black = ruling.slips.white, ruling.slips.black
    assert white
    assert black
    sights, side = Pair(white.sight, black.sight), ruling.turn or Side.WHITE
    table = ConsoleGame(umpire, ruling.truth, sights, side, ruling.outcome)
    return table, LineAnswer(ruling.verdict, Pair(white.facts, black.facts))


def _addressed(line: str, side: Side) -> tuple[Side, str]:
    """Split a line into its side, by default the given one, and its text."""
    text = line.rstrip("\r\n")
    found = _ADDRESSED.fullmatch(text)
    return (Side(found[1].lower()), found[2].strip()) if found else (side, text)


def _puzzled(side: Side, why: str) -> LineAnswer:
    """Answer only the sender with the reason why this is no order."""
    return LineAnswer(Verdict.UNREADABLE, _NOBODY.but(side, (Fact(Common.UNREADABLE, why),)))


def _meant(table: ConsoleGame, side: Side, puzzle: Puzzle) -> tuple[str, ...]:
    """Suggest what the sender meant, from their own pieces only."""
    sight, umpire = table.sights[side], table.umpire
    if table.outcome or umpire.turn(table.truth) is not side:
        return ()
    moves = umpire.options(sight._replace(sense_due=False))
    return proposals(puzzle, Own(sight, moves, umpire.card, umpire.options))


def _row(
    table: ConsoleGame, side: Side | None, order: str | None, answer: LineAnswer, *, reveal: bool
) -> dict[str, Any]:
    """Write an answer and the state of the game after it as JSON data."""
    outcome = table.outcome
    row: dict[str, Any] = {
        "side": side,
        "order": order,
        "verdict": answer.verdict,
        "white": _told(answer.facts.white),
        "black": _told(answer.facts.black),
        "tried": [_put(each) for each in answer.tried],
        "ahead": [_played_ahead(each) for each in answer.ahead],
        "standing": {each: _written(table.standing[each]) for each in Side},
        "sight": {"white": table.sights.white.letters(), "black": table.sights.black.letters()},
        "turn": table.umpire.turn(table.truth),
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }
    return {**row, "fen": table.umpire.fen(table.truth)} if reveal else row


def _put(judged: Judged) -> dict[str, Any]:
    return {
        "order": judged.order,
        "verdict": judged.verdict,
        "white": _told(judged.facts.white),
        "black": _told(judged.facts.black),
    }


def _played_ahead(ahead: Ahead) -> dict[str, Any]:
    answer = ahead.answer
    return {
        "side": ahead.side,
        "order": ahead.order,
        "verdict": answer.verdict,
        "white": _told(answer.facts.white),
        "black": _told(answer.facts.black),
        "tried": [_put(each) for each in answer.tried],
    }


def _written(orders: StandingOrders | None) -> str | None:
    return str(orders) if orders else None


def _told(facts: Facts | None) -> list[dict[str, Any]] | None:
    return None if facts is None else [{"code": fact.code, "text": fact.text, **fact.plain} for fact in facts]


def _print(out: TextIO, row: dict[str, Any]) -> None:
    out.write(json.dumps(row) + "\n")
    out.flush()
