"""Properties of reading: it never crashes, never takes prose for an order, and every order reads back as itself."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from corr.orders import UnclearLine, fold, kind_of, parse_lines, parse_order
from corr.words.board import SQUARES, PieceKind
from corr.words.orders import (
    Ask,
    Branch,
    Castle,
    Condition,
    Deploy,
    Drop,
    Move,
    Order,
    Pass,
    PawnTry,
    Sense,
    SenseBranch,
    StandingOrders,
    Tries,
)

squares = st.integers(0, 63)
promotions = st.sampled_from([None, PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT])
drops = st.builds(Drop, st.sampled_from([kind for kind in PieceKind if kind is not PieceKind.KING]), squares)
steps = st.builds(Move, squares, squares, promotions) | st.sampled_from(Castle) | drops
tries = st.builds(Tries, st.lists(steps, min_size=1, max_size=6, unique=True).map(tuple))
lists = st.builds(Tries, st.lists(steps, min_size=2, max_size=6, unique=True).map(tuple))
set_ups = st.lists(st.tuples(st.sampled_from(PieceKind), squares), min_size=1, max_size=16).map(tuple)
acts = (
    steps | lists | st.builds(PawnTry, promotions) | st.just(Pass())
    | st.builds(Ask, st.none() | tries, st.none() | tries)
    | st.builds(Deploy, set_ups)
)  # fmt: skip
sense_branches = st.builds(SenseBranch, squares, st.sampled_from(["empty", "enemy", *"pnbrqk"]), acts)
senses = st.builds(
    Sense, st.none() | squares, st.lists(sense_branches, max_size=3).map(tuple), st.none() | acts
)
conditions = st.builds(
    Condition,
    st.sampled_from(["capture", "check", "no capture", "no check", "check knight", "tries>0", "tries=12"])
    | squares.map(lambda square: f"capture {SQUARES[square]}"),
)
answers = st.builds(Branch, st.lists(conditions, min_size=1, max_size=3).map(tuple), tries)
standing = st.builds(StandingOrders, st.lists(answers, min_size=1, max_size=3).map(tuple), st.none() | tries)
orders = acts | senses | standing

order_like_text = st.text("abefgh128 -,;:/=?xnopqk@.>|\"'yesifl\u0435\u2013\u00a0", max_size=30)
lines = st.text(max_size=60) | order_like_text
words = st.text(string.ascii_letters, min_size=2, max_size=9).filter(
    lambda word: fold(word).lower() not in SQUARES
)


@given(orders)
def test_an_order_reads_back_as_itself(order: Order) -> None:
    assert parse_order(str(order)) == order


@given(lines)
def test_every_parsed_line_reads_back_as_itself(line: str) -> None:
    found = parse_order(line)
    if not isinstance(found, UnclearLine):
        assert parse_order(str(found)) == found


@given(lines)
def test_every_line_is_an_order_puzzling_or_prose(line: str) -> None:
    kind = kind_of(line)
    reading = parse_lines([line])
    assert (kind == "order") <= (not isinstance(parse_order(line), UnclearLine) or ";" in fold(line))
    assert (kind == "puzzling") == (reading.puzzled is not None and not reading.orders) or kind == "order"


@given(st.lists(lines, max_size=12), st.none() | st.integers(1, 99))
def test_any_email_can_be_read(letter: list[str], number: int | None) -> None:
    reading = parse_lines(letter, number)
    assert not (reading.orders and reading.puzzled)
    assert all(reading.ignored)


@given(st.lists(words, min_size=5, max_size=12))
def test_five_words_without_a_square_are_prose(sentence: list[str]) -> None:
    line = " ".join(["Well", *sentence])
    assert kind_of(line) == "prose"


@given(lines)
def test_a_quoted_line_is_never_an_order(line: str) -> None:
    assert parse_lines([f"| {line}"]).orders == ()
    assert kind_of(f"| {line}") == "prose"


@given(orders, orders)
def test_the_reason_for_two_acts_is_not_an_order(first: Order, second: Order) -> None:
    puzzled = parse_lines([str(first), str(second)]).puzzled
    if puzzled:
        assert kind_of(puzzled.why) == "prose"
