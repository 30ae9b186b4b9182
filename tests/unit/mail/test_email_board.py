"""The board in emails, as text, picture and sentences: pieces seen, recalled, promoted, and in reserve."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Iterator
from html import unescape

import pytest

from corr.demo.mailbox import PEOPLE, DemoEmail
from corr.demo.reply import reply
from corr.mail.inward.html import html_to_lines
from corr.mail.inward.incoming_email import parse_email, parse_orders
from corr.mail.outward.compose import ComposedEmail, compose
from corr.mail.outward.email_to_send import Answer, EmailToSend
from corr.mail.outward.text_board import draw_board, make_board
from corr.orders import kind_of
from corr.service.catalogue import card
from corr.words.board import SQUARE_NUMBER, Pair, Side
from corr.words.slips import GhostPieces, Losses, Outcome, RememberedSquares, Sight, Slip
from corr.words.view import Stage, View
from tests.support.sight_cases import sight
from tests.support.table import NOON, html_of, parse_message, text_of

#: White has sensed around d4, and recalls two earlier senses and where Black's king was shown.
SENSED = """
    ?  ?  ?   ?  k?7 ?   ?   ?
    ?  Q~ n?4 ?  ?   .!1 p!1 .!1
    ?  ?  ?   n  ?   b!1 r!1 .!1
    ?  ?  .   .  p   .!1 .!1 .!1
    ?  ?  .   .  .   P   ?   x!0
    ?  ?  ?  ?  ?  ?  ?  ?
    P  P  P  ?  ?  ?  P  P
    R  N  B  ?  K  B  N  R
"""
#: Black's spy on c6 has just reported, and another on f6 earlier.
SPY_REPORTS = """
    r  ?  b  q  k  b  ?  r
    .  .  .  p  ?  .!2 .!2 p
    .  n  P  ?  N!2 ? ?  ?
    .  .  .  ?  .!2 .!2 .!2 ?
    ?  ?  ?  ?  ?  ?  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    ?  ?  ?  ?  ?  ?  n~ ?
    ?  ?  ?  ?  K?7 ? ?  ?
"""
PLAIN = """
    ?  ?  ?  ?  ?  ?  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    ?  ?  ?  ?  P  ?  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    P  P  P  P  ?  P  P  P
    R  N  B  Q  K  B  N  R
"""
END = """
    r  .  .  .  k  .  .  r~
    p  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .
    P  .  .  .  .  .  .  .
    R  Q~ .  .  K  .  .  .
