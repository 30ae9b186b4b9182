"""Reads signed notes and checkpoints by C2SP's specifications: https://c2sp.org/signed-note and tlog-checkpoint.

It uses no code of corr.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_DASH = "\N{EM DASH}"


class BadNote(Exception):
    """The text isn't a signed note, or isn't signed by this key."""


class Checkpoint(NamedTuple):
    """The contents of a checkpoint."""

    origin: str
    size: int
    root: bytes


def verify_note(note: str, key: str) -> str:
    """The text of a note, if this key has signed it."""
    text, blank, signatures = note.rpartition("\n\n")
    text += "\n"
    if not blank or not signatures.endswith("\n"):
        raise BadNote("a note is a text, an empty line and signatures")
    name, mark, encoded = key.split("+", 2)
    kind, public = b64decode(encoded, validate=True)[:1], b64decode(encoded, validate=True)[1:]
    if kind != b"\x01" or len(public) != 32:
        raise BadNote("the key is none of Ed25519's")
    if sha256(name.encode() + b"\n" + kind + public).hexdigest()[:8] != mark:
        raise BadNote("the key's name is another's")
    for line in signatures.splitlines():
        dash, signer, signature = line.split(" ")
        raw = b64decode(signature, validate=True)
        if dash != _DASH:
            raise BadNote("a signature begins with a dash")
        if (signer, raw[:4].hex()) == (name, mark):
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(raw[4:], text.encode())
            except InvalidSignature as error:
                raise BadNote("the signature is not of this text") from error
            return text
    raise BadNote("this key has not signed it")


def parse_checkpoint(text: str) -> Checkpoint:
    """Parse the three lines of a checkpoint."""
    if not text.endswith("\n"):
        raise BadNote("its last line has no end")
    origin, size, root = text.removesuffix("\n").split("\n")
    if size != str(int(size)) or len(b64decode(root, validate=True)) != 32 or not origin:
        raise BadNote("it is no checkpoint")
    return Checkpoint(origin, int(size), b64decode(root))


def tree_hash(leaves: Sequence[bytes]) -> bytes:
    """MTH of RFC 6962, section 2.1, exactly as defined there."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + tree_hash(leaves[:split]) + tree_hash(leaves[split:])).digest()


def leaf_hash(entry: str) -> bytes:
    """A leaf of that tree."""
    return sha256(b"\x00" + entry.encode()).digest()


def consistency_proof(size: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PROOF of RFC 6962, section 2.1.2: the first `size` leaves are an earlier tree."""
    return _subproof(size, leaves, is_whole=True)


def _subproof(size: int, leaves: Sequence[bytes], *, is_whole: bool) -> list[bytes]:
    if size == len(leaves):
        return [] if is_whole else [tree_hash(leaves)]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if size <= split:
        return [*_subproof(size, leaves[:split], is_whole=is_whole), tree_hash(leaves[split:])]
    return [*_subproof(size - split, leaves[split:], is_whole=False), tree_hash(leaves[:split])]


def is_consistent(first: Checkpoint, second: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that one checkpoint's tree begins with another's: RFC 9162, section 2.1.4.2."""
    if first.origin != second.origin or first.size > second.size:
        return False
    if first.size in (0, second.size):
        return not proof and (first.size == 0 or first.root == second.root)
    path = list(proof) if first.size & (first.size - 1) else [first.root, *proof]
    node, last = first.size - 1, second.size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old = new = path[0] if path else b""
    for each in path[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            old, new = _joined(each, old), _joined(each, new)
            while node and not node & 1:
                node, last = node >> 1, last >> 1
        else:
            new = _joined(new, each)
        node, last = node >> 1, last >> 1
    return last == 0 and (old, new) == (first.root, second.root)


def _joined(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()
