"""Retells a finished game turn by turn: what both, or one alone, were told."""

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
    """A finished game: both sides' slips before its first move and after each, and who had moved."""

    turns: Pair[list[list[Slip]]]
    movers: tuple[Side, ...]  # before the first move, the side that did not begin

    def made(self, number: int) -> Datum:
        """Return a half-move by its squares, as its mover was told; the first is number 1."""
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
        """Return what one side heard from a half-move until the next."""
        told = (
            _spoken_words(slip, (fact for fact in slip.facts if fact.is_public or _is_private(fact)))
            for slip in self.turns[side][number]
        )
        return tuple(_merge_repeats(filter(None, told)))

    @property
    def ending(self) -> str:
        """The umpire's words on how the game ended."""
        last = self.turns.white[-1]
        return " ".join(
            _spoken_words(slip, (fact for fact in slip.facts if fact.audience is Audience.END))
            for slip in last
        ).strip()


def retell(slips: Pair[tuple[Slip, ...]]) -> RetoldGame:
    """Group both sides' slips by turn; Refused if the pieces were never on the board."""
    started = Pair(_slips_from_start(slips.white), _slips_from_start(slips.black))
    if not (started.white and started.black):
        raise Refused("This game ended before the pieces were deployed, so it has no moves.")
    turns = Pair(_group_turns(started.white), _group_turns(started.black))
    begins = started.white[0].find(Common.TURN)
    assert begins
    made = (turn[0].facts[0] for turn in turns.white[1:])
    return RetoldGame(turns, (Side(str(begins["side"])).other, *(Side(str(fact["side"])) for fact in made)))


def _slips_from_start(slips: tuple[Slip, ...]) -> tuple[Slip, ...]:
    """Return the slips from the first that announces a turn; empty if none does."""
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


def _words_to_both(slip: Slip) -> str:
    """Return what both sides heard, by the opponent's slip, since the mover's may word it otherwise."""
    return _spoken_words(slip, (fact for fact in slip.facts if fact.is_public))


def _is_private(fact: Fact) -> bool:
    return fact.audience is Audience.ALONE


def _words_to_one(slip: Slip) -> str:
    """Return what only this side heard, after its name; empty if nothing."""
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
    """Remove a note such as "(3 times.)" from the end of a comment."""
    return re.sub(r" \(\d+ times\.\)$", "", said)
