"""Pairs the players of a round robin by Berger's table, with colours. Pure."""

from __future__ import annotations

from typing import TypeAlias

from corr.words.board import Pair

#: The numbers of the entrants, from 1, who play each other in one round.
Round: TypeAlias = tuple[Pair[int], ...]


def rounds(entrants: int) -> tuple[Round, ...]:
    """Return a single round robin; with an odd number of entrants, one is free in each round."""
    last = entrants + entrants % 2
    if entrants < 2:
        return ()
    free = entrants + 1
    table = (_round(number, last) for number in range(last - 1))
    return tuple(tuple(pair for pair in each if free not in (pair.white, pair.black)) for each in table)


def double_round_robin(entrants: int) -> tuple[Round, ...]:
    """Return a double round robin, in which each pair plays once with each colour."""
    first = rounds(entrants)
    return first + tuple(tuple(Pair(pair.black, pair.white) for pair in each) for each in first)


def _round(number: int, last: int) -> Round:
    """Pair one round: the last entrant meets one of a ring, and the rest pair up around that one."""
    ring, half = last - 1, last // 2
    at = number * half
    others = (Pair((at + far) % ring + 1, (at - far) % ring + 1) for far in range(1, half))
    met = at % ring + 1
    return (Pair(last, met) if number % 2 else Pair(met, last), *others)
