"""Replies of many mail programs, made from `tests/letters/replies/`, with orders in the quoted text."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from tests.support import hostile_emails

FOLDER = Path(__file__).parents[1] / "letters" / "replies"
OWN_ORDER = "g1f3"
PROSE = "Thank you, I shall think about it."
FOOTER = "\n\nSent from my iPhone"
#: The orders in quoted emails, one in each.
ORDERS = ("e2e4", "any?", "draw?", "resign resign", "d7d5, e7e5", "px", "o-o", "N@f5", "d2-d4.", "Pass")
#: The quoted emails; `{}` is an order.
LETTERS = (
    "Your turn.\n\n{}\n\nThe umpire said nothing.\nWhite has lost 3 pieces.",
    "{}\n\nThat was it.",
    "Move 12 of your game.\nThe umpire said: no.\n{}\nAnd so on",
    "\n\nHello Ann,\n\nplease see below.\n\n-- \nThe umpire\n\n{}",
)


@dataclass(frozen=True)
class Reply:
    """A reply, the email that it answers, and the orders that its writer gave."""

    name: str
    raw: bytes
    sent: bytes
    orders: tuple[str, ...]


def titled_blocks(file: str) -> dict[str, str]:
    """The text under each `## ` title of a file."""
    text = "\n" + (FOLDER / file).read_text("utf-8")
    found = (block.partition("\n") for block in text.split("\n## ")[1:])
    return {f"{file}: {title}": body.rstrip("\n") for title, _, body in found}


def quote_lines(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))


#: How a reply may be made of an attribution and the quoted text, with or without an order.
SHAPES = {
    "above": lambda head, quoted: f"{OWN_ORDER}\n\n{head}\n\n{quoted}",
    "right above": lambda head, quoted: f"{OWN_ORDER}\n{head}\n{quoted}",
    "above, with a footer": lambda head, quoted: f"{OWN_ORDER}{FOOTER}\n\n{head}\n\n{quoted}",
    "above, marked": lambda head, quoted: f"{OWN_ORDER}\n\n{head}\n{quote_lines(quoted)}",
    "above, all marked": lambda head, quoted: f"{OWN_ORDER}\n\n{quote_lines(head)}\n>\n{quote_lines(quoted)}",
    "below, marked": lambda head, quoted: f"{head}\n{quote_lines(quoted)}\n\n{OWN_ORDER}\n",
    "below, all marked": lambda head, quoted: (
        f"{quote_lines(head)}\n{quote_lines(quoted, '>')}\n\n{OWN_ORDER}\n"
    ),
    "between, marked": lambda head, quoted: (
        f"{head}\n\n{quote_lines(quoted)}\n\n{OWN_ORDER}\n\n{quote_lines(quoted)}"
    ),
    "no order": lambda head, quoted: f"{PROSE}\n\n{head}\n\n{quoted}",
    "no order, close": lambda head, quoted: f"{PROSE}\n{head}\n{quoted}",
    "no order, marked": lambda head, quoted: f"{PROSE}\n\n{head}\n{quote_lines(quoted)}",
    "no order, its head marked": lambda head, quoted: f"{PROSE}\n\n{quote_lines(head)}\n\n{quoted}",
    "nothing": lambda head, quoted: f"\n\n{head}\n\n{quoted}",
}
#: "Ann wrote:" with nothing above: nobody can tell which text is whose.
AMBIGUOUS = ("attributions.txt: Thunderbird, name alone", "nothing")
PAGE_SHAPES = {
    "above": OWN_ORDER,
    "above, with a footer": f"{OWN_ORDER}{FOOTER}",
    "no order": PROSE,
    "nothing": "",
}


def replies() -> Iterator[Reply]:
    """Each attribution in each shape, cycling through the orders and quoted emails."""
    orders, letters = cycle(ORDERS), cycle(LETTERS)
    for file in ("attributions.txt", "headers.txt", "titles.txt"):
        for title, head in titled_blocks(file).items():
            for shape, put_together in SHAPES.items():
                quoted = next(letters).format(next(orders))
                if (title, shape) == AMBIGUOUS:
                    continue
                yield _plain(f"{title}, {shape}", put_together(head, quoted), quoted)
            if file == "attributions.txt" and head[0] != ">" and "\n" not in head:
                wrapped = textwrap.fill(head, 40)
                for shape in ("above", "no order", "below, marked"):
                    quoted = next(letters).format(next(orders))
                    yield _plain(f"{title}, wrapped, {shape}", SHAPES[shape](wrapped, quoted), quoted)
    for title, page in titled_blocks("pages.html").items():
        for shape, said in PAGE_SHAPES.items():
            quoted = next(letters).format(next(orders))
            whole = page.format(said=_shown(said), quoted=_shown(quoted))
            yield Reply(f"{title}, {shape}", hostile_emails.html(whole), quoted.encode(), _given(said))


def own_words() -> Iterator[Reply]:
    """Emails that quote nothing and have the writer's own words above an order."""
    for title, words in titled_blocks("own_words.txt").items():
        yield _plain(title, f"{words}\n\n{OWN_ORDER}\n\nAnn", "")


def _plain(name: str, text: str, quoted: str) -> Reply:
    raw = hostile_emails.plain(text, b"Content-Type: text/plain; charset=utf-8\r\n")
    return Reply(name, raw, quoted.encode(), _given(text))


def _given(text: str) -> tuple[str, ...]:
    return (OWN_ORDER,) if OWN_ORDER in text else ()


def _shown(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\n")
