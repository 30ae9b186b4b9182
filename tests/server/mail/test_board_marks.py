"""Marks on an email's board: the alternative text names them, and only the reader switches them off."""

from __future__ import annotations

import html
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from corr.rules.variants import UMPIRES, find_umpire
from tests.server.web.test_table_preferences import CAPTURE, LAST, RECALLED, at_marks
from tests.support.table import ANN, BEN, Table, html_of, text_of
from tests.support.twin_servers import make_twins


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    table.play("e2e4", "d7d5", "e4d5")
    return table


def alt_text(email: EmailMessage) -> str:
    """The alternative text of the board."""
    found = re.search(r'<img src="cid:board"[^>]* alt="([^"]*)"', html_of(email))
    assert found
    return html.unescape(found[1])


def board_png(email: EmailMessage) -> bytes:
    """The PNG of the board."""
    return next(part.get_payload(decode=True) for part in email.walk() if part["Content-ID"] == "<board>")


def ask_to_show(table: Table, player: str) -> EmailMessage:
    """Reply "show" and return the answer."""
    table.reply(player, "show")
    return table.last_email(player)


def test_the_alternative_text_names_the_marks(begun: Table) -> None:
    assert alt_text(begun.last_email(BEN)).endswith("Your last move: d7. Captured on d5.")


def test_a_sense_is_named_by_its_corners(table: Table) -> None:
    table.begin("rbc")
    table.reply(ANN, "sense e7")

    assert alt_text(table.last_email(ANN)).endswith("Sensed this turn: the squares from d6 to f8.")


def test_the_last_email_names_the_last_move_and_its_capture(begun: Table) -> None:
    begun.reply(BEN, "resign resign")

    for player in (ANN, BEN):
        assert alt_text(begun.last_email(player)).endswith("Last move: e4, d5. Captured on d5.")


def test_marks_switched_off_at_the_table_are_missing_from_emails(begun: Table) -> None:
    whole = ask_to_show(begun, BEN)
    bens = at_marks(begun, BEN)
    bens.press(CAPTURE)
    uncaptured = ask_to_show(begun, BEN)
    assert alt_text(uncaptured).endswith("Your last move: d5, d7.")
    bens.press(LAST)
    bare = ask_to_show(begun, BEN)
    assert "d5" not in alt_text(bare)

    assert len({board_png(whole), board_png(uncaptured), board_png(bare)}) == 3


def test_squares_seen_earlier_are_fog_in_emails_once_switched_off(table: Table) -> None:
    table.begin("rbc")
    table.play("sense e7\nd2d4", "sense e2\nd7d5")
    recalled = ask_to_show(table, ANN)
    at_marks(table, ANN).press(RECALLED)
    fogged = ask_to_show(table, ANN)

    assert "p!" in text_of(recalled)
    assert "p!" not in text_of(fogged)
    assert board_png(fogged) != board_png(recalled)


def test_one_sides_switches_change_no_byte_of_the_opponents_emails(begun: Table, tmp_path: Path) -> None:
    bens = at_marks(begun, BEN)
    twins = make_twins(begun, tmp_path / "twins", bens)
    for switch in ("capture off", "last off", "recalled off", "oldest on"):
        twins.one.post(f"{bens.path}/switch", switch=switch)
    for twin in (twins.one, twins.other):
        twin.table.reply(BEN, "d8d5")
    anns, bens_own = (
        [twin.emails_to(player)[-1] for twin in (twins.one, twins.other)] for player in (ANN, BEN)
    )
    twins.close()

    assert anns[0] == anns[1]
    assert bens_own[0] != bens_own[1]


# The moves on each of the twin servers, and what Black's board marks on both.
CHECKS = "e2e4 d7d6 f1b5", "c2c4 d7d6 d1a4", "On the line of the check"
CAPTURES = "e2e3 d7d6 e3e4 d6d5 e4d5", "c2c3 d7d6 c3c4 d6d5 c4d5", "Captured on d5."
TRUTHS = {
    "a check from nearby or from afar": ("wild16", *CHECKS),
    **{f"a capture by one pawn or the other, {variant}": (variant, *CAPTURES) for variant in UMPIRES},
}


@pytest.mark.parametrize("case", TRUTHS)
def test_marks_depend_only_on_the_readers_own_slips(table: Table, tmp_path: Path, case: str) -> None:
    variant, one, other, marked = TRUTHS[case]
    table.begin(variant)
    table.deploy()
    sense = "sense none\n" if find_umpire(variant).start().truth.sights.white.sense_due else ""
    twins = make_twins(table, tmp_path / "twins")
    for twin, moves in ((twins.one, one), (twins.other, other)):
        twin.table.play(*(f"{sense}{move}" for move in moves.split()))
    emails = [twin.emails_to(BEN)[-1] for twin in (twins.one, twins.other)]
    twins.close()

    assert marked in alt_text(twins.one.table.last_email(BEN))
    assert emails[0] == emails[1]
