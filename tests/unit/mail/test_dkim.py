"""DKIM: others can verify our signatures, and an unusable key is refused at the start."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path

import dkim
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bench.letter import outgoing, views
from corr.mail.outward.compose import compose
from corr.mail.outward.dkim import PrivateKey, Signer, load_signer
from corr.words.errors import Misconfigured

DOMAIN, SELECTOR = "play.example", "corr"
_NO_PASSWORD = serialization.NoEncryption()


@cache
def rsa_key(bits: int = 2048) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65_537, bits)


@cache
def ed25519_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


def pem(key: object, cipher: serialization.KeySerializationEncryption = _NO_PASSWORD) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, cipher)  # type: ignore[attr-defined]  # every key has this method


def composed_email(**heads: str) -> bytes:
    """Return a composed email with additional headers."""
    email = compose(outgoing(views()[-1])).message
    added = "".join(f"{name.replace('_', '-')}: {text}\r\n" for name, text in heads.items())
    return added.encode() + email


def is_valid(email: bytes, key: PrivateKey) -> bool:
    """Verify a signature with dkimpy, as DNS would publish the key."""
    return _is_valid_rsa(email, key) if isinstance(key, rsa.RSAPrivateKey) else _is_valid_ed25519(email, key)


def _is_valid_rsa(email: bytes, key: rsa.RSAPrivateKey) -> bool:
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
    queries = list[bytes]()

    def look_up(name: bytes, timeout: float = 0) -> bytes:  # as dkimpy calls it
        queries.append(name)
        return record

    verdict = dkim.verify(email, dnsfunc=look_up)
    assert queries == [f"{SELECTOR}._domainkey.{DOMAIN}.".encode()]
    return bool(verdict)


def _is_valid_ed25519(email: bytes, key: Ed25519PrivateKey) -> bool:
    """Verify without PyNaCl, which dkimpy needs for this kind; dkimpy computes what is signed."""
    found = dkim.DKIM(email)
    sig, names, sigheaders = found.verify_headerprep()
    policy = dkim.CanonicalizationPolicy.from_c_value(sig[b"c"])
    body, sealed = dkim.HASH_ALGORITHMS[sig[b"a"]](), dkim.HASH_ALGORITHMS[sig[b"a"]]()
    body.update(policy.canonicalize_body(found.body))
    headers = policy.canonicalize_headers(found.headers)
    dkim.hash_headers(sealed, policy, headers, names, sigheaders[0], sig)
    public: Ed25519PublicKey = key.public_key()
    try:
        public.verify(base64.b64decode(re.sub(rb"\s", b"", sig[b"b"])), sealed.digest())
    except InvalidSignature:
        return False
    return body.digest() == base64.b64decode(sig[b"bh"])


@pytest.fixture(params=["rsa", "ed25519"])
def signer(request: pytest.FixtureRequest) -> Signer:
    return Signer(DOMAIN, SELECTOR, rsa_key() if request.param == "rsa" else ed25519_key())


UNSUBSCRIBE = {"List_Unsubscribe": "<https://play.example/stop/x>,\r\n <mailto:x@play.example>"}


@pytest.mark.parametrize(
    "email",
    [composed_email(), composed_email(**UNSUBSCRIBE), b"From: a@b.c\r\n\r\n", b"From: a@b.c\r\n\r\nx"],
)
def test_others_can_verify_a_signed_email(signer: Signer, email: bytes) -> None:
    assert is_valid(signer.signed(email), signer.key)


def test_signing_only_adds_a_header_with_short_lines(signer: Signer) -> None:
    email = composed_email()
    signed = signer.signed(email)
    head = signed.removesuffix(email)

    assert head + email == signed
    assert max(map(len, head.split(b"\r\n"))) <= 100
    assert dkim.DKIM(signed).headers[0][0] == b"DKIM-Signature"


def test_the_same_email_always_gets_the_same_signature(signer: Signer) -> None:
    assert signer.signed(composed_email()) == signer.signed(composed_email())


def test_refolded_headers_stay_valid(signer: Signer) -> None:
    signed = signer.signed(composed_email())

    assert is_valid(re.sub(rb"\r\nSubject: (\S+) ", rb"\r\nsubject:   \1\r\n\t", signed), signer.key)


@pytest.mark.parametrize(
    "name",
    [
        *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
        *("MIME-Version", "Content-Type", "Auto-Submitted", "List-Unsubscribe"),
    ],
)
def test_a_changed_or_removed_header_is_detected(signer: Signer, name: str) -> None:
    signed = signer.signed(composed_email(**UNSUBSCRIBE))
    field = rf"(?<=\r\n){name}:(?:.*\r\n)(?:[ \t].*\r\n)*".encode()
    changed = re.sub(field, name.encode() + b": eve@e.example\r\n", signed, count=1)
    gone = re.sub(field, b"", signed, count=1)

    assert signed not in (changed, gone)
    assert not is_valid(changed, signer.key)
    assert name == "From" or not is_valid(gone, signer.key)


@pytest.mark.parametrize(
    "name", ["From", "Reply-To", "Subject", "To", "List-Unsubscribe", "List-Unsubscribe-Post"]
)
def test_an_added_header_is_detected(signer: Signer, name: str) -> None:
    signed = signer.signed(composed_email())
    for added in (
        f"{name}: eve@e.example\r\n".encode() + signed,
        signed.replace(b"\r\n\r\n", f"\r\n{name}: eve@e.example\r\n\r\n".encode(), 1),
    ):
        assert not is_valid(added, signer.key)


def test_a_changed_body_is_detected(signer: Signer) -> None:
    assert not is_valid(signer.signed(composed_email()).replace(b"Your turn", b"My turn"), signer.key)


# ---------------------------------------------------------------- unusable keys

KEYS = {
    "no key": (b"v=DKIM1; p=", "has no private key"),
    "nothing": (b"", "has no private key"),
    "a public key": (
        rsa_key()
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
        "has no private key",
    ),
    "a key with a password": (
        pem(rsa_key(), serialization.BestAvailableEncryption(b"secret")),
        "without a password",
    ),
    "an EC key": (pem(ec.generate_private_key(ec.SECP256R1())), "DKIM can't use the key"),
    "a DSA key": (pem(dsa.generate_private_key(1024)), "DKIM can't use the key"),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_file_without_a_usable_key_is_refused(tmp_path: Path, name: str) -> None:
    content, why = KEYS[name]
    (tmp_path / "key.pem").write_bytes(content)

    with pytest.raises(Misconfigured, match=why) as refusal:
        load_signer(str(tmp_path / "key.pem"), SELECTOR, DOMAIN)
    assert "CORR_DKIM_KEY" in str(refusal.value)


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nothing.pem"):
        with pytest.raises(Misconfigured, match=r"^Can't read the file that CORR_DKIM_KEY names"):
            load_signer(str(place), SELECTOR, DOMAIN)


@pytest.mark.parametrize("selector", ["", "a.b", "Corr", "corr;d=evil.example", "corr\r\nX: y", "x" * 64])
def test_an_invalid_selector_is_refused(tmp_path: Path, selector: str) -> None:
    (tmp_path / "key.pem").write_bytes(pem(ed25519_key()))

    with pytest.raises(Misconfigured, match=r"^CORR_DKIM_SELECTOR "):
        load_signer(str(tmp_path / "key.pem"), selector, DOMAIN)


def test_the_repr_of_a_signer_hides_its_key(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    for key in (rsa_key(), ed25519_key()):
        file.write_bytes(pem(key))
        assert (
            repr(load_signer(str(file), SELECTOR, DOMAIN))
            == f"Signer(domain={DOMAIN!r}, selector={SELECTOR!r})"
        )
