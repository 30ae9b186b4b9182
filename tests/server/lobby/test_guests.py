"""Guests: "Play now" starts a game without an account, and one email address keeps the games."""

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
from tests.support.bot_game import let_bots_think
from tests.support.browser import Browser, link_in
from tests.support.sign_in_codes import code_in
from tests.support.table import ANN, EVE, FAY, OLGA, Table, text_of

FRONT = "/"


@pytest.fixture
def guest(table: Table) -> Browser:
    """The browser of a guest who has pressed "Play now"."""
    browser = Browser(table.app_with_workers())
    browser.press("Play now")
    return browser


def keep(table: Table, browser: Browser, address: str) -> str:
    """Give an address on the game's page and enter the code that we email there."""
    browser.press("Keep this game", address=address)
    return browser.press("Sign in", number=code_in(table.last_text(address)))


def resign(guest: Browser) -> None:
    guest.open(f"{guest.path}?sure=resign")
    guest.press("Yes, I resign")


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


def test_one_click_starts_a_game_as_white(guest: Browser) -> None:
    page = guest.answer.get_data(as_text=True)

    assert guest.path.startswith("/games/")
    assert "you are White" in page
    assert "Pip" in page
    assert "made" in guest.send("e2e4")


def test_a_visitor_can_play_at_once_from_the_lobby(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.open("/lobby/")

    assert "you are White" in browser.press("Play a bot without an account")


@pytest.mark.parametrize("bot", house_bots.HOUSE_BOTS, ids=lambda bot: bot.name)
@pytest.mark.parametrize("page", ["/players/", "/players/{}"])
def test_a_bots_button_starts_a_guests_game_against_it(
    table: Table, page: str, bot: house_bots.HouseBot
) -> None:
    browser = Browser(table.app_with_workers())
    browser.open(page.format(bot.name))
    said = browser.press(f"Play {bot.name}")

    assert f"Wild 16 with {bot.shown}" in said
    assert "no clock" in said
    assert "casual" in said


@pytest.mark.parametrize("variant", UMPIRES)
@pytest.mark.parametrize("button", ["Play Pip now", "Play Marlow", "Play Sibyl"])
def test_a_button_on_the_rules_page_starts_a_game_of_that_variant(
    table: Table, variant: str, button: str
) -> None:
    browser = Browser(table.app_with_workers())
    browser.open(f"/rules/{variant}")

    assert f"{catalogue.card(variant).name} with {button.split()[1]} (bot)" in browser.press(button)


def test_the_bot_answers_and_the_guest_plays_on(table: Table, guest: Browser) -> None:
    guest.send("e2e4")
    let_bots_think(table)
    guest.open(guest.path)

    assert "made" in guest.send("d2d4")


def test_learn_the_game_starts_the_tutorial(table: Table) -> None:
    browser = Browser(table.app_with_workers())

    assert "part 1 of" in browser.press("Learn the game")


def test_a_guest_finds_the_game_on_the_list_of_their_games(guest: Browser) -> None:
    assert "Pip (bot)" in guest.open("/games/")
    assert "You're playing as a guest" in guest.open("/games/")


def test_the_turn_is_shown_in_place_of_a_clock(guest: Browser) -> None:
    clock = '<div class="clock"><b{}>{}</b></div>'

    assert clock.format(' class="turn"', "Your turn") in guest.answer.get_data(as_text=True)
    guest.send("e2e4")
    assert clock.format("", "Black is to move") in guest.answer.get_data(as_text=True)
    guest.send("resign resign")
    assert 'class="clock"' not in guest.answer.get_data(as_text=True)


def test_a_game_of_a_guest_is_casual_and_has_no_clock(guest: Browser) -> None:
    page = guest.open(guest.path)

    assert "no clock" in page
    assert "casual" in page


def test_a_finished_game_calls_a_guest_you(table: Table, guest: Browser) -> None:
    guest.send("e2e4")
    let_bots_think(table)
    at = guest.path
    resign(guest)
    guest.open(at)
    review = re.search(r'href="(/finished/[^"?]+)"', guest.answer.get_data(as_text=True))
    assert review
    page = guest.open(review[1])

    assert "You lost to Pip (bot)" in page
    assert "White saw You" in page
    assert "Guest" not in page
    assert "started on 20 November 2026" in page


def test_a_guest_causes_no_emails(table: Table, guest: Browser) -> None:
    for orders in (
        "e2e4",
        "help",
        "game",
        "ghost Q d8",
        "note a note",
        "mail daily",
        "vacation 1d",
        "addresses",
    ):
        guest.send(orders)
        let_bots_think(table)
    resign(guest)
    table.sweep()

    assert count_emails(table) == 0


def test_play_now_starts_a_signed_in_players_own_game(
    table: Table,
) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/play")

    assert "Pip (bot)" in browser.press("Play now")
    assert table.emails_to(EVE)


# ---------------------------------------------------------------- keeping the games


def test_an_address_keeps_the_game_with_its_log_and_notes(table: Table, guest: Browser) -> None:
    guest.send("e2e4")
    guest.send("note he likes knights")
    let_bots_think(table)
    guest.open(guest.path)
    page = keep(table, guest, EVE)

    assert "Your games are saved" in page
    assert "he likes knights" in page
    assert "e2e4" in page
    assert "Keep this game" not in page


def test_after_keeping_a_game_turns_come_by_email(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)
    guest.send("e2e4")
    let_bots_think(table)

    assert "Your turn" in table.last_text(EVE)
    table.reply(EVE, "d2d4")
    assert "d2d4" in table.last_text(EVE)


def test_keeping_a_game_adds_a_player_named_after_the_address(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)

    assert [each.name for each in players.list_players(table.server) if EVE in each.addresses] == ["eve"]
    assert "Eve" in guest.open("/settings/") or "eve" in guest.open("/settings/")


def test_a_player_who_played_as_a_guest_gets_the_game_on_their_list(table: Table, guest: Browser) -> None:
    table.begin()
    keep(table, guest, ANN)

    page = guest.open("/games/")
    assert "Pip (bot)" in page
    assert "ben" in page.casefold()


def test_signing_in_keeps_the_game_too(table: Table, guest: Browser) -> None:
    guest.open("/sign-in")

    assert "Your games are saved" in guest.sign_in_on_this_page(table, EVE)
    assert "Pip (bot)" in guest.open("/games/")


def test_a_guest_who_keeps_a_game_reads_that_it_is_safe(table: Table, guest: Browser) -> None:
    page = guest.press("Keep this game", address=EVE)

    assert "Your games are safe. They wait for you here, and you keep them once you sign in." in page
    stranger = Browser(table.app_with_workers())
    stranger.open("/sign-in")
    visitors_page = stranger.press("Email me a code", address=EVE)
    assert "Your games" not in visitors_page
    for each in (page, visitors_page):
        assert "asked not to" not in each
        assert "abuse" not in each


def test_an_invited_guest_goes_to_that_game_even_if_the_worker_is_busy(table: Table) -> None:
    is_busy = False
    guest = Browser(create_app(table.server, lambda _work: None if is_busy else table.run_workers()))
    guest.press("Play now")
    table.write_to_site(ANN, f"challenge {EVE} cincinnati white")
    table.reply(ANN, "confirm")
    guest.open(link_in(text_of(table.last_email(EVE))))

    is_busy = True
    guest.press("Accept", name="Eve")
    guest.press("Sign in to play here")
    table.run_workers()
    page = guest.press("Sign in", number=code_in(table.last_text(EVE)))

    assert page.startswith("Cincinnati with ann: ")


def test_the_link_in_the_email_keeps_the_game_in_another_browser(table: Table, guest: Browser) -> None:
    guest.press("Keep this game", address=EVE)
    phone = Browser(table.app_with_workers())
    page = phone.open(link_in(text_of(table.last_email(EVE))))

    assert "keep the games you play as a guest" in page
    assert "Your games are saved" in phone.press("Keep your games")
    assert "Pip (bot)" in phone.open("/games/")


def test_a_guest_who_gave_another_players_address_sees_none_of_their_games(
    table: Table, guest: Browser
) -> None:
    table.begin()
    guest.press("Keep this game", address=ANN)
    phone = Browser(table.app_with_workers())
    phone.open(link_in(text_of(table.last_email(ANN))))
    phone.press("Keep your games")

    assert "ben" not in guest.open("/games/").casefold()


def test_the_guest_keeps_playing_until_the_address_is_confirmed(table: Table, guest: Browser) -> None:
    game = guest.path
    guest.press("Keep this game", address=EVE)
    guest.open(game)

    assert "made" in guest.send("e2e4")
    assert [each["Subject"] for each in table.emails_to(EVE)] == ["[corr] Sign in"]


def test_an_address_that_keeps_games_twice_is_one_player(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)
    other = Browser(table.app_with_workers())
    other.press("Play now")
    keep(table, other, EVE)

    with table.server.store.reading() as connection:
        asked = select(SeatRow.player_id).where(~SeatRow.house).distinct()
        assert len(connection.execute(asked).scalars().all()) == 1


def test_keeping_a_game_on_your_turn_brings_the_turn_email_at_once(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)

    assert "Your turn" in table.last_text(EVE)
    table.reply(EVE, "e2e4")
    assert "Black's move" in table.last_text(EVE)


def test_the_cleanup_spares_a_guest_who_is_signing_in(table: Table) -> None:
    guest = Browser(table.app())
    guest.press("Play now")
    table.run_workers()
    guest.open(guest.path)
    guest.press("Keep this game", address=EVE)
    table.run_workers()
    guest.press("Sign in", number=code_in(table.last_text(EVE)))
    maintenance.end_idle_guests(table.server, table.clock())
    table.run_workers()

    assert "Pip (bot)" in guest.open("/games/")


def test_an_unconfirmed_address_gets_no_game(table: Table, guest: Browser) -> None:
    """The address is added to another account, which cancels the guest's request."""
    Browser(table.app()).sign_in_directly(table, FAY)
    guest.press("Keep this game", address=FAY)
    eve = Browser(table.app_with_workers())
    eve.sign_in(table, EVE, "Eve")
    eve.open("/settings/")
    eve.press("Add address", address=FAY)
    eve.open(link_in(text_of(table.last_email(FAY))))
    eve.press("Add this address")
    table.run_workers()

    assert "Pip" not in eve.open("/games/").replace("Play Pip", "")


# ---------------------------------------------------------------- what guests may not do

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
def test_pages_open_for_a_guest_as_for_a_visitor(guest: Browser, page: str) -> None:
    guest.open(page)

    assert guest.answer.status_code == 200
    assert "Sign in<span> to keep games" in guest.answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "page", ["/players/", "/players/pip", "/archive/", "/players/guest", "/players/?name=guest"]
)
def test_no_public_page_names_a_guest(table: Table, guest: Browser, page: str) -> None:
    resign(guest)

    assert "Guest" not in Browser(table.app()).open(page).replace("/players/guest", "")


