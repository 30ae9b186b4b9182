"""Recognizes header fields above a quoted email, `From: … Sent: … To: … Subject: …`, in many languages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from corr.orders.scanner import lower

_FIELD = re.compile(r"(?:\| ?)?[*_]{0,2}([^\W\d_][^:@*_]{0,20}?) ?[*_]{0,2} ?[:|]")
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
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for language, names in _NAMES.items():
        for meaning, group in enumerate(names.split(" | ")):
            for name in group.split(", "):
                found[name.replace(" ", "")].append((language, meaning))
    return dict(found)


_MEANINGS = _meanings()


def find_field(text: str) -> str:
    """Return the known header field with which a folded line begins, or an empty string."""
    found = _FIELD.match(text)
    name = lower(found[1]).replace(" ", "") if found else ""
    return name if name in _MEANINGS else ""


def find_fields(text: str) -> list[str]:
    """Return all header fields in a folded line, for a program that wraps a header into one line."""
    found = []
    for piece in text.split(":")[:-1]:
        words = lower(piece).split()[-_MOST_WORDS:]
        names = ("".join(words[first:]) for first in range(len(words)))
        found += [next(filter(_MEANINGS.__contains__, names), "")]
    return [name for name in found if name]


def begins_as_field(text: str) -> bool:
    """Return whether a folded line begins with the name of a field, even without a colon."""
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
