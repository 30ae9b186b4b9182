"""Makes the Jinja environments of emails and pages with their filters, and renders templates."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from functools import cache, partial
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from corr import limits
from corr.player_settings import SETTINGS
from corr.text.messages import sentence, template_folder
from corr.text.visible_text import cut_to_bytes, split_and_cut, visible
from corr.words.board import SQUARES, PieceKind
from corr.words.slips import say_plainly

_QUOTED_COLUMNS = 56
_LONG_WORD = 24
#: The unbroken steps of a long word: ten characters, or up to a character where people break addresses.
_STEP = re.compile(r"[^/@.-]{0,13}[/@.-]+|[^/@.-]{1,13}\Z|[^/@.-]{10}")
_COUNTS = (
    *("a", "two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)


def _reject_unreadable(thing: object) -> object:
    """Reject values in a template that a person cannot read, as they are mistakes."""
    if not isinstance(thing, str) and (
        isinstance(thing, bool) or not isinstance(thing, (int, StrictUndefined))
    ):
        raise TypeError(f"a template printed {type(thing).__name__}")
    return thing


def _square_names(squares: Iterable[int]) -> list[str]:
    return [SQUARES[square] for square in squares]


def _squares_with(letters: str, on: Sequence[tuple[int, str]]) -> list[str]:
    """Return the names of the squares that show one of these letters."""
    return _square_names(square for square, letter in on if letter in letters)


def _word_pieces(on: Sequence[tuple[int, str]]) -> str:
    """Word the pieces on squares, best first: `Black's king on g8; pawns on f7 and g7`."""
    letters = sorted({letter for _, letter in on} - set(".Xx"), key="KQRBNPkqrbnp".index)
    squares = {letter: [square for square, each in on if each == letter] for letter in letters}
    firsts = {"White" if letter.isupper() else "Black": letter for letter in reversed(letters)}
    owners = {letter: f"{side}'s " for side, letter in firsts.items()}
    kinds = [owners.get(letter, "") + _word_kind(_piece_name(letter), squares[letter]) for letter in letters]
    return "; ".join(kinds) if any(len(each) > 1 for each in squares.values()) else _join_words(kinds)


def _word_by_kind(men: Mapping[PieceKind, Sequence[int]]) -> str:
    """Word the pieces of a side: `king on e1; rooks on a1 and h1`."""
    return "; ".join(_word_kind(man, squares) for man, squares in men.items())


def _word_kind(man: str, squares: Sequence[int]) -> str:
    """Word the pieces of one kind: `pawn on e5`, `pawns on e5 and f6`."""
    return f"{man}{'s' if len(squares) > 1 else ''} on {_join_words(_square_names(squares))}"


def _word_ghosts(on: Sequence[tuple[int, str]]) -> list[str]:
    """Word ghosts by kind, best first: `a queen on d8`, `pawns on e5 and f6`."""
    kinds = (
        (man, [square for square, letter in on if letter.upper() == man.letter])
        for man in reversed(PieceKind)
    )
    return [
        f"{'a ' if len(squares) == 1 else ''}{_word_kind(man, squares)}" for man, squares in kinds if squares
    ]


def _piece_name(letter: str) -> str:
    return "unknown piece" if letter in "Xx" else str(PieceKind.from_letter(letter))


def _ago(turns: int) -> str:
    """Word how long ago something was: `this turn`, `two turns ago`."""
    if turns < 2:
        return "one turn ago" if turns else "this turn"
    return f"{_COUNTS[turns - 1] if turns <= len(_COUNTS) else turns} turns ago"


def _word_reserve(letters: str) -> list[str]:
    """Word the pieces that a side may drop, best first: `a queen`, `two pawns`."""
    counts = [(man, letters.upper().count(man.letter)) for man in reversed(PieceKind)]
    return [f"{_COUNTS[count - 1]} {man}{'s' if count > 1 else ''}" for man, count in counts if count]


def _join_words(things: Sequence[str]) -> str:
    """Join things with commas and a final "and": `a2, b2 and c4`."""
    *others, last = things or ("",)
    return f"{', '.join(others)} and {last}" if others else last


def _delay(order: str) -> str:
    """Word the delay that an order such as `delay 2-8h` sets."""
    first, _, last = order.removeprefix("delay ").removesuffix("h").partition("-")
    hours = f"{first} to {last}" if last else first
    return f"{hours} hour{'' if hours == '1' else 's'}"


def _show_text(text: str, size: int) -> str:
    """Return a person's text, made visible and cut to `size` bytes."""
    return cut_to_bytes(visible(text), size)


