"""Proposes what a player may mean by an unclear line, from their own pieces only; a proposal never acts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from corr import limits
from corr.orders.line_parser import parse_line, remove_move_number, split_two_moves
from corr.orders.other_notations import find_moves, write_down_squares
from corr.orders.own_moves import OwnMoves, guess_drops, guess_moves, steps_of
from corr.orders.scanner import fold, lower, replace_lookalikes
from corr.orders.unclear_lines import UnclearLine, remove_ornament
from corr.words.board import Side
from corr.words.orders import Ask, Castle, Move, Order, Sense

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
#: What is not about a game, and what we propose for it.
_SETTINGS = (
    (
        re.compile(
            r"(?:please,? )?(?:(?:how (?:do|can) i )?unsubscribe(?: me)?(?: from (?:this|these|your) \w+)?"
            r"|stop(?: (?:sending|all|these|the|your|me|any|more|e-?mails?|mails?|mailing|messages|writing))*"
            r"|no more (?:e-?)?mails?|(?:remove me from|take me off) (?:the|your|this)(?: mailing)? list)(?:,? please)?"
        ),
        "mail off",
    ),
    (
        re.compile(
            r"(?:(?:change )?(?:my|the) )?"
            r"(?:settings?|preferences|options|vacation|holidays?|e?-?mails?|reminders?|remind|quiet|zone|weekends)"
        ),
        "help all",
    ),
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
_TARGET_SENTENCE = re.compile(
    r"\b(?:moves?|play|push|go|choose|try|with)\b(?: is|:| to| on| with| for)* ([a-h][1-8])(?![a-z0-9])"
)
_NAME = re.compile(r"[a-z][a-z0-9_-]+")
_LINES = 10  # the number of lines searched for a move in an email without orders
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
    named = named or limit_proposals([each for text in texts for each in _find_dictated(text, own)])
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
    """Return "any?" if the text asks in any words whether a pawn can capture; else empty."""
    is_asked = _QUESTION.fullmatch(lower(fold(text)).rstrip("?!")) is not None
    return str(Ask()) if is_asked and own.takes(Ask()) else ""


def propose_command(text: str, own: OwnMoves) -> str:
    """Return "pass", "draw?" or "resign" if a sentence asks for it; else empty."""
    found = _WORD.fullmatch(lower(fold(text)).strip("!. "))
    if not found:
        return ""
    passes, draws, _ = found.groups()
    if passes:
        return "pass" if own.my_turn and "pass" in own.card.presses else ""
    return "draw?" if draws else "resign"


def propose_setting(lines: Sequence[str]) -> str:
    """Return the order that changes or lists settings, if a line is about those and no game; else empty."""
    texts = [lower(fold(line)).strip("!?. ") for line in lines[:_LINES] if len(line) <= MOST_CHARACTERS]
    found = (order for text in texts for said, order in _SETTINGS if said.fullmatch(text))
    return next(found, "")


def propose_sense(text: str, own: OwnMoves) -> str:
    """Return a sense that the text asks for in any words, if one is due; else empty."""
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
    """Return the moves that one line of prose may name."""
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


def _find_dictated(text: str, own: OwnMoves) -> list[str]:
    """Return the moves that a dictated line may name: `E 2 E 4`, `echo two echo four`."""
    said = write_down_squares(text)
    return guess_moves(said, own) if said != lower(text) else []


def limit_proposals(meant: list[str]) -> tuple[str, ...]:
    """Return each proposal once; nothing if they are too many or too long."""
    each_once = dict.fromkeys(meant)
    is_short = len(each_once) <= _MOST_PROPOSALS and all(len(each) <= MOST_CHARACTERS for each in each_once)
    return tuple(each_once) if is_short else ()


_SEPARATORS = re.compile(r"(?: ?(?:[,;/]|\b(?:and|or|then|else|otherwise|if not)\b) ?)+")
_SQUARE = re.compile(r"[a-h][1-8]")

#: What separates the moves of a branched order.
_CONDITION = (
    r"(?:no )?capture(?: (?:(?:on|at) )?[a-h][1-8])?|(?:no )?check(?: (?:rank|file|long|short|knight)(?: diagonal)?)?"
    r"|tries ?[=<>] ?\d{1,2}"
)
_BRANCH = re.compile(
    r"[ ,;]*(any ?\?|(?:/ ?)?(?:\bif )?\b(?:yes|no)\b(?! ?(?:capture|check)) ?:?"
    rf"|if (?:{_CONDITION})(?: and (?:{_CONDITION}))*"
    r"(?: ?[:,]| then\b)?|if [^:]{1,80}:|else\b ?:?|sense (?:[a-h][1-8]|none)(?!\w))[ ;]*",
    re.IGNORECASE,
)
_IF_WORD = re.compile(r"\bif\b", re.IGNORECASE)
_ORDER_AND_IF = re.compile(r"([^;]+); ?(if .+)", re.IGNORECASE)
#: What a condition is called in a sentence, and how we write it.
_CONDITION_SPELLINGS = (
    (re.compile(r"^if (?!no )(?:\w+ )?(?:takes?|captures)\b"), "if capture"),
    (re.compile(r"^if (?:i am in check|(?:he|she|white|black) (?:gives check|checks(?: me)?))"), "if check"),
    (re.compile(r"\b(?:on|at) "), ""),
    (re.compile(r"^if (?=(?:yes|no)\b(?! c))"), ""),
)


def propose_orders(puzzle: UnclearLine, own: OwnMoves) -> tuple[str, ...]:
    """Return up to three orders that the player may have meant by an unclear line."""
    if branched := _propose_branches(puzzle, own) or _ahead(puzzle, own):
        return (branched,)
    if asked := propose_question(puzzle.line, own) or propose_command(puzzle.line, own):
        return _join_with_others(asked, puzzle, own)
    sensed = next((act for act in puzzle.acts if act.startswith("sense ")), "")
    if own.sight.sense_due and not sensed:
        if _IF_WORD.search(puzzle.line):
            return (propose_sense(puzzle.line, own),) if propose_sense(puzzle.line, own) else ()
        return () if puzzle.acts else propose_from_prose((puzzle.line,), own)
    first = f"{sensed}; " if own.sight.sense_due else ""
    return tuple(first + each for each in limit_proposals(_guess_meanings(puzzle, own)))


def _join_with_others(asked: str, puzzle: UnclearLine, own: OwnMoves) -> tuple[str, ...]:
    """Join "any?" or a pass with the email's only other order; empty if another doesn't go with it."""
    others = [act for act in puzzle.acts if act != asked]
    if asked == str(Ask()):
        return () if others[1:] else ("; ".join((asked, *others)),)
    if asked == "pass" and own.sight.sense_due:
        return (f"{others[0]}; pass",) if len(others) == 1 and others[0].startswith("sense ") else ()
    return () if others else (asked,)


def _guess_meanings(puzzle: UnclearLine, own: OwnMoves) -> list[str]:
    """Return the moves or lists that an unclear line may mean, joined with the email's other orders."""
    text = fold(puzzle.line)
    if len(text) > MOST_CHARACTERS:
        return []
    if two := split_two_moves(text):
        return _guess_line("".join(two), own) + _guess_line(two[own.sight.side is Side.BLACK], own)
    orders = parse_line(text).orders
    if not orders:
        return _guess_line(text, own) or _guess_line(replace_lookalikes(text), own)
    if puzzle.acts and not ({*map(str, orders)} <= {*puzzle.acts} or puzzle.alone):
        return []
    if puzzle.acts:
        beside = tuple(order for act in puzzle.acts for order in parse_line(act).orders)
        orders = tuple(dict.fromkeys((*beside, *orders)))
    moves = [steps_of(order) for order in orders if not isinstance(order, Sense)]
    steps = [step for each in moves for step in each]
    if not all(moves) or not all(map(own.allows, steps)):
        return []
    return _join_steps(list(map(str, steps)), own)


