"""Recognizes lines around a quoted email, such as `Ann wrote:`, and below a text, such as "Sent from my iPhone"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from corr.orders.scanner import lower

#: How each language says that somebody wrote something.
_WROTE = (
    "wrote, writes",  # English
    "schrieb, schreibt, geschrieben",  # German
    "écrit, ecrit",  # French
    "escribió, escribio, escribe, escrito",  # Spanish
    "scritto, scrive",  # Italian
    "escreveu, escreve",  # Portuguese
    "schreef, schrijft, geschreven",  # Dutch
    "napisał, napisała, napisana, pisze",  # Polish
    "написал, написала, пишет, писал, писала, писали",  # Russian
    "пише, написав, написала",  # Ukrainian
    "написа, напиша",  # Bulgarian, Macedonian
    "napsal, napsala, píše",  # Czech
    "napísal, napísala",  # Slovak
    "napisao, napisala, napisal",  # Croatian, Serbian, Slovene
    "skrev, skriver, skrifaði",  # Swedish, Danish, Norwegian, Icelandic
    "kirjoitti, kirjoittaa, kirjutas",  # Finnish, Estonian
    "rakstīja, rašė, parašė",  # Latvian, Lithuanian
    "írta",  # Hungarian
    "yazd\u0131, yazm\u0131ş",  # Turkish
    "έγραψε",  # Greek
    "a scris",  # Romanian
    "va escriure, escrigué",  # Catalan
    "כתב, כתבה",  # Hebrew
    "كتب, كتبت, نوشت",  # Arabic, Persian
    "đã viết, menulis",  # Vietnamese, Indonesian
)
#: The same for languages that write words without spaces.
_WROTE_CLOSE = (
    "写道|寫道|写到|は書きました|が書きました|のメール|のメッセージ|작성|쓴 글|เขียน|ने लिखा|تمت كتابة"
)
_TITLES = (
    "original message, reply message, forwarded message, begin forwarded message, forwarded mail, original",
    "ursprüngliche nachricht, originalnachricht, original-nachricht, original nachricht, weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht, anfang der weitergeleiteten e-mail, antwort nachricht, originaltext",
    "message d'origine, message original, message originel, mail original, message transféré, message réexpédié",
    "début du message réexpédié, début du message transféré, courriel original, e-mail d'origine",
    "mensaje original, mensaje reenviado, inicio del mensaje reenviado, correo original",
    "messaggio originale, messaggio inoltrato, inizio messaggio inoltrato, messaggio d'origine",
    "mensagem original, mensagem encaminhada, mensagem reencaminhada, início da mensagem reencaminhada",
    "início da mensagem encaminhada",
    "oorspronkelijk bericht, origineel bericht, doorgestuurd bericht, begin doorgestuurd bericht",
    "oryginalna wiadomość, wiadomość oryginalna, wiadomość przekazana, przekazana wiadomość",
    "początek przekazywanej wiadomości, początek przesyłanej wiadomości, treść oryginalnej wiadomości",
    "исходное сообщение, исходное письмо, оригинальное сообщение, пересылаемое сообщение",
    "пересланное сообщение, начало переадресованного сообщения, начало пересылаемого сообщения",
    "původní zpráva, původní e-mail, původní mail, přeposlaná zpráva, začátek přeposílané zprávy",
    "pôvodná správa, pôvodný e-mail, preposlaná správa",
    "ursprungligt meddelande, originalmeddelande, vidarebefordrat meddelande, vidarebefordrat brev",
    "oprindelig meddelelse, oprindelig besked, videresendt meddelelse, start på videresendt besked",
    "opprinnelig melding, original melding, videresendt melding, videresendt e-post, begynnelse på videresendt melding",
    "alkuperäinen viesti, välitetty viesti, välitetty viesti alkaa, edelleenlähetetty viesti",
    "eredeti üzenet, továbbított üzenet, továbbított levél kezdete",
    "özgün ileti, orijinal mesaj, iletilen ileti, iletilen ileti başlang\u0131c\u0131, yönlendirilen ileti",
    "αρχικό μήνυμα, προωθημένο μήνυμα, mesajul original, mesaj original, mesaj redirecționat",
    "оригінальне повідомлення, вихідне повідомлення, переслане повідомлення, оригинално съобщение",
    "izvorna poruka, originalna poruka, izvirno sporočilo, proslijeđena poruka",
    "הודעה מקורית, ההודעה המקורית, הודעה שהועברה, الرسالة الأصلية, رسالة أصلية, رسالة معاد توجيهها",
    "元のメッセージ, 元のメール, オリジナルメッセージ, 転送メッセージ, 転送されたメッセージ, 引用元メッセージ",
    "원본 메시지, 원본 메일, 원본 이메일, 원본메일, 원본메세지, 전달된 메시지, 전달된 메일, 전달한 메시지",
    "原始邮件, 原邮件, 回复的原邮件, 转发的邮件, 转发邮件信息, 转发的原邮件, 邮件原件, 原始信息, 开始转发的邮件",
    "原始郵件, 原始訊息, 轉寄的郵件, 轉寄郵件, 開始轉寄郵件, 開始轉寄訊息, 以下是被轉寄的訊息",
    "tin nhắn gốc, thư gốc, pesan asli, ข้อความต้นฉบับ, missatge original, algne kiri",
)

#: What programs add below their writer's text, whether or not a quotation follows.
_FOOTERS = (
    "sent from, sent via, sent with, get outlook for, get bluemail for, from my iphone, from my ipad",
    "von meinem, gesendet von, gesendet mit, diese nachricht wurde von meinem, holen sie sich outlook, outlook für",
    "envoyé de, envoyé depuis, envoyé à partir, envoyé avec, obtenez outlook, télécharger outlook",
    "enviado desde, enviado con, enviado do, enviado de, enviado a partir, obtener outlook, obter o outlook",
    "inviato da, inviato con, scarica outlook, ottieni outlook",
    "verstuurd van, verzonden van, verzonden met, outlook voor, download outlook",
    "wysłane z, wysłano z, pobierz outlook, odesláno z, posláno z, odoslané z, získat outlook",
    "отправлено \u0441, отправлено из, скачать outlook, надіслано з, изпратено от",
    "skickat från, skickades från, sendt fra, hämta outlook, hent outlook, få outlook, lähetetty, hanki outlook",
    "küldve, elküldve, στάλθηκε από, trimis de pe, trimis din, enviat des, poslano s, nosūtīts no, saadetud",
    "נשלח מ, أرسلت من, مرسل من, ส่งจาก, đã gửi từ, gửi từ, dikirim dari",
    "发自, 發自, 寄自, 從我的, 从我的, 获取 outlook, 取得 outlook, 来自我的, 來自我的",
)
_FOOTERS_END = ("から送信, より送信, 에서 보냄, 에서 보냈습니다, gönderildi, edinin, 傳送, を入手, 다운로드",)


def _split_entries(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Split rows of entries with commas between into one tuple."""
    return tuple(entry for row in rows for entry in row.split(", "))


