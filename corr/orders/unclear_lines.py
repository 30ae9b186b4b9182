"""Recognises lines that look like an order but are none, and explains them to their writer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corr.orders.board_orders import BETWEEN_SQUARES, BLANKS_HINT, LIST_TOO_LONG, PROMOTION_HINT
from corr.orders.commands import Trait, commands_with
from corr.orders.other_notations import is_algebraic, is_spoken
from corr.words.board import PieceKind
from corr.words.orders import Castle

_SQUARES = rf"[a-h][1-8]{BETWEEN_SQUARES}[a-h][1-8]\b"
_COORDINATES = re.compile(r'[a-h]\d(?:x|[^\w"\s]{0,3})[a-z]\d(?![a-z0-9]{4})[^"\s]*')
_DROP = re.compile(r'[a-z]?@[a-z]\d[^\w."]*|[kqrbnp]@')
_TWO_SQUARES = re.compile(rf"\b{_SQUARES}")
_GLIMPSE = re.compile(r"if [a-h][1-8] ?=")
_ICCF = re.compile(r"[1-8]{4}|[1-8]7[1-8]8[1-4]|[1-8]2[1-8]1[1-4]")
_CASTLING = re.compile(r"[o0]-[o0](-[o0])?(?!\w).*")
_CASTLING_WORDS = re.compile(r"castl(?:e|es|ing)(?: (?:on the )?(king|queen|short|long)\w*| ?[!.?]*$)")
_ORDER_START = re.compile(
    r"any ?\?|px\b|sense (?:[a-h][1-8]|none)\b|if [a-h][1-8] ?=|(?:deploy|ghost) -?[kqrbnp]?[a-h]\d|deploy$"
)
_SETS = re.compile(
    r"remind (?:\d|yesterday|today|tomorrow|daily|hourly|weekly)|quiet \d|zone \S+/|vacation \d|weekends \w+$"
)
_IF_CONDITION = re.compile(r"if (?:no )?(?:capture|check|tries)(?![a-z])")
_IF_ANSWER = re.compile(r"if (?:yes|no)\b(?! (?:capture|check))")
_IF_THEN = re.compile(r"if\b[^:]{0,80}: ?(?:then )?([^\s,;]+)")
_IF_MOVE = re.compile(rf"if\b[^:]{{0,80}}?(?:[:,]| then) ?(?:then )?(?:i (?:play|move) )?{_SQUARES}")
_BRANCH = re.compile(rf"(?:(?:if|yes|no|else)\b[^:]{{0,80}}:|(?:yes|no|else)\b) ?{_SQUARES}")
_ON_BOARD = re.compile(r"[a-h][1-8](?:\W*|x)[a-h][1-8]")
_PROMOTION_MOVE = re.compile(r"[a-h](?:7x?[a-h]8|2x?[a-h]1)\W*\w")
_ORNAMENT = re.compile(r"[-+*•·] |[*_~`]+")
_BLANKS = re.compile(rf"{_SQUARES}[qrbn]? {_SQUARES}")
_SIDES = {Castle.SHORT: ("king", "short"), Castle.LONG: ("queen", "long")}
_FEW_WORDS = 4
_PUNCTUATION = "!?.,;:()*_~'/"
_MARKS = _PUNCTUATION.replace("?", "")
_TELLTALE = "|".join(
    (*(word.removesuffix("?") for word in commands_with(Trait.TELLTALE)), "pass", "sense", "px")
)
_TELLTALE_PATTERN = re.compile(rf"[{_MARKS}]*+(?:any\?[{_MARKS}]*|(?:{_TELLTALE})[{_PUNCTUATION}]*)")
#: How every line begins that is meant as an order, except moves.
_OPENING_WORD = re.compile(
    rf"[{_PUNCTUATION} ]*+(?:any|px|sense|if|deploy|ghost|yes|no|else|castl|move|my|the|{'|'.join(PieceKind)})"
)

FOREIGN_HINT = (
    "Some of its letters come from another alphabet and only look like Latin letters. "
    'Please type it again with Latin letters and digits, for example "e2e4".'
)
UNFINISHED_HINT = (
    "It looks unfinished. Please write the whole order on one line, or leave out the punctuation at its end."
)
WRAPPED_HINT = (
    "It is so close to other text that it could be part of a sentence. Please leave an "
    "empty line before and after an order."
)
TAKEN_BACK_HINT = (
    "Another line of your email may take it back or put it off. To go ahead, please send it alone."
)
SIGNED_HINT = (
    "It's below the end of your email, so it could be part of your signature. "
    "Please write it above your name."
)
NOT_ALONE_HINT = (
    "A line with an order can't have other words or signs in it. Please put the order on its own line, "
    'for example "e2e4".'
)
NO_ORDER_HINT = (
    'This isn\'t an order we know. Write a move like "e2e4", or reply "help" for all the other orders.'
)
ONE_ORDER_HINT = "A line can have only one order here. Please write each order on its own line."
IF_HINT = (
    'An "if" is for your next turn, and about what the umpire says of the other side\'s move: a capture, a '
    'check, a number of pawn tries. Write it like "if capture e5: d4e5, f3e5" or "if check: e1e2; else g1f3".'
)
TWO_SIDES_HINT = (
    "After a move number, two squares could be White's move and Black's, or a single move. Please write your "
    'own move with nothing between its two squares, for example "g1f3".'
)
ELSE_LAST_HINT = 'The "else" is for when no "if" above it applies. Please write it once, after the last "if".'
TWO_TURNS_HINT = (
    'An "if" about a square is for this turn; one about the umpire\'s words is for the '
    "next turn. Please write them in two emails, one after the other."
)
_COORDINATES_ONLY = (
    'Notation like "Rd3" may depend on pieces that are hidden. '
    'Please write the square the piece leaves and the square it goes to, for example "g1f3".'
)
_OFF_BOARD = 'Squares go from "a1" to "h8": a letter for the file, then the number of the rank, as in "g1f3".'
_A_DROP = (
    'In variants with drops, write the piece\'s letter, "@" and a square, for example '
    '"N@f5". You can\'t drop a king.'
)
_CASTLE = 'To castle, write "o-o" or "o-o-o" alone on a line.'
_AFTER_ASK_HINT = (
    'After "any?" you can write "yes:" and "no:", each with a move or a list, with a "/" between them.'
)
_GIVING_UP = 'The words "resign resign" give up the game. Please write them alone on a line.'
_OFFERING = 'The word "draw?" makes an offer. Please write it alone on a line, with its question mark.'
ANSWERING_HINT = 'To answer an offer, write "accept" or "decline" alone on a line.'
_COMMAND_ALONE_HINT = (
    'This word must be alone on its line. Reply "help" for the words you can use in this game.'
)
_WORDS = {"resign": _GIVING_UP, "draw": _OFFERING, "accept": ANSWERING_HINT, "decline": ANSWERING_HINT}


@dataclass(frozen=True, slots=True)
class UnclearLine:
    """A line that looks like an order but is none, and what to write instead."""

    line: str
    why: str
    read: int = 0  # how many characters were parsed before the error, without blanks
    acts: tuple[str, ...] = ()  # the board orders in the same email
    alone: bool = True  # whether nothing else there is unclear or for the next turn


def is_like_order(text: str) -> bool:
    """Whether a line that isn't an order looks as if it were meant as one."""
    if _ends_a_quotation(text):
        return False
    text = remove_ornament(text)
    words = text.split()
    is_short = len(words) <= _FEW_WORDS
    return (
        _is_move(words[0] if words else "")
        or bool(_OPENING_WORD.match(text) and _continues_as_order(text, is_short=is_short))
        or bool(is_short and _SETS.match(text))
        or (is_short and has_telltale_word(text))
    )


