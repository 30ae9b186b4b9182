"""What either side was handed in a game that is over, turn by turn, and what of it everybody may read.

A code that is named in neither table stays out: what was refused to one side alone is nobody else's, in no review.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from corr.words import Datum, Fact, Pair, Refused, Side, Slip

_MADE = ("moved", "dropped")
_ENDS = ("checkmate", "stalemate", "draw", "king-captured", "resigned", "time", "adjudicated")
_NEWS = ("capture", "reserves", "check", "turn", "tries", "pawn-capture", "offer", "declined")
#: What the operator decrees while a game goes on.
_DECREED = ("paused", "resumed", "extended")
#: What an umpire says to an attempt or a question: aloud only where it names the side, else to that side alone.
_ANSWERS = ("illegal", "nonsense", "impossible", "any")
#: What one side was told alone, and both may read once the game is over.
_ALONE = ("king", "spy", "sensed", "taken")


@dataclass(frozen=True, slots=True)
class Retelling:
    """A game that is over: before its first move and after each, what either side was handed, and who had moved.

    Nobody has made the first move before it; who did not begin stands there.
    """

    turns: Pair[list[list[Slip]]]
    movers: tuple[Side, ...]

    def made(self, number: int) -> Datum:
        """A move by its squares, as its own side was told."""
        return self.turns[self.movers[number]][number][0].facts[0]["move"]

    def comments(self, number: int) -> tuple[str, ...]:
        """What was said after a move, until the next: to both, then to each alone."""
        mover = self.movers[number]
        first, *later = self.turns[mover.other][number]
        told = [_aloud(first), *(_alone(slip) for slip in self.turns[mover][number]), _alone(first)]
        told += [said for slip in later for said in (_aloud(slip), _alone(slip))]
        return tuple(_counted(filter(None, told)))

    def told(self, number: int, side: Side) -> tuple[str, ...]:
        """The same as one side heard it."""
        told = (_said(slip, filter(_may_be_read, slip.facts)) for slip in self.turns[side][number])
        return tuple(_counted(filter(None, told)))

    @property
    def ending(self) -> str:
        """By which words the game ended."""
        last = self.turns.white[-1]
        return " ".join(
            _said(slip, (fact for fact in slip.facts if fact.code in _ENDS)) for slip in last
        ).strip()


def retell(slips: Pair[tuple[Slip, ...]]) -> Retelling:
    """A game by all that either side was handed in it; Refused if the men were never on the board."""
    handed = Pair(_begun(slips.white), _begun(slips.black))
    if not (handed.white and handed.black):
        raise Refused("The men were never on the board in this game, so there is nothing to write down.")
    turns = Pair(_turns(handed.white), _turns(handed.black))
    return Retelling(turns, (_to_move(handed.white[0]).other, *map(_mover, turns.white[1:])))


# ---------------------------------------------------------------- from slips to turns


def _begun(slips: tuple[Slip, ...]) -> tuple[Slip, ...]:
    """What a side was handed from the moment that the men were on the board."""
    first = next(
        (at for at, slip in enumerate(slips) if any(fact.code == "turn" for fact in slip.facts)), None
    )
    return () if first is None else slips[first:]


def _to_move(slip: Slip) -> Side:
    return next(Side(str(fact["side"])) for fact in slip.facts if fact.code == "turn")


def _turns(slips: Iterable[Slip]) -> list[list[Slip]]:
    """What a side was handed before the first move and after each; what was said before a move is no part of it."""
    turns: list[list[Slip]] = [[]]
    for slip in slips:
        made = next((at for at, fact in enumerate(slip.facts) if fact.code in _MADE), None)
        turns[-1].append(slip._replace(facts=slip.facts[:made]))
        if made is not None:
            turns.append([slip._replace(facts=slip.facts[made:])])
    return turns


def _mover(turn: list[Slip]) -> Side:
    return Side(str(turn[0].facts[0]["side"]))


# ---------------------------------------------------------------- what was said


def _aloud(slip: Slip) -> str:
    """What both heard; the mover's own slip may word the move otherwise, so it is the other side's that is asked."""
    return _said(slip, (fact for fact in slip.facts if _is_heard_by_both(fact)))


def _is_heard_by_both(fact: Fact) -> bool:
    is_answer = fact.code in _ANSWERS and "side" in dict(fact.data)
    return is_answer or fact.code in (*_MADE, *_NEWS, *_DECREED, *_ENDS)


def _may_be_read(fact: Fact) -> bool:
    return fact.code in _ALONE or _is_heard_by_both(fact)


def _alone(slip: Slip) -> str:
    said = _said(slip, (fact for fact in slip.facts if fact.code in _ALONE))
    return f"{slip.side.called} alone was told: {said}" if said else ""


def _said(slip: Slip, facts: Iterable[Fact]) -> str:
    return slip._replace(facts=tuple(facts)).spoken


def _counted(told: Iterable[str]) -> Iterator[str]:
    """The same said several times in a row is said once, and how often."""
    for said, each in groupby(told):
        times = len(list(each))
        yield f"{said} ({times} times.)" if times > 1 else said
