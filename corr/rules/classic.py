"""Classic "Any?": the umpire of 1899, heard by both; a player may ask whether a pawn can capture."""

from __future__ import annotations

from functools import cache, lru_cache

import chess

from corr.rules import announce, checks, memo, notation
from corr.rules.announce import News
from corr.rules.handing import after, aloud, moved, told
from corr.rules.nonsense import has_pawn_diagonal, is_out_of_pattern, is_pawn_diagonal
from corr.rules.play import Played, play
from corr.rules.referee import Referee
from corr.rules.sights import untyped
from corr.rules.umpire import Ruling, Truth
from corr.words import SQUARES, Ask, Card, Fact, Order, Refused, Side, Tries, Verdict

CARD = Card(
    key="classic",
    name='Classic "Any?"',
    summary=(
        "Kriegspiel as Henry Michael Temple made it in 1899: chess in which you see your own men only, and in which "
        "both players hear every word of the umpire. A move that cannot be made is refused aloud, and never counts "
        "as your move."
    ),
    announcements=(
        'A move is told as "White has moved" or "Black has moved", and nothing more of it.',
        (
            'A capture is told with its square, "White has captured on d3", never with the man that takes or is '
            'taken; a pawn taken en passant with the square where the other pawn lands, "Black has taken en-passant '
            'on f3".'
        ),
        (
            'A check is told with its direction: "Check on the row", "on the column", "on the large diagonal", "on '
            'the small diagonal" or "by a knight". Of the two diagonals through the king, the large one has more '
            "squares."
        ),
        (
            'You may ask "any?" once a turn, before you move: can a pawn of mine capture something? Both of you hear '
            'that you asked, and the answer, "No" or "Try!". After "Try!" you must try a pawn\'s capture next; once '
            "one has failed, you may write what you like."
        ),
        (
            'A move that is not possible is answered "White attempted an illegal move" if only the other side\'s men '
            'or a check prevent it, and "White: Impossible" if you could know it, as a pawn\'s capture after "No". '
            "Your opponent hears which of the two it was, never the move."
        ),
        (
            "Castling and promotion are not told. The game ends as chess does. The umpire declares mate, stalemate, a "
            "third repetition, fifty moves without a pawn move or capture, and too little material; whoever runs out "
            "of time loses, unless the other side could not mate."
        ),
    ),
    words=(
        (
            'Each refusal is heard by your opponent, so think before you write. "any?" asks for a pawn\'s capture; a '
            "move may stand on the line below it, and is tried if the answer leaves it possible. With "
            '"any? yes: e4d5 / no: g1f3" you write a move for each answer.'
        ),
    ),
    example=(
        "You write any?, and both of you are told: White asked Any?: Try!",
        "You write e4f5, and both of you are told: White attempted an illegal move.",
        "You write e4d5, and both of you are told: White has moved. White has captured on d5.",
        "Your opponent does not learn that e4f5 was what you tried.",
    ),
)

_KNOWN = 'Classic knows moves such as e2e4, e7e8=N, o-o and o-o-o, and the question "any?".'

_ILLEGAL = {
    side: Fact("illegal", f"{side.called} attempted an illegal move", (("side", side),)) for side in Side
}
_IMPOSSIBLE = {side: Fact("impossible", f"{side.called}: Impossible", (("side", side),)) for side in Side}
_HAS_MOVED = {
    side: Fact("moved", f"{side.called} has moved", (("side", side), ("move", None))) for side in Side
}
_LINES = {
    "rank": "on the row",
    "file": "on the column",
    "long-diagonal": "on the large diagonal",
    "short-diagonal": "on the small diagonal",
    "knight": "by a knight",
}


