"""Reduces names to what they look like to a reader who does not look closely."""

from __future__ import annotations

import unicodedata

from corr.orders.normalization import replace_lookalikes

_MAX_CHARACTERS = 96
#: Characters that are taken for one another at a glance.
_CHARACTER_MAP = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "2": "z", "8": "b"})
_PAIR_MAP = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def fold_lookalikes(name: str) -> str:
    """Return a form that is equal for two names that a reader may confuse."""
    # Sorting the accents of a longer text takes time that grows with the square of their number.
    bare = unicodedata.normalize("NFKD", replace_lookalikes(name[:_MAX_CHARACTERS].casefold()))
    text = "".join(sign for sign in bare if sign.isalnum()).translate(_CHARACTER_MAP)
    for pair, single in _PAIR_MAP:
        text = text.replace(pair, single)
    return text
