"""How long it takes to read a reply, beside the standard library's two ways to open one.

    python bench/reader.py

A reply of about 3 kB: some words, a try list that was wrapped, and our letter quoted below. Ours is opened,
cleared of quotation and read into orders; theirs is only parsed and its text taken out.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage, Message

from corr.mail.inward.letter import open_letter, reading_of

ROUNDS = 30
TIMES = 40
SENT = (
    "Wild 16 with Rook64, you are White. Move 12. Your turn: reply by Tue 24 Nov.\n\n"
    "The umpire last said: Pawn at e5 captured. Rank check. 2 pawn tries.\n\n"
    + "".join(
        f"  {rank}  . . . . . . . .      Your men: king on e1; rooks on a1 and h1;\n"
        for rank in range(8, 0, -1)
    )
    + "     a b c d e f g h\n\n"
    + "To move, reply with your move, as the rules say, and a little more than that.\n" * 20
)
HEAD = (
    "Received: from mail.example.org by mx.play.example; Tue, 17 Nov 2026 10:00:02 +0000\r\n"
    "From: Ann Lee <ann@example.org>\r\nTo: aeqtcmjq4eaaab7mvl3x2ssgowd3n2y@play.example\r\n"
    "Subject: Re: [corr] Wild 16 with Rook64 (k3x9)\r\nMessage-ID: <CAF1@mail.example.org>\r\n"
    "In-Reply-To: <afqtcmjq4eaaab7mvl3x2ssgowd3n2y@play.example>\r\nDate: Tue, 17 Nov 2026 10:00:00 +0000\r\n"
    "MIME-Version: 1.0\r\nContent-Type: {kind}; charset=utf-8\r\n\r\n"
)
SAID = "Good evening!\n\na1b2, a1c3, a1d4, a1e5, a1f6, a1g7, a1h8, b1b2, b1b3, b1b4, b1b5, b1b6,\nb1b7\n\n"
ATTRIBUTION = (
    "On Tue, Nov 17, 2026 at 9:14 AM Umpire <aeqtcmjq4eaaab7mvl3x2ssgowd3n2y@play.example>\nwrote:\n\n"
)
HEADER = "From: Umpire <umpire@play.example>\nSent: Tuesday, 17 November 2026 09:14\nTo: Ann\nSubject: x\n\n"


def quoted(times: int = 1) -> bytes:
    body = SAID + ATTRIBUTION + "".join(f"> {line}\n" for line in SENT.splitlines() * times)
    return letter("text/plain", body)


def unmarked(times: int = 1) -> bytes:
    return letter("text/plain", SAID + HEADER + SENT * times)


def html(times: int = 1) -> bytes:
    lines = "".join(f"<div>{line}</div>" for line in (SAID + SENT * times).splitlines())
    return letter("text/html", f"<html><body>{lines}</body></html>")


def letter(kind: str, body: str) -> bytes:
    return (HEAD.format(kind=kind) + body.replace("\n", "\r\n")).encode()


def ours(raw: bytes) -> None:
    reading_of(open_letter(raw), SENT)


def compat32(raw: bytes) -> None:
    text(message_from_bytes(raw))


def default(raw: bytes) -> None:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    str(message["From"]), str(message["To"]), str(message["Subject"])
    text(message)


def text(message: Message) -> str:
    body = message.get_payload(decode=True)
    assert isinstance(body, bytes)
    return body.decode()


def milliseconds(reader: Callable[[bytes], None], raw: bytes) -> float:
    began = time.process_time()
    for _ in range(TIMES):
        reader(raw)
    return (time.process_time() - began) / TIMES * 1_000


def main() -> None:
    print(f"medians of {ROUNDS} rounds, interleaved, ms a letter\n")
    print(f"{'a reply':22}{'bytes':>7}{'ours':>8}{'default':>9}{'compat32':>10}{'ours/default':>14}")
    for name, raw in (
        ("quoted with >", quoted()),
        ("quoted without marks", unmarked()),
        ("HTML alone", html()),
    ):
        rounds = [[milliseconds(reader, raw) for reader in (ours, default, compat32)] for _ in range(ROUNDS)]
        mine, theirs, older = map(statistics.median, zip(*rounds, strict=True))
        print(f"{name:22}{len(raw):7}{mine:8.3f}{theirs:9.3f}{older:10.3f}{mine / theirs:14.2f}")
    print("\nthe same, eight and sixty-four times as much quoted: time by length, 1.0 is linear")
    for name, make in (("quoted with >", quoted), ("quoted without marks", unmarked), ("HTML alone", html)):
        small, *bigger = (make(times) for times in (1, 8, 64))
        base = min(milliseconds(ours, small) for _ in range(5)) / len(small)
        growth = [min(milliseconds(ours, raw) for _ in range(3)) / len(raw) / base for raw in bigger]
        print(f"{name:22}{growth[0]:8.2f}{growth[1]:8.2f}")


if __name__ == "__main__":
    main()