def has_telltale_word(text: str) -> bool:
    """Whether a short line has a word that people write only as an order."""
    return any(map(_TELLTALE_PATTERN.fullmatch, text.split()))


def _continues_as_order(text: str, *, is_short: bool) -> bool:
    """Whether a line that begins like an order also goes on like one."""
    return bool(
        _ORDER_START.match(text)
        or _BRANCH.match(text)
        or _CASTLING_WORDS.match(text)
        or is_spoken(text)
        or ((hanging := _IF_THEN.match(text)) and _is_move(hanging[1]))
        or _IF_MOVE.match(text)
        or (_IF_CONDITION.match(text) and (is_short or _TWO_SQUARES.search(text)))
    )


def explain_line(text: str, why: str) -> str:
    """Explain what to write instead of an unclear line; `why` is the parser's own explanation."""
    text = remove_ornament(text)
    word = text.split()[0]
    hints = (
        (why == LIST_TOO_LONG, why),
        (_BLANKS.match(text), BLANKS_HINT),
        (_IF_ANSWER.match(text), _AFTER_ASK_HINT),
        (text.startswith("if ") and not _GLIMPSE.match(text), why or IF_HINT),
        (_PROMOTION_MOVE.match(word), PROMOTION_HINT),
        (_ON_BOARD.match(word), why or NOT_ALONE_HINT),
        (_COORDINATES.fullmatch(word), _OFF_BOARD),
        (_DROP.match(word), _A_DROP),
        (_CASTLING.fullmatch(word) or _CASTLING_WORDS.match(text), _CASTLE),
        (_is_move(word) or is_spoken(text), _COORDINATES_ONLY),
        (text.startswith("any"), why or _AFTER_ASK_HINT),
        (text.startswith("sense") and why, why),
        (_ORDER_START.match(text) or _BRANCH.match(text), why or NOT_ALONE_HINT),
        (_SETS.match(text) and why, why),
    )
    return next((sentence for found, sentence in hints if found), _explain_command(text))


def _explain_command(text: str) -> str:
    """Explain how to write the command in a line, or that commands stand alone."""
    words = (_strip_punctuation(word) for word in text.split())
    return next((_WORDS[word] for word in words if word in _WORDS), _COMMAND_ALONE_HINT)


def _is_move(word: str) -> bool:
    """Whether a word looks like a move in any notation."""
    if word.isalpha():
        return False
    if _COORDINATES.fullmatch(word) or _CASTLING.fullmatch(word) or _DROP.fullmatch(word):
        return True
    word = word.rstrip(_PUNCTUATION)
    return is_algebraic(word) or bool(_ICCF.fullmatch(word))


def _ends_a_quotation(text: str) -> bool:
    """Whether the line begins within double quotes that an earlier line opened."""
    before, quote, after = text.partition('"')
    return bool(quote) and before[-1:].strip() != "" and not after[:1].isalnum()


def find_castling(text: str) -> tuple[Castle, ...]:
    """Return which castling a text means; both if it doesn't say, none if it means neither."""
    if signs := _CASTLING.match(text):
        return (Castle.LONG if signs[1] else Castle.SHORT,)
    words = _CASTLING_WORDS.match(text)
    if words is None:
        return ()
    return tuple(each for each in Castle if words[1] in (None, *_SIDES[each]))


def remove_ornament(text: str) -> str:
    """Remove a bullet or emphasis mark at the beginning of a line."""
    ornament = _ORNAMENT.match(text)
    return text[ornament.end() :] if ornament else text


def _strip_punctuation(word: str) -> str:
    word = word.strip(_MARKS)
    return word if word.startswith("any?") else word.rstrip(_PUNCTUATION)
