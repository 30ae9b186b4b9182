"""Whole random games of CrazyKrieg put to corr and to the `kriegspiel` package, answer by answer.

    python -m bench.lockstep_crazykrieg --games 500

Compares what both players are told, by what it says and not by its words, and both reserves after every order. By
ruling, and counted apart: `kriegspiel` does not tell the opponent of what is impossible while a pawn's capture is due,
nor of a second question; it forgets what was refused before the question once that capture has been tried; it takes a
refused promotion with another piece for a new attempt, which is put to neither; it drops the kind of check when the
move ends the game, and knows no draw by repetition and none after fifty moves. Ends with status 1 if the two umpires
differ anywhere else.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import NamedTuple

import chess
from kriegspiel import CrazyKriegGame, KriegspielAnswer, KriegspielMove
from kriegspiel import MainAnnouncement as Main
from kriegspiel import QuestionAnnouncement as Question
from kriegspiel import SpecialCaseAnnouncement as Special

from bench.lockstep import Tally, any_squares, worth_asking
from bench.lockstep import order_of as move_of
from bench.lockstep_classic import CHECKS, ENDS, NOT_THEIRS
from corr.rules.core import turn_memory
from corr.rules.core.umpire import Truth
from corr.rules.variants import umpire_of
from corr.words.board import SQUARES, Man, Pair, Side
from corr.words.codes import Datum
from corr.words.orders import Ask, Drop, Order
from corr.words.slips import Fact, Slip, Verdict

ANSWERS = {
    Main.HAS_ANY: "try",
    Main.NO_ANY: "no",
    Main.ILLEGAL_MOVE: "refused",
    Main.NONSENSE: "nonsense",
    Main.IMPOSSIBLE_TO_ASK: "nonsense",
}


class Told(NamedTuple):
    """What an answer says, whatever its words."""

    verdict: str
    square: Datum = None
    taken: Datum = None
    dropped: Datum = None
    checks: frozenset[str] = frozenset()


def ours(slip: Slip, verdict: Verdict) -> Told:
    """What corr's slip says; the kind of check counts only while the game goes on."""
    said: dict[str, Fact] = {fact.code: fact for fact in slip.facts}
    if "any" in said:
        return Told("try" if said["any"]["answer"] else "no")
    if verdict is not Verdict.MOVED:
        return Told({"illegal": "refused", "impossible": "nonsense"}[slip.facts[0].code])
    capture, dropped, check = said.get("capture"), said.get("dropped"), said.get("check")
    kinds = check["kinds"] if check and "turn" in said else ()
    assert isinstance(kinds, tuple)
    return Told(
        "moved",
        capture["square"] if capture else None,
        capture["man"] if capture else None,
        dropped["man"] if dropped else None,
        frozenset(kinds),
    )


def theirs(answer: KriegspielAnswer, *, goes_on: bool) -> Told:
    """The same from the peer's answer."""
    if not answer.move_done:
        return Told(ANSWERS[answer.main_announcement])
    special = answer.special_announcement
    found = {answer.check_1, answer.check_2} if special is Special.CHECK_DOUBLE else {special}
    captured, dropped = answer.captured_piece_announcement, answer.dropped_piece_announcement
    return Told(
        "moved",
        None if answer.capture_at_square is None else SQUARES[answer.capture_at_square],
        captured.name.lower() if captured else None,
        dropped.name.lower() if dropped else None,
        frozenset(CHECKS[kind] for kind in found if kind in CHECKS and goes_on),
    )


def their_reserves(peer: CrazyKriegGame) -> Pair[str]:
    """The peer's two reserves as FEN letters."""
    white, black = (
        "Q" * each.queens + "R" * each.rooks + "B" * each.bishops + "N" * each.knights + "P" * each.pawns
        for each in (peer.public_reserve_summary.white, peer.public_reserve_summary.black)
    )
    return Pair(white, black.lower())


def order_of(move: chess.Move) -> Order:
    """The same move or drop in corr's words."""
    return Drop(list(Man)[move.drop - 1], move.to_square) if move.drop else move_of(move)


def any_attempt(peer: CrazyKriegGame, rng: random.Random) -> chess.Move:
    """Any two squares, or any man on any square."""
    if rng.random() < 0.5:
        return any_squares(peer, rng)
    square = rng.randrange(64)
    return chess.Move(square, square, drop=rng.choice(chess.PIECE_TYPES[:5]))


