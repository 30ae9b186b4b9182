"""Restores lines of `format=flowed` text (RFC 3676) to their state before wrapping."""

from __future__ import annotations

from collections.abc import Iterable


def join_flowed_lines(lines: Iterable[str], *, delete_space: bool) -> list[str]:
    """Join wrapped lines to paragraphs; keep quoted lines, signature marks and empty lines."""
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