# ---------------------------------------------------------------- limits


def test_a_guest_can_play_two_games_at_once(table: Table, guest: Browser) -> None:
    guest.open("/play")
    guest.press("Play now")
    guest.open("/play")

    assert "As a guest you can play 2 games at once" in guest.press("Play now")
    assert unfinished(table) == 2


def test_a_guest_gets_another_game_only_by_a_button(table: Table, guest: Browser) -> None:
    assert 'choose "Play now"' in guest.send("tutorial")
    resign(guest)
    page = guest.open(guest.path)
    assert "Play another game" in page
    assert "Ask for a rematch" not in page
    assert "the game ends if you stay away" not in page

    assert "you are White" in guest.press("Play another game")
    assert unfinished(table) == 1


def test_another_game_keeps_the_bot_and_the_variant(table: Table) -> None:
    guest = Browser(table.app_with_workers())
    guest.open("/play?whom=Sibyl&variant=classic")
    guest.press("Play now")
    resign(guest)
    guest.open(guest.path)

    assert 'Classic "Any?" with Sibyl (bot)' in guest.press("Play another game")


def test_a_form_on_another_site_starts_no_game(table: Table) -> None:
    browser = Browser(table.app_with_workers())
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
def test_a_form_with_an_unknown_bot_or_variant_creates_no_guest(table: Table, fields: dict[str, str]) -> None:
    table.begin()
    client = Browser(table.app_with_workers()).client
    for answer in (
        client.post("/play", data=fields, headers={"Sec-Fetch-Site": "same-origin"}),
        client.get("/play", query_string=fields),
    ):
        assert answer.status_code == 400
    with table.server.store.reading() as connection:
        asked = select(func.count()).select_from(PlayerRow).where(PlayerRow.guest)
        assert not connection.execute(asked).scalar_one()


