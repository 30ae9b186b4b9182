"""Limits of the SMTP and LMTP listener on connections, tested with real ones."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Callable, Iterator

import pytest

from corr.mail.connection_limits import ConnectionCounter, ConnectionLimits, is_own_machine
from corr.mail.smtp_server import ListenAddress, Listener, LmtpProtocol, SmtpProtocol
from tests.support.database_servers import free_port
from tests.support.fake_entrances import AcceptingEntrance
from tests.support.waiting import TIMEOUT, wait_until

HERE, DOMAIN = "127.0.0.1", "play.example"
LETTER = b"Subject: x\r\n\r\ne2e4\r\n"
Opens = Callable[..., smtplib.SMTP]


@pytest.fixture
def listener() -> Iterator[Callable[..., ListenAddress]]:
    """Starts a listener with these limits."""
    started: list[Listener] = []

    def listen(protocol: type = SmtpProtocol, *, is_near: bool = False, **room: float) -> ListenAddress:
        place = ListenAddress(HERE, free_port(), protocol)
        listening = Listener(
            AcceptingEntrance(),
            place,
            DOMAIN,
            ConnectionLimits(has_only_total_limit=lambda _: is_near, **room),
        )
        listening.start()
        started.append(listening)
        return place

    yield listen
    for each in started:
        each.stop()


def connect_to(place: ListenAddress) -> tuple[socket.socket, bytes]:
    """Connect, and return the connection and the greeting."""
    connection = socket.create_connection((place.host, place.port), timeout=TIMEOUT)
    return connection, connection.recv(1_000)


@pytest.mark.parametrize("protocol", [SmtpProtocol, LmtpProtocol])
@pytest.mark.parametrize(
    ("room", "why"),
    [
        ({"from_one": 2}, b"421 4.7.0 There are too many connections from your network"),
        ({"connections": 2}, b"421 4.3.2 We are busy right now"),
    ],
)
def test_a_connection_too_many_is_refused_until_another_ends(
    listener: Callable[..., ListenAddress], protocol: type, room: dict[str, float], why: bytes
) -> None:
    place = listener(protocol, **room)
    kept = [connect_to(place) for _ in range(2)]
    refused, said = connect_to(place)

    assert [words[:3] for _, words in kept] == [b"220", b"220"]
    assert said.startswith(why)
    assert refused.recv(1) == b""
    refused.close()
    kept[0][0].close()
    wait_until(lambda: is_accepted(place), "there is room again")
    kept[1][0].close()


def is_accepted(place: ListenAddress) -> bool:
    connection, said = connect_to(place)
    connection.close()
    return said.startswith(b"220")


def test_a_connection_may_bring_only_some_emails(
    listener: Callable[..., ListenAddress],
) -> None:
    place = listener(letters=2)
    with smtplib.SMTP(place.host, place.port, timeout=TIMEOUT) as client:
        for _ in range(2):
            assert client.sendmail("a@a.example", [f"x@{DOMAIN}"], LETTER) == {}
        with pytest.raises(smtplib.SMTPSenderRefused) as refusal:
            client.sendmail("a@a.example", [f"x@{DOMAIN}"], LETTER)

    assert refusal.value.smtp_code == 421
    assert (
        refusal.value.smtp_error == b"4.7.0 That is enough for one connection: please reconnect for the rest"
    )


def test_this_machines_mail_server_has_only_the_total_limit(
    listener: Callable[..., ListenAddress],
) -> None:
    place = listener(LmtpProtocol, is_near=True, from_one=1, letters=1)
    open_ones = [connect_to(place) for _ in range(3)]
    with smtplib.LMTP(place.host, place.port, timeout=TIMEOUT) as client:
        for _ in range(3):
            assert client.sendmail("a@a.example", [f"x@{DOMAIN}"], LETTER) == {}

    assert {said[:3] for _, said in open_ones} == {b"220"}
    for connection, _ in open_ones:
        connection.close()


@pytest.mark.parametrize(
    "said", [b"", b"EHLO h\r\nMAIL FROM:<a@a.example>\r\nRCPT TO:<x@play.example>\r\nDATA\r\nx"]
)
def test_a_silent_connection_is_closed(listener: Callable[..., ListenAddress], said: bytes) -> None:
    connection, _ = connect_to(listener(seconds=0.2))
    connection.sendall(said)

    while connection.recv(1_000):
        pass
    connection.close()


def test_connections_are_counted_by_network() -> None:
    crowd = ConnectionCounter(ConnectionLimits(connections=4, from_one=2))
    one, other = "192.0.2.1", "2001:db8::1"

    assert [crowd.enter(one)[:9] for _ in range(3)] == ["", "", "421 4.7.0"]
    assert [crowd.enter(other)[:9] for _ in range(2)] == ["", ""]
    assert crowd.enter(HERE).startswith("421 4.3.2")
    crowd.leave(one)
    assert [crowd.enter(HERE), crowd.enter(HERE)[:9]] == ["", "421 4.3.2"]


@pytest.mark.parametrize(
    ("address", "is_near"),
    [(HERE, True), ("::1", True), ("192.0.2.1", False), ("", False), ("nonsense", False)],
)
def test_only_this_machine_is_near(address: str, is_near: bool) -> None:  # noqa: FBT001
    assert is_own_machine(address) == is_near
