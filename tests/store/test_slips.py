"""What a slip is kept as, and that it comes back as it was."""

from __future__ import annotations

import pytest
from sights import START, sight

from corr.store.slips import pack, unpack
from corr.words import Castle, Contents, Fact, Pair, Recalled, Side, Sight, Slip, Toll

SENSED = """
    ?  ?  ?  ?  k? ?  ?  ?
    ?  Q~ ?  ?  ?  ?  ?  ?
    ?  ?  ?  n  .  ?  p? .?
    ?  ?  ?  .  p  ?  ?  ?
    ?  ?  ?  .  .  P  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    P  P  P  ?  ?  ?  P  P
    R  N  B  ?  K  B  N  R
"""
LOST = Pair(Toll(1, None), Toll(2, 1))
PLAIN = sight(START)._replace(castling=(Castle.SHORT, Castle.LONG), lost=LOST)

#: A sight of each kind that there is.
SIGHTS = {
    "one's own men alone": PLAIN,
    "freshly sensed, and recalled": sight(SENSED),
    "recalled from several moves": PLAIN._replace(
        recalled=(Recalled(0, ((60, "k"),)), Recalled(4, ((36, "p"), (37, "."))), Recalled(7, ((36, "."),))),
    ),
    "empty reserves": PLAIN._replace(reserves=Pair("", "")),
    "reserves": PLAIN._replace(reserves=Pair("QNPP", "rp")),
    "a promoted man": PLAIN._replace(promoted=1 << 3),
    "all of it": sight(SENSED, reserves=Pair("", "q")),
}
#: Facts with each kind of data that there is.
FACTS = (
    Fact(
        "sensed",
        "You sense d5 to f6.",
        (("square", "e5"), ("on", Contents((("e5", "p"), ("d6", "n"), ("e6", "."))))),
    ),
    Fact("sensed", "You sense nothing.", (("square", None), ("on", Contents(())))),
    Fact("turn", "", (("side", "white"), ("tries", 2), ("checks", ("rank", "knight")), ("again", False))),
)


def text_of(seen: Sight) -> str:
    return pack(Slip(seen.side, (), seen))[1]


@pytest.mark.parametrize("seen", SIGHTS.values(), ids=SIGHTS)
def test_a_slip_comes_back_as_it_was(seen: Sight):
    slip = Slip(seen.side, FACTS, seen)
    assert unpack(slip.side, *pack(slip)) == slip


def test_what_stood_on_squares_is_kept_as_a_program_would_read_it():
    assert pack(Slip(Side.WHITE, FACTS[:1], PLAIN))[0] == (
        '[["sensed","You sense d5 to f6.",{"square":"e5","on":{"e5":"p","d6":"n","e6":"."}}]]'
    )


def test_a_sight_of_ones_own_men_alone_is_kept_in_the_text_it_always_was():
    assert text_of(PLAIN) == ('[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[1,null],[2,1]]]')


def test_sights_that_differ_in_one_thing_are_kept_as_different_texts():
    assert len({text_of(seen) for seen in SIGHTS.values()}) == len(SIGHTS)