def order_for(question: KriegspielMove) -> Order:
    """What is put to the peer, in corr's words."""
    return Ask() if question.question_type is Question.ASK_ANY else order_of(question.chess_move)


def chosen(peer: CrazyKriegGame, rng: random.Random, nonsense: float) -> KriegspielMove:
    """A question now and then, a share of orders without sense, and else a move or a drop worth asking."""
    if rng.random() < 0.1:
        return KriegspielMove(Question.ASK_ANY)
    return KriegspielMove(
        Question.COMMON, any_attempt(peer, rng) if rng.random() < nonsense else worth_asking(peer, rng)
    )


def _told_to_other(peer: CrazyKriegGame, side: Side) -> int:
    """How many answers the opponent of this side has on its sheet."""
    sheet = peer._blacks_scoresheet if side is Side.WHITE else peer._whites_scoresheet
    return sum(len(turn) for turn in sheet.moves_opponent)


def _is_forgotten(truth: Truth, move: chess.Move | None, peers: Told) -> bool:
    """Whether an attempt was refused in this turn before a question that bound, and is a new one to the peer."""
    known = move is not None and turn_memory.is_known(truth, move)
    return known and truth.memo.any is True and not truth.memo.bound and peers.verdict == "refused"


def _was_promoted(truth: Truth, said: Told) -> bool:
    """Whether a man that is said to be a pawn was promoted."""
    return said.square is not None and truth.board.promoted >> SQUARES.index(str(said.square)) & 1 == 1


def play(seed: int, tally: Tally, nonsense: float = 0.1) -> list[KriegspielMove]:
    """One random game in lockstep; every question that was put, refused ones too."""
    rng, peer, umpire = random.Random(seed), CrazyKriegGame(), umpire_of("crazykrieg")
    ruling, questions = umpire.start(), []
    while ruling.turn and not peer.game_over:
        side, question = ruling.turn, chosen(peer, rng, nonsense)
        truth, move = ruling.truth, question.chess_move
        if move and move.promotion and turn_memory.is_known(truth, move):
            tally.counts["left out: a promotion again, with another piece, is no new attempt to corr"] += 1
            continue
        heard = _told_to_other(peer, side)
        answer = peer.ask_for(question)
        questions.append(question)
        ruling = umpire.judge(ruling.truth, side, order_for(question))
        mine, others = ruling.slips[side], ruling.slips[side.other]
        where = f"game {seed}, order {len(questions)}, {order_for(question)}"
        assert mine
        assert others, (where, mine.facts)
        said, peers = ours(mine, ruling.verdict), theirs(answer, goes_on=ruling.outcome is None)
        tally.counts[said.verdict if said.dropped is None else "dropped"] += 1
        tally.counts["a promoted man taken"] += _was_promoted(truth, said)
        if _is_forgotten(truth, move, peers):
            tally.counts["refused before the question: forgotten by kriegspiel after the try"] += 1
        else:
            tally.expect(where, said, peers)
        tally.expect(f"{where}, as heard by the opponent", ours(others, ruling.verdict), said)
        if answer.main_announcement is Main.IMPOSSIBLE_TO_ASK:
            tally.counts["impossible: not told to the opponent by kriegspiel"] += 1
        else:
            tally.expect(f"{where}, told to the opponent", True, _told_to_other(peer, side) != heard)
        for slip in (mine, others):
            tally.expect(f"{where}, reserves", slip.sight.reserves, their_reserves(peer))
    reason = ruling.outcome.reason if ruling.outcome else "kriegspiel alone"
    tally.counts[f"ended by {reason}"] += 1
    if reason not in NOT_THEIRS:
        tally.expect(f"game {seed}, its end", reason, ENDS.get(answer.special_announcement))
    return questions


def main() -> int:
    """Play, print what was seen, and say whether the two agree."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=300)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    tally = Tally()
    for seed in range(given.seed, given.seed + given.games):
        play(seed, tally)
    for what, count in sorted(tally.counts.items()):
        print(f"{count:8} {what}")
    print("\n".join(tally.differences[:20]))
    print(f"crazykrieg: {given.games} games, {len(tally.differences)} differences")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
