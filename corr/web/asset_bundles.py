"""Bundles styles and scripts with their imports, without what only their human readers need."""

from __future__ import annotations

import re
from pathlib import Path

#: `@import "board.css";`, `import { find } from "./page.js";`, `import "./page.js";`
_IMPORT = {
    ".css": re.compile(r'^@import "([\w-]+\.css)";\n', re.MULTILINE),
    ".js": re.compile(r'^import (?:[^"\n]+ from )?"\./([\w-]+\.js)";\n', re.MULTILINE),
}
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_REMARK = re.compile(r"^ *//.*\n", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)
_CSS_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANKS, _BLANKS_AROUND, _BLANK_AFTER_COLON = (
    re.compile(r"\s+"),
    re.compile(r" ?([{};,>]) ?"),
    re.compile(r"(?<=[a-z-]): "),
)


def bundle_file(path: Path) -> str:
    """Return one file, shortened, with all its imports, each once and before its first use."""
    text = "".join(_collect_imports(path, set()))
    return _short_style(text) if path.suffix == ".css" else _short_script(text)


def _collect_imports(path: Path, known: set[str]) -> list[str]:
    known.add(path.name)
    text, wanted = path.read_text(), _IMPORT[path.suffix]
    before = [
        part
        for name in wanted.findall(text)
        if name not in known
        for part in _collect_imports(path.with_name(name), known)
    ]
    return [*before, wanted.sub("", text)]


def _short_script(text: str) -> str:
    """Keep line breaks, so that we need no rules about where a statement may end."""
    return _INDENT.sub("", _REMARK.sub("", _EXPORT.sub("", text)))


def _short_style(text: str) -> str:
    bare = _BLANKS.sub(" ", _CSS_REMARK.sub("", text)).strip()
    return _BLANK_AFTER_COLON.sub(":", _BLANKS_AROUND.sub(r"\1", bare)).replace(";}", "}")
