"""Where a webhook call may go, and where it may not."""

from __future__ import annotations

import pytest

from corr.notifications.client import is_public, parse_destination
from corr.words.errors import Refused


@pytest.mark.parametrize(
    ("url", "destination"),
    [
        ("https://hooks.example/a/b?c=d", ("hooks.example", 443, "/a/b?c=d")),
        ("https://hooks.example", ("hooks.example", 443, "/")),
        ("https://HOOKS.example:8443/x#y", ("hooks.example", 8443, "/x")),
        ("https://[2606:4700::1111]/x", ("2606:4700::1111", 443, "/x")),
        ("https://9.9.9.9/x", ("9.9.9.9", 443, "/x")),
    ],
)
def test_a_public_https_url_is_accepted(url: str, destination: tuple[str, int, str]) -> None:
    assert parse_destination(url) == destination


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://169.254.169.254/latest/meta-data", "leads to a private network"),
        ("https://169.254.169.254/latest/meta-data", "leads to a private network"),
        ("https://127.0.0.1/", "leads to a private network"),
        ("https://localhost/", "leads to a private network"),
        ("https://a.localhost/", "leads to a private network"),
        ("https://10.1.2.3/", "leads to a private network"),
        ("https://192.168.0.1:8080/", "leads to a private network"),
        ("https://[::1]/", "leads to a private network"),
        ("https://[::ffff:127.0.0.1]/", "leads to a private network"),
        ("https://[fe80::1]/", "leads to a private network"),
        ("https://[2002:7f00:1::]/", "leads to a private network"),
        ("https://0.0.0.0/", "leads to a private network"),
        ("https://224.0.0.1/", "leads to a private network"),
        ("http://hooks.example/", "must begin with https://"),
        ("ftp://hooks.example/", "must begin with https://"),
        ("hooks.example", "must begin with https://"),
        ("https://", "must begin with https://"),
        ("https://hooks.example:99999/", "must begin with https://"),
        ("https://hooks.example/a b", "must begin with https://"),
        ("https://hooks.example/\r\nX: y", "must begin with https://"),
        ("https://hööks.example/", "must begin with https://"),
        ("https://[::1/", "must begin with https://"),
        (f"https://hooks.example/{'a' * 500}", "must begin with https://"),
        ("https://ann:secret@hooks.example/", "a web address with no user name or password"),
    ],
)
def test_any_other_url_is_refused_with_a_reason(url: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        parse_destination(url)


PRIVATE = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.16.0.1"),
    *("172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1"),
    *("198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255"),
    *("240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "::9.9.9.9", "::ffff:10.0.0.1"),
    *("::ffff:0:9.9.9.9", "100::1", "100:0:0:1::1", "3fff::1", "4000::1", "5f00::1", "fc00::1"),
    *("fd12::1", "fe80::1", "fe80::1%1", "fec0::1", "feff::1", "ff02::1", "ff0e::1"),
    *("64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::224.0.0.1", "64:ff9b::100.64.0.1"),
    *("64:ff9b:1::1", "64:ff9b:1::9.9.9.9", "2001::1", "2001:0:909:909::1", "2001:2::1"),
    *("2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::", "2002:e000:1::"),
    "2002:c058:6301::",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_ip_address_is_recognised(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("9.9.9.9", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2001:4860:4860::8888", "2a00::1"),
        *("::ffff:9.9.9.9", "64:ff9b::9.9.9.9", "2002:909:909::1"),
    ],
)
def test_a_public_ip_address_is_recognised(address: str) -> None:
    assert is_public(address)