def _answer(truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
    """Answer the question, make the move, or say to both that it is illegal or impossible."""
    return (
        _ask(truth, side, order)
        if isinstance(order, Ask)
        else _try(truth, side, notation.read(order, truth.board, _KNOWN))
    )


def _ask(truth: Truth, side: Side, order: Ask) -> Ruling[Truth]:
    """The answer, and what is written for it; what the answer rules out is held back, so that nobody hears of it."""
    yes, no = (_branch(truth.board, tries) for tries in (order.yes, order.no))
    if _may_not_ask(truth):
        return aloud(truth, Verdict.NONSENSE, _IMPOSSIBLE[side])
    answer = truth.tries > 0
    asked, said, move = memo.asked(truth, answer=answer), _any(side, answer=answer), yes if answer else no
    if move is None:
        return aloud(asked, Verdict.TOLD, said)
    if _turns_down(asked, move):
        return told(asked, side, (said, announce.held_back(move)), (said,))
    return after(_try(asked, side, move), said)


def _branch(board: chess.Board, tries: Tries | None) -> chess.Move | None:
    if tries is None:
        return None
    move = notation.read(tries.steps[0] if len(tries.steps) == 1 else tries, board, _KNOWN)
    if move is None:
        raise Refused("Your king is not where he castles from.")
    return move


def _try(truth: Truth, side: Side, move: chess.Move | None) -> Ruling[Truth]:
    if move is None or _turns_down(truth, move):
        return aloud(truth, Verdict.NONSENSE, _IMPOSSIBLE[side])
    played = play(truth, move, untyped)
    if played is None:
        still_bound = truth.memo.bound and not is_pawn_diagonal(truth.board, move)
        return aloud(memo.refused(truth, move, bound=still_bound), Verdict.REFUSED, _ILLEGAL[side])
    own = _moved(side, move.from_square, move.to_square, move.promotion)
    return moved(played, side, own, _HAS_MOVED[side], _news(played, side, move.to_square))


def _may_not_ask(truth: Truth) -> bool:
    """G6 h and i: a second time in this turn, or with no pawn that could capture anything."""
    return truth.memo.any is not None or not has_pawn_diagonal(truth.board)


def _turns_down(truth: Truth, move: chess.Move) -> bool:
    """G6 a to h: what this side could know from its own men, and from what was said in this turn."""
    diagonal = is_pawn_diagonal(truth.board, move)
    bound = truth.memo.bound and not diagonal
    denied = truth.memo.any is False and diagonal
    return bound or denied or memo.is_known(truth, move) or is_out_of_pattern(truth.board, move)


# ---------------------------------------------------------------- what is said


def _first_news(played: Played) -> News:
    check = (_CHECK[played.checks],) if played.checks else ()
    return announce.following(played, check)


def _news(played: Played, side: Side, landed: int) -> News:
    """What both hear after that a move was made: the capture, the check, then the end or else whose turn it is."""
    taken = played.taken
    captured = (_capture(side, landed, en_passant=landed != taken.square),) if taken else ()
    check = (_CHECK[played.checks],) if played.checks else ()
    return announce.following(played, (*captured, *check))


@cache
def _capture(side: Side, square: int, *, en_passant: bool) -> Fact:
    """A capture by its square, en passant by where the capturing pawn lands; never by the men."""
    how = "taken en-passant" if en_passant else "captured"
    data = (("side", side), ("square", SQUARES[square]), ("en_passant", en_passant))
    return Fact("capture", f"{side.called} has {how} on {SQUARES[square]}", data)


def _check(found: int) -> Fact:
    kinds = checks.names(found)
    return Fact("check", ". ".join(f"Check {_LINES[kind]}" for kind in kinds), (("kinds", kinds),))


_CHECK = tuple(map(_check, range(32)))


@cache
def _any(side: Side, *, answer: bool) -> Fact:
    said = "Try!" if answer else "No"
    return Fact("any", f"{side.called} asked Any?: {said}", (("side", side), ("answer", answer)))


@lru_cache(maxsize=8192)
def _moved(side: Side, origin: int, target: int, promotion: int | None) -> Fact:
    """This side made a move, as the mover is told."""
    made = announce.moved(side, origin, target, promotion)
    return Fact(made.code, _HAS_MOVED[side].text, made.data)


UMPIRE = Referee(CARD, _answer, _first_news, untyped)
