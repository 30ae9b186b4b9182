"""Signs outgoing emails with DKIM (RFC 6376, RFC 8463), always with the same signature for the same email."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from corr.mail.outward.transport import Delivery, Envelope, Mailer
from corr.words.errors import Misconfigured

PrivateKey: TypeAlias = RSAPrivateKey | Ed25519PrivateKey

_LEAST_BITS = 1024
#: Headers of which an email has at most one: another one, added on the way, invalidates the signature.
_ONCE = (
    *(b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references"),
    *(b"list-unsubscribe", b"list-unsubscribe-post", b"auto-submitted"),
)
#: Further headers that we sign if they are present.
_FURTHER_FIELDS = (b"mime-version", b"content-type", b"content-transfer-encoding")
_LINE = 68
_FIELD = re.compile(rb"([!-9;-~]+):((?:.*\r\n)(?:[ \t].*\r\n)*)")
_FIELDS_A_LINE = 4


@dataclass(frozen=True, slots=True)
class Signer:
    domain: str
    selector: str
    key: PrivateKey = field(repr=False)

    def signed(self, letter: bytes) -> bytes:
        """Return the email with a DKIM signature above it."""
        head, _, body = letter.partition(b"\r\n\r\n")
        found = dict[bytes, bytes]()
        for name, text in _FIELD.findall(head + b"\r\n"):
            # Of several fields the last counts, as for a verifier.
            found[name.lower()] = _canonicalize_field(name, text)
        signed = [name for name in (*_ONCE, *_FURTHER_FIELDS) if name in found]
        unsigned = self._unsigned_field([*signed, *_ONCE], body)
        said = b"".join(found[name] for name in signed) + _canonicalize_field(b"DKIM-Signature", unsigned)
        signature = b"\r\n ".join(_line_chunks(base64.b64encode(self._sign(said.rstrip()))))
        return b"DKIM-Signature:%b%b\r\n%b" % (unsigned, signature, letter)

    def _unsigned_field(self, names: list[bytes], body: bytes) -> bytes:
        """Return the value of the DKIM-Signature field, up to the signature itself."""
        algorithm = "rsa-sha256" if isinstance(self.key, RSAPrivateKey) else "ed25519-sha256"
        whose = f" v=1; a={algorithm}; c=relaxed/simple; d={self.domain}; s={self.selector};\r\n h="
        lines = (names[at : at + _FIELDS_A_LINE] for at in range(0, len(names), _FIELDS_A_LINE))
        listed = b":\r\n  ".join(map(b":".join, lines))
        digest = base64.b64encode(hashlib.sha256(body.rstrip(b"\r\n") + b"\r\n").digest())
        return b"%b%b;\r\n bh=%b;\r\n b=" % (whose.encode("ascii"), listed, digest)

    def _sign(self, said: bytes) -> bytes:
        if isinstance(self.key, RSAPrivateKey):
            return self.key.sign(said, padding.PKCS1v15(), hashes.SHA256())
        return self.key.sign(hashlib.sha256(said).digest())


class SigningPost:
    """A mailer that signs each email before it hands it to another mailer."""

    def __init__(self, post: Mailer, signer: Signer) -> None:
        self._post, self._signer = post, signer

    def send(self, envelope: Envelope) -> Delivery:
        return self._post.send(replace(envelope, message=self._signer.signed(envelope.message)))

    def close(self) -> None:
        self._post.close()


def load_signer(file: str, selector: str, domain: str) -> Signer:
    """Return a signer with the key in a file; raise Misconfigured if it is unusable."""
    if not re.fullmatch(r"[a-z0-9-]{1,63}", selector):
        raise Misconfigured(
            f"CORR_DKIM_SELECTOR is {selector!r}: use only lower-case letters, digits and hyphens"
        )
    try:
        pem = Path(file).read_bytes()
    except OSError as error:
        raise Misconfigured(f"Can't read the file that CORR_DKIM_KEY names: {error}") from error
    return Signer(domain, selector, _key(pem))


def _key(pem: bytes) -> PrivateKey:
    """Read a private key; raise Misconfigured unless DKIM can use it."""
    try:
        key = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise Misconfigured(
            "The file that CORR_DKIM_KEY names has no private key. It must be PEM, without a password."
        ) from None
    if isinstance(key, Ed25519PrivateKey):
        return key
    if not isinstance(key, RSAPrivateKey) or key.key_size < _LEAST_BITS:
        raise Misconfigured(
            "DKIM can't use the key that CORR_DKIM_KEY names. Use RSA with at least "
            f"{_LEAST_BITS} bits (ideally 2048), or Ed25519."
        )
    return key


def _canonicalize_field(name: bytes, text: bytes) -> bytes:
    """Return a field in the "relaxed" form, which is the same however the field was folded."""
    return b"%b:%b\r\n" % (name.lower(), b" ".join(text.split()))


def _line_chunks(signature: bytes) -> Iterator[bytes]:
    """Split a signature into chunks that fit on a header's line."""
    return (signature[at : at + _LINE] for at in range(0, len(signature), _LINE))
