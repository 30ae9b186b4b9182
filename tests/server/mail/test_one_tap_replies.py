"""One-tap replies: an email offers exactly the orders that can act now, and each works when sent."""

from __future__ import annotations

import re
from email.message import EmailMessage
from urllib.parse import unquote

import pytest

from tests.support.table import ANN, BEN, EVE, Table, html_of

_MAILTO = re.compile(r'href="mailto:([^?"]+)\?subject=[^"&]*&amp;body=([^"]+)"')

#: Orders so far, each with its writer.
BEGUN = ()
MOVED = ((ANN, "e2e4"), (BEN, "d7d5"))
OFFERED = ((ANN, "e2e4"), (BEN, "d7d5\ndraw?"))
ASKED = ((ANN, "e2e4"), (ANN, "pause?"))
BOTH = ((ANN, "e2e4"), (BEN, "d7d5\ndraw?"), (BEN, "pause?"))
DRAW, RESIGN = "draw?", "resign resign"
#: The variant, the orders so far, whose newest email we look at, and what it offers besides "show" and "help".
CASES = {
    "no pawn try": ("wild16", BEGUN, ANN, (DRAW, RESIGN)),
    "one pawn try": ("wild16", MOVED, ANN, ("px", DRAW, RESIGN)),
    "one pawn try, after a refusal": ("wild16", (*MOVED, (ANN, "a2a5")), ANN, ("px", DRAW, RESIGN)),
    "one pawn try of the opponent": ("wild16", MOVED, BEN, (DRAW, RESIGN)),
    "two pawn tries": (
        "wild16",
        ((ANN, "e2e4"), (BEN, "d7d5"), (ANN, "c2c4"), (BEN, "a7a6")),
        ANN,
        (DRAW, RESIGN),
    ),
    "a variant without px": ("classic", MOVED, ANN, ("any?", DRAW, RESIGN)),
    "a question that was asked": ("classic", (*MOVED, (ANN, "any?")), ANN, (DRAW, RESIGN)),
    "a sense that is due": ("rbc", BEGUN, ANN, ("sense none", DRAW, RESIGN)),
    "a sense that was made": ("rbc", ((ANN, "sense none"),), ANN, ("pass", DRAW, RESIGN)),
    "a draw on offer": ("wild16", OFFERED, ANN, ("accept", "decline", "px", RESIGN)),
    "your own offer": ("wild16", OFFERED, BEN, (RESIGN,)),
    "an offer that was declined": ("wild16", (*OFFERED, (ANN, "decline")), ANN, ("px", DRAW, RESIGN)),
    "your own offer that was declined": ("wild16", (*OFFERED, (ANN, "decline")), BEN, (RESIGN,)),
    "the same, a move later": (
        "wild16",
        (*OFFERED, (ANN, "decline"), (ANN, "a2a3")),
        BEN,
        ("px", DRAW, RESIGN),
    ),
    "a pause that is asked for": ("wild16", ASKED, BEN, ("pause?", "decline", DRAW, RESIGN)),
    "a pause that you asked for": ("wild16", ASKED, ANN, (DRAW, RESIGN)),
    "a pause that was agreed to": ("wild16", (*ASKED, (BEN, "pause?")), BEN, (DRAW, RESIGN)),
    "a draw and a pause": ("wild16", BOTH, ANN, ("accept", "decline", "pause?", "px", RESIGN)),
    "the end": ("wild16", ((ANN, RESIGN),), BEN, ()),
}


def offered_replies(email: EmailMessage) -> dict[str, str]:
    """The texts of the one-tap replies, each with its address."""
    return {unquote(body): address for address, body in _MAILTO.findall(html_of(email))}


def set_up_case(table: Table, name: str) -> tuple[str, tuple[str, ...]]:
    """Play a case; return whose email to look at, and the replies it should offer."""
    variant, written, player, expected = CASES[name]
    table.begin(variant)
    for writer, text in written:
        table.reply(writer, text)
    return player, expected


@pytest.mark.parametrize("name", CASES)
def test_an_email_offers_exactly_the_replies_that_can_act_now(table: Table, name: str) -> None:
    player, expected = set_up_case(table, name)
    found = [order for order in offered_replies(table.last_email(player)) if order not in ("show", "help")]

    assert tuple(found) == expected


#: A case, one of the replies it offers, and what the answer to it says.
SENT = (
    ("one pawn try", "px", "Pawn at d5 captured"),
    ("a question that was asked", DRAW, "You've offered a draw"),
    ("a draw on offer", "accept", "Draw"),
    ("a draw on offer", "decline", "White declines the draw"),
    ("your own offer that was declined", RESIGN, "Black resigns"),
    ("the same, a move later", DRAW, "You've offered a draw"),
    ("a pause that is asked for", "pause?", "You have both agreed to a pause"),
    ("a pause that is asked for", "decline", "Black doesn't want a pause"),
    ("a draw and a pause", "pause?", "You have both agreed to a pause"),
    ("a sense that was made", "pass", "You've taken your turn"),
)


@pytest.mark.parametrize(("name", "order", "says"), SENT)
def test_a_one_tap_reply_does_what_it_says(table: Table, name: str, order: str, says: str) -> None:
    player, _ = set_up_case(table, name)
    address = offered_replies(table.last_email(player))[order]
    head = (
        f"From: {player}\r\nTo: {address}\r\nSubject: Re: a game\r\nMessage-ID: <ready@mail.example>\r\n\r\n"
    )

    assert table.deliver(f"{head}{order}\r\n".encode()) == 1
    table.run_workers()
    assert says in table.last_text(player)


def test_an_email_from_the_tutor_offers_no_draw(table: Table) -> None:
    table.write_to_site(EVE, "tutorial")
    table.reply(EVE, "confirm")

    (lesson,) = (each for each in table.emails_to(EVE) if offered_replies(each))
    assert RESIGN in offered_replies(lesson)
    assert DRAW not in offered_replies(lesson)
