"""Who plays in a season: people and programs, each with a true strength a variant that the house does not know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import NamedTuple

from corr.service.house import House
from corr.service.players import players

#: What is played, one as gladly as another.
VARIANTS = ("wild16", "rbc", "cincinnati", "crazykrieg")
#: Of so many people one has a second name, under which they read letters in the same mailbox.
_TWICE = 30
#: Points that the first move is worth, and the part of games between equals that nobody wins.
_WHITE, _DRAWN = 25, 0.12
_RIVALS = 4
#: The part of games that are played with a rival.
_WITH_A_RIVAL = 0.25


class Person(NamedTuple):
    """Somebody who plays, by the row of theirs."""

    id: int
    is_program: bool
    strengths: dict[str, float]


@dataclass(frozen=True)
class Club:
    """All who play, by their rows; their rivals; and pairs that are one person."""

    people: dict[int, Person]
    rivals: dict[int, list[int]]
    one_person: set[frozenset[int]]

    def pair(self, chance: Random) -> tuple[int, int]:
        """Two who play each other, with White the first."""
        one = chance.choice(list(self.people))
        near = self.rivals[one] if chance.random() < _WITH_A_RIVAL else list(self.people.keys() - {one})
        pair = [one, chance.choice(near)]
        chance.shuffle(pair)
        return pair[0], pair[1]

    def winner(self, chance: Random, variant: str, white: int, black: int) -> str | None:
        """Who wins a game, by true strengths and chance; None is a draw."""
        ahead = self._strength(white, variant) - self._strength(black, variant) + _WHITE
        expected = 1 / (1 + 10 ** (-ahead / 400))
        drawn = _DRAWN * 4 * expected * (1 - expected)
        drew = chance.random()
        if drew < drawn:
            return None
        return "white" if drew < drawn + (1 - drawn) * expected else "black"

    def _strength(self, player: int, variant: str) -> float:
        """House players, who fill sections, are of no club, and as strong as anybody."""
        return self.people[player].strengths[variant] if player in self.people else 1500.0


def gather(house: House, number: int, chance: Random, now: datetime) -> Club:
    """People come to the house, one in ten of them a program."""
    people: dict[int, Person] = {}
    one_person = set()
    for index in range(number):
        is_double = index % _TWICE == _TWICE - 1
        address = f"p{index - is_double}{'+too' * is_double}@players.example"
        players.add(house, f"Player {index}", address, now)
        with house.store.writing() as connection:
            player = players.existing(connection, f"Player {index}")
            if is_program := index % 10 == 0:
                players.become_program(connection, player)
        if is_double:
            one_person.add(frozenset((player, max(people))))
        people[player] = Person(player, is_program, _strengths(chance))
    rivals = {each: chance.sample(list(people.keys() - {each}), _RIVALS) for each in people}
    for pair in one_person:
        one, other = pair
        rivals[one][0] = other
    return Club(people, rivals, one_person)


def _strengths(chance: Random) -> dict[str, float]:
    """One that holds for all variants, and what somebody is better or worse at in each."""
    whole = chance.gauss(1500, 280)
    return {variant: whole + chance.gauss(0, 120) for variant in VARIANTS}
