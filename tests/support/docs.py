"""Reads the project's docs: code blocks, inline code and headings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
    )
}
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")


class Block(NamedTuple):
    """A fenced code block and its page."""

    page: str
    language: str
    text: str


BLOCKS = [Block(page, *found) for page, text in PAGES.items() for found in _BLOCK.findall(text)]


def code_block(page: str, holds: str) -> str:
    """The only block of a page with these words."""
    (found,) = (each.text for each in BLOCKS if each.page == page and holds in each.text)
    return found


def inline_code(page: str) -> list[str]:
    """The inline code of a page."""
    return _CODE.findall(_BLOCK.sub("", PAGES[page]))


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings."""
    heads = re.findall(r"^#+ (.+)$", _BLOCK.sub("", PAGES[page]), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
