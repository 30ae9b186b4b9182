"""A passkey for tests: what a browser's authenticator does, or a false one."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from corr.service.players import mailboxes, passkeys
from corr.service.players.authentication import Visitor
from corr.service.players.passkeys import Holder
from tests.support.browser import Browser, Forms, text_of_page
from tests.support.table import DOMAIN, WEB_URL, Table

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


@dataclass
class Authenticator:
    """Signs for one site, whatever it is asked for."""

    origin: str = WEB_URL
    site: str = DOMAIN
    flags: int = PRESENT | VERIFIED
    count: int = 0
    counts: bool = True
    credential: bytes = field(default_factory=lambda: token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, wanted: str) -> str:
        """Create the passkey that a page asks for."""
        public = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + cbor2.dumps(cose)
        data = self._data(self.flags | ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._proof(attestationObject=attestation, clientDataJSON=self._told("create", wanted))

    def show(self, wanted: str) -> str:
        """Sign the challenge of a page."""
        self.count += self.counts
        data, told = self._data(self.flags), self._told("get", wanted)
        signature = self.key.sign(data + hashlib.sha256(told).digest(), ec.ECDSA(SHA256()))
        return self._proof(authenticatorData=data, clientDataJSON=told, signature=signature)

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _told(self, deed: str, wanted: str) -> bytes:
        challenge = json.loads(wanted)["challenge"]
        return json.dumps(
            {"type": f"webauthn.{deed}", "challenge": challenge, "origin": self.origin}
        ).encode()

    def _proof(self, **response: bytes) -> str:
        name = to_base64url(self.credential)
        said = {key: to_base64url(value) for key, value in response.items()}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": said})


def add_passkey(table: Table, address: str, name: str) -> Visitor:
    """Give a player a passkey; return the player as the pages know them."""
    now = table.clock()
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, address)
    assert who
    holder = Holder(Visitor(who, "Somebody", now), "a browser")
    wanted = passkeys.start_setup(table.server, holder, name, now)
    passkeys.add(table.server, holder, name, Authenticator().make(wanted), now)
    return holder.visitor


def remove_passkey(table: Table, visitor: Visitor) -> None:
    """Remove a player's first passkey."""
    first = passkeys.list_passkeys(table.server, visitor)[0].name
    passkeys.remove(table.server, visitor, first, table.clock())


def passkey_request(browser: Browser) -> str:
    """What the open page asks of a passkey."""
    page = browser.answer.get_data(as_text=True)
    return unescape(page.partition('data-wanted="')[2].partition('"')[0])


def send(browser: Browser, proof: str, **changes: str) -> str:
    """Send the passkey form as its script does; return the next page's text."""
    form = Forms(browser.answer.get_data(as_text=True)).found[-1]
    data = {**form.fields, "proof": proof, **changes}
    browser.answer = browser.client.post(form.action, data=data, follow_redirects=True)
    return text_of_page(browser.answer.get_data(as_text=True))


def answer_with(browser: Browser, answer: Callable[[str], str]) -> str:
    """Answer the open page's request with a passkey, and send it."""
    return send(browser, answer(passkey_request(browser)))


def to_base64url(data: bytes) -> str:
    """Bytes as browsers encode them."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes of what a browser encoded."""
    return urlsafe_b64decode(text + "===")


def with_changed_byte(proof: str, part: str) -> str:
    """A proof with one changed byte."""
    read: dict[str, Any] = json.loads(proof)
    old = from_base64url(read["response"][part])
    read["response"][part] = to_base64url(old[:-1] + bytes([old[-1] ^ 1]))
    return json.dumps(read)
