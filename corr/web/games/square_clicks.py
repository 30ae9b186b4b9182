"""Derives from the page's address what the player has selected, and what a click on each square does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from corr.service.games import board_marks
from corr.service.games.board_marks import Mark, PlannedMove
from corr.service.games.page_orders import list_standing_moves
from corr.web.games.draft import Draft, can_draft, wanted_captures
from corr.words.board import SQUARE_NUMBER, SQUARES, PieceKind, Side
from corr.words.slips import Sight
from corr.words.view import PreparedSetup, Stage, View

_SQUARE = re.compile(r"[a-h][1-8]")
_ORIGIN_PATTERN = re.compile(r"([a-h][1-8])([a-h][1-8])?")
_SET_UP = re.compile(r"([KQRBNP]?)\.((?:[KQRBNP][a-h][1-8]){0,16})")
_ARMY_LETTERS = "KQRRBBNNPPPPPPPP"  # the pieces that each side deploys
_GHOSTS = tuple("KQRBNP")  # the pieces that a player may imagine on unseen squares
_NO_ACTION = ("nothing", "")  # a click that does nothing now, but may once a piece is selected
#: The page's form for each field that is sent, drafted or imagined, and not just selected.
_FORMS = {"orders": "play", "sense": "play", "go": "play", "list": "draft", "ghost": "mine"}


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected: a piece on the board, one to drop, a ghost, or the pieces being set up."""

    origin: int | None = None
    target: int | None = None  # where a pawn would be promoted
    missed: int | None = None  # where the piece was sent, although no piece of its kind goes there
    drop: str = ""
    placed: tuple[tuple[str, int], ...] = ()
    next: str = ""
    draft: Draft | None = None
    ghost: str = ""

    @property
    def in_hand(self) -> str:
        """The selected piece, by its square, or by its letter if it is in the reserve."""
        return self.drop if self.origin is None else SQUARES[self.origin]

    @property
    def hand(self) -> str:
        """The start of the order that the next square completes: a move, a drop or a ghost."""
        if self.ghost:
            return f"ghost {self.ghost}"
        return f"{self.drop}@" if self.drop else self.in_hand


class Choices(NamedTuple):
    """Which pieces of the side's own can be selected, and where each could go by its pattern."""

    own: int
    targets: Mapping[str, tuple[str, ...]]  # also by the letter of a reserve piece
    likely: Mapping[str, tuple[str, ...]]  # without pawn captures that the umpire's words rule out

    def allow(self, hand: str, target: int) -> bool:
        """Whether the piece on a square, or from the reserve, could go to a square."""
        # A piece that this turn's move takes elsewhere first may go on from there in any way.
        is_own = hand not in SQUARE_NUMBER or self.own >> SQUARE_NUMBER[hand] & 1
        return not is_own or SQUARES[target] in self.targets.get(hand, ())


class Cell(NamedTuple):
    """A square of the page: what the player sees there, and what its button does."""

    name: str
    sign: str
    is_held: bool
    field: str
    value: str
    marks: tuple[Mark, ...] = ()
    reach: str = ""  # where the piece on this square could go, square by square

    @property
    def form(self) -> str:
        """The form of the page to which its button belongs."""
        return _FORMS.get(self.field, "take")


def find_choices(view: View, draft: Draft | None) -> Choices:
    """Return which pieces the player can select for the open list, or for one move, and where they could go."""
    captures = wanted_captures(view, draft)
    later = bool(draft and draft.open.is_later)
    targets = likely = board_marks.find_targets(view, captures=captures, later=later)
    if captures is None and not later and board_marks.rules_out_tries(view):
        likely = board_marks.find_targets(view, captures=False)
    own = view.sight.own if view.sight else 0
    if captures:
        own = sum(1 << square for square, name in enumerate(SQUARES) if name in targets)
    return Choices(own, targets, likely)


def read_selection(
    view: View,
    choices: Choices,
    came_from: str,
    drop: str,
    set_up: str,
    draft: Draft | None = None,
    ghost: str = "",
) -> Selection:
    """Return what is selected; nothing if the address makes no sense for this board."""
    sight = view.sight
    if sight is None:
        return Selection()
    if ghost in _GHOSTS and view.state is Stage.RUNNING:
        return Selection(draft=draft, ghost=ghost)
    if draft is None and not can_choose(view):
        return Selection()
    if view.state is Stage.DEPLOYING:
        return _setting_up(sight, set_up)
    return replace(_selected_piece(view, sight, choices, came_from, drop, draft), draft=draft)


def _selected_piece(
    view: View, sight: Sight, choices: Choices, came_from: str, drop: str, draft: Draft | None
) -> Selection:
    """Return the selected piece, from the board or from the reserve."""
    if sight.reserves and drop in tuple(sight.reserves[view.side].upper()) and drop in choices.targets:
        return Selection(drop=drop)
    found = _ORIGIN_PATTERN.fullmatch(came_from)
    if not found:
        return Selection()
    origin, target = SQUARE_NUMBER[found[1]], SQUARE_NUMBER[found[2]] if found[2] else None
    if target is not None and choices.own >> target & 1:
        origin, target = target, None
    if not choices.own >> origin & 1 and (draft is None or SQUARES[origin] not in draft.reached):
        return Selection()
    if target is not None and not choices.allow(SQUARES[origin], target):
        return Selection(origin, missed=target)
    return Selection(origin, target if target is not None and _promotes(sight, origin, target) else None)


