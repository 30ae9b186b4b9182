"""Addresses and message numbers as header fields hold them."""

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
    """Every address in some fields, each once."""
    pieces = (piece for value in values for piece in _BETWEEN.split(plain(value)))
    return tuple(dict.fromkeys(piece for piece in pieces if _ADDRESS.fullmatch(piece)))


def single(values: list[str]) -> str:
    """The one address of the one field there is; nothing where that is in doubt."""
    field = plain(values[0]) if len(values) == 1 else ""
    if ":" in field or ";" in field:  # a group, which is nobody
        return ""
    boxes = [box for box in field.split(",") if "@" in box]
    return _address(boxes[0]) if len(boxes) == 1 else ""


def called(value: str) -> str:
    """What the writer of a field calls himself, as he wrote it: nothing that anybody vouches for."""
    quoted = _QUOTED.match(value)
    if quoted:
        return subject(_ESCAPED.sub(r"\1", quoted[1]))
    return subject(value.partition("<")[0].strip()) if "<" in value else ""


def ids(values: Iterable[str]) -> tuple[str, ...]:
    """The well-formed message numbers in some fields without their brackets, each once, not too many."""
    found = (number for value in values for number in _ID.findall(value))
    return tuple(dict.fromkeys(found))[:_MOST_IDS]


def plain(value: str, gap: str = "") -> str:
    """The field without its comments and quoted names, with a gap in their places."""
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
