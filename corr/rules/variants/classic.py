"""Classic "Any?": the umpire of 1899, heard by both; a player may ask whether a pawn can capture."""

from __future__ import annotations

from functools import partial

from corr.rules.core import any_question as said
from corr.rules.core.any_question import QuestionUmpire
from corr.rules.core.played_move import play
from corr.rules.core.referee import Referee
from corr.rules.core.sights import hide_loss_kinds
from corr.words.view import VariantInfo

CARD = VariantInfo(
    key="classic",
    name='Classic "Any?"',
    summary=(
        "Kriegspiel as Henry Michael Temple invented it in 1899: you see only your own "
        "pieces, and both players hear every word the umpire says. The umpire refuses an "
        "impossible move aloud, and it never counts as your move."
    ),
    announcements=(
        'The umpire announces a move as "White has moved" or "Black has moved", and nothing more.',
        (
            'The umpire announces a capture with its square, "White has captured on d3", but never says '
            "which piece captured or was captured. For a pawn captured en passant the umpire gives the square where "
            'the capturing pawn lands: "Black has taken en-passant on f3".'
        ),
        (
            'The umpire announces a check with its direction: "Check on the row", "on the '
            'column", "on the large diagonal", "on the small diagonal" or "by a knight". '
            "The king's large diagonal is the one with more squares."
        ),
        said.QUESTION,
        said.REFUSALS,
        said.ENDS,
    ),
    words=said.WORDS,
    presses=said.BUTTON_ORDERS,
    lines=said.CHECK_DIRECTIONS,
    example=(
        "You write any?, and you both hear: White asked Any?: Try!",
        "You write e4f5, and you both hear: White attempted an illegal move.",
        "You write e4d5, and you both hear: White has moved. White has captured on d5.",
        "Your opponent doesn't learn that you tried e4f5.",
    ),
    refused=said.REFUSED,
    chess="Standard",
)

_NOTATION_HELP = 'In Classic, write moves such as e2e4, e7e8=N, o-o and o-o-o, and the question "any?".'

_ASKING = QuestionUmpire(
    _NOTATION_HELP, said.REFUSAL_FACTS, partial(play, shown=hide_loss_kinds), said.rule_move
)
UMPIRE = Referee(
    CARD, _ASKING.answer, _ASKING.is_knowably_impossible, said.announce_first_position, hide_loss_kinds
)
