"""What the tutor says of a whole game: of each thing once, by its pupil's own slips alone."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from corr.rules.variants import find_umpire
from corr.text.lessons import Script, tutorial
from corr.words.board import Side
from corr.words.slips import Slip
from tests.support.umpire_cases import order_of

_, LISTS, GAME = tutorial().scripts
#: What is told, in the order in which the tutor speaks of it.
TOLD = {
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
    """Moves of a game, what is told after the last one, and what since White's last one."""

    moves: str
    told: str
    since_own: str


CASES = {
    "the set-up": Case("", "set up", "set up"),
    "a quiet move": Case("e2e4", "", ""),
    "pawn tries": Case("e2e4 d7d5", "tries", "tries"),
    "a refusal takes nothing away": Case("e2e4 d7d5 e4e6", "tries", "tries"),
    "pawn tries once more": Case("e2e4 d7d5 b1c3 h7h6", "proposal 1", "proposal 1"),
    "pawn tries of Black's": Case("e2e4 h7h6 e4e5 h6h5 e5e6", "tries", "tries"),
    "a capture": Case("e2e4 d7d5 e4d5", "capture", "capture"),
    "a capture, and one in return": Case("e2e4 d7d5 e4d5 d8d5", "captured", "capture, captured"),
    "a capture once more": Case("e2e4 d7d5 e4d5 d8d5 b1c3 d5d2 c1d2", "", ""),
    "a check": Case("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5", "check", "check"),
    "a check of one's own": Case("e2e4 d7d5 f1b5", "gives check", "gives check"),
    "what is proposed once nothing is explained": Case("e2e4 h7h6 a2a3 h6h5", "proposal 1", "proposal 1"),
    "what is proposed once a move was explained": Case(
        "e2e4 d7d5 a2a3 d5e4 b2b3 a7a6", "proposal 1", "proposal 1"
    ),
    "nothing is proposed while something is explained": Case(
        "a2a3 d7d5 e2e4 d5e4", "captured", "captured, tries"
    ),
    "nothing is proposed too early": Case("e2e4 h7h6 a2a3 h6h5 b2b3 g7g6", "", ""),
    "what is proposed next": Case("e2e4 h7h6 a2a3 h6h5 b2b3 g7g6 c2c3 g6g5", "proposal 2", "proposal 2"),
    "a proposal stays until one's own next move": Case("e2e4 h7h6 a2a3 h6h5 b2b4", "", ""),
    "a check once more": Case("e2e4 d7d5 f1b5 c7c6 b5c6", "capture", "capture"),
    "a capture that gives check": Case(
        "e2e4 e7e5 d1h5 a7a6 h5f7", "capture, gives check", "capture, gives check"
    ),
    "a capture by which Black has a try": Case(
        "e2e4 f7f6 d1h5 g7g6 h5g6", "capture, tries", "capture, tries"
    ),
}


def handed(position: str, moves: str) -> tuple[Slip, ...]:
    """What White is told of a game."""
    umpire = find_umpire(tutorial().variant)
    ruling = umpire.start(position)
    slips, truth, side = [ruling.slips.white], ruling.truth, Side.WHITE
    for move in moves.split():
        ruling = umpire.judge(truth, side, order_of(move))
        truth, side = ruling.truth, umpire.turn(ruling.truth) or side
        slips.append(ruling.slips.white)
    return tuple(slip for slip in slips if slip)


def told(slips: tuple[Slip, ...], mover: Side | None = None) -> str:
    text = GAME.told(slips, mover).text
    return ", ".join(title for title, paragraphs in TOLD.items() if set(paragraphs) <= set(text))


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_tutor_speaks_of_what_is_heard_for_the_first_time(case: Case) -> None:
    slips = handed(GAME.position, case.moves)

    assert told(slips) == case.told
    assert told(slips, Side.WHITE) == case.since_own


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_what_was_heard_in_the_lessons_before_counts_for_nothing(case: Case) -> None:
    slips = (*handed(LISTS.position, "a1a5"), *handed(GAME.position, case.moves))

    assert told(slips) == case.told
    assert told(slips, Side.WHITE) == case.since_own


@pytest.mark.parametrize("script", tutorial().scripts[:-1])
def test_a_lesson_that_is_no_game_says_the_same_whatever_is_heard(script: Script) -> None:
    assert script.told(handed(script.position, "")) == script.lesson


def test_what_a_pupil_has_met_is_all_that_there_was_to_hear_in_the_game() -> None:
    slips = (*handed(LISTS.position, "a1a5"), *handed(GAME.position, "e2e4 d7d5 f1b5 c7c6 h2h3"))

    lesson = GAME.told(slips)

    assert lesson.met == ("a check you gave", "pawn tries")
    assert lesson.unmet == ("your own capture", "a capture by the tutor", "a check to your king")


def test_what_is_proposed_comes_one_after_another() -> None:
    after = [each.after for each in GAME.proposals]

    assert after == sorted(after)
