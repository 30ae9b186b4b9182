"""What a reply repeats of the letter it answers, found without knowing any language.

No line that parses as an order is taken for quotation unless it is marked as such, or stands below the head of
another letter: our own letters hold none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from corr.mail.inward.header import field_of, is_head
from corr.orders import fold
from corr.orders.line import understand

_DATE = re.compile(r"\d{4}|\d{1,2} ?[:.hHh] ?\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d")
_RULE = re.compile(r"[-_=*]{5,}|[-_=*]{2,} ?[^-_=*]{3,60}[-_=*]{2,}:?")
_TITLE = re.compile(r"[-_]{5,} ?[^-_=*]{3,60}[-_]{5,}:?")
_FIELD = re.compile(r"[*_]{0,2}[^\W\d_][^:@]{0,30}:")
_SIGNATURE = frozenset(("--", "\u2014", "\u2013\u2013"))
_WRAPPED = 4
_FIELDS = 3
_MOST_FIELDS = 12
_MOST_OF_A_FIELD = 4
_FEWEST_WORDS = 4
_MOST_SEARCHED = 1_000
_MOST_SAID = 1_000
_MOST_SIGNS = 30_000


class LineMark(Enum):
    """What a line of a reply is."""

    SAID = "said"
    EMPTY = "empty"
    QUOTED = "quoted"
    HEADER = "header"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class OwnLines:
    """A reply's lines, with an empty one in the place of each that the writer did not say.

    Whether what stands below the head of another letter, without marks, is the writer's nobody can tell.
    Nobody says more than is read; where a letter does, `unread` is the line where it goes on.
    """

    lines: tuple[str, ...]
    below: tuple[str, ...]
    unread: str | None = None


def without_quotation(lines: Sequence[str], sent: str) -> OwnLines:
    """What the writer of a reply said, and what may be anybody's."""
    most = _readable(lines)
    sheet = _MarkedLines(lines[:most], sent)
    sheet.mark_ours()
    sheet.mark_headers()
    sheet.mark_attributions()
    end = sheet.end_of_said()
    sheet.mark_rest()
    kept = [line if mark is LineMark.SAID else "" for line, mark in zip(lines, sheet.marks, strict=False)]
    unread = lines[most].strip() if end == most < len(lines) else None
    return OwnLines((*kept[:end], *[""] * (len(lines) - end)), tuple(kept[end:]), unread)


def _readable(lines: Sequence[str]) -> int:
    """How many lines of a letter are looked at: so many that the writer may have said, and so long."""
    said = signs = 0
    for number, line in enumerate(lines):
        if line.strip() and not _is_marked(line):
            said, signs = said + 1, signs + len(line)
            if said > _MOST_SAID or signs > _MOST_SIGNS:
                return number
    return len(lines)


def _is_marked(line: str) -> bool:
    return line.lstrip().startswith(">")


