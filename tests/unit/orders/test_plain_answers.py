"""A reply to an invitation is understood in a player's own words, and asked about where it may mean anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.orders.plain_answers import read_plain_answer

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "plain_answers.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
NAMES = ("Ben Benson", "Ann", "ben")


@pytest.mark.parametrize(("answer", "written"), ROWS)
def test_a_reply_means_what_a_reader_would_take_it_for(answer: str, written: str) -> None:
    said = read_plain_answer(written.split("|"), NAMES)

    assert (said or "ask") == answer


@pytest.mark.parametrize("name", ["Not", "Don't", "No", "But", "Never", "Yes"])
def test_no_challengers_name_turns_a_reply_round(name: str) -> None:
    for refusing in (f"I do {name} accept", f"{name} accept", f"yes {name} play", f"accept {name}"):
        assert read_plain_answer([refusing], (name,)) == read_plain_answer([refusing])


def test_a_long_email_is_no_plain_answer() -> None:
    assert read_plain_answer(["yes " * 100]) is None
