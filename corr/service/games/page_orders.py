"""Stores orders from a game's page (limit: `corr/limits.py`), reads answers, and suggests orders for unclear lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

from corr import limits
from corr.game.standing_orders import is_announced, to_standing_orders
from corr.orders import (
    OwnMoves,
    UnclearLine,
    parse_lines,
    parse_order,
    propose_from_prose,
    propose_orders,
    propose_setting,
    propose_setups,
)
from corr.service import catalogue
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import InboxRow
from corr.store.texts import store_incoming
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.orders import StandingOrders
from corr.words.view import Stage, Try, VariantInfo, View


@dataclass(frozen=True, slots=True)
class PageText:
    """A player's text from a game's page, and the version of the page: the seat's counters."""

    text: str
    stamp: str

    @property
    def key(self) -> str:
        """Return a hash of text and page version, so that a text sent twice counts once."""
        said = hashlib.blake2b(f"{self.stamp}\n{self.text}".encode(), digest_size=16)
        return f"page {said.hexdigest()}"


class Answer(NamedTuple):
    """Whether a worker has read the message yet, and the umpire's answer; empty until then."""

    is_given: bool
    words: dict[str, Any]


class _AnswerRow(NamedTuple):
    is_read: bool
    answer: str | None


_IS_THIS_TEXT = (InboxRow.seat_id == bindparam("seat")) & (InboxRow.message_key == bindparam("key"))
_QUEUED_QUERY = select(InboxRow.id).where(_IS_THIS_TEXT)
_ANSWER_QUERY = select(InboxRow.read_at.is_not(None).label("is_read"), InboxRow.answer).where(_IS_THIS_TEXT)
_ANSWERED_QUERY = select(InboxRow.id).where(
    InboxRow.id.in_(bindparam("written", expanding=True)), InboxRow.read_at.is_not(None)
)


def queue_text(server: Server, seat_id: int, written: PageText, now: datetime) -> int:
    """Store a page's text once in the inbox for a worker; return its inbox id. Refused if too long."""
    if len(written.text) > limits.PAGE_CHARACTERS:
        raise Refused(sentence("games.too_long"))
    slip, step, _ = map(int, written.stamp.split("-"))
    with server.store.writing() as connection:
        store_incoming(
            connection,
            seat_id=seat_id,
            slip=slip,
            step=step,
            bounce=False,
            recipients="[]",
            message_key=written.key,
            raw=written.text.encode(),
            received_at=now,
            tries=0,
            page=True,
        )
        known: int = connection.execute(_QUEUED_QUERY, {"seat": seat_id, "key": written.key}).scalar_one()
    return known


def find_answered(server: Server, written: Collection[int]) -> Sequence[int]:
    """Return which of these inbox ids a worker has read and answered."""
    with server.store.asking() as connection:
        return connection.execute(_ANSWERED_QUERY, {"written": list(written)}).scalars().all()


def find_answer(server: Server, seat_id: int, key: str) -> Answer | None:
    """Return the answer to a page's text by its `PageText.key`; None if no such text came."""
    with server.store.asking() as connection:
        kept = one_or_none_of(_AnswerRow, connection.execute(_ANSWER_QUERY, {"seat": seat_id, "key": key}))
    return Answer(kept.is_read, json.loads(kept.answer or "{}")) if kept else None


#: The possible results of an accepted set-up.
DEPLOYMENT_NOTES = ("sealed", "begun", "clash", "void")


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """One order and its answer: a note that a template words, or the umpire's words."""

    order: str
    note: str
    said: str = ""
    move: str = ""
    tried: tuple[Try, ...] = ()  # for a list: the tries that were no move, with the umpire's words
    heard: int = 0  # how many of these tries the opponent hears about
    untried: str = ""  # the rest of the list after the move that was made
    lines: tuple[str, ...] = ()  # the requested lines, for a command that lists something
    uneventful: bool = (
        False  # for a move: whether it was made as ordered, and the umpire said nothing of note
    )
    replaces: bool = False  # whether it replaced the standing orders for this turn


def suggest_orders(answer: Mapping[str, Any], view: View) -> tuple[str, ...]:
    """Suggest up to three orders that the player may have meant; none if all was clear."""
    # Orders for this turn, written before the player knew that it had come.
    items = answer.get("items", ())
    if overtaken := tuple(item["order"] for item in items if item["note"] == "overtaken"):
        return overtaken if view.state is Stage.RUNNING and view.my_turn and not view.late else ()
    puzzled, prose = answer.get("puzzled"), answer.get("ignored", ())
    is_without = not (puzzled or items or answer.get("doubt")) and prose
    setting = propose_setting(prose) if is_without else ""
    if setting or not (puzzled or is_without) or view.sight is None or view.late:
        return (setting,) if setting else ()
    if view.state is Stage.DEPLOYING:
        lines = (*([puzzled["line"]] if puzzled else ()), *prose)
        return () if view.sight.own else propose_setups(lines, catalogue.moves(view.card.key, view.sight))
    keeps_orders = view.card.told and view.lesson is None
    if view.state is not Stage.RUNNING or not (view.my_turn or keeps_orders):
        return ()
    options = partial(catalogue.moves, view.card.key)
    own = OwnMoves(view.sight, options(view.sight), view.card, options, view.my_turn)
    if puzzled:
        acts, alone = tuple(puzzled.get("acts", ())), puzzled.get("alone", True)
        puzzle = UnclearLine(puzzled["line"], puzzled["why"], acts=acts, alone=alone)
        return tuple(each for each in propose_orders(puzzle, own) if _is_told(each, view.card))
    return propose_from_prose(prose, own)


def list_standing_moves(standing: str) -> tuple[str, ...]:
    """Return the moves in a player's orders for the next turn, whatever they depend on."""
    given = to_standing_orders(parse_order(standing))
    lists = (*(each.tries for each in given.branches), given.otherwise) if given else ()
    return tuple(str(step) for tries in lists if tries for step in tries.steps)


def _is_told(orders: str, card: VariantInfo) -> bool:
    """Whether this umpire announces all that the "if" conditions of these orders ask about."""
    return all(
        not isinstance(each, StandingOrders) or is_announced(each, card.told)
        for each in parse_lines([orders]).orders
    )
