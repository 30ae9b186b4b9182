"""Replies as many programs write them, with orders in what they quote: what is read of them, counted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr.mail.inward.incoming_email import describe_email
from tests.support.hostile_emails import html, plain
from tests.support.mail_program_replies import (
    LETTERS,
    ORDERS,
    PROSE,
    SAID,
    Reply,
    blocks,
    marked,
    own_words,
    replies,
)

RIGHT = 0.98
FILES = ("attributions.txt", "headers.txt", "titles.txt", "pages.html")
HEADS = [head for file in FILES[:3] for head in blocks(file).values() if head != "Umpire wrote:"]
FOOTERS = [head for title, head in blocks("titles.txt").items() if "footer" in title]


def read(raw: bytes, sent: bytes | None = None) -> tuple[str, ...]:
    orders = describe_email(raw, sent)["orders"]
    assert isinstance(orders, list)
    return tuple(orders)


def letter(*lines: str) -> bytes:
    return plain("\n".join(lines), b"Content-Type: text/plain; charset=utf-8\r\n")


@pytest.mark.parametrize("knows_ours", [False, True], ids=["alone", "with_ours"])
@pytest.mark.parametrize("file", FILES)
def test_replies_are_read_right_and_no_order_is_taken_out_of_a_quotation(file: str, knows_ours: bool) -> None:  # noqa: FBT001  # one of two ways
    known = [reply for reply in replies() if reply.name.startswith(file)][:: 3 if knows_ours else 1]
    found = {reply.name: read(reply.raw, reply.sent if knows_ours else None) for reply in known}
    taken = [reply.name for reply in known if not set(found[reply.name]) <= set(reply.orders)]
    missed = [reply.name for reply in known if found[reply.name] != reply.orders]

    assert taken == []
    assert len(missed) <= (1 - RIGHT) * len(known), missed


@pytest.mark.parametrize("reply", [*own_words()], ids=lambda reply: reply.name)
def test_a_writers_own_words_keep_no_order_from_being_tried(reply: Reply) -> None:
    assert read(reply.raw) == reply.orders


def test_the_end_of_a_list_that_has_lost_its_mark_is_quoted_and_what_is_written_between_is_not() -> None:
    assert read(letter("Hi", "", "> a1b2, a1c3,", "a1d4", "> and so on")) == ()
    assert read(letter("> Hello Ann,", "a1d4", "> and so on")) == ("a1d4",)


# ---------------------------------------------------------------- at random

WORDS = (
    "Hello",
    PROSE,
    "My move:",
    "",
    "Ann",
    "On the other hand",
    "10:30",
    "I wrote it down.",
    "-----",
    *FOOTERS,
)
any_words = st.lists(st.sampled_from(WORDS) | st.text(max_size=30).filter(lambda text: "g1f3" not in text))
any_orders = st.lists(st.sampled_from([*ORDERS, *WORDS]), min_size=1, max_size=6)
any_head = st.sampled_from(HEADS)
prose = st.lists(st.sampled_from(["Hello", PROSE, "Ben", "", "My move:"]), max_size=4)


@given(any_words, any_head, any_orders)
def test_whatever_is_marked_is_never_tried(words: Sequence[str], head: str, orders: Sequence[str]) -> None:
    quoted = marked("\n".join([head, *orders]))
    assert not {*ORDERS} & {*read(letter(*(word for word in words if word.strip() not in ORDERS), quoted))}


@given(prose, any_head, st.sampled_from(LETTERS), any_orders)
def test_whatever_stands_below_a_head_is_never_tried(
    above: Sequence[str], head: str, quoted: str, orders: Sequence[str]
) -> None:
    below = quoted.format("\n".join(orders))
    assert read(letter(*above, "", head, "", below)) == ()
    assert read(letter(*above, "", head, "", below), below.encode()) == ()


@given(prose, any_head, st.sampled_from(LETTERS), any_orders)
def test_an_order_above_a_head_acts_alone(
    above: Sequence[str], head: str, quoted: str, orders: Sequence[str]
) -> None:
    assert read(letter(*above, "", SAID, "", head, "", quoted.format("\n".join(orders)))) == (SAID,)


@settings(max_examples=200)
@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode), st.sampled_from([plain, html]))
def test_any_bytes_are_a_letter_that_is_read_or_refused(body: bytes, kind: object) -> None:
    raw = plain(body) if kind is plain else html(body.decode("utf-8", "replace"))
    assert set(describe_email(raw, body)) == set(describe_email(b"", None))
