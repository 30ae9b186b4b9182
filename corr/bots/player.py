"""Plays one seat as a bot: it hears slips and chooses orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from corr.bots.belief import after
from corr.bots.character import Character
from corr.bots.choice import order_for
from corr.bots.draw_decision import gives_up, offers_a_draw, takes_a_draw
from corr.bots.history import Heard
from corr.bots.piece_shuffling import Stand, stand_of
from corr.bots.possible_positions import Belief, thinned
from corr.rules.core.umpire import Umpire
from corr.words.orders import Move, Order, Tries, Word
from corr.words.slips import Slip

#: The number of positions for a bot in a hurry.
_FEW = 12


class Held(NamedTuple):
    """Positions as their umpire packs them, and how likely each is."""

    truths: tuple[bytes, ...] = ()
    weights: tuple[float, ...] = ()
    is_whole: bool = False


class Thought(NamedTuple):
    """What a bot concludes from all it has heard: the possible positions, and the slips they depend on."""

    heard: int = 0
    turn: tuple[int, ...] = ()  # the numbers of the slips that tell its positions from others
    held: Held = Held()
    before: Held | None = None  # what it held before the opponent's move, while a sense is due


class Player:
    """One character's thoughts about one game.

    Bots with the same seed that hear the same write the same. A bot in a hurry goes on with fewer positions.
    """

    def __init__(
        self,
        umpire: Umpire[Any],
        character: Character,
        seed: int,
        hurries: Callable[[], bool] = lambda: False,
    ) -> None:
        self._umpire, self._character, self._seed = umpire, character.at(umpire.card.key), seed
        self._hurries = hurries
        self._heard = 0
        self._turn: tuple[int, ...] = ()
        self._last: Slip | None = None
        self._been = Counter[Stand]()
        self._quiet = 0
        self.belief = Belief()

    def take_up(self, thought: Thought, lived: Sequence[Heard]) -> None:
        """Continue from an earlier thought about the first slips, and hear the rest."""
        if thought.heard:
            self._heard, self._turn, self._last = thought.heard, thought.turn, lived[thought.heard - 1].slip
            belief, before = self._restored(thought.held), thought.before
            self.belief = belief._replace(
                turn=tuple(lived[number] for number in thought.turn),
                before=None if before is None else self._restored(before),
            )
        for heard in lived[: thought.heard]:
            self._note(heard)
        for heard in lived[thought.heard :]:
            self.hear(heard)

    @property
    def thought(self) -> Thought:
        """The current thought, to continue from later."""
        before = self.belief.before
        held = self._packed(self.belief)
        return Thought(self._heard, self._turn, held, None if before is None else self._packed(before))

    def hear(self, heard: Heard) -> None:
        """Take in a slip."""
        self._heard += 1
        self._last = heard.slip
        self._note(heard)
        size, belief, chance = self._character.positions, self.belief, self._chance("heard")
        if self._hurries():
            size, belief = _FEW, thinned(belief, _FEW, chance)
        self.belief = after(self._umpire, belief, heard, size, chance)
        told = self.belief.turn
        if told and told[-1] is heard:
            self._turn = (*self._turn[: len(told) - 1], self._heard - 1)

    def write(self) -> Order:
        """Choose the order to give now; the bot must have heard a slip before."""
        assert self._last
        sight, chance = self._last.sight, self._chance("writes")
        return order_for(self._umpire, sight, self.belief, self._character, chance, self._been, self._quiet)

    def orders(self, *, is_awaited: bool, is_offered: bool) -> tuple[Order, ...]:
        """Choose what to write when it is the bot's turn, a draw is offered, or both."""
        assert self._last
        variant, side = self._umpire.card.key, self._last.side
        if is_offered and takes_a_draw(variant, side, self.belief, self._quiet):
            return (Word("accept"),)
        if not is_awaited:
            return (Word("decline"),) if is_offered else ()
        if gives_up(variant, side, self._last.sight, self.belief):
            return (Word("resign", "resign"),)
        order = self.write()
        is_move = isinstance(order, Move | Tries)
        if is_move and not is_offered and offers_a_draw(variant, side, self.belief, self._quiet):
            return (order, Word("draw?"))
        return (order,)

    def _packed(self, belief: Belief) -> Held:
        return Held(tuple(map(self._umpire.pack, belief.truths)), belief.weights, belief.is_whole)

    def _restored(self, held: Held) -> Belief:
        truths = tuple(map(self._umpire.restore, held.truths))
        return Belief(truths, is_whole=held.is_whole, weights=held.weights)

    def _note(self, heard: Heard) -> None:
        """Note the own arrangement after each own move, and the moves since the last capture."""
        made = heard.slip.made
        if heard.captured is not None:
            self._quiet = 0
        elif made is not None and made["side"] == heard.slip.side:
            self._quiet += 1
        if made is not None and made["side"] == heard.slip.side:
            self._been[stand_of(heard.slip.sight)] += 1

    def _chance(self, what: str) -> Random:
        return Random(f"{self._seed} {self._heard} {what}")  # noqa: S311  # to be played again alike, no secret
