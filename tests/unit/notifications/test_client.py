"""The webhook client against real hosts on this machine, some of which misbehave."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from corr.notifications.calendar_and_feeds import Payload
from corr.notifications.client import WebhookClient, is_public
from tests.support.https_hosts import (
    NAME,
    Answer,
    respond_with,
    run_https_host,
    send_endless_header,
    stay_silent,
)

PAYLOAD = Payload(b'{"event": "test"}', {"Content-Type": "application/json", "X-Corr-Signature": "sha256=00"})


def test_a_call_sends_headers_and_body(tmp_path: Path) -> None:
    with run_https_host(tmp_path, respond_with("204 No Content")) as host:
        assert host.client.call(host.url, PAYLOAD).trouble == ""
        (heard,) = host.requests
    head, _, body = heard.decode().partition("\r\n\r\n")
    assert head.startswith("POST /hook?of=ann HTTP/1.1\r\n")
    assert f"Host: {NAME}:" in head
    assert "X-Corr-Signature: sha256=00" in head
    assert body == '{"event": "test"}'


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (respond_with("302 Found", "Location: https://127.0.0.1/"), "redirected us"),
        (respond_with("404 Not Found"), "answered with status 404"),
        (respond_with("500 Oh"), "answered with status 500"),
        (lambda connection: connection.sendall(b"\x00" * 100), "didn't answer"),
        (lambda connection: connection.close(), "didn't answer"),
    ],
)
def test_a_failure_is_reported_with_its_cause(tmp_path: Path, answer: Answer, trouble: str) -> None:
    with run_https_host(tmp_path, answer) as host:
        assert trouble in host.client.call(host.url, PAYLOAD).trouble
        assert len(host.requests) == 1


@pytest.mark.parametrize(
    ("answer", "is_gone"),
    [
        (respond_with("201 Created"), False),
        (respond_with("404 Not Found"), True),
        (respond_with("410 Gone"), True),
        (respond_with("301 Moved Permanently"), False),
        (respond_with("403 Forbidden"), False),
        (respond_with("429 Too Many Requests"), False),
        (respond_with("500 Oh"), False),
    ],
)
def test_a_404_or_410_means_that_the_hook_is_gone(tmp_path: Path, answer: Answer, is_gone: bool) -> None:  # noqa: FBT001
    with run_https_host(tmp_path, answer) as host:
        assert host.client.call(host.url, PAYLOAD).is_gone is is_gone


def test_a_silent_resolver_times_out() -> None:
    release = threading.Event()

    def silent(_host: str, _port: int) -> list[str]:
        release.wait()
        return []

    assert (
        "didn't answer" in WebhookClient(silent, seconds=0.3).call("https://hooks.example/", PAYLOAD).trouble
    )
    release.set()


def test_an_unfinished_handshake_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        wire = WebhookClient(lambda _host, _port: ["127.0.0.1"], lambda _number: True, seconds=0.3)
        assert "didn't answer" in wire.call(f"https://hooks.example:{port}/", PAYLOAD).trouble


@pytest.mark.parametrize("answer", [send_endless_header, stay_silent])
def test_an_endless_answer_times_out(tmp_path: Path, answer: Answer) -> None:
    with run_https_host(tmp_path, answer, seconds=0.3) as host:
        assert "didn't answer" in host.client.call(host.url, PAYLOAD).trouble


def test_a_name_with_a_private_ip_address_is_not_called(tmp_path: Path) -> None:
    with run_https_host(tmp_path, respond_with("200 OK")) as host:
        wire = replace(host.client, is_public=is_public)
        assert "leads to a private network" in wire.call(host.url, PAYLOAD).trouble
        assert host.requests == []


def test_a_name_with_one_private_ip_address_among_others_is_not_called(tmp_path: Path) -> None:
    with run_https_host(tmp_path, respond_with("200 OK")) as host:
        wire = replace(
            host.client, look_up=lambda _host, _port: ["9.9.9.9", "127.0.0.1"], is_public=is_public
        )
        assert "leads to a private network" in wire.call(host.url, PAYLOAD).trouble


def test_a_host_with_an_untrusted_certificate_gets_nothing(tmp_path: Path) -> None:
    with run_https_host(tmp_path, respond_with("200 OK")) as host:
        wire = WebhookClient(host.client.look_up, host.client.is_public)
        assert "certificate" in wire.call(host.url, PAYLOAD).trouble
        assert host.requests == []


def test_an_unknown_host_name_is_reported() -> None:
    def nowhere(host: str, port: int) -> list[str]:
        raise socket.gaierror(host, port)

    assert (
        WebhookClient(nowhere).call("https://nowhere.example/", PAYLOAD).trouble
        == "There is no host with this name."
    )


def test_a_closed_port_is_reported(tmp_path: Path) -> None:
    with run_https_host(tmp_path, respond_with("200 OK")) as host:
        url, wire = host.url, host.client
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    assert (
        "didn't answer" in wire.call(url.replace(url.split(":")[2].split("/")[0], str(port)), PAYLOAD).trouble
    )
