"""Compares corr with the `kriegspiel` package in random games, by what both players are told.

By ruling, and counted apart or left out: `kriegspiel` takes a refused promotion with another piece for a new attempt;
drops the kind of check when the move ends the game; knows no draw by repetition and none after fifty moves. In Classic
it answers "illegal" where corr says "Impossible", and "no" to a player without a pawn that could capture. In
CrazyKrieg it does not tell the opponent of what is impossible while a pawn's capture is due, nor of a second question;
and it forgets what was refused before the question once that capture has been tried.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import chess
from kriegspiel import (
    CincinnatiGame,
    CrazyKriegGame,
    EnglishGame,
    KriegspielAnswer,
    KriegspielGame,
    KriegspielMove,
    Wild16Game,
)
from kriegspiel import MainAnnouncement as Main
from kriegspiel import QuestionAnnouncement as Question
from kriegspiel import SpecialCaseAnnouncement as Special

from bench.lockstep import Tally
from corr.rules.core import impossible_moves
from corr.rules.core.umpire import Ruling, Truth
from corr.rules.variants import find_umpire
from corr.words.board import SQUARES, Pair, PieceKind, Side
from corr.words.orders import Ask, Drop, Move, Order
from corr.words.slips import Slip, Verdict

CHECKS = {
    Special.CHECK_RANK: "rank",
    Special.CHECK_FILE: "file",
    Special.CHECK_LONG_DIAGONAL: "long-diagonal",
    Special.CHECK_SHORT_DIAGONAL: "short-diagonal",
    Special.CHECK_KNIGHT: "knight",
}
ENDS = {
    Special.CHECKMATE_WHITE_WINS: ("checkmate", Side.WHITE),
    Special.CHECKMATE_BLACK_WINS: ("checkmate", Side.BLACK),
    Special.DRAW_STALEMATE: ("stalemate", None),
    Special.DRAW_INSUFFICIENT: ("material", None),
}
NOT_THEIRS = ("repetition", "fifty")
ANSWERS = {
    Main.HAS_ANY: "try",
    Main.NO_ANY: "no",
    Main.ILLEGAL_MOVE: "refused",
    Main.NONSENSE: "nonsense",
    Main.IMPOSSIBLE_TO_ASK: "nonsense",
}
REFUSALS = {"illegal": "refused", "impossible": "nonsense", "nonsense": "nonsense"}
Said = dict[str, object]


class Peer(NamedTuple):
    """A variant of the other package: its game, and how to read its answers."""

    game: type[KriegspielGame]
    says: tuple[str, ...]
    asks: bool = False


PEERS = {
    "wild16": Peer(Wild16Game, ("square", "taken", "checks", "tries")),
    "cincinnati": Peer(CincinnatiGame, ("square", "taken", "checks", "pawn-capture")),
    "classic": Peer(EnglishGame, ("square", "en_passant", "checks"), asks=True),
    "crazykrieg": Peer(CrazyKriegGame, ("square", "taken", "dropped", "checks"), asks=True),
}


def ours(variant: str, slip: Slip, verdict: Verdict) -> Said:
    """What corr's slip says; the kind of check counts only while the game goes on."""
    said = {str(fact.code): fact for fact in slip.facts}
    if "any" in said:
        return {"verdict": "try" if said["any"]["answer"] else "no"}
    if verdict is not Verdict.MOVED:
        return {"verdict": "refused" if variant == "classic" else REFUSALS[slip.facts[0].code]}
    capture, dropped, check, goes_on = (said.get(code) for code in ("capture", "dropped", "check", "turn"))
    tries = said.get("tries")
    kinds = check["kinds"] if check and goes_on else ()
    assert isinstance(kinds, tuple)
    return {"verdict": "moved"} | _shown(
        variant,
        {
            "square": capture and capture["square"],
            "taken": capture and capture.get("man"),
            "en_passant": bool(capture and capture["en_passant"]),
            "dropped": dropped and dropped["man"],
            "checks": frozenset(kinds),
            "tries": tries and tries["count"],
            "pawn-capture": "pawn-capture" in said,
        },
    )


def theirs(variant: str, answer: KriegspielAnswer, *, goes_on: bool) -> Said:
    """The same from the peer's answer."""
    if not answer.move_done:
        said = ANSWERS[answer.main_announcement]
        return {"verdict": "refused" if variant == "classic" and said == "nonsense" else said}
    special, captured = answer.special_announcement, answer.captured_piece_announcement
    found = {answer.check_1, answer.check_2} if special is Special.CHECK_DOUBLE else {special}
    dropped = getattr(answer, "dropped_piece_announcement", None)
    return {"verdict": "moved"} | _shown(
        variant,
        {
            "square": None if answer.capture_at_square is None else SQUARES[answer.capture_at_square],
            "taken": captured.name.lower() if captured and answer.capture_at_square is not None else None,
            "en_passant": bool(answer.en_passant_announced),
            "dropped": dropped.name.lower() if dropped else None,
            "checks": frozenset(CHECKS[kind] for kind in found if kind in CHECKS and goes_on),
            "tries": answer.next_turn_pawn_tries if goes_on else None,
            "pawn-capture": goes_on and bool(answer.next_turn_has_pawn_capture),
        },
    )


def _shown(variant: str, said: Said) -> Said:
    return {what: said[what] for what in PEERS[variant].says}


