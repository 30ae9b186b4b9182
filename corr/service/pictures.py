"""Prepares small boards for the rules pages, as one side sees them, with the umpire's words."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from corr.orders import UnclearLine, parse_order
from corr.service import catalogue
from corr.service.catalogue import Trial
from corr.text.messages import template_folder
from corr.words.board import Pair, Side
from corr.words.slips import GhostPieces, Sight, Slip
from corr.words.view import Stage, VariantInfo, View


@dataclass(frozen=True, slots=True)
class Drawing:
    """A small board: a sign for each square, the side that sees it, its pieces."""

    signs: tuple[str, ...]
    side: Side
    men: Pair[GhostPieces]
    view: View | None  # the view of the board's side; None for the umpire's board


@dataclass(frozen=True, slots=True)
class Picture:
    """A board that illustrates the announcement of this number on a variant's rules page."""

    announcement: int
    side: Side
    board: Drawing
    said: str
    about: str


class HeardOrder(NamedTuple):
    """An order of an example turn: its side, and what each side heard, if anything."""

    order: str
    by: Side
    by_each: Pair[str]


@dataclass(frozen=True, slots=True)
class Turn:
    """An example turn: the board as each side and the umpire see it afterwards."""

    seen: Pair[Drawing]
    whole: Drawing
    heard: tuple[HeardOrder, ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a variant's rules page, and how easy the variant is."""

    place: int
    grade: str
    cover: Drawing
    turn: Turn
    boards: tuple[Picture, ...]


@cache
def pictures(variant: str) -> Pictures | None:
    """Return the pictures of a variant's rules page; None if the page has only words."""
    told = _load_script(variant)
    if told is None:
        return None
    drawn = _load_script("boards") or {}
    boards = tuple(_picture(variant, announcement, drawn[name]) for name, announcement in told["boards"])
    cover = boards[told["cover"]].board
    return Pictures(told["place"], told["grade"], cover, _turn(variant, told["turn"]), boards)


def list_by_difficulty() -> list[tuple[VariantInfo, Pictures | None]]:
    """List all variants with their pictures, the easiest first, those without pictures last."""
    drawn = ((card, pictures(card.key)) for card in catalogue.cards())
    return sorted(drawn, key=lambda each: each[1].place if each[1] else math.inf)


@cache
def load_front_turn() -> Turn:
    """Return the front page's example turn, as each side and the umpire see it."""
    told = _load_script("front")
    assert told
    return _turn(told["variant"], told["turn"])


def _load_script(name: str) -> dict[str, Any] | None:
    """Read a TOML file of example positions and orders; None if there is none."""
    file = template_folder() / "pictures" / f"{name}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else None


def _picture(variant: str, announcement: int, told: dict[str, Any]) -> Picture:
    """Play a script's orders, and return the board that one side sees afterwards."""
    side, shown = Side(told["side"]), _try(variant, told)
    slips = shown.slips(side)
    said = " ".join(slip.spoken for slip in slips[bool(told["orders"]) :])
    board = _draw_view(catalogue.card(variant), side, shown)
    return Picture(announcement, side, board, said, told["about"])


def _turn(variant: str, told: dict[str, Any]) -> Turn:
    """Play a script's orders, and return all boards and what each side heard."""
    shown = _try(variant, told)
    return Turn(
        seen=Pair(*(_draw_view(catalogue.card(variant), side, shown) for side in Side)),
        whole=_drawing(shown.whole),
        heard=tuple(
            HeardOrder(order, by, Pair(*(_spoken(slips[side]) for side in Side)))
            for order, (by, slips) in zip(told["orders"], shown.tried, strict=True)
        ),
    )


def _spoken(slip: Slip | None) -> str:
    return slip.spoken if slip else ""


def _try(variant: str, told: dict[str, Any]) -> Trial:
    """Let the umpire judge a script's orders, starting from the script's position."""
    orders = []
    for text in told["orders"]:
        order = parse_order(text)
        assert not isinstance(order, UnclearLine), order.why
        orders.append(order)
    return catalogue.try_orders(variant, told["position"], orders)


def _draw_view(card: VariantInfo, side: Side, trial: Trial) -> Drawing:
    """Draw the board as one side sees it after the orders of an example."""
    view = View(
        game="",
        card=card,
        side=side,
        name="",
        opponent="",
        clock="",
        state=Stage.RUNNING if trial.turn else Stage.OVER,
        move_number=1,
        turn=trial.turn,
        deadline="",
        late=False,
        offer=None,
        outcome=None,
        slips=trial.slips(side),
        taken=(),
        last_tries=(),
        tries=(),
        score=(),
        example="",
    )
    return _drawing(view.slips[-1].sight, view)


def _drawing(sight: Sight, view: View | None = None) -> Drawing:
    signs = sight.signs()
    men = [(square, sign[0]) for square, sign in enumerate(signs) if sign[0] not in "?."]
    white = tuple(each for each in men if each[1].isupper())
    black = tuple(each for each in men if each[1].islower())
    return Drawing(signs, sight.side, Pair(white, black), view)
