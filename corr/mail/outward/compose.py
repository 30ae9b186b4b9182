"""A letter from what it says to its very bytes: text, HTML with the board as a table, the board as PNG, the game.

The same outgoing letter always becomes the same bytes. The parts are put together by hand, since the
standard library's generator takes longer than all the rest; what may stand in a header is checked here.
"""

from __future__ import annotations

import base64
import quopri
import re
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from functools import cache, lru_cache
from urllib.parse import quote

from corr import diagram
from corr.mail.inward.html import flattened
from corr.mail.outward import plain
from corr.mail.outward.board import Board, board, cells
from corr.mail.outward.board import text as board_text
from corr.mail.outward.lacks import Lack, Lacks
from corr.mail.outward.plain import Bare
from corr.pages import piece, render
from corr.words.slips import Imagined, Sight
from corr.words.view import Stage, View

_COLUMNS = 72
_LAST_WORDS = 3
_BOARD = "[board]"
_LINK = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter to be composed: who it is from and to, where it stands in its thread, what it says."""

    kind: str
    about: str  # the thread's subject, fixed at its start: it never tells what happened
    view: View | None  # none where a letter is about no game
    date: datetime
    sender: str
    recipient: str
    reply_to: str
    ready_to: str  # where the letters go that its links begin, which name no letter that they answer
    message_id: str
    parent: str | None
    root: str | None
    words: dict[str, object] = field(default_factory=dict)
    game: str = ""  # the finished game as a PGN file, where the letter tells of its end
    lacks: tuple[Lack, ...] = ()
    bare: Bare | None = None  # what a plain letter tells, in place of one that cannot be made


@dataclass(frozen=True, slots=True)
class Composed:
    """A letter's bytes; all its lines, of text and of HTML, as a reply may quote them; what it had to do without."""

    message: bytes
    quotable: str
    lacks: tuple[Lack, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """What goes beside a letter's text, each empty where there is none: the board as PNG, the HTML, the game."""

    picture: bytes
    html: str
    game: bytes


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a letter: a paragraph, lines that a person wrote, the address of a page, or the board."""

    kind: str
    lines: tuple[str, ...]

    @property
    def quoted(self) -> str:
        """What stands in its lines without the marks before them."""
        return " ".join(line.removeprefix("| ") for line in self.lines)


def compose(letter: Outgoing) -> Composed:
    """The letter's bytes; what cannot be made beside its text is left out, and the text says nothing of it."""
    if letter.bare:
        return _composed_plainly(letter, letter.bare)
    lacks = Lacks(list(letter.lacks))
    game = lacks.or_without("game", lambda: _game(letter.game), b"")
    said = render(f"mail/{letter.kind}.txt", view=letter.view, attached=bool(game), **letter.words)
    blocks = [*_blocks(said), *(_foot() if _opens_a_seat(letter) else ())]
    sight = _sight(letter)
    ghosts = letter.view.ghosts if letter.view else ()
    drawn = board(sight, ghosts) if sight else None
    text = _text(blocks, drawn)
    pictured = drawn and any(block.kind == "board" for block in blocks)
    picture = lacks.or_without("picture", lambda: _picture(sight, ghosts) if sight and pictured else b"", b"")
    html = lacks.or_without("html", lambda: _html(blocks, letter, drawn, pictured=bool(picture)), "")
    quotable = lacks.or_without("quotable", lambda: _quotable(blocks, text, letter, drawn), text)
    return Composed(_message(letter, text, Beside(picture, html, game)), quotable, tuple(lacks.found))


def _composed_plainly(letter: Outgoing, bare: Bare) -> Composed:
    text = _text(_blocks(plain.text(bare, letter.kind, letter.words)), None)
    return Composed(_message(letter, text, Beside(b"", "", b"")), text, letter.lacks)


def _quotable(blocks: list[Block], text: str, letter: Outgoing, drawn: Board | None) -> str:
    """Every line that a reply may repeat: those of the text, of the HTML as a program flattens it, of the game."""
    html = [" ".join(line.split()) for block in blocks for line in block.lines]
    squares = cells(drawn) if drawn else ()
    return "\n".join(
        [text, *html, *squares, *_frame(running=_is_running(letter.view)), *letter.game.splitlines()]
    )


@cache
def _frame(*, running: bool) -> tuple[str, ...]:
    """The lines of a letter's HTML that stand below what it says."""
    return tuple(flattened(render("mail/letter.html", blocks=(), pictured=False, running=running, mailto="")))


@cache
def _foot() -> tuple[Block, ...]:
    """What stands below each letter by which somebody else could play."""
    return tuple(_blocks(render("mail/foot.txt")))


def _opens_a_seat(letter: Outgoing) -> bool:
    return letter.view is not None and letter.view.outcome is None


def _is_running(view: View | None) -> bool:
    return view is not None and view.state in (Stage.DEPLOYING, Stage.RUNNING)


def _sight(letter: Outgoing) -> Sight | None:
    return letter.view.sight if letter.view else None


def subject(letter: Outgoing) -> str:
    """The subject as it stands in the letter's head."""
    return f"Re: {letter.about}" if letter.root else letter.about


# ---------------------------------------------------------------- text and HTML from the same blocks


def _blocks(text: str) -> list[Block]:
    pieces = [piece.strip() for piece in re.split(r"\n[ \t]*\n", text)]
    return [_block(piece) for piece in pieces if piece]


def _block(piece: str) -> Block:
    lines = tuple(line.strip() for line in piece.split("\n") if line.strip())
    if piece == _BOARD:
        return Block("board", ())
    if lines[0].startswith("| "):
        return Block("quoted", lines)
    if len(lines) == 1 and _LINK.fullmatch(lines[0]):
        return Block("link", lines)
    return Block("said", (" ".join(lines),))


def _text(blocks: list[Block], drawn: Board | None) -> str:
    return "\n\n".join(_block_text(block, drawn) for block in blocks) + "\n"


def _block_text(block: Block, drawn: Board | None) -> str:
    if block.kind == "board":
        return board_text(drawn) if drawn else ""
    if block.kind == "quoted":
        return "\n".join(block.lines)
    return _filled(block.lines[0])


def _filled(paragraph: str) -> str:
    """A paragraph in lines of a letter's width; no word is broken.

    Its last line has three words or more: "again." alone, or "accept", would read as an order.
    """
    lines: list[str] = []
    line = ""
    for word in paragraph.split(" "):
        if line and len(line) + 1 + len(word) > _COLUMNS:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if lines and line.count(" ") < _LAST_WORDS - 1:
        words = f"{lines.pop()} {line}".split(" ")
        lines.append(" ".join(words[:-_LAST_WORDS]))
        line = " ".join(words[-_LAST_WORDS:])
    return "\n".join([*lines, line])


def _html(blocks: list[Block], letter: Outgoing, drawn: Board | None, *, pictured: bool) -> str:
    return render(
        "mail/letter.html",
        blocks=blocks,
        pictured=pictured,
        ranks=[_rank(row, *rank) for row, rank in enumerate(drawn.ranks)] if drawn else [],
        files=drawn.files if drawn else "",
        running=_is_running(letter.view),
        ready=letter.words.get("meant", ()),
        mailto=f"mailto:{letter.ready_to}?subject={quote(subject(letter))}&body=",
    )


@lru_cache(maxsize=1024)
def _rank(row: int, name: str, signs: tuple[str, ...]) -> str:
    """One row of the board's table, from the top; from one letter to the next most stay as they were."""
    return piece("parts/rank.html", row=row, name=name, signs=signs)


# ---------------------------------------------------------------- bytes


def _message(letter: Outgoing, text: str, beside: Beside) -> bytes:
    mark = letter.message_id.partition("@")[0]
    body = _part("text/plain; charset=utf-8", text)
    if beside.html:
        web = _part("text/html; charset=utf-8", beside.html)
        if beside.picture:
            web = _multipart("related", f"rel-{mark}", [web, beside.picture])
        body = _multipart("alternative", f"alt-{mark}", [body, web])
    if beside.game:
        body = _multipart("mixed", f"mix-{mark}", [body, beside.game])
    return ("\r\n".join(_headers(letter)) + "\r\n").encode("ascii") + body


def _headers(letter: Outgoing) -> list[str]:
    threaded = [f"<{each}>" for each in dict.fromkeys((letter.root, letter.parent)) if each]
    headers = {
        "From": f"Umpire <{letter.sender}>",
        "To": letter.recipient,
        "Reply-To": letter.reply_to,
        "Subject": _header(subject(letter)),
        "Date": format_datetime(letter.date),
        "Message-ID": f"<{letter.message_id}>",
        "In-Reply-To": threaded[-1] if threaded else None,
        "References": "\r\n ".join(threaded) if threaded else None,
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "MIME-Version": "1.0",
    }
    return [f"{name}: {_checked(value)}" for name, value in headers.items() if value is not None]


def _checked(value: str) -> str:
    if re.search(r"\r\n(?! )|\r(?!\n)|(?<!\r)\n", value) or not value.isascii():
        raise ValueError(f"{value!r} cannot stand in a header")
    return value


def _header(text: str) -> str:
    return text if text.isascii() and len(text) < 60 else Header(text, "utf-8", 60).encode(linesep="\r\n")


def _part(kind: str, text: str) -> bytes:
    raw = text.encode()
    if text.isascii() and max(map(len, raw.split(b"\n"))) < 900:
        encoding, coded = "7bit", raw
    else:
        encoding, coded = "quoted-printable", quopri.encodestring(raw)
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + coded.replace(b"\n", b"\r\n")


def _picture(sight: Sight, ghosts: Imagined) -> bytes:
    head = (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        'Content-ID: <board>\r\nContent-Disposition: inline; filename="board.png"\r\n\r\n'
    )
    return head.encode() + base64.encodebytes(diagram.png(sight, ghosts)).replace(b"\n", b"\r\n")


def _game(game: str) -> bytes:
    """Not as text, which many programs would show, and quote in a reply, in the midst of the letter."""
    if not game:
        return b""
    head = (
        "Content-Type: application/vnd.chess-pgn; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n"
        'Content-Disposition: attachment; filename="game.pgn"\r\n\r\n'
    )
    return head.encode() + base64.encodebytes(game.encode()).replace(b"\n", b"\r\n")


def _multipart(kind: str, boundary: str, parts: list[bytes]) -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'
    divider = f"--{boundary}\r\n".encode()
    body = b"".join(divider + part + b"\r\n" for part in parts)
    return head.encode() + body + f"--{boundary}--\r\n".encode()
