"""Handles orders to several games in one email: each line begins with its game's code, as in `k3x9z: e2e4`."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: A game's code, which stands before an order; numbers alone are no code.
CODE = r"(?!\d+\b)[2-9jkmnp-tv-z]{5}(?!\w)"
CODED_LINE = re.compile(rf"(\d{{1,3}}\W{{1,3}}|[-+*•·] ?)?({CODE})( ?:)? ?(.*)", re.IGNORECASE)
_MOST_CODES_NAMED = 10

MISPLACED_CODE = (
    "To write to one of several games, begin the line with the game's code and a colon, "
    'then one order, for example "k3x9z:show".'
)
NO_CODE_HINT = (
    "This email is about one game, so please leave out the code and the colon. To write to several games at "
    'once, email "games" to the umpire and reply to the email you get.'
)
_NO_LIST = (
    "You can begin a line with a game's code only in a reply to our list of your games. "
    'Please email "games" to the umpire, and reply to the email you get.'
)


def unknown_game_hint(code: str, codes: Iterable[str]) -> str:
    """Explain what to write instead of a code that the email did not list."""
    known = list(codes)
    if not known:
        return _NO_LIST
    return f'The list you replied to has no game "{code}". It has {_list_codes(known)}.'


def which_game_hint(codes: Iterable[str]) -> str:
    """Explain what to write instead of an order that names none of these games."""
    known = list(codes)
    return (
        "We can't tell which of your games this line is for. Please begin it with the "
        f'game\'s code and a colon, for example "{known[0]}:show". Your games are '
        f"{_list_codes(known)}."
    )


def _list_codes(codes: list[str]) -> str:
    more = len(codes) - _MOST_CODES_NAMED
    named = ", ".join(f'"{code}"' for code in codes[:_MOST_CODES_NAMED])
    return f"{named} and {more} more" if more > 0 else named
