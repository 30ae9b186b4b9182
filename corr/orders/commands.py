"""Defines commands about the game, emails, the site and the player: how to write each and where it acts.

`corr/service/games/game_commands.py` runs those of a game, `corr/service/lobby/site_commands.py` those to the site.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Flag, auto

from corr.orders.scanner import LineScanner
from corr.player_settings import SETTINGS, Setting
from corr.words.errors import Refused
from corr.words.orders import Command, Order

_COMMA = re.compile(r" ?,")
_RESIGN = re.compile(r" ?(resign)(?!\w)")
_CLEAR = re.compile(r" ?clear(?!\w)")
_GHOST = re.compile(r" ?(-?) ?([kqrbnp]?) ?([a-h][1-8])(?!\w)")
_HOURS = re.compile(r" ?(\d{1,3})(?: ?- ?(\d{1,3}))? ?(?:h(?:ours?)?)?(?!\w)")
_VARIANT = re.compile(r" ?(wild 16|[a-z][a-z0-9-]*)(?!\w)")
_SPAN = re.compile(r" ?(\d{1,3}) ?(?:(w)(?:eeks?)?|(d)(?:ays?)?|(h)(?:ours?)?|(m)(?:in(?:ute)?s?)?)(?!\w)")
_QUIET = re.compile(r" ?(\d{1,2})(?::00| ?h)? ?(?:-|to) ?(\d{1,2})(?::00| ?h)?(?!\w)")
_ZONE = re.compile(r" ?([a-z][a-z0-9_+/-]{1,40})(?![^;])")
_DATES = re.compile(r" ?(\d{4}-\d\d-\d\d)(?: ?(?:to|until|,|-))? ?(\d{4}-\d\d-\d\d)(?!\w)")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = f"({'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)})(?![a-z])"
_DAY_NUMBER = r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?!\d)"
#: A day without its year, as people write it: `24 dec`, `dec 24th`.
_NAMED_DAY = rf"(?:{_DAY_NUMBER} ?{_MONTH}|{_MONTH} ?{_DAY_NUMBER})"
_NAMED_DAYS = re.compile(rf" {_NAMED_DAY} ?(?:-|to|until|till) ?{_NAMED_DAY}(?!\w)")
_MAIL = re.compile(
    r" ?(each|on|off|json|plain|daily|(?:no )?(?:answers|checkpoints))"
    r"(?:(?<=daily)(?: at)? (\d{1,2})(?:[.:]00)?(?: ?(am|pm))?)?(?!\w)"
)
_PAGE = re.compile(r" ?(on|off|about)(?!\w):?")
_OFF = re.compile(r" ?(off|none)(?!\w)")
_USUAL = re.compile(r" ?(usual|usually|off|never)(?!\w)")
_ON_OR_OFF = re.compile(r" ?(on|off)(?!\w)")
_CLOCK = r"(\d[\w+/.-]*|none|live)(?: (claim))?(?: (steady))?"
_GAME_TERMS = (
    rf"(wild 16|[a-z][a-z0-9-]*)(?: {_CLOCK})?(?: (white|black|random))?(?: (rated|casual))?(?![^;])"
)
_CHALLENGE = re.compile(r" ?([^\s;,:\"<>|]+(?: [^\s;,:\"<>|@]+){0,3}?) " + _GAME_TERMS)
#: A name or an address alone, challenged without a variant; "Challenge accepted" is none.
_ONE_NAME = re.compile(
    r" ?(?!(?:accepted|declined|refused|rejected|received|withdrawn|cancelled)(?!\S))"
    r"([^\W_][\w'-]*|[^\s;,:\"<>|@]+@[^\s;,:\"<>|@]+)(?: please)?(?= ?(?:;|$))"
)
_LEAP_YEAR, _NOON = 2024, 12
_SEEK = re.compile(" ?" + _GAME_TERMS)
_IN_PYRAMID = re.compile(
    r" ?([^\s;,:\"<>|]+(?: [^\s;,:\"<>|@]+){0,3}?) (wild 16|[a-z][a-z0-9-]*) pyramid(?![^;])"
)
_ENTER = re.compile(
    r" ?(?:([2-9jkmnpqrstvwxyz]{5}|[a-z2-7]{26})|(wild 16|[a-z][a-z0-9-]*))(?: (bots|programs|pyramid))?(?![^;])"
)
_CODE = re.compile(r" ?([2-9jkmnpqrstvwxyz]{5})(?![^;])")
_ADDRESS = re.compile(r" ?(address)(?![^;])")
_ALL = re.compile(r" ?(all)(?![^;])")
_AGAIN = re.compile(r" ?(again)(?![^;])")

_HOURS_TO_WAIT = 'After "delay" write hours, as in "delay 3h" or "delay 2-8h".'
_NOTE_HINT = 'After "note" write the words you want to keep.'
_GHOST_HINT = 'After "ghost" write pieces and their squares, for example "ghost qd8 e5", or the word "clear".'
_CHALLENGE_HINT = 'After "challenge" write an address or a name, and the name of a variant.'
_SEEK_HINT = (
    'After "seek" write the name of a variant and, if you like, the days for each move, '
    'as in "seek wild16 3d".'
)
_OFFER_CODE_HINT = 'After "take" or "withdraw" write the code of the offer.'
_EVENT = (
    'After "enter" write the name of a variant, as in "enter wild16", or the code of an event. Add "bots" to '
    'let our bots fill empty places, or "pyramid" to enter the variant\'s pyramid.'
)
_REMIND_HINT = (
    'After "remind" write how long before a deadline, as in "remind 3d 1d 6h", or the word "usual" or "off".'
)
_QUIET_HINT = 'After "quiet" write two hours of the day, as in "quiet 22-7", or the word "off".'
_ZONE_HINT = 'After "zone" write the name of a time zone, for example "zone Europe/Paris".'
_AWAY = (
    'After "vacation" write its first and last day, as in "vacation 2026-12-24 2027-01-02", '
    'or the word "off".'
)
_NO_DAY = "There is no such date."
_WEEKENDS_HINT = 'After "weekends" write "off" to stop your clocks at weekends, or "on" to let them run.'
_MAIL_HINT = (
    'After "mail" write "each", "daily", "off", "json", "plain", "answers", "no answers", "checkpoints" or "no '
    'checkpoints". With "daily" you can add an hour, as in "daily 18". "json" adds a file for bots, and "plain" '
    'removes it. With "no answers" we don\'t answer an email that only makes a quiet move. "checkpoints" sends you '
    "the transparency log's daily checkpoint."
)
_PAGE_HINT = (
    'After "page" write "on" to show your page to everyone, "off" to hide it, or "about" '
    "and a line about yourself."
)
_NEW = 'To get a new reply address in a game, write the two words "new address".'
_NEVER = 'To get no more emails from us, write the two words "never again".'


class Trait(Flag):
    """Where and when a command acts, and how it affects the rest of its email."""

    GAME = auto()  # acts in a game
    SITE = auto()  # acts on the site
    AT_ANY_TIME = auto()  # acts in a game at any stage, and after the time has run out
    ASKS = auto()  # is a question that changes nothing
    ACCOUNT = auto()  # concerns the player's whole account, not one game
    BEGINS = auto()  # may begin a game from an email to the site
    HOLDS_UP = auto()  # if it cannot act, nothing else in the email is tried
    TELLTALE = auto()  # shows that a line of few words was meant as an order


def _nothing(_tape: LineScanner) -> str:
    """Parse the arguments of a command that has none."""
    return ""


def _word(pattern: re.Pattern[str], why: str) -> Callable[[LineScanner], str]:
    """Return a parser of one required argument, the pattern's first group; `why` is its error."""
    return lambda tape: tape.require(pattern, why)[1]


