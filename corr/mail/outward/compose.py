"""Composes an email's bytes: its text, its HTML, a picture of the board, and the game.

The same email always gives the same bytes. We join the parts by hand, since the standard library is slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.header import Header
from email.utils import format_datetime
from functools import cache, lru_cache, partial
from urllib.parse import quote

from corr.images import board_image, finished_game_images
from corr.mail.inward.html import html_to_lines
from corr.mail.outward import fallback_email, missing_parts
from corr.mail.outward.email_to_send import EmailButtons, EmailPage, EmailToSend
from corr.mail.outward.fallback_email import PlainFacts
from corr.mail.outward.missing_parts import MissingPart, MissingParts
from corr.mail.outward.text_and_html import Block, format_table, order_for_html, split_blocks, wrap_paragraph
from corr.mail.outward.text_board import BoardDrawing, describe_marks, make_board
from corr.mail.outward.text_board import draw_board as board_text
from corr.text.messages import sentence
from corr.text.template_env import render
from corr.words.replay import Replay
from corr.words.slips import GhostPieces, Sight, SquareMarks
from corr.words.view import Stage, View

#: The questions a player can ask at any time; the email offers each as a prepared reply.
_ENQUIRIES = ("show", "help")
_BADLY_FOLDED = re.compile(r"\r\n(?! )|\r(?!\n)|(?<!\r)\n")
#: What a mail program posts to stop emails, which tells a reader's click from a mere visit (RFC 8058).
_ONE_CLICK_VALUE = "List-Unsubscribe=One-Click"
#: The most bytes of an email with its film, and those of them that we reserve for what surrounds the film.
_LARGEST, _FILM_OVERHEAD = 40_000, 1_000


@dataclass(frozen=True, slots=True)
class ComposedEmail:
    message: bytes
    text: str
    quotable: str
    lacks: tuple[MissingPart, ...] = ()


@dataclass(frozen=True, slots=True)
class EmailAttachments:
    """What accompanies an email's text, each empty if absent: the board, the HTML, files, the film."""

    picture: bytes
    html: str
    files: tuple[bytes, ...] = ()
    film: bytes = b""


def compose(letter: EmailToSend) -> ComposedEmail:
    """Compose an email; leave out a part that fails, and list it in `lacks`."""
    if letter.bare:
        return _compose_plain(letter, letter.bare)
    lacks = MissingParts(list(letter.lacks))
    game = lacks.make_or_replace("game", lambda: _game_part(letter.game), b"")
    files = {"attached": bool(game), "sealed": bool(letter.record)}
    said = render(f"mail/{letter.kind}.txt", view=letter.view, **files, **letter.words)
    foot = _foot(letter)
    blocks = split_blocks(said)
    sight, ghosts = (letter.view.sight, letter.view.ghosts) if letter.view else (None, ())
    drawn = make_board(sight, ghosts) if sight else None
    text = _text([*blocks, *foot], drawn)
    pictured = drawn and any(block.kind == "board" for block in blocks)
    picture = lacks.make_or_replace(
        "picture", lambda: _picture_part(letter, sight, ghosts) if sight and pictured else b"", b""
    )
    described = _describe_board(letter, blocks, lacks) if picture else ""
    page = partial(_make_html, [*order_for_html(blocks), *foot], letter, drawn, described)
    beside = EmailAttachments(picture, lacks.make_or_replace("html", page, ""), _attach_files(letter, game))
    if letter.replay and beside.html:
        unproved = replace(beside, files=_attach_files(replace(letter, record=b""), game))
        room = _LARGEST - _FILM_OVERHEAD - len(_message(letter, text, unproved))
        filmed = partial(_add_film, beside, page, letter.replay, room)
        beside = lacks.make_or_replace("film", filmed, beside)
    quotable = lacks.make_or_replace(
        "quotable", lambda: _quotable([*blocks, *foot], text, letter, described), text
    )
    return ComposedEmail(_message(letter, text, beside), text, quotable, tuple(lacks.found))


