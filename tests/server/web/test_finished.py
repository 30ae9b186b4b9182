"""The page of a finished game: the umpire's and each side's view of every step, and nothing private."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from email.message import EmailMessage
from urllib.parse import urlsplit

import chess.pgn
import pytest
from PIL import Image
from sqlalchemy import update
from werkzeug.test import TestResponse

from corr.images import finished_game_images
from corr.rules.variants import UMPIRES
from corr.service.games import finished_page
from corr.service.games.finished import find_page_key, load_by_mark, pgn
from corr.store.tables import GameRow, PlayerRow, SeatRow
from corr.words.board import SQUARES, Pair, PieceKind, Side
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.slips import Slip
from tests.support.browser import Browser, text_of_page
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, Table, html_of, session_folder

every_variant = pytest.mark.parametrize("variant", UMPIRES)
VIEWS = ("umpire", "white", "black")
#: Games that were played before, by their emails: the page key of each, and its table.
PLAYED: dict[tuple[object, ...], tuple[str, Table]] = {}


# ---------------------------------------------------------------- games and their pages


def finished(table: Table, variant: str = "wild16", *emails: str) -> str:
    """The page key of a game with these emails, White's first; by default a whole sample game."""
    written = emails or GAMES[variant].letters
    return scripted(table, variant, [((ANN, BEN)[number % 2], text) for number, text in enumerate(written)])


def scripted(table: Table, variant: str, emails: list[tuple[str, str]], *, tells_tries: bool = True) -> str:
    """The page key of a game with these emails; a game played before is copied."""
    key, is_new = (variant, *emails, tells_tries), table.is_untouched()
    if is_new and key in PLAYED:
        found, played = PLAYED[key]
        table.copy_from(played)
        return found
    found = _play(table, variant, emails, tells_tries=tells_tries)
    if is_new:
        PLAYED[key] = found, table.copy_to(session_folder(f"played-{len(PLAYED)}"))
    return found


def _play(table: Table, variant: str, emails: list[tuple[str, str]], *, tells_tries: bool) -> str:
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>", variant)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(tells_tries=tells_tries))
    for player, text in ((ANN, "accept"), (BEN, "accept"), *emails):
        table.reply(player, text)
    found = page_key(table, code)
    assert found
    return found


def page_key(table: Table, code: str) -> str | None:
    with table.server.store.reading() as connection:
        return find_page_key(connection, code)


def open_page(table: Table, path: str) -> str:
    """The source of an existing page."""
    answer = table.app().test_client().get(f"/finished/{path}")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def walk(browser: Browser, page: str) -> Iterator[str]:
    """The pages of a game in order, by following "Next" from the first."""
    browser.open(f"{page}&at=0")
    while True:
        assert browser.answer.status_code == 200
        source = browser.answer.get_data(as_text=True)
        yield source
        onward = re.search(r'<a id="next" href="([^"]*)#next">Next</a>', source)
        if not onward:
            return
        browser.open(urlsplit(page).path + onward[1].replace("&amp;", "&"))


def board_on(page: str) -> dict[str, str]:
    """The page's board as a screen reader says it, by square; `hidden` if unseen."""
    table = re.search(r'<table class="board".*?</table>', page, re.DOTALL)
    assert table
    ranks, files = re.findall(r"<p>([1-8])</p>", page), re.findall(r"<p>([a-h])</p>", page)
    found = {}
    for rank, row in zip(ranks, re.findall(r"<tr>(.*?)</tr>", table[0], re.DOTALL), strict=True):
        cells = re.findall(r'<td(?: class="?([^">]*?)"?)?(?: data-age=(\d+))?>(.*?)</td>', row, re.DOTALL)
        for file, (looks, age, cell) in zip(files, cells, strict=True):
            words = "".join(re.findall(rf'<span class="spoken">{file}{rank} ([^<]*)</span>', cell))
            is_seen = age or "s" in looks.split()
            found[file + rank] = words or ("empty" if is_seen else "hidden")
    assert sorted(found) == sorted(SQUARES)
    return found


