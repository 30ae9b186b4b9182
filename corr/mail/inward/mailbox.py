"""Parses addresses and Message-IDs in header fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from corr.mail.inward.subject import subject

_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@.][^\s@]{0,250}")
_ID = re.compile(r"<([!-;=?-~]{1,200}@[!-;=?-~]{1,200})>")
_BETWEEN = re.compile(r"[\s<>(),;:\"\\\[\]]+")
_MARKED = re.compile(r"[\"(\\]")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.){0,1000})"\s*<')
_ESCAPED = re.compile(r"\\(.)")
_MOST_IDS = 50


def addresses(values: Iterable[str]) -> tuple[str, ...]:
    """Return every address in some fields, each once."""
    pieces = (piece for value in values for piece in _BETWEEN.split(plain(value)))
    return tuple(dict.fromkeys(piece for piece in pieces if _ADDRESS.fullmatch(piece)))


def single(values: list[str]) -> str:
    """Return the only address of the only field; empty if that is in doubt."""
    field = plain(values[0]) if len(values) == 1 else ""
    if ":" in field or ";" in field:  # a group is no single sender
        return ""
    boxes = [box for box in field.split(",") if "@" in box]
    return _address(boxes[0]) if len(boxes) == 1 else ""


def called(value: str) -> str:
    """Return the writer's display name as written; nothing vouches for it."""
    quoted = _QUOTED.match(value)
    if quoted:
        return subject(_ESCAPED.sub(r"\1", quoted[1]))
    return subject(value.partition("<")[0].strip()) if "<" in value else ""


def ids(values: Iterable[str]) -> tuple[str, ...]:
    """Return the well-formed Message-IDs in some fields, without brackets, each once, up to a limit."""
    found = (number for value in values for number in _ID.findall(value))
    return tuple(dict.fromkeys(found))[:_MOST_IDS]


def plain(value: str, gap: str = "") -> str:
    """Return the field with a gap in place of each comment and quoted name."""
    return "".join(_outside(value, gap)) if _MARKED.search(value) else value


def _address(box: str) -> str:
    name, bracket, rest = box.partition("<")
    if not bracket:
        return _well_formed(box)
    inside, closed, after = rest.partition(">")
    address = _well_formed(inside)
    if not closed or after.strip() or ("@" in name and _well_formed(name) != address):
        return ""
    return address


def _well_formed(text: str) -> str:
    text = text.strip()
    if not _ADDRESS.fullmatch(text) or _BETWEEN.search(text):
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
