"""Whole random games put to corr and to the `kriegspiel` package, answer by answer.

    python -m bench.lockstep --variant cincinnati --games 500

Compares what either player is told; ends with status 1 if the two umpires differ anywhere. Four differences
are by ruling: `kriegspiel` drops the kind of check when the move ends the game, knows no draw by repetition
and none after fifty moves, and takes a refused promotion for a new attempt where another piece is written.
Those are counted apart.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import chess
from kriegspiel import CincinnatiGame, KriegspielAnswer, KriegspielGame, KriegspielMove, Wild16Game
from kriegspiel import MainAnnouncement as Main
from kriegspiel import QuestionAnnouncement as Question
from kriegspiel import SpecialCaseAnnouncement as Special

from corr.rules.core.umpire import Ruling
from corr.rules.variants import umpire_of
from corr.words.board import SQUARES, Man, Side
from corr.words.orders import Move
from corr.words.slips import Fact, Verdict

CHECKS = {
    Special.CHECK_RANK: "Rank check",
    Special.CHECK_FILE: "File check",
    Special.CHECK_LONG_DIAGONAL: "Long-diagonal check",
    Special.CHECK_SHORT_DIAGONAL: "Short-diagonal check",
    Special.CHECK_KNIGHT: "Knight check",
}
ENDS = {
    Special.CHECKMATE_WHITE_WINS: "Checkmate. White wins.",
    Special.CHECKMATE_BLACK_WINS: "Checkmate. Black wins.",
    Special.DRAW_STALEMATE: "Stalemate. Draw.",
    Special.DRAW_INSUFFICIENT: "Draw: insufficient material.",
}


@dataclass(frozen=True)
class Peer:
    """A variant of the other package: its game, its words for a refusal, what it says of a turn's pawns."""

    game: Callable[[], KriegspielGame]
    refusals: dict[Main, str]
    pawns: Callable[[KriegspielAnswer], list[str]]


PEERS = {
    "wild16": Peer(
        Wild16Game,
        {Main.ILLEGAL_MOVE: "Illegal move"},
        lambda answer: [f"{answer.next_turn_pawn_tries} pawn tries"],
    ),
    "cincinnati": Peer(
        CincinnatiGame,
        {Main.ILLEGAL_MOVE: "Illegal", Main.NONSENSE: "Nonsense"},
        lambda answer: ["Pawn capture"] * bool(answer.next_turn_has_pawn_capture),
    ),
}
NOT_THEIRS = ("Draw: repetition.", "Draw: fifty moves.")


@dataclass
class Tally:
    """What was compared, and where the two umpires differed."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    peer: str = "kriegspiel"

    def expect(self, where: str, ours: object, theirs: object) -> None:
        """Note a difference, if it is one."""
        if ours != theirs:
            self.differences.append(f"{where}: corr {ours}, {self.peer} {theirs}")


def play(seed: int, tally: Tally, nonsense: float, variant: str = "wild16") -> list[chess.Move]:
    """One random game in lockstep; every order that was given, refused ones too."""
    rng, words, umpire = random.Random(seed), PEERS[variant], umpire_of(variant)
    peer = words.game()
    ruling, orders = umpire.start(), []
    while ruling.turn and not peer.game_over:
        move = any_squares(peer, rng) if rng.random() < nonsense else worth_asking(peer, rng)
        orders.append(move)
        side, before = ruling.turn, _told_to_other(peer, ruling.turn)
        answer = peer.ask_for(KriegspielMove(Question.COMMON, move))
        ruling = umpire.judge(ruling.truth, side, order_of(move))
        told = _told_to_other(peer, side) != before
        if _is_promotion_again(answer, ruling, move):
            tally.counts["nonsense to corr alone: a promotion again, with another piece"] += 1
            continue
        tally.counts[ruling.verdict] += 1
        where = f"{variant} {seed}, order {len(orders)}, {move}"
        _compare(where, ruling, side, _theirs(words, answer, side), told=told, tally=tally)
    tally.counts[f"ended by {ruling.outcome.reason if ruling.outcome else 'kriegspiel alone'}"] += 1
    return orders


def _is_promotion_again(answer: KriegspielAnswer, ruling: Ruling[Any], move: chess.Move) -> bool:
    was_refused = (move.from_square, move.to_square) in ruling.truth.memo.refused
    is_new_to_peer = answer.main_announcement is Main.ILLEGAL_MOVE
    return bool(move.promotion) and was_refused and ruling.verdict is Verdict.NONSENSE and is_new_to_peer


def order_of(move: chess.Move) -> Move:
    """The same move in corr's words."""
    return Move(move.from_square, move.to_square, list(Man)[move.promotion - 1] if move.promotion else None)


