"""Reserves names: the umpire's, the server's, and those that read as news in an email's subject."""

from __future__ import annotations

import re

from corr.service.players.lookalikes import looks

#: Names that are reserved with any other words beside them.
_OFFICES = """
    umpire arbiter referee moderator administrator postmaster webmaster hostmaster mailerdaemon sysadmin sysop admin
"""
#: Names that are reserved, but allowed as one of several names.
_VOICES = """
    white black both corr kriegspiel house operator operators opponent you nobody somebody anybody everybody staff team
    support help system server site service robot root daemon abuse security noreply donotreply info official notice
    tutor pip marlow sibyl warning alert check checkmate stalemate illegal nonsense
"""
_BESIDE = (
    "the your our my this a s mr mrs ms dr sir player players side men team staff support site house corr"
)
#: Words that would tell in a subject what the player named before them did.
_DEEDS = """
    resigns resigned forfeits forfeited wins loses mates mated checkmates checkmated stalemates stalemated
    move moves moved captures captured accepts accepted declines declined offers offered draws flagged plays played
    turn is was has
"""
_SPEAKING = "resigns resigned forfeits forfeited checkmates checkmated stalemated"


def _seen(words: str) -> tuple[str, ...]:
    return tuple(map(looks, words.split()))


_OFFICES_SEEN, _VOICES_SEEN, _BESIDE_SEEN = _seen(_OFFICES), _seen(_VOICES), _seen(_BESIDE)
_DEEDS_SEEN, _SPEAKING_SEEN = _seen(_DEEDS), _seen(_SPEAKING)


def is_title(name: str) -> bool:
    """Whether a name reads as the umpire's or server's voice, also with a number."""
    return _is_title(name) or _is_title(re.sub(r"^[\d\W]+|[\d\W]+$", "", name))


def _is_title(name: str) -> bool:
    whole = looks(name)
    split = re.split(r"[\s'\u2019-]+", name)
    words = [seen for word in split if not word.isdecimal() and (seen := looks(word))]
    plain = [word for word in words if word not in _BESIDE_SEEN]
    return (
        any(_bears(word, _OFFICES_SEEN) for word in (whole, *words))
        or whole in _VOICES_SEEN
        or "".join(plain or words[-1:]) in _VOICES_SEEN
        or any(word in _DEEDS_SEEN for word in words[1:])
        or whole.endswith(_SPEAKING_SEEN)
    )


def _bears(word: str, offices: tuple[str, ...]) -> bool:
    return word.startswith(offices) or word.endswith(offices)
