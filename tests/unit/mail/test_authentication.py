"""`dmarc_verdict`: what our own mail server found out about the sender, in real and forged headers."""

from __future__ import annotations

import pytest

from corr.mail.inward.authentication import dmarc_verdict

OURS = "mail.example.org"
OPENDKIM = (
    "Authentication-Results: mail.example.org;\r\n"
    "\tdkim={} header.d=friend.example header.i={} header.a=rsa-sha256 header.s=s1 header.b=Fda15L6H;\r\n"
    "\tdkim-atps=neutral"
)
SIGNED = OPENDKIM.format("pass (2048-bit key; unprotected)", "@friend.example")
OPENDMARC = (
    "Authentication-Results: mail.example.org; dmarc={} (p={} dis=none) header.from=friend.example\r\n"
    "Authentication-Results: mail.example.org; spf=pass smtp.mailfrom={}"
)
RSPAMD = "Authentication-Results: mail.example.org;\r\n\t{};\r\n\t{};\r\n\t{}"
RSPAMD_SPF = (
    "spf=pass (mail.example.org: domain of {0} designates 198.51.100.7 as permitted sender) smtp.mailfrom={0}"
)
LIKE_A_VERDICT = '";\r\n\tdmarc=pass header.from=friend.example;\r\n\t@stranger.example"'

#: Whole headers as real servers wrote them, with names changed.
REAL = {
    "opendmarc and opendkim: both agree": (
        f"{OPENDMARC.format('pass', 'none', 'friend.example')}\r\n{SIGNED}",
        "pass",
    ),
    "opendmarc: only DKIM aligned": (
        f"{OPENDMARC.format('pass', 'none', 'list.example')}\r\n{SIGNED}",
        "pass",
    ),
    "opendmarc: only SPF aligned": (OPENDMARC.format("pass", "none", "friend.example"), "pass"),
    "opendmarc: no policy": (f"{OPENDMARC.format('none', 'none', 'friend.example')}\r\n{SIGNED}", "none"),
    "opendmarc: a stranger": (OPENDMARC.format("fail", "reject", "stranger.example"), "fail"),
    "opendmarc: changed in transit": (
        OPENDMARC.format("fail", "none", "stranger.example")
        + "\r\n"
        + OPENDKIM.format(
            'fail reason="signature verification failed" (2048-bit key; unprotected)', "@friend.example"
        ),
        "fail",
    ),
    "opendkim alone, since opendmarc didn't check": (SIGNED, None),
    "rspamd: all agree": (
        RSPAMD.format(
            "dkim=pass header.d=friend.example header.s=s1 header.b=axX5QAdZ",
            "dmarc=pass (policy=none) header.from=friend.example",
            RSPAMD_SPF.format("fay@friend.example"),
        ),
        "pass",
    ),
    "rspamd: no policy": (
        RSPAMD.format("dkim=none", "dmarc=none", RSPAMD_SPF.format("fay@friend.example")),
        None,
    ),
    "rspamd: a stranger, whose address looks like a verdict": (
        RSPAMD.format(
            "dkim=none",
            'dmarc=fail reason="SPF not aligned (relaxed), No valid DKIM" header.from=friend.example (policy=none)',
            RSPAMD_SPF.format(LIKE_A_VERDICT),
        ),
        "fail",
    ),
}
GMAIL = """Authentication-Results: mail.example.org;
       dkim=pass header.i=@friend.example header.s=20230601 header.b=ksOGfQcS;
       spf=pass (mail.example.org: domain of fay@friend.example designates 198.51.100.7 as permitted sender)
        smtp.mailfrom=fay@friend.example;
       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=friend.example"""
