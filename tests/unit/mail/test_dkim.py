"""Letters that the house signs itself: others verify them, and a key that cannot be used is refused at the start."""

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
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, cipher)  # type: ignore[attr-defined]  # each kind of key has it


def a_letter(**heads: str) -> bytes:
    """A letter as it is composed, and what was changed of its head."""
    letter = compose(outgoing(views()[-1])).message
    added = "".join(f"{name.replace('_', '-')}: {text}\r\n" for name, text in heads.items())
    return added.encode() + letter


def is_right(letter: bytes, key: PrivateKey) -> bool:
    """What a program says that knows nothing of ours: dkimpy, by the key that DNS would have."""
    return (
        _is_right_by_rsa(letter, key)
        if isinstance(key, rsa.RSAPrivateKey)
        else _is_right_by_ed25519(letter, key)
    )


def _is_right_by_rsa(letter: bytes, key: rsa.RSAPrivateKey) -> bool:
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
    asked = list[bytes]()

    def told(name: bytes, timeout: float = 0) -> bytes:  # as dkimpy calls it
        asked.append(name)
        return record

    verdict = dkim.verify(letter, dnsfunc=told)
    assert asked == [f"{SELECTOR}._domainkey.{DOMAIN}.".encode()]
    return bool(verdict)


def _is_right_by_ed25519(letter: bytes, key: Ed25519PrivateKey) -> bool:
    """The same without PyNaCl, by which dkimpy verifies such a seal: what is sealed is put together by dkimpy."""
    found = dkim.DKIM(letter)
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


STOPS = {"List_Unsubscribe": "<https://play.example/stop/x>,\r\n <mailto:x@play.example>"}


@pytest.mark.parametrize(
    "letter", [a_letter(), a_letter(**STOPS), b"From: a@b.c\r\n\r\n", b"From: a@b.c\r\n\r\nx"]
)
def test_what_is_signed_is_verified_by_others(signer: Signer, letter: bytes) -> None:
    assert is_right(signer.signed(letter), signer.key)


def test_the_letter_itself_stays_as_it_was_and_no_line_is_long(signer: Signer) -> None:
    letter = a_letter()
    signed = signer.signed(letter)
    head = signed.removesuffix(letter)

    assert head + letter == signed
    assert max(map(len, head.split(b"\r\n"))) <= 100
    assert dkim.DKIM(signed).headers[0][0] == b"DKIM-Signature"


def test_the_same_letter_always_gets_the_same_signature(signer: Signer) -> None:
    assert signer.signed(a_letter()) == signer.signed(a_letter())


def test_a_letter_that_was_folded_anew_on_its_way_is_right(signer: Signer) -> None:
    signed = signer.signed(a_letter())

    assert is_right(re.sub(rb"\r\nSubject: (\S+) ", rb"\r\nsubject:   \1\r\n\t", signed), signer.key)


@pytest.mark.parametrize(
    "name",
    [
        *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
        *("MIME-Version", "Content-Type", "Auto-Submitted", "List-Unsubscribe"),
    ],
)
def test_who_changes_a_field_on_the_way_or_takes_it_away_is_found_out(signer: Signer, name: str) -> None:
    signed = signer.signed(a_letter(**STOPS))
    field = rf"(?<=\r\n){name}:(?:.*\r\n)(?:[ \t].*\r\n)*".encode()
    changed = re.sub(field, name.encode() + b": eve@e.example\r\n", signed, count=1)
    gone = re.sub(field, b"", signed, count=1)

    assert signed not in (changed, gone)
    assert not is_right(changed, signer.key)
    assert name == "From" or not is_right(gone, signer.key)


@pytest.mark.parametrize(
    "name", ["From", "Reply-To", "Subject", "To", "List-Unsubscribe", "List-Unsubscribe-Post"]
)
def test_who_puts_one_more_beside_it_is_found_out(signer: Signer, name: str) -> None:
    signed = signer.signed(a_letter())
    for added in (
        f"{name}: eve@e.example\r\n".encode() + signed,
        signed.replace(b"\r\n\r\n", f"\r\n{name}: eve@e.example\r\n\r\n".encode(), 1),
    ):
        assert not is_right(added, signer.key)


def test_who_changes_the_text_is_found_out(signer: Signer) -> None:
    assert not is_right(signer.signed(a_letter()).replace(b"Your turn", b"My turn"), signer.key)


# ---------------------------------------------------------------- keys that cannot be used

KEYS = {
    "no key": (b"v=DKIM1; p=", "has no private key"),
    "nothing": (b"", "has no private key"),
    "a public key": (
        rsa_key()
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
        "has no private key",
    ),
    "a key under a password": (
        pem(rsa_key(), serialization.BestAvailableEncryption(b"secret")),
        "without a password",
    ),
    "a key of another kind": (pem(ec.generate_private_key(ec.SECP256R1())), "DKIM can't use the key"),
    "one more": (pem(dsa.generate_private_key(1024)), "DKIM can't use the key"),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_file_without_a_key_for_it_is_refused(tmp_path: Path, name: str) -> None:
    content, why = KEYS[name]
    (tmp_path / "key.pem").write_bytes(content)

    with pytest.raises(Misconfigured, match=why) as refusal:
        load_signer(str(tmp_path / "key.pem"), SELECTOR, DOMAIN)
    assert "CORR_DKIM_KEY" in str(refusal.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nothing.pem"):
        with pytest.raises(Misconfigured, match=r"^Can't read the file that CORR_DKIM_KEY names"):
            load_signer(str(place), SELECTOR, DOMAIN)


@pytest.mark.parametrize("selector", ["", "a.b", "Corr", "corr;d=evil.example", "corr\r\nX: y", "x" * 64])
def test_a_selector_that_is_none_is_refused(tmp_path: Path, selector: str) -> None:
    (tmp_path / "key.pem").write_bytes(pem(ed25519_key()))

    with pytest.raises(Misconfigured, match=r"^CORR_DKIM_SELECTOR "):
        load_signer(str(tmp_path / "key.pem"), selector, DOMAIN)


def test_what_is_printed_of_a_signer_has_nothing_of_its_key(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    for key in (rsa_key(), ed25519_key()):
        file.write_bytes(pem(key))
        assert (
            repr(load_signer(str(file), SELECTOR, DOMAIN))
            == f"Signer(domain={DOMAIN!r}, selector={SELECTOR!r})"
        )
