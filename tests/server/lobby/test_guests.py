"""Guests: whoever presses "Play now" plays at once, is written to by nobody, and keeps the games by one email."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import func, select

from corr import limits
from corr.rules.variants import UMPIRES
from corr.service import catalogue
from corr.service.admin import maintenance
from corr.service.players import house_bots, players
from corr.store.tables import GameRow, OutboxRow, PlayerRow, SeatRow, SiteOutboxRow
from corr.web import create_app
from corr.words.view import Stage
from tests.support.bot_game import think
from tests.support.browser import Browser, link_in
from tests.support.table import ANN, EVE, FAY, OLGA, Table, text_of

FRONT = "/"


@pytest.fixture
def guest(table: Table) -> Browser:
    """Somebody who has pressed "Play now"."""
    browser = Browser(table.at_work())
    browser.press("Play now")
    return browser


def keep(table: Table, browser: Browser, address: str) -> str:
    """Give an address on the page of the game and type the number that is mailed there."""
    browser.press("Keep this game", address=address)
    found = re.search(r'"(\d{6})"', table.says(address))
    assert found
    return browser.press("Sign in", number=found[1])


def count_emails(table: Table) -> int:
    with table.server.store.reading() as connection:
        return sum(
            connection.execute(select(func.count()).select_from(kind)).scalar_one()
            for kind in (OutboxRow, SiteOutboxRow)
        )


def unfinished(table: Table) -> int:
    with table.server.store.reading() as connection:
        asked = select(func.count()).select_from(GameRow).where(GameRow.state != Stage.OVER)
        return connection.execute(asked).scalar_one()


#: What a guest may write on the page of a game.
ORDERS = (
    "e2e4",
    "help",
    "games",
    "ghost qd8",
    "note a note",
    "mail daily",
    "quiet 22-7",
    "zone Europe/Paris",
)


# ---------------------------------------------------------------- playing at once


def test_one_click_leads_to_a_board_on_which_white_can_move(guest: Browser) -> None:
    page = guest.answer.get_data(as_text=True)

    assert guest.at.startswith("/games/")
    assert "you are White" in page
    assert "Pip" in page
    assert "made" in guest.send("e2e4")


def test_a_stranger_plays_at_once_from_the_lobby_too(table: Table) -> None:
    browser = Browser(table.at_work())
    browser.open("/lobby/")

    assert "you are White" in browser.press("Play a bot without an account")


@pytest.mark.parametrize("bot", house_bots.HOUSE_BOTS, ids=lambda bot: bot.name)
@pytest.mark.parametrize("page", ["/players/", "/players/{}"])
def test_one_click_on_a_bots_button_begins_a_guests_game_against_it(
    table: Table, page: str, bot: house_bots.HouseBot
) -> None:
    browser = Browser(table.at_work())
    browser.open(page.format(bot.name))
    said = browser.press(f"Play {bot.name}")

    assert f"Wild 16 with {bot.shown}" in said
    assert "no clock" in said
    assert "casual" in said


@pytest.mark.parametrize("variant", UMPIRES)
@pytest.mark.parametrize("button", ["Play Pip now", "Play Marlow", "Play Sibyl"])
def test_one_click_on_the_rules_of_a_variant_begins_a_game_of_it(
    table: Table, variant: str, button: str
) -> None:
    browser = Browser(table.at_work())
    browser.open(f"/rules/{variant}")

    assert f"{catalogue.card(variant).name} with {button.split()[1]} (bot)" in browser.press(button)


def test_the_bot_answers_and_the_guest_goes_on(table: Table, guest: Browser) -> None:
    guest.send("e2e4")
    think(table)
    guest.open(guest.at)

    assert "made" in guest.send("d2d4")


def test_learn_the_game_begins_the_tutorial(table: Table) -> None:
    browser = Browser(table.at_work())

    assert "part 1 of" in browser.press("Learn the game")


def test_a_guest_finds_the_game_again_on_their_own_list(guest: Browser) -> None:
    assert "Pip (bot)" in guest.open("/games/")
    assert "You're playing as a guest" in guest.open("/games/")


def test_whose_turn_it_is_stands_where_the_clock_of_other_games_stands(guest: Browser) -> None:
    clock = '<div class="clock"><b{}>{}</b></div>'

    assert clock.format(' class="turn"', "Your turn") in guest.answer.get_data(as_text=True)
    guest.send("e2e4")
    assert clock.format("", "Black is to move") in guest.answer.get_data(as_text=True)
    guest.send("resign resign")
    assert 'class="clock"' not in guest.answer.get_data(as_text=True)


def test_a_game_of_a_guest_is_casual_and_has_no_clock(guest: Browser) -> None:
    page = guest.open(guest.at)

    assert "no clock" in page
    assert "casual" in page


def test_a_finished_game_calls_a_guest_you(table: Table, guest: Browser) -> None:
    guest.send("e2e4")
    think(table)
    at = guest.at
    guest.open(f"{at}?sure=resign")
    guest.press("Yes, I resign")
    guest.open(at)
    review = re.search(r'href="(/finished/[^"?]+)"', guest.answer.get_data(as_text=True))
    assert review
    page = guest.open(review[1])

    assert "You lost to Pip (bot)" in page
    assert "White saw You" in page
    assert "Guest" not in page
    assert "started on 20 November 2026" in page


def test_nobody_is_emailed_whatever_a_guest_does(table: Table, guest: Browser) -> None:
    for words in (
        "e2e4",
        "help",
        "game",
        "ghost Q d8",
        "note a note",
        "mail daily",
        "vacation 1d",
        "addresses",
    ):
        guest.send(words)
        think(table)
    guest.open(f"{guest.at}?sure=resign")
    guest.press("Yes, I resign")
    table.sweep()

    assert count_emails(table) == 0


def test_a_front_page_pressed_again_by_a_player_who_is_signed_in_begins_a_game_of_theirs(
    table: Table,
) -> None:
    browser = Browser(table.at_work())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/play")

    assert "Pip (bot)" in browser.press("Play now")
    assert table.letters(EVE)


# ---------------------------------------------------------------- keeping the games


def test_an_address_keeps_the_game_its_log_and_the_notes(table: Table, guest: Browser) -> None:
    guest.send("e2e4")
    guest.send("note he likes knights")
    think(table)
    guest.open(guest.at)
    page = keep(table, guest, EVE)

    assert "Your games are saved" in page
    assert "he likes knights" in page
    assert "e2e4" in page
    assert "Keep this game" not in page


def test_from_then_on_turns_come_by_email(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)
    guest.send("e2e4")
    think(table)

    assert "Your turn" in table.says(EVE)
    table.reply(EVE, "d2d4")
    assert "d2d4" in table.says(EVE)


def test_the_player_is_new_and_may_choose_another_name(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)

    assert [each.name for each in players.list_players(table.server) if EVE in each.addresses] == ["eve"]
    assert "Eve" in guest.open("/settings/") or "eve" in guest.open("/settings/")


def test_a_player_who_had_played_as_a_guest_gets_the_game_beside_the_others(
    table: Table, guest: Browser
) -> None:
    table.begin()
    keep(table, guest, ANN)

    page = guest.open("/games/")
    assert "Pip (bot)" in page
    assert "ben" in page.casefold()


def test_signing_in_keeps_the_game_too(table: Table, guest: Browser) -> None:
    guest.open("/sign-in")

    assert "Your games are saved" in guest.sign_in_here(table, EVE)
    assert "Pip (bot)" in guest.open("/games/")


def test_a_guest_who_keeps_a_game_reads_that_it_waits_and_nobody_that_we_may_not_write(
    table: Table, guest: Browser
) -> None:
    page = guest.press("Keep this game", address=EVE)

    assert "Your games are safe. They wait for you here, and you keep them once you sign in." in page
    stranger = Browser(table.at_work())
    stranger.open("/sign-in")
    strangers = stranger.press("Email me a code", address=EVE)
    assert "Your games" not in strangers
    for each in (page, strangers):
        assert "asked not to" not in each
        assert "abuse" not in each


def test_an_invited_guest_goes_to_that_game_however_busy_the_worker_is(table: Table) -> None:
    is_busy = False
    guest = Browser(create_app(table.server, lambda _work: None if is_busy else table.work()))
    guest.press("Play now")
    table.write(ANN, f"challenge {EVE} cincinnati white")
    table.reply(ANN, "confirm")
    guest.open(link_in(text_of(table.newest(EVE))))

    is_busy = True
    guest.press("Accept", name="Eve")
    guest.press("Sign in to play here")
    table.work()
    found = re.search(r'"(\d{6})"', table.says(EVE))
    assert found
    page = guest.press("Sign in", number=found[1])

    assert page.startswith("Cincinnati with ann: ")


def test_the_link_in_the_email_keeps_the_game_in_another_browser(table: Table, guest: Browser) -> None:
    guest.press("Keep this game", address=EVE)
    phone = Browser(table.at_work())
    page = phone.open(link_in(text_of(table.newest(EVE))))

    assert "keep the games you play as a guest" in page
    assert "Your games are saved" in phone.press("Keep your games")
    assert "Pip (bot)" in phone.open("/games/")


def test_whoever_gave_anothers_address_is_a_guest_no_more_and_sees_nothing_of_theirs(
    table: Table, guest: Browser
) -> None:
    table.begin()
    guest.press("Keep this game", address=ANN)
    phone = Browser(table.at_work())
    phone.open(link_in(text_of(table.newest(ANN))))
    phone.press("Keep your games")

    assert "ben" not in guest.open("/games/").casefold()


def test_until_the_address_is_confirmed_the_game_is_the_guests(table: Table, guest: Browser) -> None:
    game = guest.at
    guest.press("Keep this game", address=EVE)
    guest.open(game)

    assert "made" in guest.send("e2e4")
    assert [each["Subject"] for each in table.letters(EVE)] == ["[corr] Sign in"]


def test_an_address_keeps_a_guests_games_once(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)
    other = Browser(table.at_work())
    other.press("Play now")
    keep(table, other, EVE)

    with table.server.store.reading() as connection:
        asked = select(SeatRow.player_id).where(~SeatRow.house).distinct()
        assert len(connection.execute(asked).scalars().all()) == 1


def test_whose_turn_it_is_is_emailed_at_once(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)

    assert "Your turn" in table.says(EVE)
    table.reply(EVE, "e2e4")
    assert "Black's move" in table.says(EVE)


def test_the_sweep_leaves_alone_what_is_about_to_be_kept(table: Table) -> None:
    guest = Browser(table.app())
    guest.press("Play now")
    table.work()
    guest.open(guest.at)
    guest.press("Keep this game", address=EVE)
    table.work()
    found = re.search(r'"(\d{6})"', table.says(EVE))
    assert found
    guest.press("Sign in", number=found[1])
    maintenance.end_idle_guests(table.server, table.clock())
    table.work()

    assert "Pip (bot)" in guest.open("/games/")


def test_an_address_that_was_only_named_gets_no_game(table: Table, guest: Browser) -> None:
    """It is added by its owner to another account, which ends all that was asked for with it."""
    Browser(table.app()).let_in(table, FAY)
    guest.press("Keep this game", address=FAY)
    eve = Browser(table.at_work())
    eve.sign_in(table, EVE, "Eve")
    eve.open("/settings/")
    eve.press("Add address", address=FAY)
    eve.open(link_in(text_of(table.newest(FAY))))
    eve.press("Add this address")
    table.work()

    assert "Pip" not in eve.open("/games/").replace("Play Pip", "")


# ---------------------------------------------------------------- a guest meets nobody

FOR_PLAYERS = (
    ("/lobby/challenge", {"whom": "ann", "variant": "wild16"}),
    ("/lobby/seek", {"variant": "wild16"}),
    ("/lobby/link", {"variant": "wild16"}),
    ("/lobby/accept", {"code": "x"}),
    ("/settings/profile", {"name": "Ann"}),
    ("/settings/addresses", {"address": EVE}),
    ("/tokens/", {"name": "a bot"}),
    ("/sign-out/everywhere", {}),
)


@pytest.mark.parametrize(("path", "fields"), FOR_PLAYERS)
def test_what_needs_an_address_leads_a_guest_to_the_sign_in_page(
    table: Table, guest: Browser, path: str, fields: dict[str, str]
) -> None:
    csrf = guest.csrf
    answer = guest.client.post(path, data={**fields, "csrf": csrf})

    assert answer.status_code in (303, 404, 405)
    assert count_emails(table) == 0
    with table.server.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(PlayerRow)).scalar_one() == 2


@pytest.mark.parametrize(
    "page", ["/lobby/", "/settings/", "/players/", "/events/", "/rules", "/privacy", "/", "/sign-in"]
)
def test_every_page_opens_for_a_guest_as_for_a_stranger(guest: Browser, page: str) -> None:
    guest.open(page)

    assert guest.answer.status_code == 200
    assert "Sign in<span> to keep games" in guest.answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "page", ["/players/", "/players/pip", "/archive/", "/players/guest", "/players/?name=guest"]
)
def test_no_public_page_names_a_guest(table: Table, guest: Browser, page: str) -> None:
    guest.open(f"{guest.at}?sure=resign")
    guest.press("Yes, I resign")

    assert "Guest" not in Browser(table.app()).open(page).replace("/players/guest", "")


# ---------------------------------------------------------------- bounds


def test_a_guest_plays_two_games_at_once(table: Table, guest: Browser) -> None:
    guest.open("/play")
    guest.press("Play now")
    guest.open("/play")

    assert "As a guest you can play 2 games at once" in guest.press("Play now")
    assert unfinished(table) == 2


def test_a_guest_gets_no_further_games_by_words_but_by_play_now(table: Table, guest: Browser) -> None:
    assert 'choose "Play now"' in guest.send("tutorial")
    guest.open(f"{guest.at}?sure=resign")
    guest.press("Yes, I resign")
    page = guest.open(guest.at)
    assert "Play another game" in page
    assert "Ask for a rematch" not in page
    assert "the game ends if you stay away" not in page

    assert "you are White" in guest.press("Play another game")
    assert unfinished(table) == 1


def test_another_game_is_with_the_same_bot_and_of_the_same_variant(table: Table) -> None:
    guest = Browser(table.at_work())
    guest.open("/play?whom=Sibyl&variant=classic")
    guest.press("Play now")
    guest.open(f"{guest.at}?sure=resign")
    guest.press("Yes, I resign")
    guest.open(guest.at)

    assert 'Classic "Any?" with Sibyl (bot)' in guest.press("Play another game")


def test_a_form_on_another_site_begins_no_game(table: Table) -> None:
    browser = Browser(table.at_work())
    answer = browser.client.post("/play", headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.headers["Location"].startswith("/play?")
    assert unfinished(table) == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"whom": "Ann"},
        {"whom": ""},
        {"whom": "x" * 9_999},
        {"variant": "wild17"},
        {"variant": ""},
        {"variant": "wild16\0"},
        {"variant": "wild16", "whom": "the tutor (bot)"},
    ],
    ids=repr,
)
def test_a_form_that_names_no_bot_or_variant_of_ours_makes_no_guest(
    table: Table, fields: dict[str, str]
) -> None:
    table.begin()
    client = Browser(table.at_work()).client
    for answer in (
        client.post("/play", data=fields, headers={"Sec-Fetch-Site": "same-origin"}),
        client.get("/play", query_string=fields),
    ):
        assert answer.status_code == 400
    with table.server.store.reading() as connection:
        asked = select(func.count()).select_from(PlayerRow).where(PlayerRow.guest)
        assert not connection.execute(asked).scalar_one()


@pytest.mark.parametrize("field", ["clock", "color", "weight", "name", "side"])
def test_a_form_of_a_guest_chooses_neither_clock_nor_color_nor_rating(table: Table, field: str) -> None:
    browser = Browser(table.at_work())
    browser.open("/players/")
    said = browser.press("Play Sibyl", **{field: {"clock": "1d", "color": "black"}.get(field, "rated")})

    assert "you are White" in said
    assert "no clock" in said
    assert "casual" in said


def test_a_browser_that_does_not_say_where_its_form_was_is_asked_once_more(table: Table) -> None:
    browser = Browser(table.at_work())
    browser.open("/rules/rbc")
    asked = browser.client.post("/play", data={"whom": "Marlow (bot)", "variant": "rbc"})
    page = browser.open(asked.headers["Location"])

    assert "Reconnaissance Blind Chess, casual, with no clock, against Marlow (bot)" in page
    assert "Reconnaissance Blind Chess with Marlow (bot)" in browser.press("Play now")


def test_an_address_makes_so_many_guests_an_hour(table: Table) -> None:
    app = table.at_work()
    answers = [Browser(app).press("Play now") for _ in range(limits.GUESTS_AN_HOUR + 1)]

    assert "too" in answers[-1].casefold()
    assert unfinished(table) == limits.GUESTS_AN_HOUR


def test_while_too_many_play_as_guests_a_stranger_is_asked_to_sign_in(
    table: Table, guest: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GUESTS", 1)

    assert "Please sign in instead" in Browser(table.at_work()).press("Play now")


def test_whoever_has_an_invitation_is_signed_in_to_no_older_mailbox(table: Table) -> None:
    """Not as an admin who has never played, nor in place of somebody else."""
    eve = Browser(table.at_work())
    eve.sign_in(table, EVE, "Eve")
    for address in (OLGA, FAY):
        Browser(table.app()).let_in(table, address)
        eve.open("/lobby/")
        eve.press("Challenge", whom=address)
        stranger = Browser(table.at_work(OLGA))
        stranger.open(link_in(text_of(table.newest(address))))

        assert "Sign in to play here" in stranger.press("Accept")
        assert "Sign in" in stranger.open("/settings/")
        assert stranger.client.get("/admin/").status_code == 404


def test_a_forged_cookie_is_nobody(table: Table, guest: Browser) -> None:
    game, thief = guest.at, Browser(table.at_work())
    with thief.client.session_transaction() as kept:
        kept["in"] = "guest"

    assert "Sign in" in thief.open(game)


def test_one_guest_does_not_see_the_game_of_another(table: Table, guest: Browser) -> None:
    other = Browser(table.at_work())
    other.press("Play now")
    of_guest, of_nobody = other.open(guest.at), other.open("/games/zzzzz")

    assert other.at == "/sign-in"
    assert of_guest == of_nobody


# ---------------------------------------------------------------- staying away


def test_a_guest_who_comes_every_day_is_not(table: Table, guest: Browser) -> None:
    for _ in range(9):
        table.clock.pass_by(days=1)
        guest.open(guest.at)
        guest.open("/games/")
        table.sweep()

    assert unfinished(table) == 1


def test_who_has_kept_the_games_may_stay_away(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)
    table.clock.pass_by(days=20)
    table.sweep()

    assert unfinished(table) == 1
