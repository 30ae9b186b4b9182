"""SMTP smuggling: an email ends only at CR LF . CR LF, so no second email hides in it."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator

import pytest

from corr import limits
from corr.mail.smtp_server import ListenAddress, Listener, LmtpProtocol, SmtpProtocol
from tests.support.database_servers import free_port
from tests.support.fake_entrances import AcceptingEntrance
from tests.support.waiting import TIMEOUT

HEAD = b"From: ann@a.example\r\nSubject: x\r\n\r\ne2e4"
END, LARGEST = b"\r\n.\r\n", limits.LETTER_BYTES - len(HEAD) - 2
SMUGGLED = (
    b"MAIL FROM:<ben@b.example>\r\nRCPT TO:<y@play.example>\r\nDATA\r\nFrom: ben@b.example\r\n\r\nresign"
)
FALSE_ENDS = [
    b"\n.\n",
    b"\n.\r\n",
    b"\r\n.\n",
    b"\r.\r",
    b"\r.\r\n",
    b"\r\n.\r",
    b"\r\n\0.\r\n",
    b"\r\n.\0\r\n",
    b"\r\n.\r\r\n",
    b"\r\r\n.\n",
    b"\n.\r",
]
ODD_TEXTS = {
    "NULs": b"\0" * 10_000,
    "bare CRs": b"e2e4\r" * 100_000,
    "bare LFs": b"e2e4\n" * 100_000,
    "only CRs": b"\r" * LARGEST,
    "one line": b"x" * LARGEST,
    "one line of dots": b"." * LARGEST,
    "all bytes": bytes(range(256)).replace(b"\n", b"") * 1_000,
}


Send = Callable[[bytes], tuple[int, bytes]]


@pytest.fixture
def entrance() -> AcceptingEntrance:
    return AcceptingEntrance()


@pytest.fixture(params=[SmtpProtocol, LmtpProtocol])
def send(entrance: AcceptingEntrance, request: pytest.FixtureRequest) -> Iterator[Send]:
    """Sends an email's raw bytes and returns the server's reply."""
    place = ListenAddress("127.0.0.1", free_port(), request.param)
    listener = Listener(entrance, place, "play.example")
    listener.start()
    with (smtplib.LMTP if request.param is LmtpProtocol else smtplib.SMTP)(
        place.host, place.port, timeout=TIMEOUT
    ) as client:

        def send_raw(raw: bytes) -> tuple[int, bytes]:
            client.ehlo_or_helo_if_needed()
            client.mail("ann@a.example")
            client.rcpt("x@play.example")
            client.docmd("DATA")
            client.send(raw)
            return client.getreply()

        yield send_raw
        assert client.noop()[0] == 250
    listener.stop()


@pytest.mark.parametrize("false_end", FALSE_ENDS, ids=repr)
def test_a_false_end_is_part_of_the_email(entrance: AcceptingEntrance, send: Send, false_end: bytes) -> None:
    assert send(HEAD + false_end + SMUGGLED + END)[0] == 250
    assert len(entrance.kept) == 1
    assert entrance.kept[0].startswith(HEAD)
    assert entrance.kept[0].endswith(SMUGGLED + b"\r\n")


@pytest.mark.parametrize("odd", ODD_TEXTS)
def test_odd_text_is_accepted_as_it_is(entrance: AcceptingEntrance, send: Send, odd: str) -> None:
    assert send(HEAD[:-4] + ODD_TEXTS[odd] + END)[0] == 250
    assert len(entrance.kept) == 1
    assert ODD_TEXTS[odd].lstrip(b".") in entrance.kept[0]


@pytest.mark.parametrize("line", [b".e2e4", b"..", b".", b"..e2e4."])
def test_dot_stuffing_is_undone(entrance: AcceptingEntrance, send: Send, line: bytes) -> None:
    assert send(HEAD + b"\r\n." + line + b"\r\nd2d4" + END)[0] == 250
    assert entrance.kept == [HEAD + b"\r\n" + line + b"\r\nd2d4\r\n"]


@pytest.mark.parametrize("size", [limits.LETTER_BYTES + 100, 3 * limits.LETTER_BYTES])
@pytest.mark.parametrize("line", [b"x" * 70 + b"\r\n", b"x"])
def test_an_email_that_is_too_big_is_refused_however_long_its_lines(
    entrance: AcceptingEntrance, send: Send, size: int, line: bytes
) -> None:
    answer = send(HEAD + b"\r\n" + line * (size // len(line)) + END)

    assert answer == (552, b"5.3.4 Your email is too big: we accept 1,000,000 bytes at most")
    assert entrance.kept == []
