"""Sending over SMTP: how each reply of the mail server decides an email's fate."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest
from aiosmtpd.controller import Controller

from corr.mail.outward.transport import DeliveryFate, Envelope, Smarthost, SmtpMailer
from tests.support.database_servers import HOST, free_port
from tests.support.table import ANN

EMAIL = Envelope("umpire@play.example", ANN, b"Subject: x\r\n\r\nx\r\n")


class Server:
    """A mail server that gives one reply to every recipient."""

    def __init__(self) -> None:
        self.reply = "250 ok"
        self.connections = 0
        self.received: list[bytes] = []

    async def handle_EHLO(self, _server, session, _envelope, hostname, responses) -> list[str]:  # noqa: N802
        session.host_name = hostname
        self.connections += 1
        return responses

    async def handle_RCPT(self, _server, _session, envelope, address: str, _options) -> str:  # noqa: N802
        if self.reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.reply

    async def handle_DATA(self, _server, _session, envelope) -> str:  # noqa: N802
        self.received.append(envelope.original_content)
        return "250 ok"


@pytest.fixture
def server_and_mailer() -> Iterator[tuple[Server, SmtpMailer]]:
    server, port = Server(), free_port()
    controller = Controller(server, hostname=HOST, port=port)
    controller.start()
    mailer = SmtpMailer(Smarthost(HOST, port))
    yield server, mailer
    mailer.close()
    controller.stop()


@pytest.mark.parametrize(
    ("reply", "fate"),
    [
        ("250 ok", DeliveryFate.SENT),
        ("450 4.2.1 the mailbox is busy", DeliveryFate.LATER),
        ("550 5.1.1 no such mailbox", DeliveryFate.NEVER),
        ("550 no such mailbox", DeliveryFate.NEVER),
        ("554 5.7.1 Relay access denied", DeliveryFate.LATER),
    ],
)
def test_the_reply_decides_whether_we_try_again(
    server_and_mailer: tuple[Server, SmtpMailer], reply: str, fate: DeliveryFate
) -> None:
    server, mailer = server_and_mailer
    server.reply = reply

    assert mailer.send(EMAIL).fate is fate


@pytest.mark.parametrize(
    ("reply", "busy"),
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
def test_a_domain_is_busy_if_it_defers_emails_to_any_mailbox(
    server_and_mailer: tuple[Server, SmtpMailer], reply: str, busy: str
) -> None:
    server, mailer = server_and_mailer
    server.reply = reply

    assert mailer.send(replace(EMAIL, recipient="ann@A.Example")).busy == busy


def test_a_connection_is_kept_until_the_server_refuses_something(
    server_and_mailer: tuple[Server, SmtpMailer],
) -> None:
    server, mailer = server_and_mailer
    for _ in range(3):
        assert mailer.send(EMAIL).fate is DeliveryFate.SENT
    assert server.connections == 1

    server.reply = "554 5.7.1 Relay access denied"
    mailer.send(EMAIL)
    server.reply = "250 ok"

    assert mailer.send(EMAIL).fate is DeliveryFate.SENT
    assert server.connections == 2


@pytest.mark.parametrize(
    "text", [b".\r\n..\r\n.x\r\n", b"a\r\n.\r\n\r\n.\r\nb\r\n", b"a.\r\nb. c\r\n", b"a\r\n."]
)
def test_lines_that_begin_with_a_dot_arrive_unchanged(
    server_and_mailer: tuple[Server, SmtpMailer], text: bytes
) -> None:
    server, mailer = server_and_mailer

    mailer.send(replace(EMAIL, message=text))
    mailer.send(EMAIL)

    assert server.received == [text.removesuffix(b"\r\n") + b"\r\n", EMAIL.message]


class HangsUp(Server):
    """A mail server that hangs up instead of answering the first email it has read."""

    async def handle_DATA(self, server, _session, envelope) -> str:  # noqa: N802
        self.received.append(envelope.original_content)
        if len(self.received) == 1:
            server.transport.close()
        return "250 ok"


def test_an_email_that_was_not_acknowledged_is_sent_again_with_the_same_bytes() -> None:
    server, port = HangsUp(), free_port()
    controller = Controller(server, hostname=HOST, port=port)
    controller.start()
    mailer = SmtpMailer(Smarthost(HOST, port))

    assert [mailer.send(EMAIL).fate for _ in range(2)] == [DeliveryFate.LATER, DeliveryFate.SENT]
    assert server.received == [EMAIL.message] * 2
    mailer.close()
    controller.stop()


def test_without_an_answer_we_try_again_later() -> None:
    unreachable = SmtpMailer(Smarthost(HOST, free_port()))
    assert unreachable.send(EMAIL).fate is DeliveryFate.LATER
    with socket.create_server((HOST, 0)) as silent:
        mailer = SmtpMailer(Smarthost(HOST, silent.getsockname()[1]), timeout=0.05)

        delivery = mailer.send(EMAIL)

    assert (delivery.fate, delivery.failure) == (DeliveryFate.LATER, None)
    assert "timed out" in delivery.why
