"""Separates a reply's own lines from what it quotes, without knowing any language.

A line that parses as an order counts as quotation only if it is marked as one, or is below the header of another
email: our own emails contain no orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from corr.mail.inward import quote_and_signature_lines
from corr.mail.inward.quote_and_signature_lines import CaptionCertainty
from corr.mail.inward.reply_headers import MOST_FIELDS, MOST_WRAPPED_LINES, Head, LineMark, MarkedLines
from corr.orders import fold
from corr.orders.line_parser import UNFINISHED, parse_line

SIGNATURE_MARKS = frozenset(("--", "\u2014", "\u2013\u2013"))
_MARK = "> \t"
_FEWEST_WORDS = 4
_MOST_SEARCHED = 1_000
_MOST_LINES_SAID = 1_000
_MOST_CHARACTERS = 30_000


@dataclass(frozen=True, slots=True)
class OwnLines:
    """A reply's lines, with an empty line in place of each that is quoted or a signature.

    `below` holds unmarked lines below the header of another email: nobody can tell whether they are the writer's.
    `unread` is the line at which we stopped reading a reply that says too much.
    """

    lines: tuple[str, ...]
    below: tuple[str, ...]
    unread: str | None = None


def remove_quotation(lines: Sequence[str], sent: str) -> OwnLines:
    """Separate a reply's own lines from its quotations; `sent` is the email it answers."""
    texts = _texts(lines)
    most = len(texts)
    sheet = _Reply(lines, texts, sent)
    sheet.mark_quoted_lines()
    sheet.mark_list_tails()
    sheet.mark_headers()
    end = sheet.find_own_end()
    sheet.mark_signatures(end)
    kept = [line if mark is LineMark.SAID else "" for line, mark in zip(lines, sheet.marks, strict=False)]
    unread = lines[most].strip() if end == most < len(lines) else None
    return OwnLines((*kept[:end], *[""] * (len(lines) - end)), tuple(kept[end:]), unread)


def _texts(lines: Iterable[str]) -> list[str]:
    """Simplify the lines for comparison, `>` for each marked one, up to the most we read."""
    texts: list[str] = []
    said = signs = 0
    for line in lines:
        bare = line.strip()
        if bare.startswith(">"):
            texts.append(">")
            continue
        if bare:
            said, signs = said + 1, signs + len(line)
            if said > _MOST_LINES_SAID or signs > _MOST_CHARACTERS:
                break
        texts.append(fold(line) if bare else "")
    return texts