def _optional_word(pattern: re.Pattern[str]) -> Callable[[LineScanner], str]:
    """Return a parser of one argument, the pattern's first group; empty if left out."""
    return lambda tape: found[1] if (found := tape.take(pattern)) else ""


def _note(tape: LineScanner) -> str:
    """Parse the text after `note`; raise Refused if there is none."""
    rest = tape.rest().lstrip(": ").rstrip(". ")
    if not rest or rest.lower().split()[0] == "that":
        raise Refused(_NOTE_HINT)
    return rest


def _ghost(tape: LineScanner) -> str:
    """Parse what follows `ghost`: imagined pieces with their squares, or "clear"."""
    if tape.take(_CLEAR):
        return "clear"
    men, comma = [], None
    while found := tape.take(_GHOST):
        men.append(found[1] + found[2].upper() + found[3])
        comma = tape.take(_COMMA)
    if comma:
        raise tape.stuck(_GHOST_HINT)
    return " ".join(men)


def _delay(tape: LineScanner) -> str:
    """Parse the hours after `delay`, one number or a span: `2-8h`."""
    found = tape.require(_HOURS, _HOURS_TO_WAIT)
    last = f"-{int(found[2])}" if found[2] else ""
    return f"{int(found[1])}{last}h"


def _rules(tape: LineScanner) -> str:
    """Parse an optional variant after `rules`; empty if it is left out."""
    found = tape.take(_VARIANT)
    return found[1].replace(" ", "") if found else ""


