"""Finds what a reply repeats of the email it answers, without knowing any language.

A line that parses as an order counts as quotation only if it is marked as one, or is below the header of another
email: our own emails contain no orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from corr.mail.inward import quote_captions
from corr.mail.inward.quote_captions import CaptionCertainty, CaptionSigns
from corr.mail.inward.quoted_headers import (
    begins_as_field,
    count_meanings,
    find_field,
    find_fields,
    is_writer_field,
)
from corr.orders import fold
from corr.orders.line import UNFINISHED, parse_line

_FIELD = re.compile(r"[*_]{0,2}[^\W\d_][^:@]{0,30}:")
_SIGNATURE = frozenset(("--", "\u2014", "\u2013\u2013"))
_SENTENCE_ENDS = (".", "!", "?")
_MARK = "> \t"
_SHORT_RULE = 3
_MOST_WRAPPED_LINES = 4
_FIELDS = 3
_MOST_FIELDS = 12
_MOST_FIELD_LINES = 4
_FEWEST_WORDS = 4
_MOST_SEARCHED = 1_000
_MOST_LINES_SAID = 1_000
_MOST_CHARACTERS = 30_000


class LineMark(Enum):
    """What a line of a reply is."""

    SAID = "said"
    EMPTY = "empty"
    QUOTED = "quoted"
    HEADER = "header"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class OwnLines:
    """A reply's lines, with an empty line in place of each that the writer did not say.

    `below` holds unmarked lines below the header of another email: nobody can tell whether they are the writer's.
    `unread` is the line at which we stopped reading a reply that says too much.
    """

    lines: tuple[str, ...]
    below: tuple[str, ...]
    unread: str | None = None


@dataclass(frozen=True, slots=True)
class _Head:
    """The lines of another email's header, how sure that is, and whether more headers may follow at once."""

    lines: range
    told: CaptionCertainty = CaptionCertainty.SURELY
    is_title: bool = False


def remove_quotation(lines: Sequence[str], sent: str) -> OwnLines:
    """Separate what the writer of a reply said from what may be anybody's."""
    texts = _texts(lines)
    most = len(texts)
    sheet = _MarkedLines(lines, texts, sent)
    sheet.mark_quoted_lines()
    sheet.mark_list_tails()
    sheet.mark_headers()
    end = sheet.find_own_end()
    sheet.mark_signatures(end)
    kept = [line if mark is LineMark.SAID else "" for line, mark in zip(lines, sheet.marks, strict=False)]
    unread = lines[most].strip() if end == most < len(lines) else None
    return OwnLines((*kept[:end], *[""] * (len(lines) - end)), tuple(kept[end:]), unread)


def _texts(lines: Iterable[str]) -> list[str]:
    """Fold the lines, with `>` for each marked one, up to the most a writer may say."""
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


