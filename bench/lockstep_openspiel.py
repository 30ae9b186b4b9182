"""Whole random games of Reconnaissance Blind Chess put to corr and to OpenSpiel's `rbc`, board by board.

    pip install open_spiel; python -m bench.lockstep_openspiel --games 100

Compares what may be asked for and the true board after every turn. OpenSpiel calls a draw where a position comes a
third time, and counts a turn without a move otherwise than corr: the games are compared until either ends, and the
counters are not. Ends with status 1 if the two differ anywhere; says so and does nothing where OpenSpiel is missing.
"""

from __future__ import annotations

import argparse
import random
import sys
from importlib.util import find_spec
from typing import Any

from bench.lockstep import Tally
from corr.orders import Puzzle, read_order
from corr.rules.variants import umpire_of
from corr.words.orders import Sense

UMPIRE = umpire_of("rbc")


def play(game: Any, seed: int, tally: Tally) -> None:
    """One random game in lockstep, until either ends it."""
    rng, state, ruling = random.Random(seed), game.new_initial_state(), UMPIRE.start()
    while ruling.turn and not state.is_terminal():
        side, where = ruling.turn, f"game {seed}, turn {UMPIRE.plies(ruling.truth) + 1}"
        square = rng.randrange(64)
        ruling = UMPIRE.judge(ruling.truth, side, Sense(square))
        state.apply_action(square)
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        tally.expect(where, sorted(UMPIRE.options(ruling.truth.sights[side])), sorted(actions))
        text = rng.choice(sorted(actions))
        order = read_order(text)
        assert not isinstance(order, Puzzle)
        ruling = UMPIRE.judge(ruling.truth, side, order)
        state.apply_action(actions[text])
        goes_on = ruling.turn is not None
        ours, theirs = (board(fen, goes_on=goes_on) for fen in (UMPIRE.fen(ruling.truth), str(state)))
        tally.expect(f"{where}, {text}", ours, theirs)
        tally.counts["turns"] += 1
    ends = ["both"] if ruling.turn is None and state.is_terminal() else ["corr", "OpenSpiel"]
    tally.counts[f"ended by {ends[0] if ruling.turn is None else ends[-1]}"] += 1


def board(fen: str, *, goes_on: bool) -> list[str]:
    """The men, whose turn it is, and who may castle; without a king OpenSpiel says that he still may."""
    return fen.split()[: 3 if goes_on else 2]


def main() -> int:
    """Play, print what was seen, and say whether the two agree."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--games", type=int, default=100)
    given.add_argument("--seed", type=int, default=1)
    wanted, tally = given.parse_args(), Tally(peer="OpenSpiel")
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed, so nothing was compared: pip install open_spiel")
        return 0
    import pyspiel  # noqa: PLC0415  # large, and of use to this script alone

    game = pyspiel.load_game("rbc", {"sense_centered": True, "sense_border": True})
    for seed in range(wanted.seed, wanted.seed + wanted.games):
        play(game, seed, tally)
    for what, count in sorted(tally.counts.items()):
        print(f"{count:8} {what}")
    print("\n".join(tally.differences[:20]))
    print(f"rbc: {wanted.games} games, {len(tally.differences)} differences")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
