"""Push notifications: encrypted as in RFC 8291, signed as in RFC 8292; the push service learns nothing."""

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

from corr.notifications import push_request as push
from corr.notifications.push_devices import (
    Device,
    InvalidDevice,
    Push,
    PushNotification,
    PushSender,
    from_base64,
    parse_device,
)
from tests.support.push_device import decrypt_on_device

#: The example of RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
SALT = from_base64("DGv6ra1nlYgDCS1FRnbzlw")
OUR_KEY = from_base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
ENCRYPTED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6"
    "cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)

ENDPOINT = "https://push.maker.example/take/in?for=abc"
DEVICE = parse_device(ENDPOINT, PUBLIC, SECRET)
SENDER = PushSender(bytes(31) + b"\7", "umpire@play.example")
MESSAGE = PushNotification("Your turn", "Wild 16 with Ann", "/games/abcde", "abcde")
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def key_of(number: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(number), ec.SECP256R1())


def make_push(message: PushNotification = MESSAGE, device: Device = DEVICE) -> Push:
    return push.make_push_request(SENDER, device, message, NOON, timedelta(hours=3))


def token_of(found: Push) -> tuple[str, str, str, str]:
    """Return the parts of the token, and the key beside it."""
    parts = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", found.headers["Authorization"])
    assert parts
    return parts[1], parts[2], parts[3], parts[4]


def test_the_example_of_rfc_8291_is_encrypted_to_the_same_bytes() -> None:
    assert push.encrypt_for_device(DEVICE, PLAIN, key_of(OUR_KEY), SALT) == from_base64(ENCRYPTED)


def test_a_device_can_read_its_notification() -> None:
    read = json.loads(decrypt_on_device(make_push()))

    assert read == {
        "title": "Your turn",
        "body": "Wild 16 with Ann",
        "url": "/games/abcde",
        "tag": "abcde",
    }


def test_another_device_cannot_read_it() -> None:
    with pytest.raises(http_ece.ECEException):
        decrypt_on_device(make_push(), key_of(OUR_KEY))


def test_the_same_message_is_never_encrypted_to_the_same_bytes() -> None:
    assert make_push().body != make_push().body


def test_all_messages_have_the_same_length() -> None:
    others = (replace(MESSAGE, body=""), replace(MESSAGE, title="Reconnaissance Blind Chess " * 9))

    assert {len(make_push(each).body) for each in others} == {len(make_push().body)}


def test_a_message_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="too long for one"):
        make_push(replace(MESSAGE, body="x" * 5_000))


def test_headers_give_lifetime_urgency_and_encoding() -> None:
    found = make_push()

    assert found.url == ENDPOINT
    assert {name: found.headers[name] for name in ("TTL", "Urgency", "Content-Encoding")} == {
        "TTL": "10800",
        "Urgency": "normal",
        "Content-Encoding": "aes128gcm",
    }


def test_a_push_service_can_verify_our_signature() -> None:
    head, claims, signature, public = token_of(make_push())
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


def test_the_topic_identifies_the_game_without_revealing_it() -> None:
    same, other = make_push(replace(MESSAGE, body="something else")), make_push(replace(MESSAGE, tag="bcdef"))
    elsewhere = make_push(device=replace(DEVICE, secret=bytes(16)))

    assert same.headers["Topic"] == make_push().headers["Topic"]
    assert len({each.headers["Topic"] for each in (same, other, elsewhere)}) == 3
    assert re.fullmatch(r"[\w-]{1,32}", same.headers["Topic"])
    assert "abcde" not in same.headers["Topic"]


# ---------------------------------------------------------------- invalid devices


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
def test_an_invalid_endpoint_is_refused(endpoint: str) -> None:
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
def test_invalid_keys_are_refused(public: str, secret: str) -> None:
    with pytest.raises(InvalidDevice):
        parse_device(ENDPOINT, public, secret)


def test_a_point_off_the_curve_is_refused() -> None:
    push.check(DEVICE)

    with pytest.raises(InvalidDevice):
        push.check(replace(DEVICE, public=b"\4" + bytes(63) + b"\1"))
