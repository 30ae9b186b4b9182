"""Parses addresses and Message-IDs in header fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from corr.mail.inward.subject import decode_subject

_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@.][^\s@]{0,250}")
_ID = re.compile(r"<([!-;=?-~]{1,200}@[!-;=?-~]{1,200})>")
_SEPARATORS = re.compile(r"[\s<>(),;:\"\\\[\]]+")
_QUOTE_OR_COMMENT = re.compile(r"[\"(\\]")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.){0,1000})"\s*<')
_ESCAPED = re.compile(r"\\(.)")
_MOST_IDS = 50


def addresses(values: Iterable[str]) -> tuple[str, ...]:
    pieces = (piece for value in values for piece in _SEPARATORS.split(strip_comments(value)))
    return tuple(dict.fromkeys(piece for piece in pieces if _ADDRESS.fullmatch(piece)))


def only_address(values: list[str]) -> str:
    """Return the only address of the only field; empty if that is in doubt."""
    field = strip_comments(values[0]) if len(values) == 1 else ""
    if ":" in field or ";" in field:  # a group is no single sender
        return ""
    boxes = [box for box in field.split(",") if "@" in box]
    return _address(boxes[0]) if len(boxes) == 1 else ""


def display_name(value: str) -> str:
    """Return the writer's display name as written; nothing vouches for it."""
    quoted = _QUOTED.match(value)
    if quoted:
        return decode_subject(_ESCAPED.sub(r"\1", quoted[1]))
    return decode_subject(value.partition("<")[0].strip()) if "<" in value else ""


def ids(values: Iterable[str]) -> tuple[str, ...]:
    """Return the well-formed Message-IDs in some fields, without brackets, each once, up to a limit."""
    found = (number for value in values for number in _ID.findall(value))
    return tuple(dict.fromkeys(found))[:_MOST_IDS]


def strip_comments(value: str, gap: str = "") -> str:
    """Return the field with a gap in place of each comment and quoted name."""
    return "".join(_outside(value, gap)) if _QUOTE_OR_COMMENT.search(value) else value


def _address(box: str) -> str:
    name, bracket, rest = box.partition("<")
    if not bracket:
        return _address_if_valid(box)
    inside, closed, after = rest.partition(">")
    address = _address_if_valid(inside)
    if not closed or after.strip() or ("@" in name and _address_if_valid(name) != address):
        return ""
    return address


def _address_if_valid(text: str) -> str:
    text = text.strip()
    if not _ADDRESS.fullmatch(text) or _SEPARATORS.search(text):
        return ""
    local, _, domain = text.rpartition("@")
    return f"{local}@{domain.lower()}"


def _outside(value: str, gap: str) -> Iterator[str]:
    depth, quoted, escaped = 0, False, False
    for sign in value:
        if escaped:
            escaped = False
        elif sign == "\\" and (quoted or depth):
            escaped = True
        elif quoted:
            quoted = sign != '"'
        elif sign == "(" or (sign == ")" and depth):
            depth += 1 if sign == "(" else -1
            yield gap
        elif sign == '"' and not depth:
            quoted = True
            yield gap
        elif not depth:
            yield sign
