"""Understands an email to the site that says one command politely, and nothing else: "Tutorial, please!"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from corr.orders.line_parser import parse_line
from corr.orders.lone_move import TAIL, find_lone_line
from corr.orders.reading import ParsedEmail, parse_lines
from corr.orders.scanner import fold

_CLEAR = ("help", "rules", "games", "seeks", "events", "tutorial")
_WORDS = "|".join((*_CLEAR, "challenge", "seek", "enter"))
#: A wish. A question or a condition may want no more than to know.
_LEAD = (
    r"(?:(?:hi|hello|hey)(?: umpire| there)?[,!]? )?(?:please,? )?"
    r"(?:(?:(?:i'd|i would) (?:like|love)|i want) (?:to )?|i(?:'ll| will) |let'?s )?(?:please )?"
)
_LONE_COMMAND = re.compile(
    rf"{_LEAD}(?:(?:do|try|start|begin|take|see|read|have|get|send me|show me) )?(?:the |a |my )?"
    rf"(?P<said>(?:{_WORDS})\b.*?){TAIL}",
    re.IGNORECASE,
)
_LONE_OPPONENT = re.compile(
    rf"{_LEAD}(?:play|challenge)(?: a game)?(?: against| with)? (?P<whom>\w+){TAIL}", re.IGNORECASE
)


def understand_lone_command(
    reading: ParsedEmail,
    lines: Sequence[str],
    opponents: Collection[str],
    variants: Collection[str],
    own_names: Collection[str] = (),
) -> ParsedEmail:
    """Return an email with the one command that it politely asks for; unchanged if it says anything else.

    `opponents` are the lower-case names of bots, who can be challenged by "I want to play" as well. A challenge to
    anyone else, or a `seek`, must name a variant, since the word may be part of a sentence.
    """
    if reading.says_something or reading.dropped:
        return reading
    line = fold(find_lone_line(lines, own_names))
    if (found := _LONE_OPPONENT.fullmatch(line)) and found["whom"].lower() in opponents:
        return parse_lines((f"challenge {found['whom']}",))
    found = _LONE_COMMAND.fullmatch(line)
    said = found["said"].rstrip(" ,") if found else ""
    first, *others = said.lower().split() or [""]
    is_clear = first in _CLEAR or not {*variants}.isdisjoint(others)
    return parse_lines((said,)) if is_clear and parse_line(said).orders else reading
