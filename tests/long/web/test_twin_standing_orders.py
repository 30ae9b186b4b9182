"""Twins: standing orders look to the opponent like moves by hand, or like no move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.twin_servers import Twin, Twins, make_twins, page_paths

#: A variant, White's second move, its standing orders, and the same by hand, one email each after Black's move.
CASES = (
    ("wild16", "g1f3", "if no capture: a1a5, f1c4, f1b5", ("a1a5", "f1c4")),
    ("wild16", "g1f3", "if capture: f1c4; if tries=0 and no check: b1c3", ("b1c3",)),
    ("wild16", "g1f3", "if check: e1e2", ()),
    ("classic", "g1f3", "if no check: e4f5, f1c4", ("e4f5", "f1c4")),
    ("classic", "g1f3", "if no check: e4f5, e4d5", ("e4f5", "e4d5")),
    ("cincinnati", "g1f3", "else: f1c4", ("f1c4",)),
    ("crazykrieg", "g1f3", "if no capture: N@e5, f1c4", ("f1c4",)),
)


def twins_of(table: Table, folder: Path, variant: str) -> tuple[Twins, list[str]]:
    """Two equal games after one move each, for Black, and all paths that Black may open."""
    table.begin(variant)
    table.play("e2e4", "e7e5")
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    code = str(table.last_email(ANN)["Subject"])[-6:-1]
    twins = make_twins(table, folder, ben)
    return twins, page_paths(twins.one.app, code=code)


def reply_as(twin: Twin, player: str, text: str, name: str) -> None:
    """Reply to the newest email about the game, under a Message-ID that is the same in both twins."""
    about = [each for each in twin.table.emails_to(player) if "Sign in" not in str(each["Subject"])]
    twin.table.reply(player, text, to=about[-1], message_id=f"{name}@mail.example")


def move_before_any_email(twin: Twin, orders: tuple[str, ...]) -> None:
    """Black moves, and White answers by hand before any email goes out, as standing orders do."""
    about = [each for each in twin.table.emails_to(BEN) if "Sign in" not in str(each["Subject"])]
    twin.table.deliver(twin.table.reply_email(BEN, "b8c6", to=about[-1], message_id="black@mail.example"))
    twin.table.read_emails()
    ann = Browser(twin.table.app())
    ann.sign_in(twin.table, ANN)
    for each in orders:
        ann.open(f"/games/{str(twin.table.last_email(ANN)['Subject'])[-6:-1]}")
        ann.send(each)
        twin.table.read_emails()
    twin.table.send_emails()


def assert_alike(twins: Twins, paths: list[str]) -> None:
    assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    for path in paths:
        for one, other in (twins.answers(path), twins.answers(path, "HEAD"), twins.answers_to_cached(path)):
            assert one == other, path


@pytest.mark.parametrize(("variant", "move", "ahead", "by_hand"), CASES)
def test_the_opponent_cannot_tell_standing_orders_from_moves_by_hand(
    table: Table, tmp_path: Path, variant: str, move: str, ahead: str, by_hand: tuple[str, ...]
) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", variant)
    text = ahead.removeprefix("else: ")
    for twin in (twins.one, twins.other):
        reply_as(twin, ANN, move, "second")
    if text == ahead:
        reply_as(twins.one, ANN, text, "ahead")
    else:
        reply_as(twins.one, ANN, f"{text}\ndelay 0h", "ahead")
    assert_alike(twins, paths)

    reply_as(twins.one, BEN, "b8c6", "black")
    twins.one.table.sweep()
    if text != ahead:  # they wait for their delay
        reply_as(twins.other, BEN, "b8c6", "black")
        for number, each in enumerate(by_hand):
            reply_as(twins.other, ANN, each, f"hand-{number}")
    else:
        move_before_any_email(twins.other, by_hand)
    assert_alike(twins, paths)

    for twin in (twins.one, twins.other):
        reply_as(twin, BEN, "show", "shown")
        reply_as(twin, BEN, "g8f6", "on")
    assert_alike(twins, paths)
    twins.close()


def test_cancelled_standing_orders_leave_no_trace(table: Table, tmp_path: Path) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", "wild16")
    for twin in (twins.one, twins.other):
        reply_as(twin, ANN, "g1f3", "second")
    before = [twins.one.answer(path) for path in paths]
    for number, text in enumerate(("f1c4", "delay 2-8h", "if check: e1e2", "if check: e1e9", "cancel")):
        reply_as(twins.one, ANN, text, f"ahead-{number}")
        assert [twins.one.answer(path) for path in paths] == before, text
    assert_alike(twins, paths)

    for twin in (twins.one, twins.other):
        reply_as(twin, BEN, "b8c6", "black")
    assert_alike(twins, paths)
    twins.close()


def test_delayed_orders_are_hidden_until_they_are_tried(table: Table, tmp_path: Path) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", "wild16")
    reply_as(twins.one, ANN, "g1f3\nif no check: f1c4\ndelay 2-8h", "second")
    reply_as(twins.other, ANN, "g1f3", "second")
    for twin in (twins.one, twins.other):
        reply_as(twin, BEN, "b8c6", "black")
    assert_alike(twins, paths)
    for twin in (twins.one, twins.other):
        twin.table.clock.advance(hours=9)
    twins.one.table.sweep()
    reply_as(twins.other, ANN, "f1c4", "hand")

    assert_alike(twins, paths)
    twins.close()
