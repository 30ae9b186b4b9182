"""Offers prepared set-ups to deploy by name, so that nobody starts from a blank page."""

from __future__ import annotations

from corr.words.view import PreparedSetup

#: What the cards say of a deployment, and how to write one.
DEPLOYMENT = (
    (
        "Before the first move each side deploys all sixteen pieces on its own four ranks. The bishops go on "
        "squares of different colours, and pawns can also go on the first row. Your opponent hears only that "
        "you have deployed, and until both have, you can change your set-up. Then the umpire tells each side "
        "once where the other's king is."
    ),
    (
        "You can send up to five set-ups in order of preference. The umpire takes the first pair in which "
        "neither king is attacked and White can move. If there is none, you both hear only that the "
        "deployments clash, and deploy again in half the time. After the fifth clash the game is void."
    ),
)
DEPLOY_HELP = (
    '"deploy home" deploys a prepared set-up by its name. "deploy Ke1 Qd1 Ra1 Rh1 …" with all your pieces '
    "and their squares deploys your own. You can write up to five such lines, your favourite first."
)

SETUPS = (
    PreparedSetup(
        "home",
        "the usual starting position",
        (
            "........",
            "........",
            "PPPPPPPP",
            "RNBQKBNR",
        ),
    ),
    PreparedSetup(
        "vanguard",
        "pawns in front, far ahead, with room to move behind them",
        (
            "P.P.P.P.",
            ".P.P.P.P",
            "..NQ.N..",
            "R.B.KB.R",
        ),
    ),
    PreparedSetup(
        "corner",
        "the king safe in a corner behind the rook",
        (
            "........",
            "PPP..PPP",
            "..NPPN..",
            "R.BQ.BRK",
        ),
    ),
    PreparedSetup(
        "spread",
        "pieces all over the four rows, with the bishops at the edges",
        (
            "..P..P..",
            "PN.PP.NP",
            "B.P..P.B",
            "R..QK..R",
        ),
    ),
    PreparedSetup(
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
