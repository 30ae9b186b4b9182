"""Two houses in which one player orders ahead and makes notes, or does the same by hand: what the other one gets.

    python -m bench.privacy --pairs 200

For each variant a game goes on in two houses that were one. In both Ann and Ben make the same moves. In one of them Ann
writes orders for her next turn beside hers, where the variant has any, notes and ghosts; in the other she writes by
hand, when it is her turn, what was ordered in the first. After each letter Ben's own new letters and his pages are
compared, byte for byte, as long as the game goes on: its end tells which moves were ordered ahead. Ends with status 1
if a byte differs.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

from corr.orders import Puzzle, read_order
from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES
from corr.store import truths
from corr.store.tables import Game
from corr.words.board import SQUARES, Side
from corr.words.slips import Verdict
from tests.support.alike import Twin, Twins, parted
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, lay

#: How much is ordered ahead at most.
TRIES = 8
SENSE = "sense e5"


@dataclass
class Match:
    """One game in both houses: how many letters were written in each, and how many of Ben's were compared."""

    umpire: Umpire[Any]
    twins: Twins
    paths: list[str]
    rng: random.Random
    written: int = 0
    compared: int = 0

    def turn(self, twin: Twin) -> tuple[Side | None, Any]:
        """Whose turn it is in a house, and the truth."""
        with twin.table.house.store.reading() as connection:
            turn = connection.execute(select(Game.turn)).scalar_one()
            return (Side(turn) if turn else None), self.umpire.restore(truths.unseal(connection, 1))

    def move(self, side: Side, truth: Any) -> str | None:
        """A move that can be made, behind a sense where one is due."""
        sense = ""
        if truth.sights[side].sense_due:
            truth, sense = self.umpire.judge(truth, side, _order(SENSE)).truth, f"{SENSE}\n"
        for text in self.some(truth.sights[side], None):
            if self.umpire.judge(truth, side, _order(text)).verdict is Verdict.MOVED:
                return f"{sense}{text}"
        return None

    def some(self, sight: Any, most: int | None) -> list[str]:
        """What a side's men could do, so much of it and by lot."""
        offered = [text for text in self.umpire.options(sight) if text[0] in "abcdefgh"]
        return self.rng.sample(offered, len(offered))[:most]

    def write(self, twin: Twin, player: str, text: str, name: str) -> None:
        """A reply to the newest letter about the game."""
        about = [each for each in twin.table.letters(player) if "Sign in" not in str(each["Subject"])]
        letter = twin.table.letter(player, text, to=about[-1], message_id=f"{name}@mail.example")
        twin.table.post(letter)
        twin.table.work()

    def in_both(self, player: str, text: str, more: str = "") -> None:
        """The same letter in both houses; in the first with what is private."""
        self.written += 1
        self.write(self.twins.one, player, f"{text}{more}", f"letter-{self.written}")
        self.write(self.twins.other, player, text, f"letter-{self.written}")

    def by_hand(self, ahead: list[str]) -> None:
        """What Ann has ordered ahead in one house she writes in the other, as far as her men still allow it."""
        self.twins.one.table.sweep()
        _, truth = self.turn(self.twins.other)
        options = self.umpire.options(truth.sights[Side.WHITE])
        if left := [each for each in ahead if each in options]:
            self.write(self.twins.other, ANN, ", ".join(left), f"hand-{self.written}")

    def private(self, ahead: str) -> str:
        """What Ann writes for herself alone."""
        note = f"\nnote {self.rng.choice(('bishop on the long diagonal', 'tempo', 'they know nothing'))}"
        ghost = f"\nghost {self.rng.choice('qrbnp')}{self.rng.choice(SQUARES)}"
        orders = f"\nif capture: {ahead}; else {ahead}\ndelay 0h" if ahead else ""
        return f"{orders}{note}{ghost}"

    def unlike(self) -> bool:
        """Whether anything that Ben gets differs, while the game goes on."""
        if self.turn(self.twins.one)[0] is None:
            return False
        self.compared += 1
        one, other = ([each.as_bytes() for each in twin.table.letters(BEN)[-4:]] for twin in self.both)
        pages = [self.twins.answers(path) for path in self.paths]
        return one != other or any(first != second for first, second in pages)

    @property
    def both(self) -> tuple[Twin, Twin]:
        return self.twins.one, self.twins.other

    def go_on(self) -> Iterator[bool]:
        """Play until the game ends; after each letter whether Ben got something else in one house."""
        ahead: list[str] = []
        while True:
            side, truth = self.turn(self.twins.one)
            text = self.move(side, truth) if side else None
            if side is None or text is None:
                return
            if side is Side.BLACK:
                self.in_both(BEN, text)
                yield self.unlike()
                if ahead:
                    self.by_hand(ahead)
                    yield self.unlike()
                ahead = []
                continue
            ahead = self.some(truth.sights[side], TRIES) if self.umpire.card.told else []
            self.in_both(ANN, text, self.private(", ".join(ahead)))
            yield self.unlike()


def _order(text: str) -> Any:
    order = read_order(text)
    assert not isinstance(order, Puzzle)
    return order


def match(umpire: Umpire[Any], folder: Path, rng: random.Random) -> Match:
    """A game that both have begun, twice, with Ben at his browser."""
    (folder / "first").mkdir()
    table = lay(folder / "first")
    table.begin_anew(umpire.card.key)
    table.deploy()
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    code = str(table.newest(ANN)["Subject"])[-6:-1]
    twins = parted(table, folder / "twins", ben)
    table.house.store.close()
    return Match(umpire, twins, [f"/games/{code}", "/games/"], rng)


def compared(umpire: Umpire[Any], pairs: int, seed: int) -> tuple[int, int]:
    """Play until so much was compared; how much it was, and how much of it was not alike."""
    seen = unlike = 0
    while seen < pairs:
        with TemporaryDirectory() as folder:
            played = match(umpire, Path(folder), random.Random(f"{umpire.card.key} {seed} {seen}"))
            for differs in played.go_on():
                unlike += differs
                if seen + played.compared >= pairs:
                    break
            seen += played.compared
            played.twins.close()
    return seen, unlike


def main() -> int:
    """Play, compare, tell."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--pairs", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--variant", choices=UMPIRES, action="append")
    given = asked.parse_args()
    differ = 0
    for key in given.variant or UMPIRES:
        seen, unlike = compared(UMPIRES[key], given.pairs, given.seed)
        differ += unlike
        print(f"{key:12} {seen} pairs, {unlike} differ in a byte", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
