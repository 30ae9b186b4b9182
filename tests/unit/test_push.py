"""What is told to a device: sealed as RFC 8291 says, signed as RFC 8292 says, and telling its maker nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from corr.notifications import push_encryption as push
from corr.notifications.push_devices import (
    Device,
    InvalidDevice,
    Push,
    PushNotification,
    PushSender,
    from_base64,
    parse_device,
)
from tests.support.push_device import opened_by_device

#: The example of RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
SALT = from_base64("DGv6ra1nlYgDCS1FRnbzlw")
OURS = from_base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6"
    "cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)

ENDPOINT = "https://push.maker.example/take/in?for=abc"
DEVICE = parse_device(ENDPOINT, PUBLIC, SECRET)
SENDER = PushSender(bytes(31) + b"\7", "umpire@play.example")
TOLD = PushNotification("Your turn", "Wild 16 with Ann", "/games/abcde", "abcde")
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def key_of(number: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(number), ec.SECP256R1())


def made(told: PushNotification = TOLD, device: Device = DEVICE) -> Push:
    return push.make_push_request(SENDER, device, told, NOON, timedelta(hours=3))


def token_of(found: Push) -> tuple[str, str, str, str]:
    """The parts of the token and the key beside it."""
    parts = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", found.headers["Authorization"])
    assert parts
    return parts[1], parts[2], parts[3], parts[4]


def test_the_example_of_the_standard_is_sealed_as_it_stands_there() -> None:
    assert push.encrypt_for_device(DEVICE, PLAIN, key_of(OURS), SALT) == from_base64(SEALED)


def test_a_device_reads_what_it_is_told() -> None:
    read = json.loads(opened_by_device(made()))

    assert read == {
        "title": "Your turn",
        "body": "Wild 16 with Ann",
        "url": "/games/abcde",
        "tag": "abcde",
    }


def test_nobody_else_reads_it() -> None:
    with pytest.raises(http_ece.ECEException):
        opened_by_device(made(), key_of(OURS))


def test_the_same_is_never_sealed_to_the_same_bytes() -> None:
    assert made().body != made().body


def test_whatever_is_told_has_the_same_length() -> None:
    others = (replace(TOLD, body=""), replace(TOLD, title="Reconnaissance Blind Chess " * 9))

    assert {len(made(each).body) for each in others} == {len(made().body)}


def test_too_much_at_once_is_told_to_nobody() -> None:
    with pytest.raises(ValueError, match="too long for one"):
        made(replace(TOLD, body="x" * 5_000))


def test_the_head_says_how_long_it_is_good_and_how_it_is_packed() -> None:
    found = made()

    assert found.url == ENDPOINT
    assert {name: found.headers[name] for name in ("TTL", "Urgency", "Content-Encoding")} == {
        "TTL": "10800",
        "Urgency": "normal",
        "Content-Encoding": "aes128gcm",
    }


def test_the_makers_of_browsers_can_tell_that_it_is_ours() -> None:
    head, claims, signature, public = token_of(made())
    ours = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64(public))
    both = from_base64(signature)
    signed = encode_dss_signature(int.from_bytes(both[:32]), int.from_bytes(both[32:]))
    ours.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))

    assert public == push.public_of(SENDER)
    assert json.loads(from_base64(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(from_base64(claims)) == {
        "aud": "https://push.maker.example",
        "exp": int((NOON + timedelta(hours=12)).timestamp()),
        "sub": "mailto:umpire@play.example",
    }


def test_what_replaces_what_is_known_by_a_name_that_tells_nothing() -> None:
    same, other = made(replace(TOLD, body="something else")), made(replace(TOLD, tag="bcdef"))
    elsewhere = made(device=replace(DEVICE, secret=bytes(16)))

    assert same.headers["Topic"] == made().headers["Topic"]
    assert len({each.headers["Topic"] for each in (same, other, elsewhere)}) == 3
    assert re.fullmatch(r"[\w-]{1,32}", same.headers["Topic"])
    assert "abcde" not in same.headers["Topic"]


# ---------------------------------------------------------------- what is no device


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://push.maker.example/abc",
        "https:///abc",
        "https://me:secret@push.maker.example/abc",
        "https://push.maker.example:0/abc",
        "https://push.maker.example:port/abc",
        "https://push.maker.example/a b",
        "https://push.maker.example/a\r\nX: y",
        "https://[push/abc",
        "https://push.maker.example/ä",
        "https://push.maker.example/" + "x" * 500,
        "javascript:alert(1)",
    ],
)
def test_an_address_that_is_none_of_a_maker_of_browsers_is_refused(endpoint: str) -> None:
    with pytest.raises(InvalidDevice):
        parse_device(endpoint, PUBLIC, SECRET)


@pytest.mark.parametrize(
    ("public", "secret"),
    [
        ("", SECRET),
        (PUBLIC, ""),
        (PUBLIC[:-4], SECRET),
        (PUBLIC, SECRET + "AAAA"),
        ("ä" * 87, SECRET),
        ("A", SECRET),
    ],
)
def test_keys_that_are_none_are_refused(public: str, secret: str) -> None:
    with pytest.raises(InvalidDevice):
        parse_device(ENDPOINT, public, secret)


def test_a_point_that_lies_on_no_curve_is_refused() -> None:
    push.check(DEVICE)

    with pytest.raises(InvalidDevice):
        push.check(replace(DEVICE, public=b"\4" + bytes(63) + b"\1"))