class _MarkedLines:
    """A reply's lines and what each of them is."""

    def __init__(self, lines: Sequence[str], sent: str) -> None:
        self.texts = [">" if _is_marked(line) else fold(line) for line in lines]
        self.marks = [_first_mark(text) for text in self.texts]
        self._sent = _Sent(sent)
        self._prose: dict[int, bool] = {}
        self._fields: dict[int, str] = {}
        self._ends_of_heads: list[int] = []

    def mark_ours(self) -> None:
        """Lines that stand in the letter that is answered, as they were or wrapped anew."""
        before = ""
        for number, text in enumerate(self.texts):
            if self.marks[number] is LineMark.SAID:
                is_ours = self._sent.holds(text, before)
                before = text if is_ours else ""
                self.marks[number] = LineMark.QUOTED if is_ours else LineMark.SAID

    def mark_headers(self) -> None:
        """`From: … Sent: … To: …` in any language, and rules such as `-----Original Message-----`."""
        number = 0
        while number < len(self.texts):
            end = self._end_of_header(number)
            self._mark(range(number, end), LineMark.HEADER)
            if end > number + 1 or _TITLE.fullmatch(self.texts[number]):
                self._ends_of_heads.append(end - 1)
            number = max(end, number + 1)

    def mark_attributions(self) -> None:
        """`On … Ann wrote:` in any language, wrapped or not: what ends in a colon, and names a date."""
        for number in range(len(self.texts)):
            if self.marks[number] is LineMark.SAID and (
                self._is_above_quotation(number) or self._is_colon(number)
            ):
                attribution = self._attribution(number)
                self._mark(attribution, LineMark.HEADER)
                self._ends_of_heads += attribution[-1:]

    def mark_rest(self) -> None:
        """Signatures; and the prose below a header that has no marked quotation under it."""
        begins = next(filter(self._begins_unmarked, range(len(self.texts))), len(self.texts))
        self._mark_signatures(begins)
        for number in range(begins, len(self.texts)):
            if self._is_prose(number) and not self._touches_an_order(number):
                self.marks[number] = LineMark.QUOTED

    def end_of_said(self) -> int:
        """Where a quotation without marks begins, by the head that stands above it."""
        ends = (number for number in sorted(self._ends_of_heads) if self._begins_unmarked(number))
        return next(ends, len(self.texts))

    def _mark_signatures(self, end: int) -> None:
        """From `-- ` to the next line that is quoted, or to the end."""
        inside = False
        for number, mark in enumerate(self.marks[:end]):
            inside = (inside or self._opens_signature(number)) and mark in (LineMark.SAID, LineMark.EMPTY)
            if inside:
                self.marks[number] = LineMark.SIGNATURE

    def _begins_unmarked(self, number: int) -> bool:
        """Whether a header ends here that tells of a quotation without marks."""
        ends = self.marks[number] is LineMark.HEADER and self.marks[number + 1 : number + 2] != [
            LineMark.HEADER
        ]
        is_rule = ends and re.fullmatch(r"[-_=*]+", self.texts[number])
        return ends and not is_rule and not self._is_above_quotation(number)

    def _touches_an_order(self, number: int) -> bool:
        beside = [each for each in (number - 1, number + 1) if 0 <= each < len(self.texts)]
        return any(self.marks[each] is LineMark.SAID and not self._is_prose(each) for each in beside)

    # ------------------------------------------------------------ headers

    def _end_of_header(self, number: int) -> int:
        """Where a header ends that begins on this line; here, if none does."""
        if self.marks[number] is not LineMark.SAID:
            return number
        if self._field(number):
            known = self._known_fields(number)
            if is_head(map(self._field, known)):
                return known[-1] + 1
        if not _FIELD.match(self.texts[number]):
            return number + self._is_rule(number)
        block = self._block(number)
        fields = [each for each in block if _FIELD.match(self.texts[each])]
        if number not in block or len(fields) < _FIELDS or not self._names_someone(fields):
            return number
        return fields[-1] + 1

    def _known_fields(self, first: int) -> list[int]:
        """Lines with the names of header fields, one below the other: wrapped ones, and with empty lines between."""
        known = [first]
        for number in range(first + 1, min(len(self.texts), first + _MOST_FIELDS * 2)):
            if number - known[-1] > _MOST_OF_A_FIELD or self.marks[number] in (
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
            self._fields[number] = field_of(self.texts[number])
        return self._fields[number]

    def _is_empty(self, number: int) -> bool:
        return self.marks[number] is LineMark.EMPTY

    def _is_rule(self, number: int) -> bool:
        return bool(_RULE.fullmatch(self.texts[number])) and self._is_prose(number)

    def _block(self, number: int) -> range:
        """Lines that stand together and are no orders."""
        end = number
        while end < min(len(self.texts), number + _MOST_FIELDS) and self._is_prose(end):
            end += 1
        return range(number, end)

    def _names_someone(self, numbers: Iterable[int]) -> bool:
        return any("@" in self.texts[each] or _DATE.search(self.texts[each]) for each in numbers)

    # ------------------------------------------------------------ attributions

    def _is_colon(self, number: int) -> bool:
        return self.texts[number].endswith(":")

    def _is_above_quotation(self, number: int) -> bool:
        below = number + 1
        while below < len(self.texts) and self.marks[below] is LineMark.EMPTY:
            below += 1
        return below < len(self.texts) and self.marks[below] is LineMark.QUOTED

    def _attribution(self, last: int) -> range:
        """The lines up to this one that say who wrote what is quoted below."""
        is_above = self._is_above_quotation(last)
        first = last
        while first > last - _WRAPPED and first >= 0 and self._is_prose(first):
            text = " ".join(self.texts[first : last + 1])
            if _DATE.search(text) and ("@" in text or (is_above and self._is_colon(last))):
                return range(first, last + 1)
            first -= 1
        is_bare = is_above and self._is_colon(last) and self._is_prose(last)
        return range(last, last + 1) if is_bare else range(0)

    # ------------------------------------------------------------ all of them

    def _opens_signature(self, number: int) -> bool:
        return self.marks[number] is LineMark.SAID and self.texts[number] in _SIGNATURE

    def _is_prose(self, number: int) -> bool:
        if self.marks[number] is not LineMark.SAID:
            return False
        if number not in self._prose:
            self._prose[number] = understand(self.texts[number]).kind == "prose"
        return self._prose[number]

    def _mark(self, numbers: range, mark: LineMark) -> None:
        for number in numbers:
            self.marks[number] = mark


class _Sent:
    """The letter that is answered."""

    def __init__(self, sent: str) -> None:
        texts = [text for text in map(fold, sent.splitlines()) if text]
        self._lines = frozenset(texts)
        self._words = f" {_bare(' '.join(texts))} " if texts else ""
        self._searched = 0

    def holds(self, text: str, before: str) -> bool:
        """Whether a line is of this letter; an order or a word or two only where it follows the line before."""
        if not self._words:
            return False
        if before and self._is_part(f"{before} {text}"):
            return True
        is_whole = text in self._lines or (text.count(" ") >= _FEWEST_WORDS - 1 and self._is_part(text))
        return is_whole and not understand(text).orders

    def _is_part(self, text: str) -> bool:
        self._searched += 1
        return self._searched <= _MOST_SEARCHED and f" {_bare(text)} " in self._words


def _bare(text: str) -> str:
    """Words without full stops: folding has taken the one at each line's end, wherever the lines were broken."""
    return " ".join(word.rstrip(".") for word in text.split())


def _first_mark(text: str) -> LineMark:
    if not text:
        return LineMark.EMPTY
    return LineMark.QUOTED if text.startswith(">") else LineMark.SAID