def can_act(view: View) -> bool:
    """Return whether this side may act on the board."""
    # Deployed pieces may be changed until both sides have deployed.
    return (view.my_turn or view.state is Stage.DEPLOYING) and not (view.late or view.outcome)


def can_choose(view: View) -> bool:
    """Return whether a click on the board can order a move, for this turn or for the next."""
    return can_act(view) or can_draft(view)


def _promotes(sight: Sight, origin: int, target: int) -> bool:
    last = 7 if sight.side is Side.WHITE else 0
    return bool(sight.own & sight.pawns & 1 << origin) and target // 8 == last


def _setting_up(sight: Sight, text: str) -> Selection:
    """Return the pieces being set up, by the address or as they were deployed before."""
    found = _SET_UP.fullmatch(text)
    if not found:
        sealed = tuple(
            (man.letter, square) for man, squares in sight.own_pieces().items() for square in squares
        )
        return Selection(placed=sealed)
    letters, squares = found[2][::3], re.findall("[a-h][1-8]", found[2])
    placed = tuple(zip(letters, map(SQUARE_NUMBER.__getitem__, squares), strict=True))
    rows = _own_rows(sight.side)
    if len({square for _, square in placed}) < len(placed) or any(at // 8 not in rows for _, at in placed):
        return Selection()
    if any(letters.count(letter) > _ARMY_LETTERS.count(letter) for letter in letters):
        return Selection()
    return Selection(placed=placed, next=found[1] if found[1] in pieces_left(placed) else "")


def pieces_left(placed: tuple[tuple[str, int], ...]) -> str:
    """Return the pieces that are still to be placed, best first."""
    letters = [letter for letter, _ in placed]
    return "".join(letter * (_ARMY_LETTERS.count(letter) - letters.count(letter)) for letter in "KQRBNP")


def format_setup(selection: Selection) -> str:
    """Return the selected pieces as the page's address has them."""
    men = "".join(letter + SQUARES[square] for letter, square in selection.placed)
    return f"{selection.next}.{men}"


def deploy_order(selection: Selection) -> str:
    return " ".join(["deploy", *(letter + SQUARES[square] for letter, square in selection.placed)])


def format_prepared(setup: PreparedSetup, side: Side) -> str:
    """Return a prepared set-up as the page's address has it."""
    return format_setup(Selection(placed=tuple((man.letter, square) for man, square in setup.men(side))))


def _own_rows(side: Side) -> range:
    return range(4) if side is Side.WHITE else range(4, 8)


def _place_by_click(selection: Selection, square: int, side: Side) -> str:
    """Return the set-up after a click, as the address has it; empty if nothing changes."""
    if square // 8 not in _own_rows(side):
        return ""
    there = {at: letter for letter, at in selection.placed}
    others = tuple(each for each in selection.placed if each[1] != square)
    if square in there:
        return format_setup(Selection(placed=others, next=there[square]))
    if not selection.next:
        return ""
    placed = (*others, (selection.next, square))
    return format_setup(
        Selection(
            placed=placed,
            next=selection.next if selection.next in pieces_left(placed) else pieces_left(placed)[:1],
        )
    )


def rows(
    view: View,
    selection: Selection,
    marks: Mapping[int, tuple[Mark, ...]],
    choices: Choices,
    *,
    shows_reach: bool = True,
    is_past: bool = False,
) -> tuple[tuple[Cell, ...], ...]:
    """Return the board's rows from top to bottom; a board of the past holds and does nothing."""
    sight = view.sight
    if sight is None:
        return ()
    if is_past:
        selection = Selection()
    white = view.side is Side.WHITE
    is_deploying = view.state is Stage.DEPLOYING
    signs = _signs(sight, selection) if is_deploying else sight.signs_with_ghosts(view.ghosts)
    reach = choices.likely if shows_reach and not is_past else {}
    reached = reach.get(selection.in_hand, ())
    held = (selection.origin, selection.target)
    deeds = _NO_DEEDS if is_past else _clicks(view, sight, selection, choices)
    cells = [
        Cell(
            name,
            sign,
            square in held,
            field,
            value,
            (*marks.get(square, ()), *(Mark.REACH,) * (name in reached)),
            " ".join(reach.get(name, ())),
        )
        for square, (name, sign, (field, value)) in enumerate(zip(SQUARES, signs, deeds, strict=True))
    ]
    upwards = [tuple(cells[first : first + 8]) for first in range(0, 64, 8)]
    return tuple(upwards[::-1]) if white else tuple(rank[::-1] for rank in upwards)


def main_form(ranks: tuple[tuple[Cell, ...], ...]) -> str:
    """Return the form to which most squares' buttons belong."""
    counts = Counter(cell.form for rank in ranks for cell in rank if cell.field)
    return max(counts, key=counts.__getitem__, default="take")


_NO_DEEDS = (("", ""),) * 64


def _signs(sight: Sight, selection: Selection) -> tuple[str, ...]:
    """Return a board with the selected pieces set up, and nothing else seen."""
    there = {square: letter for letter, square in selection.placed}
    own = str.upper if sight.side is Side.WHITE else str.lower
    rows = _own_rows(sight.side)
    return tuple(
        own(there[square]) if square in there else "." if square // 8 in rows else "?" for square in range(64)
    )


def _clicks(view: View, sight: Sight, selection: Selection, choices: Choices) -> Sequence[tuple[str, str]]:
    """Return for each square the form field and the value that a click sends."""
    if selection.ghost:
        return [_imagining(view, sight, selection.ghost, square) for square in range(64)]
    if selection.draft is not None:
        return [_drafting(sight, selection, selection.draft, choices, square) for square in range(64)]
    if not can_choose(view):
        return _NO_DEEDS
    if selection == Selection() and view.state is Stage.RUNNING and not sight.sense_due:
        return _selecting_clicks(choices.own, sight.own)
    return [_click_of(view, sight, selection, choices, square) for square in range(64)]


@lru_cache(maxsize=256)
def _selecting_clicks(choosable: int, own: int) -> Sequence[tuple[str, str]]:
    """Return what a click sends if it can only select one of the player's own pieces."""
    return tuple(
        ("from", name) if choosable >> square & 1 else ("", "") if own >> square & 1 else _NO_ACTION
        for square, name in enumerate(SQUARES)
    )


def _click_of(
    view: View, sight: Sight, selection: Selection, choices: Choices, square: int
) -> tuple[str, str]:
    """Return the form field and the value that a click on one square sends."""
    name = SQUARES[square]
    if view.state is Stage.DEPLOYING:
        placed = _place_by_click(selection, square, view.side)
        return ("set", placed) if placed else ("", "")
    if sight.sense_due:
        return "sense", name
    if sight.own >> square & 1:
        return _selecting_click(selection, choices, square)
    field, value = _moving_click(sight, selection, choices, square)
    return ("go", name) if field == "orders" else (field, value)


def _selecting_click(selection: Selection, choices: Choices, square: int) -> tuple[str, str]:
    """Return what a click on an own piece sends: it selects the piece, or puts it back."""
    if not choices.own >> square & 1:
        return "", ""
    return "from", "" if square == selection.origin else SQUARES[square]


def _moving_click(sight: Sight, selection: Selection, choices: Choices, square: int) -> tuple[str, str]:
    """Return the field and value that move the selected piece to a square; `from` or `drop` keep it in hand."""
    name = SQUARES[square]
    if not selection.hand:
        is_reached = selection.draft is not None and name in selection.draft.reached
        return ("from", name) if is_reached else _NO_ACTION
    if not choices.allow(selection.in_hand, square):
        return ("drop", selection.drop) if selection.drop else ("from", name)
    promotes = selection.origin is not None and _promotes(sight, selection.origin, square)
    return "from" if promotes else "orders", selection.hand + name


def _imagining(view: View, sight: Sight, ghost: str, square: int) -> tuple[str, str]:
    """Return what a click sends to place or remove a ghost; it selects own pieces instead."""
    if sight.own >> square & 1 and can_choose(view) and not sight.sense_due:
        return "from", SQUARES[square]
    if sight.seen >> square & 1:
        return "", ""
    name, stands_there = SQUARES[square], dict(view.ghosts).get(square, "").upper() == ghost
    return "ghost", f"ghost -{name}" if stands_there else name


def _drafting(
    sight: Sight, selection: Selection, draft: Draft, choices: Choices, square: int
) -> tuple[str, str]:
    """Return what a click on a square sends to change the draft."""
    if draft.wants_square:
        return "list", draft.on(SQUARES[square]).address
    # If a capture on the square is waited for, the own piece there will be gone.
    is_own = sight.own >> square & 1 and not (
        selection.hand and f"capture {SQUARES[square]}" in draft.open.when and square != selection.origin
    )
    if is_own:
        return _selecting_click(selection, choices, square)
    field, value = _moving_click(sight, selection, choices, square)
    return ("list", draft.with_try(value).address) if field == "orders" else (field, value)


def planned_moves(view: View, selection: Selection) -> tuple[PlannedMove, ...]:
    """Return the squares of the moves that the player lists, or has ordered for the next turn."""
    listed = [step for branch in selection.draft.branches for step in branch.tries] if selection.draft else []
    steps = dict.fromkeys([*listed, *list_standing_moves(view.standing)])
    squares = [[SQUARE_NUMBER[name] for name in _SQUARE.findall(step)] for step in steps]
    return tuple((None if len(each) == 1 else each[0], each[-1]) for each in squares if each)


def promotions(selection: Selection) -> tuple[tuple[str, str], ...]:
    """Return what a selected pawn may become, each with its order."""
    if selection.origin is None or selection.target is None:
        return ()
    move = SQUARES[selection.origin] + SQUARES[selection.target]
    return tuple(
        (str(man), move + man.letter.lower())
        for man in (PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT)
    )
