"""Wherever kinds of letters are listed, they are kinds that there are; where each needs a word, each has one."""

from __future__ import annotations

import tomllib
from collections.abc import Collection

import pytest

from corr.service.admin import metrics
from corr.service.games import notice_times
from corr.service.mail import game_emails
from corr.service.players.mail_preferences import OFF
from corr.text.messages import template_folder
from corr.text.template_env import environment
from tests.support.email_kinds import KINDS


def called(kind: str) -> str:
    """What operators read of a kind."""
    template = '{% import "parts/admin.html" as admin %}{{ admin.kind(kind) }}'
    return environment("html").from_string(template).render(kind=kind).strip()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_operators_read_of_each_kind_in_words(kind: str) -> None:
    assert called(kind) != kind
    assert called(kind).startswith(("a ", "an ", "the "))


def test_no_two_kinds_of_letters_to_a_seat_are_called_alike() -> None:
    seats = KINDS - subjects()

    assert len({called(kind) for kind in seats}) == len(seats)


def subjects() -> set[str]:
    """The kinds of letters that have a subject of their own: those of the site."""
    return {*tomllib.loads((template_folder() / "sentences.toml").read_text("utf-8"))["subjects"]} - {"game"}


def test_each_letter_with_a_subject_of_its_own_is_one_that_there_is() -> None:
    assert subjects() <= KINDS


@pytest.mark.parametrize(
    "listed",
    [metrics.NEWS_KINDS, game_emails._SUPPRESSED_KINDS[OFF], notice_times._SHARED_KINDS],
    ids=["news", "spared", "what both know"],
)
def test_kinds_that_are_listed_are_kinds_of_letters_to_seats(listed: Collection[str]) -> None:
    assert {*listed} <= KINDS - subjects()
