"""Tells from a mail server's words and status codes whether an email failed because its address is unknown."""

from __future__ import annotations

import re
from typing import NamedTuple


class Failure(NamedTuple):
    """A failed email: whether its address is unknown, and the status code of RFC 3463, if any."""

    is_hard: bool
    status: str
    is_clear: bool = True  # false for a bounce that gives no reason we can read


_ADDRESS = (
    r"(?:local[- ]|virtual |mail )?(?:user|part|recipient|addressee|mailbox|account|address|host|domain)"
    r"(?: name| account| address|/domain name)?"
)
#: The address is unknown, or its domain accepts no email.
_UNKNOWN = re.compile(
    rf"(?:unknown|invalid|no such|no valid|nonexistent|non-existent)(?: or \w+)?(?: final delivery)? {_ADDRESS}"
    rf"|{_ADDRESS} (?:is |was |has been )?(?:\w+ )?(?:unknown|invalid|nonexistent|non-existent|deleted)"
    rf"|{_ADDRESS} (?:is |was |could ?|can ?|does ?|do ?|did ?)?(?:not|n't) "
    r"(?:be )?(?:found|exist|recogni[sz]ed|known|listed|valid)"
    r"|(?:does|do|did)(?: not|n't) (?:seem to )?(?:exist|have an?\b)|not an? (?:valid|known|registered|active)"
    r"|(?:address|domain|server) .{0,80}?(?:couldn't|could not|cannot) be found"
    r"|(?:wasn't|not) (?:found|listed) (?:at|in)\b|validrcptto"
    rf"|no (?:such person|{_ADDRESS} (?:here|by|with))"
    r"|no longer (?:exist|valid|active|available|on server|with us)"
    r"|not our (?:user|customer)|mailbox has moved|bad destination"
    r"|unroute?able (?:mail )?(?:address|domain)|undeliverable address|illegal host"
    r"|domain is not reachable|no route found to domain"
    r"|5\d\d[- ].{0,60}mailbox (?:un|not )available|mailbox unavailable.{0,30}5\d\d"
    r"|recipient address rejected(?:: access denied|\W*$)"
    r"|nxdomain|null mx|no mx\b|no smtp service|mail exchanger or ip|any host named|name or service not known"
    r"|(?:cannot|unable to|not) (?:resolve|look ?up) (?:dns|host|domain)"
    r"|(?:host|domain)(?:/domain)? (?:does not|doesn't) (?:accept|receive) e?-?mail"
    # Other languages.
    r"|(?:destinataire|utilisateur|adresse) (?:invalide|inconnue?|inexistante?)"
    r"|(?:empfänger|benutzer|adresse) (?:ist )?(?:unbekannt|nicht bekannt|existiert nicht)"
    r"|(?:usuario|usuário|utente|cuenta|conta|buzón) "
    r"(?:desconocido|desconhecido|sconosciuto|in[ea]xistente|inesistente|no existe|não existe)"
    r"|(?:ящик|адрес|пользователь) (?:не существует|не найден)|нет такого пользователя"
    r"|(?:用户|收件人|邮箱|地址)不存在|見つかりません|リストにありません"
)
#: Any reason but an unknown address. A text that fits both patterns counts as this one.
_OTHER_REASON = re.compile(
    r"(?<!recipient address rejected: access )denied|not (?:allowed|permitted|accepted|authori[sz]ed)|not a member"
    r"|spam|junk|bulk|unsolicited|unwanted|virus|malware|phish|\bube\b|content (?:reject|filter)|header error"
    r"|block(?:ed|ing)?\b|bloqu|black ?list|block ?list|\brbl\b|reputation|complaint|abuse|gr[ae]y-?list"
    r"|polic(?:y|ies)|security|prohibit|permission|restricted|dmarc|\bspf\b|dkim|authenticat|not verified"
    r"|reverse dns|\bptr\b|\btls\b|relay(?:ing)? (?:access|not)|(?:not|cannot|unable to|no|to) relay"
    r"|(?:is|box) full|quota|storage|disk space|(?:couldn't|can't) create"
    r"|too (?:large|big|many|long|much)|exceed|size limit|limit exceeded"
    r"|\brate\b|disabled|suspend|deactivat|discontinued|frozen|locked|on hold"
    r"|timed? ?-?out|expired|connection refused|not respond|retry|temporar|try (?:again )?later"
    r"|deferred|hop count|too many hops|\bloop|sender (?:address )?(?:is |was )?(?:rejected|invalid|unknown)"
    r"|5\d\d:? : user unknown"  # a filter of KDDI, which leaves the address out
)
#: The server refused us, the sender or the text. Some filters then call the user unknown too.
_OTHER_STEP = re.compile(
    r"(?:reply to|remote (?:mail server|mailer|server) after|>>>|like our|smtp command) *(?:pipelined )?"
    r"(?:end of |final )?(?:data|mail from|ehlo|helo|initial|text)"
    r"|after i sent the message|name was rejected|sender was rejected"
    r"|\(state 1[78]\)|\[(?:body|data|mail_from)\]"  # marks of Google and Yahoo
)
#: Names of machines and people, which may contain any word.
_NAMES_AND_LINKS = re.compile(r"[^\s<>@]{1,64}@[^\s<>]*|https?:\S+|\b(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,}\b")
_BLOCK_LISTS = re.compile(r"\b(?:spamhaus|spamcop|sorbs)\.(?:org|net)\b")
_STATUS = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
_UNKNOWN_STATUS = re.compile(r"[45]\.1\.(?:1|2|3|6|10)")
_SENDER_STATUS = re.compile(r"[45]\.1\.[78]")
_VAGUE_STATUS = re.compile(r"[45]\.(?:0\.\d+|1\.0|5\.0)")
_CHARACTERS = 10_000  # how many characters of each text we read


def classify_failure(*said: str) -> Failure:
    """Tell why an email failed; of a mail server's texts, the first that gives a reason decides."""
    texts = [" ".join(each[:_CHARACTERS].lower().split()) for each in said]
    status = next(filter(None, map(_status, texts)), "")
    may_be_unknown = bool(_UNKNOWN_STATUS.fullmatch(status)) or not any(map(_OTHER_STEP.search, texts))
    verdicts = (_is_unknown(text, may_be_unknown=may_be_unknown) for text in texts)
    verdict = next((each for each in verdicts if each is not None), None)
    return Failure(bool(verdict), status, is_clear=verdict is not None)


def _status(text: str) -> str:
    """Return a text's first RFC 3463 code, preferably not a vague one; empty if none."""
    found: list[str] = _STATUS.findall(text)
    return next((each for each in found if not _VAGUE_STATUS.fullmatch(each)), found[0] if found else "")


def _is_unknown(text: str, *, may_be_unknown: bool) -> bool | None:
    """Tell whether a text says that the address is unknown; None if it gives no reason."""
    words, status = " ".join(_NAMES_AND_LINKS.sub(" ", text).split()), _status(text)
    if _OTHER_REASON.search(words) or _BLOCK_LISTS.search(text) or _SENDER_STATUS.fullmatch(status):
        return False
    if _UNKNOWN.search(words):
        return may_be_unknown
    if not status or _VAGUE_STATUS.fullmatch(status):
        return None
    return bool(_UNKNOWN_STATUS.fullmatch(status))