def describe(signs: tuple[str, ...]) -> dict[str, str]:
    """The same board from the signs of a sight."""
    return {name: _describe(sign) for name, sign in zip(SQUARES, signs, strict=True)}


def _describe(sign: str) -> str:
    if sign in ("?", "."):
        return {"?": "hidden", ".": "empty"}[sign]
    if sign[0] == ".":
        return "was empty"
    color = "white" if sign[0].isupper() else "black"
    piece = "man" if sign[0] in "Xx" else PieceKind.from_letter(sign[0])
    note = {"": "", "~": ", was a pawn"}.get(sign[1:], ", seen earlier")
    return f"{color} {piece}{note}"


def slips_of(table: Table, game: str) -> Pair[tuple[Slip, ...]]:
    """All slips of either side."""
    return load_by_mark(table.server, game).finished.slips


def seen_after(slips: tuple[Slip, ...]) -> list[Slip]:
    """A side's first slip, and its slip of each move."""
    first = next(slip for slip in slips if slip.tells(Common.TURN))
    return [first, *(slip for slip in slips if slip.made)]


# ---------------------------------------------------------------- step by step


@every_variant
def test_a_game_can_be_walked_through_in_all_three_views(table: Table, variant: str) -> None:
    game = finished(table, variant)
    browser = Browser(table.app())

    for view in VIEWS:
        pages = list(walk(browser, f"/finished/{game}?from={view}"))
        assert len(pages) == len(seen_after(slips_of(table, game).white))
        for number, page in enumerate(pages):
            assert page.count('aria-current="step"') == page.count('aria-current="true"') == 1
            assert f'at={number}" aria-current="step"' in page
        assert GAMES[variant].end in text_of_page(pages[-1])


@every_variant
def test_each_sides_board_is_the_one_from_its_slips(table: Table, variant: str) -> None:
    game = finished(table, variant)
    slips = slips_of(table, game)

    for side in Side:
        moments = seen_after(slips[side])
        pages = walk(Browser(table.app()), f"/finished/{game}?from={side}")
        for slip, page in zip(moments, pages, strict=True):
            sensed = variant == "rbc" and "Around" in page
            own = {SQUARES[square] for squares in slip.sight.own_pieces().values() for square in squares}
            assert sensed or board_on(page) == describe(slip.sight.signs())
            assert own <= {square for square, what in board_on(page).items() if what.startswith(side)}


@every_variant
def test_the_umpires_board_is_the_true_one(table: Table, variant: str) -> None:
    """If other programs know the rules, compare each step with python-chess; otherwise only the end."""
    game = finished(table, variant)
    pages = list(walk(Browser(table.app()), f"/finished/{game}?from=umpire"))
    file = load_by_mark(table.server, game).pgn

    assert board_on(pages[-1]) == describe(slips_of(table, game).white[-1].sight.signs())
    if UMPIRES[variant].card.chess:
        read = chess.pgn.read_game(io.StringIO(file))
        assert read
        boards = [read.board(), *(node.board() for node in read.mainline())]
        for board, page in zip(boards, pages, strict=True):
            named = {
                chess.square_name(square): (
                    f"{chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}"
                )
                for square, piece in board.piece_map().items()
            }
            assert {key: what for key, what in board_on(page).items() if what != "empty"} == named


def test_a_side_sees_only_as_much_of_a_check_as_it_was_told(table: Table) -> None:
    game = finished(table, "wild16", "e2e4", "d7d5", "e4d5", "d8d5", "a2a3", "d5e5", "resign resign")
    chevrons = {
        view: open_page(table, f"{game}?from={view}&at=6").count('class="line')
        for view in ("white", "black", "umpire")
    }

    assert chevrons == {"white": 7, "black": 0, "umpire": 3 + 7}
    assert len(re.findall('class="line far[0-9] on"', open_page(table, f"{game}?at=6"))) == 3


