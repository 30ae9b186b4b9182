"""Hostile emails: each costs limited work, which grows no faster than the email."""

from __future__ import annotations

import pytest

from corr.mail.inward.bounce_report import read_bounce
from corr.mail.inward.incoming_email import parse_email, parse_orders
from corr.proof.verify import find_seals, split_lines
from tests.support.hostile_emails import FIXED, GROWING
from tests.support.work_counter import count_calls

SENT = "\n".join(f"Our line number {number} says something about the game" for number in range(700))
#: About a tenth of a second.
MOST_STEPS = 1_250_000
#: Fewer steps than this are spent on headers.
FEW_STEPS = 5_000


def work(raw: bytes) -> int:
    return count_calls(lambda: parse_orders(parse_email(raw), SENT))


@pytest.mark.parametrize("name", FIXED)
def test_each_hostile_email_is_read_or_refused_quickly(name: str) -> None:
    assert work(FIXED[name]) < MOST_STEPS


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("size", [32_000, 120_000, 990_000])
def test_large_hostile_emails_are_read_or_refused_quickly(name: str, size: int) -> None:
    assert work(GROWING[name](size)) < MOST_STEPS


@pytest.mark.parametrize("name", GROWING)
def test_large_hostile_bounces_are_read_quickly(name: str) -> None:
    assert count_calls(lambda: read_bounce(GROWING[name](990_000))) < MOST_STEPS


@pytest.mark.parametrize("name", GROWING)
def test_finding_seals_reads_each_line_once_or_twice(
    name: str,
) -> None:
    letter = b"Subject: (k3x9q)\r\n" + GROWING[name](990_000)

    assert (
        count_calls(lambda: find_seals(split_lines(letter), "k3x9q"))
        < 20 * letter.count(b"\n") + len(letter) // 50 + 1_000
    )


@pytest.mark.parametrize("name", GROWING)
def test_the_work_grows_no_faster_than_the_email(name: str) -> None:
    """Eight times the size may cost eight times the work and a little more, not 64 times."""
    small, big = GROWING[name](4_000), GROWING[name](32_000)

    assert work(big) < max(11 * work(small), FEW_STEPS)
