"""Whole random games of Classic "Any?" put to corr and to `kriegspiel`'s English rules, answer by answer.

    python -m bench.lockstep_classic --games 500

Compares what both players are told, by what it says and not by its words, since the two use different ones. By
ruling, `kriegspiel` answers "illegal" where corr says "Impossible", and "no" to a player without a pawn that could
capture; it takes a refused promotion with another piece for a new attempt, which is put to neither; it drops the
kind of check when the move ends the game, and knows no draw by repetition and none after fifty moves. Ends with
status 1 if the two umpires differ anywhere else.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import NamedTuple

import chess
from kriegspiel import EnglishGame, KriegspielAnswer, KriegspielMove
from kriegspiel import MainAnnouncement as Main
from kriegspiel import QuestionAnnouncement as Question
from kriegspiel import SpecialCaseAnnouncement as Special

from bench.lockstep import Tally, any_squares, order_of, worth_asking
from corr.rules.variants import umpire_of
from corr.words.board import SQUARES
from corr.words.codes import Datum
from corr.words.orders import Ask
from corr.words.slips import Fact, Slip, Verdict

CHECKS = {
    Special.CHECK_RANK: "rank",
    Special.CHECK_FILE: "file",
    Special.CHECK_LONG_DIAGONAL: "long-diagonal",
    Special.CHECK_SHORT_DIAGONAL: "short-diagonal",
    Special.CHECK_KNIGHT: "knight",
}
ENDS = {
    Special.CHECKMATE_WHITE_WINS: "checkmate",
    Special.CHECKMATE_BLACK_WINS: "checkmate",
    Special.DRAW_STALEMATE: "stalemate",
    Special.DRAW_INSUFFICIENT: "material",
}
NOT_THEIRS = ("repetition", "fifty")


class Told(NamedTuple):
    """What an answer says, whatever its words."""

    verdict: str
    square: Datum = None
    en_passant: bool = False
    checks: frozenset[str] = frozenset()


def ours(slip: Slip, verdict: Verdict) -> Told:
    """What corr's slip says; the kind of check counts only while the game goes on."""
    said: dict[str, Fact] = {fact.code: fact for fact in slip.facts}
    if "any" in said:
        return Told("try" if said["any"]["answer"] else "no")
    if verdict is not Verdict.MOVED:
        return Told("refused")
    capture, check = said.get("capture"), said.get("check")
    kinds = check["kinds"] if check and "turn" in said else ()
    assert isinstance(kinds, tuple)
    square, passing = (capture["square"], bool(capture["en_passant"])) if capture else (None, False)
    return Told("moved", square, passing, frozenset(kinds))


def theirs(answer: KriegspielAnswer, *, goes_on: bool) -> Told:
    """The same from the peer's answer."""
    main, special = answer.main_announcement, answer.special_announcement
    if main in (Main.HAS_ANY, Main.NO_ANY):
        return Told("try" if main is Main.HAS_ANY else "no")
    if not answer.move_done:
        return Told("refused")
    found = {answer.check_1, answer.check_2} if special is Special.CHECK_DOUBLE else {special}
    checks = frozenset(CHECKS[kind] for kind in found if kind in CHECKS and goes_on)
    square = None if answer.capture_at_square is None else SQUARES[answer.capture_at_square]
    return Told("moved", square, bool(answer.en_passant_announced), checks)


def play(seed: int, tally: Tally, nonsense: float = 0.1) -> list[KriegspielMove]:
    """One random game in lockstep, a question now and then; every order that was given, refused ones too."""
    rng, peer, umpire = random.Random(seed), EnglishGame(), umpire_of("classic")
    ruling, questions = umpire.start(), []
    while ruling.turn and not peer.game_over:
        side, asks = ruling.turn, rng.random() < 0.1
        move = (
            chess.Move.null()
            if asks
            else any_squares(peer, rng)
            if rng.random() < nonsense
            else worth_asking(peer, rng)
        )
        if move.promotion and (move.from_square, move.to_square) in ruling.truth.memo.refused:
            tally.counts["left out: a promotion again, with another piece, is no new attempt to corr"] += 1
            continue
        question = KriegspielMove(Question.ASK_ANY) if asks else KriegspielMove(Question.COMMON, move)
        questions.append(question)
        answer = peer.ask_for(question)
        ruling = umpire.judge(ruling.truth, side, Ask() if asks else order_of(move))
        mine, others = ruling.slips[side], ruling.slips[side.other]
        where = f"game {seed}, order {len(questions)}, {'any?' if asks else move}"
        assert mine
        assert others, (where, mine.facts)
        said, heard = ours(mine, ruling.verdict), theirs(answer, goes_on=ruling.outcome is None)
        tally.counts[ruling.verdict if said.verdict == "refused" else said.verdict] += 1
        if asks and ruling.verdict is Verdict.NONSENSE and answer.main_announcement is Main.NO_ANY:
            tally.counts["impossible to corr alone: asking without a pawn that could capture"] += 1
        else:
            tally.expect(where, said, heard)
        tally.expect(f"{where}, as heard by the opponent", ours(others, ruling.verdict), said)
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
    tally = Tally(Counter())
    for seed in range(given.seed, given.seed + given.games):
        play(seed, tally)
    for what, count in sorted(tally.counts.items()):
        print(f"{count:8} {what}")
    print("\n".join(tally.differences[:20]))
    print(f"classic: {given.games} games, {len(tally.differences)} differences")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
