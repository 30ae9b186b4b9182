"""What the house signs of a day: the root of a tree whose leaves are games' seals and operators' acts.

The tree is that of RFC 6962. What is signed is a checkpoint as C2SP's tlog-checkpoint has it, in a note as C2SP's
signed-note has it; whoever signs by Ed25519 is the caller's affair.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from corr.record import seals

_LEAF, _NODE = b"\x00", b"\x01"
#: Of notes that are signed by Ed25519.
_ED25519 = b"\x01"
_KEY_HASH = 4


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
    """What is in it, in its one order: games with their seals by their codes, then acts as they come."""
    sealed = [f"{code} {seals.letters(seal)}" for code, seal in sorted(games)]
    return [*sealed, *(seals.canonical(act._asdict()) for act in acts)]


def leaf(entry: str) -> bytes:
    """An entry as the tree has it."""
    return sha256(_LEAF + entry.encode()).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root of the tree: neighbours are joined, and whoever has none goes up alone."""
    row = list(leaves)
    while len(row) > 1:
        pairs = zip(row[::2], row[1::2], strict=False)
        row = [*(sha256(_NODE + left + right).digest() for left, right in pairs), *row[len(row) & ~1 :]]
    return row[0] if row else sha256().digest()


def text(origin: str, day: str, leaves: Sequence[bytes], before: str | None) -> str:
    """What is signed: whose it is, how many leaves, their root, the day, and which note went before."""
    lines = [origin, str(len(leaves)), _base64(root(leaves)), f"date {day}"]
    if before is not None:
        lines.append(f"before {_base64(sha256(before.encode()).digest())}")
    return "".join(f"{line}\n" for line in lines)


def note(said: str, key: Key, signature: bytes) -> str:
    """A text with its signature."""
    return f"{said}\n\u2014 {key.name} {_base64(key.mark + signature)}\n"


def _base64(plain: bytes) -> str:
    return b64encode(plain).decode()
