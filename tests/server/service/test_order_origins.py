"""The log says where each tried order came from: a list, a branch, or on its own."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.store.tables import OrderRow
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table

#: Each case: the variant, the email at ply 2, and the origin stored for each of its orders.
CASES = {
    "a move": ("wild16", "g1f3", {"g1f3": ""}),
    "a list": ("wild16", "e4f5, e4d5, g1f3", {"e4f5": "list", "e4d5": "list"}),
    "a question": ("classic", "any?", {"any?": ""}),
    "a question and a move": ("classic", "any?\ne4d5", {"any?": "", "e4d5": ""}),
    "a question and a list": (
        "classic",
        "any?\ne4f5, e4d5",
        {"any?": "", "e4f5": "list", "e4d5": "list"},
    ),
    "a branch": ("classic", "any? yes: e4d5 / no: g1f3", {"any?": "", "e4d5": "branch"}),
    "a list in a branch": (
        "classic",
        "any? yes: e4f5, e4d5 / no: g1f3",
        {"any?": "", "e4f5": "branch", "e4d5": "branch"},
    ),
    "a sense and a move": ("rbc", "sense d6\ne4d5", {"sense d6; e4d5": ""}),
    "what is sensed": (
        "rbc",
        "sense d6; if d5=p: e4d5; else g1f3",
        {"sense d6; if d5=p: e4d5; else g1f3": "branch"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_order_is_stored_with_its_origin(table: Table, case: str) -> None:
    variant, text, origins = CASES[case]
    table.begin(variant)
    table.play(*(["sense none\ne2e4", "sense none\nd7d5"] if variant == "rbc" else ["e2e4", "d7d5"]))

    table.reply(ANN, text)

    with table.server.store.reading() as connection:
        stored = connection.execute(
            select(OrderRow.text, OrderRow.origin).where(OrderRow.ply == 2).order_by(OrderRow.id)
        )
        assert [tuple(row) for row in stored] == list(origins.items())


def test_only_a_players_own_log_says_that_a_move_came_from_a_list(table: Table) -> None:
    table.begin("wild16")
    table.play("e2e4", "d7d5")
    table.reply(ANN, "e4f5, e1e3, e4d5")

    for player, is_own in ((ANN, True), (BEN, False)):
        browser = Browser(table.app())
        code = str(table.emails_to(player)[-1]["Subject"])[-6:-1]
        browser.sign_in(table, player)
        page = browser.open(f"/games/{code}")
        assert ("e4xd5 (try 3 of a list)" in page) == is_own
        assert ("of a list" in page) == is_own
