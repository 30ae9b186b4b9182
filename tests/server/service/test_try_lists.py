"""Lists of tries by email and on the page: what the player reads and the opponent hears."""

from __future__ import annotations

import re
from itertools import product

import pytest

from corr import limits
from corr.words.board import SQUARES
from tests.support.browser import Browser, text_of_page
from tests.support.table import ANN, BEN, Table, text_of

#: Moves that White can't make at the start of a game.
IMPOSSIBLE = [
    f"{origin}{target}"
    for origin, target in product(("a1", "h1", "d1", "c1", "f1"), SQUARES)
    if origin != target
]


def test_a_list_is_tried_until_one_move_succeeds_and_the_opponent_gets_one_email(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5")
    emails = len(table.emails_to(BEN))

    table.reply(ANN, "e4f5, e1e3, e4d5, a2a3")

    assert "| e4f5, e1e3: Illegal move." in text_of(table.last_email(ANN))
    assert 'You played "e4d5". The umpire says: Pawn at d5 captured.' in table.last_text(ANN)
    assert "The rest of your list wasn't needed." in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == emails + 1
    assert "e4f5" not in table.last_text(BEN)


def test_a_list_without_a_legal_move_leaves_it_your_turn(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2d3, e1e3")

    assert "| e2d3, e1e3: Illegal move." in text_of(table.last_email(ANN))
    assert "You haven't moved. It is still your turn." in table.last_text(ANN)
    table.reply(ANN, "show")
    assert "What you tried earlier this turn:\n| e2d3, e1e3: Illegal move." in table.last_text(ANN)


#: Variant, moves before, a list, how many of its refusals the opponent hears, and how each sounds.
PUBLIC_REFUSALS = (
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
    ("variant", "before", "tries", "heard", "said"),
    PUBLIC_REFUSALS,
    ids=[each[0] for each in PUBLIC_REFUSALS],
)
def test_with_public_refusals_the_answer_says_how_many_were_heard(
    table: Table, variant: str, before: str, tries: str, heard: str, said: str
) -> None:
    table.begin(variant)
    table.deploy()
    table.play(*before.split())

    table.reply(ANN, tries)

    first, *refused, move = tries.split(", ")
    assert f"{first}: Not tried: you could have ruled it out yourself." in table.last_text(ANN).replace(
        "| ", ""
    )
    assert f'You played "{move}".' in table.last_text(ANN)
    assert f"Your opponent hears that {heard} refused, but not which." in table.last_text(ANN)
    assert f"During White's turn the umpire also said: {said}" in table.last_text(BEN)
    assert not any(each in table.last_text(BEN) for each in (first, *refused))


def test_in_rbc_a_list_is_refused_before_anything_is_sensed(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "sense d5\ne2e4, d2d4")

    assert "so there are no lists here. Please write one move. I did nothing." in table.last_text(ANN)
    assert "Around d5" not in table.last_text(ANN)


@pytest.mark.parametrize("count", [1, 3, 20, 200, limits.TRIES])
def test_an_answer_to_a_list_stays_short_however_long_the_list_is(table: Table, count: int) -> None:
    table.begin()
    tries = IMPOSSIBLE[:count]

    for _ in range(2):
        table.reply(ANN, "\n".join(f"{each}," for each in tries[:-1]) + f"\n{tries[-1]}")

        said = text_of(table.last_email(ANN))
        assert "Illegal move." in said
        assert sum(map(len, re.findall(r"[a-h][1-8][a-h][1-8]", said))) < 4_000
        assert len(said) < 9_000


def test_a_list_with_too_many_tries_is_refused_whole(table: Table) -> None:
    table.begin()

    table.reply(ANN, ",\n".join(IMPOSSIBLE[: limits.TRIES + 1]))

    assert "A list can have at most 300 moves. Please leave some out." in table.last_text(ANN)
    assert "Illegal" not in table.last_text(ANN)


def test_the_page_answers_a_list_as_an_email_does(table: Table) -> None:
    table.begin("classic")
    table.play("e2e4", "d7d5")
    ann = Browser(table.app_with_workers())
    ann.sign_in(table, ANN)
    ann.open(f"/games/{str(table.last_email(BEN)['Subject'])[-6:-1]}")

    page = text_of_page(ann.send("any? yes: g1f3, e4f5, e4d5 / no: a2a3"))

    assert "any? White asked Any?: Try! g1f3 Not tried:" in page
    assert "e4f5 White attempted an illegal move. e4d5 Your opponent hears that one try was refused" in page
    assert "Your move has been made." in page


def test_the_page_shows_a_long_list_in_one_line_each_in_answer_and_log(table: Table) -> None:
    table.begin()
    ann = Browser(table.app_with_workers())
    ann.sign_in(table, ANN)
    ann.open(f"/games/{str(table.last_email(BEN)['Subject'])[-6:-1]}")
    ann.send(", ".join(IMPOSSIBLE[:200]))

    lines = re.findall(r'<li class="no"><code>(.*?)</code> (.*?)</li>', ann.answer.get_data(as_text=True))
    assert [said for _, said in lines] == ["Illegal move."] * 2  # the answer's, and the log's
    assert lines[1][0] == ", ".join(IMPOSSIBLE[:200])


def test_in_rbc_a_list_after_the_sense_is_refused(table: Table) -> None:
    table.begin("rbc")
    table.reply(ANN, "sense e2")

    table.reply(ANN, "e2e4, d2d4")

    assert "there are no lists here. Please write one move. I did nothing." in table.last_text(ANN)
    assert "in turn" not in table.last_text(ANN)


@pytest.mark.parametrize("variant", ["assassin", "welbeck"])
def test_a_list_before_deployment_does_nothing(table: Table, variant: str) -> None:
    table.begin(variant)
    table.reply(ANN, "deploy home")

    for text in ("e2e4, d2d4", "any?\ne2e4, d2d4"):
        table.reply(BEN, text)
        assert "Your pieces aren't on the board yet" in table.last_text(BEN), text
        assert "our fault" not in table.last_text(BEN)
    table.reply(BEN, "deploy home")
    assert "The game has started." in table.last_text(BEN)
