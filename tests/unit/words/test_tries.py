"""Tries as a letter lists them."""

from __future__ import annotations

from corr.words.view import Try, group_tries


def test_a_try_that_was_repeated_is_listed_once_and_those_of_one_answer_together() -> None:
    illegal = [Try(order, "Illegal move.") for order in ("a1a8", "e2e5", "a1a8")]

    assert group_tries([*illegal, Try("any?", "No."), illegal[0]]) == (
        Try("a1a8, e2e5", "Illegal move."),
        Try("any?", "No."),
    )
