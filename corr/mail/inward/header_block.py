"""Parses a block of header fields by hand, so that no content can make parsing slow."""

from __future__ import annotations

from dataclasses import dataclass, field

from corr import limits


@dataclass(frozen=True, slots=True)
class EmailHeader:
    """The fields of an email or of one of its parts, by their lower-case names."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    cut: frozenset[str] = frozenset()
    too_long: bool = False

    def all(self, name: str) -> list[str]:
        return self.fields.get(name, [])

    def first(self, name: str) -> str:
        return self.fields.get(name, [""])[0]


def split_header(raw: bytes) -> tuple[EmailHeader, bytes]:
    """Split an email with LF line ends into its header and the bytes of its body."""
    if raw.startswith(b"\n"):
        return EmailHeader(), raw[1:]
    block, _, body = raw.partition(b"\n\n")
    return _head(block[: limits.LETTER_HEAD_BYTES], too_long=len(block) > limits.LETTER_HEAD_BYTES), body


def _head(block: bytes, *, too_long: bool) -> EmailHeader:
    fields: dict[str, list[str]] = {}
    cut = set()
    for name, value in _unfold_fields(_text(block)):
        fields.setdefault(name, []).append(value[: limits.LETTER_FIELD_CHARACTERS])
        if len(value) > limits.LETTER_FIELD_CHARACTERS:
            cut.add(name)
    return EmailHeader(fields, frozenset(cut), too_long)


def _text(block: bytes) -> str:
    block = block.replace(b"\r", b" ").replace(b"\0", b"")
    try:
        return block.decode()
    except UnicodeDecodeError:
        return block.decode("latin-1")


def _unfold_fields(text: str) -> list[tuple[str, str]]:
    """Return names and values; skip a line that neither starts nor continues a field."""
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
