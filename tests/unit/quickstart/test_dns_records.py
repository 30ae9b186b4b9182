"""The DNS records of a server, with its DKIM key."""

from __future__ import annotations

import base64

import dns.zone
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from corr.quickstart import folder
from corr.quickstart.settings import read_key
from corr.words.errors import Misconfigured
from tests.support.quickstart import ADDRESS, key, plan


def test_the_zone_is_valid_and_has_all_records() -> None:
    found = dns.zone.from_text(
        f"$TTL 60\n{folder.write_zone(plan())}", origin=".", relativize=False, check_origin=False
    )

    records = {(str(name), data.rdtype.name) for name, data in found.iterate_rdatasets()}
    assert records == {
        ("mail.example.org.", "A"),
        ("mail.example.org.", "AAAA"),
        ("play.example.org.", "A"),
        ("play.example.org.", "AAAA"),
        ("play.example.org.", "MX"),
        ("play.example.org.", "TXT"),
        ("_dmarc.play.example.org.", "TXT"),
        ("corr._domainkey.play.example.org.", "TXT"),
        ("5.113.0.203.in-addr.arpa.", "PTR"),
        (f"{'5.' + '0.' * 23 + '8.b.d.0.1.0.0.2'}.ip6.arpa.", "PTR"),
    }


def test_a_host_named_like_the_domain_gets_its_addresses_once() -> None:
    lines = folder.write_zone(plan(host="play.example.org")).splitlines()

    assert len([line for line in lines if f" {ADDRESS}" in line]) == 1


def test_unknown_addresses_are_left_to_the_operator() -> None:
    text = folder.write_zone(plan(addresses=()))

    assert (
        "; Also A and AAAA with the machine's addresses, for mail.example.org and play.example.org.\n" in text
    )
    assert text.endswith("; PTR, for each of its addresses: mail.example.org.\n")


def test_the_dkim_record_has_the_public_key_in_strings_of_255() -> None:
    private = serialization.load_pem_private_key(key().pem.encode(), None)
    (record,) = [each for each in folder.records(plan()) if "_domainkey" in each.name]
    strings = record.value.strip('"').split('" "')

    text = "".join(strings).partition("p=")[2]
    assert isinstance(private, rsa.RSAPrivateKey)
    assert serialization.load_der_public_key(base64.b64decode(text)) == private.public_key()
    assert max(map(len, strings)) <= 255
    assert len(strings) == 2


def test_an_existing_opendkim_key_is_kept() -> None:
    assert read_key(key().pem.encode()).record == key().record


@pytest.mark.parametrize(
    ("pem", "sentence"),
    [
        (b"", "has no private key"),
        (b"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n", "has no private key"),
        (
            ec.generate_private_key(ec.SECP256R1()).private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
            "DKIM takes an RSA key",
        ),
    ],
)
def test_an_unusable_key_is_refused(pem: bytes, sentence: str) -> None:
    with pytest.raises(Misconfigured, match=sentence):
        read_key(pem)
