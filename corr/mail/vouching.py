"""What our own mail server has found out about who a letter is from: the Authentication-Results of RFC 8601."""

from __future__ import annotations

import re

from corr.mail.letter import open_head
from corr.mail.mailbox import single, unquoted

_DMARC = re.compile(r"dmarc\s*=\s*(\w+)(.*)", re.IGNORECASE | re.DOTALL)
_FROM = re.compile(r"header\.from\s*=\s*@?(\S+)", re.IGNORECASE)
_QUOTED_DOMAIN = re.compile(r"(?<==)\s*\"([\w.@-]+)\"")


def verdict(raw: bytes, authserv_id: str | None) -> str | None:
    """`pass`, `fail` or another word of DMARC's on the letter's own sender; None where there is no verdict of ours.

    Only the topmost field under our own server's name counts: what stands below it came with the letter.
    """
    if authserv_id is None:
        return None
    head = open_head(raw)
    for value in head.all("authentication-results"):
        # What a stranger has chosen, as the local part of his address, may stand in a comment or in quotation marks.
        name, *results = unquoted(_QUOTED_DOMAIN.sub(r"\1", value)).split(";")
        if name.casefold().split()[:1] == [authserv_id.casefold()]:
            return _of_sender(results, single(head.all("from")))
    return None


def _of_sender(results: list[str], sender: str) -> str | None:
    """The one verdict there is; none where there are two."""
    verdicts = [found for each in results if (found := _DMARC.match(each.strip()))]
    if len(verdicts) != 1:
        return None
    found = verdicts[0]
    named = _FROM.search(found[2])
    domain = sender.rpartition("@")[2].casefold()
    is_meant = named is None or named[1].rpartition("@")[2].casefold() == domain
    return found[1].lower() if domain and is_meant else None