@pytest.mark.parametrize("field", ["clock", "color", "weight", "name", "side"])
def test_a_guest_cannot_choose_clock_color_or_rating(table: Table, field: str) -> None:
    browser = Browser(table.app_with_workers())
    browser.open("/players/")
    said = browser.press("Play Sibyl", **{field: {"clock": "1d", "color": "black"}.get(field, "rated")})

    assert "you are White" in said
    assert "no clock" in said
    assert "casual" in said


def test_a_browser_without_fetch_metadata_has_to_confirm(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.open("/rules/rbc")
    asked = browser.client.post("/play", data={"whom": "Marlow (bot)", "variant": "rbc"})
    page = browser.open(asked.headers["Location"])

    assert "Reconnaissance Blind Chess, casual, with no clock, against Marlow (bot)" in page
    assert "Reconnaissance Blind Chess with Marlow (bot)" in browser.press("Play now")


def test_guests_per_ip_address_and_hour_are_limited(table: Table) -> None:
    app = table.app_with_workers()
    answers = [Browser(app).press("Play now") for _ in range(limits.GUESTS_AN_HOUR + 1)]

    assert "too" in answers[-1].casefold()
    assert unfinished(table) == limits.GUESTS_AN_HOUR


def test_with_too_many_guests_a_visitor_is_asked_to_sign_in(
    table: Table, guest: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GUESTS", 1)

    assert "Please sign in instead" in Browser(table.app_with_workers()).press("Play now")


def test_an_invitation_signs_nobody_in_at_a_known_mailbox(table: Table) -> None:
    """Neither as an admin who has never played nor as another player."""
    eve = Browser(table.app_with_workers())
    eve.sign_in(table, EVE, "Eve")
    for address in (OLGA, FAY):
        Browser(table.app()).sign_in_directly(table, address)
        eve.open("/lobby/")
        eve.press("Challenge", whom=address)
        stranger = Browser(table.app_with_workers(OLGA))
        stranger.open(link_in(text_of(table.last_email(address))))

        assert "Sign in to play here" in stranger.press("Accept")
        assert "Sign in" in stranger.open("/settings/")
        assert stranger.client.get("/admin/").status_code == 404


def test_a_forged_guest_cookie_shows_no_game(table: Table, guest: Browser) -> None:
    game, thief = guest.path, Browser(table.app_with_workers())
    with thief.client.session_transaction() as cookie:
        cookie["in"] = "guest"

    assert "Sign in" in thief.open(game)


def test_a_guest_cannot_see_another_guests_game(table: Table, guest: Browser) -> None:
    other = Browser(table.app_with_workers())
    other.press("Play now")
    of_another_guest, of_no_game = other.open(guest.path), other.open("/games/zzzzz")

    assert other.path == "/sign-in"
    assert of_another_guest == of_no_game


# ---------------------------------------------------------------- idle guests


def test_the_game_of_a_guest_who_visits_daily_goes_on(table: Table, guest: Browser) -> None:
    for _ in range(9):
        table.clock.advance(days=1)
        guest.open(guest.path)
        guest.open("/games/")
        table.sweep()

    assert unfinished(table) == 1


def test_a_kept_game_survives_weeks_without_a_visit(table: Table, guest: Browser) -> None:
    keep(table, guest, EVE)
    table.clock.advance(days=20)
    table.sweep()

    assert unfinished(table) == 1
