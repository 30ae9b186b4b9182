"""Keeps the public log of games' seals and admins' acts: an append-only tree, and its signed checkpoints.

Tree: RFC 6962. Checkpoint: C2SP's tlog-checkpoint, in a note by C2SP's signed-note; the caller signs it (Ed25519).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from corr.record import seals

_LEAF, _NODE = b"\x00", b"\x01"
_ED25519 = b"\x01"  # the type byte of Ed25519 signatures in notes
_KEY_HASH = 4
HASH = 32


class Act(NamedTuple):
    """An admin's decision about a game, and its result."""

    game: str
    deed: str
    detail: str
    reason: str
    result: str
    made_at: str
    done_at: str


class Key(NamedTuple):
    """A signer: its name and the public half of its key."""

    name: str
    public: bytes

    @property
    def mark(self) -> bytes:
        """The key hash by which a signature names its key."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_KEY_HASH]

    def __str__(self) -> str:
        """Return the key in the form that verifiers take."""
        return f"{self.name}+{self.mark.hex()}+{_base64(_ED25519 + self.public)}"


def entries(games: Sequence[tuple[str, bytes]], acts: Sequence[Act]) -> list[str]:
    """Return a batch of lines for the log: games' seals by code, then admins' acts in sequence."""
    sealed = [f"{code} {seals.format_seal(seal)}" for code, seal in sorted(games)]
    return [*sealed, *(seals.to_canonical_json(act._asdict()) for act in acts)]


def leaf(entry: str) -> bytes:
    """Return the hash of a line of the log, as the tree's leaf (RFC 6962)."""
    return sha256(_LEAF + entry.encode()).digest()


class Tree(NamedTuple):
    """A log's tree, kept as the roots of its full subtrees, largest first: all that appending needs."""

    size: int = 0
    edge: tuple[bytes, ...] = ()

    def append_leaves(self, leaves: Iterable[bytes]) -> Tree:
        size, edge = self.size, list(self.edge)
        for each in leaves:
            edge.append(each)
            size += 1
            full = size
            while not full % 2:
                right, left = edge.pop(), edge.pop()
                edge.append(_hash_node(left, right))
                full //= 2
        return Tree(size, tuple(edge))

    @property
    def root(self) -> bytes:
        if not self.edge:
            return sha256().digest()
        *others, root = self.edge
        for left in reversed(others):
            root = _hash_node(left, root)
        return root

    @property
    def packed(self) -> bytes:
        """The roots of the full subtrees in one byte string, for a database row."""
        return b"".join(self.edge)


def unpack_tree(size: int, packed: bytes) -> Tree:
    return Tree(size, tuple(packed[at : at + HASH] for at in range(0, len(packed), HASH)))


def text(origin: str, tree: Tree) -> str:
    """Return the text to sign: the log's name, its size and its root."""
    return f"{origin}\n{tree.size}\n{_base64(tree.root)}\n"


def note(said: str, key: Key, signature: bytes) -> str:
    """Return a signed checkpoint: its text, and a line with the signature."""
    return f"{said}\n\u2014 {key.name} {_base64(key.mark + signature)}\n"


def _hash_node(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()


def _base64(plain: bytes) -> str:
    return b64encode(plain).decode()
