"""Reads from a bounce why an email of ours failed (`failure_reason.py`); `automatic_mail.py` tells that it is one."""

from __future__ import annotations

import re
from contextlib import suppress

from corr.mail.failure_reason import Failure, classify_failure
from corr.mail.inward.automatic_mail import SUBJECT_MARK, is_absence_subject, why_automatic
from corr.mail.inward.decoding import decode_subject
from corr.mail.inward.headers import EmailHeader, only_address, split_header
from corr.mail.inward.incoming_email import split_email
from corr.mail.inward.mime import text_lines, texts_of_kind
from corr.words.errors import Refused

_KINDS = ("message/delivery-status", "message/global-delivery-status")
_BLOCKS = 50  # the most blocks that we read: one is about the route, and one about each recipient
_BLOCK_SEPARATOR = re.compile(r"\n(?:[ \t]*\n)+")
_BYTES, _CHARACTERS = 50_000, 10_000  # how many bytes and characters of a bounce's text we read
_OUR_EMAIL_COPY = re.compile(
    r"^[> ]{0,4}(?:(?:received|return-path|dkim-signature):"
    r"|-{2,} ?(?:this is a copy|below this line|the header of|message header|enclosed is"
    r"|(?:the )?(?:original|returned|unsent|undelivered) (?:message|mail))"
    r"|(?:the )?original message follows|message headers follow|below is a copy|included is a copy)",
    re.IGNORECASE | re.MULTILINE,
)
_OUR_SUBJECT = re.compile(r"^[> \t]*subject:.*", re.IGNORECASE | re.MULTILINE)
#: The line that repeats the other server's answer, and up to two lines onto which it wraps.
_ANSWER = re.compile(r"^.*?(?:\b5\d\d[-: ]|\b5\.\d\.\d).*(?:\n[ \t]+\S.*){0,2}", re.MULTILINE)
_DELAY = re.compile(
    r"warning (?:message )?only|(?:has|have) been (?:delayed|postponed)|delayed for more than|about a delay"
    r"|(?:not|need to) resend|still being retried|will (?:be retried|retry|keep trying|continue)|continue to try"
    r"|not yet been delivered|temporary failure report|(?:message|mail) for past",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"undeliver|non-deliver|(?:not|unable to|can't) (?:be )?(?:deliver|sent|relayed|reach)|fail(?:ed|ure)"
    r"|deliver\w* (?:problem|error)|was aborted|(?:permanent|fatal) error|returned (?:mail|message)|rejected"
    r"|(?:送|配)信できません",
    re.IGNORECASE,
)


def read_bounce(raw: bytes) -> Failure | None:
    """Return why the email that this bounce answers failed; None if it may have arrived."""
    head, body = split_email(raw)
    words, about = _words(head, body), decode_subject(head.first("subject")).partition(SUBJECT_MARK)[0]
    answers = "\n".join(_ANSWER.findall(words))
    acted = [block for block in _blocks(head, body, words) if block.first("action")]
    if acted:
        failed = next(filter(_has_failed, acted), None)
        if failed is None:
            return None
        told = classify_failure(
            failed.first("diagnostic-code"), failed.first("status"), answers, words, about
        )
        return told._replace(is_clear=True)
    if _is_no_failure(head, words, about):
        return None
    told = classify_failure(answers, words, about)
    says_so = head.first("x-failed-recipients") or _FAILED.search(f"{about}\n{words}")
    return told._replace(is_clear=told.is_clear or bool(says_so))


def _words(head: EmailHeader, body: bytes) -> str:
    """Return the bounce's text for people, without the copy of our email below it."""
    try:
        text = "\n".join(text_lines(head, body[:_BYTES]))
    except Refused:
        text = body[:_BYTES].decode("utf-8", "replace")
    return _OUR_SUBJECT.sub("", _OUR_EMAIL_COPY.split(text[:_CHARACTERS], maxsplit=1)[0])


def _blocks(head: EmailHeader, body: bytes, words: str) -> list[EmailHeader]:
    """Return a bounce's blocks of fields for programs (RFC 3464), one for each recipient."""
    told = [words]
    with suppress(Refused):
        told = [text for kind in _KINDS for text in texts_of_kind(head, body, kind)] or told
    blocks = (_BLOCK_SEPARATOR.split(text.strip(), _BLOCKS)[:_BLOCKS] for text in told)
    return [split_header(block.encode())[0] for each in blocks for block in each]


def _has_failed(block: EmailHeader) -> bool:
    return block.first("action").lower().startswith(("fail", "error"))


def _is_no_failure(head: EmailHeader, words: str, about: str) -> bool:
    """Tell whether this is a notice of delay, an absence note, a complaint or a read receipt."""
    sender = only_address(head.all("from"))
    why = why_automatic(head, sender)
    is_receipt = why == "receipt" and not _FAILED.search(words)  # a receipt may also refuse the email
    is_complaint = "feedback-report" in head.first("content-type").lower()
    is_note = (why == "auto-replied" and sender != "") or is_absence_subject(about)
    return is_receipt or is_complaint or is_note or bool(_DELAY.search(words))
