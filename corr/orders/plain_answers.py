"""Reads a reply to an invitation or to a proposal in a player's own words, such as "Yes, I'd love to!"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from corr.orders.lone_move import GLAD_SIGNS, find_signature, is_courtesy
from corr.orders.reading import ParsedEmail, parse_lines
from corr.orders.unclear_lines import ANSWERING_HINT
from corr.words.orders import Ask, Command, Order, Pass, StandingOrders


class PlainAnswer(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"


_ACCEPT = Command("accept")
#: What says yes, and what may stand beside it. Any other word may change the meaning, so we ask.
_YES = (
    r"yes+|yea+h?|yep|yup|ok(?:ay)?|sure(?: thing)?|accepted|(?:i'?m|i am) game if you are"
    r"|(?:i )?accept(?: (?:it|this|the|your)(?: challenge| invitation)?)?"
    r"|gladly|absolutely|definitely|certainly|deal|agreed|of course|with pleasure|my pleasure|game on|why not"
    r"|count me in|(?:i'?m|i am) (?:in|game|up for it)|challenge accepted|you'?re on|fine by me|thumbs up"
    r"|(?:(?:i'?d|i would|i'?m|i am) )?(?:really )?(?:love|be happy|be glad|be delighted|happy|glad|delighted) to"
    r"(?: (?:play|accept))?(?: a game)?(?: with you)?"
    r"|(?:i'?d|i would) (?:really )?(?:love|like) (?:that|it|a game|to play)"
    r"|let'?s (?:play|go|do it|do this)|(?:i'?ll|i will) (?:play|accept)|sounds (?:good|great|fun|lovely|like fun)"
    r"|(?:i'?d|i would) be up for (?:it|that|this|a game)|i want to play(?: chess| a game)?"
    r"|it'?s on|bring it on"
)
_BESIDE_YES = (
    r"looking forward to (?:it|this|the game|our game|playing)|looking forward|can'?t wait"
    r"|it'?s been (?:a while|ages|years)(?: since (?:i|the last time i) (?:last )?played(?: chess)?)?"
    r"|oh|wow|alright|all right|fine"
    r"|(?:and )?(?:good luck|have fun)|no problem|no worries|great idea|good idea"
    r"|what an? (?:good|great|nice|splendid|excellent|lovely) idea"
    r"|great|good|nice|cool|perfect|wonderful|lovely|brilliant|excellent|awesome|fantastic"
)
_NO = (
    r"(?:thanks?|thank you) but no thanks?|(?:no )?sorry i (?:don'?t have|have no) (?:the |any )?time"
    r"|no thanks?(?: you)?|no way|no time|no|nope|nah"
    r"|(?:i )?decline[ds]?(?: (?:it|this|the|your)(?: challenge| invitation)?)?"
    r"|(?:i'?m |i am )?not interested|(?:i'?d |i would )?rather not|i'?ll pass|not for me"
)
_BESIDE_NO = (
    r"sorry|i'?m sorry|i'?m afraid|unfortunately|i can'?t play|i don'?t have (?:the |any )?time|i have no time"
    r"|i'?m (?:too )?busy"
)
#: What says yes to "Did you mean this?"; and words that may also only thank us for the answer.
_AGREED = (
    r"yes+|yea+h?|yep|yup|correct|exactly|indeed|affirmative|confirmed|absolutely|definitely|of course|agreed"
    r"|thumbs up|i did|i do|please do|go ahead|do (?:it|that|so)|play (?:it|that)"
    r"|that(?:'s| is) (?:it|right|correct|the one)|that(?:'s| is| was) what i meant|(?:this|it) is (?:right|correct)"
)
_BARELY_AGREED = rf"{_AGREED}|ok(?:ay)?|sure|right"
_BESIDE_AGREED = r"sorry|my mistake|my bad"
_THANKS = re.compile(r"\b(?:thanks?|thx|cheers)\b")
_POLITE = (
    r"hi|hello|hey|dear|there|please|pls|plz|(?:many )?thanks?(?: you)?(?: very much| so much)?"
    r"(?: for (?:asking|inviting me|the invitation|the invite|the challenge|your invitation))?|thx|cheers"
    r"|(?:best|kind)(?: regards| wishes)|regards|best|sent from my \w+"
)
#: The only signs that change nothing.
_PLAIN_TEXT = re.compile("[a-z\\s.,!;:'*_)\N{EN DASH}\N{EM DASH}-]*")
_GREETING = r"\s*(hi|hello|hey|dear)\s+{}\s*(?:[,!.:;-]|$)"
_NO_WORD = re.compile(r"[^a-z']+")
_MOST_WORDS = 60


def _tokens(core: str, beside: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?P<core>{core})|{beside}|{_POLITE}) ")


_AGREEMENT, _BARE_AGREEMENT = (_tokens(core, _BESIDE_AGREED) for core in (_AGREED, _BARELY_AGREED))

#: The words of each answer, and how many times it may be said.
_ANSWERS = {
    PlainAnswer.ACCEPT: (_tokens(_YES, _BESIDE_YES), _MOST_WORDS),
    PlainAnswer.DECLINE: (_tokens(_NO, _BESIDE_NO), 1),
}


def understand_plainly(
    reading: ParsedEmail, lines: Sequence[str], *, greeted: str = "", own_names: Sequence[str] = ()
) -> ParsedEmail:
    """Return a reply to an invitation with the order that its yes or no means; else unchanged.

    `lines` are all of the email: a reply between quoted lines may answer any of them, so it means nothing here.
    """
    line = reading.puzzled
    if reading.orders or reading.coded or reading.dropped or _stands_between_quotes(lines):
        return reading
    if line and not (line.alone and line.why == ANSWERING_HINT):
        return reading
    answer = read_plain_answer((*reading.ignored, *([line.line] if line else [])), greeted, own_names)
    return parse_lines((answer,)) if answer else reading


def understand_agreement(
    reading: ParsedEmail, proposed: str, lines: Sequence[str], own_names: Sequence[str] = ()
) -> ParsedEmail:
    """Return a reply that only says yes with the order that we proposed; any other reply unchanged."""
    is_plain = not (reading.says_something or ".." in "".join(lines))
    is_signed = any(
        not is_courtesy(line, own_names) for line in find_signature(lines, own_names) if line.strip()
    )
    text = _simplify_all(lines, "umpire", own_names) if is_plain and not is_signed else ""
    tokens = _AGREEMENT if _THANKS.search(text) else _BARE_AGREEMENT
    meant = parse_lines((proposed,)) if _says(text, tokens, _MOST_WORDS) else None
    return replace(meant, agreed=True) if meant and meant.orders else reading


def split_first_move(
    reading: ParsedEmail, *, greeted: str = "", own_names: Sequence[str] = ()
) -> tuple[ParsedEmail, Order | None]:
    """If a reply to an invitation is a clear move, return it as "accept" with that move; else with None."""
    moves = [order for order in reading.orders if not isinstance(order, Command | StandingOrders)]
    others = {order for order in reading.orders if order not in moves}
    if len(moves) != 1 or not others <= {_ACCEPT} or reading.puzzled or reading.coded or reading.dropped:
        return reading, None
    if isinstance(moves[0], Pass | Ask):  # which may be said of the invitation
        return reading, None
    # Whatever else is written must agree: "not now, but I'd have played e2e4" is no acceptance.
    if read_plain_answer((*reading.ignored, _ACCEPT.word), greeted, own_names) is not PlainAnswer.ACCEPT:
        return reading, None
    return replace(reading, orders=(_ACCEPT,)), moves[0]


def _stands_between_quotes(lines: Sequence[str]) -> bool:
    """Whether text follows a quoted line, or a line begins with our own sign for the umpire's words."""
    marks = [line.lstrip()[:1] for line in lines if line.strip()]
    is_quoted = [mark == ">" for mark in marks]
    return "|" in marks or (True in is_quoted and not all(is_quoted[is_quoted.index(True) :]))


