"""Slips of before they were packed are read after an upgrade."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select, text

from corr.store import schema
from corr.store.session import Store
from corr.store.slips import unpack
from corr.store.tables import SlipRow
from corr.words.board import Pair, Side
from corr.words.codes import Common, Contents
from corr.words.orders import Castle
from corr.words.slips import Fact, Recalled, Slip, Toll
from tests.support.sights import START, sight

SENSED = Fact.as_kept(
    Common.SENSED,
    "You sense d5 to f6.",
    (("square", "e5"), ("on", Contents((("e5", "p"), ("d6", "n"), ("e6", "."))))),
)
LOST = Pair(Toll(1, None), Toll(2, 1))
PLAIN = sight(START)._replace(castling=(Castle.SHORT, Castle.LONG), lost=LOST)
KEPT = ("facts", "sight")
#: Slips as they were kept as text, with each thing that there is.
OLD = {
    1: (
        '[["sensed","You sense d5 to f6.",{"square":"e5","on":{"e5":"p","d6":"n","e6":"."}}]]',
        '[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[1,null],[2,1]]]',
    ),
    250: (
        '[["check","Rank check",{"kinds":["rank","knight"]}],["turn","",{"count":2,"again":false,"by":null}]]',
        '[[65535,65535,65280,66,36,129,8,16],[],[[1,0],[2,1]],8,["","q"],[[4,[[36,"p"],[37,"."]]]],true]',
    ),
    251: ("[]", "[[0,255,0,0,0,0,0,0],[],[[0,0],[0,0]]]"),
}
OLD_GAME = """
INSERT INTO games (id, code, variant, clock, state, ply, offered_white, offered_black)
VALUES (1, 'abcde', 'wild16', '3d', 'running', 0, 0, 0);
INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b');
"""
OLD_SEAT = """
INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters)
VALUES (:seat, 1, 1, :side, :side, '', true, 0, 0, 0)
"""
OLD_SLIP = "INSERT INTO slips VALUES (:seat, 1, 0, 1, :facts, :sight)"


@pytest.fixture
def old(bare_url: str) -> Iterator[Store]:
    """A database of tables with slips in it."""
    store = Store(bare_url)
    schema.upgrade(store, "0014")
    with store.writing() as connection:
        for row in OLD_GAME.strip().removesuffix(";").split(";\n"):
            connection.execute(text(row))
        for seat, slip in OLD.items():
            connection.execute(text(OLD_SEAT), {"seat": seat, "side": str(seat)})
            connection.execute(text(OLD_SLIP), dict(zip(KEPT, slip, strict=True)) | {"seat": seat})
    yield store
    store.close()


def test_slips_of_before_are_read_after_an_upgrade_and_are_the_same_after_going_down_again(
    old: Store,
) -> None:
    schema.upgrade(old)
    with old.reading() as connection:
        rows = connection.execute(select(SlipRow.facts, SlipRow.sight).order_by(SlipRow.seat_id)).all()
    sensed, told, empty = (unpack(Side.WHITE, *row) for row in rows)
    assert sensed == Slip(Side.WHITE, (SENSED,), PLAIN)
    assert told.facts[0]["kinds"] == ("rank", "knight")
    assert told.sight.reserves == Pair("", "q")
    assert told.sight.recalled == (Recalled(4, ((36, "p"), (37, "."))),)
    assert (empty.facts, empty.sight.own, empty.sight.seen) == ((), 0, 255)

    schema.downgrade(old, "0014")
    with old.reading() as connection:
        rows = connection.exec_driver_sql("SELECT facts, sight FROM slips ORDER BY seat_id").all()
    assert rows == list(OLD.values())
