"""What is marked on a letter's board its alternative text names, and its reader alone switches it off."""

from __future__ import annotations

import html
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from corr.rules.variants import UMPIRES, find_umpire
from tests.server.web.test_table_preferences import CAPTURE, LAST, RECALLED, at_marks
from tests.support.table import ANN, BEN, Table, html_of, text_of
from tests.support.twin_servers import parted


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    table.play("e2e4", "d7d5", "e4d5")
    return table


def described(letter: EmailMessage) -> str:
    """The picture of the board in words."""
    found = re.search(r'<img src="cid:board"[^>]* alt="([^"]*)"', html_of(letter))
    assert found
    return html.unescape(found[1])


def drawn(letter: EmailMessage) -> bytes:
    """The picture of the board."""
    return next(part.get_payload(decode=True) for part in letter.walk() if part["Content-ID"] == "<board>")


def shown(table: Table, player: str) -> EmailMessage:
    """The letter that shows a player the game once more."""
    table.reply(player, "show")
    return table.newest(player)


def test_the_alternative_text_names_what_is_marked(begun: Table) -> None:
    assert described(begun.newest(BEN)).endswith("Your last move: d7. Captured on d5.")


def test_a_sense_is_named_by_its_corners(table: Table) -> None:
    table.begin("rbc")
    table.reply(ANN, "sense e7")

    assert described(table.newest(ANN)).endswith("Sensed this turn: the squares from d6 to f8.")


def test_the_letter_of_the_end_names_what_the_last_half_move_did(begun: Table) -> None:
    begun.reply(BEN, "resign resign")

    for player in (ANN, BEN):
        assert described(begun.newest(player)).endswith("Last move: e4, d5. Captured on d5.")


def test_what_is_switched_off_at_the_table_is_on_no_letter(begun: Table) -> None:
    whole = shown(begun, BEN)
    bens = at_marks(begun, BEN)
    bens.press(CAPTURE)
    uncaptured = shown(begun, BEN)
    assert described(uncaptured).endswith("Your last move: d5, d7.")
    bens.press(LAST)
    bare = shown(begun, BEN)
    assert "d5" not in described(bare)

    assert len({drawn(whole), drawn(uncaptured), drawn(bare)}) == 3


def test_what_was_seen_earlier_is_fog_in_letters_once_that_is_switched_off(table: Table) -> None:
    table.begin("rbc")
    table.play("sense e7\nd2d4", "sense e2\nd7d5")
    recalled = shown(table, ANN)
    at_marks(table, ANN).press(RECALLED)
    fogged = shown(table, ANN)

    assert "p!" in text_of(recalled)
    assert "p!" not in text_of(fogged)
    assert drawn(fogged) != drawn(recalled)


def test_what_one_side_switches_changes_no_byte_of_the_other_sides_letters(
    begun: Table, tmp_path: Path
) -> None:
    bens = at_marks(begun, BEN)
    twins = parted(begun, tmp_path / "twins", bens)
    for switch in ("capture off", "last off", "recalled off", "oldest on"):
        twins.one.post(f"{bens.at}/switch", switch=switch)
    for twin in (twins.one, twins.other):
        twin.table.reply(BEN, "d8d5")
    anns, bens_own = (
        [twin.letters(player)[-1] for twin in (twins.one, twins.other)] for player in (ANN, BEN)
    )
    twins.close()

    assert anns[0] == anns[1]
    assert bens_own[0] != bens_own[1]


#: What is played in either house, where Black plays the same, and what Black is told of both alike.
CHECKS = "e2e4 d7d6 f1b5", "c2c4 d7d6 d1a4", "On the line of the check"
CAPTURES = "e2e3 d7d6 e3e4 d6d5 e4d5", "c2c3 d7d6 c3c4 d6d5 c4d5", "Captured on d5."
TRUTHS = {
    "a check from nearby or from afar": ("wild16", *CHECKS),
    **{f"a capture by one pawn or the other, {variant}": (variant, *CAPTURES) for variant in UMPIRES},
}


@pytest.mark.parametrize("told", TRUTHS)
def test_what_is_marked_depends_on_the_readers_own_slips_alone(
    table: Table, tmp_path: Path, told: str
) -> None:
    variant, one, other, marked = TRUTHS[told]
    table.begin(variant)
    table.deploy()
    sense = "sense none\n" if find_umpire(variant).start().truth.sights.white.sense_due else ""
    twins = parted(table, tmp_path / "twins")
    for twin, moves in ((twins.one, one), (twins.other, other)):
        twin.table.play(*(f"{sense}{move}" for move in moves.split()))
    letters = [twin.letters(BEN)[-1] for twin in (twins.one, twins.other)]
    twins.close()

    assert marked in described(twins.one.table.newest(BEN))
    assert letters[0] == letters[1]