_MARKS = "-_=*~"
_VERBS = _split_entries(_WROTE)
_LAST_WORDS = frozenset(verb.split()[-1] for verb in _VERBS)
_KNOWN_TITLES = frozenset(_split_entries(_TITLES))
_VERB = re.compile(rf"(?<!\w)(?:{'|'.join(_VERBS)})(?!\w)(?:\(\w{{1,2}}\))?|{_WROTE_CLOSE}")
_VERB_CLOSE = re.compile(_WROTE_CLOSE)
_FOOTS, _FOOTS_END = _split_entries(_FOOTERS), _split_entries(_FOOTERS_END)
_CAPTION_ENDS = (*_VERBS, *_WROTE_CLOSE.split("|"))
_ADDRESS = re.compile(r"[^\s@]@[^\s@.]+\.[^\s@.]")
_DAY = re.compile(r"\d{1,4} ?[./-] ?\d{1,2} ?[./-] ?\d{1,4}")
_YEAR = re.compile(r"(?<!\d)(?:19|20|25)\d\d(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2} ?[:.h] ?\d\d(?!\d)")
_ZONE = re.compile(r"\b(?:GMT|UTC)\b")
_WORD = re.compile(r"\w+")
_MOST_WORDS_AFTER = 4
_LONGEST_TITLE = 100
_SURE_DASHES, _FEWEST_DASHES = 5, 2
_LONG_RULE = 10


