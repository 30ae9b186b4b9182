"""Twins: two truths that look alike to a player give that player the same pages, byte for byte."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from sqlalchemy import update

from corr.rules.variants import UMPIRES, find_umpire
from corr.store.tables import SeatRow
from corr.words.board import SQUARES
from tests.support.browser import Browser
from tests.support.masked_seals import mask_email
from tests.support.table import ANN, BEN, FAY, Table
from tests.support.twin_servers import Twin, Twins, make_twins, page_paths
from tests.support.two_games import TwoGames

#: White's move in either twin, after a sense of b2 in RBC. Black hears the same of both.
ONE, OTHER = "e2e3", "b1c3"
#: What White tries in vain in either twin.
REFUSED = {ONE: "a1a5", OTHER: "h1h5"}
#: Lists in which Black hears of one refused try, in variants that announce refusals.
LISTED = {ONE: f"a2b3, a1a5, {ONE}, d2d4", OTHER: f"c2d3, h1h5, h1h6, {OTHER}"}
#: Moves that White can't make at the start.
IMPOSSIBLE = [
    f"{origin}{target}" for origin in ("a1", "h1", "d1", "c1") for target in SQUARES if target != origin
][:200]


def twins_of(table: Table, folder: Path, variant: str) -> tuple[Twins, list[str]]:
    """A game that has begun, twice, for Black, and all paths that Black may open."""
    table.begin(variant)
    table.deploy()
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    code = str(table.emails_to(ANN)[-1]["Subject"])[-6:-1]
    twins = make_twins(table, folder, ben)
    return twins, page_paths(twins.one.app, code=code)


def play(twin: Twin, variant: str, order: str) -> None:
    sense = "sense b2\n" if find_umpire(variant).start().truth.sights.white.sense_due else ""
    game = next(each for each in reversed(twin.table.emails_to(ANN)) if "Sign in" not in str(each["Subject"]))
    twin.table.reply(ANN, f"{sense}{order}", to=game)


def assert_alike(twins: Twins, paths: list[str]) -> None:
    for path in paths:
        for one, other in (twins.answers(path), twins.answers(path, "HEAD"), twins.answers_to_cached(path)):
            assert one == other, path


@pytest.mark.parametrize("variant", UMPIRES)
def test_what_a_player_cannot_know_changes_no_page(table: Table, tmp_path: Path, variant: str) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", variant)
    for twin, order in ((twins.one, ONE), (twins.other, OTHER)):
        play(twin, variant, REFUSED[order])
        play(twin, variant, LISTED[order])
        if variant == "rbc":
            play(twin, variant, order)

    assert_alike(twins, paths)
    twins.close()


@pytest.mark.parametrize("variant", UMPIRES)
def test_suggestions_for_an_unclear_line_use_only_ones_own_pieces(
    table: Table, tmp_path: Path, variant: str
) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", variant)
    for twin, order in ((twins.one, ONE), (twins.other, OTHER)):
        play(twin, variant, order)
    (path,) = (each for each in paths if re.fullmatch(r"/games/[a-z0-9]{5}", each))
    page = twins.one.answer(path).decode()
    standing = dict(re.findall(r'name="(slip|stamp|side)" value="([^"]+)"', page))

    for written in ("exd6", "castle", "b8f6?"):
        one, other = twins.answers_to_form(path, **standing, orders=written)
        assert one == other
        one, other = twins.answers(path)
        assert one == other
        assert b"didn't understand" in one
    twins.close()


def test_a_private_refusal_changes_no_page_of_the_opponents(table: Table, tmp_path: Path) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", "wild16")
    before = [twins.one.answer(path) for path in paths]
    play(twins.one, "wild16", "a1a5")

    assert "Illegal move" in twins.one.table.last_text(ANN)
    assert [twins.one.answer(path) for path in paths] == before
    twins.close()


def test_a_list_and_the_sharing_of_tries_change_no_page_of_the_opponents(
    table: Table, tmp_path: Path
) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", "wild16")
    for twin, order, shares in ((twins.one, ONE, True), (twins.other, f"a1a5, h1h5, {OTHER}, a2a3", False)):
        with twin.table.server.store.writing() as connection:
            connection.execute(update(SeatRow).where(SeatRow.side == "white").values(tells_tries=shares))
        play(twin, "wild16", order)

    assert_alike(twins, paths)
    twins.close()


#: What Ann writes about a game without Ben, beside a move in Ben's game or an unclear line.
ELSEWHERE = {
    "nothing": ("{classic}: e2e4", "{classic}: e2e4"),
    "something that nobody else hears": ("{classic}: e2e4", "{classic}: e2e4\n{wild}: d7d5\n{wild}: show"),
    "the end of the other game": ("{classic}: e2e4", "{classic}: e2e4\n{wild}: resign resign"),
    "a line that stops the email": ("Hello, Ben!", "{classic}: e2e4\n{wild}: Nf6"),
}


@pytest.mark.parametrize("case", ELSEWHERE)
def test_an_email_about_several_games_reveals_nothing_in_another_game(
    table: Table, tmp_path: Path, case: str
) -> None:
    games = TwoGames(table)
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    twins = make_twins(table, tmp_path / "twins", ben)

    for twin, text in zip((twins.one, twins.other), ELSEWHERE[case], strict=True):
        said = text.format(classic=games.classic, wild=games.wild)
        twin.table.reply(ANN, said, to=games.listed)

    assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    for path in page_paths(twins.one.app, code=games.classic):
        # Everyone can find a finished game.
        if case != "the end of the other game" or not path.startswith("/archive"):
            assert len({*twins.answers(path)}) == 1, path
    twins.close()


def test_a_move_in_an_email_about_several_games_looks_like_any_other(table: Table, tmp_path: Path) -> None:
    games = TwoGames(table)
    to_the_game = games.last_email(ANN, games.classic)
    twins = make_twins(table, tmp_path / "twins")

    twins.one.table.reply(ANN, f"{games.wild}: show\n{games.classic}: e2e4", to=games.listed)
    twins.other.table.reply(ANN, "e2e4", to=to_the_game)

    assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    twins.close()


def test_two_hundred_private_refusals_change_nothing_for_the_opponent(table: Table, tmp_path: Path) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", "wild16")
    before = [twins.one.answer(path) for path in paths]
    play(twins.one, "wild16", ", ".join(IMPOSSIBLE))

    assert "You haven't moved. It is still your turn." in twins.one.table.last_text(ANN)
    assert [twins.one.answer(path) for path in paths] == before
    play(twins.one, "wild16", ", ".join([*IMPOSSIBLE, "e2e4"]))
    play(twins.other, "wild16", "e2e4")
    for path in paths:
        assert twins.one.answer(path) == twins.other.answer(path), path
    assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    assert twins.one.emails_to(ANN) != twins.other.emails_to(ANN)
    twins.close()


#: Two set-ups of each side; each of White's clashes with each of Black's.
CLASHING = {
    ANN: (
        "Ke1 Qd1 Ra1 Rh1 Ba3 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 f2 g2 h2",
        "Ke1 Rd1 Qa1 Rh1 Bb4 Bf1 Nc1 Ng1 a2 b2 c2 d3 e2 f2 g2 h2",
    ),
    BEN: (
        "Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 a7 b7 c7 d7 e6 f7 g7 h7",
        "Kf8 Be8 Qa8 Rh8 Rc8 Bd8 Nb8 Ng8 a7 b6 c7 d7 e6 f7 g7 h7",
    ),
}


@pytest.mark.parametrize("player", CLASHING)
@pytest.mark.parametrize("variant", ["assassin", "welbeck"])
def test_clashing_set_ups_reveal_nothing_until_the_game_is_void(
    table: Table, tmp_path: Path, variant: str, player: str
) -> None:
    """The opponent's set-up differs between the twins, and comes now before, now after the player's."""
    table.begin(variant)
    browser = Browser(table.app())
    browser.sign_in_directly(table, player)
    twins = make_twins(table, tmp_path / "twins", browser)
    code = str(table.last_email(ANN)["Subject"])[-6:-1]
    paths = page_paths(twins.one.app, code=code)
    (opponent,) = CLASHING.keys() - {player}
    own, (first, second) = CLASHING[player][0], CLASHING[opponent]

    for number in range(5):
        for twin, set_up in ((twins.one, first), (twins.other, second)):
            in_turn = ((player, own), (opponent, set_up))
            for who, what in in_turn if number % 2 else ((opponent, second), *reversed(in_turn)):
                deploy(twin, who, what)
        for path in paths if number in (0, 4) else [f"/games/{code}"]:
            one, other = twins.answers(path)
            assert one == other, (number, path)
        assert twins.one.emails_to(player) == twins.other.emails_to(player)
    assert twins.one.emails_to(opponent) != twins.other.emails_to(opponent)
    assert "have clashed five times. The game is void." in twins.one.table.last_text(player)
    twins.close()


def deploy(twin: Twin, player: str, set_up: str) -> None:
    """The Message-ID must not count the opponent's emails."""
    newest = twin.table.last_email(player)
    number = hashlib.sha256(mask_email(newest) + set_up.encode()).hexdigest()
    twin.table.reply(player, f"deploy {set_up}", message_id=number)