def _propose_branches(puzzle: UnclearLine, own: OwnMoves) -> str | None:
    """Return an order with "if", "yes" or "else" parts, if every move in it is clear; else None."""
    text = remove_move_number(remove_ornament(fold(puzzle.line)))
    before, *branches = _BRANCH.split(text)
    if puzzle.acts or before or not (branches and puzzle.alone) or len(text) > MOST_CHARACTERS:
        return None
    lists = [_list(text, own) for text in branches[1::2]]
    if None in lists:
        return None
    heads = [_begin_branch(_head(head), number) for number, head in enumerate(branches[::2])]
    if heads == ["any?"] and lists[0]:
        heads = ["any?;"]
    written = (f"{head} {tries}".strip() for head, tries in zip(heads, lists, strict=True))
    orders = parse_line(" ".join(written)).orders
    return "; ".join(map(str, orders)) if orders and own.takes(orders[0]) else None


def _ahead(puzzle: UnclearLine, own: OwnMoves) -> str | None:
    """Return this turn's move with orders for the next turn, if all are clear; else None."""
    move, line = _split_off_move(puzzle)
    if not isinstance(move, Move) or not (own.my_turn and own.allows(move)):
        return None
    ahead = _propose_branches(replace(puzzle, line=line, acts=()), own.after(move))
    return f"{move}; {ahead}" if ahead else None