class CaptionCertainty(IntEnum):
    """How well a line says who wrote the text below it."""

    NOTHING = 0
    PERHAPS = 1  # "Ann wrote:", which may be the writer's own words
    SURELY = 2


@dataclass(frozen=True, slots=True)
class CaptionSigns:
    """The signs in some lines that may tell who wrote something, and when."""

    address: bool = False
    day: bool = False
    time: bool = False
    zone: bool = False
    words: int = 0
    after: int | None = None  # words after the last verb of writing

    @property
    def is_dated(self) -> bool:
        return self.day or self.time

    def above(self, below: CaptionSigns) -> CaptionSigns:
        """Return the signs of these lines and of the lines below them together."""
        after = self.after + below.words if below.after is None and self.after is not None else below.after
        return CaptionSigns(
            self.address or below.address,
            self.day or below.day,
            self.time or below.time,
            self.zone or below.zone,
            self.words + below.words,
            after,
        )


def find_signs(text: str) -> CaptionSigns:
    """Find the signs in a line that it says who wrote something, and when."""
    rest = _DAY.sub(" ", text)
    words = _WORD.findall(lower(text))
    return CaptionSigns(
        address="@" in text and _ADDRESS.search(text) is not None,
        day=rest != text or _YEAR.search(text) is not None,
        time=_TIME.search(rest) is not None,
        zone=_ZONE.search(text) is not None,
        words=len(words),
        after=_words_after_verb(lower(text), words),
    )


def may_end_caption(text: str) -> bool:
    """Tell quickly whether a line may be the last of one such as `On Monday Ann wrote:`."""
    return (
        text[-1:] in ":*"
        or "@" in text
        or "GMT" in text
        or "UTC" in text
        or lower(text).rstrip(_MARKS + " ").endswith(_CAPTION_ENDS)
    )


def ends_in_colon(text: str) -> bool:
    """Tell whether a line ends in a colon, even in bold or between dashes."""
    return text.rstrip(_MARKS + " ").endswith(":")


def judge_caption(signs: CaptionSigns, *, is_colon: bool) -> CaptionCertainty:
    """Judge how surely some lines with these signs say who wrote the text below."""
    ends = is_colon or signs.after == 0
    if signs.address and (ends or signs.is_dated):
        return CaptionCertainty.SURELY
    if signs.after is not None and ends and signs.is_dated:
        return CaptionCertainty.SURELY
    if signs.day and signs.time and (is_colon or signs.zone):
        return CaptionCertainty.SURELY
    is_near = signs.after is not None and signs.after <= _MOST_WORDS_AFTER
    return CaptionCertainty.PERHAPS if is_colon and is_near else CaptionCertainty.NOTHING


def is_title(text: str) -> bool:
    """Tell whether a line is a title such as `-----Original Message-----`, or a long rule."""
    inner = text.lstrip(_MARKS)
    left = len(text) - len(inner)
    if not inner:
        return left >= _LONG_RULE
    trimmed = inner.rstrip(": ").rstrip(_MARKS)
    right = len(inner.rstrip(": ")) - len(trimmed)
    name = trimmed.strip(": ")
    if not name or len(name) > _LONGEST_TITLE:
        return False
    if lower(name) in _KNOWN_TITLES:
        return True
    if min(left, right) < _FEWEST_DASHES:
        return False
    return (
        min(left, right) >= _SURE_DASHES
        or _words_after_verb(lower(name), _WORD.findall(lower(name))) is not None
    )


def is_footer(text: str) -> bool:
    """Tell whether a line is a program's footer, such as `Sent from my iPhone`."""
    small = lower(text)
    return len(small) <= _LONGEST_TITLE and (small.startswith(_FOOTS) or small.endswith(_FOOTS_END))


def is_rule(text: str) -> bool:
    """Tell whether a line is empty or has only dashes and the like."""
    return not text.strip(_MARKS)


def _words_after_verb(small: str, words: list[str]) -> int | None:
    """Return how many words follow the last verb of writing; None without one."""
    if _LAST_WORDS.isdisjoint(words) and (small.isascii() or not _VERB_CLOSE.search(small)):
        return None
    ends = [found.end() for found in _VERB.finditer(small)]
    return len(_WORD.findall(small, ends[-1])) if ends else None
