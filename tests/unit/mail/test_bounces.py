"""Real bounces of many mailers: why each came back, and that none counts as a person's email."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.mail.inward.bounce_report import read_bounce
from corr.mail.inward.incoming_email import describe_email

FOLDER = Path(__file__).parents[2] / "letters" / "bounces"
EXPECTED = [
    tuple(line.split())
    for line in (FOLDER / "expected.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def verdict(raw: bytes) -> str:
    failure = read_bounce(raw)
    if failure is None:
        return "none"
    return "hard" if failure.is_hard else "soft" if failure.is_clear else "unclear"


@pytest.mark.parametrize(("name", "expected", "reason"), EXPECTED, ids=[each[0] for each in EXPECTED])
def test_a_bounce_tells_why_it_came_back(name: str, expected: str, reason: str) -> None:
    raw = (FOLDER / name).read_bytes()

    assert verdict(raw) == expected, reason
    assert describe_email(raw, None)["automatic"]


def test_each_file_has_an_expectation() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.eml")) == sorted(name for name, _, _ in EXPECTED)


ANN = "From: Ann <ann@example.org>\n"
PERSONS = (
    ("a forwarded bounce", f"{ANN}Subject: Undelivered Mail Returned to Sender\n\ne2e4\n"),
    ("an answer to one", f"{ANN}Subject: Re: failure notice\n\ne2e4\n\n> Sorry, no mailbox here. (#5.1.1)\n"),
    ("words of a bounce", f"{ANN}Subject: Re: Wild 16\n\ne2e4\n\n550 5.1.1 user unknown, they told me.\n"),
    ("a program's address", "From: no-reply@example.org\n\ne2e4\n"),
    ("no address", "From: Ann <>\n\ne2e4\n"),
)


@pytest.mark.parametrize("raw", [each[1] for each in PERSONS], ids=[each[0] for each in PERSONS])
def test_an_email_with_an_order_is_no_bounce(raw: str) -> None:
    found = describe_email(raw.encode(), None)

    assert (found["automatic"], found["orders"]) == (False, ["e2e4"])


PROGRAMS = (
    ("a daemon without an address", "From: MAILER-DAEMON <>\nSubject: Hello\n\ne2e4\n", "bounce"),
    ("nobody", "From: <>\n\nHello\n", "bounce"),
    ("a subject of a mailer's", f"{ANN}Subject: Undeliverable: [corr] Wild 16\n\nSorry.\n", "bounce"),
    ("one that cannot be read", f"{ANN}Subject: failure notice\nContent-Type: multipart/mixed\n\nSorry.\n", "bounce"),
    ("an address that nobody reads", "From: no-reply@example.org\n\nSorry.\n", "wants no answer"),
)  # fmt: skip


@pytest.mark.parametrize(("raw", "why"), [each[1:] for each in PROGRAMS], ids=[each[0] for each in PROGRAMS])
def test_what_only_a_program_writes_is_never_answered(raw: str, why: str) -> None:
    assert describe_email(raw.encode(), None)["automatic"] == why
