"""Orders to several games in one letter: each line begins with the code of its game, as in `k3x9z: e2e4`."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: How a game is called, behind which its order stands; numbers alone are no code.
CODE = r"(?!\d+\b)[2-9jkmnp-tv-z]{5}(?!\w)"
CODED = re.compile(rf"(\d{{1,3}}\W{{1,3}}|[-+*•·] ?)?({CODE})( ?:)? ?(.*)", re.IGNORECASE)
_NAMED = 10

MISPLACED_CODE = (
    "A line for one of several games begins with the code of its game and a colon,"
    ' and one order stands behind it, for example "k3x9z:show".'
)
NO_CODE_HERE = (
    "What you write here is for one game, and so the line needs no code: please leave the code and the colon away."
    ' To write to several games at once, write "games" to the umpire\'s address, and answer the letter that comes.'
)
_NO_LIST = (
    "A line that begins with the code of a game answers a letter that lists your games."
    ' Please write "games" to the umpire, and answer the letter that comes.'
)


def no_such_game(code: str, codes: Iterable[str]) -> str:
    """What would do instead of a code that is none of those which a letter lists."""
    known = list(codes)
    if not known:
        return _NO_LIST
    return f'The list that you answered has no game "{code}". It has {_named(known)}.'


def for_which_game(codes: Iterable[str]) -> str:
    """What would do instead of an order that names none of these games."""
    known = list(codes)
    return (
        "It does not say for which of your games it is: please begin the line with the code of the game and a"
        f' colon, for example "{known[0]}:show". Your games are {_named(known)}.'
    )


def _named(codes: list[str]) -> str:
    more = len(codes) - _NAMED
    named = ", ".join(f'"{code}"' for code in codes[:_NAMED])
    return f"{named} and {more} more" if more > 0 else named
