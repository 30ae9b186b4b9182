"""Who lost on time: whether the house had told them of their turn, and had given them all of it since."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_DAY = 86_400_000_000
_LONGEST_WAIT = 7 * _DAY
_FLAGGED = """
    select games.code, games.clock, games.ended_at, seats.id,
           (select max(at) from orders join seats as both_seats on both_seats.id = orders.seat_id
            where both_seats.game_id = games.id and verdict = 'moved')
    from games join seats on seats.game_id = games.id and seats.side <> games.winner
    where games.reason = 'time'
"""
_LETTERS = "select seat_id, made_at, sent_at from outbox where kind <> 'over'"


def wronged(ask: Callable[[str], list[tuple[Any, ...]]]) -> Iterator[str]:
    """Players flagged untold, or before their time, each in a line of words."""
    letters = ask(_LETTERS)
    for game, clock, ended_at, seat, moved_at in ask(_FLAGGED):
        begun = moved_at or 0
        out = [
            sent_at
            for of_seat, made_at, sent_at in letters
            if of_seat == seat and made_at >= begun and sent_at and sent_at <= ended_at
        ]
        time = int(clock.removesuffix("d")) * _DAY
        if not out and ended_at - begun < time + _LONGEST_WAIT:
            yield f"game {game}: flagged untold"
        elif out and ended_at - min(out) < time:
            yield f"game {game}: flagged {(time - ended_at + min(out)) / 1e6:.0f} s before the time"
