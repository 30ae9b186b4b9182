"""Runs `corr umpire`: reads one order per line, writes one JSON object per line, and stores nothing."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TextIO

import click

from corr.game import resign_and_draw, standing_orders
from corr.game.resign_and_draw import DrawOffer
from corr.orders import OwnMoves, UnclearLine, parse_order, propose_orders
from corr.rules.core.announcements import Facts
from corr.rules.core.try_lists import try_ahead, try_one_by_one
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import find_umpire
from corr.words.board import Pair, Side
from corr.words.codes import Common
from corr.words.orders import Command, Order, StandingOrders
from corr.words.slips import Fact, Outcome, Sight, Slip, Verdict

_SIDE_PREFIX = re.compile(r"\s*(white|black)\s*:(.*)", re.IGNORECASE | re.DOTALL)
_MATCH_WORDS = {"resign", "draw?", "accept", "decline"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to an order or a line: its verdict, and the facts for each side.

    `tried` holds each order that the umpire judged, and `ahead` the orders that a side gave before its turn began.
    """

    verdict: Verdict
    facts: Pair[Facts | None]
    tried: tuple[tuple[str, Answer], ...] = ()
    ahead: tuple[tuple[Side, str, Answer], ...] = ()


@dataclass(slots=True)
class ConsoleGame:
    """A game between two people who share a keyboard."""

    umpire: Umpire[Any]
    truth: Any
    sights: Pair[Sight]
    side: Side  # gives the next order, unless the line names a side
    outcome: Outcome | None = None
    public: DrawOffer = field(default_factory=DrawOffer)
    asked: Side | None = None  # the side just asked to confirm its resignation
    told: Pair[Slip | None] = field(default=Pair(None, None))  # the last slips
    #: Orders for each side's next turn.
    standing: Pair[StandingOrders | None] = field(default=Pair(None, None))

    def act(self, side: Side, order: Order) -> Answer:
        """Act on one side's order, as a real game would, and return the answer."""
        asked, self.asked = self.asked, None
        if isinstance(order, StandingOrders) and not self.outcome:
            return self._keep(side, order)
        if order == Command("cancel") and self.standing[side]:
            self.standing = self.standing.with_value(side, None)
            return Answer(Verdict.TOLD, _NO_FACTS)
        word, *rest = str(order).split()
        if self.outcome or not isinstance(order, Command) or word not in _MATCH_WORDS:
            return self._judge(side, order)
        sure, ply = rest == ["resign"] or asked is side, self.umpire.plies(self.truth)
        reply = resign_and_draw.answer_word(self.public, side, word, ply, sure=sure)
        self.public = reply.draw_offer
        if reply.ended == "resignation":
            return self._end(side, self.umpire.resigned(self.truth, side))
        if reply.ended == "agreement":
            return self._end(side, self.umpire.agreed(self.truth))
        self.asked = side if word == "resign" else None
        return Answer(reply.verdict, reply.facts)

    def _keep(self, side: Side, orders: StandingOrders) -> Answer:
        """Store a side's orders for its next turn; refuse them unless the opponent is to move."""
        card = self.umpire.card
        if not card.told:
            return _answer_unclear(side, standing_orders.NO_NEXT_TURN)
        if not standing_orders.is_announced(orders, card.told):
            return _answer_unclear(side, standing_orders.NOT_ANNOUNCED)
        if self.umpire.turn(self.truth) is not side.other:
            return _answer_unclear(side, standing_orders.NOT_IN_OWN_TURN)
        self.standing = self.standing.with_value(side, orders)
        return Answer(Verdict.TOLD, _NO_FACTS)

    def _judge(self, side: Side, order: Order) -> Answer:
        """Let the umpire judge an order, and after a move the orders stored for the next turn."""
        answer = self._put(side, try_one_by_one(self.umpire, self.truth, side, order))
        return replace(answer, ahead=tuple(self._ahead())) if answer.verdict is Verdict.MOVED else answer

    def _ahead(self) -> Iterator[tuple[Side, str, Answer]]:
        """Try the stored orders of each side whose turn begins; yield side, order and answer."""
        while (side := self.umpire.turn(self.truth)) and (orders := self.standing[side]):
            self.standing, told = self.standing.with_value(side, None), self.told[side]
            assert told
            if tries := standing_orders.choose_branch(orders, told):
                rulings = try_ahead(self.umpire, self.truth, side, tries)
                yield side, str(tries), self._put(side, rulings)

    def _put(self, side: Side, rulings: Iterable[tuple[Order, Ruling[Any]]]) -> Answer:
        """Apply the umpire's rulings on some orders, and return them as one answer."""
        tried = [(str(put), Answer(ruling.verdict, self._take(side, ruling))) for put, ruling in rulings]
        _, last = tried[-1]
        if last.verdict is Verdict.MOVED:
            self.public = resign_and_draw.after_move(self.public, side)
        facts = Pair(_join_facts(tried, Side.WHITE), _join_facts(tried, Side.BLACK))
        return Answer(last.verdict, facts, tuple(tried))

    def _end(self, side: Side, ruling: Ruling[Any]) -> Answer:
        """End the game by a ruling, such as one about a resignation."""
        return Answer(ruling.verdict, self._take(side, ruling))

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


