"""The set-ups that a side can deploy by their names, so that nobody starts from a blank page."""

from __future__ import annotations

from corr.words.view import Prepared

#: What the cards say of a deployment, and how it is written.
DEPLOYMENT = (
    (
        "Before the first move each side deploys all sixteen men on its own four rows, bishops on squares of "
        "different colours, pawns on the first row too if it likes. Your opponent learns only that you have "
        "deployed, and until both have, you may change your mind. Then each is told the square of the other's "
        "king, once."
    ),
    (
        "You may send up to five set-ups in order of preference. The umpire takes the first pair of set-ups in "
        "which neither king is attacked and White can move. If there is none, both are told only that the "
        "deployments clash, and both deploy once more, in half the time. After the fifth clash the game is void."
    ),
)
TO_DEPLOY = (
    '"deploy home" deploys a prepared set-up by its name; "deploy Ke1 Qd1 Ra1 Rh1 …" with all your men and '
    "their squares deploys your own. Up to five such lines are looked at, the first one first."
)

SETUPS = (
    Prepared(
        "home",
        "the men where chess has them",
        (
            "........",
            "........",
            "PPPPPPPP",
            "RNBQKBNR",
        ),
    ),
    Prepared(
        "vanguard",
        "pawns in front, far ahead, and room to move behind them",
        (
            "P.P.P.P.",
            ".P.P.P.P",
            "..NQ.N..",
            "R.B.KB.R",
        ),
    ),
    Prepared(
        "corner",
        "the king away in a corner behind his rook",
        (
            "........",
            "PPP..PPP",
            "..NPPN..",
            "R.BQ.BRK",
        ),
    ),
    Prepared(
        "spread",
        "men all over the four rows, with the bishops at the edges",
        (
            "..P..P..",
            "PN.PP.NP",
            "B.P..P.B",
            "R..QK..R",
        ),
    ),
    Prepared(
        "upturned",
        "the pieces in front and the pawns behind them, on the first row",
        (
            "........",
            "........",
            "RNBQKBNR",
            "PPPPPPPP",
        ),
    ),
)
