"""The header_checks of the recipe for Debian: what Postfix takes away before anybody believes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

RECIPE = (Path(__file__).parents[2] / "docs" / "install-debian.md").read_text()
OURS = "Authentication-Results: mail.example.org; dmarc=pass header.from=v.example"
SIGNATURE = (
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=e.example; i={}; s={}; h=from; bh=a+/=; b={}"
)
HONEST = ("@e.example", "s1-2026._x", "Fda1\n\t5L+/6H==")
FORGED = [
    OURS,
    OURS.replace(": ", ":\n\t"),
    OURS.replace(":", "\t:").swapcase(),
    OURS.replace("mail", "(so (we) say) mail"),
    *(SIGNATURE.format(words, *HONEST[1:]) for words in ("x=3B=20dmarc=3Dpass@e.example", '"; x"@e.example')),
    *(
        SIGNATURE.format("@e.example", words, HONEST[2])
        for words in ("s=header.d=v.example", "s(", "s)x", "a\n =b")
    ),
    *(
        SIGNATURE.format(*HONEST[:2], words)
        for words in ("(,Fda15L6H", ")header.d=v.example", "Fda=header.d=v")
    ),
    "dkim-signature\t:\n s\n =\n s1=header.d=v.example; d=e.example",
]


def taken_away(header: str) -> bool:
    (block,) = re.findall(
        r"^cat > /etc/postfix/header_checks <<'END'\n(.*?)^END", RECIPE, re.MULTILINE | re.DOTALL
    )
    patterns = [line.removeprefix("/").removesuffix("/ IGNORE") for line in block.splitlines()]
    plain = [each.replace("[:space:]", r"\s").replace("[:alnum:]", "A-Za-z0-9") for each in patterns]
    return any(re.search(each, header, re.IGNORECASE | re.DOTALL) for each in plain)


@pytest.mark.parametrize("header", FORGED)
def test_postfix_takes_away_what_would_be_read_as_a_verdict_of_ours(header: str) -> None:
    assert taken_away(header)


@pytest.mark.parametrize(
    "header",
    [
        SIGNATURE.format(*HONEST),
        SIGNATURE.format("fay+chess_1@mail.e.example", *HONEST[1:]).replace("; ", ";\n\t"),
        OURS.replace("mail.example.org", "mx.elsewhere.example"),
        "Subject: Authentication-Results: mail.example.org",
    ],
)
def test_postfix_leaves_honest_headers_alone(header: str) -> None:
    assert not taken_away(header)