class _MarkedLines:
    """A reply's lines and what each of them is."""

    def __init__(self, lines: Sequence[str], texts: list[str], sent: str) -> None:
        self._lines = lines
        self.texts = texts
        self.marks = [_guess_mark(text) for text in self.texts]
        self.heads: list[_Head] = []
        self._sent = _SentEmail(sent)
        self._prose: dict[int, bool] = {}
        self._fields: dict[int, str] = {}
        self._told: dict[int, CaptionSigns] = {}
        self._solid = self._next(LineMark.EMPTY)

    def mark_quoted_lines(self) -> None:
        """Mark lines that the answered email contains, unchanged or wrapped anew."""
        before = ""
        for number, text in enumerate(self.texts):
            if self.marks[number] is LineMark.SAID:
                is_ours = self._sent.holds(text, before)
                before = text if is_ours else ""
                self.marks[number] = LineMark.QUOTED if is_ours else LineMark.SAID

    def mark_list_tails(self) -> None:
        """Mark the end of a list that wrapped below a marked line and lost its own mark."""
        for number in range(1, len(self.texts)):
            above = self._lines[number - 1].rstrip()
            if self.texts[number - 1] == ">" and above.endswith(UNFINISHED) and self._is_said(number):
                text = fold(above.lstrip(_MARK))
                if parse_line(text).is_open and parse_line(f"{text} {self.texts[number]}").orders:
                    self.marks[number] = LineMark.QUOTED

    def mark_headers(self) -> None:
        """Mark the headers of other emails, down to one below which a quotation has no marks."""
        number = 0
        while number < len(self.texts):
            head = self._head(number) if self.marks[number] is LineMark.SAID else None
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
        """Return where a quotation without marks begins, by the header above it."""
        self._find_marked_heads()
        self.heads.sort(key=lambda head: head.lines.start)
        self._mark_ours_below()
        said = next((number for number, mark in enumerate(self.marks) if mark is LineMark.SAID), 0)
        # If only "Ann wrote:" is above, the writer's own text is below it.
        doubted = bool(self.heads) and said in self.heads[0].lines
        heads = (head for head in self.heads if head.told is CaptionCertainty.SURELY or not doubted)
        return next((head.lines[-1] for head in heads if self._is_bare(head)), len(self.texts))

    def mark_signatures(self, end: int) -> None:
        """Mark from `-- ` to the next quoted line, or to the end."""
        if _SIGNATURE.isdisjoint(self.texts):
            return
        inside = False
        for number, mark in enumerate(self.marks[:end]):
            inside = (inside or self._is_signature_start(number)) and mark in (LineMark.SAID, LineMark.EMPTY)
            if inside:
                self.marks[number] = LineMark.SIGNATURE

    # ------------------------------------------------------------ what begins below a header

    def _is_bare(self, head: _Head) -> bool:
        """Whether the lines below a header are neither marked nor known to be ours."""
        last = head.lines[-1]
        if not head.is_title:
            return not self._is_quoted(self._solid[last])
        below = self._next_own_lines[last]
        if quote_captions.is_rule(self.texts[last]):
            most = min(below + _MOST_WRAPPED_LINES, len(self.texts))
            while below < most and self._is_prose(below):
                below += 1
            below = below if self._is_quoted(below) else self._next_own_lines[below - 1]
        return not self._is_quoted(below)

    @cached_property
    def _next_own_lines(self) -> list[int]:
        """For each line, the next one that is neither empty nor part of a header, once all headers are found."""
        return self._next(LineMark.EMPTY, LineMark.HEADER)

    def _mark_ours_below(self) -> None:
        """Mark orders below a header as ours if our email contains them."""
        bare = (
            head
            for head in self.heads
            if head.told is CaptionCertainty.SURELY and not self._is_marked_below(head)
        )
        first = next(bare, None)
        for number in range(first.lines.stop if first else len(self.texts), len(self.texts)):
            if self.marks[number] is LineMark.SAID and self._sent.has_line(self.texts[number]):
                self.marks[number] = LineMark.QUOTED

    def _is_marked_below(self, head: _Head) -> bool:
        below = self._solid[head.lines[-1]]
        return below < len(self.texts) and self.texts[below] == ">"

    def _is_quoted(self, number: int) -> bool:
        return number < len(self.texts) and self.marks[number] is LineMark.QUOTED

    def _next(self, *passed: LineMark) -> list[int]:
        """Return for each line the next one below it without any of these marks."""
        found, below = [], len(self.marks)
        for number in range(len(self.marks) - 1, -1, -1):
            found.append(below)
            below = below if self.marks[number] in passed else number
        return found[::-1]

    # ------------------------------------------------------------ marked headers

    def _find_marked_heads(self) -> None:
        """Find headers that are marked as if quoted, above a quotation that is not.

        An example is `>>> Ann 17.11.2026 09:14 >>>`.
        """
        for last, text in enumerate(self.texts):
            if text == ">" and self._is_said(self._solid[last]):
                first = last
                while first > 0 and self.texts[first - 1] == ">" and last - first < _MOST_FIELDS:
                    first -= 1
                if last - first < _MOST_FIELDS and self._is_head(first, last + 1):
                    self.heads.append(_Head(range(first, last + 1)))

    def _is_head(self, first: int, end: int) -> bool:
        """Whether marked lines are nothing but a header."""
        lines = [line.strip(_MARK) for line in self._lines[first:end]]
        inner = _MarkedLines(lines, list(map(fold, lines)), "")
        inner.mark_headers()
        known = {number for head in inner.heads for number in head.lines}
        marks = enumerate(inner.marks)
        return bool(known) and all(number in known or mark is LineMark.EMPTY for number, mark in marks)

    def _is_said(self, number: int) -> bool:
        return number < len(self.texts) and self.marks[number] is LineMark.SAID

    # ------------------------------------------------------------ headers

    def _head(self, number: int) -> _Head | None:
        """Return the header that begins on this line, or ends on it if it names a writer."""
        text = self.texts[number]
        if ":" in text or text.startswith("|"):
            end = self._end_of_fields(number)
            if end > number:
                return _Head(range(number, end))
        if (quote_captions.is_title(text) or quote_captions.is_footer(text)) and self._is_prose(number):
            return _Head(range(number, self._end_of_title(number)), is_title=True)
        if len(text) >= _SHORT_RULE and quote_captions.is_rule(text):
            self.marks[number] = LineMark.HEADER
            return None
        return self._attribution(number)

    def _end_of_title(self, number: int) -> int:
        """Return where a title ends, including the fields without colons below it."""
        end = number + 1
        most = min(len(self.texts), end + _MOST_FIELDS)
        while (
            end < most and self._is_prose(end) and begins_as_field(self.texts[end]) and not self._field(end)
        ):
            end += 1
        return end

    def _end_of_fields(self, number: int) -> int:
        """Return where a block of fields from this line ends; this line, if no block begins here."""
        text = self.texts[number]
        if self._field(number):
            known = self._known_fields(number)
            said = count_meanings(map(self._field, known))
            is_told = said == _FIELDS - 1 and self._names_someone(known)
            if said >= _FIELDS or is_told or self._names_writer(number):
                return self._end_of_block(known[-1] + 1)
        if text.count(":") >= _FIELDS and count_meanings(find_fields(text)) >= _FIELDS:
            return number + 1
        if not _FIELD.match(text):
            return number
        block = self._block(number)
        fields = [each for each in block if _FIELD.match(self.texts[each])]
        if number not in block or len(fields) < _FIELDS or not self._names_someone(fields):
            return number
        return fields[-1] + 1

    def _end_of_block(self, number: int) -> int:
        """Return where a header ends that may go on with unknown fields."""
        end = number
        while (
            end < min(len(self.texts), number + _MOST_FIELDS)
            and self._is_prose(end)
            and _FIELD.match(self.texts[end])
        ):
            end += 1
        return end

    def _known_fields(self, first: int) -> list[int]:
        """Return consecutive lines with names of header fields, allowing wrapped and empty lines between."""
        known = [first]
        for number in range(first + 1, min(len(self.texts), first + _MOST_FIELDS * 2)):
            if number - known[-1] > _MOST_FIELD_LINES or self.marks[number] in (
                LineMark.QUOTED,
                LineMark.HEADER,
            ):
                break
            if self._field(number):
                known.append(number)
            elif self._is_empty(number - 1) or not (self._is_empty(number) or self._is_prose(number)):
                break
        return known

    def _field(self, number: int) -> str:
        if number not in self._fields:
            self._fields[number] = find_field(self.texts[number])
        return self._fields[number]

    def _is_empty(self, number: int) -> bool:
        return self.marks[number] is LineMark.EMPTY

    def _block(self, number: int) -> range:
        """Return adjacent lines that are no orders."""
        end = number
        while end < min(len(self.texts), number + _MOST_FIELDS) and self._is_prose(end):
            end += 1
        return range(number, end)

    def _names_someone(self, numbers: Iterable[int]) -> bool:
        return any(signs.address or signs.is_dated for signs in map(self._signs, numbers))

    def _signs(self, number: int) -> CaptionSigns:
        if number not in self._told:
            self._told[number] = quote_captions.find_signs(self.texts[number])
        return self._told[number]

    def _names_writer(self, number: int) -> bool:
        return is_writer_field(self._field(number)) and self._signs(number).address

    # ------------------------------------------------------------ attributions

    def _attribution(self, number: int) -> _Head | None:
        """Find `On … Ann wrote:` in any language, wrapped or not, with a date or without."""
        text = self.texts[number]
        is_above = self._is_quoted(self._solid[number])
        if not (
            is_above or quote_captions.may_end_caption(text) or self._is_day_below_address(number)
        ) or self._goes_on(number):
            return None
        head = self._up_to(number)
        if is_above and (head.told or (text.endswith(":") and self._is_prose(number))):
            return _Head(head.lines)
        return head if head.told else None

    def _is_day_below_address(self, number: int) -> bool:
        return number > 0 and "@" in self.texts[number - 1] and self._signs(number).is_dated

    def _goes_on(self, number: int) -> bool:
        """Whether a line without a colon is wrapped, so that a line below it ends its sentence."""
        for below in range(number, min(len(self.texts), number + _MOST_WRAPPED_LINES)):
            if not self._is_prose(below):
                return False
            if self.texts[below].endswith(":"):
                return below > number
        return False

    def _up_to(self, last: int) -> _Head:
        """Return the lines up to this one that say who wrote the quotation below."""
        told, first, signs = CaptionCertainty.NOTHING, last, CaptionSigns()
        is_colon = quote_captions.ends_in_colon(self.texts[last])
        for number in range(last, max(-1, last - _MOST_WRAPPED_LINES), -1):
            if not self._is_prose(number) or (number < last and self._ends_a_sentence(number)):
                break
            here = self._signs(number)
            signs = here.above(signs)
            found = quote_captions.judge_caption(signs, is_colon=is_colon)
            if found > told or (found and here.is_dated):
                told, first = found, number
        return _Head(range(first, last + 1), told)

    def _ends_a_sentence(self, number: int) -> bool:
        return self._lines[number].rstrip().endswith(_SENTENCE_ENDS)

    # ------------------------------------------------------------ shared helpers

    def _is_signature_start(self, number: int) -> bool:
        return self.marks[number] is LineMark.SAID and self.texts[number] in _SIGNATURE

    def _is_prose(self, number: int) -> bool:
        if self.marks[number] is not LineMark.SAID:
            return False
        if number not in self._prose:
            self._prose[number] = parse_line(self.texts[number]).kind == "prose"
        return self._prose[number]


