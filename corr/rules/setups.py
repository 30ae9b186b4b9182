"""The set-ups that a side can deploy by their names, so that nobody starts from a blank page."""

from __future__ import annotations

from corr.words import Prepared

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
