"""Holds the weighted positions a seat considers possible, since they fit every word on its slips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from corr.bots.history import Observation

#: A possible position, and how likely it is beside others.
WeightedPosition: TypeAlias = tuple[Any, float]


class Belief(NamedTuple):
    """Possible positions, and the slips since the turn began that tell them from others."""

    truths: tuple[Any, ...] = ()
    turn: tuple[Observation, ...] = ()
    is_whole: bool = False  # whether no other position is possible
    weights: tuple[float, ...] = ()  # the likelihood of each; empty if all are alike
    before: Belief | None = None  # the belief before the opponent's move, while a sense is still to show it

    @property
    def weighed(self) -> list[WeightedPosition]:
        """Each position with its weight."""
        return list(zip(self.truths, self.weights or [1.0] * len(self.truths), strict=True))


def sample_positions(belief: Belief, wanted: int, chance: Random) -> list[WeightedPosition]:
    """Draw this many positions by lot, likelier ones sooner; together they weigh what all do."""
    weighed = belief.weighed
    if len(weighed) <= wanted:
        return weighed
    if not belief.weights:
        return chance.sample(weighed, wanted)
    lots = [chance.expovariate(weight) for _, weight in weighed]
    order = sorted(range(len(lots)), key=lots.__getitem__)
    chosen = [weighed[number] for number in order[:wanted]]
    return list(
        zip(
            [truth for truth, _ in chosen],
            weigh_sample([weight for _, weight in chosen], lots[order[wanted]]),
            strict=True,
        )
    )


def limit_belief(belief: Belief, wanted: int, chance: Random) -> Belief:
    """Return the belief with at most this many positions, now and before."""
    before = belief.before and limit_belief(belief.before, wanted, chance)
    if len(belief.truths) <= wanted:
        return belief._replace(before=before)
    chosen = sample_positions(belief, wanted, chance)
    truths = tuple([truth for truth, _ in chosen])
    weights = tuple([weight for _, weight in chosen]) if belief.weights else ()
    return belief._replace(truths=truths, weights=weights, is_whole=False, before=before)


def weigh_sample(weights: Sequence[float], least: float) -> list[float]:
    """Return unbiased weights of the drawn items, given the first lot that was left out."""
    return [weight / -math.expm1(-weight * least) for weight in weights]
