"""Reads a reply to an invitation in a player's own words, such as "Yes, I'd love to!"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

from corr.orders.reading import ParsedEmail, parse_lines
from corr.orders.unclear_lines import ANSWERING_HINT


class PlainAnswer(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"


#: What yes and no mean in reply to an invitation.
INVITATION_WORDS = {PlainAnswer.ACCEPT: "accept", PlainAnswer.DECLINE: "decline"}
#: What says yes, and what may stand beside it. Any other word may change the meaning, so we ask.
_YES = (
    r"yes+|yea+h?|yep|yup|ok(?:ay)?|sure|accept(?:ed|ing)?|gladly|absolutely|definitely|certainly|deal|agreed|of course"
    r"|with pleasure|my pleasure|game on|bring it on|why not|count me in|(?:it|that) was me|thumbs up"
    r"|(?:i'?m|i am) (?:in|game|up for it)"
    r"|(?:(?:i'?d|i would|we'?d) (?:really )?)?(?:love|like|be happy|be glad|be delighted|happy|glad|delighted) to"
    r"|(?:i'?d|i would) love (?:that|it)|let'?s (?:play|go|do it|do this)|(?:i'?ll|i will) (?:play|accept)"
    r"|sounds (?:good|great|fun|lovely|like fun)|ja|gerne|oui|si"
)
_BESIDE_YES = (
    r"looking forward|can'?t wait|it'?s been (?:a while|ages)|good luck|have fun|no problem"
    r"|may the best (?:man|player|one) win"
    r"|i|we|it|that|this|the|your|a|an|my|for|with|you|me|us|to|then|too|and|so|very|much|do|will|really|hereby"
    r"|game|games|match|invitation|invite|challenge|offer|kriegspiel|chess|play|playing|thing|asking|inviting"
    r"|great|good|nice|cool|perfect|wonderful|lovely|brilliant|excellent|awesome|fantastic|idea|fun"
)
_NO = (
    r"no way|no+|nope|nah|declin(?:e|es|ed|ing)|not interested|no interest|(?:i'?d |i would )?rather not|no time|pass"
    r"|(?:i )?(?:can'?t|cannot|can not)(?: play| accept)?|(?:i )?(?:don'?t|do not) (?:want to|have (?:the |any )?time)"
    r"|nein|non"
)
_BESIDE_NO = (
    r"sorry|afraid|unfortunately|but|i|i'?m|it|that|this|the|your|a|to|for|with|you|me|really|time|busy|too|very|much|so"
    r"|game|games|match|invitation|invite|challenge|offer|kriegspiel|chess|play|asking|inviting|have|must"
)
_POLITE = (
    r"hi|hello|hey|dear|there|please|pls|plz|thanks?|thank you|thx|cheers|regards|best|kind|wishes|greetings|many|bye"
    r"|see you|sent from my \w+"
)
_MOST_WORDS = 60
_GREETINGS = ("hi", "hello", "hey", "dear", "thanks", "cheers")
_NO_WORD = re.compile(r"[^a-z0-9']+")


def _tokens(core: str, beside: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?P<core>{core})|{beside}|{_POLITE}) ")


_ANSWERS = {
    PlainAnswer.ACCEPT: _tokens(_YES, _BESIDE_YES),
    PlainAnswer.DECLINE: _tokens(_NO, _BESIDE_NO),
}


def understand_plainly(
    reading: ParsedEmail, words: Mapping[PlainAnswer, str], names: Collection[str]
) -> ParsedEmail:
    """Give a reply without orders the word that its yes or no means here; else return it as it is."""
    line = reading.puzzled
    if reading.orders or reading.coded or (line and not (line.alone and line.why == ANSWERING_HINT)):
        return reading
    answer = read_plain_answer((*reading.ignored, line.line if line else ""), names)
    return parse_lines((words[answer],)) if answer in words else reading


def read_plain_answer(lines: Iterable[str], names: Collection[str] = ()) -> PlainAnswer | None:
    """Read a whole reply as yes or no; None if a word in it could mean anything else.

    The two players' names may stand after a greeting, or alone on a line as a signature.
    """
    called = {part for name in names for part in _NO_WORD.split(name.lower()) if part}
    words = [word for line in lines for word in _leave_out_names(_split_words(line), called)]
    if len(words) > _MOST_WORDS:
        return None
    text = "".join(f"{word} " for word in words)
    return next((answer for answer, tokens in _ANSWERS.items() if _says(text, tokens)), None)


def _split_words(line: str) -> list[str]:
    """Split a line into lower-case words, with signs that matter as words."""
    plain = line.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    signs = plain.replace("\N{THUMBS UP SIGN}", " thumbs up ").replace("?", " question ")
    return [word for word in _NO_WORD.split(signs) if word]


def _leave_out_names(words: list[str], called: Collection[str]) -> list[str]:
    """Drop names after a greeting, or a line of nothing but names."""
    start = 1 if words[:1] and words[0] in _GREETINGS else 0
    after = next((place for place, word in enumerate(words[start:], start) if word not in called), len(words))
    return words[:start] + words[after:] if start or after == len(words) else words


def _says(text: str, tokens: re.Pattern[str]) -> bool:
    """Whether a text consists of these tokens, and at least one of them is the answer itself."""
    place, is_said = 0, False
    while found := tokens.match(text, place):
        place, is_said = found.end(), is_said or found["core"] is not None
    return is_said and place == len(text)
