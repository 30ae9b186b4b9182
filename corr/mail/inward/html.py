"""Turns HTML into lines of text as a person sees them, quoted ones with `>`, in linear time."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from corr.orders.scanner import lower
from corr.text.messages import sentence
from corr.words.errors import Refused

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(r"[\s/]*([^\s=>/]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?|[\s/=]+")
_BLANKS = str.maketrans("\t\r\n\f", "    ")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_UNREAD = frozenset(
    ("style", "script", "title", "textarea", "iframe", "noembed", "xmp", "xml", "template", "select", "svg")
)
_BLOCKS = frozenset(
    (
        *("h1", "h2", "h3", "h4", "h5", "h6", "dd", "dl", "dt", "li", "ol", "ul"),
        *("caption", "table", "tbody", "tfoot", "thead", "tr", "html", "main", "p", "pre", "section"),
        *(
            "address",
            "article",
            "blockquote",
            "body",
            "center",
            "div",
            "fieldset",
            "footer",
            "form",
            "header",
        ),
    )
)
_CELLS = frozenset(("td", "th"))
_BARS = _BLOCKS | _CELLS
_HIDING = re.compile(
    r"(?:display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden|(?:font-size|max-height)\s*:\s*0(?![.\d]))"
)
_PRE = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
_NO_BORDER = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)")
_NO_MARGIN = re.compile(r"margin(?:-top|-bottom)?\s*:\s*0")
_RULE_STYLE = re.compile(r"border-top(?:-style)?\s*:[^;]*\bsolid")
#: Words in a class, name or id by which mail programs mark a quotation's box, or its header.
_HEAD = re.compile(
    r"quote|cite|gmail_attr|messageheader|rplyfwdmsg|appendonsend|reference-message|src_body_section|forward"
    r"|reply-intro|reply-?section|reply-?header|reply-?content|j-reply|original-?message|__headers__"
)
_NAME_ATTRIBUTES = ("class", "id", "name", "data-marker")
_RULE = "_" * 32
_MOST_STEPS = 20_000
_DEEPEST_SEARCH = 50


@dataclass(frozen=True, slots=True)
class _Element:
    name: str
    hides: bool = False
    quotes: bool = False
    keeps_blanks: bool = False
    is_wide: bool = False
    is_head: bool = False


def html_to_lines(source: str) -> list[str]:
    """Return the lines of an HTML email; raise Refused if it has far too many tags."""
    if source.count("&") > _MOST_STEPS:
        raise Refused(sentence("mail.tangled"))
    page = _Page(source)
    page.read()
    return page.lines


class _Page:
    def __init__(self, source: str) -> None:
        self.lines: list[str] = []
        self._source = source
        self._small = lower(source)
        self._said: list[str] = []
        self._open: list[_Element] = []
        self._names: Counter[str] = Counter()
        self._hidden = self._quoted = self._kept = 0
        self._steps = 0

    def read(self) -> None:
        """Go through the whole source once, and fill `lines`."""
        at = 0
        while (tag := self._source.find("<", at)) >= 0:
            self._say(self._source[at:tag])
            at = self._markup(tag)
        self._say(self._source[at:])
        self._end_line()

    def _markup(self, at: int) -> int:
        """Handle the tag or comment that begins here; return where it ends."""
        self._step()
        tag = _TAG.match(self._source, at)
        if tag is None:
            return self._no_tag(at)
        name = tag[2].lower()
        at, attributes = self._attributes(tag.end())
        if tag[1]:
            self._close(name)
        elif name in _UNREAD:
            return self._after(">", self._before(f"</{name}", at))
        else:
            self._begin(name, attributes)
        return at

    def _no_tag(self, at: int) -> int:
        """Handle a `<` that begins a comment or plain text; return where that ends."""
        if self._source.startswith("<!--", at):
            return self._after("-->", at + 2)
        if self._source.startswith(("<!", "<?"), at):
            return self._after(">", at)
        self._say("<")
        return at + 1

    def _attributes(self, at: int) -> tuple[int, dict[str, str]]:
        """Parse a tag's attributes; return where the tag ends, and the attributes."""
        attributes: dict[str, str] = {}
        if self._source.startswith(">", at):
            return at + 1, attributes
        while found := _ATTRIBUTE.match(self._source, at):
            self._step()
            at = found.end()
            if found[1]:
                attributes[found[1].lower()] = (found[2] or found[3] or found[4] or "").lower()
        return self._after(">", at), attributes

    def _before(self, text: str, at: int) -> int:
        """Return where a text next begins, or the end of the source."""
        found = self._small.find(text, at)
        return found if found >= 0 else len(self._source)

    def _after(self, text: str, at: int) -> int:
        """Return where a text next ends, or the end of the source."""
        found = self._source.find(text, at)
        return found + len(text) if found >= 0 else len(self._source)

    def _step(self) -> None:
        """Count one step of work; raise Refused if there are too many."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise Refused(sentence("mail.tangled"))

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        """Open an element, which may begin a line, a quotation or hidden text."""
        if name == "br":
            self._end_line(even_empty=True)
        elif name == "hr":
            self._rule()
        if name in _VOID:
            return
        if name in _BLOCKS:
            self._close_paragraph()
            self._end_line()
        if name in _CELLS:
            self._say(" ")
        element = _make_element(name, attributes) if attributes else _bare_element(name)
        if element.is_wide:
            self._gap()
        if element.is_head:
            self._rule()
        self._open.append(element)
        self._names[name] += 1
        self._count(element, 1)

    def _count(self, element: _Element, by: int) -> None:
        """Add an element's effects on the text inside it, or take them away with -1."""
        self._hidden += by * element.hides
        self._quoted += by * element.quotes
        self._kept += by * element.keeps_blanks

    def _close(self, name: str) -> None:
        """Close an element, with the unclosed ones inside it."""
        if not self._is_closable(name):
            if name in ("br", "p"):
                self._end_line(even_empty=True)
            return
        if name in _BLOCKS:
            self._end_line()
        while True:
            element = self._pop()
            if element.is_wide:
                self._gap()
            if element.name == name:
                return

    def _pop(self) -> _Element:
        element = self._open.pop()
        self._names[element.name] -= 1
        self._count(element, -1)
        return element

    def _is_closable(self, name: str) -> bool:
        """Tell whether an end tag closes an open element; inline tags stay within their block."""
        if not self._names[name]:
            return False
        if name in _BARS:
            return True
        for element in reversed(self._open[-_DEEPEST_SEARCH:]):
            if element.name == name or element.name in _BARS:
                return element.name == name
        return False

    def _close_paragraph(self) -> None:
        """End an open paragraph, because another block begins."""
        inner = (element.name for element in reversed(self._open[-_DEEPEST_SEARCH:]) if element.name in _BARS)
        if self._names["p"] and next(inner, "") == "p":
            self._close("p")

    def _say(self, text: str) -> None:
        """Add text to the current line, unless it is hidden."""
        if text and not self._hidden:
            self._said.append(text)

    def _end_line(self, *, even_empty: bool = False) -> None:
        """Finish the current line; an empty one only with `even_empty`."""
        if not self._said and not even_empty:
            return
        text = "".join(self._said)
        self._said.clear()
        if self._hidden or not (text or even_empty):
            return
        for line in self._typed(text):
            if line or even_empty:
                self.lines.append(f"> {line}" if self._quoted else line)

    def _typed(self, text: str) -> list[str]:
        """Return text as lines, with runs of blanks joined unless the element keeps them."""
        if self._kept:
            return html.unescape(text).split("\n")
        words = text.translate(_BLANKS).split(" ")
        return [html.unescape(" ".join(filter(None, words)).strip())]

    def _rule(self) -> None:
        """Add a line of underscores, which text emails have above a quotation."""
        self._end_line()
        if not self._hidden:
            self.lines.append(f"> {_RULE}" if self._quoted else _RULE)

    def _gap(self) -> None:
        """Add an empty line, unless the last line is empty."""
        self._end_line()
        if not self._hidden and self.lines and self.lines[-1].strip("> "):
            self.lines.append(">" if self._quoted else "")


@lru_cache(maxsize=256)
def _bare_element(name: str) -> _Element:
    return _make_element(name, {})


def _make_element(name: str, attributes: dict[str, str]) -> _Element:
    """Tell from a tag's attributes whether its text is hidden, quoted or set apart."""
    style = attributes.get("style", "")
    marks = " ".join(attributes[each] for each in _NAME_ATTRIBUTES if each in attributes)
    quotes = name == "blockquote" and (
        attributes.get("type") == "cite" or "quote" in marks or not _NO_BORDER.search(style)
    )
    hides = "hidden" in attributes or bool(_HIDING.search(style))
    is_ruled = name == "div" and bool(_RULE_STYLE.search(style))
    is_head = name != "blockquote" and ("fairemail" in attributes or bool(_HEAD.search(marks)))
    return _Element(
        name,
        hides=hides,
        quotes=quotes,
        keeps_blanks=name == "pre" or bool(_PRE.search(style)),
        is_wide=name == "p" and not marks.startswith("mso") and not _NO_MARGIN.search(style),
        is_head=(is_ruled or is_head) and not hides,
    )
