"""Describes an email before it is composed, and what its templates need; subjects are in `messages.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from corr.mail.outward.fallback_email import PlainFacts
from corr.mail.outward.missing_parts import MissingPart
from corr.mail.outward.text_and_html import Block
from corr.words.replay import Replay
from corr.words.slips import SquareMarks
from corr.words.view import VariantInfo, View


@dataclass(frozen=True, slots=True)
class EmailToSend:
    """An email to compose: its addresses, its place in the thread, and what it says."""

    kind: str
    about: str  # the thread's subject, fixed at its start: it never tells what happened
    view: View | None  # none if the email is about no game
    date: datetime
    sender: str
    recipient: str
    reply_to: str
    ready_to: str  # where the replies that its links prepare go, which do not name the email they answer
    message_id: str
    parent: str | None
    root: str | None
    words: dict[str, object] = field(default_factory=dict)
    stops: tuple[str, ...] = ()  # where a mail program tells us that its reader wants no more such emails
    table: str = ""  # the link to the game's page, for a reader who may see it
    whole: str = ""  # the link to the finished game, if the email tells of its end
    game: str = ""  # the finished game as a PGN file, if the email tells of its end
    record: bytes = b""  # the packed record of every turn and of what hid it
    file: str = ""  # what the umpire told the reader, for programs, if the reader wants that
    own: str = ""  # everything we store about the reader, if they asked for it
    replay: Replay | None = None  # the finished game move by move
    marks: SquareMarks = ()  # what is drawn over squares of the board
    proposals: tuple[str, ...] = ()  # what its reader may have meant, each a prepared reply
    lacks: tuple[MissingPart, ...] = ()
    bare: PlainFacts | None = None  # what a plain email says, in place of one that we cannot make


@dataclass(frozen=True, slots=True)
class Answer:
    items: Sequence[Mapping[str, Any]] = ()
    ignored: Sequence[str] = ()
    doubt: str = ""
    why: str = ""
    sender: str = ""
    puzzled: Mapping[str, Any] | None = None
    taught: Mapping[str, Any] | None = None
    taken_back: str | None = None
    again: bool = False
    agreed: bool = False  # whether its player said yes to what we had proposed
    last: str = ""
    shown: bool = False  # whether the player asked to see the whole game
    meant: Sequence[str] = ()
    cards: Mapping[str, VariantInfo] = field(default_factory=dict)

    @classmethod
    def from_words(cls, words: Mapping[str, Any], **beside: object) -> Self:
        """Return an answer from its stored words and from further fields."""
        known = cls.__match_args__
        return cls(**{name: value for name, value in {**words, **beside}.items() if name in known})


@dataclass(frozen=True, slots=True)
class EmailButtons:
    page: str  # the "table" or the "whole" game, if any
    reply: bool = False
    orders: tuple[str, ...] = ()
    draw: bool = False  # whether the player can offer one


@dataclass(frozen=True, slots=True)
class EmailPage:
    blocks: list[Block]
    offered: EmailButtons
    of_game: bool
    my_turn: bool = False
    letters: str = ""  # the board in letters, if there is no picture
    described: str = ""  # the picture of the board in words
    film: str = ""  # what the film is called, if there is one
    ready: tuple[str, ...] = ()  # what is offered in the text as a prepared reply
    at: str = ""  # the address of the page
    mailto: str = ""