def their_reserves(peer: CrazyKriegGame) -> Pair[str]:
    """The peer's two reserves as FEN letters."""
    white, black = (
        "Q" * each.queens + "R" * each.rooks + "B" * each.bishops + "N" * each.knights + "P" * each.pawns
        for each in (peer.public_reserve_summary.white, peer.public_reserve_summary.black)
    )
    return Pair(white, black.lower())


def order_of(move: chess.Move) -> Order:
    """The same move or drop in corr's words."""
    if move.drop:
        return Drop(list(PieceKind)[move.drop - 1], move.to_square)
    return Move(
        move.from_square, move.to_square, list(PieceKind)[move.promotion - 1] if move.promotion else None
    )


def order_for(question: KriegspielMove) -> Order:
    """corr's order in the peer's terms."""
    return Ask() if question.question_type is Question.ASK_ANY else order_of(question.chess_move)


def chosen(variant: str, peer: KriegspielGame, rng: random.Random, nonsense: float) -> KriegspielMove:
    """Sometimes a question or a senseless order, and otherwise a sensible one."""
    if PEERS[variant].asks and rng.random() < 0.1:
        return KriegspielMove(Question.ASK_ANY)
    if rng.random() < nonsense:
        return KriegspielMove(Question.COMMON, any_attempt(variant, peer, rng))
    moves = sorted(ask.chess_move.uci() for ask in peer.possible_to_ask if ask.chess_move)
    return KriegspielMove(Question.COMMON, chess.Move.from_uci(rng.choice(moves)))


def any_attempt(variant: str, peer: KriegspielGame, rng: random.Random) -> chess.Move:
    """Any two squares, or any drop; no promotion, which would need a letter."""
    if variant == "crazykrieg" and rng.random() < 0.5:
        square = rng.randrange(64)
        return chess.Move(square, square, drop=rng.choice(chess.PIECE_TYPES[:5]))
    while True:
        move = chess.Move(rng.randrange(64), rng.randrange(64))
        pawn = peer._board.piece_type_at(move.from_square) == chess.PAWN
        if move and not (pawn and chess.square_rank(move.to_square) in (0, 7)):
            return move


def _told_to_other(peer: KriegspielGame, side: Side) -> int:
    """How many answers the opponent of this side has on its sheet."""
    sheet = peer._blacks_scoresheet if side is Side.WHITE else peer._whites_scoresheet
    return sum(len(turn) for turn in sheet.moves_opponent)


def _ruled(truth: Truth, question: KriegspielMove, ruling: Ruling[Any], answer: KriegspielAnswer) -> str:
    """The ruling by which the two may differ on an order, or an empty string."""
    move, said = question.chess_move, answer.main_announcement
    if ruling.verdict is not Verdict.NONSENSE:
        return ""
    if move is None and said is Main.NO_ANY:
        return "impossible to corr alone: asking without a pawn that could capture"
    known = move is not None and impossible_moves.is_already_refused(truth, move)
    if known and truth.memo.any is True and not truth.memo.bound and said is Main.ILLEGAL_MOVE:
        return "refused before the question: forgotten by kriegspiel after the try"
    return ""


def play(variant: str, seed: int, tally: Tally, nonsense: float = 0.1) -> list[KriegspielMove]:
    """Play a random game in lockstep; return all orders, refused ones too."""
    rng, peer, umpire = random.Random(seed), PEERS[variant].game(), find_umpire(variant)
    ruling, questions = umpire.start(), list[KriegspielMove]()
    while ruling.turn and not peer.game_over:
        side, truth, question = ruling.turn, ruling.truth, chosen(variant, peer, rng, nonsense)
        move = question.chess_move
        if move and move.promotion and impossible_moves.is_already_refused(truth, move):
            tally.counts["left out: a promotion again, with another piece, is no new attempt to corr"] += 1
            continue
        heard = _told_to_other(peer, side)
        answer = peer.ask_for(question)
        questions.append(question)
        ruling = umpire.judge(truth, side, order_for(question))
        mine, others = ruling.slips[side], ruling.slips[side.other]
        where = f"{variant} {seed}, order {len(questions)}, {order_for(question)}"
        assert mine
        said = ours(variant, mine, ruling.verdict)
        tally.counts["dropped" if said.get("dropped") else str(said["verdict"])] += 1
        peers = theirs(variant, answer, goes_on=ruling.outcome is None)
        if said != peers and (by_ruling := _ruled(truth, question, ruling, answer)):
            tally.counts[by_ruling] += 1
        else:
            tally.expect(where, said, peers)
        if others:
            tally.expect(f"{where}, as heard by the opponent", ours(variant, others, ruling.verdict), said)
        if answer.main_announcement is Main.IMPOSSIBLE_TO_ASK:
            tally.counts["impossible: not told to the opponent by kriegspiel"] += 1
        elif variant != "classic":
            told = _told_to_other(peer, side) != heard
            tally.expect(f"{where}, told to the opponent", others is not None, told)
        if variant == "crazykrieg":
            for slip in filter(None, (mine, others)):
                tally.expect(f"{where}, reserves", slip.sight.reserves, their_reserves(peer))
    end = (ruling.outcome.reason, ruling.outcome.winner) if ruling.outcome else ("kriegspiel alone", None)
    tally.counts[f"ended by {end[0]}"] += 1
    if end[0] not in NOT_THEIRS:
        tally.expect(f"{variant} {seed}, its end", end, ENDS.get(answer.special_announcement))
    return questions