def _wrap_text(text: str) -> list[str]:
    """Wrap a person's text into lines short enough to be quoted without another break."""
    if text.isascii() and text.isprintable() and len(text.strip()) == len(text) <= _QUOTED_COLUMNS:
        return [text]  # what the rest would return, in a twentieth of the time
    return textwrap.wrap(visible(text), _QUOTED_COLUMNS, break_on_hyphens=False) or [""]


def _point_to_error(text: str, read: int, size: int) -> list[str]:
    """Wrap a person's text, with a `^` below the place where we stopped understanding it."""
    before, after = split_and_cut(text, read, size)
    lines, left = _wrap_text(before + after), _signs(before)
    if not before:
        return lines
    for number, line in enumerate(lines):
        if left < _signs(line) or number == len(lines) - 1:
            column = next((at for at in range(len(line)) if _signs(line[: at + 1]) > left), len(line))
            return [*lines[: number + 1], " " * _columns(line[:column]) + "^", *lines[number + 1 :]]
        left -= _signs(line)
    return lines


def _signs(text: str) -> int:
    """Count the characters of a text that are not blank."""
    return sum(map(len, text.split()))


def _columns(text: str) -> int:
    """Return a text's width in a monospaced font, where East Asian characters are double."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _breakable(text: str) -> str:
    """Let long words, such as a page's address, break at good places; copying keeps them whole."""
    if len(text) <= _LONG_WORD:
        return text
    words = text.split(" ")
    if max(map(len, words)) <= _LONG_WORD:
        return text
    steps = (_STEP.findall(word) if len(word) > _LONG_WORD else [word] for word in words)
    return Markup(" ").join(map(Markup("<wbr>").join, steps))


def _list_setting_orders() -> list[tuple[str, str]]:
    """Return the orders about settings that "help all" lists, each with what it does."""
    helped = [(setting, choice) for setting in SETTINGS for choice in setting.in_help]
    return [
        (f"{setting.order} {choice}", sentence(f"setting_help.{setting.text_key(choice)}"))
        for setting, choice in helped
    ]


class _Environment(Environment):
    def make_globals(self, _own: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Give all templates one dictionary, since each render copies it: Jinja would chain it with an empty one."""
        return self.globals


@cache
def environment(kind: str) -> Environment:
    """Return the Jinja environment for templates of this kind, `html` or `txt`; made once."""
    made = _Environment(
        loader=FileSystemLoader(template_folder()),
        autoescape=kind == "html",  # an email's text is not HTML
        undefined=StrictUndefined,
        finalize=_reject_unreadable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    made.globals |= {
        "Markup": Markup,
        "limits": limits,
        "sentence": sentence,
        "setting_orders": _list_setting_orders(),
    }
    made.filters |= {
        "names": _square_names,
        "empty": partial(_squares_with, "."),
        "men": _word_pieces,
        "by_kind": _word_by_kind,
        "untold": partial(_squares_with, "Xx"),  # pieces of unknown kind
        "ago": _ago,
        "man": _piece_name,
        "imagined": _word_ghosts,
        "in_reserve": _word_reserve,
        "in_english": say_plainly,
        "in_lines": _wrap_text,
        "breakable": _breakable,
        "pointed": _point_to_error,
        "parted": split_and_cut,
        "repeated": _show_text,
        "listed": _join_words,
        "delay": _delay,
    }
    return made


def compile_pages() -> None:
    """Compile all templates of pages, before processes that share their memory are forked."""
    pages = environment("html")
    for name in pages.list_templates(extensions=["html"]):
        pages.get_template(name)


def render(template: str, **words: object) -> str:
    return environment(template.rpartition(".")[2]).get_template(template).render(**words)


def join_html(pieces: Iterable[str]) -> Markup:
    """Join rendered HTML, without escaping it again."""
    return Markup("".join(pieces))  # noqa: S704  # the templates have escaped it


def render_piece(template: str, **words: object) -> Markup:
    """Render an HTML template, for use as it is in another template."""
    return Markup(render(template, **words))  # noqa: S704  # the template has escaped it
