"""Where a letter ends, whatever stands in it: what is smuggled behind an end that is none never is a second letter."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator

import pytest

from corr import limits
from corr.mail.smtp_server import ListenAddress, Listener, LmtpProtocol, SmtpProtocol
from tests.support.database_servers import free_port
from tests.support.fake_entrances import OpenDoor
from tests.support.waiting import PATIENCE

HEAD = b"From: ann@a.example\r\nSubject: x\r\n\r\ne2e4"
END, AS_LONG_AS_MAY_BE = b"\r\n.\r\n", limits.LETTER_BYTES - len(HEAD) - 2
SMUGGLED = (
    b"MAIL FROM:<ben@b.example>\r\nRCPT TO:<y@play.example>\r\nDATA\r\nFrom: ben@b.example\r\n\r\nresign"
)
NO_ENDS = [
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
ODD = {
    "NULs": b"\0" * 10_000,
    "bare CRs": b"e2e4\r" * 100_000,
    "bare LFs": b"e2e4\n" * 100_000,
    "nothing but CRs": b"\r" * AS_LONG_AS_MAY_BE,
    "one line": b"x" * AS_LONG_AS_MAY_BE,
    "one line of dots": b"." * AS_LONG_AS_MAY_BE,
    "bytes that are no text": bytes(range(256)).replace(b"\n", b"") * 1_000,
}


Says = Callable[[bytes], tuple[int, bytes]]


@pytest.fixture
def door() -> OpenDoor:
    return OpenDoor()


@pytest.fixture(params=[SmtpProtocol, LmtpProtocol])
def says(door: OpenDoor, request: pytest.FixtureRequest) -> Iterator[Says]:
    """Sends a letter's bytes as they are, and tells what is answered."""
    place = ListenAddress("127.0.0.1", free_port(), request.param)
    listener = Listener(door, place, "play.example")
    listener.start()
    with (smtplib.LMTP if request.param is LmtpProtocol else smtplib.SMTP)(
        place.host, place.port, timeout=PATIENCE
    ) as client:

        def send(raw: bytes) -> tuple[int, bytes]:
            client.ehlo_or_helo_if_needed()
            client.mail("ann@a.example")
            client.rcpt("x@play.example")
            client.docmd("DATA")
            client.send(raw)
            return client.getreply()

        yield send
        assert client.noop()[0] == 250
    listener.stop()


@pytest.mark.parametrize("no_end", NO_ENDS, ids=repr)
def test_what_another_server_takes_for_its_end_is_a_line_of_the_letter(
    door: OpenDoor, says: Says, no_end: bytes
) -> None:
    assert says(HEAD + no_end + SMUGGLED + END)[0] == 250
    assert len(door.kept) == 1
    assert door.kept[0].startswith(HEAD)
    assert door.kept[0].endswith(SMUGGLED + b"\r\n")


@pytest.mark.parametrize("odd", ODD)
def test_a_letter_of_ordinary_size_is_taken_whatever_stands_in_it(
    door: OpenDoor, says: Says, odd: str
) -> None:
    assert says(HEAD[:-4] + ODD[odd] + END)[0] == 250
    assert len(door.kept) == 1
    assert ODD[odd].lstrip(b".") in door.kept[0]


@pytest.mark.parametrize("line", [b".e2e4", b"..", b".", b"..e2e4."])
def test_of_a_line_that_begins_with_a_dot_the_dot_that_was_put_before_it_is_taken_away(
    door: OpenDoor, says: Says, line: bytes
) -> None:
    assert says(HEAD + b"\r\n." + line + b"\r\nd2d4" + END)[0] == 250
    assert door.kept == [HEAD + b"\r\n" + line + b"\r\nd2d4\r\n"]


@pytest.mark.parametrize("size", [limits.LETTER_BYTES + 100, 3 * limits.LETTER_BYTES])
@pytest.mark.parametrize("line", [b"x" * 70 + b"\r\n", b"x"])
def test_one_that_is_too_big_is_refused_in_a_sentence_however_long_its_lines_are(
    door: OpenDoor, says: Says, size: int, line: bytes
) -> None:
    answer = says(HEAD + b"\r\n" + line * (size // len(line)) + END)

    assert answer == (552, b"5.3.4 Your email is too big: we accept 1,000,000 bytes at most")
    assert door.kept == []
