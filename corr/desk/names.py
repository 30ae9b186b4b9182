"""What a player may be called: a name that parses as no order and that nobody takes for another's."""

from __future__ import annotations

import unicodedata

from corr.orders import kind_of
from corr.orders.fold import as_it_looks
from corr.sentences import sentence
from corr.words import Refused

MOST = 24

#: Signs that are taken for one another at a glance.
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "2": "z", "8": "b"})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def name_of(text: str) -> str:
    """A name as it is kept; Refused where it may not stand in a letter."""
    name = " ".join(unicodedata.normalize("NFKC", text[: MOST * 4]).replace("\u2019", "'").split())
    is_plain = text.isprintable() and all(sign.isalnum() or sign in " '-" for sign in name)
    if not is_plain or len(text) > MOST * 4 or len(name) > MOST or not any(map(str.isalpha, name)):
        raise Refused(sentence("names.no_name", most=MOST))
    if kind_of(name) != "prose" or kind_of(f"{name} would like another game") == "order":
        raise Refused(sentence("names.order"))
    return name


def nearest_name(text: str, otherwise: str = "A player") -> str:
    """The name that is nearest to what a letter or an address says of its writer."""
    plain = unicodedata.normalize("NFKC", text[: MOST * 4])
    kept = "".join(sign if sign.isalnum() or sign in "'-" else " " for sign in plain)
    try:
        return name_of(" ".join(kept.split())[:MOST].strip())
    except Refused:
        return otherwise


def numbered(name: str, number: int) -> str:
    """The same name with a number behind it, still short enough, and no order for that."""
    return nearest_name(f"{name[: MOST - 5].rstrip()} {number}", f"A player {number}")


def looks(name: str) -> str:
    """What is alike of two names that a reader may take for one another."""
    # To sort the accents of a longer text takes a time that grows with the square of their number.
    bare = unicodedata.normalize("NFKD", as_it_looks(name[: MOST * 4].casefold()))
    text = "".join(sign for sign in bare if sign.isalnum()).translate(_ALIKE)
    for pair, single in _PAIRS:
        text = text.replace(pair, single)
    return text