EXIM = """Authentication-Results: mail.example.org;
\tiprev=pass (mx.friend.example) smtp.remote-ip=198.51.100.7;
\tspf=pass smtp.mailfrom=friend.example;
\tdkim=pass header.d=friend.example header.s=s1 header.a=rsa-sha256;
\tdmarc=pass header.from=friend.example;
\tarc=none"""
#: Headers found in emails that went through such servers.
COPIED_FROM_EMAILS = {"Gmail": (GMAIL, "pass"), "Exim": (EXIM, "pass")}
FORGED = {
    "another's name": (
        "Authentication-Results: mx.elsewhere.example; dmarc=pass header.from=friend.example",
        None,
    ),
    "a comment in our name": (
        "Authentication-Results: mail.ex(x)ample.org; dmarc=pass header.from=friend.example",
        None,
    ),
    "quotation marks in our name": (
        'Authentication-Results: mail.ex""ample.org; dmarc=pass header.from=friend.example',
        None,
    ),
    "a long field of the email's own, below ours": (
        (
            f"{OPENDMARC.format('fail', 'none', 'friend.example')}\r\n"
            f"Authentication-Results: mx.elsewhere.example; dmarc=pass ({'x' * 9_000})"
        ),
        "fail",
    ),
    "a quotation mark in the signer's text": (
        'Authentication-Results: mail.example.org; dkim=none header.i="x; dmarc=fail header.from=friend.example',
        "fail",
    ),
    "another server of ours found nothing": (
        f"{SIGNED}\r\nAuthentication-Results: mail.example.org; dmarc=fail header.from=friend.example",
        "fail",
    ),
    "another sender, as our server read the email": (
        "Authentication-Results: mail.example.org; dmarc=fail header.from=stranger.example",
        "fail",
    ),
    "below ours": (
        f"{SIGNED}\r\nAuthentication-Results: mail.example.org; dmarc=pass header.from=friend.example",
        None,
    ),
    "text of the signer, copied by opendkim": (
        (
            "Authentication-Results: mail.example.org;\r\n"
            "\tdkim=pass (2048-bit key; unprotected) header.d=stranger.example"
            " header.i=x; dmarc=pass header.from=friend.example;@stranger.example header.a=rsa-sha256 header.s=s1;\r\n"
            "\tdmarc=fail header.from=friend.example"
        ),
        "fail",
    ),
    "a comment in a comment": (
        (
            "Authentication-Results: mail.example.org (a (b) ; dmarc=pass header.from=friend.example;);"
            " dmarc=fail header.from=friend.example"
        ),
        "fail",
    ),
    "two senders": (
        "Authentication-Results: mail.example.org; dmarc=pass header.from=stranger.example header.from=friend.example",
        None,
    ),
    "no sender": ("Authentication-Results: mail.example.org; dmarc=pass", None),
    "another sender": (
        "Authentication-Results: mail.example.org; dmarc=pass header.from=stranger.example",
        None,
    ),
    "a longer word": (
        (
            "Authentication-Results: mail.example.org; x-dmarc=pass header.from=friend.example;"
            " dmarc=passed header.from=friend.example"
        ),
        "passed",
    ),
    "a field that is too long": (
        f"Authentication-Results: mail.example.org; dmarc=pass header.from=friend.example ({'x' * 9_000})",
        None,
    ),
}
CASES = REAL | COPIED_FROM_EMAILS | FORGED


@pytest.mark.parametrize("name", CASES)
def test_only_our_own_servers_verdict_counts(name: str) -> None:
    fields, found = CASES[name]
    letter = f"{fields}\r\nFrom: Fay <fay@friend.example>\r\nSubject: a game\r\n\r\nhelp\r\n"

    assert dmarc_verdict(letter.encode(), OURS) == found
    assert dmarc_verdict(letter.encode(), OURS.upper()) == found
    assert dmarc_verdict(letter.encode(), "mail.elsewhere.example") is None
    assert dmarc_verdict(letter.encode(), None) is None


@pytest.mark.parametrize(
    "sender", ["fay@friend.example, eve@stranger.example", "fay@friend.example\r\nFrom: eve@stranger.example"]
)
def test_an_ambiguous_sender_gets_no_verdict(sender: str) -> None:
    letter = f"{OPENDMARC.format('pass', 'none', 'friend.example')}\r\nFrom: {sender}\r\n\r\nhelp\r\n"

    assert dmarc_verdict(letter.encode(), OURS) is None
