"""Reserves names: the umpire's, the server's, and those that read as news in an email's subject."""

from __future__ import annotations

import re

from corr.service.players.lookalikes import fold_lookalikes

#: Names that are reserved with any other words beside them.
_OFFICES = """
    umpire arbiter referee moderator administrator postmaster webmaster hostmaster mailerdaemon sysadmin sysop admin
"""
#: Names that are reserved, but allowed as one of several names.
_SPEAKERS = """
    white black both corr kriegspiel house operator operators opponent you nobody somebody anybody everybody staff team
    support help system server site service robot root daemon abuse security noreply donotreply info official notice
    tutor pip marlow sibyl warning alert check checkmate stalemate illegal nonsense
"""
_FILLER_WORDS = (
    "the your our my this a s mr mrs ms dr sir player players side men team staff support site house corr"
)
#: Words that would tell in a subject what the player named before them did.
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
    """Whether a name reads as the umpire's or server's voice, also with a number."""
    return _is_reserved(name) or _is_reserved(re.sub(r"^[\d\W]+|[\d\W]+$", "", name))


def _is_reserved(name: str) -> bool:
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
    return word.startswith(offices) or word.endswith(offices)
