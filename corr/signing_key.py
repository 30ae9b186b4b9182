"""What the house signs by a key of its own (Ed25519).

It is loaded when it is needed, since what it stands on weighs much.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def public_of(key: bytes) -> bytes:
    """The other half of a key."""
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()


def sign(key: bytes, said: str) -> bytes:
    """The signature of a text."""
    return Ed25519PrivateKey.from_private_bytes(key).sign(said.encode())