_NO_FACTS: Pair[Facts | None] = Pair(None, None)


def _join_facts(tried: Iterable[tuple[str, Answer]], side: Side) -> Facts | None:
    """Join all facts for a side; None if it learns of nothing."""
    told = [answer.facts[side] for _, answer in tried]
    return tuple(chain.from_iterable(filter(None, told))) if any(each is not None for each in told) else None


@click.command()
@click.argument("variant")
@click.option("--fen", help="Start from this position.")
@click.option("--reveal", is_flag=True, help="Show the true position in every answer.")
def umpire(variant: str, fen: str | None, reveal: bool) -> None:  # noqa: FBT001  # click hands over a flag
    """Umpire a game of a VARIANT for another program.

    Send one order per line. The umpire answers with one JSON object per line.

    Example: echo e2e4 | corr umpire wild16
    """
    run(variant, fen, reveal, sys.stdin, sys.stdout)


def run(
    variant_key: str,
    fen: str | None,
    reveal: bool,  # noqa: FBT001  # in the order in which the command takes them
    lines: Iterable[str],
    out: TextIO,
) -> None:
    """Run a game on two streams: print its start, then answer each input line."""
    table, answer = _start_game(find_umpire(variant_key), fen)
    _print(out, _row(table, None, None, answer, reveal=reveal))
    for line in lines:
        side, text = _split_side(line, table.side)
        order = parse_order(text)
        if isinstance(order, UnclearLine):
            table.asked, answer = None, _answer_unclear(side, order.why)
            row = _row(table, side, None, answer, reveal=reveal)
            _print(out, row | {"meant": _suggest_orders(table, side, order)})
        else:
            answer = table.act(side, order)
            _print(out, _row(table, side, str(order), answer, reveal=reveal))


def _start_game(umpire: Umpire[Any], fen: str | None) -> tuple[ConsoleGame, Answer]:
    """Return the game with its pieces set up, and the first answer."""
    ruling = umpire.start(fen)
    white, black = ruling.slips.white, ruling.slips.black
    assert white
    assert black
    sights, side = Pair(white.sight, black.sight), ruling.turn or Side.WHITE
    table = ConsoleGame(umpire, ruling.truth, sights, side, ruling.outcome)
    return table, Answer(ruling.verdict, Pair(white.facts, black.facts))


def _split_side(line: str, side: Side) -> tuple[Side, str]:
    """Return the side that a line names, or else the given side, and the order."""
    text = line.rstrip("\r\n")
    found = _SIDE_PREFIX.fullmatch(text)
    return (Side(found[1].lower()), found[2].strip()) if found else (side, text)


def _answer_unclear(side: Side, why: str) -> Answer:
    """Return the answer to a line that cannot be an order now, with the reason."""
    return Answer(Verdict.UNREADABLE, _NO_FACTS.with_value(side, (Fact(Common.UNREADABLE, why),)))


def _suggest_orders(table: ConsoleGame, side: Side, puzzle: UnclearLine) -> tuple[str, ...]:
    sight, umpire = table.sights[side], table.umpire
    if table.outcome or umpire.turn(table.truth) is not side:
        return ()
    moves = umpire.possible_tries(sight._replace(sense_due=False))
    return propose_orders(puzzle, OwnMoves(sight, moves, umpire.card, umpire.possible_tries))


def _row(
    table: ConsoleGame, side: Side | None, order: str | None, answer: Answer, *, reveal: bool
) -> dict[str, Any]:
    """Write an answer and the state of the game after it as JSON data."""
    outcome = table.outcome
    row: dict[str, Any] = {
        "side": side,
        "order": order,
        **_answer_row(answer),
        "tried": _tried_rows(answer),
        "ahead": [
            {"side": mover, "order": given, **_answer_row(each), "tried": _tried_rows(each)}
            for mover, given, each in answer.ahead
        ],
        "standing": {each: str(orders) if (orders := table.standing[each]) else None for each in Side},
        "sight": {"white": table.sights.white.letters(), "black": table.sights.black.letters()},
        "turn": table.umpire.turn(table.truth),
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }
    return {**row, "fen": table.umpire.fen(table.truth)} if reveal else row


def _tried_rows(answer: Answer) -> list[dict[str, Any]]:
    """Return each order that the umpire judged, with its answer, as JSON data."""
    return [{"order": order, **_answer_row(each)} for order, each in answer.tried]


def _answer_row(answer: Answer) -> dict[str, Any]:
    """Return an answer's verdict and facts for both sides as JSON data."""
    facts = answer.facts
    return {"verdict": answer.verdict, "white": _fact_rows(facts.white), "black": _fact_rows(facts.black)}


def _fact_rows(facts: Facts | None) -> list[dict[str, Any]] | None:
    """Return facts as JSON data; None for a side that hears nothing."""
    return None if facts is None else [{"code": fact.code, "text": fact.text, **fact.plain} for fact in facts]


def _print(out: TextIO, row: dict[str, Any]) -> None:
    out.write(json.dumps(row) + "\n")
    out.flush()
