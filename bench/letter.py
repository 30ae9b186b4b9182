"""A letter out, rendered, with its PNG, as bytes: ours against the standard library's ways to assemble it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage, Message
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.parser import BytesParser
from email.policy import SMTP, default
from functools import partial
from typing import Any

from corr.mail.outward.compose import Outgoing, compose
from corr.rules.core.umpire import Ruling
from corr.rules.variants import umpire_of
from corr.service.catalogue import card
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.orders import Move
from corr.words.slips import Slip
from corr.words.view import Card, Stage, View

ROUNDS = 300
WILD16 = card("wild16")
OPENING = [
    "e2e4",
    "e7e5",
    "g1f3",
    "b8c6",
    "f1b5",
    "a7a6",
    "b5c6",
    "d7c6",
    "d2d4",
    "e5d4",
    "d1d4",
    "d8d4",
    "f3d4",
    "c8d7",
    "b1c3",
    "e8c8",
]

Parts = list[tuple[str, bytes]]


def views() -> list[View]:
    """White's view after each of Black's moves."""
    umpire = umpire_of("wild16")
    ruling = umpire.start()
    slips, made = [_whites(ruling)], []
    for number, text in enumerate(OPENING):
        move = Move(SQUARE_NUMBER[text[:2]], SQUARE_NUMBER[text[2:]])
        assert ruling.turn
        ruling = umpire.judge(ruling.truth, ruling.turn, move)
        slips.append(_whites(ruling))
        if number % 2:
            made.append(view(tuple(slips[-4:]), number // 2 + 2))
    return made


def _whites(ruling: Ruling[Any]) -> Slip:
    slip = ruling.slips[Side.WHITE]
    assert slip
    return slip


def view(slips: tuple[Slip, ...], move_number: int, variant: Card = WILD16, side: Side = Side.WHITE) -> View:
    return View(
        game="k3x9m",
        card=variant,
        side=side,
        name="Ann",
        opponent="Rook64",
        clock="3 days for each move",
        state=Stage.RUNNING,
        move_number=move_number,
        turn=side,
        deadline="Tue 24 Nov 2026, 21:00 UTC",
        late=False,
        offer=None,
        outcome=None,
        slips=slips,
        taken=("pawn on e5",),
        last_tries=(),
        tries=(),
        score=("10. e2e4 ?", "11. f2f4 ?xe5"),
        example="d4d5",
    )


def outgoing(seen: View) -> Outgoing:
    local = "aeudhsviauaaaaqutbtff7s6csusirq@play.example.org"
    date = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    return Outgoing(
        "turn",
        f"[corr] Wild 16 with Rook64 ({seen.game})",
        seen,
        date,
        sender="umpire@play.example.org",
        recipient="ann@example.org",
        reply_to=local,
        ready_to=local,
        message_id="a" + local,
        parent="b" + local,
        root="c" + local,
    )


def with_email_message(parts: Parts) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["Subject"] = "Re: [corr] Wild 16 with Rook64 (k3x9m)"
    message.set_content(parts[0][1].decode())
    message.add_alternative(parts[1][1].decode(), subtype="html")
    html = list(message.iter_parts())[1]
    assert isinstance(html, EmailMessage)
    html.add_related(parts[2][1], "image", "png", cid="<board>")
    return message.as_bytes()


def with_mime_multipart(parts: Parts) -> bytes:
    message = MIMEMultipart("alternative")
    message["Subject"] = "Re: [corr] Wild 16 with Rook64 (k3x9m)"
    message.attach(MIMEText(parts[0][1].decode(), "plain", "us-ascii"))
    related = MIMEMultipart("related")
    related.attach(MIMEText(parts[1][1].decode(), "html", "us-ascii"))
    related.attach(MIMEImage(parts[2][1], "png"))
    message.attach(related)
    return message.as_bytes()


def _content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


def _assembled(assemble: Callable[[Parts], bytes], parts: Parts, _number: int) -> bytes:
    return assemble(parts)


def milliseconds(work: Callable[[int], object]) -> float:
    times = []
    for number in range(ROUNDS):
        begun = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def main() -> None:
    letters = [outgoing(seen) for seen in views()]
    message = compose(letters[0]).message
    parsed = BytesParser(policy=default).parsebytes(message)
    defects = [defect for part in parsed.walk() for defect in part.defects]
    leaves = [part for part in parsed.walk() if not part.is_multipart()]
    parts = [(part.get_content_type(), _content(part)) for part in leaves]
    whole = milliseconds(lambda number: compose(letters[number % len(letters)]))
    print(f"a letter out is {len(message)} bytes, {len(defects)} defects when it is parsed")
    print(f"rendered, with PNG, assembled (ours, whole)   {whole:.3f} ms   goal 1.5 ms")
    for name, assemble in (("EmailMessage", with_email_message), ("MIMEMultipart", with_mime_multipart)):
        alone = milliseconds(partial(_assembled, assemble, parts))
        print(f"assembled alone by {name:27}{alone:.3f} ms   ours whole takes {whole / alone:.2f} of it")


if __name__ == "__main__":
    main()
