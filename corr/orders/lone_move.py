"""Understands an email that says one move in its writer's own words, and nothing else: "I play e2e4, thanks!"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from corr.orders.reading import ParsedEmail, find_first_order, parse_lines
from corr.orders.scanner import fold, lower
from corr.orders.unclear_lines import SIGNED_HINT, UnclearLine

_MOST_LINES, _MOST_CHARACTERS, _MOST_NAMES = 8, 200, 3
_ENDS = " ,.!:"
_GREETINGS = ("hi", "hello", "hey", "dear", "good", "thanks", "thank")
_MOVE = r"(?P<move>[a-h][1-8](?: ?- ?)?[a-h][1-8](?: ?= ?[qrbn]|[qrbn])?)"
#: Marks of emphasis; our own emails have their examples in double quotation marks.
_MARKS = r"['`*_]{0,3}"
_LEAD = (
    r"(?:(?:ok|okay|please),? )?"
    r"(?:(?P<lead>(?:i(?:'ll| will)?|(?:i'd|i would) like to|let'?s) (?:play|move|try|go(?: with| for)?)"
    r"|my move(?: is| ?:)|move|play|please) ?:? ?)?"
)
#: Signs of contentment: any other may mean no, or ask.
GLAD_SIGNS = (
    "\u2600\u263a\u265f\u2705\u2714\U0001f44c\U0001f44d\U0001f600-\U0001f606\U0001f60a\U0001f642\U0001f64f"
)
TAIL = rf"(?:,? (?:please|pls|thanks(?: a lot)?|thank you|cheers)| ?:-?\)| ?[{GLAD_SIGNS}]|!|\.(?!\.))*"
_LONE_MOVE = re.compile(
    rf"(?:[-*+\u2022\u00b7] )?(?P<one>{_MARKS}){_LEAD}(?P<two>{_MARKS}){_MOVE}"
    rf"(?P<three>{_MARKS})(?(lead)(?:,? then)?){TAIL}(?P<four>{_MARKS})"
)
#: Lines that say nothing about the game, and those of them that end an email.
_CLOSING = (
    r"(?:with )?(?:best|kind|kindest|warm)(?: regards| wishes)?|regards|yours(?: sincerely)?"
    r"|sent (?:from|via|with|using) \w+(?: \w+){0,3}|get outlook for \w+|von meinem \w+ gesendet"
    r"|envoy\xe9 de mon \w+|enviado desde mi \w+|inviato da \w+"
)
_COURTESY = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: umpire| all| there)?"
    rf"|(?:many )?thanks?(?: you)?(?: very much| so much| a lot)?|thx|cheers|-+|{_CLOSING}"
)
_CLOSING_PATTERN = re.compile(_CLOSING)


def understand_lone_move(
    reading: ParsedEmail, lines: Sequence[str], own_names: Collection[str] = ()
) -> ParsedEmail:
    """Return an email with the one move that it says politely; unchanged if it says anything else.

    `lines` are the writer's own, and `own_names` the names with which they may sign. If the email
    says more, it may ask about the move, take it back or tell of it, so we ask the player.
    """
    if reading.orders or reading.coded or reading.dropped:
        return reading
    found = _LONE_MOVE.fullmatch(lower(fold(find_lone_line(lines, own_names))))
    if found is None or found["one"] + found["two"] != (found["three"] + found["four"])[::-1]:
        return reading
    said = parse_lines((found["move"],))
    return ParsedEmail(said.orders, None, ()) if said.orders else reading


def find_lone_line(lines: Sequence[str], own_names: Collection[str] = ()) -> str:
    """Return the only line that says more than courtesy, above any signature; empty if there is none such."""
    written = [line for line in lines if line.strip()]
    others = [line for line in written[:_MOST_LINES] if not is_courtesy(line, own_names)]
    is_lone = len(others) == 1 and len(written) <= _MOST_LINES and len(others[0]) <= _MOST_CHARACTERS
    return others[0] if is_lone and others[0] not in find_signature(written, own_names) else ""


def find_signature(lines: Sequence[str], own_names: Collection[str] = ()) -> list[str]:
    """Return the lines from the first on with which their writer ends an email, such as their name."""
    for number, line in enumerate(lines):
        if line and (_is_phrase(_CLOSING_PATTERN, line) or _is_name(line, own_names)):
            return [*lines[number:]]
    return []


def understand_signature(
    reading: ParsedEmail, lines: Sequence[str], own_names: Collection[str] = ()
) -> ParsedEmail:
    """Ask about an order below a line with which its writer ended the email: it may be part of a signature."""
    if reading.puzzled or not (reading.orders or reading.coded):
        return reading
    line = find_first_order(find_signature(lines, own_names)[1:])
    return replace(reading, orders=(), coded=(), puzzled=UnclearLine(line, SIGNED_HINT)) if line else reading


def is_courtesy(line: str, own_names: Collection[str] = ()) -> bool:
    """Whether a line only greets, thanks or signs with one of its writer's names."""
    return _is_phrase(_COURTESY, line) or _is_name(line, own_names)


def _is_phrase(pattern: re.Pattern[str], line: str) -> bool:
    return pattern.fullmatch(lower(fold(line)).strip(_ENDS)) is not None


def _is_name(line: str, own_names: Collection[str]) -> bool:
    """Whether a line is the writer's name, as far as we know it, perhaps with others of their names."""
    words = fold(line).strip(f"{_ENDS}-").split()
    known = {word for name in own_names for word in lower(name).split()}
    own = [lower(word) in known for word in words]
    if not any(own) or lower(words[0]) in _GREETINGS:
        return False
    return all(own) or (len(words) <= _MOST_NAMES and all(word[0].isupper() for word in words))