def test_the_umpires_view_lists_each_sides_legal_moves(table: Table) -> None:
    game = finished(table, "wild16", "e2e4", "e7e5", "resign resign")

    page = text_of_page(open_page(table, f"{game}?at=0"))
    assert "White could play 20 moves: a2a3, a2a4," in page
    assert "If it were Black's turn, Black could play 20 moves: a7a5, a7a6," in page
    for view in ("white", "black"):
        assert "could play" not in open_page(table, f"{game}?from={view}&at=0")


def test_a_sense_and_its_result_are_shown_at_their_step(table: Table) -> None:
    game = finished(table, "rbc")

    sensed = open_page(table, f"{game}?from=white&at=0")
    assert "Around e7 you see Black&#39;s king on e8" in sensed
    assert board_on(sensed)["e8"] == "black king"
    assert "White alone was told: Around e7" in text_of_page(open_page(table, f"{game}?at=0"))
    black_view = open_page(table, f"{game}?from=black&at=0")
    assert "Around" not in black_view
    assert board_on(black_view)["e2"] == "hidden"


@every_variant
def test_brackets_are_explained_only_where_they_are_used(table: Table, variant: str) -> None:
    emails = GAMES[variant].letters
    if variant == "rbc":
        emails = ("sense none; e2d3", "sense none; e7e5", "resign resign")
    game = finished(table, variant, *emails)

    for view in VIEWS:
        said = "Moves in brackets were refused." in open_page(table, f"{game}?from={view}")
        assert said == (variant == "rbc" and view == "white")


def test_reserves_and_promoted_pawns_are_shown(table: Table) -> None:
    game = finished(
        table,
        "crazykrieg",
        *("e2e4", "d7d5", "e4d5", "c7c6", "d5c6", "g8f6", "c6b7", "f6g8", "b7a8q", "g8f6", "resign resign"),
    )

    for view in ("umpire", "white"):
        page = open_page(table, f"{game}?from={view}&at=9")
        said = text_of_page(page)
        assert "White has made 4 captures, and Black has made none." in said
        assert "White's reserve: a rook and three pawns. Black's reserve: nothing." in said
        assert board_on(page)["a8"] == "white queen, was a pawn"
        assert "A ~ marks a promoted pawn" in page
    assert "A ~ marks" not in open_page(table, f"{game}?from=black&at=9")


def test_both_set_ups_are_shown_and_how_often_they_clashed(table: Table) -> None:
    clashing = "deploy Ke4 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2"
    other = "deploy Ke5 Qd8 Ra8 Rh8 Bc8 Bf8 Nb8 Ng8 Pa7 Pb7 Pc7 Pd7 Pe7 Pf7 Pg7 Ph7"
    emails = (clashing, other, "deploy home", "deploy corner", "e2e3", "resign resign")
    game = finished(table, "welbeck", *emails)

    page = open_page(table, f"{game}?at=0")
    board = board_on(page)
    assert (board["e1"], board["h8"]) == ("white king", "black king")
    assert "The set-ups clashed once" in page
    assert {"e4", "e5"} <= {square for square, what in board.items() if what == "empty"}
    white_view = open_page(table, f"{game}?from=white&at=0")
    assert board_on(white_view)["h8"] == "black king, seen earlier"
    assert {what for square, what in board_on(white_view).items() if square[1] in "5678"} == {
        "hidden",
        "black king, seen earlier",
    }


# ---------------------------------------------------------------- private information


