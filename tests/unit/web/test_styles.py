"""Each class that a style sheet names is somewhere used, and each that a page uses means something."""

from __future__ import annotations

import re
from pathlib import Path

from corr.text.messages import template_folder

STATIC = Path("corr/web/static")
#: Classes that are made of parts: a man, a ghost, a square, how far off something is, a mark explained.
MADE = re.compile(r"[wb][KQRBNPX]|g[KQRBNP]|[a-h][1-8]|far[1-7]|legend-\w+")
_MADE_HERE = "\x00"
_COMMENT, _CLASS = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"\.([a-zA-Z][\w-]*)")
_ADDRESS = re.compile(r"url\([^)]*\)|\"[^\"]*\"")


def named() -> set[str]:
    """The classes of all style sheets."""
    sheets = (_ADDRESS.sub("", _COMMENT.sub("", path.read_text())) for path in STATIC.glob("*.css"))
    selectors = (rule.rpartition("}")[2] for sheet in sheets for rule in re.split(r"\{", sheet))
    return {name for each in selectors for name in _CLASS.findall(each)}


def pages() -> list[str]:
    return [path.read_text() for path in template_folder().rglob("*.html") if path.parent.name != "mail"]


def written() -> str:
    """All that can give a class to something on a page."""
    code = [path.read_text() for path in (*STATIC.glob("*.js"), *Path("corr/web").rglob("*.py"))]
    return "\n".join([*pages(), *code])


def test_each_class_of_a_style_sheet_is_used() -> None:
    text = written()
    unused = {name for name in named() if not re.search(rf"(?<![\w-]){name}(?![\w-])", text)}

    assert {name for name in unused if not MADE.fullmatch(name)} == set()


def test_each_class_of_a_page_is_in_a_style_sheet() -> None:
    plain = set[str]()
    for page in pages():
        text = re.sub(
            r"\{\{.*?\}\}", _MADE_HERE, re.sub(r"\{%.*?%\}", " ", page, flags=re.DOTALL), flags=re.DOTALL
        )
        plain |= {name for each in re.findall(r'class="([^"]*)"', text) for name in each.split()}

    assert {name for name in plain if _MADE_HERE not in name} - named() == set()
