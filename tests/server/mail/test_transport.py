"""Letters out over SMTP: what a mail server's words mean for a letter."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest
from aiosmtpd.controller import Controller

from corr.mail.outward.transport import DeliveryFate, Envelope, Smarthost, SmtpMailer
from tests.support.database_servers import HOST, free_port
from tests.support.table import ANN

LETTER = Envelope("umpire@play.example", ANN, b"Subject: x\r\n\r\nx\r\n")


class Server:
    """A mail server of few words."""

    def __init__(self) -> None:
        self.words = "250 ok"
        self.connections = 0
        self.taken: list[bytes] = []

    async def handle_EHLO(self, _server, session, _envelope, hostname, responses) -> list[str]:  # noqa: N802
        session.host_name = hostname
        self.connections += 1
        return responses

    async def handle_RCPT(self, _server, _session, envelope, address: str, _options) -> str:  # noqa: N802
        if self.words.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.words

    async def handle_DATA(self, _server, _session, envelope) -> str:  # noqa: N802
        self.taken.append(envelope.original_content)
        return "250 ok"


@pytest.fixture
def server_and_post() -> Iterator[tuple[Server, SmtpMailer]]:
    server, port = Server(), free_port()
    controller = Controller(server, hostname=HOST, port=port)
    controller.start()
    post = SmtpMailer(Smarthost(HOST, port))
    yield server, post
    post.close()
    controller.stop()


@pytest.mark.parametrize(
    ("words", "fate"),
    [
        ("250 ok", DeliveryFate.SENT),
        ("450 4.2.1 the mailbox is busy", DeliveryFate.LATER),
        ("550 5.1.1 no such mailbox", DeliveryFate.NEVER),
        ("550 no such mailbox", DeliveryFate.NEVER),
        ("554 5.7.1 Relay access denied", DeliveryFate.LATER),
    ],
)
def test_a_refusal_is_for_good_unless_it_can_be_mended(
    server_and_post: tuple[Server, SmtpMailer], words: str, fate: DeliveryFate
) -> None:
    server, post = server_and_post
    server.words = words

    assert post.send(LETTER).fate is fate


@pytest.mark.parametrize(
    ("words", "busy"),
    [
        ("421 4.7.0 try again later", "a.example"),
        ("450 too many letters for now", "a.example"),
        ("450 4.1.2 Domain not found", "a.example"),
        ("450 4.2.1 the mailbox is busy", ""),
        ("452 4.2.2 the mailbox is full", ""),
        ("450 4.1.1 unverified address", ""),
        ("451 4.7.1 Greylisted, please come again", ""),
        ("452 mailbox full", ""),
        ("450 over quota: try later", ""),
        ("554 5.7.1 Relay access denied", ""),
        ("550 5.1.1 no such mailbox", ""),
    ],
)
def test_a_domain_is_busy_where_it_refuses_for_now_what_is_for_anybody(
    server_and_post: tuple[Server, SmtpMailer], words: str, busy: str
) -> None:
    server, post = server_and_post
    server.words = words

    assert post.send(replace(LETTER, recipient="ann@A.Example")).busy == busy


def test_a_connection_is_kept_until_the_server_refuses_something(
    server_and_post: tuple[Server, SmtpMailer],
) -> None:
    server, post = server_and_post
    for _ in range(3):
        assert post.send(LETTER).fate is DeliveryFate.SENT
    assert server.connections == 1

    server.words = "554 5.7.1 Relay access denied"
    post.send(LETTER)
    server.words = "250 ok"

    assert post.send(LETTER).fate is DeliveryFate.SENT
    assert server.connections == 2


@pytest.mark.parametrize(
    "text", [b".\r\n..\r\n.x\r\n", b"a\r\n.\r\n\r\n.\r\nb\r\n", b"a.\r\nb. c\r\n", b"a\r\n."]
)
def test_lines_that_begin_with_a_period_come_as_they_were_written(
    server_and_post: tuple[Server, SmtpMailer], text: bytes
) -> None:
    server, post = server_and_post

    post.send(replace(LETTER, message=text))
    post.send(LETTER)

    assert server.taken == [text.removesuffix(b"\r\n") + b"\r\n", LETTER.message]


class Rude(Server):
    """One that hangs up in place of a word about a letter that it has read: nobody knows whether it was taken."""

    async def handle_DATA(self, server, _session, envelope) -> str:  # noqa: N802
        self.taken.append(envelope.original_content)
        if len(self.taken) == 1:
            server.transport.close()
        return "250 ok"


def test_a_letter_of_which_nobody_knows_whether_it_was_taken_comes_again_with_the_same_bytes() -> None:
    server, port = Rude(), free_port()
    controller = Controller(server, hostname=HOST, port=port)
    controller.start()
    post = SmtpMailer(Smarthost(HOST, port))

    assert [post.send(LETTER).fate for _ in range(2)] == [DeliveryFate.LATER, DeliveryFate.SENT]
    assert server.taken == [LETTER.message] * 2
    post.close()
    controller.stop()


def test_where_no_server_listens_or_one_says_nothing_it_is_tried_again_later() -> None:
    nobody = SmtpMailer(Smarthost(HOST, free_port()))
    assert nobody.send(LETTER).fate is DeliveryFate.LATER
    with socket.create_server((HOST, 0)) as silent:
        post = SmtpMailer(Smarthost(HOST, silent.getsockname()[1]), timeout=0.05)

        delivery = post.send(LETTER)

    assert (delivery.fate, delivery.failure) == (DeliveryFate.LATER, None)
    assert "timed out" in delivery.why
