"""How long it takes to read a reply, beside the standard library's two ways to open one.

    python -m bench.reader [--rounds 30]

A reply of about 3 kB: some words, a try list that was wrapped, and our email quoted below. Ours is opened,
cleared of quotation and read into orders; theirs is only parsed and its text taken out.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage, Message

from bench.driver import ask
from corr.mail.inward.incoming_email import parse_email, parse_orders

TIMES = 40
RANKS = "".join(
    f"  {rank}  . . . . . . . .      Your pieces: king on e1; rooks on a1 and h1;\n"
    for rank in range(8, 0, -1)
)
SENT = (
    "Wild 16 with Rook64. You are White. Move 12. Your turn: reply by Tue 24 Nov.\n\n"
    f"The umpire last said: Pawn at e5 captured. Rank check. 2 pawn tries.\n\n{RANKS}     a b c d e f g h\n\n"
    + "To move, reply with your move, as the rules say, and a little more than that.\n"
    * 20
)
ADDRESS = "aeqtcmjq4eaaab7mvl3x2ssgowd3n2y@play.example"
HEAD = (
    "Received: from mail.example.org by mx.play.example; Tue, 17 Nov 2026 10:00:02 +0000\r\n"
    f"From: Ann Lee <ann@example.org>\r\nTo: {ADDRESS}\r\n"
    "Subject: Re: [corr] Wild 16 with Rook64 (k3x9)\r\nMessage-ID: <CAF1@mail.example.org>\r\n"
    "In-Reply-To: <afqtcmjq4eaaab7mvl3x2ssgowd3n2y@play.example>\r\nDate: Tue, 17 Nov 2026 10:00:00 +0000\r\n"
    "MIME-Version: 1.0\r\nContent-Type: {kind}; charset=utf-8\r\n\r\n"
)
SAID = "Good evening!\n\na1b2, a1c3, a1d4, a1e5, a1f6, a1g7, a1h8, b1b2, b1b3, b1b4, b1b5, b1b6,\nb1b7\n\n"
ATTRIBUTION = f"On Tue, Nov 17, 2026 at 9:14 AM Umpire <{ADDRESS}>\nwrote:\n\n"
HEADER = "From: Umpire <umpire@play.example>\nSent: Tuesday, 17 November 2026 09:14\nTo: Ann\nSubject: x\n\n"


def quoted(times: int) -> bytes:
    return letter("plain", SAID + ATTRIBUTION + "".join(f"> {line}\n" for line in SENT.splitlines() * times))


def unmarked(times: int) -> bytes:
    return letter("plain", SAID + HEADER + SENT * times)


def html(times: int) -> bytes:
    lines = "".join(f"<div>{line}</div>" for line in (SAID + SENT * times).splitlines())
    return letter("html", f"<html><body>{lines}</body></html>")


KINDS = {"quoted with >": quoted, "quoted without marks": unmarked, "HTML alone": html}


def letter(kind: str, body: str) -> bytes:
    return (HEAD.replace("{kind}", f"text/{kind}") + body.replace("\n", "\r\n")).encode()


def ours(raw: bytes) -> None:
    parse_orders(parse_email(raw), SENT)


def compat32(raw: bytes) -> None:
    _text(message_from_bytes(raw))


def default(raw: bytes) -> None:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    str(message["From"]), str(message["To"]), str(message["Subject"])
    _text(message)


def _text(message: Message) -> None:
    body = message.get_payload(decode=True)
    assert isinstance(body, bytes)
    body.decode()


def milliseconds(reader: Callable[[bytes], None], raw: bytes) -> float:
    began = time.process_time()
    for _ in range(TIMES):
        reader(raw)
    return (time.process_time() - began) / TIMES * 1_000


def main() -> None:
    rounds = ask(__doc__, rounds=30).rounds
    print(f"medians of {rounds} rounds, interleaved, ms an email; and time by length, 1.0 is linear\n")
    print(
        f"{'a reply':22}{'bytes':>7}{'ours':>8}{'default':>9}{'compat32':>10}{'ours/default':>14}{'x8':>7}{'x64':>7}"
    )
    for name, make in KINDS.items():
        raw, *longer = (make(times) for times in (1, 8, 64))
        times = [[milliseconds(reader, raw) for reader in (ours, default, compat32)] for _ in range(rounds)]
        mine, theirs, older = map(statistics.median, zip(*times, strict=True))
        base = min(milliseconds(ours, raw) for _ in range(5)) / len(raw)
        growth = [min(milliseconds(ours, each) for _ in range(3)) / len(each) / base for each in longer]
        figures = (
            f"{mine:8.3f}{theirs:9.3f}{older:10.3f}{mine / theirs:14.2f}{growth[0]:7.2f}{growth[1]:7.2f}"
        )
        print(f"{name:22}{len(raw):7}{figures}")


if __name__ == "__main__":
    main()