def _split_off_move(puzzle: UnclearLine) -> tuple[Order | None, str]:
    """Return the one order next to an unclear line, None if there isn't exactly one, and the line without it."""
    before, line = "", puzzle.line
    if not puzzle.acts and (both := _ORDER_AND_IF.fullmatch(fold(line))):
        before, line = both.groups()
    acts = [order for text in (*puzzle.acts, before) for order in parse_line(text).orders]
    return (acts[0] if len(acts) == 1 and puzzle.alone else None), line


def _head(head: str) -> str:
    """Write the condition of a branch in our grammar."""
    low = lower(head).strip()
    for said, written in _CONDITION_SPELLINGS:
        low = said.sub(written, low)
    low = low.removesuffix("then").rstrip(" ,:")
    if low.startswith("any"):
        return "any?"
    return low if low.startswith(("else", "sense")) else f"{low}:"


def _list(text: str, own: OwnMoves) -> str | None:
    """Write a branch's moves in our grammar; None if any of them is unclear."""
    if not text:
        return ""
    read = [guess_moves(part, own) for part in _SEPARATORS.split(text)]
    is_clear = all(len(each) == 1 for each in read) and (len(read) == 1 or own.card.lists)
    return ", ".join(each[0] for each in read) if is_clear else None


def _begin_branch(head: str, number: int) -> str:
    """Put a semicolon before each "if" and "else" but the first."""
    return f"; {head}" if number and lower(head).startswith(("if", "else")) else head


def _join_steps(steps: list[str], own: OwnMoves) -> list[str]:
    """Join moves into one list if the variant allows lists; else keep them separate."""
    return [", ".join(dict.fromkeys(steps))] if own.card.lists and steps else steps


def _guess_line(text: str, own: OwnMoves) -> list[str]:
    """Return what a line may mean: a list if each part is one move, else what its beginning means."""
    text = remove_move_number(remove_ornament(text))
    for parts in (_SEPARATORS.split(text), text.split()):
        read = [guess_moves(part, own) for part in parts]
        if len(parts) > 1 and all(len(each) == 1 for each in read):
            return _join_steps([step for each in read for step in each], own)
    first, *others = _SEPARATORS.split(text)
    return [] if any(map(_SQUARE.search, others)) else guess_moves(first, own)