#: Queen and rook have changed places.
SWAPPED = "deploy Ke8 Qa8 Rd8 Rh8 Bc8 Bf8 Nb8 Ng8 Pa7 Pb7 Pc7 Pd7 Pe7 Pf7 Pg7 Ph7"
TWINS = {
    "wild16": (("e2e4", "a7a6", "d2d4", "h7h6"), ("e2e4", "b8c6", "d2d4", "g8f6")),
    "cincinnati": (("e2e4", "a7a6", "d2d4", "h7h6"), ("e2e4", "b8c6", "d2d4", "g8f6")),
    "classic": (("e2e4", "a7a6", "any? no: d2d4", "h7h6"), ("e2e4", "b8c6", "any? no: d2d4", "g8f6")),
    "crazykrieg": (("e2e4", "a7a6", "d2d4", "h7h6"), ("e2e4", "b8c6", "d2d4", "g8f6")),
    "welbeck": (
        ("deploy home", "deploy home", "e2e3", "a7a6", "d2d3", "h7h6"),
        ("deploy home", SWAPPED, "e2e3", "g8f6", "d2d3", "b8c6"),
    ),
    "assassin": (
        ("deploy home", "deploy home", "b1a3", "a7a6", "d2d3", "h7h6"),
        ("deploy home", SWAPPED, "b1a3", "g8f6", "d2d3", "b8c6"),
    ),
    "rbc": (
        ("sense a3; e2e4", "sense none; a7a6", "sense none; d2d4", "sense e2; h7h6"),
        ("sense a3; e2e4", "sense b2; b8c6", "sense none; d2d4", "sense none; e7d6"),
    ),
}


@every_variant
def test_twin_games_have_the_same_bytes_in_whites_view(table: Table, variant: str) -> None:
    first, second = (finished(table, variant, *emails, "resign resign") for emails in TWINS[variant])

    for number in range(5):
        for_white = [answer(table, game, f"?from=white&at={number}") for game in (first, second)]
        assert for_white[0] == for_white[1]
    whole = [answer(table, game, "?from=umpire") for game in (first, second)]
    assert whole[0] != whole[1]


def answer(table: Table, game: str, key: str) -> tuple[bytes, list[tuple[str, str]]]:
    """A page and its headers, without the page key and the date."""
    got = table.app().test_client().get(f"/finished/{game}{key}")
    headers = [(name, value) for name, value in got.headers if name != "Date"]
    return got.get_data().replace(game.encode(), b"-"), headers


def test_w15_hidden_refused_tries_of_wild_16_are_shown_only_to_their_player(table: Table) -> None:
    white_orders = [(ANN, "e2e5"), (ANN, "a1a5"), (ANN, "e2e4")]
    later_orders = [(BEN, "d7d2"), (BEN, "d7d5"), (ANN, "f1a6"), (BEN, "resign resign")]
    game = scripted(table, "wild16", white_orders + later_orders, tells_tries=False)
    ann, ben, stranger = (Browser(table.app()) for _ in range(3))
    ann.sign_in(table, ANN)
    ben.sign_in(table, BEN)

    for browser, own, sides in ((ann, ("e2e5", "a1a5"), ("white",)), (ben, ("d7d2",), ("black",))):
        shown = [browser.open(f"/finished/{game}?from={view}&at={at}") for view in VIEWS for at in range(4)]
        assert all(any(f"{tried} : Illegal move." in page for page in shown) for tried in own)
        others = {"e2e5", "a1a5", "d7d2"} - set(own)
        assert not any(tried in page for tried in others for page in shown)
        for view in {"white", "black"} - set(sides):
            assert "Illegal" not in "".join(
                browser.open(f"/finished/{game}?from={view}&at={at}") for at in range(4)
            )
    for view in VIEWS:
        for at in range(4):
            page = stranger.open(f"/finished/{game}?from={view}&at={at}")
            assert not re.search("e2e5|a1a5|d7d2|illegal|tried", page, re.IGNORECASE)
    file = stranger.client.get(f"/finished/{game}/game.pgn").get_data(as_text=True)
    assert not re.search("e2e5|a1a5|d7d2|illegal", file, re.IGNORECASE)