"""
RESERVES = Pair("QNPP", "")


def view(seen: Sight, state: Stage = Stage.RUNNING, ghosts: GhostPieces = ()) -> View:
    return View(
        game="k3x9m",
        card=card("wild16"),
        side=seen.side,
        name="Ann",
        opponent="Rook64",
        clock="3 days for each move",
        state=state,
        move_number=12,
        turn=seen.side if state is Stage.RUNNING else None,
        deadline="Tue 24 Nov 2026, 21:00 UTC",
        late=False,
        offer=None,
        outcome=None if state is Stage.RUNNING else Outcome(None, "agreement"),
        slips=(Slip(seen.side, (), seen),),
        taken=(),
        last_tries=(),
        tries=(),
        score=(),
        example="a2a3",
        ghosts=ghosts,
    )


def email_with(
    seen: Sight, kind: str = "turn", state: Stage = Stage.RUNNING, ghosts: GhostPieces = ()
) -> ComposedEmail:
    """Compose an email that shows this sight."""
    seat = "seat@play.example"
    ours = {"sender": "umpire@play.example", "recipient": "ann@a.example", "reply_to": seat, "ready_to": seat}
    words = {"answer": Answer(shown=True)} if kind == "answer" else {}
    thread = {"message_id": "a@play.example", "parent": None, "root": None}
    return compose(
        EmailToSend(kind, "[corr] Wild 16", view(seen, state, ghosts), NOON, **ours, **thread, words=words)
    )


def paragraphs(seen: Sight, kind: str = "turn", state: Stage = Stage.RUNNING) -> list[str]:
    """Return the paragraphs of an email above its footer."""
    email = text_of(parse_message(email_with(seen, kind, state).message))
    found = [" ".join(paragraph.split()) for paragraph in email.split("\n\n")]
    return [each for each in found if not each.startswith("Don't forward this email")]


# ---------------------------------------------------------------- the board as text


def test_white_sees_every_sign_in_two_characters():
    assert draw_board(make_board(sight(SENSED))).split("\n") == [
        "  8  . . . . k?. . .",
        "  7  . Q~n?. . _ p!_",
        "  6  . . . n . b!r!_",
        "  5  . . - - p _ _ _",
        "  4  . . - - - P . x!",
        "  3  . . . . . . . .",
        "  2  P P P . . . P P",
        "  1  R N B . K B N R",
        "",
        "     a b c d e f g h",
    ]


def test_black_sees_every_sign_from_the_other_side():
    assert draw_board(make_board(sight(SPY_REPORTS, Side.BLACK))).split("\n") == [
        "  1  . . . K?. . . .",
        "  2  . n~. . . . . .",
        "  3  . . . . . . . .",
        "  4  . . . . . . . .",
        "  5  . _ _ _ . - - -",
        "  6  . . . N!. P n -",
        "  7  p _ _ . p - - -",
        "  8  r . b k q b . r",
        "",
        "     h g f e d c b a",
    ]


def test_a_board_of_own_pieces_needs_no_marks():
    assert draw_board(make_board(sight(PLAIN))).split("\n") == [
        "  8  . . . . . . . .",
        "  7  . . . . . . . .",
        "  6  . . . . . . . .",
        "  5  . . . . . . . .",
        "  4  . . . . P . . .",
        "  3  . . . . . . . .",
        "  2  P P P P . P P P",
        "  1  R N B Q K B N R",
        "",
        "     a b c d e f g h",
    ]


def test_a_ghost_has_two_characters():
    assert draw_board(make_board(sight(PLAIN), ((27, "p"), (36, "n"), (59, "q")))).split("\n")[:5] == [
        "  8  . . . q'. . . .",
        "  7  . . . . . . . .",
        "  6  . . . . . . . .",
        "  5  . . . . n'. . .",
        "  4  . . . p'P . . .",
    ]


def test_empty_squares_stay_marked_if_ghosts_cover_all_unseen_ones():
    rank = "\n".join(["P . . . . . . ?"] * 8)
    ghosts = tuple((square, "r") for square in range(7, 64, 8))
    assert draw_board(make_board(sight(rank), ghosts)).split("\n")[0] == "  8  P - - - - - - r'"


def test_at_the_end_a_dot_is_empty_and_all_promoted_pieces_are_marked():
    assert draw_board(make_board(sight(END))).split("\n") == [
        "  8  r . . . k . . r~",
        "  7  p . . . . . . .",
        "  6  . . . . . . . .",
        "  5  . . . . . . . .",
        "  4  . . . . . . . .",
        "  3  . . . . . . . .",
        "  2  P . . . . . . .",
        "  1  R Q~. . K . . .",
        "",
        "     a b c d e f g h",
    ]


# ---------------------------------------------------------------- the board in HTML


def html(email: ComposedEmail) -> str:
    return html_of(parse_message(email.message))


def alt_text(email: ComposedEmail) -> str:
    """Return the picture's description for readers without pictures."""
    (words,) = re.findall(r'<img src="cid:board"[^>]* alt="([^"]*)"', html(email))
    return unescape(words)


def test_the_board_is_one_picture_with_a_description():
    email = email_with(sight(PLAIN), ghosts=((59, "q"),))
    assert html(email).count("<img") == 1
    assert "♙" not in html(email)
    assert alt_text(email) == (
        "Your board, with White at the bottom. Your pieces: king on e1; queen on d1; rooks on a1 and h1; bishops on c1"
        " and f1; knights on b1 and g1; pawns on a2, b2, c2, d2, f2, g2, h2 and e4. Nothing has been captured yet."
        " Your ghost: a queen on d8. A ' on the board marks it, and only you see it."
    )


