"""Removes what mail programs put around plain text: PGP signatures, uuencoded files, doubled addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corr.text.messages import sentence
from corr.words.errors import Refused

_UUENCODED = re.compile(r"begin [0-7]{3,4} \S")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_ENCRYPTED = "-----BEGIN PGP MESSAGE-----"
_END_MARKS = {_SIGNATURE: "-----END PGP SIGNATURE-----"}
_MOST_LINKS = 20


def remove_wrappers(lines: Iterable[str]) -> list[str]:
    """Return the lines that a person wrote; refuse encrypted text."""
    kept: list[str] = []
    end, signed = "", False
    for line in lines:
        bare = line.strip()
        if end:
            end = "" if bare == end else end
        elif bare == _ENCRYPTED:
            raise Refused(sentence("mail.encrypted"))
        elif bare == _SIGNED:
            signed = True
        elif bare == _SIGNATURE or _UUENCODED.match(line):
            end = _END_MARKS.get(bare, "end")
        elif not (signed and not kept and (not bare or bare.startswith("Hash:"))):
            text = line[2:] if signed and line.startswith("- ") else line
            kept.append(_remove_mailto(text) if "mailto:" in text else text)
    return kept


def _remove_mailto(line: str) -> str:
    """Restore `N@f5<mailto:N@f5>` to what the writer typed."""
    for _ in range(_MOST_LINKS):
        start = max(line.find("<mailto:"), line.find("[mailto:"))
        if start < 0:
            break
        end = max(line.find(">", start), line.find("]", start))
        typed = line[start + 8 : end]
        if end < 0 or not line[:start].rstrip().endswith(typed):
            break
        line = line[:start].rstrip() + line[end + 1 :]
    return line
