"""CrazyKrieg: captured pieces may be dropped; both sides know the reserves, but no squares of drops."""

from __future__ import annotations

from functools import cache, lru_cache

import chess

from corr.rules.core import announcements, crazyhouse, impossible_moves, notation
from corr.rules.core import any_question as said
from corr.rules.core.any_question import QuestionUmpire, word_refusals
from corr.rules.core.crazyhouse import CrazyhouseReferee, kind_for_reserve, play, reserves_of
from corr.rules.core.impossible_moves import is_impossible_by_own_pieces, is_ruled_out, is_undroppable
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.slip_delivery import News, announce_check, announce_next, rule_moved
from corr.rules.core.umpire import SIDES, Ruling, Truth
from corr.words.board import SQUARES, PieceKind, Side
from corr.words.codes import Common
from corr.words.orders import Drop, Order
from corr.words.slips import Fact
from corr.words.view import VariantInfo

CHECK_DIRECTIONS = {
    "rank": "on the horizontal",
    "file": "on the vertical",
    "long-diagonal": "on the long diagonal",
    "short-diagonal": "on the short diagonal",
    "knight": "by a knight",
}

CARD = VariantInfo(
    key="crazykrieg",
    name="CrazyKrieg",
    summary=(
        "Crazyhouse in the dark: you see only your own pieces. A piece you capture changes its colour and "
        "waits in your reserve, until you drop it on an empty square instead of moving. Both players hear "
        "every word the umpire says, and know both reserves."
    ),
    announcements=(
        (
            'The umpire announces a move as "White has moved", and a drop as "White dropped a knight". It '
            "names the piece, because the reserves are public, but not the square."
        ),
        (
            'When something is captured, the umpire names the square and what enters the reserve: "Knight '
            'captured on c3". A piece that was promoted from a pawn counts as a pawn and becomes one again. '
            "For a pawn captured en passant the umpire gives the square where that pawn was. You both hear of each "
            "change in a reserve."
        ),
        (
            'The umpire announces a check, whether by a move or by a drop, with its direction: "Check on the '
            'vertical", "on the horizontal", "on the long diagonal", "on the short diagonal" or "by a knight". The '
            "king's long diagonal is the one with more squares."
        ),
        (
            'Once a turn, before you move, you can ask "any?": can any of my pawns on the board capture '
            'something? You both hear the question and the answer, "No" or "Try". After "Try" you must try a '
            "pawn capture next, not a drop. Once a pawn capture has failed, you can try anything."
        ),
        (
            "If what you try fails only because of a check or because of where the enemy pieces are, the umpire "
            'says "White tried: No". If you could have ruled it out yourself, the umpire says "White tried: '
            "Impossible\". Examples are a piece you don't have, your own piece in the way, a pawn dropped on "
            'the first or last rank, the same try twice, and a pawn capture after "No". Your opponent hears '
            "which of the two it was, but never what you tried."
        ),
        (
            "The umpire doesn't announce castling or promotion. A position is mate or stalemate only if no drop "
            "can help. Threefold repetition is a draw, and so are fifty moves without a pawn move, a capture "
            "or a drop. If you run out of time, you always lose: captured pieces can come back, so your "
            "opponent could still mate you."
        ),
    ),
    words=(
        (
            '"N@f5" drops a knight from your reserve onto f5. A pawn has a letter too: '
            '"P@e4". You can write a drop wherever you can write a move.'
        ),
        *said.WORDS,
    ),
    example=(
        "You write e4d5, and you both hear: White has moved. Pawn captured on d5.",
        "White's reserve: a pawn. Black's reserve: nothing.",
        "Later you write P@e6, and you both hear: White dropped a pawn.",
        "Your opponent doesn't learn that it is on e6.",
    ),
    lines=CHECK_DIRECTIONS,
    refused='Your opponent hears each refusal, "No" or "Impossible", but never what you tried.',
    chess="Crazyhouse",
    presses=("any?",),
)

