"""The log of games' seals and operators' acts: a tree that only grows, and the checkpoints signed of it.

The tree is that of RFC 6962. What is signed is a checkpoint as C2SP's tlog-checkpoint has it, in a note as C2SP's
signed-note has it; the caller signs it by Ed25519.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from corr.record import seals

_LEAF, _NODE = b"\x00", b"\x01"
#: Of notes that are signed by Ed25519.
_ED25519 = b"\x01"
_KEY_HASH = 4
HASH = 32


class Act(NamedTuple):
    """What an operator decreed, and what became of it."""

    game: str
    deed: str
    detail: str
    reason: str
    result: str
    made_at: str
    done_at: str


class Key(NamedTuple):
    """Who signs: by which name, and the public half of the key."""

    name: str
    public: bytes

    @property
    def mark(self) -> bytes:
        """By what a signature tells which key it is of."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_KEY_HASH]

    def __str__(self) -> str:
        """As whoever verifies is given it."""
        return f"{self.name}+{self.mark.hex()}+{_base64(_ED25519 + self.public)}"


def entries(games: Sequence[tuple[str, bytes]], acts: Sequence[Act]) -> list[str]:
    """What is appended at once, in its one order: games with their seals by their codes, then acts as they come."""
    sealed = [f"{code} {seals.letters(seal)}" for code, seal in sorted(games)]
    return [*sealed, *(seals.canonical(act._asdict()) for act in acts)]


def leaf(entry: str) -> bytes:
    """An entry as the tree has it."""
    return sha256(_LEAF + entry.encode()).digest()


class Tree(NamedTuple):
    """A log's tree, by as little of it as is needed to append to it: the roots of its full subtrees, largest first."""

    size: int = 0
    edge: tuple[bytes, ...] = ()

    def appended(self, leaves: Iterable[bytes]) -> Tree:
        """The tree with more leaves behind its own."""
        size, edge = self.size, list(self.edge)
        for each in leaves:
            edge.append(each)
            size += 1
            full = size
            while not full % 2:
                right, left = edge.pop(), edge.pop()
                edge.append(_joined(left, right))
                full //= 2
        return Tree(size, tuple(edge))

    @property
    def root(self) -> bytes:
        """The hash of all of it."""
        if not self.edge:
            return sha256().digest()
        *others, root = self.edge
        for left in reversed(others):
            root = _joined(left, root)
        return root

    @property
    def packed(self) -> bytes:
        """Its edge, as a row keeps it."""
        return b"".join(self.edge)


def unpacked(size: int, packed: bytes) -> Tree:
    """The tree of a row."""
    return Tree(size, tuple(packed[at : at + HASH] for at in range(0, len(packed), HASH)))


def text(origin: str, tree: Tree) -> str:
    """What is signed: which log it is, how many leaves it has, and their root."""
    return f"{origin}\n{tree.size}\n{_base64(tree.root)}\n"


def note(said: str, key: Key, signature: bytes) -> str:
    """A text with its signature."""
    return f"{said}\n\u2014 {key.name} {_base64(key.mark + signature)}\n"


def _joined(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()


def _base64(plain: bytes) -> str:
    return b64encode(plain).decode()
