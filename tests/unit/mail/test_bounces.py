"""Real bounces from many mail servers: their kind, and that none counts as a person's email."""

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
def test_a_real_bounce_is_classified(name: str, expected: str, reason: str) -> None:
    raw = (FOLDER / name).read_bytes()

    assert verdict(raw) == expected, reason
    assert describe_email(raw, None)["automatic"]


def test_every_file_has_an_expectation() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.eml")) == sorted(name for name, _, _ in EXPECTED)


ANN = "From: Ann <ann@example.org>\n"
PERSONS = (
    ("a forwarded bounce", f"{ANN}Subject: Undelivered Mail Returned to Sender\n\ne2e4\n"),
    (
        "a reply to a bounce",
        f"{ANN}Subject: Re: failure notice\n\ne2e4\n\n> Sorry, no mailbox here. (#5.1.1)\n",
    ),
    ("text of a bounce", f"{ANN}Subject: Re: Wild 16\n\ne2e4\n\n550 5.1.1 user unknown, they told me.\n"),
    ("a program's address", "From: no-reply@example.org\n\ne2e4\n"),
    ("no address", "From: Ann <>\n\ne2e4\n"),
)


@pytest.mark.parametrize("raw", [each[1] for each in PERSONS], ids=[each[0] for each in PERSONS])
def test_an_email_with_an_order_is_not_a_bounce(raw: str) -> None:
    found = describe_email(raw.encode(), None)

    assert (found["automatic"], found["orders"]) == (False, ["e2e4"])


PROGRAMS = (
    ("a daemon without an address", "From: MAILER-DAEMON <>\nSubject: Hello\n\ne2e4\n", "bounce"),
    ("no sender", "From: <>\n\nHello\n", "bounce"),
    ("a mail server's subject", f"{ANN}Subject: Undeliverable: [corr] Wild 16\n\nSorry.\n", "bounce"),
    ("one that can't be parsed", f"{ANN}Subject: failure notice\nContent-Type: multipart/mixed\n\nSorry.\n", "bounce"),
    ("a no-reply address", "From: no-reply@example.org\n\nSorry.\n", "wants no answer"),
)  # fmt: skip


@pytest.mark.parametrize(("raw", "why"), [each[1:] for each in PROGRAMS], ids=[each[0] for each in PROGRAMS])
def test_a_programs_email_is_never_answered(raw: str, why: str) -> None:
    assert describe_email(raw.encode(), None)["automatic"] == why