_NOTATION_HELP = (
    "In CrazyKrieg, write moves such as e2e4, e7e8=N, o-o and o-o-o, drops such as N@f5, "
    'and the question "any?".'
)

_PIECE_KINDS: tuple[PieceKind, ...] = tuple(PieceKind)


def _parse(order: Order, board: chess.Board, moves_known: str) -> chess.Move | None:
    return notation.drop(order) if isinstance(order, Drop) else notation.read(order, board, moves_known)


def _rule_move(truth: Truth, played: PlayedMove, side: Side, move: chess.Move) -> Ruling[Truth]:
    """Deliver a move or drop: only its side is told the squares."""
    own, other = _made_fact(side, move.drop, move.uci()), _made_fact(side, move.drop, None)
    return rule_moved(played.truth, side, (own,), other, *_news(truth, played, side, move))


def _is_barred(truth: Truth, move: chess.Move) -> bool:
    """Whether the reserve or this turn's words rule a move or drop out (ruling G6, a, b and e to h)."""
    if move.drop:
        own = reserves_of(truth)[SIDES[truth.board.turn]]
        barred = truth.memo.bound or impossible_moves.is_already_refused(truth, move)
        return barred or is_undroppable(truth.board, own, move)
    return is_ruled_out(truth, move)


def _is_impossible_by_own_pieces(board: chess.Board, move: chess.Move) -> bool:
    """Whether own pieces alone show that a move is impossible (ruling G6, a to d); never for drops."""
    return not move.drop and is_impossible_by_own_pieces(board, move)


def _can_ask(truth: Truth) -> bool:
    """Whether "any?" is still possible in this turn; unlike elsewhere, no pawn is needed."""
    return truth.memo.any is None


_CHECK = announcements.check_facts(lambda kind: f"Check {CHECK_DIRECTIONS[kind]}.", " ")


def _announce_first_position(played: PlayedMove) -> News:
    reserves = crazyhouse.reserves_fact(reserves_of(played.truth))
    return announce_next(played, (reserves, *announce_check(played, _CHECK)))


def _news(truth: Truth, played: PlayedMove, side: Side, move: chess.Move) -> News:
    """Return what both hear: the capture, the reserves, the check, then the end or the turn."""
    taken, reserves = played.taken, reserves_of(played.truth)
    captured = (_capture(side, taken.square, kind_for_reserve(truth.board, taken)),) if taken else ()
    changed = (crazyhouse.reserves_fact(reserves),) if taken or move.drop else ()
    return announce_next(played, (*captured, *changed, *announce_check(played, _CHECK)))


@cache
def _capture(side: Side, square: int, man: chess.PieceType) -> Fact:
    """Announce a capture by its square and what enters the reserve, never en passant or a promotion."""
    name, place = _PIECE_KINDS[man - 1].value, SQUARES[square]
    data = (("side", side), ("square", place), ("man", name), ("en_passant", False))
    return Fact(Common.CAPTURE, f"{name.capitalize()} captured on {place}.", data)


@lru_cache(maxsize=8192)
def _made_fact(side: Side, dropped: chess.PieceType | None, move: str | None) -> Fact:
    """Tell of a move or a drop; only the mover is told which squares."""
    if not dropped:
        return Fact(Common.MOVED, f"{side.called} has moved.", (("side", side), ("move", move)))
    name = _PIECE_KINDS[dropped - 1].value
    data = (("side", side), ("man", name), ("move", move))
    return Fact(Common.DROPPED, f"{side.called} dropped a {name}.", data)


_ASKING = QuestionUmpire(
    _NOTATION_HELP,
    word_refusals(" tried: No.", " tried: Impossible.", " asked Any?: No.", " asked Any?: Try."),
    play,
    _rule_move,
    _is_barred,
    _is_impossible_by_own_pieces,
    _can_ask,
    _parse,
)

UMPIRE = CrazyhouseReferee(CARD, _ASKING.answer, _ASKING.is_knowably_impossible, _announce_first_position)