# ---------------------------------------------------------------- the comparison itself


def test_the_comparison_notices_a_difference(table: Table, tmp_path: Path) -> None:
    twins, _ = twins_of(table, tmp_path / "twins", "wild16")
    assert b"303 SEE OTHER" in twins.one.post("/lobby/challenge", whom=FAY, variant="rbc")
    one, other = twins.answers("/games/")

    assert (FAY.encode() in one, FAY.encode() in other) == (True, False)
    twins.close()


def test_the_same_form_gets_the_same_answer_in_both(table: Table, tmp_path: Path) -> None:
    twins, _ = twins_of(table, tmp_path / "twins", "wild16")
    one, other = twins.answers_to_form("/lobby/challenge", whom="nobody at all", variant="wild16")

    assert one == other
    assert b"Set-Cookie: corr=" in one
    twins.close()


#: Private ghosts and notes, alone and beside moves.
PRIVATE = (
    "ghost qd8 e5\nnote his queen is out",
    "e2e4\nghost nf6",
    "ghost clear\nnote e2e4",
    "e4d5\nghost e6",
)
PUBLIC = ("show", "e2e4", "show", "e4d5")


@pytest.mark.parametrize("variant", ["wild16", "classic"])
def test_ghosts_and_notes_reveal_nothing_even_after_the_game(
    table: Table, tmp_path: Path, variant: str
) -> None:
    twins, paths = twins_of(table, tmp_path / "twins", variant)
    for own, act in zip(PRIVATE, PUBLIC, strict=True):
        for twin, order in ((twins.one, own), (twins.other, act)):
            twin.table.reply(ANN, order)
            if act == "e2e4":
                twin.table.reply(BEN, "d7d5")
        assert_alike(twins, paths)
        assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    for twin in (twins.one, twins.other):
        twin.table.reply(BEN, "resign resign")
    (code,) = {path.removeprefix("/games/") for path in paths if re.fullmatch(r"/games/\w{5}", path)}
    one, other = twins.answers(f"/games/{code}")
    shared = re.search(rb'/finished/[^"]+', one)
    assert shared
    assert one == other
    assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    for path in (shared[0].decode(), f"{shared[0].decode()}?from=white&at=2"):
        one, other = twins.answers(path)
        assert one == other
        assert b"queen is out" not in one
    assert twins.one.emails_to(ANN) != twins.other.emails_to(ANN)
    twins.close()
