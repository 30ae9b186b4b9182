"""Suggests what to write, for an email to the site that holds no command."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corr.service.players.house_bots import HOUSE_BOTS

_BOT_NAMES = "|".join(program.name.lower() for program in HOUSE_BOTS)
#: The first topic whose pattern matches applies; its text is in `templates/en/parts/site.txt`.
_TOPICS = {
    "unsubscribe": r"unsubscribe|remove me|take me off"
    r"|(?:stop|no more|don'?t)\b.*\b(?:(?:e-?)?mails?|messages|writing)",
    "no": r"^(?:no|nope|sorry|thanks, but)\b|\bno,? thank|\brather not\b|\b(?:no|not .*) time\b|\bcan'?t\b",
    "yes": r"^(?:yes|yeah|yep|sure|ok|okay|gladly|of course|great)\b|\b(?:love|like|happy|glad) to\b"
    r"|\b(?:i'?m|count me) in\b|\blet'?s\b",
    "vacation": r"\b(?:vacations?|holidays?|away (?:from|until|till|for|next)|out of (?:the )?office)\b",
    "events": r"\b(?:events?|tournaments?|leagues?|sections?|pyramids?)\b",
    "bot": rf"\b(?:{_BOT_NAMES}|bots?|computer|machine|engine|robot)\b",
    "learn": r"\b(?:learn|tutorial|lessons?|teach|beginners?|never played|new to|how (?:do|does|to|can))\b",
    "play": r"\b(?:play|games?|opponent|challenge|match|rematch)\b",
}
#: Topics that apply only to an invited player.
_ANSWERS = ("yes", "no")


def guess_topic(lines: Iterable[str], *, is_invited: bool) -> str:
    """Guess what an email is about; empty if nothing matches."""
    text = " ".join(" ".join(lines).lower().split())
    fit = (topic for topic in _TOPICS if is_invited or topic not in _ANSWERS)
    return next((topic for topic in fit if re.search(_TOPICS[topic], text)), "")
