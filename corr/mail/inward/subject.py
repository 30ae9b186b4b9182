"""Decodes a subject into what a person reads."""

from __future__ import annotations

import re

from corr.mail.inward.decoding import decode_word

_MOST_CHARACTERS = 1_000
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(=\?)")
_WORD = re.compile(r"=\?([!-<>-~]{1,60}?)\?([bBqQ])\?([!->@-~]{0,400})\?=")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def decode_subject(value: str) -> str:
    """Decode the encoded words of a subject, after cutting a very long one."""
    joined = _BETWEEN_WORDS.sub(r"\1\2", value[:_MOST_CHARACTERS])
    return _CONTROLS.sub(" ", _WORD.sub(_decode_match, joined)).strip()


def _decode_match(found: re.Match[str]) -> str:
    charset = found[1].partition("*")[0]
    return decode_word(found[3].encode("ascii"), found[2], charset)
