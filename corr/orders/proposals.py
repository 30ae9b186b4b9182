"""Proposes what a player may mean by an unclear line, from their own pieces only; a proposal never acts."""

from __future__ import annotations

import re
from dataclasses import replace

from corr.orders.line import two_moves, understand, without_number
from corr.orders.move_guess import one_move, steps_of
from corr.orders.normalization import as_it_looks, fold, lower
from corr.orders.own_moves import Own
from corr.orders.prose import few, in_prose, look, question, word
from corr.orders.unclear_lines import Puzzle, bare
from corr.words.board import Side
from corr.words.orders import Ask, Move, Order, Sense

_LONGEST = 300
_APART = re.compile(r"(?: ?(?:[,;/]|\b(?:and|or|then|else|otherwise|if not)\b) ?)+")
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
_HANGS = re.compile(r"\bif\b", re.IGNORECASE)
_BESIDE = re.compile(r"([^;]+); ?(if .+)", re.IGNORECASE)
#: What a condition is called in a sentence, and how we write it.
_AS_WRITTEN = (
    (re.compile(r"^if (?!no )(?:\w+ )?(?:takes?|captures)\b"), "if capture"),
    (re.compile(r"^if (?:i am in check|(?:he|she|white|black) (?:gives check|checks(?: me)?))"), "if check"),
    (re.compile(r"\b(?:on|at) "), ""),
    (re.compile(r"^if (?=(?:yes|no)\b(?! c))"), ""),
)


def proposals(puzzle: Puzzle, own: Own) -> tuple[str, ...]:
    """Return up to three orders that the player may have meant."""
    if branched := _branched(puzzle, own) or _ahead(puzzle, own):
        return (branched,)
    if asked := question(puzzle.line, own) or word(puzzle.line, own):
        return _beside(asked, puzzle, own)
    sensed = next((act for act in puzzle.acts if act.startswith("sense ")), "")
    if own.sight.sense_due and not sensed:
        if _HANGS.search(puzzle.line):
            return (look(puzzle.line, own),) if look(puzzle.line, own) else ()
        return () if puzzle.acts else in_prose((puzzle.line,), own)
    first = f"{sensed}; " if own.sight.sense_due else ""
    return tuple(first + each for each in few(_meant(puzzle, own)))


def _beside(asked: str, puzzle: Puzzle, own: Own) -> tuple[str, ...]:
    """Join a one-word order with the other orders of the email, if they go together."""
    others = [act for act in puzzle.acts if act != asked]
    if asked == str(Ask()):
        return () if others[1:] else ("; ".join((asked, *others)),)
    if asked == "pass" and own.sight.sense_due:
        return (f"{others[0]}; pass",) if len(others) == 1 and others[0].startswith("sense ") else ()
    return () if others else (asked,)


def _meant(puzzle: Puzzle, own: Own) -> list[str]:
    text = fold(puzzle.line)
    if len(text) > _LONGEST:
        return []
    if two := two_moves(text):
        return _in("".join(two), own) + _in(two[own.sight.side is Side.BLACK], own)
    orders = understand(text).orders
    if not orders:
        return _in(text, own) or _in(as_it_looks(text), own)
    if puzzle.acts and not ({*map(str, orders)} <= {*puzzle.acts} or puzzle.alone):
        return []
    if puzzle.acts:
        beside = tuple(order for act in puzzle.acts for order in understand(act).orders)
        orders = tuple(dict.fromkeys((*beside, *orders)))
    moves = [steps_of(order) for order in orders if not isinstance(order, Sense)]
    steps = [step for each in moves for step in each]
    if not all(moves) or not all(map(own.allows, steps)):
        return []
    return _one_after_the_other(list(map(str, steps)), own)


def _branched(puzzle: Puzzle, own: Own) -> str | None:
    """Return a branched order if its own pieces make each move clear and nothing else was written."""
    text = without_number(bare(fold(puzzle.line)))
    before, *branches = _BRANCH.split(text)
    if puzzle.acts or before or not (branches and puzzle.alone) or len(text) > _LONGEST:
        return None
    lists = [_list(text, own) for text in branches[1::2]]
    if None in lists:
        return None
    heads = [_behind(_head(head), number) for number, head in enumerate(branches[::2])]
    if heads == ["any?"] and lists[0]:
        heads = ["any?;"]
    written = (f"{head} {tries}".strip() for head, tries in zip(heads, lists, strict=True))
    orders = understand(" ".join(written)).orders
    return "; ".join(map(str, orders)) if orders and own.takes(orders[0]) else None


def _ahead(puzzle: Puzzle, own: Own) -> str | None:
    """Return this turn's move with orders for the next turn, if all of them are clear."""
    move, line = _with_its_move(puzzle)
    if not isinstance(move, Move) or not (own.my_turn and own.allows(move)):
        return None
    ahead = _branched(replace(puzzle, line=line, acts=()), own.after(move))
    return f"{move}; {ahead}" if ahead else None


def _with_its_move(puzzle: Puzzle) -> tuple[Order | None, str]:
    """Return the one act beside a line, or before it on the same line, and the line by itself."""
    before, line = "", puzzle.line
    if not puzzle.acts and (both := _BESIDE.fullmatch(fold(line))):
        before, line = both.groups()
    acts = [order for text in (*puzzle.acts, before) for order in understand(text).orders]
    return (acts[0] if len(acts) == 1 and puzzle.alone else None), line


def _head(head: str) -> str:
    """Write the condition of a branch in our grammar."""
    low = lower(head).strip()
    for said, written in _AS_WRITTEN:
        low = said.sub(written, low)
    low = low.removesuffix("then").rstrip(" ,:")
    if low.startswith("any"):
        return "any?"
    return low if low.startswith(("else", "sense")) else f"{low}:"


def _list(text: str, own: Own) -> str | None:
    """Write a branch's moves in our grammar; None if one of them is unclear."""
    if not text:
        return ""
    read = [one_move(part, own) for part in _APART.split(text)]
    is_clear = all(len(each) == 1 for each in read) and (len(read) == 1 or own.card.lists)
    return ", ".join(each[0] for each in read) if is_clear else None


def _behind(head: str, number: int) -> str:
    """Return the start of a branch, with a semicolon if it follows others."""
    return f"; {head}" if number and lower(head).startswith(("if", "else")) else head


def _one_after_the_other(steps: list[str], own: Own) -> list[str]:
    return [", ".join(dict.fromkeys(steps))] if own.card.lists and steps else steps


def _in(text: str, own: Own) -> list[str]:
    """Return what a line may mean: a list if each part is one move, else what its beginning means."""
    text = without_number(bare(text))
    for parts in (_APART.split(text), text.split()):
        read = [one_move(part, own) for part in parts]
        if len(parts) > 1 and all(len(each) == 1 for each in read):
            return _one_after_the_other([step for each in read for step in each], own)
    first, *others = _APART.split(text)
    return [] if any(map(_SQUARE.search, others)) else one_move(first, own)
