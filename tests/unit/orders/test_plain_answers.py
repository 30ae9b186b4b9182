"""A reply to an invitation is understood in a player's own words, and asked about where it may mean anything else."""

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
OWN = ("Ben Benson", "ben")


@pytest.mark.parametrize(("answer", "written"), ROWS)
def test_a_reply_means_what_a_reader_would_take_it_for(answer: str, written: str) -> None:
    said = read_plain_answer(written.split("|"), "Ann", OWN)

    assert (said or "ask") == answer


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("I Do Not", "Hi, I do not accept your invitation"),
        ("Dr No", "Thanks, no deal"),
        ("Not", "Hi, not sure"),
        ("Never", "Hey, never accept this"),
        ("Tomorrow", "Hi, tomorrow yes"),
    ],
)
def test_no_challengers_name_turns_a_reply_round(name: str, written: str) -> None:
    assert read_plain_answer([written], name, OWN) is None


@pytest.mark.parametrize(
    "written",
    [
        ("decline", "accept please"),
        ("never again", "accept please"),
        ("accept", "please decline"),
        ("accept please", "e2e4"),
        ('> Otherwise, reply "decline".', "Yes please."),
        ("Yes", "| but not before Monday"),
    ],
)
def test_an_order_or_a_quotation_beside_it_makes_it_unclear(written: tuple[str, ...]) -> None:
    reading = parse_lines([line for line in written if not line.startswith(">")])

    assert understand_plainly(reading, written) == reading


def test_a_quotation_below_it_changes_nothing() -> None:
    reading = parse_lines(["Yes please"])

    assert [str(order) for order in understand_plainly(reading, ["Yes please", "", "> To play"]).orders] == [
        "accept"
    ]


def test_a_long_email_is_no_plain_answer() -> None:
    assert read_plain_answer(["yes " * 100]) is None
