"""Checks names (length: `corr/limits.py`): none may pass for an order, the umpire, the server or another player."""

from __future__ import annotations

import re
import unicodedata

from corr import limits
from corr.orders import kind_of
from corr.orders.scanner import replace_lookalikes
from corr.text.messages import sentence
from corr.words.errors import Refused

_MAX_CHARACTERS = 96
#: Characters that are taken for one another at a glance.
_CHARACTER_MAP = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "2": "z", "8": "b"})
_PAIR_MAP = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def fold_lookalikes(name: str) -> str:
    """Reduce a name to a key that is equal for names readers may confuse."""
    # Sorting the accents of a longer text takes time that grows with the square of their number.
    bare = unicodedata.normalize("NFKD", replace_lookalikes(name[:_MAX_CHARACTERS].casefold()))
    text = "".join(sign for sign in bare if sign.isalnum()).translate(_CHARACTER_MAP)
    for pair, single in _PAIR_MAP:
        text = text.replace(pair, single)
    return text


#: Titles with which no word of a name may begin or end.
_OFFICES = """
    umpire arbiter referee moderator administrator postmaster webmaster hostmaster mailerdaemon sysadmin sysop admin
"""
#: Names that are reserved alone, but allowed beside another word.
_SPEAKERS = """
    white black both corr kriegspiel house operator operators opponent you nobody somebody anybody everybody staff team
    support help system server site service robot root daemon abuse security noreply donotreply info official notice
    tutor guest pip marlow sibyl warning alert check checkmate stalemate illegal nonsense
"""
_FILLER_WORDS = (
    "the your our my this a s mr mrs ms dr sir player players side men team staff support site house corr"
)
#: Words that would read as news of a game in a subject, after a player's name.
_NEWS_WORDS = """
    resigns resigned forfeits forfeited wins loses mates mated checkmates checkmated stalemates stalemated
    move moves moved captures captured accepts accepted declines declined offers offered draws flagged plays played
    turn is was has
"""
_NEWS_ENDINGS = "resigns resigned forfeits forfeited checkmates checkmated stalemated"


def _fold_words(words: str) -> tuple[str, ...]:
    return tuple(map(fold_lookalikes, words.split()))


_FOLDED_OFFICES, _FOLDED_SPEAKERS, _FOLDED_FILLERS = (
    _fold_words(_OFFICES),
    _fold_words(_SPEAKERS),
    _fold_words(_FILLER_WORDS),
)
_FOLDED_NEWS_WORDS, _FOLDED_NEWS_ENDINGS = _fold_words(_NEWS_WORDS), _fold_words(_NEWS_ENDINGS)


def is_reserved(name: str) -> bool:
    """Whether a name could pass for the umpire, the server, or news of a game."""
    return _is_reserved(name) or _is_reserved(re.sub(r"^[\d\W]+|[\d\W]+$", "", name))


def _is_reserved(name: str) -> bool:
    """Whether a name has reserved words; `is_reserved` also tries it without digits around it."""
    whole = fold_lookalikes(name)
    split = re.split(r"[\s'\u2019-]+", name)
    words = [seen for word in split if not word.isdecimal() and (seen := fold_lookalikes(word))]
    plain = [word for word in words if word not in _FOLDED_FILLERS]
    return (
        any(_contains_office(word, _FOLDED_OFFICES) for word in (whole, *words))
        or whole in _FOLDED_SPEAKERS
        or "".join(plain or words[-1:]) in _FOLDED_SPEAKERS
        or any(word in _FOLDED_NEWS_WORDS for word in words[1:])
        or whole.endswith(_FOLDED_NEWS_ENDINGS)
    )


def _contains_office(word: str, offices: tuple[str, ...]) -> bool:
    """Whether a word begins or ends with one of these reserved titles."""
    return word.startswith(offices) or word.endswith(offices)


def clean_name(text: str) -> str:
    """Return a typed name as we store it; raise Refused if it isn't allowed."""
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
    """Return a bot's name with the mark that all bots have: `Pip (bot)`."""
    return sentence("programs.shown", name=name)


def remove_bot_mark(text: str) -> str:
    """Remove the current or the former mark of a bot from a name."""
    return text.strip().removesuffix(add_bot_mark("")).removesuffix(" (program)")


def nearest_name(text: str, otherwise: str = "A player") -> str:
    """Turn the name in an email or address into an allowed one, or return `otherwise`."""
    plain = unicodedata.normalize("NFKC", text[: limits.NAME_CHARACTERS * 4])
    kept = "".join(sign if sign.isalnum() or sign in "'-" else " " for sign in plain)
    try:
        return clean_name(" ".join(kept.split())[: limits.NAME_CHARACTERS].strip())
    except Refused:
        return otherwise


def add_number(name: str, number: int) -> str:
    """Append a number to a taken name, shortened if it gets too long."""
    return nearest_name(f"{name[: limits.NAME_CHARACTERS - 5].rstrip()} {number}", f"A player {number}")