class _SentEmail:
    """The email that the reply answers."""

    def __init__(self, sent: str) -> None:
        texts = [text for text in map(fold, sent.splitlines()) if text]
        self._lines = frozenset(texts)
        self._words = f" {_remove_full_stops(' '.join(texts))} " if texts else ""
        self._searched = 0

    def has_line(self, text: str) -> bool:
        """Return whether this email contains a line, even if the line is an order."""
        return text in self._lines

    def holds(self, text: str, before: str) -> bool:
        """Return whether this email contains a line.

        An order, or a word or two, counts only if it follows the line before it.
        """
        if not self._words:
            return False
        if before and self._is_part(f"{before} {text}"):
            return True
        is_whole = text in self._lines or (text.count(" ") >= _FEWEST_WORDS - 1 and self._is_part(text))
        return is_whole and not parse_line(text).orders

    def _is_part(self, text: str) -> bool:
        self._searched += 1
        return self._searched <= _MOST_SEARCHED and f" {_remove_full_stops(text)} " in self._words


def _remove_full_stops(text: str) -> str:
    """Remove full stops: folding removes the one at each line's end, wherever the lines were wrapped."""
    if "." not in text:
        return text
    return " ".join([words.rstrip(".") for words in f"{text} ".split(". ")])[:-1]


def _guess_mark(text: str) -> LineMark:
    if not text:
        return LineMark.EMPTY
    return LineMark.QUOTED if text.startswith(">") else LineMark.SAID
