"""Kinds of emails: lists hold only existing kinds, and each kind has a name for operators."""

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


def display_name(kind: str) -> str:
    """Return how operators see this kind."""
    template = '{% import "parts/admin.html" as admin %}{{ admin.kind(kind) }}'
    return environment("html").from_string(template).render(kind=kind).strip()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_a_name_for_operators(kind: str) -> None:
    assert display_name(kind) != kind
    assert display_name(kind).startswith(("a ", "an ", "the "))


def test_kinds_for_seats_have_different_names() -> None:
    seats = KINDS - kinds_with_subject()

    assert len({display_name(kind) for kind in seats}) == len(seats)


def kinds_with_subject() -> set[str]:
    """Return the kinds with their own subject: those that aren't about one game."""
    return {*tomllib.loads((template_folder() / "messages.toml").read_text("utf-8"))["subjects"]} - {"game"}


def test_every_kind_with_a_subject_exists() -> None:
    assert kinds_with_subject() <= KINDS


@pytest.mark.parametrize(
    "listed",
    [metrics.NEWS_KINDS, game_emails._SUPPRESSED_KINDS[OFF], notice_times._SHARED_KINDS],
    ids=["news", "suppressed", "shared"],
)
def test_lists_hold_only_kinds_for_seats(listed: Collection[str]) -> None:
    assert {*listed} <= KINDS - kinds_with_subject()
