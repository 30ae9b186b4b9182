"""Reads our own mail server's verdict on an email's sender, from the Authentication-Results of RFC 8601."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corr.mail.inward.headers import only_address, strip_comments
from corr.mail.inward.incoming_email import parse_header

_FIELD = "authentication-results"
_DMARC = re.compile(r"\s*dmarc\s*=\s*(\w+)(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_FAILED = re.compile(r"(?<![\w-])dmarc\s*=\s*fail\b", re.IGNORECASE)
_FROM = re.compile(r"(?:^|\s)header\.from\s*=\s*(\S+)", re.IGNORECASE)


def dmarc_verdict(raw: bytes, authserv_id: str | None) -> str | None:
    """Return our mail server's DMARC verdict on the sender, such as `pass`; None if it gave none.

    Only the topmost field with our server's name counts, and only with a single verdict, since the rest may be a
    forger's. A `fail` counts in any field, since no forger would add it.
    """
    if authserv_id is None:
        return None
    head = parse_header(raw)
    ours = [value for value in head.all(_FIELD) if _is_from_server(value, authserv_id)]
    if any(map(_FAILED.search, ours)):
        return "fail"
    if not ours or _FIELD in head.cut:
        return None
    return _verdict_on_sender(strip_comments(ours[0], " ").split(";")[1:], only_address(head.all("from")))


def _is_from_server(value: str, authserv_id: str) -> bool:
    """Tell whether an Authentication-Results field names our own mail server."""
    name = strip_comments(value, " ").partition(";")[0]
    return name.casefold().split()[:1] == [authserv_id.casefold()]


def _verdict_on_sender(results: Sequence[str], sender: str) -> str | None:
    """Return the DMARC verdict, if there is just one and it is about the sender's domain."""
    found = [match for match in map(_DMARC.fullmatch, results) if match]
    domain = sender.rpartition("@")[2].casefold()
    if len(found) != 1 or not domain:
        return None
    named = {each.rpartition("@")[2].casefold() for each in _FROM.findall(found[0][2] or "")}
    return found[0][1].lower() if named == {domain} else None
