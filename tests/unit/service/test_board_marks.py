"""Marks on a board come only from its side's slips and its own pieces."""

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

MARK_LETTERS = {
    Mark.LAST: "m",
    Mark.CAPTURE: "x",
    Mark.CHECKED: "!",
    Mark.LINE: "l",
    Mark.KNIGHT: "n",
    Mark.TRY: "t",
    Mark.SENSED: "s",
}
KING_ONLY = """
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


WHITES_MOVE, BLACKS_MOVE = turn(Side.WHITE), turn(Side.BLACK)


@dataclass(frozen=True)
class Case:
    """A board as one side sees it, its slips, and the marks expected."""

    board: str
    slips: tuple[tuple[Fact, ...], ...]
    marks: str
    side: Side = Side.WHITE


CASES = {
    "an own move": Case(
        START,
        ((WHITES_MOVE,), (moved(Side.WHITE, "e2e4"), BLACKS_MOVE), (moved(Side.BLACK, None), WHITES_MOVE)),
        "e2 m, e4 m",
    ),
    "only the newest own move": Case(
        START,
        (
            (WHITES_MOVE,),
            (moved(Side.WHITE, "e2e4"), BLACKS_MOVE),
            (WHITES_MOVE,),
            (moved(Side.WHITE, "g1f3"), BLACKS_MOVE),
        ),
        "f3 m, g1 m",
    ),
    "no move of an earlier lesson": Case(
        START, ((moved(Side.WHITE, "e2e4"), BLACKS_MOVE), (WHITES_MOVE,)), ""
    ),
    "a drop": Case(START, ((moved(Side.WHITE, "N@f5"), BLACKS_MOVE),), "f5 m"),
    "a pass": Case(START, ((moved(Side.WHITE, "pass"), BLACKS_MOVE),), ""),
    "a move that failed": Case(START, ((moved(Side.WHITE, None), BLACKS_MOVE),), ""),
    "a capture": Case(START, ((moved(Side.BLACK, None), capture("e5"), WHITES_MOVE),), "e5 x"),
    "a capture a turn ago": Case(START, ((capture("e5"), BLACKS_MOVE), (WHITES_MOVE,)), ""),
    "a capture on an unannounced square": Case(START, ((capture(None), WHITES_MOVE),), ""),
    "check on the file": Case(
        KING_ONLY, ((check("file"), WHITES_MOVE),), "d1 l, d2 !, d3 l, d4 l, d5 l, d6 l, d7 l, d8 l"
    ),
    "check on the rank, with own pieces in the way": Case(
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
        ((check("rank"), WHITES_MOVE),),
        "d2 !, e2 l, f2 l",
    ),
    "check on the long diagonal": Case(
        KING_ONLY, ((check("long-diagonal"), WHITES_MOVE),), "c1 l, d2 !, e3 l, f4 l, g5 l, h6 l"
    ),
    "check on the short diagonal": Case(
        KING_ONLY, ((check("short-diagonal"), WHITES_MOVE),), "a5 l, b4 l, c3 l, d2 !, e1 l"
    ),
    "check by a knight, which is on no seen square": Case(
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
        ((check("knight"), WHITES_MOVE),),
        "b1 n, b3 n, d2 !, f1 n, f3 n",
    ),
    "a line passes squares seen empty, and ends at an enemy piece": Case(
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
        ((check("rank"), WHITES_MOVE),),
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
        ((check("rank", "knight"), WHITES_MOVE),),
        "e2 n, f3 n, g1 !, h1 l, h3 n",
    ),
    "a check to the other side": Case(
        START, ((moved(Side.WHITE, "d1h5"), check("file"), BLACKS_MOVE),), "d1 m, h5 m"
    ),
    "pawn tries, with own pieces in the way": Case(
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
        ((WHITES_MOVE, tries(1)),),
        "c4 t, d5 t, f5 t, g4 t",
    ),
    "no pawn tries": Case(START, ((WHITES_MOVE, tries(0)),), ""),
    "the other side's pawn tries": Case(START, ((BLACKS_MOVE, tries(2)),), ""),
    "pawn tries without their number": Case(
        "? " * 7 + "?\n" + ("? " * 7 + "?\n") * 5 + "P " + "? " * 6 + "?\n" + "? " * 7 + "K",
        ((WHITES_MOVE, Fact(Common.PAWN_CAPTURE, "Pawn capture")),),
        "b3 t",
    ),
    "a question answered with yes": Case(
        ("? " * 7 + "?\n") * 6 + "P " + "? " * 6 + "?\n" + "? " * 7 + "K",
        ((WHITES_MOVE,), (asked(Side.WHITE, answer=True),)),
        "b3 t",
    ),
    "a question answered with no": Case(START, ((WHITES_MOVE,), (asked(Side.WHITE, answer=False),)), ""),
    "the other side's question": Case(
        START,
        ((WHITES_MOVE,), (moved(Side.WHITE, "e2e4"), BLACKS_MOVE), (asked(Side.BLACK, answer=True),)),
        "e2 m, e4 m",
    ),
    "a sense at the edge": Case(
        START,
        ((WHITES_MOVE,), (sensed("a8", "b8", "a7", "b7", "a6", "b6"),)),
        "a6 s, a7 s, a8 s, b6 s, b7 s, b8 s",
    ),
    "a sense that shows nothing": Case(START, ((WHITES_MOVE,), (sensed(),)), ""),
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
        ((BLACKS_MOVE, tries(1)),),
        "b6 t, g1 t",
        Side.BLACK,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_slips_mark_the_board(case: Case) -> None:
    assert marks_text(view(case)) == case.marks


def test_nothing_is_marked_before_the_first_move_or_after_the_end() -> None:
    begun = view(Case(START, ((capture("e5"), WHITES_MOVE),), ""))

    for state in (Stage.OFFERED, Stage.DEPLOYING, Stage.OVER):
        assert marks_text(replace(begun, state=state)) == ""
    assert marks_text(replace(begun, slips=())) == ""


ALL_MARKS = Case(
    START,
    (
        (moved(Side.WHITE, "g1f3"), BLACKS_MOVE),
        (moved(Side.BLACK, None), capture("d5"), check("file"), tries(1), WHITES_MOVE),
    ),
    "",
)
#: The marks left when one switch is off.
MARKS_WITHOUT = {
    Switch.LAST: {Mark.CAPTURE, Mark.CHECKED, Mark.TRY},
    Switch.CAPTURE: {Mark.LAST, Mark.CHECKED, Mark.TRY},
    Switch.CHECK: {Mark.LAST, Mark.CAPTURE, Mark.TRY},
    Switch.TRIES: {Mark.LAST, Mark.CAPTURE, Mark.CHECKED},
    Switch.SENSED: {Mark.LAST, Mark.CAPTURE, Mark.CHECKED, Mark.TRY},
}


@pytest.mark.parametrize("off", MARKS_WITHOUT)
def test_a_switch_turns_off_only_its_marks(off: Switch) -> None:
    shown = collect_marks(view(ALL_MARKS)).shown(frozenset(Switch) - {off})

    assert {mark for on in shown.on.values() for mark in on} == MARKS_WITHOUT[off]


def test_a_sense_is_not_marked_if_its_switch_is_off() -> None:
    sensing = collect_marks(view(Case(START, ((WHITES_MOVE,), (sensed("a6", "b6"),)), "")))

    assert sensing.shown(frozenset(Switch)).on == sensing.on != {}
    assert sensing.shown(frozenset(Switch) - {Switch.SENSED}).on == {}


def marks_text(view: View) -> str:
    on = collect_marks(view).on
    return ", ".join(
        f"{SQUARES[square]} {''.join(MARK_LETTERS[mark] for mark in on[square])}"
        for square in sorted(on, key=lambda square: SQUARES[square])
    )


def view(case: Case) -> View:
    seen = sight("\n".join(ranks(case.board)), case.side)
    slips = tuple(Slip(case.side, facts, seen) for facts in case.slips)
    turns = [fact["side"] for facts in case.slips for fact in facts if fact.code == Common.TURN]
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
        slips=slips,
        taken=(),
        last_tries=(),
        tries=(),
        score=(),
        example="",
    )
