"""What a player may be called: a name that parses as no order and that speaks for nobody else."""

from __future__ import annotations

import unicodedata

from corr import limits
from corr.messages import sentence
from corr.orders import kind_of
from corr.service.players.reserved_names import is_title
from corr.words.errors import Refused


def name_of(text: str) -> str:
    """A name as it is kept; Refused where it may not stand in a letter."""
    most = limits.NAME_CHARACTERS
    name = " ".join(unicodedata.normalize("NFKC", text[: most * 4]).replace("\u2019", "'").split())
    is_plain = text.isprintable() and all(sign.isalnum() or sign in " '-" for sign in name)
    if not is_plain or len(text) > most * 4 or len(name) > most or not any(map(str.isalpha, name)):
        raise Refused(sentence("names.no_name", most=most))
    if kind_of(name) != "prose" or kind_of(f"{name} would like a rematch") == "order":
        raise Refused(sentence("names.order"))
    if is_title(name):
        raise Refused(sentence("names.title"))
    return name


def as_program(name: str) -> str:
    """A program's name with what it is, as it stands everywhere."""
    return sentence("programs.shown", name=name)


def without_mark(text: str) -> str:
    """The name without the mark of a bot, or the one that bots had before."""
    return text.strip().removesuffix(as_program("")).removesuffix(" (program)")


def nearest_name(text: str, otherwise: str = "A player") -> str:
    """The name that is nearest to what a letter or an address says of its writer."""
    plain = unicodedata.normalize("NFKC", text[: limits.NAME_CHARACTERS * 4])
    kept = "".join(sign if sign.isalnum() or sign in "'-" else " " for sign in plain)
    try:
        return name_of(" ".join(kept.split())[: limits.NAME_CHARACTERS].strip())
    except Refused:
        return otherwise


def numbered(name: str, number: int) -> str:
    """The same name with a number behind it, still short enough, and no order for that."""
    return nearest_name(f"{name[: limits.NAME_CHARACTERS - 5].rstrip()} {number}", f"A player {number}")
