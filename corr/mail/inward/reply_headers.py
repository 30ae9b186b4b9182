"""Finds the headers of other emails in a reply: blocks of fields, titles and attributions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from corr.mail.inward import quote_and_signature_lines
from corr.mail.inward.quote_and_signature_lines import CaptionCertainty, CaptionSigns
from corr.orders.line_parser import parse_line
from corr.orders.scanner import lower

_QUOTED_FIELD = re.compile(r"(?:\| ?)?[*_]{0,2}([^\W\d_][^:@*_]{0,20}?) ?[*_]{0,2} ?[:|]")
_MOST_WORDS = 3

#: The names of the fields in each language: writer, date, recipient, subject, copies.
_NAMES = {
    "Arabic": "من | تاريخ الإرسال, تم الإرسال, التاريخ, مرسل | إلى | الموضوع | نسخة",
    "Bulgarian": "от | изпратено, дата | до | относно, тема | копие",
    "Catalan": "de | enviat, enviat el, data | per a, a | assumpte | cc",
    "Chinese": "发件人, 发自 | 发送时间, 发送日期, 日期, 时间, 发件时间 | 收件人 | 主题 | 抄送",
    "Chinese of Taiwan": "寄件者, 寄件人 | 寄件日期, 傳送時間, 寄送時間, 日期 | 收件者, 收件人 | 主旨, 主題 | 副本",
    "Croatian": "od, šalje, pošiljatelj | poslano, datum | za, prima | predmet | kopija",
    "Czech": "od | odesláno, datum | komu | předmět | kopie",
    "Danish": "fra | sendt, dato | til | emne | cc",
    "Dutch": "van | verzonden, datum | aan | onderwerp | cc",
    "English": "from | sent, date | to | subject | cc",
    "Finnish": "lähettäjä | lähetetty, päivämäärä, pvm | vastaanottaja | aihe | kopio",
    "French": "de | envoyé, envoyé le, date | à, pour | objet, sujet | cc",
    "German": "von | gesendet, datum | an | betreff | cc",
    "Greek": "από | στάλθηκε, εστάλη, ημερομηνία | προς | θέμα | κοιν",
    "Hebrew": "מאת | נשלח, תאריך | אל | נושא | עותק",
    "Hungarian": "feladó | elküldve, dátum | címzett | tárgy | másolat",
    "Italian": "da | inviato, data | a | oggetto | cc",
    "Japanese": "差出人, 送信者, 送信元 | 送信日時, 送信日, 日付, 日時 | 宛先, 受信者 | 件名, 題名 | cc",
    "Korean": "보낸 사람, 보낸이, 발신 | 보낸 날짜, 보낸 시간, 날짜 | 받는 사람, 받는이, 수신 | 제목 | 참조",
    "Norwegian": "fra | sendt, dato | til | emne | kopi",
    "Polish": "od, nadawca | wysłano, wysłane, data | do | temat | dw",
    "Portuguese": "de | enviado, enviada, enviado em, enviada em, data | para | assunto | cc",
    "Romanian": "de la | trimis, data | către, catre | subiect | cc",
    "Russian": "от, от кого | отправлено, дата | кому | тема | копия",
    "Slovak": "od | odoslané, dátum | komu | predmet | kópia",
    "Spanish": "de | enviado, enviado el, fecha | para | asunto | cc",
    "Swedish": "från | skickat, datum | till | ämne | kopia",
    "Thai": "จาก | ส่ง, วันที่ | ถึง | เรื่อง | สําเนา",
    "Turkish": "gönderen, kimden | gönderildi, gönderme tarihi, tarih | kime, al\u0131c\u0131 | konu | bilgi",
    "Vietnamese": "từ, người gửi | đã gửi, ngày, gửi lúc | đến, tới, người nhận | chủ đề, tiêu đề | cc",
    "Ukrainian": "від, від кого | надіслано, відправлено, дата | кому | тема | копія",
}


def _meanings() -> dict[str, list[tuple[str, int]]]:
    """Map each name of a header field to its languages, and to its meaning in each."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for language, names in _NAMES.items():
        for meaning, group in enumerate(names.split(" | ")):
            for name in group.split(", "):
                found[name.replace(" ", "")].append((language, meaning))
    return dict(found)


