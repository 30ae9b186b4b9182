"""What mail programs write above a letter that they quote: `From: … Sent: … To: … Subject: …`, and in which words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from corr.orders.fold import lower

_FIELD = re.compile(r"[*_]{0,2}([^\W\d_][^:@*_]{0,20}?) ?[*_]{0,2} ?:")
_FEWEST = 3

#: In each language who wrote, when, to whom, about what, and who has a copy.
_NAMES = {
    "Arabic": "من | تاريخ الإرسال, تم الإرسال, التاريخ, مرسل | إلى | الموضوع | نسخة",
    "Bulgarian": "от | изпратено, дата | до | относно, тема | копие",
    "Chinese": "发件人 | 发送时间, 发送日期, 日期, 时间 | 收件人 | 主题 | 抄送",
    "Chinese of Taiwan": "寄件者, 寄件人 | 寄件日期, 傳送時間, 寄送時間, 日期 | 收件者, 收件人 | 主旨, 主題 | 副本",
    "Czech": "od | odesláno, datum | komu | předmět | kopie",
    "Danish": "fra | sendt, dato | til | emne | cc",
    "Dutch": "van | verzonden, datum | aan | onderwerp | cc",
    "English": "from | sent, date | to | subject | cc",
    "Finnish": "lähettäjä | lähetetty, päivämäärä, pvm | vastaanottaja | aihe | kopio",
    "French": "de | envoyé, envoyé le, date | à | objet, sujet | cc",
    "German": "von | gesendet, datum | an | betreff | cc",
    "Greek": "από | στάλθηκε, εστάλη, ημερομηνία | προς | θέμα | κοιν",
    "Hebrew": "מאת | נשלח, תאריך | אל | נושא | עותק",
    "Hungarian": "feladó | elküldve, dátum | címzett | tárgy | másolat",
    "Italian": "da | inviato, data | a | oggetto | cc",
    "Japanese": "差出人, 送信者 | 送信日時, 日付, 日時 | 宛先 | 件名 | cc",
    "Korean": "보낸 사람, 보낸사람 | 보낸 날짜, 보낸날짜, 날짜 | 받는 사람, 받는사람 | 제목 | 참조",
    "Norwegian": "fra | sendt, dato | til | emne | kopi",
    "Polish": "od | wysłano, wysłane, data | do | temat | dw",
    "Portuguese": "de | enviado, enviada, enviado em, enviada em, data | para | assunto | cc",
    "Romanian": "de la | trimis, data | către, catre | subiect | cc",
    "Russian": "от, от кого | отправлено, дата | кому | тема | копия",
    "Slovak": "od | odoslané, dátum | komu | predmet | kópia",
    "Spanish": "de | enviado, enviado el, fecha | para | asunto | cc",
    "Swedish": "från | skickat, datum | till | ämne | kopia",
    "Thai": "จาก | ส่ง, วันที่ | ถึง | เรื่อง | สําเนา",
    "Turkish": "gönderen, kimden | gönderildi, gönderme tarihi, tarih | kime | konu | bilgi",
    "Ukrainian": "від, від кого | надіслано, відправлено, дата | кому | тема | копія",
}


def _meanings() -> dict[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for language, names in _NAMES.items():
        for meaning, group in enumerate(names.split(" | ")):
            for name in group.split(", "):
                found[name].append((language, meaning))
    return dict(found)


_MEANINGS = _meanings()


def field_of(text: str) -> str:
    """The name of the header field that a folded line begins with, as some mail program writes it; or nothing."""
    found = _FIELD.match(text)
    name = lower(found[1]) if found else ""
    return name if name in _MEANINGS else ""


def is_head(names: Iterable[str]) -> bool:
    """Whether fields of these names, all of one language, are the head of a letter."""
    meant: dict[str, set[int]] = defaultdict(set)
    for name in names:
        for language, meaning in _MEANINGS[name]:
            meant[language].add(meaning)
    return any(len(meanings) >= _FEWEST for meanings in meant.values())
