"""What one orders ahead changes no byte for the other side: it is as if one moved by hand, or did not move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.twin_servers import Twin, Twins, pages, parted

#: A variant; White's second move; what it orders ahead, and the same by hand, each letter after Black's move.
AHEAD = (
    ("wild16", "g1f3", "if no capture: a1a5, f1c4, f1b5", ("a1a5", "f1c4")),
    ("wild16", "g1f3", "if capture: f1c4; if tries=0 and no check: b1c3", ("b1c3",)),
    ("wild16", "g1f3", "if check: e1e2", ()),
    ("classic", "g1f3", "if no check: e4f5, f1c4", ("e4f5", "f1c4")),
    ("classic", "g1f3", "if no check: e4f5, e4d5", ("e4f5", "e4d5")),
    ("cincinnati", "g1f3", "else: f1c4", ("f1c4",)),
    ("crazykrieg", "g1f3", "if no capture: N@e5, f1c4", ("f1c4",)),
)


def twins_of(table: Table, folder: Path, variant: str) -> tuple[Twins, list[str]]:
    """A game of a move each, twice, as Black sees it; and where all pages are that Black may open."""
    table.begin(variant)
    table.play("e2e4", "e7e5")
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    code = str(table.newest(ANN)["Subject"])[-6:-1]
    twins = parted(table, folder, ben)
    return twins, pages(twins.one.app, code=code)


def moves(twin: Twin, player: str, text: str, name: str) -> None:
    """A reply to the newest letter about the game, under a name that is the same in both houses."""
    about = [each for each in twin.table.letters(player) if "Sign in" not in str(each["Subject"])]
    twin.table.reply(player, text, to=about[-1], message_id=f"{name}@mail.example")


def answers_at_once(twin: Twin, orders: tuple[str, ...]) -> None:
    """Black's move, and White's by hand before any email about it goes out, as orders ahead are tried."""
    about = [each for each in twin.table.letters(BEN) if "Sign in" not in str(each["Subject"])]
    twin.table.post(twin.table.letter(BEN, "b8c6", to=about[-1], message_id="black@mail.example"))
    twin.table.read()
    ann = Browser(twin.table.app())
    ann.sign_in(twin.table, ANN)
    for each in orders:
        ann.open(f"/games/{str(twin.table.newest(ANN)['Subject'])[-6:-1]}")
        ann.send(each)
        twin.table.read()
    twin.table.send()


def are_alike(twins: Twins, paths: list[str]) -> None:
    assert twins.one.letters(BEN) == twins.other.letters(BEN)
    for path in paths:
        for answers in (twins.answers(path), twins.answers(path, "HEAD"), twins.answers_once_more(path)):
            assert answers[0] == answers[1], path


@pytest.mark.parametrize(("variant", "move", "ahead", "by_hand"), AHEAD)
def test_the_other_side_cannot_tell_orders_ahead_from_moves_by_hand(
    table: Table, tmp_path: Path, variant: str, move: str, ahead: str, by_hand: tuple[str, ...]
) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", variant)
    text = ahead.removeprefix("else: ")
    for twin in (twins.one, twins.other):
        moves(twin, ANN, move, "second")
    if text == ahead:
        moves(twins.one, ANN, text, "ahead")
    else:
        moves(twins.one, ANN, f"{text}\ndelay 0h", "ahead")
    are_alike(twins, paths)

    moves(twins.one, BEN, "b8c6", "black")
    twins.one.table.sweep()
    if text != ahead:  # they wait for their delay
        moves(twins.other, BEN, "b8c6", "black")
        for number, each in enumerate(by_hand):
            moves(twins.other, ANN, each, f"hand-{number}")
    else:
        answers_at_once(twins.other, by_hand)
    are_alike(twins, paths)

    for twin in (twins.one, twins.other):
        moves(twin, BEN, "show", "shown")
        moves(twin, BEN, "g8f6", "on")
    are_alike(twins, paths)
    twins.close()


def test_what_is_ordered_and_taken_back_leaves_no_trace(table: Table, tmp_path: Path) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", "wild16")
    for twin in (twins.one, twins.other):
        moves(twin, ANN, "g1f3", "second")
    before = [twins.one.answer(path) for path in paths]
    for number, text in enumerate(("f1c4", "delay 2-8h", "if check: e1e2", "if check: e1e9", "cancel")):
        moves(twins.one, ANN, text, f"ahead-{number}")
        assert [twins.one.answer(path) for path in paths] == before, text
    are_alike(twins, paths)

    for twin in (twins.one, twins.other):
        moves(twin, BEN, "b8c6", "black")
    are_alike(twins, paths)
    twins.close()


def test_orders_that_wait_are_hidden_until_they_are_tried(table: Table, tmp_path: Path) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", "wild16")
    moves(twins.one, ANN, "g1f3\nif no check: f1c4\ndelay 2-8h", "second")
    moves(twins.other, ANN, "g1f3", "second")
    for twin in (twins.one, twins.other):
        moves(twin, BEN, "b8c6", "black")
    are_alike(twins, paths)
    for twin in (twins.one, twins.other):
        twin.table.clock.pass_by(hours=9)
    twins.one.table.sweep()
    moves(twins.other, ANN, "f1c4", "hand")

    are_alike(twins, paths)
    twins.close()