_MEANINGS = _meanings()


def find_field(text: str) -> str:
    """Return the known header field with which a line begins; empty without one."""
    found = _QUOTED_FIELD.match(text)
    name = lower(found[1]).replace(" ", "") if found else ""
    return name if name in _MEANINGS else ""


def find_fields(text: str) -> list[str]:
    """Return all header fields in a line, for a program that wraps a header into one line."""
    found = []
    for piece in text.split(":")[:-1]:
        words = lower(piece).split()[-_MOST_WORDS:]
        names = ("".join(words[first:]) for first in range(len(words)))
        found += [next(filter(_MEANINGS.__contains__, names), "")]
    return [name for name in found if name]


def begins_as_field(text: str) -> bool:
    """Tell whether a line begins with the name of a header field, even without a colon."""
    return lower(text.partition(" ")[0].rstrip(":")) in _MEANINGS


def count_meanings(names: Iterable[str]) -> int:
    """Return how many different meanings these names have in a single language."""
    meant: dict[str, set[int]] = defaultdict(set)
    for name in set(names):
        for language, meaning in _MEANINGS[name]:
            meant[language].add(meaning)
    return max(map(len, meant.values()), default=0)


def is_writer_field(name: str) -> bool:
    return any(meaning == 0 for _, meaning in _MEANINGS[name])


_FIELD = re.compile(r"[*_]{0,2}[^\W\d_][^:@]{0,30}:")
_SENTENCE_ENDS = (".", "!", "?")
_SHORT_RULE = 3
MOST_WRAPPED_LINES = 4
_FIELDS = 3
MOST_FIELDS = 12
_MOST_FIELD_LINES = 4


class LineMark(Enum):
    SAID = "said"
    EMPTY = "empty"
    QUOTED = "quoted"
    HEADER = "header"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class Head:
    """The lines of another email's header, how sure that is, and whether more headers may follow at once."""

    lines: range
    told: CaptionCertainty = CaptionCertainty.SURELY
    is_title: bool = False


