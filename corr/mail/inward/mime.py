"""Extracts an email's text from its parts, checking each limit of `corr/limits.py` before doing the work."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice

from corr import limits
from corr.mail.inward.decoding import decode_part
from corr.mail.inward.headers import EmailHeader, FieldValue, parse_field, split_header
from corr.mail.inward.html import html_to_lines
from corr.text.messages import sentence
from corr.words.errors import Refused


def join_flowed_lines(lines: Iterable[str], *, delete_space: bool) -> list[str]:
    """Join the wrapped lines of `format=flowed` text (RFC 3676) to paragraphs."""
    joined: list[str] = []
    pieces: list[str] = []
    for line in lines:
        is_quoted = line.startswith(">")
        text = line.removeprefix(" ")
        if pieces and (is_quoted or not text.strip() or text == "-- "):
            joined.append("".join(pieces))
            pieces = []
        if is_quoted or text == "-- " or not text.endswith(" "):
            joined.append("".join([*pieces, text]))
            pieces = []
        else:
            pieces.append(text[:-1] if delete_space else text)
    return [*joined, "".join(pieces)] if pieces else joined


_UUENCODED = re.compile(r"begin [0-7]{3,4} \S")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_ENCRYPTED = "-----BEGIN PGP MESSAGE-----"
_END_MARKS = {_SIGNATURE: "-----END PGP SIGNATURE-----"}
_MOST_LINKS = 20


def remove_wrappers(lines: Iterable[str]) -> list[str]:
    """Remove PGP signatures, uuencoded files and mailto links; refuse encrypted text."""
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
    """Undo what a program made of an order: `N@f5<mailto:N@f5>` becomes `N@f5`."""
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


_CALENDAR = re.compile("text/calendar", re.IGNORECASE)
_CALENDAR_INSIDE = re.compile(rb"text/calendar", re.IGNORECASE)
_METHOD_REPLY = re.compile(r"^METHOD:REPLY\s*$", re.IGNORECASE | re.MULTILINE)
_SECRET = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


@dataclass(frozen=True, slots=True)
class Part:
    kind: str
    params: dict[str, str]
    head: EmailHeader
    body: bytes
    parts: tuple[Part, ...] = ()

    @property
    def is_attached(self) -> bool:
        disposition = parse_field(self.head.first("content-disposition"))
        return disposition.value == "attachment" or "filename" in disposition.params


def text_lines(head: EmailHeader, body: bytes) -> tuple[str, ...]:
    """Return the lines of an email's text, each cut to a limit; raise Refused without text."""
    whole = _open_part(head, body, 0, count(1))
    lines = _check_line_count(_lines(whole))
    if not lines and body.strip() and not _has_text(whole):
        raise Refused(sentence("mail.no_text"))
    most = limits.LETTER_LINE_CHARACTERS
    return tuple(line if len(line) <= most else f"{line[:most]} [cut]" for line in lines)


def is_calendar_reply(head: EmailHeader, body: bytes) -> bool:
    return bool(_CALENDAR.search(head.first("content-type")) or _CALENDAR_INSIDE.search(body)) and any(
        _is_calendar_reply(part) for part in _parts(_open_part(head, body, 0, count(1)))
    )


def texts_of_kind(head: EmailHeader, body: bytes, kind: str) -> list[str]:
    """Return the texts of all parts of an email with this content type."""
    return [_text(part) for part in _parts(_open_part(head, body, 0, count(1))) if part.kind == kind]


def _is_calendar_reply(part: Part) -> bool:
    if part.kind != "text/calendar":
        return False
    return part.params.get("method", "").lower() == "reply" or bool(_METHOD_REPLY.search(_text(part)))


def _parts(part: Part) -> Iterator[Part]:
    """Yield a part and all parts inside it."""
    yield part
    for piece in part.parts:
        yield from _parts(piece)


