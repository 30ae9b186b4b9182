"""`group_tries`: the list of tries in an email."""

from __future__ import annotations

from corr.words.view import Try, group_tries


def test_repeated_tries_are_listed_once_and_grouped_by_answer() -> None:
    illegal = [Try(order, "Illegal move.") for order in ("a1a8", "e2e5", "a1a8")]

    assert group_tries([*illegal, Try("any?", "No."), illegal[0]]) == (
        Try("a1a8, e2e5", "Illegal move."),
        Try("any?", "No."),
    )
