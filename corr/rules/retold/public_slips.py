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
class RetoldGame:
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
        told = [
            _words_to_both(first),
            *(_words_to_one(slip) for slip in self.turns[mover][number]),
            _words_to_one(first),
        ]
        told += [said for slip in later for said in (_words_to_both(slip), _words_to_one(slip))]
        return tuple(_merge_repeats(filter(None, told)))

    def told(self, number: int, side: Side) -> tuple[str, ...]:
        """Return the same as one side heard it."""
        told = (
            _spoken_words(slip, (fact for fact in slip.facts if fact.is_public or _is_private(fact)))
            for slip in self.turns[side][number]
        )
        return tuple(_merge_repeats(filter(None, told)))

    @property
    def ending(self) -> str:
        last = self.turns.white[-1]
        return " ".join(
            _spoken_words(slip, (fact for fact in slip.facts if fact.audience is Audience.END))
            for slip in last
        ).strip()


def retell(slips: Pair[tuple[Slip, ...]]) -> RetoldGame:
    """Retell a game from both sides' slips; Refused if the pieces were never on the board."""
    handed = Pair(_slips_from_start(slips.white), _slips_from_start(slips.black))
    if not (handed.white and handed.black):
        raise Refused("The pieces were never on the board in this game, so there is nothing to write down.")
    turns = Pair(_group_turns(handed.white), _group_turns(handed.black))
    begins = handed.white[0].find(Common.TURN)
    assert begins
    made = (turn[0].facts[0] for turn in turns.white[1:])
    return RetoldGame(turns, (Side(str(begins["side"])).other, *(Side(str(fact["side"])) for fact in made)))


# ---------------------------------------------------------------- from slips to turns


def _slips_from_start(slips: tuple[Slip, ...]) -> tuple[Slip, ...]:
    first = next((at for at, slip in enumerate(slips) if slip.tells(Common.TURN)), None)
    return () if first is None else slips[first:]


def _group_turns(slips: Iterable[Slip]) -> list[list[Slip]]:
    """Group a side's slips before the first move and after each, without what was said before the move."""
    turns: list[list[Slip]] = [[]]
    for slip in slips:
        made = next((at for at, fact in enumerate(slip.facts) if fact.audience is Audience.MOVE), None)
        turns[-1].append(slip._replace(facts=slip.facts[:made]))
        if made is not None:
            turns.append([slip._replace(facts=slip.facts[made:])])
    return turns


# ---------------------------------------------------------------- what was said


def _words_to_both(slip: Slip) -> str:
    """Return what both heard. It reads the opponent's slip, since the mover's may word the move otherwise."""
    return _spoken_words(slip, (fact for fact in slip.facts if fact.is_public))


def _is_private(fact: Fact) -> bool:
    return fact.audience is Audience.ALONE


def _words_to_one(slip: Slip) -> str:
    said = _spoken_words(slip, filter(_is_private, slip.facts))
    return f"{slip.side.called} alone was told: {said}" if said else ""


def _spoken_words(slip: Slip, facts: Iterable[Fact]) -> str:
    return slip._replace(facts=tuple(facts)).spoken


def _merge_repeats(told: Iterable[str]) -> Iterator[str]:
    """Merge repeated comments into one with their number."""
    for said, each in groupby(told):
        times = len(list(each))
        yield f"{said} ({times} times.)" if times > 1 else said


def remove_repeat_count(said: str) -> str:
    return re.sub(r" \(\d+ times\.\)$", "", said)
