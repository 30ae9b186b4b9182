"""Recognizes subjects of absence notes and read receipts in many languages."""

from __future__ import annotations

import re
import unicodedata

#: The start of our own subjects.
SUBJECT_MARK = "[corr]"
_PHRASES = (
    "automatic reply|automatic response|automated reply|automated response|auto[- ]?reply|auto[- ]?response"
    "|autoresponder|out[- ]of[- ](?:the )?office|out of town|away from (?:the )?(?:office|my mail|my desk)"
    "|on (?:vacation|holiday|annual leave|parental leave|maternity leave)|vacation (?:reply|notice|message)"
    "|absence notice|i am away|i'm away"
    "|automatische antwort|abwesenheits(?:notiz|meldung|nachricht|assistent)|abwesenheit vom (?:büro|arbeitsplatz)"
    "|nicht im (?:büro|haus)|außer haus|im urlaub"
    "|réponse automatique|absence du bureau|absent(?:e)? du bureau|message d'absence|en congés?"
    "|respuesta automática|fuera de (?:la )?oficina|ausente de la oficina|de vacaciones"
    "|risposta automatica|fuori (?:sede|ufficio)|assente dall'ufficio|in ferie"
    "|resposta automática|fora do escritório|ausência temporária|ausente do escritório|de férias"
    "|automatisch antwoord|automatische reactie|afwezigheids(?:bericht|melding|assistent)|niet op kantoor"
    "|autosvar|automatiskt svar|automatisk svar|frånvaro(?:meddelande)?|fraværs(?:besked|melding|assistent)"
    "|ikke på kontoret|ikke til stede|inte på kontoret|på semester"
    "|automaattinen vastaus|poissa toimistosta|poissaoloilmoitus"
    "|odpowiedź automatyczna|automatyczna odpowiedź|poza biurem|nieobecność w biurze"
    "|automatická odpověď|mimo kancelář|automatická odpoveď|automatikus válasz"
    "|otomatik yan\u0131t|ofis d\u0131ş\u0131nda"
    "|автоматический ответ|автоответ|вне офиса|нет на работе|автоматична відповідь|αυτόματη απάντηση"
    "|răspuns automat"
)
_SIGNS = (
    "自動応答|自動返信|不在通知|不在のお知らせ|自动答复|自动回复|自動回覆|外出通知|자동 회신|자동 응답|부재중"
)
_HEADINGS = (
    "auto|away|vacation|holiday|abwesend|abwesenheit|urlaub|absent|absence|absente|ausente|ausencia|assente|assenza"
    "|ausência|afwezig|afwezigheid|fravær|nieobecny|nieobecność|отсутствие|ooo"
    "|read|not read|gelesen|ungelesen|lu|non lu|leído|no leído|letto|non letto|lida|não lida|gelezen|niet gelezen"
    "|läst|lest|læst|przeczytano|прочитано|開封済み|已读"
)
_PHRASE_PATTERN = re.compile(rf"(?<!\w)(?:{_PHRASES})(?!\w)|{_SIGNS}")
_HEADING_PATTERN = re.compile(rf"[\[(<*]*(?:{_HEADINGS})[\])>*]* ?:.*")


def is_absence_subject(subject: str) -> bool:
    """Return whether a subject, up to our own if it has ours, tells of an absence or a receipt."""
    own = unicodedata.normalize("NFKC", subject).replace("\u2019", "'").casefold()
    own = " ".join(own.partition(SUBJECT_MARK)[0].split())
    return bool(_PHRASE_PATTERN.search(own) or _HEADING_PATTERN.fullmatch(own))
