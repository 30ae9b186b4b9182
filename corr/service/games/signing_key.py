"""Signs with the site's own Ed25519 key; imported only when needed, as its library takes much memory."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def public_of(key: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()


def sign(key: bytes, said: str) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(key).sign(said.encode())
