"""What DNS is to say of a house: lines of a zone, the key that letters are signed with among them."""

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


def test_all_records_are_there_and_a_name_server_can_read_them() -> None:
    found = dns.zone.from_text(
        f"$TTL 60\n{folder.write_zone(plan())}", origin=".", relativize=False, check_origin=False
    )

    said = {(str(name), data.rdtype.name) for name, data in found.iterate_rdatasets()}
    assert said == {
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


def test_a_machine_of_the_domains_own_name_has_its_addresses_once() -> None:
    lines = folder.write_zone(plan(host="play.example.org")).splitlines()

    assert len([line for line in lines if f" {ADDRESS}" in line]) == 1


def test_where_the_addresses_are_not_known_it_is_said_what_to_do() -> None:
    said = folder.write_zone(plan(addresses=()))

    assert (
        "; Also A and AAAA with the machine's addresses, for mail.example.org and play.example.org.\n" in said
    )
    assert said.endswith("; PTR, for each of its addresses: mail.example.org.\n")


def test_what_dns_says_of_the_key_is_its_public_half_and_comes_in_strings_of_255() -> None:
    private = serialization.load_pem_private_key(key().pem.encode(), None)
    (record,) = [each for each in folder.records(plan()) if "_domainkey" in each.name]
    strings = record.value.strip('"').split('" "')

    said = "".join(strings).partition("p=")[2]
    assert isinstance(private, rsa.RSAPrivateKey)
    assert serialization.load_der_public_key(base64.b64decode(said)) == private.public_key()
    assert max(map(len, strings)) <= 255
    assert len(strings) == 2


def test_a_key_of_opendkims_is_kept() -> None:
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
def test_what_is_no_key_for_dkim_is_refused(pem: bytes, sentence: str) -> None:
    with pytest.raises(Misconfigured, match=sentence):
        read_key(pem)
