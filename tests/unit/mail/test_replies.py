"""Replies from many mail programs, with orders in the quotations: most are read right, and no quoted order acts."""

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
    OWN_ORDER,
    PROSE,
    Reply,
    own_words,
    quote_lines,
    replies,
    titled_blocks,
)

RIGHT = 0.98
FILES = ("attributions.txt", "headers.txt", "titles.txt", "pages.html")
HEADERS = [
    header for file in FILES[:3] for header in titled_blocks(file).values() if header != "Umpire wrote:"
]
FOOTERS = [header for title, header in titled_blocks("titles.txt").items() if "footer" in title]


def read(raw: bytes, sent: bytes | None = None) -> tuple[str, ...]:
    orders = describe_email(raw, sent)["orders"]
    assert isinstance(orders, list)
    return tuple(orders)


def raw_email(*lines: str) -> bytes:
    return plain("\n".join(lines), b"Content-Type: text/plain; charset=utf-8\r\n")


@pytest.mark.parametrize("with_sent", [False, True], ids=["without_sent", "with_sent"])
@pytest.mark.parametrize("file", FILES)
def test_most_replies_are_read_right_and_no_quoted_order_acts(file: str, with_sent: bool) -> None:  # noqa: FBT001
    checked = [reply for reply in replies() if reply.name.startswith(file)][:: 3 if with_sent else 1]
    found = {reply.name: read(reply.raw, reply.sent if with_sent else None) for reply in checked}
    wrong = [reply.name for reply in checked if not set(found[reply.name]) <= set(reply.orders)]
    missed = [reply.name for reply in checked if found[reply.name] != reply.orders]

    assert wrong == []
    assert len(missed) <= (1 - RIGHT) * len(checked), missed


@pytest.mark.parametrize("reply", [*own_words()], ids=lambda reply: reply.name)
def test_own_words_above_an_order_do_not_stop_it(reply: Reply) -> None:
    assert read(reply.raw) == reply.orders


def test_a_quoted_lists_unmarked_end_is_quoted_but_a_line_in_between_is_not() -> None:
    assert read(raw_email("Hi", "", "> a1b2, a1c3,", "a1d4", "> and so on")) == ()
    assert read(raw_email("> Hello Ann,", "a1d4", "> and so on")) == ("a1d4",)


# ---------------------------------------------------------------- random replies

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
any_header = st.sampled_from(HEADERS)
prose = st.lists(st.sampled_from(["Hello", PROSE, "Ben", "", "My move:"]), max_size=4)


@given(any_words, any_header, any_orders)
def test_a_marked_quotation_is_never_tried(words: Sequence[str], header: str, orders: Sequence[str]) -> None:
    quoted = quote_lines("\n".join([header, *orders]))
    assert not {*ORDERS} & {*read(raw_email(*(word for word in words if word.strip() not in ORDERS), quoted))}


@given(prose, any_header, st.sampled_from(LETTERS), any_orders)
def test_lines_below_a_header_are_never_tried(
    above: Sequence[str], header: str, quoted: str, orders: Sequence[str]
) -> None:
    below = quoted.format("\n".join(orders))
    assert read(raw_email(*above, "", header, "", below)) == ()
    assert read(raw_email(*above, "", header, "", below), below.encode()) == ()


@given(prose, any_header, st.sampled_from(LETTERS), any_orders)
def test_only_the_order_above_a_header_acts(
    above: Sequence[str], header: str, quoted: str, orders: Sequence[str]
) -> None:
    assert read(raw_email(*above, "", OWN_ORDER, "", header, "", quoted.format("\n".join(orders)))) == (
        OWN_ORDER,
    )


@settings(max_examples=200)
@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode), st.sampled_from([plain, html]))
def test_any_bytes_are_read_or_refused(body: bytes, kind: object) -> None:
    raw = plain(body) if kind is plain else html(body.decode("utf-8", "replace"))
    assert set(describe_email(raw, body)) == set(describe_email(b"", None))