def test_the_description_of_a_blocked_picture_is_as_legible_as_the_text():
    shown = html(email_with(sight(PLAIN)))
    (style,) = re.findall(r'<img [^>]*style="([^"]*)"', shown)
    paper = re.search(r'<td class="pa[^>]*style="([^"]*)"', shown)
    assert paper
    for each in ("font-family:Georgia,serif", "font-size:16px", "line-height:23px", "color:#182733"):
        assert each in style.split(";")
        assert each in paper[1].split(";")
    by_night = re.search(r"prefers-color-scheme:dark\)(.*?)</style>", shown, re.DOTALL)
    assert by_night
    assert ".al{color:#e9e5da!important}" in by_night[1]
    assert re.search(r'<img [^>]*class="al"', shown)


def test_the_final_picture_is_described_with_both_sides_pieces():
    assert alt_text(email_with(sight(END, Side.BLACK), "over", Stage.OVER)) == (
        "The whole board, Black at the bottom. Your pieces: king on e8; rooks on a8 and h8; pawn on a7. The other"
        " pieces: White's king on e1, queen on b1, rook on a1 and pawn on a2."
    )


def test_the_letters_of_a_text_board_are_explained_in_text_only():
    email = email_with(sight(END, reserves=RESERVES), "over", Stage.OVER)
    assert "White's pieces are capital letters" in " ".join(text_of(parse_message(email.message)).split())
    assert "Here is the whole board." in html(email)
    assert "White's pieces are" not in html(email)


