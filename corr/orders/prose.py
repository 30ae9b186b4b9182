"""Proposes what a player may mean by an email without orders, from their own pieces only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corr import limits
from corr.orders.line import parse_line
from corr.orders.move_guess import guess_drops, guess_moves
from corr.orders.normalization import fold, lower
from corr.orders.other_notations import find_moves
from corr.orders.own_moves import OwnMoves
from corr.words.orders import Ask, Castle

_QUESTION = re.compile(
    r"(?:(?:are|is) there |(?:have|do) i (?:have )?)?any\b[^:]{0,30}"
    r"|(?:can|may|could) (?:i (?:take|capture)\b[^:]{0,20} with (?:a|any|one|my)\b[^:]{0,12} pawns?"
    r"|(?:a|any|one|my)\b[^:]{0,12} pawns? (?:of mine )?(?:take|capture)\b[^:]{0,20})"
)
#: A one-word order with polite words around it.
_WORD = re.compile(
    r"(?:please,? )?(?:i |i want to |i would like to )?(?:(pass)|(?:offer a )?(draw)\??|(resign|give up|concede))"
    r"(?: the game)?(?:,? (?:please|pls|thanks|thank you))?"
)
_SENSE_SENTENCE = re.compile(
    r"\b(?:sense|look|scan|peek)(?:ing)?(?:[: ]|\b(?:at|on|around|the|square|of)\b)+([a-h][1-8])\b"
)
_NO_SENSE_SENTENCE = re.compile(r"\b(?:no sense|sense (?:nothing|nowhere|no square))\b")
_CASTLING_SENTENCE = re.compile(
    r"\b(?:(\w+) )?(?:castl(?:e|es|ing)|roch\w+|roque|enroque|arrocco|rokade)\b(?: (?:on )?(?:the )?(\w+))?"
)
_WAYS = {
    Castle.SHORT: ("king", "short", "kurz", "klein", "petit", "corto", "korte"),
    Castle.LONG: ("queen", "long", "lang", "gross", "grand", "largo", "lungo"),
}
_SET_UP = re.compile(r"(?:[kqrbnp]?[a-h][1-8](?:,? |$)){8,}", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(r"(?P<first>[a-h])(?P<rank>[1-8]) ?- ?(?P<last>[a-h])(?P=rank)")
#: A pawn move in a sentence, named by its target only.
_TARGET_SENTENCE = re.compile(r"\b(?:moves?|play|push)\b(?: is|:| to| on)* ([a-h][1-8])(?![a-z0-9])")
_NAME = re.compile(r"[a-z][a-z0-9_-]+")
#: The number of lines searched for a move in an email without orders.
_LINES = 10
MOST_CHARACTERS, _SHORT_SENTENCE = 300, 4
_MOST_PROPOSALS = 3


def propose_from_prose(lines: Sequence[str], own: OwnMoves) -> tuple[str, ...]:
    """Return up to three orders that the player may have meant by an email without orders."""
    texts = [
        text
        for text in map(fold, lines[:_LINES])
        if len(text) <= MOST_CHARACTERS and text[:1] not in ("|", ">")
    ]
    if asked := next(
        filter(None, (propose_question(text, own) or propose_command(text, own) for text in texts)), ""
    ):
        return () if asked == "pass" and own.sight.sense_due else (asked,)
    looked = next(filter(None, (propose_sense(text, own) for text in texts)), "")
    if own.sight.sense_due and not looked:
        return ()
    named = limit_proposals([order for text in texts for order in _find_moves(text, own)])
    if looked:
        return tuple(f"{looked}; {each}" for each in named) or (looked,)
    return named


def propose_setups(lines: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the set-ups named, or one whose pieces are listed, in text without the word "deploy"."""
    texts = [_SIDE_BY_SIDE.sub(_each_square, lower(fold(line))) for line in lines[:_LINES]]
    listed = " ".join(men for text in texts if _SET_UP.fullmatch(men := text.removeprefix("deploy ")))
    if listed and (orders := parse_line(f"deploy {listed}").orders):
        return tuple(map(str, orders[:1]))
    said = dict.fromkeys(word for text in texts for word in _NAME.findall(text))
    named = [f"deploy {each}" for each in said if f"deploy {each}" in names]
    return ("; ".join(named),) if 0 < len(named) <= limits.SET_UPS else ()


def propose_question(text: str, own: OwnMoves) -> str:
    """Return "any?" if the text asks in any words whether a pawn can capture."""
    is_asked = _QUESTION.fullmatch(lower(fold(text)).rstrip("?!")) is not None
    return str(Ask()) if is_asked and own.takes(Ask()) else ""


def propose_command(text: str, own: OwnMoves) -> str:
    found = _WORD.fullmatch(lower(fold(text)).strip("!. "))
    if not found:
        return ""
    passes, draws, _ = found.groups()
    if passes:
        return "pass" if own.my_turn and "pass" in own.card.presses else ""
    return "draw?" if draws else "resign"


def propose_sense(text: str, own: OwnMoves) -> str:
    """Return a sense that the text asks for in any words, if one is due."""
    if not own.sight.sense_due:
        return ""
    low = lower(fold(text))
    if _NO_SENSE_SENTENCE.search(low):
        return "sense none"
    looked = _SENSE_SENTENCE.search(low)
    return f"sense {looked[1]}" if looked else ""


def _each_square(found: re.Match[str]) -> str:
    """Expand a range along a rank, "a2-h2", to its squares."""
    files = range(ord(found["first"]), ord(found["last"]) + 1)
    return " ".join(f"{chr(file)}{found['rank']}" for file in files)


def _find_moves(text: str, own: OwnMoves) -> list[str]:
    low = lower(text)
    if drops := guess_drops(low, own):
        return drops
    if named := [order for said in find_moves(text) for order in guess_moves(said, own)]:
        return named
    if castled := _CASTLING_SENTENCE.search(low):
        said = [word for word in castled.groups() if word]
        ways = [each for each, words in _WAYS.items() if any(word.startswith(words) for word in said)]
        return [str(each) for each in ways or Castle if own.allows(each)]
    if told := _TARGET_SENTENCE.search(low):
        return guess_moves(told[1], own)
    words = text.split()
    return guess_moves(words[-1].rstrip("!?."), own) if len(words) <= _SHORT_SENTENCE else []


def limit_proposals(meant: list[str]) -> tuple[str, ...]:
    """Return each proposal once; nothing if they are too many or too long."""
    each_once = dict.fromkeys(meant)
    is_short = len(each_once) <= _MOST_PROPOSALS and all(len(each) <= MOST_CHARACTERS for each in each_once)
    return tuple(each_once) if is_short else ()
