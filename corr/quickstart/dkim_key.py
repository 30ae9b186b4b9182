"""Makes and reads the DKIM key with which the mail server signs emails."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from corr.words.errors import Misconfigured

_BITS, _LEAST_BITS = 2048, 1024


@dataclass(frozen=True, slots=True)
class DkimKey:
    """A private key as PEM text, and its public half as a DNS record."""

    pem: str = field(repr=False)
    record: str


def new_key() -> DkimKey:
    return _make_dkim_key(rsa.generate_private_key(65_537, _BITS))


def read_key(pem: bytes) -> DkimKey:
    """Read an existing key, such as opendkim's."""
    try:
        found = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise Misconfigured(
            "That file has no private key that DKIM can use. Give a PEM file without a password."
        ) from error
    if not isinstance(found, rsa.RSAPrivateKey) or found.key_size < _LEAST_BITS:
        raise Misconfigured(f"DKIM takes an RSA key of {_LEAST_BITS} bits or more, best of {_BITS}.")
    return _make_dkim_key(found)


def _make_dkim_key(key: rsa.RSAPrivateKey) -> DkimKey:
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return DkimKey(pem.decode(), f"v=DKIM1; h=sha256; k=rsa; p={base64.b64encode(public).decode()}")
