"""The files that `corr quickstart` writes for play.example.org on mail.example.org."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

from corr.quickstart import folder
from corr.quickstart.settings import DkimKey, Plan, new_key

NAME, MACHINE, ADDRESS = "play.example.org", "mail.example.org", "203.0.113.5"


@cache
def key() -> DkimKey:
    """One DKIM key for all tests, because making one is slow."""
    return new_key()


@cache
def plan(**otherwise: object) -> Plan:
    """The plan of a new server."""
    usual = Plan(
        domain=NAME,
        host=MACHINE,
        program=Path(sys.executable).parent / "corr",
        database="postgresql",
        operators=("you@example.org",),
        addresses=(ADDRESS, "2001:db8::5"),
        certificate="/etc/ssl/pages.pem",
        certificate_key="/etc/ssl/private/pages.key",
        selector="corr",
        key=key(),
        token="a-token",
        password="a1b2c3",
    )
    return replace(usual, **otherwise)


def file_text(name: str, **otherwise: object) -> str:
    """The text of a file."""
    return folder.render_file(name, plan(**otherwise))


def file_text_with(name: str, *changes: tuple[str, str], **otherwise: object) -> str:
    """The text of a file with replaced ports and folders; each pattern must match."""
    made = file_text(name, **otherwise)
    for ours, theirs in changes:
        made, count = re.subn(ours, theirs, made, flags=re.MULTILINE)
        assert count, ours
    return made
