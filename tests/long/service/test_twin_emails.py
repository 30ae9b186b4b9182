"""Twins: two truths that look alike to a player give that player the same emails, byte for byte."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from bench import twins
from corr.rules.variants import UMPIRES, find_umpire
from tests.support.masked_seals import mask_email
from tests.support.table import ANN, BEN, Table, make_table

#: What White tries in vain and then plays from a list in either twin, after a sense of b2 in RBC. Where lists aren't
#: allowed, the last order is the move. Black hears the same of both.
ONE = ("a1a5", "a2b3, a1a6, e2e3", "e2e3")
OTHER = ("h1h5", "c2d3, h1h6, h1h7, b1c3", "b1c3")
#: Black's orders, which get the same answers whatever White has played.
BLACK = (
    "a8a5",
    "Nf6",
    "exd6",
    "castle",
    "Qd4, e7e6",
    "a7a6\nb7b6",
    "show",
    "help",
    "games",
    "e2e4",
    "b8d7",
    "sense c7",
    "sense d7",
    "a7a1",
    "pass",
)


def game(folder: Path, variant: str, orders: tuple[str, ...]) -> Table:
    folder.mkdir()
    table = make_table(folder)
    table.begin(variant)
    table.deploy()
    sense = "sense b2\n" if find_umpire(variant).start().truth.sights.white.sense_due else ""
    for text in orders:
        table.reply(ANN, f"{sense}{text}")
    for text in BLACK:
        table.reply(BEN, text)
    return table


def masked(letter: EmailMessage) -> bytes:
    """The email with long lines joined, without the game's code and what is made from secret keys."""
    return re.sub(
        rb"[a-z0-9]{24,}(?=@|>)|(rel|alt)-[a-z0-9]+|\([a-z0-9]+\)|%28[a-z0-9]+%29|\b[2-9j-np-z]{5}(?=: )"
        rb"|(?<=/games/)[2-9a-z]{5}\b",
        b"*",
        mask_email(letter).replace(b"=\n", b""),
    )


@pytest.mark.parametrize("variant", UMPIRES)
def test_what_a_player_cannot_know_changes_no_email(tmp_path: Path, variant: str) -> None:
    one, other = (game(tmp_path / orders[1], variant, orders) for orders in (ONE, OTHER))

    white, black = (
        [[masked(letter) for letter in table.emails_to(player)] for table in (one, other)]
        for player in (ANN, BEN)
    )

    assert len(black[0]) > len(BLACK)
    assert black[0] == black[1]
    assert white[0] != white[1]
    one.server.store.close()
    other.server.store.close()


@pytest.mark.parametrize("variant", UMPIRES)
def test_hundreds_of_twins_get_the_same_answers_as_they_are_played_on(variant: str) -> None:
    """The long form is `python -m bench.twins --pairs 3000`."""
    assert twins.compared(find_umpire(variant), pairs=150, seed=3) == 0
