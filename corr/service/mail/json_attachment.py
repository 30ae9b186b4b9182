"""The file for programs beside a letter to a seat: what its reader was handed, and all that is needed to answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from corr import limits
from corr.mail.outward.compose import Outgoing
from corr.service.games.json_format import answer_as_json, game_as_json, slip_as_json, text_of
from corr.service.games.new_slips import Numbered
from corr.service.games.view import Asked, Meeting
from corr.words.view import Stage, View

_NO_ANSWER = {"says": "", "orders": []}


class Beside(NamedTuple):
    """Beside which letter a file goes: what that tells of, what it answers, and which slips its reader was handed."""

    meeting: Meeting
    asked: Asked
    accepted: bool
    answer: Mapping[str, Any]
    handed: Sequence[Numbered]


def written(beside: Beside, letter: Outgoing) -> str:
    """The file, with the newest of the slips for which there is room."""
    view, moment = letter.view, beside.asked.moment
    assert view
    deadline, answer = moment.public.time.deadline, beside.answer
    answered = {**answer, "items": answer["items"][: limits.ORDERS_TOLD]} if "items" in answer else {}
    slips = [slip_as_json(each) for each in beside.handed]
    return text_of(
        {
            **game_as_json(beside.meeting, beside.asked.seat.side, moment.public),
            "opponent": beside.meeting.name,
            "my_turn": _is_awaited(view, accepted=beside.accepted),
            "deadline": deadline.isoformat() if deadline else None,
            "letter": letter.kind,
            "reply_to": letter.reply_to,
            "slip": moment.slip,
            "slips": _newest(slips),
            **(answer_as_json(answered, view, "letter") if answered else _NO_ANSWER),
        }
    )


def _is_awaited(view: View, *, accepted: bool) -> bool:
    """Whether there is something to be done: of a game that is only offered, to take it up or not."""
    return not accepted if view.state is Stage.OFFERED else view.my_turn


def _newest(slips: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """As many of them as a file holds, in any case the last one."""
    room, kept = limits.SLIP_FILE_BYTES, list[Mapping[str, Any]]()
    for each in reversed(slips):
        room -= len(text_of(each).encode())
        if room < 0 and kept:
            break
        kept.insert(0, each)
    return kept
