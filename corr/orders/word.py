"""Orders about the match, the mail, the site and oneself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

from corr.orders.tape import Tape
from corr.words import Refused, Word

_MATCH = ("draw?", "accept", "decline", "claim", "pause?", "again", "cancel")
ALONE = frozenset((*_MATCH, "show", "help", "games", "tutorial", "confirm", "seeks"))
_COMMA = re.compile(r" ?,")
_RESIGN = re.compile(r" ?resign(?!\w)")
_CLEAR = re.compile(r" ?clear(?!\w)")
_GHOST = re.compile(r" ?(-?) ?([kqrbnp]?)([a-h][1-8])(?!\w)")
_HOURS = re.compile(r" ?(\d{1,3})(?: ?- ?(\d{1,3}))? ?(?:h(?:ours?)?)?(?!\w)")
_VARIANT = re.compile(r" ?(wild 16|[a-z][a-z0-9-]*)(?!\w)")
_SPAN = re.compile(r" ?(\d{1,3}) ?(?:(w)(?:eeks?)?|(d)(?:ays?)?|(h)(?:ours?)?|(m)(?:in(?:ute)?s?)?)(?!\w)")
_QUIET = re.compile(r" ?(\d{1,2})(?::00| ?h)? ?(?:-|to) ?(\d{1,2})(?::00| ?h)?(?!\w)")
_ZONE = re.compile(r" ?([a-z][a-z0-9_+/-]{1,40})(?![^;])")
_DATES = re.compile(r" ?(\d{4}-\d\d-\d\d)(?: ?(?:to|until|,|-))? ?(\d{4}-\d\d-\d\d)(?!\w)")
_MAIL = re.compile(r" ?(each|daily|off)(?!\w)")
_WHAT = r"(wild 16|[a-z][a-z0-9-]*)(?: (\d[\w+/.-]*))?(?: (white|black|random))?(?: (rated|casual))?(?![^;])"
_CHALLENGE = re.compile(r" ?([^\s;,:\"<>|]+(?: [^\s;,:\"<>|@]+){0,3}?) " + _WHAT)
_SEEK = re.compile(" ?" + _WHAT)
_CODE = re.compile(r" ?([2-9jkmnpqrstvwxyz]{5})(?![^;])")
_ADDRESS = re.compile(r" ?address(?![^;])")
_AGAIN = re.compile(r" ?again(?![^;])")

_NOTE = 'After "note" comes what you wish to remember.'
_GHOSTS = "Imagined men are not kept here yet: please leave this line out."
_DELAY = 'After "delay" comes a number of hours, "8h", or two, "2-8h".'
_REMIND = 'After "remind" come spans of time, for example "2d" or "6h".'
_HOURS_OF_REST = 'After "quiet" come two hours of the day, for example "22-7".'
_PLACE = 'After "zone" comes a name such as "Europe/Paris".'
_AWAY = 'After "vacation" come the first and the last day, each like "2026-12-24".'
_LETTERS = 'After "mail" comes "each", "daily" or "off".'
_WHOM = 'After "challenge" come an address or a name, and the name of a variant.'
_SOUGHT = (
    'After "seek" comes the name of a variant, and the days for each move if you like: "seek wild16 3d".'
)
_WHICH = 'After "take" or "withdraw" comes the code of what is offered.'
_NEW = 'To have the address of your seat made anew, write the two words "new address".'
_NEVER = 'To get no more letters from here, write the two words "never again".'


def resign(tape: Tape) -> Word:
    """`resign` asks first, `resign resign` does it."""
    return Word("resign", "resign" if tape.take(_RESIGN) else "")


def note(tape: Tape) -> Word:
    """All the rest of the line; `note that …` begins a sentence of a letter."""
    rest = tape.rest().lstrip(": ").rstrip(". ")
    if not rest or rest.lower().split()[0] == "that":
        raise Refused(_NOTE)
    return Word("note", rest)


def ghost(tape: Tape) -> Word:
    """Men imagined on squares, and such that are to go."""
    if tape.take(_CLEAR):
        return Word("ghost", "clear")
    men, comma = [], None
    while found := tape.take(_GHOST):
        men.append(found[1] + found[2].upper() + found[3])
        comma = tape.take(_COMMA)
    if comma:
        raise tape.stuck(_GHOSTS)
    return Word("ghost", " ".join(men))


def delay(tape: Tape) -> Word:
    """One number of hours, or two."""
    found = tape.need(_HOURS, _DELAY)
    last = f"-{int(found[2])}" if found[2] else ""
    return Word("delay", f"{int(found[1])}{last}h")


def rules(tape: Tape) -> Word:
    """The rules of all variants, or of one."""
    found = tape.take(_VARIANT)
    return Word("rules", found[1].replace(" ", "") if found else "")


def remind(tape: Tape) -> Word:
    """When to be reminded: so long before the time is up."""
    spans = [_span(tape)]
    while not tape.done and (tape.take(_COMMA) or tape.sees(_SPAN)):
        spans.append(_span(tape))
    return Word("remind", " ".join(spans))


def quiet(tape: Tape) -> Word:
    """The hours in which no letter shall come."""
    found = tape.need(_QUIET, _HOURS_OF_REST)
    first, last = int(found[1]), int(found[2])
    if max(first, last) > 24:
        raise tape.stuck(_HOURS_OF_REST)
    return Word("quiet", f"{first}-{last}")


def zone(tape: Tape) -> Word:
    """A time zone by its name, in the case it was written in."""
    found = tape.need(_ZONE, _PLACE)
    return Word("zone", tape.text[found.start(1) : found.end(1)])


def vacation(tape: Tape) -> Word:
    """From one day to another."""
    found = tape.need(_DATES, _AWAY)
    try:
        days = [date.fromisoformat(found[number]) for number in (1, 2)]
    except ValueError:
        raise tape.stuck(_AWAY) from None
    return Word("vacation", " ".join(map(str, days)))


def mail(tape: Tape) -> Word:
    """How much mail is wished for."""
    return Word("mail", tape.need(_MAIL, _LETTERS)[1])


def challenge(tape: Tape) -> Word:
    """Whom, to which variant, and by which clock."""
    found = tape.need(_CHALLENGE, _WHOM)
    whom = tape.text[found.start(1) : found.end(1)]
    return Word("challenge", f"{whom} {_what(found.groups()[1:])}")


def seek(tape: Tape) -> Word:
    """An opponent is sought for a variant, by a clock."""
    return Word("seek", _what(tape.need(_SEEK, _SOUGHT).groups()))


def take(tape: Tape) -> Word:
    """What somebody seeks is taken up, by its code."""
    return Word("take", tape.need(_CODE, _WHICH)[1])


def withdraw(tape: Tape) -> Word:
    """One's own challenge is taken back: the one that the letter answered is about, or that of a code."""
    found = tape.take(_CODE)
    return Word("withdraw", found[1] if found else "")


def never(tape: Tape) -> Word:
    """No letter from here any more."""
    tape.need(_AGAIN, _NEVER)
    return Word("never", "again")


def new(tape: Tape) -> Word:
    """Another address of one's seat."""
    tape.need(_ADDRESS, _NEW)
    return Word("new", "address")


def _what(found: Sequence[str | None]) -> str:
    variant, *others = (each for each in found if each)
    return " ".join([variant.replace(" ", ""), *others])


def _span(tape: Tape) -> str:
    found = tape.need(_SPAN, _REMIND)
    return f"{int(found[1])}{found[found.lastindex or 2]}"


WITH_MORE: dict[str, Callable[[Tape], Word]] = {
    "resign": resign,
    "note": note,
    "ghost": ghost,
    "delay": delay,
    "rules": rules,
    "remind": remind,
    "quiet": quiet,
    "zone": zone,
    "vacation": vacation,
    "mail": mail,
    "challenge": challenge,
    "seek": seek,
    "take": take,
    "withdraw": withdraw,
    "never": never,
    "new": new,
}