def test_a_hidden_refused_try_leaves_no_trace_on_the_public_page(table: Table) -> None:
    made = [(ANN, "e2e4"), (BEN, "d7d5"), (ANN, "resign resign")]
    tried = [(ANN, "e2e5"), made[0], (BEN, "d7d2"), (BEN, "d7d3"), *made[1:]]
    games = [scripted(table, "wild16", emails, tells_tries=False) for emails in (made, tried)]

    for key in (f"?from={view}&at={number}" for view in VIEWS for number in range(3)):
        assert answer(table, games[0], key) == answer(table, games[1], key)


def test_all_read_a_public_refusal_but_only_its_player_reads_the_try(
    table: Table,
) -> None:
    emails = [(ANN, "e2d3"), (ANN, "e2e4"), (BEN, "resign resign")]
    game = scripted(table, "classic", emails, tells_tries=False)
    browser = Browser(table.app())

    for view in VIEWS:
        page = browser.open(f"/finished/{game}?from={view}&at=0")
        assert "White attempted an illegal move." in page
        assert "e2d3" not in page
    browser.sign_in(table, ANN)
    assert "e2d3 : White attempted an illegal move." in browser.open(f"/finished/{game}?at=0")


def test_a_signed_in_onlooker_sees_what_strangers_see(table: Table) -> None:
    game = scripted(table, "wild16", [(ANN, "e2e5"), (ANN, "e2e4"), (BEN, "resign resign")])
    eve, nobody = Browser(table.app()), Browser(table.app())
    eve.sign_in(table, "eve@e.example", "Eve")

    for key in ("", "?from=white&at=0", "?at=0"):
        address = f"/finished/{game}{key}"
        assert main_of(eve, address) == main_of(nobody, address)


def main_of(browser: Browser, address: str) -> str:
    """A page without its header, which names the signed-in player."""
    browser.open(address)
    found = re.search(r"<main.*</main>", browser.answer.get_data(as_text=True), re.DOTALL)
    assert found
    return found[0]


# ---------------------------------------------------------------- missing pages


def test_all_missing_pages_look_alike(table: Table) -> None:
    game = finished(table)
    client = table.app().test_client()
    nowhere = client.get("/finished/nothing-at-all")

    assert nowhere.status_code == 404
    code, _, mac = game.partition("-")
    for wrong in (
        code,
        f"{code}-",
        f"{code}-{mac[:-1]}",
        f"{code}-{mac}a",
        f"{code.upper()}-{mac}",
        "%00",
        "é-é",
    ):
        for path in (
            f"/finished/{wrong}{path}" for path in ("", "/game.pgn", "/film.gif", "/film.png", "/boards.png")
        ):
            assert_missing(client.get(path), nowhere)
    for state in ("offered", "deploying", "running"):
        with table.server.store.writing() as connection:
            connection.execute(update(GameRow).values(state=state))
        for path in (f"/finished/{game}", f"/finished/{game}?from=white&at=0", f"/finished/{game}/game.pgn"):
            assert_missing(client.get(path), nowhere)
        assert page_key(table, code) is None


def assert_missing(got: TestResponse, nowhere: TestResponse) -> None:
    assert (got.status_code, got.get_data()) == (404, nowhere.get_data())


@pytest.mark.parametrize("variant", ["wild16", "welbeck"])
def test_a_game_that_never_took_place_has_no_page(table: Table, variant: str) -> None:
    declined = table.challenge(variant=variant)
    table.reply(ANN, "decline")

    assert page_key(table, declined) is None
    assert page_key(table, "never") is None


def test_a_game_that_ended_during_deployment_has_no_page(table: Table) -> None:
    code = table.challenge(variant="assassin")
    for player, text in ((ANN, "accept"), (BEN, "accept"), (ANN, "deploy home"), (BEN, "resign resign")):
        table.reply(player, text)

    assert "Black resigns" in table.last_text(ANN)
    assert page_key(table, code) is None


