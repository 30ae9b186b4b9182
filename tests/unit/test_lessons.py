"""Tutorial comments: each event explained once, from the pupil's own slips."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from corr.rules.variants import find_umpire
from corr.text.lessons import Script, tutorial
from corr.words.board import Side
from corr.words.slips import Slip
from tests.support.umpire_cases import order_of

_, LISTS, GAME = tutorial().scripts
#: What the tutor can say, in the order in which it says it.
TEXTS = {
    "set up": GAME.lesson.text,
    **dict(
        zip(
            ("capture", "gives check", "captured", "check", "tries"),
            (comment.text for comment in GAME.comments),
            strict=True,
        )
    ),
    **{f"proposal {number}": each.text for number, each in enumerate(GAME.proposals, 1)},
}


class Case(NamedTuple):
    """Moves of a game, what is explained after the last one, and what since White's last move."""

    moves: str
    told: str
    since_own: str


CASES = {
    "the set-up": Case("", "set up", "set up"),
    "a quiet move": Case("e2e4", "", ""),
    "pawn tries": Case("e2e4 d7d5", "tries", "tries"),
    "a refused move changes nothing": Case("e2e4 d7d5 e4e6", "tries", "tries"),
    "pawn tries again": Case("e2e4 d7d5 b1c3 h7h6", "proposal 1", "proposal 1"),
    "Black's pawn tries": Case("e2e4 h7h6 e4e5 h6h5 e5e6", "tries", "tries"),
    "a capture": Case("e2e4 d7d5 e4d5", "capture", "capture"),
    "a capture, and one in return": Case("e2e4 d7d5 e4d5 d8d5", "captured", "capture, captured"),
    "a second capture": Case("e2e4 d7d5 e4d5 d8d5 b1c3 d5d2 c1d2", "", ""),
    "a check": Case("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5", "check", "check"),
    "White gives check": Case("e2e4 d7d5 f1b5", "gives check", "gives check"),
    "a proposal when nothing needs explaining": Case("e2e4 h7h6 a2a3 h6h5", "proposal 1", "proposal 1"),
    "a proposal after an explained move": Case("e2e4 d7d5 a2a3 d5e4 b2b3 a7a6", "proposal 1", "proposal 1"),
    "no proposal while something is explained": Case("a2a3 d7d5 e2e4 d5e4", "captured", "captured, tries"),
    "no proposal too early": Case("e2e4 h7h6 a2a3 h6h5 b2b3 g7g6", "", ""),
    "the second proposal": Case("e2e4 h7h6 a2a3 h6h5 b2b3 g7g6 c2c3 g6g5", "proposal 2", "proposal 2"),
    "a proposal lasts until White's next move": Case("e2e4 h7h6 a2a3 h6h5 b2b4", "", ""),
    "a second check": Case("e2e4 d7d5 f1b5 c7c6 b5c6", "capture", "capture"),
    "a capture that gives check": Case(
        "e2e4 e7e5 d1h5 a7a6 h5f7", "capture, gives check", "capture, gives check"
    ),
    "a capture that gives Black a pawn try": Case(
        "e2e4 f7f6 d1h5 g7g6 h5g6", "capture, tries", "capture, tries"
    ),
}


def white_slips(position: str, moves: str) -> tuple[Slip, ...]:
    """Return White's slips of a game."""
    umpire = find_umpire(tutorial().variant)
    ruling = umpire.start(position)
    slips, truth, side = [ruling.slips.white], ruling.truth, Side.WHITE
    for move in moves.split():
        ruling = umpire.judge(truth, side, order_of(move))
        truth, side = ruling.truth, umpire.turn(ruling.truth) or side
        slips.append(ruling.slips.white)
    return tuple(slip for slip in slips if slip)


def titles_told(slips: tuple[Slip, ...], mover: Side | None = None) -> str:
    text = GAME.told(slips, mover).text
    return ", ".join(title for title, paragraphs in TEXTS.items() if set(paragraphs) <= set(text))


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_tutor_explains_what_happens_for_the_first_time(case: Case) -> None:
    slips = white_slips(GAME.position, case.moves)

    assert titles_told(slips) == case.told
    assert titles_told(slips, Side.WHITE) == case.since_own


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_slips_of_earlier_lessons_do_not_count(case: Case) -> None:
    slips = (*white_slips(LISTS.position, "a1a5"), *white_slips(GAME.position, case.moves))

    assert titles_told(slips) == case.told
    assert titles_told(slips, Side.WHITE) == case.since_own


@pytest.mark.parametrize("script", tutorial().scripts[:-1])
def test_a_lesson_without_a_game_always_says_the_same(script: Script) -> None:
    assert script.told(white_slips(script.position, "")) == script.lesson


def test_the_summary_lists_what_the_pupil_has_met_in_the_game() -> None:
    slips = (*white_slips(LISTS.position, "a1a5"), *white_slips(GAME.position, "e2e4 d7d5 f1b5 c7c6 h2h3"))

    lesson = GAME.told(slips)

    assert lesson.met == ("a check you gave", "pawn tries")
    assert lesson.unmet == ("your own capture", "a capture by the tutor", "a check to your king")


def test_proposals_are_sorted_by_when_they_come() -> None:
    after = [each.after for each in GAME.proposals]

    assert after == sorted(after)
