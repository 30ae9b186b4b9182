"""Recognises moves in other notations, such as Nf3, only to propose what to write; `board_orders.py` reads orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corr.orders.scanner import lower
from corr.words.board import PieceKind

#: The letters of pieces in English, German, French, Spanish, Italian, Dutch and Russian, and their symbols.
_LETTERS = {
    PieceKind.PAWN: "p \u2659 \u265f",
    PieceKind.KNIGHT: "n s c p \u043a \u2658 \u265e",
    PieceKind.BISHOP: "b l f a \u0441 \u2657 \u265d",
    PieceKind.ROOK: "r t \u043b \u2656 \u265c",
    PieceKind.QUEEN: "q d \u0444 \u2655 \u265b",
    PieceKind.KING: "k r \u043a\u0440 \u043a \u2654 \u265a",
}
_PIECES_BY_LETTER = {
    letter: tuple(man for man, others in _LETTERS.items() if letter in others.split())
    for letters in _LETTERS.values()
    for letter in letters.split()
}
_LETTER = "|".join(sorted(_PIECES_BY_LETTER, key=len, reverse=True))
#: The names of pieces in the same languages.
_NAMES_BY_PIECE = {
    PieceKind.PAWN: "pawn bauer pion pe\xf3n peon pedone",
    PieceKind.KNIGHT: "knight springer cavalier caballo cavallo paard",
    PieceKind.BISHOP: "bishop l\xe4ufer laeufer fou alfil alfiere loper",
    PieceKind.ROOK: "rook turm tour torre toren",
    PieceKind.QUEEN: "queen dame reine dama",
    PieceKind.KING: "king k\xf6nig koenig roi rey re koning",
}
_PIECE_BY_NAME = {name: man for man, names in _NAMES_BY_PIECE.items() for name in names.split()}
_NAME_PATTERN = "|".join(sorted(_PIECE_BY_NAME, key=len, reverse=True))
_TO_WORDS = "to|on|at|nach|auf|zu|a|\xe0|en|vers|in|naar"
_CAPTURE_WORDS = "takes|captures|x|schl\xe4gt|schlaegt|prend|captura|toma|prende|slaat"
_ALGEBRAIC = re.compile(
    rf"(?P<man>{_LETTER})?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<takes>[-x:\xd7]?)(?P<target>[a-h][1-8])"
    rf"(?:[=/(]?(?P<piece>[kqrbndtsl])\)?)?(?:e\.?p)?[+#]*"
)
_PIECE = "queen|rook|bishop|knight|[qrbn](?![a-z0-9])"
_PROMOTED = rf"(?: ?(?:=|to an? |becomes an? |promotes to an? |into an? )? ?(?P<piece>{_PIECE}))?"
_SPOKEN_MOVE = (
    rf"(?P<man>{_NAME_PATTERN})(?: (?:on|from|at|von|de|da))?(?: (?P<origin>[a-h][1-8]))?"
    rf"(?: ?- ?| (?:(?:goes |moves )?(?:{_TO_WORDS})|(?P<takes>{_CAPTURE_WORDS})(?: (?:on|auf|en|su))?))? ?"
    rf"(?P<target>[a-h][1-8])(?![a-z0-9]){_PROMOTED}"
)
_BETWEEN_SQUARES = rf"(?: ?[-=>.:]{{1,3}} ?| ?(?:{_TO_WORDS}|{_CAPTURE_WORDS}) ?| )?"
_SQUARE_PAIR = rf"(?P<origin>[a-h][1-8]){_BETWEEN_SQUARES}(?P<target>[a-h][1-8])"
_SPOKEN = re.compile(rf"(?:move )?(?:my |the )?{_SPOKEN_MOVE}(?:,? please)?")
_MOVE_SENTENCE = re.compile(rf"(?:move )(?:from )?{_SQUARE_PAIR}{_PROMOTED}(?:,? please)?")
_PAIR = re.compile(
    rf"(?:{_LETTER})?(?P<origin>[a-h][1-8])(?:\W{{0,4}}| ?(?:{_TO_WORDS}|{_CAPTURE_WORDS}) ?)"
    rf"(?P<target>[a-h][1-8]){_PROMOTED}"
)
#: A move within a sentence: by both its squares, by its piece's name, or by its piece's capital letter.
_MOVES_IN_SENTENCE = (
    re.compile(rf"(?<![\w@/])(?:(?:{_LETTER})(?=[a-h][1-8][-x:a-h]))?{_SQUARE_PAIR}(?:=?[qrbn])?(?!\w)"),
    re.compile(rf"(?<!\w){_SPOKEN_MOVE}(?!\w)"),
    re.compile(r"(?<![\w@/-])[pnbrqk] ?-[a-h][1-8](?!\w)"),
)
_RANKS = dict(zip(["one", "two", "three", "four", "five", "six", "seven", "eight"], "12345678", strict=True))
_FILES = dict(
    zip(["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"], "abcdefgh", strict=True),
    alfa="a",
)
#: A square as people dictate it: `E 2`, `echo two`.
_DICTATED = re.compile(rf"\b({'|'.join(_FILES)}|[a-h]) ?({'|'.join(_RANKS)}|[1-8])\b")
_CAPITAL = re.compile(
    r"(?<![\w@])[^\W\d_a-z] ?(?:[a-h]?[1-8]?[-x:]?[a-h][1-8])(?![\w@])|(?<!\w)[\u2654-\u265f]\w*"
)
_PUNCTUATION = "!?.,;:()*_~'/ "


@dataclass(frozen=True, slots=True)
class NotatedMove:
    """A move as notated: the pieces it may be of, the known part of its origin, and its target."""

    men: tuple[PieceKind, ...]
    origin: str
    target: str
    piece: str = ""
    takes: bool = False

    def is_of(self, man: PieceKind, move: str) -> bool:
        """Whether this notation can mean a coordinate move such as `g1f3` by this kind of piece."""
        if man not in self.men or move[2:4] != self.target or not set(self.origin) <= set(move[:2]):
            return False
        if man is PieceKind.PAWN and not self.origin and self.takes is (move[0] == move[2]):
            return False
        return move[4:] in ("", self.piece or "q")


def is_algebraic(word: str) -> bool:
    """Whether a lower-case word is a move such as Nf3, in any language."""
    return _ALGEBRAIC.fullmatch(word) is not None


def is_spoken(text: str) -> bool:
    """Whether a lower-case line is a move in words, "knight to f3"."""
    text = text.strip(_PUNCTUATION)
    return (_SPOKEN.fullmatch(text) or _MOVE_SENTENCE.fullmatch(text)) is not None


def write_down_squares(text: str) -> str:
    """Return a text in lower case with dictated squares as we write them: `echo two echo four` as `e2 e4`."""
    return _DICTATED.sub(
        lambda said: _FILES.get(said[1], said[1]) + _RANKS.get(said[2], said[2]), lower(text)
    )


def find_moves(text: str) -> Iterator[str]:
    """Yield the phrases of a sentence that name moves, in the clearest notation it uses."""
    low = lower(text)
    for pattern in _MOVES_IN_SENTENCE:
        if found := [each[0] for each in pattern.finditer(low)]:
            yield from found
            return
    yield from (each[0].replace(" ", "") for each in _CAPITAL.finditer(text))


def parse_notation(text: str) -> Iterator[NotatedMove]:
    """Yield the moves that a text in any notation may mean, the likeliest first."""
    low = lower(text)
    if pair := _PAIR.match(low) or _MOVE_SENTENCE.fullmatch(low.strip(_PUNCTUATION)):
        yield NotatedMove(
            tuple(PieceKind), pair["origin"] + pair["origin"], pair["target"], _letter(pair["piece"])
        )
    elif spoken := _SPOKEN.fullmatch(low.strip(_PUNCTUATION)):
        man, takes = _PIECE_BY_NAME[spoken["man"]], spoken["takes"] is not None
        yield NotatedMove((man,), spoken["origin"] or "", spoken["target"], _letter(spoken["piece"]), takes)
    elif found := _ALGEBRAIC.fullmatch(low.partition(" ")[0].rstrip(_PUNCTUATION)):
        yield from _algebraic(found, is_capital=text[:1].isupper())


def _algebraic(found: re.Match[str], *, is_capital: bool) -> Iterator[NotatedMove]:
    """Yield what an algebraic move may mean: a small `b` is first a file, a capital a bishop."""
    man, origin = found["man"], (found["file"] or "") + (found["rank"] or "")
    rest = found["target"], _letter(found["piece"]), found["takes"] not in ("", "-")
    if not man:
        yield NotatedMove((PieceKind.PAWN,), origin, *rest)
        return
    by_man = [NotatedMove((each,), origin, *rest) for each in _PIECES_BY_LETTER[man]]
    by_file = (
        [NotatedMove((PieceKind.PAWN,), man, *rest)]
        if man in "abcdefgh".replace(found["target"][0], "") and not origin
        else []
    )
    yield from by_man + by_file if is_capital else by_file + by_man


def _letter(piece: str | None) -> str:
    """Return our letter for a promotion piece named in any language; empty if none is named."""
    if not piece:
        return ""
    return (_PIECES_BY_LETTER[piece][0] if len(piece) == 1 else PieceKind(piece)).letter.lower()