def read_plain_answer(
    lines: Sequence[str], greeted: str = "", own_names: Sequence[str] = ()
) -> PlainAnswer | None:
    """Read a whole reply as yes or no; None if a word or sign in it could mean anything else.

    The challenger's name may stand in a greeting, and the writer's own alone on a line as a signature.
    """
    text = _simplify_all(lines, greeted, own_names)
    return next((answer for answer, (tokens, most) in _ANSWERS.items() if _says(text, tokens, most)), None)


def _simplify_all(lines: Sequence[str], greeted: str, own_names: Sequence[str]) -> str:
    """Return a reply's words, without a signature; empty if it has a sign that may change their meaning."""
    own = {part for name in own_names for part in _NO_WORD.split(name.lower()) if part}
    words: list[str] = []
    for line in lines:
        plain = _simplify(line, greeted)
        if not _PLAIN_TEXT.fullmatch(plain):
            return ""
        said = [word for word in _NO_WORD.split(plain) if word]
        words += [] if set(said) <= own else said
    return "".join(f"{word} " for word in words) if len(words) <= _MOST_WORDS else ""


def _simplify(line: str, greeted: str) -> str:
    """Lower a line's case, spell out the signs that matter, and drop a greeted name."""
    plain = (
        line.lower()
        .replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        .replace("\N{THUMBS UP SIGN}", " thumbs up ")
    )
    plain = re.sub(f"[{GLAD_SIGNS}]", " ", plain.replace("why not?", "why not"))
    return re.sub(_GREETING.format(re.escape(greeted.lower())), r"\1 ", plain, count=1) if greeted else plain


def _says(text: str, tokens: re.Pattern[str], most: int) -> bool:
    """Whether a text consists of these tokens, and says the answer itself between one and `most` times."""
    place, times = 0, 0
    while found := tokens.match(text, place):
        place, times = found.end(), times + (found["core"] is not None)
    return 1 <= times <= most and place == len(text)
