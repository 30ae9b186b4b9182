"""Collects both sides' slips of a finished game, turn by turn, and what of them everybody may read.

A fact's code says who hears it: a refusal told to one side only is on no slip that everybody may read. A side's
tries are in its log, which nothing here reads; `corr/service` shows what the player agreed to show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from corr.words.board import Pair, Side
from corr.words.codes import Audience, Common, Datum
from corr.words.errors import Refused
from corr.words.slips import Fact, Slip


@dataclass(frozen=True, slots=True)
class Retelling:
    """A finished game: both sides' slips before its first move and after each, and who had moved.

    Nobody has moved before the first move, so there `movers` has the side that did not begin.
    """

    turns: Pair[list[list[Slip]]]
    movers: tuple[Side, ...]

    def made(self, number: int) -> Datum:
        """Return a move by its squares, as its own side was told."""
        return self.turns[self.movers[number]][number][0].facts[0]["move"]

    def comments(self, number: int) -> tuple[str, ...]:
        """Return the comments from a move until the next: to both sides, then to each alone."""
        mover = self.movers[number]
        first, *later = self.turns[mover.other][number]
        told = [_aloud(first), *(_alone(slip) for slip in self.turns[mover][number]), _alone(first)]
        told += [said for slip in later for said in (_aloud(slip), _alone(slip))]
        return tuple(_counted(filter(None, told)))

    def told(self, number: int, side: Side) -> tuple[str, ...]:
        """Return the same as one side heard it."""
        told = (_said(slip, filter(_may_be_read, slip.facts)) for slip in self.turns[side][number])
        return tuple(_counted(filter(None, told)))

    @property
    def ending(self) -> str:
        """The words by which the game ended."""
        last = self.turns.white[-1]
        return " ".join(
            _said(slip, (fact for fact in slip.facts if fact.audience is Audience.END)) for slip in last
        ).strip()


def retell(slips: Pair[tuple[Slip, ...]]) -> Retelling:
    """Retell a game from both sides' slips; Refused if the pieces were never on the board."""
    handed = Pair(_begun(slips.white), _begun(slips.black))
    if not (handed.white and handed.black):
        raise Refused("The pieces were never on the board in this game, so there is nothing to write down.")
    turns = Pair(_turns(handed.white), _turns(handed.black))
    return Retelling(turns, (_to_move(handed.white[0]).other, *map(_mover, turns.white[1:])))


# ---------------------------------------------------------------- from slips to turns


def _begun(slips: tuple[Slip, ...]) -> tuple[Slip, ...]:
    first = next((at for at, slip in enumerate(slips) if slip.tells(Common.TURN)), None)
    return () if first is None else slips[first:]


def _to_move(slip: Slip) -> Side:
    return next(Side(str(fact["side"])) for fact in slip.facts if fact.code == Common.TURN)


def _turns(slips: Iterable[Slip]) -> list[list[Slip]]:
    """Group a side's slips before the first move and after each, without what was said before the move."""
    turns: list[list[Slip]] = [[]]
    for slip in slips:
        made = next((at for at, fact in enumerate(slip.facts) if fact.audience is Audience.MOVE), None)
        turns[-1].append(slip._replace(facts=slip.facts[:made]))
        if made is not None:
            turns.append([slip._replace(facts=slip.facts[made:])])
    return turns


def _mover(turn: list[Slip]) -> Side:
    return Side(str(turn[0].facts[0]["side"]))


# ---------------------------------------------------------------- what was said


def _aloud(slip: Slip) -> str:
    """Return what both heard. It reads the opponent's slip, since the mover's may word the move otherwise."""
    return _said(slip, (fact for fact in slip.facts if fact.is_public))


def _may_be_read(fact: Fact) -> bool:
    return fact.audience is Audience.ALONE or fact.is_public


def _alone(slip: Slip) -> str:
    said = _said(slip, (fact for fact in slip.facts if fact.audience is Audience.ALONE))
    return f"{slip.side.called} alone was told: {said}" if said else ""


def _said(slip: Slip, facts: Iterable[Fact]) -> str:
    return slip._replace(facts=tuple(facts)).spoken


def _counted(told: Iterable[str]) -> Iterator[str]:
    """Merge repeated comments into one with their number."""
    for said, each in groupby(told):
        times = len(list(each))
        yield f"{said} ({times} times.)" if times > 1 else said


def without_times(said: str) -> str:
    """Remove the number of repetitions from a comment."""
    return re.sub(r" \(\d+ times\.\)$", "", said)
