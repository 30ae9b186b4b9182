"""Two truths that look alike to a player give that player the same pages, in every variant, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import Twin, Twins, pages, parted
from browser import Browser
from table import ANN, BEN, FAY, Table

from corr.rules import UMPIRES, umpire_of

#: What White plays in either house, after a sense of b2 where there is one; Black hears the same of both.
ONE, OTHER = "e2e3", "b1c3"
#: What White tries in vain in either.
VAIN = {ONE: "a1a5", OTHER: "h1h5"}


def twins_of(table: Table, folder: Path, variant: str) -> tuple[Twins, list[str]]:
    """A game that has begun, twice, as Black sees it; and where all pages are that Black may open."""
    table.begin(variant)
    table.deploy()
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    code = str(table.letters(ANN)[-1]["Subject"])[-6:-1]
    twins = parted(table, folder, ben)
    return twins, pages(twins.one.app, code=code)


def play(twin: Twin, variant: str, order: str) -> None:
    sense = "sense b2\n" if umpire_of(variant).start().truth.sights.white.sense_due else ""
    game = next(each for each in reversed(twin.table.letters(ANN)) if "Sign in" not in str(each["Subject"]))
    twin.table.reply(ANN, f"{sense}{order}", to=game)


@pytest.mark.parametrize("variant", UMPIRES)
def test_what_a_player_cannot_know_changes_no_byte_of_a_page(
    sqlite_table: Table, tmp_path: Path, variant: str
) -> None:
    twins, paths = twins_of(sqlite_table, tmp_path / "twins", variant)
    for twin, order in ((twins.one, ONE), (twins.other, OTHER)):
        play(twin, variant, VAIN[order])
        play(twin, variant, order)

    for path in paths:
        for one, other in (twins.answers(path), twins.answers(path, "HEAD"), twins.answers_once_more(path)):
            assert one == other, path
    twins.close()


def test_a_private_refusal_changes_no_byte_of_the_other_sides_pages(
    sqlite_table: Table, tmp_path: Path
) -> None:
    twins, paths = twins_of(sqlite_table, tmp_path / "twins", "wild16")
    before = [twins.one.answer(path) for path in paths]
    play(twins.one, "wild16", "a1a5")

    assert "Illegal move" in twins.one.table.says(ANN)
    assert [twins.one.answer(path) for path in paths] == before
    twins.close()


# ---------------------------------------------------------------- what compares them sees a difference


def test_what_is_no_secret_is_seen_to_differ(sqlite_table: Table, tmp_path: Path) -> None:
    twins, _ = twins_of(sqlite_table, tmp_path / "twins", "wild16")
    assert b"303 SEE OTHER" in twins.one.post("/lobby/challenge", whom=FAY, variant="rbc")
    one, other = twins.answers("/games/")

    assert (FAY.encode() in one, FAY.encode() in other) == (True, False)
    twins.close()


def test_a_form_that_is_sent_in_both_brings_the_same(sqlite_table: Table, tmp_path: Path) -> None:
    twins, _ = twins_of(sqlite_table, tmp_path / "twins", "wild16")
    one, other = twins.answers_to_form("/lobby/challenge", whom="nobody at all", variant="wild16")

    assert one == other
    assert b"Set-Cookie: corr=" in one
    twins.close()
