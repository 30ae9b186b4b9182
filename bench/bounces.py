"""How well bounces are read, measured on the real ones that the Sisimai project keeps and what its tests expect.

    git clone https://github.com/sisimai/set-of-emails
    git clone https://github.com/sisimai/rb-sisimai
    python -m bench.bounces set-of-emails rb-sisimai            each half, and all
    python -m bench.bounces set-of-emails rb-sisimai --list     what is read otherwise, of the half that was tuned on

The names' hashes split the files in two. The rules were made with one half in view, and measured on the other; what
that showed was mended afterwards, so by now neither half is unseen. Only files that tell of one reader count as right
or wrong. Delays are no failures, though Sisimai calls them so.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from corr.mail.inward.bounce_report import report_of
from corr.mail.inward.letter import open_letter, reading_of, without_order

TUNED, KEPT = "tuned", "kept"
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_FILE = re.compile(r"'(\d+)' => \[((?:\s*\[[^\]]*\],?)+)")
_READER = re.compile(r"\[\s*'[^']*',\s*'[^']*',\s*'([^']*)',\s*(true|false)")
_NO_FAILURE = ("feedback", "vacation", "delivered")


class Expected(NamedTuple):
    """What Sisimai makes of a bounce for one reader."""

    reason: str
    is_hard: bool

    @property
    def is_failure(self) -> bool:
        return self.reason not in _NO_FAILURE


class Bounce(NamedTuple):
    """A file, what is expected of it where it tells of one reader, and how it is read."""

    name: str
    expected: Expected | None
    verdict: str
    is_taken_for_a_persons: bool

    @property
    def is_right(self) -> bool:
        """Whether it is read as expected, or was expected to be anything."""
        if self.expected is None:
            return not self.is_taken_for_a_persons
        said = {"hard"} if self.expected.is_hard else {"soft", "late or none"}
        return self.verdict in said and not self.is_taken_for_a_persons


def expectations(sisimai: Path) -> Iterator[tuple[str, Expected]]:
    """What is expected of each file that tells of one reader."""
    for path in sorted(sisimai.glob("test/public/*.rb")):
        for number, readers in _FILE.findall(_COMMENT.sub("", path.read_text())):
            found = _READER.findall(readers)
            if len(found) == 1:
                yield f"{path.stem}-{number}.eml", Expected(found[0][0], found[0][1] == "true")


def half(name: str) -> str:
    """Which half a file belongs to."""
    return (TUNED, KEPT)[hashlib.sha256(name.encode()).digest()[0] % 2]


def verdict(raw: bytes) -> str:
    """How a bounce is read, in a word."""
    failure = report_of(raw)
    if failure is None:
        return "late or none"
    if failure.is_hard:
        return "hard"
    return "soft" if failure.is_clear else "unclear"


def read(path: Path, expected: Expected | None) -> Bounce:
    raw = path.read_bytes()
    letter = open_letter(raw)
    is_automatic = bool(letter.automatic or without_order(letter, reading_of(letter, None)))
    return Bounce(path.name, expected, verdict(raw), not is_automatic)


def share(of: str, name: str, bounces: Sequence[Bounce]) -> str:
    """How many of some are read so."""
    count = sum(each.verdict == of for each in bounces)
    return f"{name} {count} of {len(bounces)} ({count / len(bounces):.1%})"


def figures(bounces: Sequence[Bounce]) -> str:
    known = [(each, each.expected) for each in bounces if each.expected]
    return "; ".join(
        (
            share("unclear", "no verdict", [each for each, expected in known if expected.is_failure]),
            share("hard", "hard recall", [each for each, expected in known if expected.is_hard]),
            share("hard", "false hard", [each for each, expected in known if not expected.is_hard]),
            f"taken for a person's {sum(each.is_taken_for_a_persons for each in bounces)} of {len(bounces)}",
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("emails", type=Path)
    parser.add_argument("sisimai", type=Path)
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    known = dict(expectations(asked.sisimai))
    files = sorted(asked.emails.glob("maildir/bsd/*.eml"))
    bounces = [read(path, known.get(path.name)) for path in files]
    if asked.list:
        for each in bounces:
            if half(each.name) == TUNED and not each.is_right:
                print(f"{each.name:32} {each.verdict:12} {each.expected or ''}")
        return
    for name in (TUNED, KEPT):
        print(f"{name:6} {figures([each for each in bounces if half(each.name) == name])}")
    print(f"all    {figures(bounces)}")


if __name__ == "__main__":
    main()