class _Reply(MarkedLines):
    """A reply whose lines are marked step by step."""

    def __init__(self, lines: Sequence[str], texts: list[str], sent: str) -> None:
        super().__init__(lines, texts)
        self.heads: list[Head] = []
        self._sent = _SentEmail(sent)

    def mark_quoted_lines(self) -> None:
        """Mark lines that the answered email contains, unchanged or wrapped anew."""
        before = ""
        for number, text in enumerate(self.texts):
            if self.marks[number] is LineMark.SAID:
                is_ours = self._sent.holds(text, before)
                before = text if is_ours else ""
                self.marks[number] = LineMark.QUOTED if is_ours else LineMark.SAID

    def mark_list_tails(self) -> None:
        """Mark as quoted the end of a wrapped list of orders that lost its `>`."""
        for number in range(1, len(self.texts)):
            if self.texts[number - 1] != ">" or not self._is_said(number):
                continue
            above = self._lines[number - 1].rstrip()
            if above.endswith(UNFINISHED):
                text = fold(above.lstrip(_MARK))
                if parse_line(text).is_open and parse_line(f"{text} {self.texts[number]}").orders:
                    self.marks[number] = LineMark.QUOTED

    def mark_headers(self) -> None:
        """Mark the headers of quoted emails, up to one whose quotation has no `>` marks."""
        number = 0
        while number < len(self.texts):
            head = self.find_head(number) if self.marks[number] is LineMark.SAID else None
            if head is None:
                number += 1
                continue
            number = head.lines.stop
            self.heads.append(head)
            if head.told is CaptionCertainty.SURELY:
                for each in head.lines:
                    self.marks[each] = LineMark.HEADER
                if not head.is_title and self._is_said(self._solid[head.lines[-1]]):
                    break

    def find_own_end(self) -> int:
        """Return where the writer's own text ends: above an unmarked quotation, or at the end."""
        self._find_marked_heads()
        self.heads.sort(key=lambda head: head.lines.start)
        self._mark_ours_below()
        said = next((number for number, mark in enumerate(self.marks) if mark is LineMark.SAID), 0)
        # If only "Ann wrote:" is above, the writer's own text is below it.
        doubted = bool(self.heads) and said in self.heads[0].lines
        heads = (head for head in self.heads if head.told is CaptionCertainty.SURELY or not doubted)
        return next((head.lines[-1] for head in heads if self._is_bare(head)), len(self.texts))

    def mark_signatures(self, end: int) -> None:
        """Mark each signature, from `-- ` to the next quoted line or to `end`."""
        if SIGNATURE_MARKS.isdisjoint(self.texts):
            return
        inside = False
        for number, mark in enumerate(self.marks[:end]):
            begins = mark is LineMark.SAID and self.texts[number] in SIGNATURE_MARKS
            inside = (inside or begins) and mark in (LineMark.SAID, LineMark.EMPTY)
            if inside:
                self.marks[number] = LineMark.SIGNATURE

    def _is_bare(self, head: Head) -> bool:
        """Tell whether the quotation below a header has no marks, and is not known as ours."""
        last = head.lines[-1]
        if not head.is_title:
            return not self._is_quoted(self._solid[last])
        below = self._next_own_lines[last]
        if quote_and_signature_lines.is_rule(self.texts[last]):
            most = min(below + MOST_WRAPPED_LINES, len(self.texts))
            while below < most and self._is_prose(below):
                below += 1
            below = below if self._is_quoted(below) else self._next_own_lines[below - 1]
        return not self._is_quoted(below)

    @cached_property
    def _next_own_lines(self) -> list[int]:
        """For each line, the next one that is neither empty nor part of a header, once all headers are found."""
        return self._next(LineMark.EMPTY, LineMark.HEADER)

    def _mark_ours_below(self) -> None:
        """Mark orders below a header as quoted if our email contains them."""
        sure = (head for head in self.heads if head.told is CaptionCertainty.SURELY)
        first = next((head for head in sure if self._text_below(head) != ">"), None)
        for number in range(first.lines.stop if first else len(self.texts), len(self.texts)):
            if self.marks[number] is LineMark.SAID and self._sent.has_line(self.texts[number]):
                self.marks[number] = LineMark.QUOTED

    def _text_below(self, head: Head) -> str:
        """Return the next line below a header that is not empty; empty without one."""
        below = self._solid[head.lines[-1]]
        return self.texts[below] if below < len(self.texts) else ""

    def _find_marked_heads(self) -> None:
        """Find headers such as `>>> Ann 17.11.2026 09:14 >>>`, above a quotation without marks."""
        for last, text in enumerate(self.texts):
            if text == ">" and self._is_said(self._solid[last]):
                first = last
                while first > 0 and self.texts[first - 1] == ">" and last - first < MOST_FIELDS:
                    first -= 1
                if last - first < MOST_FIELDS and self._is_head(first, last + 1):
                    self.heads.append(Head(range(first, last + 1)))

    def _is_head(self, first: int, end: int) -> bool:
        """Tell whether some marked lines are nothing but a header."""
        lines = [line.strip(_MARK) for line in self._lines[first:end]]
        inner = _Reply(lines, list(map(fold, lines)), "")
        inner.mark_headers()
        known = {number for head in inner.heads for number in head.lines}
        marks = enumerate(inner.marks)
        return bool(known) and all(number in known or mark is LineMark.EMPTY for number, mark in marks)


#: Our own lines, folded: most are the same in every email.
_fold_ours = lru_cache(maxsize=1024)(fold)


class _SentEmail:
    def __init__(self, sent: str) -> None:
        texts = [text for text in map(_fold_ours, sent.splitlines()) if text]
        self._lines = frozenset(texts)
        self._words = f" {_remove_full_stops(' '.join(texts))} " if texts else ""
        self._searched = 0

    def has_line(self, text: str) -> bool:
        """Return whether this email contains a line, even if the line is an order."""
        return text in self._lines

    def holds(self, text: str, before: str) -> bool:
        """Tell whether the sent email contains a line; an order must follow the same line there."""
        if not self._words:
            return False
        if before and self._is_part(f"{before} {text}"):
            return True
        is_whole = text in self._lines or (text.count(" ") >= _FEWEST_WORDS - 1 and self._is_part(text))
        return is_whole and not parse_line(text).orders

    def _is_part(self, text: str) -> bool:
        """Tell whether the sent email contains these words; False after many searches."""
        self._searched += 1
        return self._searched <= _MOST_SEARCHED and f" {_remove_full_stops(text)} " in self._words


def _remove_full_stops(text: str) -> str:
    """Remove full stops: folding removes the one at each line's end, wherever the lines were wrapped."""
    if "." not in text:
        return text
    return " ".join([words.rstrip(".") for words in f"{text} ".split(". ")])[:-1]
