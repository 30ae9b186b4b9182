"""Serves styles, scripts, font and drawings at addresses with a hash of all, so browsers keep them for ever."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from corr.text.messages import template_folder

#: `@import "board.css";`, `import { find } from "./page.js";`, `import "./page.js";`
_IMPORT = {
    ".css": re.compile(r'^@import "([\w-]+\.css)";\n', re.MULTILINE),
    ".js": re.compile(r'^import (?:[^"\n]+ from )?"\./([\w-]+\.js)";\n', re.MULTILINE),
}
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_REMARK = re.compile(r"^ *//.*\n", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)
#: A string, which stays as it is; a comment beside a statement; or blanks around signs that need none.
_STRING_OR_BLANKS = re.compile(r"""("[^"\n]*"|'[^'\n]*'|`[^`]*`)| *// .*| *([{}()=<>?:;,&|*!]+) *""")
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
    """Return the text of a file, after the texts of all files that it imports."""
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
    """Remove comments, blanks and `export`, but keep line breaks, which may end statements."""
    bare = _INDENT.sub("", _REMARK.sub("", _EXPORT.sub("", text)))
    return _STRING_OR_BLANKS.sub(lambda found: found[1] or found[2] or "", bare)


def _short_style(text: str) -> str:
    bare = _BLANKS.sub(" ", _CSS_REMARK.sub("", text)).strip()
    return _BLANK_AFTER_COLON.sub(":", _BLANKS_AROUND.sub(r"\1", bare)).replace(";}", "}")


pages = Blueprint("assets", __name__)

_FOLDER = Path(__file__).with_name("static")
_KINDS = {".js": "text/javascript", ".woff2": "font/woff2", ".webp": "image/webp", ".svg": "image/svg+xml"}
#: Kinds of text files, which we compress; the others are compressed already.
_COMPRESSED_KINDS = frozenset([".css", ".js", ".svg", ".txt"])
_SOURCES = frozenset([".css", ".js"])  # kinds of files that we bundle and shorten for browsers
_CACHE_FOREVER = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file that is the same for everybody."""

    kind: str
    plain: bytes
    packed: bytes | None


@cache
def assets() -> Mapping[str, Asset]:
    """Return all static files by name, ready to serve."""
    return {
        path.relative_to(_FOLDER).as_posix(): _asset(path)
        for path in sorted(_FOLDER.rglob("*"))
        if path.is_file()
    }


def _asset(path: Path) -> Asset:
    plain = bundle_file(path).encode() if path.suffix in _SOURCES else path.read_bytes()
    kind = _KINDS.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
    return Asset(kind, plain, gzip.compress(plain, mtime=0) if path.suffix in _COMPRESSED_KINDS else None)


@cache
def stamp() -> str:
    """Return a hash of all static files, which is part of their addresses."""
    told = hashlib.blake2b(digest_size=4)
    for name, asset in assets().items():
        told.update(f"{name} {len(asset.plain)} ".encode() + asset.plain)
    return told.hexdigest()


@pages.get("/static/<given>/<path:name>")
def asset(given: str, name: str) -> Response:
    """Serve an asset; under an older stamp serve its current version, uncached."""
    found = assets().get(name) or abort(404)
    answer = Response(found.plain, content_type=found.kind)
    if found.packed is not None:
        answer.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"] > 0:
            answer.data = found.packed
            answer.content_encoding = "gzip"
    answer.headers["Cache-Control"] = _CACHE_FOREVER if given == stamp() else "no-store"
    return answer


@cache
def theme_stamp() -> str:
    """Return a hash of all templates and static files, for ETags."""
    files = sorted(template_folder().rglob("*.*"))
    told = stamp().encode() + b"".join(file.read_bytes() for file in files if file.is_file())
    return hashlib.blake2b(told, digest_size=6).hexdigest()
