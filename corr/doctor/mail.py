"""Checks that emails are read and sent, beat runs, and a test email comes back signed (wait: `corr/limits.py`)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

import dkim

from corr.config import Config
from corr.doctor.dns_lookup import LOOKUP_ADVICE, DnsResolver, LookupFailed
from corr.doctor.finding import Finding, report_ok, report_problem
from corr.mail.outward.transport import DeliveryFate, Envelope
from corr.service.admin import statistics
from corr.service.admin.statistics import Figures
from corr.service.mail import compose_failures, doctor_email
from corr.service.mail.doctor_email import EchoEmail
from corr.service.server import Server

_LONG_WAIT = 600
_NO_SWEEP = "Start `beat` and `worker`. If you just did, run the doctor again in half a minute."
_LACKING = "The worker's log names the faulty line. Once it is fixed, new emails are complete again."
_DEAD = "Fix the cause, then run: corr letter resend"


def findings(server: Server) -> Iterator[Finding]:
    """Report unread, unsent and incomplete emails, and when beat last ran."""
    state = statistics.load_figures(server, server.now())
    lacked = compose_failures.list_recent(server, server.now())
    yield _sweep(state)
    yield _waiting("unread", state.unread, state.oldest_unread_age, "See the worker's log.")
    yield _waiting(
        "unsent", state.unsent, state.oldest_unsent_age, "See the worker's log and the mail server's."
    )
    if state.dead:
        yield report_problem("dead", f"undelivered emails: {state.dead}.", _DEAD)
    else:
        yield report_ok("dead", "none")
    for each in lacked:
        part = _PART_NAMES.get(each.part, each.part)
        says = f"emails went out without {part}: {each.fault}, last on {each.rung_at.date()}."
        yield report_problem("alarms", says, _LACKING)
    if not lacked:
        yield report_ok("alarms", "all recent emails were complete")


#: The names, for people, of the parts that emails can lack.
_PART_NAMES = {
    "letter": "their usual text and layout",
    "picture": "their picture",
    "html": "their HTML",
    "game": "the game file",
    "quotable": "the text for quoting in replies",
}


def _sweep(state: Figures) -> Finding:
    """Report whether beat has had the deadlines checked lately."""
    if state.last_sweep_age is None:
        return report_problem("sweep", "beat hasn't checked the deadlines yet.", _NO_SWEEP)
    ago = f"beat last checked the deadlines {state.last_sweep_age:.0f} s ago"
    return (
        report_problem("sweep", f"{ago}.", _NO_SWEEP) if state.has_sweep_stopped else report_ok("sweep", ago)
    )


def _waiting(what: str, count: int, oldest: float | None, advice: str) -> Finding:
    """Report how many emails wait; it is a problem if one has waited ten minutes."""
    if oldest is None:
        return report_ok(what, "none")
    says = f"{count}, the oldest {oldest:.0f} s old"
    return report_ok(what, says) if oldest < _LONG_WAIT else report_problem(what, says, advice)


_POLL_SECONDS = 0.1


def check_round_trip(server: Server, config: Config, names: DnsResolver, seconds: float) -> Iterator[Finding]:
    """Send an email to the site itself, and report whether it comes back signed."""
    if config.post_url.startswith("spool:"):
        says = "emails only go into a folder."
        yield report_problem("letter", says, "Set CORR_SMTP_URL to a mail server.")
        return
    with doctor_email.open_echo_address(server) as awaited:
        yield from _send_and_await(server, config, names, awaited, seconds)


def _send_and_await(
    server: Server, config: Config, names: DnsResolver, awaited: EchoEmail, seconds: float
) -> Iterator[Finding]:
    """Send the test email, wait for it, and check its signature."""
    begun = time.monotonic()
    delivery = server.mailer.send(Envelope(server.umpire, awaited.address, _letter(server, awaited)))
    if delivery.fate is not DeliveryFate.SENT:
        says = f"{config.post_url} doesn't accept an email to the site itself: {delivery.why}."
        advice = f"Let the mail server relay for this machine, and tell it about {config.domain}."
        yield report_problem("letter", says, advice)
        return
    raw = awaited.find_email()
    while raw is None and time.monotonic() < begun + seconds:
        time.sleep(_POLL_SECONDS)
        raw = awaited.find_email()
    if raw is None:
        sent = f"{config.post_url} accepted an email to the site itself"
        says = f"{sent}, but it didn't come back within {seconds:.0f} s."
        advice = f"Look for {awaited.name} in the mail server's log. It should {_way_in(config)}."
        yield report_problem("letter", says, advice)
        return
    yield report_ok("letter", f"an email to the site itself came back after {time.monotonic() - begun:.1f} s")
    yield _check_signature(raw, config.domain, names)


def _way_in(config: Config) -> str:
    """Say, as advice, how the email should have reached corr."""
    if config.imap_url:
        return "come into a mailbox that CORR_IMAP_URL names"
    if config.lmtp_listen:
        return f"be passed on to {config.lmtp_listen} by LMTP"
    return f"be passed on to {config.smtp_listen} by SMTP"


def _letter(server: Server, awaited: EchoEmail) -> bytes:
    """Write the test email."""
    letter = EmailMessage(policy=SMTP)
    letter["From"], letter["To"] = server.umpire, awaited.address
    letter["Subject"] = "A test email from corr doctor"
    letter["Date"] = format_datetime(server.now())
    letter["Message-ID"] = f"<{awaited.address}>"
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content("corr doctor sent this email to check that email to this site comes back.\n")
    return letter.as_bytes()


def _check_signature(raw: bytes, domain: str, names: DnsResolver) -> Finding:
    """Report whether an email has our domain's DKIM signature, and DNS the matching key."""

    def key(name: bytes, timeout: float = 0) -> bytes | None:  # noqa: ARG001  # as dkimpy calls it
        texts = names.texts(name.decode())
        return texts[0].encode() if texts else None

    letter = dkim.DKIM(raw)
    signatures = [value for name, value in letter.headers if name.lower() == b"dkim-signature"]
    ours = [at for at, value in enumerate(signatures) if _tag(value, b"d") == domain]
    if not ours:
        says = f"emails go out without a signature by {domain}."
        signer = "Let the mail server sign them with opendkim (corr quickstart writes its files)"
        return report_problem("signed", says, f"{signer}, or set CORR_DKIM_KEY.")
    if all(_tag(signatures[at], b"a").startswith("ed25519-") for at in ours):
        only = f"emails from {domain} have only an Ed25519 signature"
        says = f"{only}, but large mail systems look for RSA signatures."
        return report_problem("signed", says, "Name an RSA key of 2048 bits.")
    try:
        is_right = any(letter.verify(at, dnsfunc=key) for at in ours)
    except LookupFailed as error:
        return report_problem("signed", str(error), LOOKUP_ADVICE)
    except dkim.DKIMException:
        is_right = False
    if is_right:
        return report_ok("signed", f"{domain} signs its email, and the key in DNS matches")
    says = f"{domain} signs its email, but no key in DNS matches the signature."
    return report_problem("signed", says, "Set the TXT record of the key your mail server signs with.")


def _tag(signature: bytes, name: bytes) -> str:
    try:
        tags = dkim.util.parse_tag_value(signature)
    except dkim.util.InvalidTagValueList:
        return ""
    return str(tags.get(name, b"").decode("ascii", "replace").lower())
