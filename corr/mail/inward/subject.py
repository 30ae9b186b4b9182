"""Decodes a subject into what a person reads."""

from __future__ import annotations

import re

from corr.mail.inward.decoding import word

_LONGEST = 1_000
_BETWEEN = re.compile(r"(\?=)\s+(=\?)")
_WORD = re.compile(r"=\?([!-<>-~]{1,60}?)\?([bBqQ])\?([!->@-~]{0,400})\?=")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def subject(value: str) -> str:
    """Decode the encoded words of a subject, after cutting a very long one."""
    joined = _BETWEEN.sub(r"\1\2", value[:_LONGEST])
    return _CONTROLS.sub(" ", _WORD.sub(_decoded, joined)).strip()


def _decoded(found: re.Match[str]) -> str:
    charset = found[1].partition("*")[0]
    return word(found[3].encode("ascii"), found[2], charset)