def _add_film(
    beside: EmailAttachments, page: Callable[..., str], replay: Replay, room: int
) -> EmailAttachments:
    """Add the finished game as a strip of small boards, if it fits into `room` bytes."""
    strip = finished_game_images.draw_email_strip(replay, room * 57 // 78)
    if not strip:
        return beside
    return replace(beside, film=missing_parts.picture("film", strip), html=page(filmed=True))


def _compose_plain(letter: EmailToSend, bare: PlainFacts) -> ComposedEmail:
    """Compose the plain email that replaces one that we cannot make."""
    text = _text(split_blocks(fallback_email.text(bare, letter.kind, letter.words)), None)
    return ComposedEmail(_message(letter, text, EmailAttachments(b"", "")), text, text, letter.lacks)


def _quotable(blocks: list[Block], text: str, letter: EmailToSend, described: str) -> str:
    """Return all text of an email, so that we recognize it when a reply quotes it."""
    html = [" ".join(line.split()) for block in blocks for line in block.lines]
    html += [" ".join(row) for block in blocks if block.kind == "rows" for row in block.rows]
    frame = _frame(_choose_buttons(letter), of_game=_is_of_game(letter))
    filmed = sentence("letters.film") if letter.replay else ""
    return "\n".join(
        [text, *html, described, filmed, *frame, *letter.game.splitlines(), *letter.file.splitlines()]
    )


@cache
def _frame(offered: EmailButtons, *, of_game: bool) -> tuple[str, ...]:
    """Return the lines of an email's HTML around its blocks, such as its buttons."""
    bare = EmailPage(order_for_html([]), offered, of_game)
    return tuple(html_to_lines(render("mail/letter.html", email=bare)))


def _foot(letter: EmailToSend) -> list[Block]:
    """Return the blocks at the end: the game's seal, and a warning not to forward the email."""
    foot = list[Block]()
    if letter.view and letter.view.seal:
        said = sentence("letters.seal", seal=letter.view.seal), sentence("letters.seal_means")
        foot += [Block("seal", (line,)) for line in said]
    if letter.view and letter.view.outcome is None:
        foot += _warning()
    return foot


@cache
def _warning() -> tuple[Block, ...]:
    """Return the warning that anyone who has this email could play."""
    return tuple(replace(block, kind="seal") for block in split_blocks(render("mail/foot.txt")))


def subject(letter: EmailToSend) -> str:
    if left := letter.words.get("left"):
        return sentence("letters.reminder", left=left, about=letter.about)
    return f"Re: {letter.about}" if letter.root else letter.about


def _text(blocks: list[Block], drawn: BoardDrawing | None) -> str:
    """Write blocks as an email's plain text."""
    return "\n\n".join(_block_text(block, drawn) for block in blocks) + "\n"


def _block_text(block: Block, drawn: BoardDrawing | None) -> str:
    if block.kind == "board":
        return board_text(drawn) if drawn else ""
    if block.kind in ("quoted", "note"):
        return "\n".join(block.lines)
    if block.kind == "rows":
        return format_table(block.rows)
    if block.kind == "link":
        return block.lines[0]
    return wrap_paragraph(" ".join(block.lines))


def _make_html(
    blocks: list[Block],
    letter: EmailToSend,
    drawn: BoardDrawing | None,
    described: str,
    *,
    filmed: bool = False,
) -> str:
    """Render an email's HTML; the board is drawn in letters if `described` is empty."""
    shown = EmailPage(
        of_game=_is_of_game(letter),
        blocks=blocks,
        offered=_choose_buttons(letter),
        my_turn=letter.view is not None and letter.view.my_turn,
        letters="" if described or drawn is None else board_text(drawn),
        described=described,
        film=sentence("letters.film") if filmed else "",
        ready=letter.proposals,
        at=letter.whole or letter.table,
        mailto=f"mailto:{letter.ready_to}?subject={quote(subject(letter))}&body=",
    )
    return render("mail/letter.html", email=shown)


def _choose_buttons(letter: EmailToSend) -> EmailButtons:
    """Choose the email's buttons: a link to the game, and orders to reply with."""
    view = letter.view
    if view is None:
        return EmailButtons("")
    table = "table" if letter.table and (view.revealed or not view.outcome) else ""
    page = "whole" if letter.whole else table
    if view.state not in (Stage.DEPLOYING, Stage.RUNNING):
        return EmailButtons(page)
    orders = (*view.answers, *view.at_once, *_ENQUIRIES)
    return EmailButtons(page, view.my_turn, orders, view.may_offer_draw)


def _is_of_game(letter: EmailToSend) -> bool:
    """Tell whether the email is about a game that has begun; others need a heading."""
    return letter.view is not None and letter.view.state is not Stage.OFFERED


def _describe_board(letter: EmailToSend, blocks: list[Block], lacks: MissingParts) -> str:
    """Describe the board's picture in words; name only its side if that fails."""
    if letter.view is None:
        return ""
    plainly = sentence("letters.board", side=letter.view.side.called)
    return lacks.make_or_replace(
        "described", partial(_board_in_words, letter.view, blocks, letter.marks), plainly
    )


def _board_in_words(view: View, blocks: list[Block], marks: SquareMarks) -> str:
    """Say in words which pieces and marks the board's picture shows."""
    marked = describe_marks(marks, is_over=view.revealed)
    if view.revealed:
        return " ".join((*render("parts/final_board.txt", view=view).split(), *marked.split()))
    men = (line for block in blocks if block.kind == "men" for line in block.lines)
    return " ".join((sentence("letters.board", side=view.side.called), *men, *marked.split()))


def _message(letter: EmailToSend, text: str, beside: EmailAttachments) -> bytes:
    """Join headers and parts to the email's bytes."""
    mark = letter.message_id.partition("@")[0]
    body = missing_parts.text("text/plain; charset=utf-8", text)
    if beside.html:
        web = missing_parts.text("text/html; charset=utf-8", beside.html)
        if pictures := [each for each in (beside.picture, beside.film) if each]:
            web = missing_parts.join_parts("related", f"rel-{mark}", [web, *pictures])
        body = missing_parts.join_parts("alternative", f"alt-{mark}", [body, web])
    if beside.files:
        body = missing_parts.join_parts("mixed", f"mix-{mark}", [body, *beside.files])
    return ("\r\n".join(_headers(letter)) + "\r\n").encode("ascii") + body


def _headers(letter: EmailToSend) -> list[str]:
    threaded = [f"<{each}>" for each in dict.fromkeys((letter.root, letter.parent)) if each]
    has_stop_page = any(stop.startswith("https:") for stop in letter.stops)
    headers = {
        "From": f"Umpire <{letter.sender}>",
        "To": letter.recipient,
        "Reply-To": letter.reply_to,
        "Subject": _header(subject(letter)),
        "Date": _format_date(letter.date),
        "Message-ID": f"<{letter.message_id}>",
        "In-Reply-To": threaded[-1] if threaded else None,
        "References": "\r\n ".join(threaded) if threaded else None,
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Unsubscribe": ",\r\n ".join(f"<{each}>" for each in letter.stops) or None,
        "List-Unsubscribe-Post": _ONE_CLICK_VALUE if has_stop_page else None,
        "MIME-Version": "1.0",
    }
    return [f"{name}: {_check_header(value)}" for name, value in headers.items() if value is not None]


#: Emails of one transaction have one date.
_format_date = lru_cache(maxsize=8)(format_datetime)


def _check_header(value: str) -> str:
    """Return a header's value; raise ValueError if it could break the header."""
    is_folded = "\n" in value or "\r" in value
    if (is_folded and _BADLY_FOLDED.search(value)) or not value.isascii():
        raise ValueError(f"{value!r} isn't allowed in a header")
    return value


def _header(text: str) -> str:
    """Return text for a header, encoded (RFC 2047) if it is long or not ASCII."""
    return text if text.isascii() and len(text) < 60 else Header(text, "utf-8", 60).encode(linesep="\r\n")


def _picture_part(letter: EmailToSend, sight: Sight, ghosts: GhostPieces) -> bytes:
    return missing_parts.picture("board", board_image.png(sight, ghosts, letter.marks))


def _game_part(game: str) -> bytes:
    """Return the game as an attached file, since programs would quote a text within the email."""
    return missing_parts.attachment("application/vnd.chess-pgn; charset=utf-8", "game.pgn", game.encode())


def _attach_files(letter: EmailToSend, game: bytes) -> tuple[bytes, ...]:
    """Return the email's files; only the slip is a text part, since a program reads it."""
    slip = missing_parts.text("application/json", letter.file, "slip.json") if letter.file else b""
    record = missing_parts.attachment("application/gzip", "record.jsonl.gz", letter.record)
    own = missing_parts.attachment("application/json", "kept.json", letter.own.encode())
    return tuple(filter(None, (game, record, slip, own)))