def test_what_to_do_comes_before_the_board():
    shown = html(email_with(sight(PLAIN)))
    places = [
        shown.index(each)
        for each in ("Your turn: reply by", "Reply with your move", "Reply by email", "<img")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", ["turn", "answer", "reminder", "restored", "new_address"])
def test_no_template_placeholder_is_left(kind: str):
    for shown in texts_of(email_with(sight(SENSED), kind)):
        assert not re.search(r"\[\w+\]", shown)


BOARDS = pytest.mark.parametrize(
    ("drawn", "side"),
    [
        (SENSED, Side.WHITE),
        (SPY_REPORTS, Side.BLACK),
        (PLAIN, Side.WHITE),
        (END, Side.WHITE),
        (END, Side.BLACK),
    ],
)


# ---------------------------------------------------------------- sentences


def at(text: str) -> tuple[tuple[int, str], ...]:
    """Return squares and what was seen on them: `f5 . g7 n`."""
    words = text.split()
    return tuple((SQUARE_NUMBER[name], sign) for name, sign in zip(words[::2], words[1::2], strict=True))


SENTENCES = (
    (
        "two pieces and empty squares",
        sight(SENSED)._replace(recalled=()),
        "You see Black's knight on d6 and pawn on e5. The squares c4, d4, e4, c5 and d5 are empty.",
    ),
    (
        "one piece",
        sight(f"{'? ' * 8}\n" * 3 + "? ? ? ? r ? ? ?\n" + f"{'? ' * 8}\n" * 3 + "R ? ? ? K ? ? ?"),
        "You see Black's rook on e5.",
    ),
    (
        "a king and an empty square",
        sight("? ? ? ? . k ? ?\n" + f"{'? ' * 8}\n" * 6 + "R ? ? ? K ? ? ?"),
        "You see Black's king on f8. The square e8 is empty.",
    ),
    (
        "only empty squares",
        sight(f"{'? ' * 8}\n" * 7 + "R . . . K ? ? ?"),
        "You see that b1, c1 and d1 are empty.",
    ),
    (
        "a king disclosed at the start",
        sight(PLAIN)._replace(recalled=(RememberedSquares(0, at("e8 k")),)),
        ("Shown at the start: Black's king on e8. Marks: ! = seen in the last two turns."),
    ),
    (
        "only the latest look at each square, and no sentence for empty ones",
        sight(PLAIN)._replace(
            recalled=(
                RememberedSquares(5, at("d5 . e5 p d6 n e6 .")),
                RememberedSquares(7, at("e5 . f5 b g5 q")),
            ),
            turn=7,
        ),
        (
            "Seen this turn: Black's queen on g5 and bishop on f5. Seen two turns ago: Black's knight on d6."
            " Marks: ! = seen in the last two turns, _ = empty."
        ),
    ),
    (
        "nothing that is seen now, or was a square of an own piece since",
        sight(PLAIN)._replace(
            recalled=(
                RememberedSquares(5, at("e4 p d5 p e5 p")),
                RememberedSquares(7, at("d5 N")),
            ),
            turn=8,
        ),
        "Seen three turns ago: Black's pawn on e5. Marks: ? = seen earlier.",
    ),
    (
        "unknown pieces",
        sight(PLAIN)._replace(
            recalled=(
                RememberedSquares(5, at("d5 x")),
                RememberedSquares(6, at("c6 x b7 r")),
            ),
            turn=6,
        ),
        (
            "Seen this turn: Black's rook on b7. Black had something on c6 this turn, and on d5 one turn ago."
            " Marks: ! = seen in the last two turns, x = an unknown piece."
        ),
    ),
    (
        "the last five turns, newest first",
        sight(PLAIN)._replace(
            recalled=tuple(RememberedSquares(move, ((40 + move, "r"),)) for move in range(1, 8)), turn=40
        ),
        (
            "Seen 33 turns ago: Black's rook on h6. Seen 34 turns ago: Black's rook on g6. Seen 35 turns ago: Black's"
            " rook on f6. Seen 36 turns ago: Black's rook on e6. Seen 37 turns ago: Black's rook on d6."
            " Marks: ? = seen earlier."
        ),
    ),
    (
        "reserves",
        sight(PLAIN, reserves=Pair("QNPP", "q")),
        "You can drop a queen, a knight and two pawns. Black can drop a queen.",
    ),
    (
        "Black's reserves, one of them empty",
        sight(PLAIN.swapcase(), Side.BLACK, reserves=Pair("", "r" + "p" * 16)),
        "You can drop a rook and sixteen pawns. White has nothing to drop.",
    ),
)


@pytest.mark.parametrize(
    ("seen", "sentence"), [each[1:] for each in SENTENCES], ids=[each[0] for each in SENTENCES]
)
@pytest.mark.parametrize("kind", ["turn", "answer", "reminder", "restored"])
def test_an_email_describes_what_is_seen(kind: str, seen: Sight, sentence: str):
    assert sentence in paragraphs(seen, kind)


def test_without_anything_seen_only_own_pieces_are_described():
    *_, own, how = paragraphs(sight(PLAIN))
    assert own == (
        "Your pieces: king on e1; queen on d1; rooks on a1 and h1; bishops on c1 and f1; knights on b1 and g1;"
        " pawns on a2, b2, c2, d2, f2, g2, h2 and e4. Nothing has been captured yet."
    )
    assert how.startswith("Reply with your move")


@pytest.mark.parametrize(
    ("rank", "sentence"),
    [
        ("R Q~ ? ? K ? ? R", "Your queen on b1 was a pawn."),
        ("R Q~ ? Q~ K ? ? R", "Your queens on b1 and d1 were pawns."),
        ("R Q~ ? Q K N~ ? R", "Your queen on b1 was a pawn. Your knight on f1 was a pawn."),
    ],
)
def test_promoted_pieces_are_named(rank: str, sentence: str):
    text = paragraphs(sight(f"{'? ' * 8}\n" * 7 + rank))[-2]
    assert f" {sentence} A ~ on the board marks a promoted pawn. Nothing has been captured" in text


def test_with_reserves_total_captures_are_counted():
    """A captured piece may have come back by a drop."""
    lost = Pair(Losses(1, None), Losses(3, None))
    text = paragraphs(sight(PLAIN, reserves=RESERVES)._replace(lost=lost))[-3]
    assert text.endswith(". Black has made 1 capture so far, and you have made 3.")


def test_at_the_end_both_are_told_the_reserves():
    for side in Side:
        end, answer = (
            paragraphs(sight(END, side, reserves=RESERVES), kind, Stage.OVER) for kind in ("over", "answer")
        )
        assert end[2:] == answer[-len(end) + 2 :]
        assert end[4].endswith("a dot is an empty square, and a ~ marks a promoted pawn:")
        assert end[-1] == "White's reserve: a queen, a knight and two pawns. Black's reserve: nothing."


def test_at_the_end_of_a_plain_game_nothing_else_is_explained():
    end = paragraphs(sight(END.replace("~", "")), "over", Stage.OVER)
    assert end[2].startswith("Thank you for playing. For a rematch")
    assert end[4].endswith("Black's are lower-case letters, and a dot is an empty square:")
    assert end[-1].endswith("a b c d e f g h")


# ---------------------------------------------------------------- what changes the bytes

FULL_SIGHT = sight(SENSED, reserves=RESERVES)._replace(lost=Pair(Losses(1, 1), Losses(2, 0)))
#: For each field of a sight, the same sight with another value there.
CHANGES = {
    "side": sight(SPY_REPORTS, Side.BLACK, reserves=RESERVES),
    "own": FULL_SIGHT._replace(own=FULL_SIGHT.own & ~(1 << SQUARE_NUMBER["f4"])),
    "seen": FULL_SIGHT._replace(seen=FULL_SIGHT.seen | 1 << SQUARE_NUMBER["a8"]),
    "pawns": FULL_SIGHT._replace(pawns=FULL_SIGHT.pawns | 1 << SQUARE_NUMBER["d4"]),
    "knights": FULL_SIGHT._replace(knights=FULL_SIGHT.knights | 1 << SQUARE_NUMBER["d4"]),
    "bishops": FULL_SIGHT._replace(bishops=FULL_SIGHT.bishops | 1 << SQUARE_NUMBER["d4"]),
    "rooks": FULL_SIGHT._replace(rooks=FULL_SIGHT.rooks | 1 << SQUARE_NUMBER["d4"]),
    "queens": FULL_SIGHT._replace(queens=FULL_SIGHT.queens | 1 << SQUARE_NUMBER["d4"]),
    "kings": FULL_SIGHT._replace(kings=FULL_SIGHT.kings | 1 << SQUARE_NUMBER["d4"]),
    "lost": FULL_SIGHT._replace(lost=Pair(Losses(1, 1), Losses(3, 1))),
    "promoted": FULL_SIGHT._replace(promoted=0),
    "reserves": FULL_SIGHT._replace(reserves=Pair("QNP", "")),
    "recalled": FULL_SIGHT._replace(recalled=FULL_SIGHT.recalled[1:]),
    "turn": FULL_SIGHT._replace(turn=8),
}
#: Castling rights aren't told; a due sense shows in the example of a move.
NOT_SHOWN = {"castling", "sense_due"}


def test_every_field_of_a_sight_shows_in_the_text():
    assert {*CHANGES, *NOT_SHOWN} == set(Sight._fields)
    texts = {text_of(parse_message(email_with(seen).message)) for seen in (FULL_SIGHT, *CHANGES.values())}
    assert len(texts) == len(CHANGES) + 1


def test_empty_reserves_differ_from_none():
    assert "You have nothing to drop. Black has nothing to drop." in paragraphs(
        sight(PLAIN, reserves=Pair("", ""))
    )
    assert not any("drop" in paragraph for paragraph in paragraphs(sight(PLAIN)))


@BOARDS
def test_equal_sights_give_the_same_bytes(drawn: str, side: Side):
    one, other = (sight(drawn, side, reserves=RESERVES) for _ in range(2))
    assert one is not other
    assert email_with(one).message == email_with(other).message


def test_outdated_memories_change_no_byte():
    older = sight(PLAIN)._replace(
        recalled=(
            RememberedSquares(3, at("g5 .")),
            RememberedSquares(5, at("e5 p")),
            RememberedSquares(7, at("e5 .")),
        )
    )
    newer = sight(PLAIN)._replace(recalled=(RememberedSquares(7, at("e5 .")),))
    assert email_with(older).message == email_with(newer).message


@pytest.mark.parametrize("seed", range(40))
def test_exactly_the_marks_on_the_board_are_explained(seed: int) -> None:
    """In any mix of recalled and promoted pieces and ghosts."""
    dice = random.Random(seed)
    kinds = [sign for sign in ("Q~", "p!1", "n?4", "x!1", ".!2", "p") if dice.random() < 0.3]
    signs = ["?"] * 12 + kinds
    squares = [dice.choice(signs) for _ in range(64)]
    seen = sight("\n".join(" ".join(squares[at : at + 8]) for at in range(0, 64, 8)))
    unseen = [square for square in range(64) if not seen.seen >> square & 1]
    ghosts = tuple(
        (square, "q") for square in sorted(dice.sample(unseen, k=dice.choice((0, 0, 2, len(unseen)))))
    )

    text = " ".join(text_of(parse_message(email_with(seen, ghosts=ghosts).message)).split())

    drawn = {*draw_board(make_board(seen, ghosts))} & {*"!?_~'x"}
    assert {*re.findall(r"\bA ([~']) on the board|([!?_x]) = ", text)} == {
        (sign, "") if sign in "~'" else ("", sign) for sign in drawn
    }


# ---------------------------------------------------------------- replies that quote the email


def sights(count: int) -> Iterator[Sight]:
    """Yield random sights with everything in them, from both sides."""
    dice = random.Random(7)
    for number in range(count):
        side = (Side.WHITE, Side.BLACK)[number % 2]
        own, others = ("PNBRQ", "pnbrqkx") if side is Side.WHITE else ("pnbrq", "PNBRQKX")
        seen, marked = (
            [*own, *others[:-2], "."],
            [f"{man}!{age}" for man in (*others, ".") for age in range(3)],
        )
        marked += [f"{man}?{age}" for man in others for age in (3, 4, 9, 12)]
        squares = [dice.choice(["?", "?", "?", *seen, *marked, f"{own[4]}~"]) for _ in range(64)]
        drawn = "\n".join(" ".join(squares[at : at + 8]) for at in range(0, 64, 8))
        reserves = Pair(*("".join(dice.choices(men, k=dice.randrange(17))) for men in ("QRBNP", "qrbnp")))
        yield sight(drawn, side, turn=12 + dice.randrange(40), reserves=reserves)


def texts_of(email: ComposedEmail) -> list[str]:
    """Return an email's text, and its HTML read as text."""
    message = parse_message(email.message)
    return [text_of(message), "\n".join(html_to_lines(html_of(message)))]


WIDTHS = (60, 66, 72, 76)
OUTLOOK = ("From: Umpire <umpire@play.example>", "Sent: Friday", "To: Ann", "Subject: Re: a game")


def wrapped(text: str) -> Iterator[list[str]]:
    """Yield the lines as mail programs wrap them: line by line, or paragraph by paragraph."""
    for columns in WIDTHS:
        yield [piece for line in text.splitlines() for piece in textwrap.wrap(line, columns) or [""]]
        blocks = [" ".join(block.split("\n")) for block in text.split("\n\n")]
        yield [piece for block in blocks for piece in textwrap.wrap(block, columns)]


def test_no_line_of_such_an_email_reads_as_an_order():
    for seen in sights(40):
        for shown in texts_of(email_with(seen)):
            lines = {*shown.splitlines(), *(line for lines in wrapped(shown) for line in lines)}
            assert {line for line in lines if kind_of(line) == "order"} == set()


def test_quoting_such_an_email_hides_no_move_and_adds_none():
    for seen in sights(20):
        email = email_with(seen)
        for shown in texts_of(email):
            for quotation in wrapped(shown):
                raw = "From: ann@a.example\r\n\r\n" + "\n".join(["e2e4", "", *OUTLOOK, "", *quotation])
                reading = parse_orders(parse_email(raw.encode()), email.quotable)
                assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["e2e4"])


def test_every_line_of_such_an_email_is_quotable():
    for seen in sights(40):
        email = email_with(seen)
        shown = {line for text in texts_of(email) for line in text.splitlines()}
        assert shown - {""} <= set(email.quotable.splitlines())


@pytest.mark.parametrize("program", ["Outlook, HTML only", "Gmail", "Outlook", "Thunderbird, answer below"])
@pytest.mark.parametrize(("drawn", "side"), [(SENSED, Side.WHITE), (SPY_REPORTS, Side.BLACK)])
def test_a_reply_that_quotes_the_whole_email_has_only_its_own_order(program: str, drawn: str, side: Side):
    email = email_with(sight(drawn, side, reserves=RESERVES))
    message = parse_message(email.message)
    mail = DemoEmail("ann-1", PEOPLE[0], False, email.message, message, text_of(message))

    reading = parse_orders(parse_email(reply(mail, "e2e4", program, NOON, PEOPLE[0])), email.quotable)

    assert (list(map(str, reading.orders)), reading.puzzled, reading.ignored) == (["e2e4"], None, ())
