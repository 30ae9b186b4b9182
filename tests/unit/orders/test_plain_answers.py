"""A reply to an invitation in the player's own words: a clear one is understood, any other is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.orders import parse_lines
from corr.orders.plain_answers import read_plain_answer, understand_plainly

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "plain_answers.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
OWN_NAMES = ("Ben Benson", "ben")


@pytest.mark.parametrize(("answer", "text"), ROWS)
def test_replies_match_the_table(answer: str, text: str) -> None:
    understood = read_plain_answer(text.split("|"), "Ann", OWN_NAMES)

    assert (understood or "ask") == answer


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("I Do Not", "Hi, I do not accept your invitation"),
        ("Dr No", "Thanks, no deal"),
        ("Not", "Hi, not sure"),
        ("Never", "Hey, never accept this"),
        ("Tomorrow", "Hi, tomorrow yes"),
    ],
)
def test_a_challengers_name_never_inverts_a_reply(name: str, text: str) -> None:
    assert read_plain_answer([text], name, OWN_NAMES) is None


@pytest.mark.parametrize(
    "text",
    [
        ("decline", "accept please"),
        ("never again", "accept please"),
        ("accept", "please decline"),
        ("accept please", "e2e4"),
        ('> Otherwise, reply "decline".', "Yes please."),
        ("Yes", "| but not before Monday"),
    ],
)
def test_an_order_or_quotation_next_to_a_reply_makes_it_unclear(text: tuple[str, ...]) -> None:
    reading = parse_lines([line for line in text if not line.startswith(">")])

    assert understand_plainly(reading, text) == reading


def test_a_quotation_below_a_reply_changes_nothing() -> None:
    reading = parse_lines(["Yes please"])

    assert [str(order) for order in understand_plainly(reading, ["Yes please", "", "> To play"]).orders] == [
        "accept"
    ]


def test_a_long_email_is_not_a_plain_answer() -> None:
    assert read_plain_answer(["yes " * 100]) is None
