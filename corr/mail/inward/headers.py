"""Parses email headers by hand, so that no content can make parsing slow; its limits are in `corr/limits.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from corr import limits
from corr.mail.inward.decoding import decode_subject


@dataclass(frozen=True, slots=True)
class EmailHeader:
    """The fields of an email or part, by lower-case name; `cut` names the fields we shortened."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    cut: frozenset[str] = frozenset()
    too_long: bool = False

    def all(self, name: str) -> list[str]:
        return self.fields.get(name, [])

    def first(self, name: str) -> str:
        """Return the first value of a field; empty if it is missing."""
        return self.fields.get(name, [""])[0]


def split_header(raw: bytes) -> tuple[EmailHeader, bytes]:
    """Split an email with LF line ends into its header and the bytes of its body."""
    if raw.startswith(b"\n"):
        return EmailHeader(), raw[1:]
    block, _, body = raw.partition(b"\n\n")
    return _head(block[: limits.LETTER_HEAD_BYTES], too_long=len(block) > limits.LETTER_HEAD_BYTES), body


def _head(block: bytes, *, too_long: bool) -> EmailHeader:
    """Parse a header; shorten fields that are too long, and note their names."""
    fields: dict[str, list[str]] = {}
    cut = set()
    for name, value in _unfold_fields(_text(block)):
        fields.setdefault(name, []).append(value[: limits.LETTER_FIELD_CHARACTERS])
        if len(value) > limits.LETTER_FIELD_CHARACTERS:
            cut.add(name)
    return EmailHeader(fields, frozenset(cut), too_long)


def _text(block: bytes) -> str:
    """Decode a header's bytes as UTF-8, or else as Latin-1."""
    block = block.replace(b"\r", b" ").replace(b"\0", b"")
    try:
        return block.decode()
    except UnicodeDecodeError:
        return block.decode("latin-1")


def _unfold_fields(text: str) -> list[tuple[str, str]]:
    """Return each field's name and value, with wrapped lines joined; skip malformed lines."""
    found: list[tuple[str, list[str]]] = []
    pieces: list[str] = []
    for line in text.split("\n"):
        if line[:1] in (" ", "\t"):
            pieces.append(line.strip())
            continue
        name, colon, value = line.partition(":")
        pieces = [value.strip()]
        if colon and name.strip().isascii() and " " not in name.strip():
            found.append((name.strip().lower(), pieces))
    return [(name, " ".join(pieces).strip()) for name, pieces in found]


@dataclass(frozen=True, slots=True)
class FieldValue:
    value: str
    params: dict[str, str]


def parse_field(text: str) -> FieldValue:
    """Split a field into its value, in lower case, and its parameters (RFC 2231), the first of each name."""
    value, *rest = _pieces(text) if '"' in text or "(" in text else text.split(";")
    params: dict[str, str] = {}
    for piece in rest:
        name, _, given = piece.partition("=")
        name, star, number = name.strip().lower().partition("*")
        if star and number.rstrip("*").isdigit() and number.rstrip("*") != "0":
            params[name] = params.get(name, "") + _decode_extended(given, number.endswith("*"))
        else:
            params.setdefault(name, _decode_extended(given, bool(star) and not number.isdigit()))
    return FieldValue(value.strip().lower(), params)


def _decode_extended(text: str, is_extended: bool) -> str:  # noqa: FBT001  # one of two ways to write a value
    """Return a parameter's value, decoded if it is in RFC 2231's extended form."""
    text = text.strip()
    return unquote(text.rpartition("'")[2], errors="replace") if is_extended else text


def _pieces(text: str) -> Iterator[str]:
    """Split a field at its semicolons, without comments, quotes and backslashes."""
    piece: list[str] = []
    quoted, escaped, depth = False, False, 0
    for sign in text:
        if escaped:
            piece.append(sign)
            escaped = False
        elif sign == "\\" and quoted:
            escaped = True
        elif sign == '"' and not depth:
            quoted = not quoted
        elif not quoted and sign in "()":
            depth = max(0, depth + (1 if sign == "(" else -1))
        elif sign == ";" and not quoted and not depth:
            yield "".join(piece)
            piece = []
        elif not depth:
            piece.append(sign)
    yield "".join(piece)


_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@.][^\s@]{0,250}")
_ID = re.compile(r"<([!-;=?-~]{1,200}@[!-;=?-~]{1,200})>")
_SEPARATORS = re.compile(r"[\s<>(),;:\"\\\[\]]+")
_QUOTE_OR_COMMENT = re.compile(r"[\"(\\]")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.){0,1000})"\s*<')
_ESCAPED = re.compile(r"\\(.)")
_MOST_IDS = 50


def list_addresses(values: Iterable[str]) -> tuple[str, ...]:
    """Return all well-formed email addresses in some fields, each once."""
    pieces = (piece for value in values for piece in _SEPARATORS.split(strip_comments(value)))
    return tuple(dict.fromkeys(piece for piece in pieces if _ADDRESS.fullmatch(piece)))


def only_address(values: list[str]) -> str:
    """Return the address if there is exactly one field with one; otherwise an empty string."""
    field = strip_comments(values[0]) if len(values) == 1 else ""
    if ":" in field or ";" in field:  # a group is no single sender
        return ""
    boxes = [box for box in field.split(",") if "@" in box]
    return _address(boxes[0]) if len(boxes) == 1 else ""


def display_name(value: str) -> str:
    """Return the sender's display name as written, which anybody can claim; empty if none."""
    quoted = _QUOTED.match(value)
    if quoted:
        return decode_subject(_ESCAPED.sub(r"\1", quoted[1]))
    return decode_subject(value.partition("<")[0].strip()) if "<" in value else ""


def list_message_ids(values: Iterable[str]) -> tuple[str, ...]:
    """Return the well-formed Message-IDs in some fields, without brackets, each once, up to a limit."""
    found = (number for value in values for number in _ID.findall(value))
    return tuple(dict.fromkeys(found))[:_MOST_IDS]


def strip_comments(value: str, gap: str = "") -> str:
    """Replace each comment and each quoted name in a field by `gap`."""
    return "".join(_outside(value, gap)) if _QUOTE_OR_COMMENT.search(value) else value


def _address(box: str) -> str:
    """Return the address in a piece such as `Ann <ann@example.org>`; empty if malformed."""
    name, bracket, rest = box.partition("<")
    if not bracket:
        return _address_if_valid(box)
    inside, closed, after = rest.partition(">")
    address = _address_if_valid(inside)
    if not closed or after.strip() or ("@" in name and _address_if_valid(name) != address):
        return ""
    return address


def _address_if_valid(text: str) -> str:
    """Return an address with its domain in lower case; empty if it is malformed."""
    text = text.strip()
    if not _ADDRESS.fullmatch(text) or _SEPARATORS.search(text):
        return ""
    local, _, domain = text.rpartition("@")
    return f"{local}@{domain.lower()}"


def _outside(value: str, gap: str) -> Iterator[str]:
    """Yield a field's characters outside comments and quotes, with a gap for each of those."""
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
