"""Slips are packed compactly and unpacked unchanged."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import corr.store
from bench.slips import Game, read
from corr.rules.variants import UMPIRES
from corr.store.slips import pack, unpack
from corr.words.board import Pair, Side
from corr.words.codes import Common, SquareContents, find_code
from corr.words.orders import Castle
from corr.words.slips import Fact, Losses, RememberedSquares, Sight, Slip
from tests.support.sight_cases import START, sight

SENSED = """
    ?  ?  ?  ?  k!0 ? ?  ?
    ?  Q~ ?  ?  ?  ?  ?  ?
    ?  ?  ?  n  .  ?  p!0 .!0
    ?  ?  ?  .  p  ?  ?  ?
    ?  ?  ?  .  .  P  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    P  P  P  ?  ?  ?  P  P
    R  N  B  ?  K  B  N  R
"""
LOST = Pair(Losses(1, None), Losses(2, 1))
PLAIN = sight(START)._replace(castling=(Castle.SHORT, Castle.LONG), lost=LOST)

#: A sight from before sights had a turn.
WITHOUT_TURN = sight(SENSED, reserves=Pair("", "q"))._replace(turn=None)
#: A sight of each kind.
SIGHTS = {
    "own pieces only": PLAIN,
    "sensed and recalled": sight(SENSED),
    "recalled before sights had a turn": WITHOUT_TURN,
    "recalled from several moves": PLAIN._replace(
        recalled=(
            RememberedSquares(0, ((60, "k"),)),
            RememberedSquares(4, ((36, "p"), (37, "."))),
            RememberedSquares(7, ((36, "."),)),
        ),
    ),
    "empty reserves": PLAIN._replace(reserves=Pair("", "")),
    "reserves": PLAIN._replace(reserves=Pair("QNPP", "rp")),
    "a promoted piece": PLAIN._replace(promoted=1 << 3),
    "everything": sight(SENSED, reserves=Pair("", "q")),
}
#: Facts with each kind of data.
FACTS = (
    Fact.from_stored(
        Common.SENSED,
        "You sense d5 to f6.",
        (("square", "e5"), ("on", SquareContents((("e5", "p"), ("d6", "n"), ("e6", "."))))),
    ),
    Fact.from_stored(Common.SENSED, "You sense nothing.", (("square", None), ("on", SquareContents(())))),
    Fact.from_stored(
        Common.TURN,
        "",
        (("side", "white"), ("tries", 2), ("checks", ("rank", "knight")), ("again", False)),
    ),
)


UNKNOWN_FACT = Fact.from_stored(
    find_code("unforeseen"), "Wörter “von” später", (("où", "\U0001f40e"), ("none", None), ("many", ()))
)
#: Packed facts and a packed sight, from the first version of this format.
PACKED = (
    "c3da790375bb4af2816d553d442b1594534d818af2f3c0cd5594be521ea28b540b0e352c4622f7476026425a0760136b91431b4bb4400a3b2b23604b3e2335391bc804f68b12f340a902da718a059653e989997988061600",
    "7824c7002010000200760000000008000091000000000002000000000000000000f7c7002000000200f7c700381818020000000000000002000001710700032e702f2e3c6b",
)


@pytest.mark.parametrize("seen", SIGHTS.values(), ids=SIGHTS)
@pytest.mark.parametrize("side", Side)
def test_a_slip_survives_packing(seen: Sight, side: Side) -> None:
    slip = Slip(side, (*FACTS, UNKNOWN_FACT), seen._replace(side=side))

    assert unpack(side, *pack(slip)) == slip


def as_json(slip: Slip) -> str:
    facts = [[fact.code, fact.text, fact.plain] for fact in slip.facts]
    recalled = [[each.move, each.squares] for each in slip.sight.recalled]
    lost = [[toll.men, toll.pawns] for toll in (slip.sight.lost.white, slip.sight.lost.black)]
    reserves = slip.sight.reserves and [slip.sight.reserves.white, slip.sight.reserves.black]
    seen = [*slip.sight[1:10], lost, slip.sight.promoted, reserves, recalled, slip.sight.sense_due]
    return json.dumps([facts, seen], separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize("variant", UMPIRES)
def test_slips_of_a_game_take_less_than_a_third_of_their_json(variant: str) -> None:
    for game in (Game(variant, seed) for seed in range(3)):
        packed = game.pack()
        size = sum(len(facts) + len(sight) for _, facts, sight in packed)

        assert read(packed) == game.slips
        assert size < sum(map(len, map(as_json, game.slips))) / 3


def test_different_sights_are_packed_differently() -> None:
    assert len({pack(Slip(Side.WHITE, (), seen)) for seen in SIGHTS.values()}) == len(SIGHTS)


def test_the_compression_dictionary_never_changes() -> None:
    """Slips that were packed with this dictionary couldn't be read any more."""
    common = (Path(corr.store.__path__[0]) / "slips.txt").read_bytes()

    assert (
        hashlib.sha256(common).hexdigest()
        == "02ff518e0872ed4894f957063c5aa36f74df8e2faa2632ebdfa61aeb44884d81"
    )


def test_slips_packed_long_ago_can_be_read() -> None:
    facts, sight = map(bytes.fromhex, PACKED)

    assert unpack(Side.WHITE, facts, sight) == Slip(Side.WHITE, FACTS, WITHOUT_TURN)