def worth_asking(peer: KriegspielGame, rng: random.Random) -> chess.Move:
    """What `kriegspiel` thinks worth asking, drawn so that a seed repeats it."""
    moves = sorted(ask.chess_move.uci() for ask in peer.possible_to_ask if ask.chess_move)
    return chess.Move.from_uci(rng.choice(moves))


def any_squares(peer: KriegspielGame, rng: random.Random) -> chess.Move:
    """Any two squares, but no promotion: without a letter that is a queen to corr and nothing to the peer."""
    while True:
        move = chess.Move(rng.randrange(64), rng.randrange(64))
        pawn = peer._board.piece_type_at(move.from_square) == chess.PAWN
        if move and not (pawn and chess.square_rank(move.to_square) in (0, 7)):
            return move


def _told_to_other(peer: KriegspielGame, side: Side) -> int:
    """How many answers the opponent of this side has on its sheet."""
    sheet = peer._blacks_scoresheet if side is Side.WHITE else peer._whites_scoresheet
    return sum(len(turn) for turn in sheet.moves_opponent)


def _compare(
    where: str, ruling: Ruling[Any], side: Side, theirs: list[str], *, told: bool, tally: Tally
) -> None:
    mine, others = ruling.slips[side], ruling.slips[side.other]
    assert mine is not None
    ours = _ours(mine.facts, tally)
    if ours[-1] in NOT_THEIRS:
        ours, theirs = ours[:-1], [said for said in theirs if said in CHECKS.values() or " at " in said]
    tally.expect(where, ours, theirs)
    tally.expect(f"{where}, told to the opponent", others is not None, told)
    if others is not None:
        tally.expect(
            f"{where}, as heard by the opponent", _ours(others.facts, Tally()), _ours(mine.facts, Tally())
        )


def _ours(facts: tuple[Fact, ...], tally: Tally) -> list[str]:
    """What corr says, one sentence each, without the kind of check where the game ends."""
    over = facts[-1].code in ("checkmate", "stalemate", "draw")
    checks = [fact for fact in facts if fact.code == "check"]
    lasting = facts[-1].text in NOT_THEIRS or not over
    tally.counts["kind of check said with the end"] += bool(checks) and not lasting
    kept = [fact.text for fact in facts if fact.text and (lasting or fact not in checks)]
    return [sentence for text in kept for sentence in ([text] if text in ENDS.values() else text.split(". "))]


def _theirs(words: Peer, answer: KriegspielAnswer, side: Side) -> list[str]:
    """The same from the peer's answer, checks in corr's order."""
    if not answer.move_done:
        return [words.refusals.get(answer.main_announcement, str(answer))]
    return [*_captured(answer), *_special(words, answer, side)]


def _captured(answer: KriegspielAnswer) -> list[str]:
    if answer.capture_at_square is None:
        return []
    man = answer.captured_piece_announcement.name.capitalize()
    return [f"{man} at {SQUARES[answer.capture_at_square]} captured"]


def _special(words: Peer, answer: KriegspielAnswer, side: Side) -> list[str]:
    special = answer.special_announcement
    if special in ENDS:
        return [ENDS[special]]
    found = {answer.check_1, answer.check_2} if special is Special.CHECK_DOUBLE else {special}
    checks = [word for kind, word in CHECKS.items() if kind in found]
    return [*checks, f"{side.other.called}'s move", *words.pawns(answer)]


def main() -> int:
    """Play, print what was seen, and say whether the two agree."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--variant", choices=PEERS, default="wild16")
    asked.add_argument("--games", type=int, default=300)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--nonsense", type=float, default=0.1, help="share of orders with any two squares")
    given = asked.parse_args()
    tally = Tally()
    for seed in range(given.seed, given.seed + given.games):
        play(seed, tally, given.nonsense, given.variant)
    for what, count in sorted(tally.counts.items()):
        print(f"{count:8} {what}")
    print("\n".join(tally.differences[:20]))
    print(f"{given.variant}: {given.games} games, {len(tally.differences)} differences")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