def _open_part(head: EmailHeader, body: bytes, depth: int, counted: Iterator[int]) -> Part:
    """Split an email into its parts, and those again; raise Refused if there are too many."""
    is_too_much = next(counted) > limits.LETTER_PARTS or depth > limits.LETTER_PARTS_DEEP
    if is_too_much or head.too_long or "content-type" in head.cut:
        raise Refused(sentence("mail.too_many_parts"))
    kind = _kind(head)
    if not kind.value.startswith("multipart/"):
        return Part(kind.value, kind.params, head, body)
    pieces = _pieces(body, kind.params.get("boundary", ""))
    if not pieces and body.strip():
        raise Refused(sentence("mail.broken"))
    parts = tuple(_open_part(*split_header(piece), depth + 1, counted) for piece in pieces)
    return Part(kind.value, kind.params, head, b"", parts)


def _kind(head: EmailHeader) -> FieldValue:
    kind = parse_field(head.first("content-type"))
    return kind if "/" in kind.value else FieldValue("text/plain", {})


def _pieces(body: bytes, boundary: str) -> list[bytes]:
    """Return the bytes of each part between the boundary lines."""
    if not boundary:
        return []
    text = b"\n" + body
    places = list(_borders(text, boundary.encode("utf-8", "surrogateescape")))
    ends = [start for start, _ in places[1:]] + [len(text)]
    return [text[after:end] for (_, after), end in zip(places, ends, strict=False) if after >= 0]


def _borders(text: bytes, boundary: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each boundary line begins and where the part after it begins; -1 after the last one."""
    border = re.compile(rb"\n--" + re.escape(boundary) + rb"(--)?[ \t\r]*(?=\n|\Z)")
    for found in islice(border.finditer(text), limits.LETTER_PARTS + 1):
        yield found.start(), -1 if found[1] else min(found.end() + 1, len(text))
        if found[1]:
            return


def _lines(part: Part) -> list[str]:
    """Return the lines of a part's text, by its content type; none for other files."""
    match part.kind:
        case "text/plain":
            return _plain_lines(part)
        case "text/html":
            return remove_wrappers(html_to_lines(_text(part)))
        case "multipart/alternative":
            return _best_alternative(part.parts)
        case "multipart/related" | "multipart/signed":
            return _lines(part.parts[0]) if part.parts else []
        case kind if kind in _SECRET:
            raise Refused(sentence("mail.encrypted"))
        case kind if kind.startswith("multipart/"):
            return _join_texts(piece for piece in part.parts if not piece.is_attached)
    return []


def _join_texts(parts: Iterable[Part]) -> list[str]:
    """Join the texts before and after a picture, with an empty line between."""
    lines: list[str] = []
    for part in parts:
        found = _lines(part)
        lines += ["", *found] if lines and found else found
    return lines


def _best_alternative(parts: tuple[Part, ...]) -> list[str]:
    """Return the plain text if it says anything, else the richest alternative that does."""
    plain = [part for part in parts if part.kind == "text/plain"]
    others = [part for part in reversed(parts) if part.kind != "text/plain"]
    found = (_lines(part) for part in (*plain, *others))
    return next((lines for lines in found if any(map(str.strip, lines))), [])


def _plain_lines(part: Part) -> list[str]:
    lines = _check_line_count(_text(part).splitlines())
    if part.params.get("format", "").lower() == "flowed":
        lines = join_flowed_lines(lines, delete_space=part.params.get("delsp", "").lower() == "yes")
    return remove_wrappers(lines)


def _text(part: Part) -> str:
    """Decode a part's text, and use LF line ends."""
    text = decode_part(
        part.body, part.head.first("content-transfer-encoding"), part.params.get("charset", "")
    )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_line_count(lines: list[str]) -> list[str]:
    if len(lines) > limits.LETTER_LINES:
        raise Refused(sentence("mail.too_many_lines"))
    return lines


def _has_text(part: Part) -> bool:
    return part.kind in ("text/plain", "text/html") or any(map(_has_text, part.parts))
