"""Welbeck: Classic's umpire over men that both sides have deployed in secret; no pawn ever steps twice."""

from __future__ import annotations

import chess

from corr.rules import aloud as said
from corr.rules import announce, notation
from corr.rules.announce import News
from corr.rules.asking import Asking
from corr.rules.deployed import Field
from corr.rules.deploying import Deploying
from corr.rules.gait import Gait
from corr.rules.handing import moved
from corr.rules.nonsense import is_out_of_pattern, is_ruled_out, may_ask
from corr.rules.play import Played
from corr.rules.referee import Referee
from corr.rules.setups import SETUPS
from corr.rules.sights import untyped
from corr.rules.umpire import WHITE, Ruling, Truth
from corr.words import Card, Order, Side

CARD = Card(
    key="welbeck",
    name="Welbeck",
    summary=(
        "Kriegspiel by Hubert Phillips, in which both players first set up their men in secret, as they like, on "
        "their own four rows. Then each is told where the other's king stands, and chess begins, in which you see "
        "your own men only and both hear every word of the umpire."
    ),
    announcements=(
        (
            "Before the first move each side deploys all sixteen men on its own four rows, bishops on squares of "
            "different colours, pawns on the first row too if it likes. Your opponent learns only that you have "
            "deployed, and until both have, you may change your mind. Then each is told the square of the other's "
            "king, once."
        ),
        (
            "You may send up to five set-ups in order of preference. The umpire takes the first pair of set-ups in "
            "which neither king is attacked and White can move. If there is none, both are told only that the "
            "deployments clash, and deploy anew."
        ),
        (
            "A pawn only ever steps one square, so nothing is taken en passant. You may castle if you deployed king "
            "and rook where chess has them."
        ),
        (
            'A move is told as "White has moved", a capture with its square, "White has captured on d3", a check with '
            'its direction: "Check on the row", "on the column", "on the large diagonal", "on the small diagonal" or '
            '"by a knight". Of the two diagonals through the king, the large one has more squares.'
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
            '"deploy home" deploys a prepared set-up by its name; "deploy Ke1 Qd1 Ra1 Rh1 …" with all your men and '
            "their squares deploys your own. Up to five such lines are looked at, the first one first."
        ),
        (
            'Each refusal is heard by your opponent, so think before you write. "any?" asks for a pawn\'s capture; a '
            "move may stand on the line below it, and is tried if the answer leaves it possible. With "
            '"any? yes: e4d5 / no: g1f3" you write a move for each answer.'
        ),
    ),
    example=(
        "You write deploy corner, and both of you are told: White has deployed.",
        "Black deploys too, and you are told: Black's king stands on g7. White's move.",
        "You write d3d4, and both of you are told: White has moved.",
    ),
    setups=SETUPS,
)

_TWO_ROWS = 16
_KNOWN = 'Welbeck knows moves such as e2e3, e7e8=N, o-o and o-o-o, and the question "any?".'


def _ends(board: chess.Board, checkers: int, stuck: bool) -> str | None:  # noqa: FBT001  # what Ends asks
    if stuck:
        return "checkmate" if checkers else "stalemate"
    return "material" if board.is_insufficient_material() else None


def _can_mate(truth: Truth, side: Side) -> bool:
    return not truth.board.has_insufficient_material(side is WHITE)


_FIELD = Field(Gait(spies=False, doubles=False), _ends, _can_mate)


def _read(truth: Truth, order: Order) -> chess.Move | None:
    return notation.read(order, truth.board, _KNOWN)


def _is_out_of_pattern(truth: Truth, move: chess.Move) -> bool:
    return _is_double_step(truth.board, move) or is_out_of_pattern(truth.board, move)


def _is_double_step(board: chess.Board, move: chess.Move) -> bool:
    return board.pawns >> move.from_square & 1 == 1 and abs(move.to_square - move.from_square) == _TWO_ROWS


def _made(_before: Truth, played: Played, side: Side, move: chess.Move) -> Ruling[Truth]:
    own = said.moved(side, move.from_square, move.to_square, move.promotion)
    news = announce.following(played, said.made(played, side, move.to_square))
    return moved(played, side, own, said.MOVED[side], news)


def _first_news(played: Played) -> News:
    return announce.following(played, said.found(played))


_ASKING = Asking(_read, is_ruled_out, _is_out_of_pattern, may_ask, _FIELD.play, _made, said.VOICE)

UMPIRE = Deploying(Referee(CARD, _ASKING.answer, _first_news, untyped, _FIELD.kit()), _FIELD)
