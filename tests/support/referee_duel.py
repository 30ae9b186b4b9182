"""Random games of Assassin and Welbeck that compare our umpire with the slow referee.

The long form, by hand: `python -m tests.support.referee_duel assassin 2000`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace
from typing import Any

from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import find_umpire
from corr.words.board import SQUARE_NUMBER, PieceKind, Side
from corr.words.codes import Common, SquareContents
from corr.words.orders import Ask, Deploy, Move
from corr.words.slips import Fact, Verdict
from tests.support import slow_referee

ARMY = "KQRRBBNN" + "P" * 8
MOST_PLIES = 150
#: The share of positions in which the umpire judges every move, not only the one made.
SHARE = 0.05


def duel(variant: slow_referee.Variant, games: int, seed: int) -> Counter[str]:
    """Play games, and count what was compared and how they ended; AssertionError at the first difference."""
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(games):
        seen[play(variant, rng, seen)] += 1
    return seen


def play(variant: slow_referee.Variant, rng: random.Random, seen: Counter[str]) -> str:
    """Play one game from its deployments; return how it ended."""
    umpire = find_umpire(variant)
    position, ruling = deployed(variant, rng, seen)
    history = [slow_referee.key(position)]
    while len(history) < MOST_PLIES:
        ended = slow_referee.ending(position, history, position.clock)
        assert umpire.fen(ruling.truth) == fen_of(position)
        assert ending(ruling) == ended, slow_referee.to_fen(position)
        if ended:
            return ended[0]
        side, legal = Side(position.side), slow_referee.legal_moves(position)
        compare_question(umpire, ruling, side, position)
        if rng.random() < SHARE:
            compare_moves(umpire, ruling, side, legal)
            seen["positions with all moves"] += 1
        move, before = rng.choice(sorted(legal, key=str)), position
        ruling = umpire.judge(umpire.restore(umpire.pack(ruling.truth)), side, order_of(move))
        position = slow_referee.after(before, move)
        history.append(slow_referee.key(position))
        compare_told(ruling, side, before, move, position)
        seen["moves"] += 1
    return "unfinished"


def deployed(
    variant: slow_referee.Variant, rng: random.Random, seen: Counter[str]
) -> tuple[slow_referee.Position, Ruling[Any]]:
    """Two random deployments that don't clash; both sides hear where the other king is."""
    umpire = find_umpire(variant)
    while True:
        men = {side: random_men(side, rng) for side in Side}
        ruling = umpire.start()
        for side in rng.sample(tuple(Side), 2):
            ruling = umpire.judge(ruling.truth, side, Deploy(tuple(map(man_of, men[side]))))
            assert ruling.verdict is Verdict.TOLD
        white, black = men[Side.WHITE], men[Side.BLACK]
        clashes = slow_referee.clash(white, black, variant)
        assert clashes == any(fact.code == Common.CLASH for fact in facts_of(ruling, Side.WHITE))
        seen["clashes"] += clashes
        if not clashes:
            kings = {side: dict(said(ruling, side, "king").data)["square"] for side in Side}
            assert kings == {Side.WHITE: black[0][1:], Side.BLACK: white[0][1:]}
            return slow_referee.joined(white, black, variant), ruling


def random_men(side: Side, rng: random.Random) -> list[str]:
    """A whole army on the four rows of a side, bishops on different colours; king first."""
    squares = [file + row for file in slow_referee.FILES for row in slow_referee.OWN_HALF[side.value]]
    while True:
        men = [man + square for man, square in zip(ARMY, rng.sample(squares, len(ARMY)), strict=True)]
        if not slow_referee.faults(men, side.value, "assassin"):
            return men


def fen_of(position: slow_referee.Position) -> str:
    """As FEN, with an en passant square only if a pawn can take there."""
    tries = {end for _, end in slow_referee.pawn_tries(position) if end not in position.men}
    return slow_referee.to_fen(replace(position, target=position.target if tries else None))


def man_of(text: str) -> tuple[PieceKind, int]:
    return PieceKind.from_letter(text[0]), SQUARE_NUMBER[text[1:]]


def order_of(move: slow_referee.Move) -> Move:
    start, end, letter = move
    return Move(SQUARE_NUMBER[start], SQUARE_NUMBER[end], PieceKind.from_letter(letter) if letter else None)


def ending(ruling: Ruling[Any]) -> tuple[str, str | None] | None:
    outcome = ruling.outcome
    return (outcome.reason, outcome.winner.value if outcome.winner else None) if outcome else None


def facts_of(ruling: Ruling[Any], side: Side) -> tuple[Fact, ...]:
    slip = ruling.slips[side]
    return slip.facts if slip else ()


def said(ruling: Ruling[Any], side: Side, code: str) -> Fact:
    (found,) = [fact for fact in facts_of(ruling, side) if fact.code == code]
    return found


def compare_question(
    umpire: Umpire[Any], ruling: Ruling[Any], side: Side, position: slow_referee.Position
) -> None:
    """`any?` tells whether a pawn can capture legally, whenever it may be asked."""
    asked = umpire.judge(ruling.truth, side, Ask())
    if asked.verdict is Verdict.TOLD:
        assert said(asked, side, "any")["answer"] == bool(slow_referee.pawn_tries(position))
    else:
        assert not slow_referee.pawn_tries(position)


def compare_moves(
    umpire: Umpire[Any], ruling: Ruling[Any], side: Side, legal: set[slow_referee.Move]
) -> None:
    """Exactly the legal moves succeed among all that the pieces' patterns allow."""
    options = umpire.possible_tries(ruling.truth.sights[side])
    orders = {(text[:2], text[2:4], text[4:] or None) for text in options}
    assert legal <= orders
    made = {
        move for move in orders if umpire.judge(ruling.truth, side, order_of(move)).verdict is Verdict.MOVED
    }
    assert made == legal


def compare_told(
    ruling: Ruling[Any],
    side: Side,
    before: slow_referee.Position,
    move: slow_referee.Move,
    position: slow_referee.Position,
) -> None:
    """Captures and checks are told to both sides, and spy reports only to the spy's side."""
    assert ruling.verdict is Verdict.MOVED, (slow_referee.to_fen(before), move)
    for hearer in Side:
        told = {fact.code: dict(fact.data) for fact in facts_of(ruling, hearer)}
        capture = slow_referee.captured(before, move)
        assert (
            (told["capture"]["square"], told["capture"]["en_passant"]) == capture
            if capture
            else ("capture" not in told)
        )
        assert set(told["check"]["kinds"] if "check" in told else ()) == slow_referee.check_kinds(position)
        if hearer is side and slow_referee.is_spy_move(before, move):
            report = SquareContents(tuple(slow_referee.spy_report(position, move[1]).items()))
            assert told["spy"]["squares"] == report
        else:
            assert "spy" not in told


if __name__ == "__main__":
    variant, games = sys.argv[1], int(sys.argv[2])
    lines = [f"{what:26} {count:8}" for what, count in sorted(duel(variant, games, seed=1).items())]
    sys.stdout.write("\n".join([*lines, "differences                       0", ""]))
