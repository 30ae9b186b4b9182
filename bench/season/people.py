"""Players of a season: people and bots, each with a true strength that the server doesn't know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random

from corr.service.players import players
from corr.service.server import Server

#: The variants, all equally likely.
VARIANTS = ("wild16", "rbc", "cincinnati", "crazykrieg")
#: One in this many people has a second name with the same mailbox.
_TWICE = 30
#: The rating points of the first move, and the share of draws between equals.
_WHITE, _DRAWN = 25, 0.12
#: How many rivals each has, and the share of games with rivals.
_RIVALS, _WITH_A_RIVAL = 4, 0.25


@dataclass(frozen=True)
class Club:
    """The players' strengths, by their rows; their rivals; and pairs that are one person."""

    people: dict[int, dict[str, float]]
    rivals: dict[int, list[int]]
    one_person: set[frozenset[int]]

    def pair(self, chance: Random) -> tuple[int, int]:
        """Two who play each other, White first."""
        one = chance.choice(list(self.people))
        near = self.rivals[one] if chance.random() < _WITH_A_RIVAL else list(self.people.keys() - {one})
        white, black = chance.sample([one, chance.choice(near)], 2)
        return white, black

    def result(self, chance: Random, variant: str, white: int, black: int) -> str:
        """Who wins a game, by true strengths and chance."""
        ahead = self._strength(white, variant) - self._strength(black, variant) + _WHITE
        expected = 1 / (1 + 10 ** (-ahead / 400))
        drawn, drew = _DRAWN * 4 * expected * (1 - expected), chance.random()
        if drew < drawn:
            return "draw"
        return "white" if drew < drawn + (1 - drawn) * expected else "black"

    def _strength(self, player: int, variant: str) -> float:
        """Bots that fill sections belong to no club and have average strength."""
        return self.people[player][variant] if player in self.people else 1500.0


def gather(server: Server, number: int, chance: Random, now: datetime) -> Club:
    """Sign people up; one in ten is a bot."""
    people: dict[int, dict[str, float]] = {}
    one_person = set()
    for index in range(number):
        is_double = index % _TWICE == _TWICE - 1
        players.add(
            server, f"Player {index}", f"p{index - is_double}{'+too' * is_double}@players.example", now
        )
        with server.store.writing() as connection:
            player = players.require_player(connection, f"Player {index}")
            if index % 10 == 0:
                players.become_bot(connection, player)
        if is_double:
            one_person.add(frozenset((player, max(people))))
        whole = chance.gauss(1500, 280)
        people[player] = {variant: whole + chance.gauss(0, 120) for variant in VARIANTS}
    rivals = {each: chance.sample(list(people.keys() - {each}), _RIVALS) for each in people}
    for one, other in one_person:
        rivals[one][0] = other
    return Club(people, rivals, one_person)
