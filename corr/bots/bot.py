"""Plays one seat as a bot: it observes slips and chooses orders (how, and when to resign: `order_choice.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from corr.bots.belief import update_belief
from corr.bots.characters import Character
from corr.bots.history import Arrangement, Observation, arrangement_of
from corr.bots.order_choice import choose_order, should_accept_draw, should_offer_draw, should_resign
from corr.bots.possible_positions import Belief, limit_belief
from corr.rules.core.umpire import Umpire
from corr.words.orders import Command, Move, Order, Tries
from corr.words.slips import Slip

_FEW_POSITIONS = 12  # the number of positions for a bot in a hurry


class PackedPositions(NamedTuple):
    """Positions as their umpire packs them, and how likely each is."""

    truths: tuple[bytes, ...] = ()
    weights: tuple[float, ...] = ()
    is_whole: bool = False


class Thought(NamedTuple):
    """What a bot concludes from the slips it has observed: the possible positions, and which slips they rest on."""

    heard: int = 0  # how many slips the bot has observed
    turn: tuple[int, ...] = ()  # the numbers of the slips that tell its positions from others
    held: PackedPositions = PackedPositions()
    before: PackedPositions | None = None  # the positions before the opponent's move, while a sense is due


class BotPlayer:
    """A bot at one seat of one game; with the same seed and slips it writes the same orders."""

    def __init__(
        self,
        umpire: Umpire[Any],
        character: Character,
        seed: int,
        hurries: Callable[[], bool] = lambda: False,
    ) -> None:
        self._umpire, self._character, self._seed = umpire, character.at(umpire.card.key), seed
        self._hurries = hurries
        self._observed = 0
        self._turn: tuple[int, ...] = ()
        self._last: Slip | None = None
        self._arrangements = Counter[Arrangement]()
        self._quiet_moves = 0
        self.belief = Belief()

    def resume(self, thought: Thought, observations: Sequence[Observation]) -> None:
        """Continue from an earlier thought about the first slips, and observe the rest."""
        if thought.heard:
            self._observed, self._turn = thought.heard, thought.turn
            self._last = observations[thought.heard - 1].slip
            belief, before = self._restore_belief(thought.held), thought.before
            self.belief = belief._replace(
                turn=tuple(observations[number] for number in thought.turn),
                before=None if before is None else self._restore_belief(before),
            )
        for heard in observations[: thought.heard]:
            self._count_move(heard)
        for heard in observations[thought.heard :]:
            self.observe(heard)

    @property
    def thought(self) -> Thought:
        """What to store of this bot, so that `resume` can continue later."""
        before = self.belief.before
        held = self._packed(self.belief)
        return Thought(self._observed, self._turn, held, None if before is None else self._packed(before))

    def observe(self, observation: Observation) -> None:
        """Take in one slip, and update the positions considered possible."""
        self._observed += 1
        self._last = observation.slip
        self._count_move(observation)
        size, belief, chance = self._character.positions, self.belief, self._chance("heard")
        if self._hurries():
            size, belief = _FEW_POSITIONS, limit_belief(belief, _FEW_POSITIONS, chance)
        self.belief = update_belief(self._umpire, belief, observation, size, chance)
        told = self.belief.turn
        if told and told[-1] is observation:
            self._turn = (*self._turn[: len(told) - 1], self._observed - 1)

    def write(self) -> Order:
        """Choose an order for the board."""
        assert self._last
        sight, chance = self._last.sight, self._chance("writes")
        return choose_order(
            self._umpire, sight, self.belief, self._character, chance, self._arrangements, self._quiet_moves
        )

    def orders(self, *, is_awaited: bool, is_offered: bool) -> tuple[Order, ...]:
        """Choose what to write when it is the bot's turn, a draw is offered, or both; empty for nothing."""
        assert self._last
        variant, side = self._umpire.card.key, self._last.side
        if is_offered and should_accept_draw(variant, side, self.belief, self._quiet_moves):
            return (Command("accept"),)
        if not is_awaited:
            return (Command("decline"),) if is_offered else ()
        if should_resign(variant, side, self._last.sight, self.belief):
            return (Command("resign", "resign"),)
        order = self.write()
        is_move = isinstance(order, Move | Tries)
        if is_move and not is_offered and should_offer_draw(variant, side, self.belief, self._quiet_moves):
            return (order, Command("draw?"))
        return (order,)

    def _packed(self, belief: Belief) -> PackedPositions:
        return PackedPositions(tuple(map(self._umpire.pack, belief.truths)), belief.weights, belief.is_whole)

    def _restore_belief(self, held: PackedPositions) -> Belief:
        truths = tuple(map(self._umpire.restore, held.truths))
        return Belief(truths, is_whole=held.is_whole, weights=held.weights)

    def _count_move(self, observation: Observation) -> None:
        """Count own moves since the last capture, and how often own pieces were arranged like this."""
        if observation.captured is not None:
            self._quiet_moves = 0
        elif observation.slip.is_of_own_move:
            self._quiet_moves += 1
        if observation.slip.is_of_own_move:
            self._arrangements[arrangement_of(observation.slip.sight)] += 1

    def _chance(self, what: str) -> Random:
        """Return a random generator that is the same each time this step is repeated."""
        return Random(f"{self._seed} {self._observed} {what}")  # noqa: S311  # to be played again alike, no secret
