"""CSS classes: each one in a style sheet is used, and each one on a page has a style."""

from __future__ import annotations

import re
from pathlib import Path

from corr.text.messages import template_folder

STATIC = Path("corr/web/static")
#: Classes composed at run time: pieces, ghosts, squares, distances, legends.
COMPOSED = re.compile(r"[wb][KQRBNPX]|g[KQRBNP]|[a-h][1-8]|far[1-7]|legend-\w+")
_PLACEHOLDER = "\x00"
_COMMENT, _CLASS = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"\.([a-zA-Z][\w-]*)")
_URL_OR_STRING = re.compile(r"url\([^)]*\)|\"[^\"]*\"")


def styled_classes() -> set[str]:
    """Return the classes of all style sheets."""
    sheets = (_URL_OR_STRING.sub("", _COMMENT.sub("", path.read_text())) for path in STATIC.glob("*.css"))
    selectors = (rule.rpartition("}")[2] for sheet in sheets for rule in re.split(r"\{", sheet))
    return {name for each in selectors for name in _CLASS.findall(each)}


def pages() -> list[str]:
    return [path.read_text() for path in template_folder().rglob("*.html") if path.parent.name != "mail"]


def sources() -> str:
    """Return everything that can give an element a class."""
    code = [path.read_text() for path in (*STATIC.glob("*.js"), *Path("corr/web").rglob("*.py"))]
    return "\n".join([*pages(), *code])


def test_every_class_in_a_style_sheet_is_used() -> None:
    text = sources()
    unused = {name for name in styled_classes() if not re.search(rf"(?<![\w-]){name}(?![\w-])", text)}

    assert {name for name in unused if not COMPOSED.fullmatch(name)} == set()


def test_every_class_on_a_page_has_a_style() -> None:
    plain = set[str]()
    for page in pages():
        text = re.sub(
            r"\{\{.*?\}\}", _PLACEHOLDER, re.sub(r"\{%.*?%\}", " ", page, flags=re.DOTALL), flags=re.DOTALL
        )
        plain |= {name for each in re.findall(r'class="([^"]*)"', text) for name in each.split()}

    assert {name for name in plain if _PLACEHOLDER not in name} - styled_classes() == set()
