"""How fast a turn email with its PNG is composed, compared with the standard library's ways to do it.

python -m bench.letter [--rounds 300]
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage, Message
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.parser import BytesParser
from email.policy import SMTP, default
from functools import partial
from itertools import cycle

from bench.driver import ask, median_ms
from corr.mail.outward.compose import compose
from corr.mail.outward.email_to_send import EmailToSend
from corr.rules.variants import find_umpire
from corr.service.catalogue import card
from corr.words.board import SQUARE_NUMBER, Side
from corr.words.orders import Move
from corr.words.slips import Slip
from corr.words.view import Stage, VariantInfo, View

WILD16 = card("wild16")
OPENING = (
    *("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6"),
    *("d2d4", "e5d4", "d1d4", "d8d4", "f3d4", "c8d7", "b1c3", "e8c8"),
)
SUBJECT = "Re: [corr] Wild 16 with Rook64 (k3x9m)"


def views() -> list[View]:
    """White's view after each of Black's moves."""
    umpire = find_umpire("wild16")
    ruling = umpire.start()
    slips, made = [ruling.slips.white], []
    for number, text in enumerate(OPENING):
        assert ruling.turn
        move = Move(SQUARE_NUMBER[text[:2]], SQUARE_NUMBER[text[2:]])
        ruling = umpire.judge(ruling.truth, ruling.turn, move)
        slips.append(ruling.slips.white)
        if number % 2:
            made.append(view(tuple(filter(None, slips[-4:])), number // 2 + 2))
    return made


def view(
    slips: tuple[Slip, ...], move_number: int, variant: VariantInfo = WILD16, side: Side = Side.WHITE
) -> View:
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


def outgoing(seen: View) -> EmailToSend:
    local = "aeudhsviauaaaaqutbtff7s6csusirq@play.example.org"
    return EmailToSend(
        "turn",
        f"[corr] Wild 16 with Rook64 ({seen.game})",
        seen,
        datetime(2026, 11, 20, 12, 0, tzinfo=UTC),
        sender="umpire@play.example.org",
        recipient="ann@example.org",
        reply_to=local,
        ready_to=local,
        message_id="a" + local,
        parent="b" + local,
        root="c" + local,
    )


def with_email_message(text: bytes, html: bytes, image: bytes) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["Subject"] = SUBJECT
    message.set_content(text.decode())
    message.add_alternative(html.decode(), subtype="html")
    page = list(message.iter_parts())[1]
    assert isinstance(page, EmailMessage)
    page.add_related(image, "image", "png", cid="<board>")
    return message.as_bytes()


def with_mime_multipart(text: bytes, html: bytes, image: bytes) -> bytes:
    message, related = MIMEMultipart("alternative"), MIMEMultipart("related")
    message["Subject"] = SUBJECT
    message.attach(MIMEText(text.decode(), "plain", "us-ascii"))
    related.attach(MIMEText(html.decode(), "html", "us-ascii"))
    related.attach(MIMEImage(image, "png"))
    message.attach(related)
    return message.as_bytes()


def _content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


def main() -> None:
    rounds = ask(__doc__, rounds=300).rounds
    letters = [outgoing(seen) for seen in views()]
    message, in_turn = compose(letters[0]).message, cycle(letters)
    parsed = BytesParser(policy=default).parsebytes(message)
    defects = [defect for part in parsed.walk() for defect in part.defects]
    text, html, image = (_content(part) for part in parsed.walk() if not part.is_multipart())
    whole = median_ms(lambda: compose(next(in_turn)), rounds)
    print(f"an email out is {len(message)} bytes, {len(defects)} defects when it is parsed")
    print(f"rendered, with PNG, assembled (ours, whole)   {whole:.3f} ms   goal 1.5 ms")
    ways: dict[str, Callable[[bytes, bytes, bytes], bytes]] = {
        "EmailMessage": with_email_message,
        "MIMEMultipart": with_mime_multipart,
    }
    for name, assemble in ways.items():
        alone = median_ms(partial(assemble, text, html, image), rounds)
        print(f"assembled alone by {name:27}{alone:.3f} ms   ours whole takes {whole / alone:.2f} of it")


if __name__ == "__main__":
    main()
