"""Writes the demo's emails to the umpire, with quotations as Gmail, Outlook and others make them."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid

from corr.demo.mailbox import AUTHSERV_ID, UMPIRE, DemoEmail, Person

Body = Callable[[EmailMessage, str, DemoEmail], None]


def reply(letter: DemoEmail, text: str, program: str, now: datetime, writer: Person) -> bytes:
    """Return the bytes of a reply, with a quotation as this mail program makes it."""
    message = _headers(letter, now, writer)
    PROGRAMS[program](message, text, letter)
    return message.as_bytes()


def vacation_notice(letter: DemoEmail, text: str, now: datetime, writer: Person) -> bytes:
    """Return an automatic out-of-office reply, whose text must never count as an order."""
    message = _headers(letter, now, writer)
    message["Auto-Submitted"] = "auto-replied"
    message.replace_header("Subject", f"Out of office: {letter.subject}")
    message.set_content(f"{text}\n\nI am away and will read your email later.\n")
    return message.as_bytes()


def new_email(text: str, now: datetime, writer: Person) -> bytes:
    """Write a new email to the umpire, with a sender that the demo's mail server verifies."""
    message = EmailMessage(policy=SMTP)
    domain = writer.address.partition("@")[2]
    message["Authentication-Results"] = f"{AUTHSERV_ID}; dmarc=pass header.from={domain}"
    message["From"] = f"{writer.name} <{writer.address}>"
    message["To"] = UMPIRE
    message["Subject"] = "An email to the umpire"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=domain)
    message.set_content(f"{text}\n")
    return message.as_bytes()


def _headers(letter: DemoEmail, now: datetime, writer: Person) -> EmailMessage:
    """Return a reply without a body: its addresses, subject and thread."""
    original = letter.message
    message = EmailMessage(policy=SMTP)
    message["From"] = f"{writer.name} <{writer.address}>"
    message["To"] = str(original["Reply-To"] or original["From"])
    message["Subject"] = letter.subject if letter.subject.startswith("Re:") else f"Re: {letter.subject}"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=writer.address.partition("@")[2])
    message["In-Reply-To"] = str(original["Message-ID"])
    threads = str(original["References"] or "").split()
    message["References"] = " ".join([*threads, str(original["Message-ID"])])
    return message


def _quote(letter: DemoEmail, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in letter.text.splitlines())


def _attribution(letter: DemoEmail) -> str:
    """Return the line above a quotation that says who wrote it, and when."""
    return f"On {letter.date:%a, %b %-d, %Y at %-I:%M %p} Umpire <{UMPIRE}> wrote:"


def _gmail(message: EmailMessage, text: str, letter: DemoEmail) -> None:
    """Write a reply's body into `message` as Gmail does."""
    message.set_content(f"{text}\n\n{_attribution(letter)}\n\n{_quote(letter)}\n")
    said = html.escape(text).replace("\n", "<br>")
    message.add_alternative(
        f'<div dir="ltr">{said}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{html.escape(_attribution(letter))}<br></div>"
        f'<blockquote class="gmail_quote">{letter.html}</blockquote></div>',
        subtype="html",
    )


def _outlook_date(letter: DemoEmail) -> str:
    return f"{letter.date:%A, %B %-d, %Y %-I:%M %p}"


def _outlook(message: EmailMessage, text: str, letter: DemoEmail) -> None:
    """Write a reply's body into `message` as Outlook does in plain text."""
    message.set_content(
        f"{text}\n\n________________________________\nFrom: Umpire <{UMPIRE}>\n"
        f"Sent: {_outlook_date(letter)}\nTo: {letter.owner.name}\nSubject: {letter.subject}\n\n{letter.text}"
    )


def _outlook_html(message: EmailMessage, text: str, letter: DemoEmail) -> None:
    """Write a reply's body into `message` as Outlook does in HTML."""
    said = "".join(f'<p class="MsoNormal">{html.escape(line)}<o:p></o:p></p>' for line in text.splitlines())
    message.set_content(
        f'<html><body lang="EN-US"><div class="WordSection1">{said}<p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">'
        f"<b>From:</b> Umpire &lt;{UMPIRE}&gt;<br><b>Sent:</b> {_outlook_date(letter)}<br>"
        f"<b>To:</b> {letter.owner.name}<br><b>Subject:</b> {html.escape(letter.subject)}</p></div>"
        f"{letter.html}</div></body></html>",
        subtype="html",
    )


def _apple(message: EmailMessage, text: str, letter: DemoEmail) -> None:
    """Write a reply's body into `message` as an iPhone does."""
    intro = f"> On {letter.date:%b %-d, %Y, at %-I:%M %p}, Umpire <{UMPIRE}> wrote:"
    message.set_content(f"{text}\n\nSent from my iPhone\n\n{intro}\n>\n{_quote(letter)}\n")


def _thunderbird(message: EmailMessage, text: str, letter: DemoEmail) -> None:
    """Write a reply's body into `message` as Thunderbird does, below the quotation."""
    message.set_content(
        f"On {letter.date:%m/%d/%y %H:%M}, Umpire wrote:\n{_quote(letter)}\n\n{text}\n",
        params={"format": "flowed"},
    )


def _plain_reply(message: EmailMessage, text: str, _letter: DemoEmail) -> None:
    """Write only the person's own text into `message`."""
    message.set_content(f"{text}\n")


#: The functions that write a reply, by mail program.
PROGRAMS: dict[str, Body] = {
    "Gmail": _gmail,
    "Outlook": _outlook,
    "Outlook, HTML only": _outlook_html,
    "iPhone": _apple,
    "Thunderbird, answer below": _thunderbird,
    "No quotation": _plain_reply,
}
