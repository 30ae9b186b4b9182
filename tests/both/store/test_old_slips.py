"""Slips that an old release stored as JSON can be read after an upgrade."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from corr.store.slips import unpack
from corr.store.tables import SlipRow
from corr.words.board import Pair, Side
from corr.words.codes import Common, SquareContents
from corr.words.orders import Castle
from corr.words.slips import Fact, Losses, RememberedSquares, Slip
from tests.support.released_databases import upgraded
from tests.support.sight_cases import START, sight

SENSED = Fact.from_stored(
    Common.SENSED,
    "You sense d5 to f6.",
    (("square", "e5"), ("on", SquareContents((("e5", "p"), ("d6", "n"), ("e6", "."))))),
)
LOST = Pair(Losses(1, None), Losses(2, 1))
PLAIN = sight(START)._replace(castling=(Castle.SHORT, Castle.LONG), lost=LOST)
#: Slips as JSON, with every field that slips can have.
OLD = {
    101: (
        '[["sensed","You sense d5 to f6.",{"square":"e5","on":{"e5":"p","d6":"n","e6":"."}}]]',
        '[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[1,null],[2,1]]]',
    ),
    102: (
        '[["check","Rank check",{"kinds":["rank","knight"]}],["turn","",{"count":2,"again":false,"by":null}]]',
        '[[65535,65535,65280,66,36,129,8,16],[],[[1,0],[2,1]],8,["","q"],[[4,[[36,"p"],[37,"."]]]],true]',
    ),
    103: ("[]", "[[0,255,0,0,0,0,0,0],[],[[0,0],[0,0]]]"),
}
OLD_SLIP = "INSERT INTO slips VALUES (1, {number}, 0, 1, '{facts}', '{sight}')"


def test_old_slips_can_be_read_after_an_upgrade(bare_url: str, tmp_path: Path) -> None:
    rows = [OLD_SLIP.format(number=number, facts=facts, sight=seen) for number, (facts, seen) in OLD.items()]
    laid = upgraded(tmp_path, bare_url, "6ef361f", *rows)
    with laid as table, table.server.store.reading() as connection:
        kept = select(SlipRow.facts, SlipRow.sight).where(SlipRow.seat_id == 1, SlipRow.number >= min(OLD))
        slips = connection.execute(kept.order_by(SlipRow.number)).all()
    sensed, announced, empty = (unpack(Side.WHITE, *row) for row in slips)
    assert sensed == Slip(Side.WHITE, (SENSED,), PLAIN)
    assert announced.facts[0]["kinds"] == ("rank", "knight")
    assert announced.sight.reserves == Pair("", "q")
    assert announced.sight.recalled == (RememberedSquares(4, ((36, "p"), (37, "."))),)
    assert (empty.facts, empty.sight.own, empty.sight.seen) == ((), 0, 255)
