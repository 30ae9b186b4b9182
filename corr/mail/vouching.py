"""What our own mail server has found out about who a letter is from: the Authentication-Results of RFC 8601."""

from __future__ import annotations

import re

from corr.mail.letter import open_head
from corr.mail.mailbox import single

_DMARC = re.compile(r"(?:^|;)\s*dmarc\s*=\s*(\w+)([^;]*)", re.IGNORECASE)
_FROM = re.compile(r"header\.from\s*=\s*\"?@?([^\s\";]+)", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]*\)")


def verdict(raw: bytes, authserv_id: str | None) -> str | None:
    """`pass`, `fail` or another word of DMARC's on the letter's own sender; None where there is no verdict of ours.

    Only the topmost field under our own server's name counts: what stands below it came with the letter.
    """
    if authserv_id is None:
        return None
    head = open_head(raw)
    for value in head.all("authentication-results"):
        plain = _COMMENT.sub(" ", value)
        name, _, results = plain.partition(";")
        if name.casefold().split()[:1] == [authserv_id.casefold()]:
            return _of_sender(f";{results}", single(head.all("from")))
    return None


def _of_sender(results: str, sender: str) -> str | None:
    found = _DMARC.search(results)
    if found is None:
        return None
    named = _FROM.search(found[2])
    domain = sender.rpartition("@")[2].casefold()
    is_meant = named is None or named[1].rpartition("@")[2].casefold() == domain
    return found[1].lower() if domain and is_meant else None