def test_a_page_key_of_another_server_opens_nothing(table: Table) -> None:
    game = finished(table)
    code = game.partition("-")[0]
    assert page_key(table, code) == game
    with table.server.store.writing() as connection:
        connection.exec_driver_sql("UPDATE secrets SET value = x'00' WHERE name = 'marks'")

    assert page_key(table, code) != game
    with pytest.raises(Refused):
        finished_page.load_page(table.server, game, None)


# ---------------------------------------------------------------- odd input and headers


@pytest.mark.parametrize(
    ("key", "chosen"),
    [
        ("", 4),
        ("?at=", 4),
        ("?at=x", 4),
        ("?at=-1", 4),
        ("?at=2", 2),
        ("?at=٢", 2),
        ("?at=²", 4),
        ("?at=99", 4),
        (f"?at={'9' * 5000}", 4),
        ("?at=1&at=2", 1),
        ("?from=%3Cscript%3E&at=1", 1),
        ("?from=WHITE&at=0", 0),
        ("?from=%00&at=%00", 4),
    ],
)
def test_any_query_shows_a_step_of_the_game(table: Table, key: str, chosen: int) -> None:
    page = open_page(table, f"{finished(table)}{key}")

    assert f'at={chosen}" aria-current="step"' in page
    assert page.count("<script") == page.count("review.js") == 1


def test_a_name_is_escaped(table: Table) -> None:
    game = finished(table)
    name = "</title><script>alert(1)</script>\"' onload=x &amp;"
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(name=name))

    for view in VIEWS:
        page = open_page(table, f"{game}?from={view}")
        assert page.count("<script") == page.count("review.js") == 1
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39; onload=x &amp;amp;" in page


def test_finished_games_are_not_indexed_and_show_a_new_name_at_once(
    table: Table,
) -> None:
    game = finished(table)
    client = table.app().test_client()
    for path in (f"/finished/{game}", f"/finished/{game}?from=white&at=1", f"/finished/{game}/game.pgn"):
        assert client.get(path).headers["X-Robots-Tag"] == "noindex"
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.address == ANN).values(name="Anne"))

    assert "Anne" in client.get(path).get_data(as_text=True)


def test_the_file_is_the_one_that_was_emailed(table: Table) -> None:
    game = finished(table, "crazykrieg")
    got = table.app().test_client().get(f"/finished/{game}/game.pgn")

    code = game.partition("-")[0]
    assert got.get_data(as_text=True) == pgn(table.server, code)
    assert got.headers["Content-Type"] == "application/vnd.chess-pgn; charset=utf-8"
    assert got.headers["Content-Disposition"] == f'attachment; filename="crazykrieg-{code}.pgn"'
    assert f'href="/finished/{game}/game.pgn"' in open_page(table, game)


# ---------------------------------------------------------------- the title and the board's orientation


@pytest.mark.parametrize(
    ("emails", "for_ann", "for_ben", "for_others"),
    [
        ([(BEN, "resign resign")], "You beat Ben", "You lost to Ann", "Ann beat Ben"),
        ([(BEN, "draw?"), (ANN, "accept")], "You drew with Ben", "You drew with Ann", "Ann and Ben drew"),
    ],
)
def test_the_title_gives_the_result_from_the_readers_point_of_view(
    table: Table, emails: list[tuple[str, str]], for_ann: str, for_ben: str, for_others: str
) -> None:
    game = scripted(table, "wild16", [(ANN, "e2e4"), *emails])

    for address, words in ((ANN, for_ann), (BEN, for_ben), ("eve@e.example", for_others)):
        browser = Browser(table.app())
        browser.sign_in(table, address, "" if address in (ANN, BEN) else "Eve")
        browser.open(f"/finished/{game}")
        source = browser.answer.get_data(as_text=True)
        assert f"<title>{words}: Wild 16: corr</title>" in source
        assert f"<h1>{words}</h1>" in source


