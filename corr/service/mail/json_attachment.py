"""Writes the JSON attachment for bots: the umpire's messages, and all that a reply needs (limits: `corr/limits.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corr import limits
from corr.mail.outward.email_to_send import EmailToSend
from corr.service.games.json_format import answer_as_json, encode_json, game_as_json, slip_as_json
from corr.service.games.slip_queries import NumberedSlip
from corr.service.games.view import GameInfo, ViewRequest
from corr.words.view import Stage, View

_NO_ANSWER = {"says": "", "orders": []}


def write_attachment(
    info: GameInfo,
    request: ViewRequest,
    accepted: bool,  # noqa: FBT001  # whether the player has accepted the game
    answer: Mapping[str, Any],
    numbered: Sequence[NumberedSlip],
    letter: EmailToSend,
) -> str:
    """Write a game email's JSON, with as many of the newest slips as fit."""
    view, moment = letter.view, request.moment
    assert view
    deadline = moment.public.time.deadline
    answered = {**answer, "items": answer["items"][: limits.ORDERS_TOLD]} if "items" in answer else {}
    slips = [slip_as_json(each) for each in numbered]
    return encode_json(
        {
            **game_as_json(info, request.seat.side, moment.public),
            "opponent": info.name,
            "my_turn": _is_awaited(view, accepted=accepted),
            "deadline": deadline.isoformat() if deadline else None,
            "letter": letter.kind,
            "reply_to": letter.reply_to,
            "slip": moment.slip,
            "slips": _fit_newest(slips),
            **(answer_as_json(answered, view, "letter") if answered else _NO_ANSWER),
        }
    )


def _is_awaited(view: View, *, accepted: bool) -> bool:
    """Whether the player must act; an offered game waits for them to accept it."""
    return not accepted if view.state is Stage.OFFERED else view.my_turn


def _fit_newest(slips: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return as many of the newest slips as fit, and at least the last one."""
    room, kept = limits.SLIP_FILE_BYTES, list[Mapping[str, Any]]()
    for each in reversed(slips):
        room -= len(encode_json(each).encode())
        if room < 0 and kept:
            break
        kept.insert(0, each)
    return kept