class MarkedLines:
    def __init__(self, lines: Sequence[str], texts: list[str]) -> None:
        self._lines = lines
        self.texts = texts
        self.marks = [_guess_mark(text) for text in texts]
        self._prose: dict[int, bool] = {}
        self._fields: dict[int, str] = {}
        self._told: dict[int, CaptionSigns] = {}
        self._solid = self._next(LineMark.EMPTY)

    def _next(self, *passed: LineMark) -> list[int]:
        """Return for each line the number of the next one below without any of these marks."""
        found, below = [], len(self.marks)
        for number in range(len(self.marks) - 1, -1, -1):
            found.append(below)
            below = below if self.marks[number] in passed else number
        return found[::-1]

    def _is_quoted(self, number: int) -> bool:
        """Tell whether this line exists and is marked as quoted."""
        return number < len(self.texts) and self.marks[number] is LineMark.QUOTED

    def _is_said(self, number: int) -> bool:
        """Tell whether this line exists and is marked as the writer's own."""
        return number < len(self.texts) and self.marks[number] is LineMark.SAID

    def find_head(self, number: int) -> Head | None:
        """Return the quoted email's header that begins here or, if it names a writer, ends here."""
        text = self.texts[number]
        if ":" in text or text.startswith("|"):
            end = self._end_of_fields(number)
            if end > number:
                return Head(range(number, end))
        if (
            quote_and_signature_lines.is_title(text) or quote_and_signature_lines.is_footer(text)
        ) and self._is_prose(number):
            return Head(range(number, self._end_of_title(number)), is_title=True)
        if len(text) >= _SHORT_RULE and quote_and_signature_lines.is_rule(text):
            self.marks[number] = LineMark.HEADER
            return None
        return self._attribution(number)

    def _end_of_title(self, number: int) -> int:
        """Return where a title ends, including the fields without colons below it."""
        end = number + 1
        most = min(len(self.texts), end + MOST_FIELDS)
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
        """Return where a header ends that may go on with fields of unknown names."""
        end = number
        while (
            end < min(len(self.texts), number + MOST_FIELDS)
            and self._is_prose(end)
            and _FIELD.match(self.texts[end])
        ):
            end += 1
        return end

    def _known_fields(self, first: int) -> list[int]:
        """Return consecutive lines with names of header fields, allowing wrapped and empty lines between."""
        known = [first]
        for number in range(first + 1, min(len(self.texts), first + MOST_FIELDS * 2)):
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
        """Return the lines from this one up to the next that is quoted, empty or an order."""
        end = number
        while end < min(len(self.texts), number + MOST_FIELDS) and self._is_prose(end):
            end += 1
        return range(number, end)

    def _names_someone(self, numbers: Iterable[int]) -> bool:
        """Tell whether any of these lines has an email address or a date."""
        return any(signs.address or signs.is_dated for signs in map(self._signs, numbers))

    def _signs(self, number: int) -> CaptionSigns:
        if number not in self._told:
            self._told[number] = quote_and_signature_lines.find_signs(self.texts[number])
        return self._told[number]

    def _names_writer(self, number: int) -> bool:
        return is_writer_field(self._field(number)) and self._signs(number).address

    def _attribution(self, number: int) -> Head | None:
        """Return the lines that say, in any language, `On … Ann wrote:`, if they end here."""
        text = self.texts[number]
        is_above = self._is_quoted(self._solid[number])
        if not (
            is_above or quote_and_signature_lines.may_end_caption(text) or self._is_day_below_address(number)
        ) or self._goes_on(number):
            return None
        head = self._up_to(number)
        if is_above and (head.told or (text.endswith(":") and self._is_prose(number))):
            return Head(head.lines)
        return head if head.told else None

    def _is_day_below_address(self, number: int) -> bool:
        return number > 0 and "@" in self.texts[number - 1] and self._signs(number).is_dated

    def _goes_on(self, number: int) -> bool:
        """Tell whether a line's sentence goes on to a later line that ends in a colon."""
        for below in range(number, min(len(self.texts), number + MOST_WRAPPED_LINES)):
            if not self._is_prose(below):
                return False
            if self.texts[below].endswith(":"):
                return below > number
        return False

    def _up_to(self, last: int) -> Head:
        """Return the lines up to this one that say who wrote the quotation below."""
        told, first, signs = CaptionCertainty.NOTHING, last, CaptionSigns()
        is_colon = quote_and_signature_lines.ends_in_colon(self.texts[last])
        for number in range(last, max(-1, last - MOST_WRAPPED_LINES), -1):
            is_sentence_end = self._lines[number].rstrip().endswith(_SENTENCE_ENDS)
            if not self._is_prose(number) or (number < last and is_sentence_end):
                break
            here = self._signs(number)
            signs = here.above(signs)
            found = quote_and_signature_lines.judge_caption(signs, is_colon=is_colon)
            if found > told or (found and here.is_dated):
                told, first = found, number
        return Head(range(first, last + 1), told)

    def _is_prose(self, number: int) -> bool:
        """Tell whether a line is the writer's so far, and no order."""
        if self.marks[number] is not LineMark.SAID:
            return False
        if number not in self._prose:
            self._prose[number] = parse_line(self.texts[number]).kind == "prose"
        return self._prose[number]


def _guess_mark(text: str) -> LineMark:
    if not text:
        return LineMark.EMPTY
    return LineMark.QUOTED if text.startswith(">") else LineMark.SAID