def _remind(tape: LineScanner) -> str:
    """Parse what follows `remind`: times before a deadline, or "usual" or "off"."""
    if found := tape.take(_USUAL):
        return "usual" if found[1].startswith("usual") else "off"
    spans = [_span(tape)]
    while not tape.done and (tape.take(_COMMA) or tape.sees(_SPAN)):
        spans.append(_span(tape))
    return " ".join(spans)


def _quiet(tape: LineScanner) -> str:
    """Parse what follows `quiet`: two hours of the day, or "off"."""
    if tape.take(_OFF):
        return "off"
    found = tape.require(_QUIET, _QUIET_HINT)
    return f"{int(found[1])}-{int(found[2])}"


def _zone(tape: LineScanner) -> str:
    """Parse the name of a time zone, keeping its case."""
    found = tape.require(_ZONE, _ZONE_HINT)
    return tape.text[found.start(1) : found.end(1)]


def _vacation(tape: LineScanner) -> str:
    """Parse what follows `vacation`: its first and last day, or "off"."""
    if tape.take(_OFF):
        return "off"
    if named := tape.take(_NAMED_DAYS):
        return " - ".join(_yearless(*named.groups()[at : at + 4]) for at in (0, 4))
    found = tape.require(_DATES, _AWAY)
    try:
        days = [date.fromisoformat(found[number]) for number in (1, 2)]
    except ValueError:
        raise Refused(_NO_DAY) from None
    return " ".join(map(str, days))


def _yearless(day: str | None, month: str | None, first_month: str | None, later_day: str | None) -> str:
    """Return a day without its year as `24 Dec`; raise Refused if no year has it."""
    named = month or first_month or ""
    number = next(at for at, each in enumerate(_MONTHS, 1) if each.startswith(named[:3]))
    try:
        return f"{date(_LEAP_YEAR, number, int(day or later_day or 0)):%-d %b}"
    except ValueError:
        raise Refused(_NO_DAY) from None


def _mail(tape: LineScanner) -> str:
    """Parse what follows `mail`: which emails the player wants, and in which form."""
    chosen, hour, half = tape.require(_MAIL, _MAIL_HINT).groups()
    if hour and half:
        if not 1 <= int(hour) <= _NOON:
            raise Refused(_MAIL_HINT)
        hour = str(int(hour) % _NOON + (_NOON if half == "pm" else 0))
    return f"daily {int(hour)}" if hour else "each" if chosen == "on" else chosen


def _choice_of(setting: Setting) -> Callable[[LineScanner], str]:
    """Return a parser of a player setting's argument, which must be one of its choices."""
    choices = re.compile(rf" ?({'|'.join(setting.choices)})(?!\w)")
    return _word(choices, setting.hint)


def _page(tape: LineScanner) -> str:
    """Parse what follows `page`: whether it is shown, or "about" with the player's text."""
    chosen = tape.require(_PAGE, _PAGE_HINT)[1]
    words = tape.rest().strip() if chosen == "about" else ""
    return f"{chosen} {words}".strip()


def _challenge(tape: LineScanner) -> str:
    """Parse whom to challenge, and to which variant, clock and colour."""
    if climbing := tape.take(_IN_PYRAMID):
        return f"{tape.text[climbing.start(1) : climbing.end(1)]} {climbing[2].replace(' ', '')} pyramid"
    if alone := tape.take(_ONE_NAME):
        return tape.text[alone.start(1) : alone.end(1)]
    found = tape.require(_CHALLENGE, _CHALLENGE_HINT)
    whom = tape.text[found.start(1) : found.end(1)]
    return f"{whom} {_join_terms(found.groups()[1:])}"


def _seek(tape: LineScanner) -> str:
    """Parse the terms of an open offer: a variant, and perhaps a clock and a colour."""
    return _join_terms(tape.require(_SEEK, _SEEK_HINT).groups())


def _enter(tape: LineScanner) -> str:
    """Parse what to enter: a variant's section or pyramid, or an event by its code."""
    found = tape.require(_ENTER, _EVENT)
    which = found[1] or found[2].replace(" ", "")
    return f"{which} {found[3]}" if found[3] else which


def _join_terms(found: Sequence[str | None]) -> str:
    """Join the terms of a game, such as `wild16 3d white`, without those left out."""
    variant, *others = (each for each in found if each)
    return " ".join([variant.replace(" ", ""), *others])


def _span(tape: LineScanner) -> str:
    """Parse one time before a deadline, such as `3d`."""
    found = tape.require(_SPAN, _REMIND_HINT)
    return f"{int(found[1])}{found[found.lastindex or 2]}"


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """What a command is for, and how its arguments are parsed."""

    traits: Trait
    rest: Callable[[LineScanner], str] = _nothing


