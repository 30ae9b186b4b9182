"""Checks players' names: a name must not parse as an order or speak for anybody else."""

from __future__ import annotations

import unicodedata

from corr import limits
from corr.orders import kind_of
from corr.service.players.reserved_names import is_reserved
from corr.text.messages import sentence
from corr.words.errors import Refused


def clean_name(text: str) -> str:
    """Return a name as kept; Refused if it must not stand in an email."""
    most = limits.NAME_CHARACTERS
    name = " ".join(unicodedata.normalize("NFKC", text[: most * 4]).replace("\u2019", "'").split())
    is_plain = text.isprintable() and all(sign.isalnum() or sign in " '-" for sign in name)
    if not is_plain or len(text) > most * 4 or len(name) > most or not any(map(str.isalpha, name)):
        raise Refused(sentence("names.no_name", most=most))
    if kind_of(name) != "prose" or kind_of(f"{name} would like a rematch") == "order":
        raise Refused(sentence("names.order"))
    if is_reserved(name):
        raise Refused(sentence("names.title"))
    return name


def add_bot_mark(name: str) -> str:
    """Return a bot's name with its mark, as shown everywhere."""
    return sentence("programs.shown", name=name)


def remove_bot_mark(text: str) -> str:
    """Remove the current or the former mark of a bot from a name."""
    return text.strip().removesuffix(add_bot_mark("")).removesuffix(" (program)")


def nearest_name(text: str, otherwise: str = "A player") -> str:
    """Return the nearest allowed name to what an email or address says."""
    plain = unicodedata.normalize("NFKC", text[: limits.NAME_CHARACTERS * 4])
    kept = "".join(sign if sign.isalnum() or sign in "'-" else " " for sign in plain)
    try:
        return clean_name(" ".join(kept.split())[: limits.NAME_CHARACTERS].strip())
    except Refused:
        return otherwise


def add_number(name: str, number: int) -> str:
    """Return a name with a number, still short enough and still no order."""
    return nearest_name(f"{name[: limits.NAME_CHARACTERS - 5].rstrip()} {number}", f"A player {number}")