def test_a_turned_board_stays_turned_from_step_to_step(table: Table) -> None:
    game = finished(table)
    browser = Browser(table.app())
    unturned = board_on(open_page(table, f"{game}?at=1"))

    for page in walk(browser, f"/finished/{game}?below=black"):
        assert re.findall(r"<p>([1-8])</p>", page) == [*"12345678"]
    assert board_on(open_page(table, f"{game}?below=black&at=1")) == unturned
    assert re.findall(r"<p>([1-8])</p>", open_page(table, f"{game}?below=none")) == [*"87654321"]


# ---------------------------------------------------------------- pictures to share


@pytest.mark.parametrize("name", ["film.png", "boards.png", "boards.png?at=1", "film.gif"])
@every_variant
def test_a_game_can_be_shared_as_a_picture(table: Table, variant: str, name: str) -> None:
    game = finished(table, variant)
    client, kind = table.app().test_client(), urlsplit(name).path[-3:]
    got = client.get(f"/finished/{game}/{name}")

    with Image.open(io.BytesIO(got.get_data())) as picture:
        assert (picture.format, got.headers["Content-Type"]) == (kind.upper(), f"image/{kind}")
        assert name == "film.png" or picture.size == (600, 315)
    assert got.headers["X-Robots-Tag"] == "noindex"
    again = client.get(f"/finished/{game}/{name}", headers={"If-None-Match": got.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert f'content="{table.server.web_url}/finished/{game}/boards.png?at=1"' in open_page(
        table, f"{game}?at=1"
    )


def test_a_picture_to_share_has_the_last_move_the_umpires_words_and_the_result(table: Table) -> None:
    game = finished(table, "wild16", "e2e4", "d7d5", "e4d5", "resign resign")
    scene = load_by_mark(table.server, game).replay.scene(3)
    taken, moved = (35, ("last", "ring")), (28, ("last",))
    seen = finished_game_images.SharedFrame(
        boards=(
            (scene.sights.white, (moved, taken)),
            (scene.whole, (moved, taken)),
            (scene.sights.black, ((35, ("ring",)),)),
        ),
        caption="2. exd5",
        words="Pawn at d5 captured. Black's move. 0 pawn tries.",
    )
    heading = "Wild 16: Black resigns. White wins."
    lettering = finished_game_images.Lettering(heading, ("White: Ann", "The whole board", "Black: Ben"))

    drawn = table.app().test_client().get(f"/finished/{game}/boards.png?at=3").get_data()
    assert drawn == finished_game_images.draw_shared(seen, lettering)


@every_variant
def test_twin_games_have_the_same_strip_in_whites_view(table: Table, variant: str) -> None:
    games = [finished(table, variant, *emails, "resign resign") for emails in TWINS[variant]]

    seen = [answer(table, game, "/film.png?from=white") for game in games]
    assert seen[0] == seen[1]
    whole = [answer(table, game, "/film.png") for game in games]
    assert whole[0] != whole[1]


@pytest.mark.parametrize("name", ["boards.png", "film.gif"])
def test_pictures_to_share_name_players_as_strangers_may_read_them(table: Table, name: str) -> None:
    """Anybody may open the link, so players get the same pictures as strangers."""
    game = finished(table)
    drawn = {}
    for named, publishes in (("Ann", "no"), ("Anna", "no"), ("Anna", "name"), ("Anne", "name")):
        with table.server.store.writing() as connection:
            is_ann = PlayerRow.address == ANN
            connection.execute(update(PlayerRow).where(is_ann).values(name=named, publishes=publishes))
            connection.execute(update(SeatRow).values(publishes=publishes))
        ann = Browser(table.app())
        ann.sign_in(table, ANN)
        pictures = {
            each.get(f"/finished/{game}/{name}").get_data()
            for each in (ann.client, table.app().test_client())
        }
        (drawn[named, publishes],) = pictures

    assert drawn["Ann", "no"] == drawn["Anna", "no"]
    assert len(set(drawn.values())) == 3


# ---------------------------------------------------------------- where the page opens


WINS_A_QUEEN = ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "a7a6", "c3d5", "h7h6", "a2a3", "resign resign")
EXCHANGES = ("e2e4", "d7d5", "e4d5", "d8d5", "resign resign")


@pytest.mark.parametrize(
    ("emails", "at", "words"),
    [
        (WINS_A_QUEEN, 7, "This is the turning point: the move that won White the most material."),
        (EXCHANGES, 4, ""),
    ],
    ids=["a queen is won", "nothing but exchanges"],
)
def test_the_page_opens_where_the_winner_won_most(
    table: Table, emails: tuple[str, ...], at: int, words: str
) -> None:
    game = finished(table, "wild16", *emails)
    opened = open_page(table, game)

    assert f'at={at}" aria-current="step"' in opened
    assert words in text_of_page(opened)
    assert ("turning point" in opened) == bool(words)
    assert f'value="{table.server.web_url}/finished/{game}"' in opened
    assert table.app().test_client().get(f"/finished/{game}/boards.png").get_data() == (
        table.app().test_client().get(f"/finished/{game}/boards.png?at={at}").get_data()
    )


def test_other_steps_link_to_the_turning_point_and_have_their_own_link(
    table: Table,
) -> None:
    game = finished(table, "wild16", *WINS_A_QUEEN)

    page = open_page(table, f"{game}?at=9")
    assert '<a href="?at=7">The turning point: 4. Nxd5</a>' in page
    assert f'value="{table.server.web_url}/finished/{game}?at=9"' in page
    assert 'at=9" aria-current="step"' in page


def test_one_sides_view_does_not_mention_the_turning_point(table: Table) -> None:
    game = finished(table, "wild16", *WINS_A_QUEEN)

    for side in Side:
        page = open_page(table, f"{game}?from={side}")
        assert 'at=9" aria-current="step"' in page
        assert "turning point" not in page
        assert f'value="{table.server.web_url}/finished/{game}?from={side}&amp;at=9"' in page


# ---------------------------------------------------------------- the last email of a game


def _size(email: EmailMessage) -> int:
    """The size of an email without its attached record."""
    record = next(each for each in email.iter_attachments() if each.get_filename() == "record.jsonl.gz")
    return len(email.as_bytes()) - len(record.as_bytes())


@every_variant
def test_the_last_email_has_the_game_as_a_strip_below_its_board(table: Table, variant: str) -> None:
    game = finished(table, variant)

    for player in (ANN, BEN):
        email = table.last_email(player)
        html = html_of(email)
        board, strip = html.index('src="cid:board"'), html.index('src="cid:film"')
        link = html.rindex(f'href="{table.server.web_url}/finished/{game}"', 0, strip)
        assert board < link < strip
        assert 'alt="The game as small boards, from start to finish."' in html[strip:]
        assert _size(email) < 40_000
    strips = {strip_in(table.last_email(player)) for player in (ANN, BEN)}
    assert len(strips) == 1


def strip_in(email: EmailMessage) -> bytes:
    (strip,) = [part for part in email.walk() if part["Content-ID"] == "<film>"]
    content: bytes = strip.get_payload(decode=True)
    return content


def test_the_last_email_of_a_game_without_a_move_has_no_strip(table: Table) -> None:
    finished(table, "wild16", "resign resign")
    assert "cid:film" not in html_of(table.last_email(ANN))


def test_the_last_email_of_a_long_game_is_small_and_has_its_strip(table: Table) -> None:
    dice, board = random.Random(4), chess.Board()
    for _ in range(60):
        board.push(dice.choice(list(board.legal_moves)))
    finished(table, "wild16", *map(str, board.move_stack), "resign resign")

    email = table.last_email(ANN)
    assert _size(email) < 40_000
    assert strip_in(email)