_ANYWHERE = Trait.GAME | Trait.SITE | Trait.AT_ANY_TIME | Trait.ACCOUNT
#: All words; one that acts nowhere is parsed and answered with a note that it does nothing yet.
COMMANDS = {
    "draw?": CommandSpec(Trait.GAME | Trait.TELLTALE),
    "accept": CommandSpec(Trait.GAME | Trait.SITE | Trait.BEGINS | Trait.HOLDS_UP | Trait.TELLTALE),
    "decline": CommandSpec(Trait.GAME | Trait.SITE | Trait.HOLDS_UP | Trait.TELLTALE),
    # Alone it asks first; "resign resign" resigns.
    "resign": CommandSpec(Trait.GAME | Trait.TELLTALE, _optional_word(_RESIGN)),
    "again": CommandSpec(Trait.GAME),
    "new": CommandSpec(Trait.GAME | Trait.AT_ANY_TIME, _word(_ADDRESS, _NEW)),
    "show": CommandSpec(Trait.GAME | Trait.ASKS | Trait.AT_ANY_TIME),
    "help": CommandSpec(Trait.GAME | Trait.SITE | Trait.ASKS | Trait.AT_ANY_TIME, _optional_word(_ALL)),
    "rules": CommandSpec(Trait.GAME | Trait.SITE | Trait.ASKS | Trait.AT_ANY_TIME, _rules),
    "games": CommandSpec(Trait.GAME | Trait.SITE | Trait.ASKS | Trait.AT_ANY_TIME),
    "seeks": CommandSpec(Trait.SITE | Trait.ASKS),
    "challenge": CommandSpec(Trait.SITE | Trait.BEGINS, _challenge),
    "seek": CommandSpec(Trait.SITE | Trait.BEGINS, _seek),
    "tutorial": CommandSpec(Trait.GAME | Trait.SITE | Trait.BEGINS | Trait.AT_ANY_TIME),
    "skip": CommandSpec(Trait.GAME),
    "take": CommandSpec(Trait.SITE | Trait.BEGINS, _word(_CODE, _OFFER_CODE_HINT)),
    # Without a code it is what the answered email is about, or the player's place in an event.
    "withdraw": CommandSpec(Trait.SITE, _optional_word(_CODE)),
    "enter": CommandSpec(Trait.SITE | Trait.BEGINS, _enter),
    "events": CommandSpec(Trait.SITE | Trait.ASKS),
    "never": CommandSpec(Trait.SITE, _word(_AGAIN, _NEVER)),
    "confirm": CommandSpec(Trait.SITE | Trait.HOLDS_UP),
    "claim": CommandSpec(Trait.GAME | Trait.HOLDS_UP | Trait.TELLTALE),
    "cancel": CommandSpec(Trait.GAME | Trait.HOLDS_UP | Trait.AT_ANY_TIME),
    "delay": CommandSpec(Trait.GAME | Trait.AT_ANY_TIME, _delay),
    "pause?": CommandSpec(Trait.GAME),
    "resume": CommandSpec(Trait.GAME),
    "note": CommandSpec(Trait.GAME | Trait.AT_ANY_TIME, _note),
    "ghost": CommandSpec(Trait.GAME | Trait.AT_ANY_TIME, _ghost),
    "remind": CommandSpec(_ANYWHERE, _remind),
    "quiet": CommandSpec(_ANYWHERE, _quiet),
    "zone": CommandSpec(_ANYWHERE, _zone),
    "weekends": CommandSpec(_ANYWHERE, _word(_ON_OR_OFF, _WEEKENDS_HINT)),
    "vacation": CommandSpec(_ANYWHERE, _vacation),
    "mail": CommandSpec(_ANYWHERE, _mail),
    "data": CommandSpec(_ANYWHERE),
    **{each.order: CommandSpec(_ANYWHERE, _choice_of(each)) for each in SETTINGS if each.hint},
    "page": CommandSpec(_ANYWHERE, _page),
}


def commands_with(trait: Trait) -> frozenset[str]:
    return frozenset(word for word, meaning in COMMANDS.items() if trait in meaning.traits)


_COMMANDS_BY_TRAIT = {trait: commands_with(trait) for trait in Trait}


def has_trait(order: Order, trait: Trait) -> bool:
    return isinstance(order, Command) and order.word in _COMMANDS_BY_TRAIT[trait]


def parse_command(name: str, tape: LineScanner) -> Command:
    return Command(name, COMMANDS[name].rest(tape))
