"""A list of tries by letter and on the page: what its player reads, and what the other side hears."""

from __future__ import annotations

import re
from itertools import product

import pytest

from corr import limits
from corr.words.board import SQUARES
from tests.support.browser import Browser, text_of_page
from tests.support.table import ANN, BEN, Table, text_of

#: What White cannot play at the beginning of a game.
NEVER = [
    f"{origin}{target}"
    for origin, target in product(("a1", "h1", "d1", "c1", "f1"), SQUARES)
    if origin != target
]


def test_a_list_is_tried_until_one_is_the_move_and_the_turn_costs_one_letter(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5")
    letters = len(table.letters(BEN))

    table.reply(ANN, "e4f5, e1e3, e4d5, a2a3")

    assert "| e4f5, e1e3: Illegal move." in text_of(table.newest(ANN))
    assert 'You played "e4d5". The umpire says: Pawn at d5 captured.' in table.says(ANN)
    assert "The rest of your list wasn't needed." in table.says(ANN)
    assert len(table.letters(BEN)) == letters + 1
    assert "e4f5" not in table.says(BEN)


def test_a_list_in_which_nothing_can_be_made_leaves_the_turn(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2d3, e1e3")

    assert "| e2d3, e1e3: Illegal move." in text_of(table.newest(ANN))
    assert "You haven't moved. It is still your turn." in table.says(ANN)
    table.reply(ANN, "show")
    assert "What you tried earlier this turn:\n| e2d3, e1e3: Illegal move." in table.says(ANN)


#: A variant, the moves before, a list, how many refusals of it are heard, and what is heard of each.
ALOUD = (
    ("cincinnati", "e2e4 d7d5", "e4e6, e4f5, e4d5", "one try was", '"Illegal."'),
    ("classic", "e2e4 d7d5", "e4e6, e4f5, e4d5", "one try was", '"White attempted an illegal move."'),
    ("crazykrieg", "e2e4 d7d5", "N@f5, e4f5, e4d5", "one try was", '"White tried: No."'),
    (
        "welbeck",
        "e2e3 a7a6",
        "a1a5, c2b3, c2d3, g1f3",
        "2 tries were",
        '"White attempted an illegal move." (2 times)',
    ),
    (
        "assassin",
        "e2e3 a7a6",
        "a1a5, c2b3, c2d3, f1d3",
        "2 tries were",
        '"White attempted an illegal move." (2 times)',
    ),
)


@pytest.mark.parametrize(
    ("variant", "before", "tries", "heard", "said"), ALOUD, ids=[each[0] for each in ALOUD]
)
def test_where_both_hear_refusals_the_answer_says_how_many_were_heard(
    table: Table, variant: str, before: str, tries: str, heard: str, said: str
) -> None:
    table.begin(variant)
    table.deploy()
    table.play(*before.split())

    table.reply(ANN, tries)

    first, *refused, move = tries.split(", ")
    assert f"{first}: Not tried: you could have ruled it out yourself." in table.says(ANN).replace("| ", "")
    assert f'You played "{move}".' in table.says(ANN)
    assert f"Your opponent hears that {heard} refused, but not which." in table.says(ANN)
    assert f"During White's turn the umpire also said: {said}" in table.says(BEN)
    assert not any(each in table.says(BEN) for each in (first, *refused))


def test_a_list_for_reconnaissance_is_sent_back_before_anything_is_sensed(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "sense d5\ne2e4, d2d4")

    assert "so there are no lists here. Please write one move. I did nothing." in table.says(ANN)
    assert "Around d5" not in table.says(ANN)


@pytest.mark.parametrize("count", [1, 3, 20, 200, limits.TRIES])
def test_an_answer_to_a_list_stays_short_however_long_the_list_is(table: Table, count: int) -> None:
    table.begin()
    tries = NEVER[:count]

    for _ in range(2):
        table.reply(ANN, "\n".join(f"{each}," for each in tries[:-1]) + f"\n{tries[-1]}")

        said = text_of(table.newest(ANN))
        assert "Illegal move." in said
        assert sum(map(len, re.findall(r"[a-h][1-8][a-h][1-8]", said))) < 4_000
        assert len(said) < 9_000


def test_more_tries_than_a_list_holds_are_puzzling_and_none_is_tried(table: Table) -> None:
    table.begin()

    table.reply(ANN, ",\n".join(NEVER[: limits.TRIES + 1]))

    assert "A list can have at most 300 moves. Please leave some out." in table.says(ANN)
    assert "Illegal" not in table.says(ANN)


def test_the_page_answers_a_list_as_a_letter_does(table: Table) -> None:
    table.begin("classic")
    table.play("e2e4", "d7d5")
    ann = Browser(table.at_work())
    ann.sign_in(table, ANN)
    ann.open(f"/games/{str(table.newest(BEN)['Subject'])[-6:-1]}")

    page = text_of_page(ann.send("any? yes: g1f3, e4f5, e4d5 / no: a2a3"))

    assert "any? White asked Any?: Try! g1f3 Not tried:" in page
    assert "e4f5 White attempted an illegal move. e4d5 Your opponent hears that one try was refused" in page
    assert "Your move has been made." in page


def test_the_page_tells_of_a_long_list_in_few_lines_in_its_answer_and_in_its_log(table: Table) -> None:
    table.begin()
    ann = Browser(table.at_work())
    ann.sign_in(table, ANN)
    ann.open(f"/games/{str(table.newest(BEN)['Subject'])[-6:-1]}")
    ann.send(", ".join(NEVER[:200]))

    lines = re.findall(r'<li class="no"><code>(.*?)</code> (.*?)</li>', ann.answer.get_data(as_text=True))
    assert [said for _, said in lines] == ["Illegal move."] * 2  # the answer's, and the log's
    assert lines[1][0] == ", ".join(NEVER[:200])


def test_where_a_try_ends_the_turn_a_list_is_no_attempt(table: Table) -> None:
    table.begin("rbc")
    table.reply(ANN, "sense e2")

    table.reply(ANN, "e2e4, d2d4")

    assert "there are no lists here. Please write one move. I did nothing." in table.says(ANN)
    assert "in turn" not in table.says(ANN)


@pytest.mark.parametrize("variant", ["assassin", "welbeck"])
def test_a_list_before_the_men_are_on_the_board_is_answered_and_tries_nothing(
    table: Table, variant: str
) -> None:
    table.begin(variant)
    table.reply(ANN, "deploy home")

    for text in ("e2e4, d2d4", "any?\ne2e4, d2d4"):
        table.reply(BEN, text)
        assert "Your pieces aren't on the board yet" in table.says(BEN), text
        assert "our fault" not in table.says(BEN)
    table.reply(BEN, "deploy home")
    assert "The game has started." in table.says(BEN)
