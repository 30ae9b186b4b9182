"""Writes, without template or board, the plain email that replaces one that we cannot make."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corr.text.messages import sentence
from corr.text.visible_text import cut_to_bytes, visible
from corr.words.board import Side
from corr.words.view import Stage

_COLUMNS = 56
_MOST_TEXTS = 20
_MOST_CHARACTERS, _MOST_CHARACTERS_ALONE = 2_400, 4_000


@dataclass(frozen=True, slots=True)
class PlainFacts:
    """The least that we tell a seat; each field is empty if unknown."""

    variant: str
    opponent: str
    side: Side
    state: Stage
    turn: Side | None
    deadline: str
    late: bool
    paused: bool
    paused_until: str  # the latest end of a pause that both sides have agreed to
    pause_asked: Side | None
    outage: tuple[str, ...]  # from when to when our server was down in this turn
    untimed: bool
    claimed: bool  # whether a side whose time is over loses only if the opponent claims it
    delay: str  # the state of the email about the opponent's turn, which "waits" or was "late"
    until: str
    offer: Side | None
    winner: Side | None
    said: str  # what the umpire has told this side since its last move
    men: tuple[tuple[str, tuple[str, ...]], ...]  # each kind of its pieces, and their squares
    seal: str  # the seal of the last completed turn

    @property
    def my_turn(self) -> bool:
        """Return whether the umpire waits for this side."""
        return self.turn is self.side or (self.state is Stage.DEPLOYING and self.turn is None)


def text(bare: PlainFacts, kind: str, words: Mapping[str, Any]) -> str:
    """Return the email's text, in paragraphs."""
    return "\n\n".join(filter(None, (paragraph.strip() for paragraph in _paragraphs(bare, kind, words))))


def _paragraphs(bare: PlainFacts, kind: str, words: Mapping[str, Any]) -> Iterator[str]:
    side = bare.side.called
    yield sentence("plain.headline", variant=bare.variant, opponent=bare.opponent, side=side)
    yield sentence("plain.why")
    yield from _news(bare, kind, words)
    if bare.said:
        yield sentence("plain.said", said=bare.said)
    if bare.men:
        yield sentence("plain.men", men="; ".join(_word_pieces(*each) for each in bare.men))
    if bare.offer and bare.offer is not bare.side and bare.state is not Stage.OVER:
        yield sentence("plain.offer", side=bare.offer.called)
    if bare.pause_asked and bare.pause_asked is not bare.side:
        yield sentence("plain.pause_asked", side=bare.pause_asked.called)
    yield _standing(bare)
    if bare.outage and bare.state is not Stage.OVER:
        yield sentence("plain.outage", began=bare.outage[0], ended=bare.outage[1])
    if bare.state is not Stage.OFFERED and kind != "doubted":
        yield sentence("plain.show")
    if bare.seal:
        yield sentence("letters.seal", seal=bare.seal)


def _word_pieces(man: str, squares: tuple[str, ...]) -> str:
    """Return a sentence about all pieces of one kind."""
    where = ", ".join(squares)
    if len(squares) == 1:
        return sentence("plain.man", man=man, square=where)
    return sentence("plain.several", man=man, squares=where)


def _news(bare: PlainFacts, kind: str, words: Mapping[str, Any]) -> Iterator[str]:
    """Yield what some kinds of email say besides the umpire's words."""
    match kind:
        case "answer" | "turn" if kind == "answer" or "merged" in words:
            yield sentence("plain.answer")
        case "tried":
            yield sentence("plain.tried")
        case "again":
            yield sentence("plain.again", opponent=bare.opponent)
        case "declined":
            yield sentence("plain.declined", opponent=bare.opponent)
        case "restored":
            yield sentence("plain.restored")
        case "decree":
            yield sentence("plain.decree", sentence=words["sentence"])
            yield _quote(words["reason"])
        case "delay" if not bare.delay:
            yield sentence("plain.delayed")
        case "doubted":
            yield sentence("plain.doubted", came=words["came"])
            yield from _quote_all(words["orders"])
            yield sentence("plain.confirm")
        case "new_address":
            yield sentence("plain.new_address")


def _quote_all(texts: Sequence[str]) -> Iterator[str]:
    shown = texts[:_MOST_TEXTS]
    yield from (_quote(text, _MOST_CHARACTERS // len(shown)) for text in shown)
    if len(texts) > _MOST_TEXTS:
        yield _quote("\u2026")


def _quote(text: str, size: int = _MOST_CHARACTERS_ALONE) -> str:
    """Quote what a person wrote, shortened, on lines that are no orders."""
    lines = textwrap.wrap(cut_to_bytes(visible(text), size), _COLUMNS, break_on_hyphens=False)
    return "\n".join(f"| {line}" for line in lines)


def _standing(bare: PlainFacts) -> str:
    """Say in a sentence how the game stands, whose turn it is, and until when."""
    if bare.state is Stage.OFFERED:
        return sentence("plain.offered")
    if bare.state is Stage.OVER:
        winner = bare.winner
        return sentence("plain.won", side=winner.called) if winner else sentence("plain.no_winner")
    if bare.paused_until:
        return sentence("plain.pause", until=bare.paused_until)
    if bare.paused:
        return sentence("plain.paused")
    return _no_clock(bare) if bare.untimed else _clock(bare)


def _no_clock(bare: PlainFacts) -> str:
    if bare.my_turn:
        return sentence("plain.untimed_turn")
    return sentence("plain.untimed_waiting", side=(bare.turn or bare.side).called)


def _clock(bare: PlainFacts) -> str:
    """Say whose turn it is and until when, or that the time is over."""
    awaited = (bare.turn or bare.side).called
    if bare.late and bare.claimed:
        return sentence("plain.claimed", side=awaited, deadline=bare.deadline)
    if bare.late:
        return sentence("plain.late", side=awaited, deadline=bare.deadline)
    if not bare.my_turn:
        return _waiting(bare, awaited)
    if bare.state is Stage.DEPLOYING:
        return sentence("plain.deploy", deadline=bare.deadline)
    return sentence("plain.turn", deadline=bare.deadline)


def _waiting(bare: PlainFacts, awaited: str) -> str:
    """Say until when the opponent has time, or that our email to the opponent is late."""
    match bare.delay:
        case "waits":
            return sentence("plain.waits_for", side=awaited, until=bare.until)
        case "late":
            return sentence("plain.late_for", side=awaited)
        case _:
            return sentence("plain.waiting", side=awaited, deadline=bare.deadline)
