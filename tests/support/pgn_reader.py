"""Reads back the PGN files that we write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corr.rules.retold.pgn import Record

_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]')
_TOKEN = re.compile(r"(?:\{([^{}]*)\}|(1-0|0-1|1/2-1/2|\*)$|\d+\.+|([^\s{}]+))\s*")


def read_pgn(text: str) -> Record:
    """Read a record that was written here; ValueError for any other text."""
    head, _, movetext = text.partition("\n\n")
    tags = tuple(_read_tag(line) for line in head.split("\n"))
    moves: list[str] = []
    comments: list[list[str]] = [[]]
    result = ""
    for token in _tokens(movetext.strip()):
        said, result, move = token.group(1, 2, 3)
        if said is not None:
            comments[-1].append(" ".join(said.split()))
        elif move is not None:
            moves.append(move)
            comments.append([])
    if not result:
        raise ValueError("This game has no result at its end.")
    return Record(tags, tuple(moves), tuple(map(tuple, comments)), result)


def _read_tag(line: str) -> tuple[str, str]:
    found = _TAG.fullmatch(line)
    if not found:
        raise ValueError(f"{line!r} isn't a tag.")
    return found[1], re.sub(r"\\(.)", r"\1", found[2])


def _tokens(movetext: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(movetext):
        found = _TOKEN.match(movetext, at)
        if not found:
            raise ValueError(f"{movetext[at : at + 20]!r} belongs in no game.")
        yield found
        at = found.end()
