"""The marks on a board: what is drawn on it comes from the words of its own side's slips, and from its own men."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from corr.service import catalogue
from corr.service.games.board_marks import Mark, collect_marks
from corr.service.players.switches import Switch
from corr.words.board import SQUARES, Side
from corr.words.codes import Common, SquareContents
from corr.words.slips import Fact, Slip
from corr.words.view import Stage, View
from tests.support.sight_cases import START, ranks, sight

SIGNS = {
    Mark.LAST: "m",
    Mark.CAPTURE: "x",
    Mark.CHECKED: "!",
    Mark.LINE: "l",
    Mark.KNIGHT: "n",
    Mark.TRY: "t",
    Mark.SENSED: "s",
}
ALONE = """
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? K ? ? ? ?
    ? ? ? ? ? ? ? ?
"""


def turn(side: Side) -> Fact:
    return Fact(Common.TURN, f"{side.called}'s move", (("side", side),))


def moved(side: Side, move: str | None) -> Fact:
    return Fact(Common.MOVED, "", (("side", side), ("move", move)))


def check(*kinds: str) -> Fact:
    return Fact(Common.CHECK, "Check", (("kinds", kinds),))


def capture(square: str | None) -> Fact:
    return Fact(Common.CAPTURE, "Captured", (("square", square),))


def tries(count: int) -> Fact:
    return Fact(Common.TRIES, f"{count} pawn tries", (("count", count),))


def asked(side: Side, *, answer: bool) -> Fact:
    return Fact(Common.ANY, "Any?", (("side", side), ("answer", answer)))


def sensed(*names: str) -> Fact:
    return Fact(
        Common.SENSED, "You sense", (("squares", SquareContents(tuple((name, ".") for name in names))),)
    )


WHITES, BLACKS = turn(Side.WHITE), turn(Side.BLACK)


@dataclass(frozen=True)
class Case:
    """A board as one side sees it, what it was told slip by slip, and how its squares are marked then."""

    board: str
    told: tuple[tuple[Fact, ...], ...]
    marked: str
    side: Side = Side.WHITE


CASES = {
    "a move of one's own": Case(
        START,
        ((WHITES,), (moved(Side.WHITE, "e2e4"), BLACKS), (moved(Side.BLACK, None), WHITES)),
        "e2 m, e4 m",
    ),
    "the newest of them": Case(
        START,
        ((WHITES,), (moved(Side.WHITE, "e2e4"), BLACKS), (WHITES,), (moved(Side.WHITE, "g1f3"), BLACKS)),
        "f3 m, g1 m",
    ),
    "none of the lesson before": Case(START, ((moved(Side.WHITE, "e2e4"), BLACKS), (WHITES,)), ""),
    "a drop": Case(START, ((moved(Side.WHITE, "N@f5"), BLACKS),), "f5 m"),
    "a pass": Case(START, ((moved(Side.WHITE, "pass"), BLACKS),), ""),
    "a turn that did not succeed": Case(START, ((moved(Side.WHITE, None), BLACKS),), ""),
    "a capture": Case(START, ((moved(Side.BLACK, None), capture("e5"), WHITES),), "e5 x"),
    "a capture of the turn before": Case(START, ((capture("e5"), BLACKS), (WHITES,)), ""),
    "a capture whose square is not told": Case(START, ((capture(None), WHITES),), ""),
    "check on the file": Case(
        ALONE, ((check("file"), WHITES),), "d1 l, d2 !, d3 l, d4 l, d5 l, d6 l, d7 l, d8 l"
    ),
    "check on the rank, where own men stand in the way": Case(
        """
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? P K ? ? P ?
        ? ? ? ? ? ? ? ?
        """,
        ((check("rank"), WHITES),),
        "d2 !, e2 l, f2 l",
    ),
    "check on the long diagonal": Case(
        ALONE, ((check("long-diagonal"), WHITES),), "c1 l, d2 !, e3 l, f4 l, g5 l, h6 l"
    ),
    "check on the short diagonal": Case(
        ALONE, ((check("short-diagonal"), WHITES),), "a5 l, b4 l, c3 l, d2 !, e1 l"
    ),
    "check by a knight, who stands on no square that is seen": Case(
        """
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? . ? P ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? K ? ? ? ?
        ? ? ? ? ? ? ? ?
        """,
        ((check("knight"), WHITES),),
        "b1 n, b3 n, d2 !, f1 n, f3 n",
    ),
    "a line goes on behind what is seen empty, and ends where an enemy is seen": Case(
        """
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        n ? ? K . . ? ?
        ? ? ? ? ? ? ? ?
        """,
        ((check("rank"), WHITES),),
        "b2 l, c2 l, d2 !, g2 l, h2 l",
    ),
    "a double check": Case(
        """
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? P P ?
        ? ? ? ? ? R K ?
        """,
        ((check("rank", "knight"), WHITES),),
        "e2 n, f3 n, g1 !, h1 l, h3 n",
    ),
    "a check of one's own giving": Case(
        START, ((moved(Side.WHITE, "d1h5"), check("file"), BLACKS),), "d1 m, h5 m"
    ),
    "pawn tries, and own men in their way": Case(
        """
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? P ? ? ?
        ? ? ? P ? ? ? P
        ? ? ? ? ? ? ? ?
        ? ? ? K ? ? ? ?
        """,
        ((WHITES, tries(1)),),
        "c4 t, d5 t, f5 t, g4 t",
    ),
    "no pawn tries": Case(START, ((WHITES, tries(0)),), ""),
    "the other side's pawn tries": Case(START, ((BLACKS, tries(2)),), ""),
    "pawn tries whose number is not told": Case(
        "? " * 7 + "?\n" + ("? " * 7 + "?\n") * 5 + "P " + "? " * 6 + "?\n" + "? " * 7 + "K",
        ((WHITES, Fact(Common.PAWN_CAPTURE, "Pawn capture")),),
        "b3 t",
    ),
    "a question that was answered with yes": Case(
        ("? " * 7 + "?\n") * 6 + "P " + "? " * 6 + "?\n" + "? " * 7 + "K",
        ((WHITES,), (asked(Side.WHITE, answer=True),)),
        "b3 t",
    ),
    "a question that was answered with no": Case(START, ((WHITES,), (asked(Side.WHITE, answer=False),)), ""),
    "the other side's question": Case(
        START,
        ((WHITES,), (moved(Side.WHITE, "e2e4"), BLACKS), (asked(Side.BLACK, answer=True),)),
        "e2 m, e4 m",
    ),
    "a sense at the edge": Case(
        START,
        ((WHITES,), (sensed("a8", "b8", "a7", "b7", "a6", "b6"),)),
        "a6 s, a7 s, a8 s, b6 s, b7 s, b8 s",
    ),
    "a sense that shows nothing": Case(START, ((WHITES,), (sensed(),)), ""),
    "Black's pawns": Case(
        """
        ? ? ? ? k ? ? ?
        p ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? ?
        ? ? ? ? ? ? ? p
        ? ? ? ? ? ? ? ?
        """,
        ((BLACKS, tries(1)),),
        "b6 t, g1 t",
        Side.BLACK,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_umpires_words_mark_the_board(case: Case) -> None:
    assert marked(view(case)) == case.marked


def test_nothing_is_marked_before_the_first_move_and_after_the_end() -> None:
    begun = view(Case(START, ((capture("e5"), WHITES),), ""))

    for state in (Stage.OFFERED, Stage.DEPLOYING, Stage.OVER):
        assert marked(replace(begun, state=state)) == ""
    assert marked(replace(begun, slips=())) == ""


ALL_AT_ONCE = Case(
    START,
    (
        (moved(Side.WHITE, "g1f3"), BLACKS),
        (moved(Side.BLACK, None), capture("d5"), check("file"), tries(1), WHITES),
    ),
    "",
)
#: What is left of these marks when one of them is switched off.
LEFT = {
    Switch.LAST: {Mark.CAPTURE, Mark.CHECKED, Mark.TRY},
    Switch.CAPTURE: {Mark.LAST, Mark.CHECKED, Mark.TRY},
    Switch.CHECK: {Mark.LAST, Mark.CAPTURE, Mark.TRY},
    Switch.TRIES: {Mark.LAST, Mark.CAPTURE, Mark.CHECKED},
    Switch.SENSED: {Mark.LAST, Mark.CAPTURE, Mark.CHECKED, Mark.TRY},
}


@pytest.mark.parametrize("off", LEFT)
def test_what_is_switched_off_is_not_marked_and_the_rest_is(off: Switch) -> None:
    shown = collect_marks(view(ALL_AT_ONCE)).shown(frozenset(Switch) - {off})

    assert {mark for on in shown.on.values() for mark in on} == LEFT[off]


def test_a_sense_is_no_more_marked_once_that_is_switched_off() -> None:
    sensing = collect_marks(view(Case(START, ((WHITES,), (sensed("a6", "b6"),)), "")))

    assert sensing.shown(frozenset(Switch)).on == sensing.on != {}
    assert sensing.shown(frozenset(Switch) - {Switch.SENSED}).on == {}


def marked(view: View) -> str:
    on = collect_marks(view).on
    return ", ".join(
        f"{SQUARES[square]} {''.join(SIGNS[mark] for mark in on[square])}"
        for square in sorted(on, key=lambda square: SQUARES[square])
    )


def view(case: Case) -> View:
    seen = sight("\n".join(ranks(case.board)), case.side)
    told = tuple(Slip(case.side, facts, seen) for facts in case.told)
    turns = [fact["side"] for facts in case.told for fact in facts if fact.code == Common.TURN]
    return View(
        game="abcde",
        card=catalogue.card("wild16"),
        side=case.side,
        name="ann",
        opponent="ben",
        clock="3 days for each move",
        state=Stage.RUNNING,
        move_number=1,
        turn=Side(str(turns[-1])),
        deadline="",
        late=False,
        offer=None,
        outcome=None,
        slips=told,
        taken=(),
        last_tries=(),
        tries=(),
        score=(),
        example="",
    )
