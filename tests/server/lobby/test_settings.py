"""Settings: the forms, their effect on emails and pages, and what nobody may change for others."""

from __future__ import annotations

import re
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from corr.player_settings import SETTINGS
from corr.service.admin import statistics
from corr.service.admin.maintenance import delete_player
from corr.service.players.own_data_rows import export
from corr.store.tables import OutboxRow, PlayerRow, QuotableRow
from tests.support.browser import Browser, Forms, link_in
from tests.support.masked_seals import mask_seals
from tests.support.sign_in_codes import code_in
from tests.support.table import ANN, BEN, EVE, FAY, Table, html_of, make_table, text_of, unwrap

OTHER = "ann@other.example"
VICTIM = "vic@v.example"


def open_settings(table: Table, address: str, name: str = "") -> Browser:
    """The browser of a signed-in player at the settings."""
    browser = Browser(table.app())
    browser.sign_in(table, address, name)
    browser.open("/settings/")
    return browser


@pytest.fixture
def ann(table: Table) -> Browser:
    """Ann's browser; she plays Ben."""
    table.begin()
    return open_settings(table, ANN)


@pytest.fixture
def eve(table: Table) -> Browser:
    """Eve's browser; she plays nobody."""
    return open_settings(table, EVE, "Eve")


def code_for(table: Table, address: str) -> str:
    """The code in the newest email to an address."""
    table.run_workers()
    return code_in(table.last_text(address))


def game_emails(table: Table, player: str) -> list[EmailMessage]:
    """The emails about games that a player has got."""
    return [each for each in table.emails_to(player) if "Wild 16 with" in each["Subject"]]


def newest_text(table: Table, player: str) -> str:
    """The text of the newest email about a game."""
    return unwrap(text_of(game_emails(table, player)[-1]))


def reply(table: Table, player: str, text: str, sender: str = "") -> None:
    """Reply to the newest email about a game."""
    table.reply(player, text, sender=sender, to=game_emails(table, player)[-1])


def play(table: Table, *moves: str) -> None:
    """Moves of both sides in turn, White's first."""
    for number, move in enumerate(moves):
        reply(table, (ANN, BEN)[number % 2], move)


def add_address(table: Table, browser: Browser, address: str) -> str:
    """Add an address with the code that we email there."""
    browser.press("Add address", address=address)
    page = browser.press("Add the address", number=code_for(table, address))
    table.run_workers()
    return page


def csrf_of(browser: Browser) -> str:
    """The CSRF token in this browser's page."""
    found = re.search(r'name="csrf" value="([^"]+)"', browser.answer.get_data(as_text=True))
    assert found
    return found[1]


def forge(browser: Browser, form: str, **fields: str) -> str:
    """Send a form with fields that its page doesn't offer."""
    answer = browser.client.post(
        f"/settings/{form}", data={"csrf": csrf_of(browser), **fields}, follow_redirects=True
    )
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


# ---------------------------------------------------------------- who may open the settings


def test_a_visitor_has_to_sign_in_and_choose_a_name_first(table: Table) -> None:
    browser = Browser(table.app())
    assert "Email me a code" in browser.open("/settings/")
    browser.sign_in(table, EVE)

    assert "Please choose a name first." in browser.open("/settings/")
    browser.press("Save name", name="Eve")
    assert "You are Eve" in browser.open("/settings/")


@pytest.mark.parametrize(
    "form",
    [
        "profile",
        "zone",
        "games",
        "notifications",
        "appearance",
        "address",
        "address/number",
    ],
)
def test_a_visitor_without_a_name_can_set_nothing(table: Table, form: str) -> None:
    browser = Browser(table.app())
    browser.sign_in(table, EVE)

    fields = {
        "name": "Eve",
        "zone": "UTC",
        "mail": "each",
        "answers": "no answers",
        "file": "json",
        "tries": "told",
        "publish": "yes",
        "page": "off",
        "about": "I am nobody.",
        "men": "letters",
        "theme": "dark",
        "address": FAY,
    }
    assert "You are <strong>" not in forge(browser, form, **fields)
    table.run_workers()
    assert table.emails_to(FAY) == []


@pytest.mark.parametrize("page", ["/lobby/", "/games/"])
def test_pages_link_a_player_to_the_settings(table: Table, eve: Browser, page: str) -> None:
    assert 'href="/settings/"' in html_at(eve, page)
    assert 'href="/settings/"' not in html_at(Browser(table.app()), page)


# ---------------------------------------------------------------- the name


def test_emails_and_pages_use_a_new_name_and_the_subject_stays(table: Table, ann: Browser) -> None:
    before = str(table.last_email(BEN)["Subject"])
    assert "Your name is now Anna." in ann.press("Save profile", name="Anna")
    play(table, "e2e4", "e7e5")

    assert "Wild 16 with Anna" in table.last_text(BEN)
    assert table.last_email(BEN)["Subject"] == before
    assert "You are Anna" in ann.open("/lobby/")
    table.challenge(EVE, ANN)
    assert "Wild 16 with Anna" in table.last_email(EVE)["Subject"]


def test_the_subject_of_a_game_keeps_the_name_from_its_start(table: Table, ann: Browser) -> None:
    for name in ("Anna", "Hanna", "ann"):
        ann.press("Save profile", name=name)
    play(table, "e2e4")

    assert "Wild 16 with ann (" in table.last_email(BEN)["Subject"]


def test_a_name_in_the_emails_of_a_running_game_stays_reserved(table: Table, ann: Browser) -> None:
    ann.press("Save profile", name="Zoe")
    eve = Browser(table.app())
    eve.sign_in(table, EVE)

    assert "looks the same" in eve.press("Save name", name="\u0410nn")
    eve.press("Save name", name="Eve")
    eve.open("/settings/")
    assert "looks the same" in eve.press("Save profile", name="ann")
    assert "Your name is now Ann." in ann.press("Save profile", name="Ann")
    ann.press("Save profile", name="Zoe")
    table.reply(BEN, "resign resign")
    assert "Your name is now ann." in eve.press("Save profile", name="ann")


@pytest.mark.parametrize(
    "name", ["Ben", "BEN", "B-en", "\u0412en", "<b>Ann</b>", "Ann\u202e", "x" * 10_000, "resign", "", "e2e4"]
)
def test_a_bad_name_is_refused_with_a_sentence(table: Table, ann: Browser, name: str) -> None:
    page = ann.press("Save profile", name=name)

    assert "looks the same" in page or "A name can have up to 24" in page or "look like a command" in page
    assert "You are ann" in page
    assert "<b>" not in ann.answer.get_data(as_text=True)


def test_you_may_change_the_capitals_of_your_name(table: Table, ann: Browser) -> None:
    assert "Your name is now ANN." in ann.press("Save profile", name="ANN")


def test_three_name_changes_a_day_are_allowed(table: Table, eve: Browser) -> None:
    for name in ("Evi", "Evita", "Evi", "Evi", "Evita"):
        page = eve.press("Save profile", name=name)

    assert "too often today" in page
    assert "You are Evi " in page


# ---------------------------------------------------------------- the zone


def test_only_your_own_deadlines_are_in_your_time_zone(table: Table, ann: Browser) -> None:
    plain = newest_text(table, ANN)
    assert "reply by Mon 23 Nov 2026, 12:00 UTC." in plain
    assert "It's now Fri 20 Nov 2026, 13:00 (Paris)." in ann.press("Save profile", zone="Europe/Paris")
    reply(table, ANN, "show")
    assert "reply by Mon 23 Nov 2026, 13:00 (Paris)." in newest_text(table, ANN)
    assert "13:00 (Paris)" in html_of(game_emails(table, ANN)[-1])
    code = game_emails(table, ANN)[-1]["Subject"].rpartition("(")[2].rstrip(")")
    assert "13:00 (Paris)" in ann.open(f"/games/{code}")
    play(table, "e2e4")
    assert "reply by Mon 23 Nov 2026, 12:00 UTC." in newest_text(table, BEN)
    reply(table, BEN, "e7e5")
    table.clock.advance(days=2, hours=12)
    table.sweep()

    assert "This is a reminder" in newest_text(table, ANN)
    assert "13:00 (Paris)" in newest_text(table, ANN)
    assert '<option value="Europe/Paris" selected>' in html_at(ann, "/settings/")


def html_at(browser: Browser, path: str) -> str:
    browser.open(path)
    return browser.answer.get_data(as_text=True)


def test_a_zone_that_no_longer_exists_counts_as_utc(table: Table, ann: Browser) -> None:
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(zone="Europe/Atlantis"))
    reply(table, ANN, "show")

    assert "12:00 UTC." in newest_text(table, ANN)
    assert "It's now Fri 20 Nov 2026, 12:00 UTC." in ann.open("/settings/")


@pytest.mark.parametrize(
    "zone", ["../../etc/passwd", "Europe/Paris\r\nBcc: vic@v.example", "<b>", "x" * 9_000, ""]
)
def test_an_unknown_zone_is_not_stored(table: Table, ann: Browser, zone: str) -> None:
    assert "no such time zone" in forge(ann, "zone", zone=zone)

    with table.server.store.reading() as connection:
        assert set(connection.execute(select(PlayerRow.zone)).scalars()) == {"UTC"}


# ---------------------------------------------------------------- emails about games


def test_with_emails_off_only_warnings_answers_and_the_end_are_sent(table: Table, ann: Browser) -> None:
    assert "We no longer email you about your games" in ann.press("Save notifications", mail="off")
    before = len(table.emails_to(ANN))
    play(table, "e2e4", "e7e5")
    table.clock.advance(days=2, hours=12)
    table.sweep()
    assert len(table.emails_to(ANN)) - before == 2
    assert "We send this email whatever your settings are" in newest_text(table, ANN)
    reply(table, ANN, "show")
    assert "Your turn: reply by" in newest_text(table, ANN)
    reply(table, BEN, "resign resign")

    assert "The game is over" in newest_text(table, BEN)
    assert "The game is over" in newest_text(table, ANN)
    assert len(table.emails_to(ANN)) - before == 4


def test_the_opponents_emails_do_not_depend_on_your_setting(tmp_path: Path) -> None:
    bens = []
    for mail in ("each", "daily", "off"):
        (tmp_path / mail).mkdir()
        table = make_table(tmp_path / mail)
        table.begin()
        open_settings(table, ANN).press("Save notifications", mail=mail)
        for move, answer in (("e2e4", "e7e5"), ("d2d4", "e5d4"), ("g1f3", "d4d3")):
            reply(table, ANN, "show")
            play(table, move, answer)
        table.clock.advance(days=2, hours=12)
        table.sweep()
        reply(table, BEN, "show")
        bens.append(
            [(mask_seals(text_of(each)), each["Date"], each.keys()) for each in game_emails(table, BEN)]
        )
        table.server.store.close()

    assert len(bens[0]) == 9
    assert bens[0] == bens[1] == bens[2]


def test_an_email_that_was_not_wanted_counts_as_done(table: Table, ann: Browser) -> None:
    ann.press("Save notifications", mail="off")
    play(table, "e2e4", "e7e5")
    state = statistics.load_figures(table.server, table.clock())

    assert (state.unsent, state.dead) == (0, 0)
    with table.server.store.reading() as connection:
        unwritten = OutboxRow.id.not_in(select(QuotableRow.letter_id))
        skipped = connection.execute(select(OutboxRow.__table__).where(unwritten)).all()
    assert [(row.kind, row.trouble, row.dead_at) for row in skipped] == [("turn", None, None)]


def test_emails_switched_on_again_come_from_then_on_and_keep_their_numbers(
    table: Table, ann: Browser
) -> None:
    ann.press("Save notifications", mail="off")
    play(table, "e2e4", "e7e5")
    count = len(table.emails_to(ANN))
    assert "You'll get an email for each turn" in ann.press("Save notifications", mail="each")
    table.run_workers()
    assert len(table.emails_to(ANN)) == count
    reply(table, ANN, "show")
    play(table, "d2d4", "e5d4")

    assert "Pawn at d4 captured" in newest_text(table, ANN)
    with table.server.store.reading() as connection:
        numbers = connection.execute(
            select(OutboxRow.number, OutboxRow.seat_id).order_by(OutboxRow.seat_id, OutboxRow.number)
        ).all()
    for seat in {row.seat_id for row in numbers}:
        mine = [row.number for row in numbers if row.seat_id == seat]
        assert mine == list(range(1, len(mine) + 1))


def test_a_queued_email_is_skipped_too(table: Table, ann: Browser) -> None:
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.run_workers()
    table.deliver(table.reply_email(BEN, "e7e5"))
    table.read_emails()
    before = len(table.emails_to(ANN))
    ann.press("Save notifications", mail="off")
    table.send_emails()

    assert len(table.emails_to(ANN)) == before


def test_replies_still_work_with_emails_off(table: Table, ann: Browser) -> None:
    ann.press("Save notifications", mail="off")
    play(table, "e2e4", "e7e5")
    reply(table, ANN, "show")
    reply(table, ANN, "d2d4")

    assert "Your move has been made" in newest_text(table, ANN)


def test_challenges_and_sign_in_emails_still_come_with_emails_off(
    table: Table, ann: Browser, eve: Browser
) -> None:
    ann.press("Save notifications", mail="off")
    eve.open("/lobby/")
    eve.press("Challenge", whom="Ann")
    table.run_workers()

    assert "Eve would like to play" in table.last_text(ANN)
    assert "You are ann" in Browser(table.app()).sign_in(table, ANN)


@pytest.mark.parametrize("mail", ["", "no", "true", "x" * 1_000])
def test_an_unknown_choice_is_refused(table: Table, ann: Browser, mail: str) -> None:
    assert "That isn't one of the choices" in forge(ann, "notifications", mail=mail)
    assert "That isn't one of the choices" in forge(ann, "appearance", theme="dark", men=mail)
    assert "That isn't one of the choices" in forge(ann, "appearance", theme=mail)
    with table.server.store.reading() as connection:
        stored = select(PlayerRow.mailing, PlayerRow.men, PlayerRow.switched).distinct()
        assert connection.execute(stored).all() == [("each", "glyphs", "")]


def test_the_appearance_is_stored(table: Table, eve: Browser) -> None:
    assert "Appearance saved" in eve.press("Save appearance", men="letters")

    assert '<option value="letters" selected>' in html_at(eve, "/settings/")
    assert "Nothing has changed" in eve.press("Save appearance")


def test_a_section_is_saved_whole_or_not_at_all(table: Table, eve: Browser) -> None:
    page = eve.press("Save profile", zone="Europe/Paris", about="x" * 10_000, page="off")
    assert "at most 120 characters" in page
    assert '<option value="UTC" selected>' in html_at(eve, "/settings/")
    assert "Your page is visible" in eve.open("/settings/")
    page = eve.press("Save profile", zone="Europe/Paris", about="At night.", page="off")

    for said in ("Time zone saved", "Your page is hidden", "The text about you on your page"):
        assert said in page


def test_saving_a_section_keeps_what_was_typed_in_the_others(table: Table, eve: Browser) -> None:
    eve.press("Save profile", about="At night.", mail="daily", hour="7", theme="dark", on=[])
    form = Forms(eve.answer.get_data(as_text=True)).found[1]
    typed = {each: form.fields.get(each, []) for each in ("about", "mail", "hour", "theme", "on")}

    assert typed == {"about": "At night.", "mail": "daily", "hour": "7", "theme": "dark", "on": []}
    assert eve.answer.get_data(as_text=True).count("Not saved yet.") == 2
    page = eve.open("/settings/")
    assert "At night." in eve.answer.get_data(as_text=True)
    assert "Not saved yet." not in page
    assert '<option value="each" selected>' in eve.answer.get_data(as_text=True)


def test_a_refused_section_keeps_all_that_was_typed(table: Table, eve: Browser) -> None:
    page = eve.press("Save profile", name="?", zone="Europe/Paris", mail="daily")

    assert page.count("Not saved yet.") == 2
    assert 'value="?"' in eve.answer.get_data(as_text=True)
    assert '<option value="Europe/Paris" selected>' in eve.answer.get_data(as_text=True)
    assert '<option value="daily" selected>' in eve.answer.get_data(as_text=True)


@pytest.mark.parametrize(("theme", "named"), [("light", "#e3e9eb"), ("dark", "#0f171d")])
def test_a_theme_applies_to_every_page_and_survives_the_switches(
    table: Table, theme: str, named: str
) -> None:
    table.begin()
    ann = open_settings(table, ANN)
    code = str(table.last_email(ANN)["Subject"])[-6:-1]
    pages = ("/", "/rules", "/no/such/page", "/settings/", "/games/", f"/games/{code}")
    assert all("data-theme" not in html_at(ann, page) for page in pages)
    tag = ann.answer.headers["ETag"]
    ann.open("/settings/")
    ann.press("Save appearance", theme=theme)
    for page in pages:
        assert f'<html lang="en" data-theme="{theme}">' in html_at(ann, page), page
    assert f'<meta name="theme-color" content="{named}">' in html_at(ann, "/settings/")
    html_at(ann, pages[-1])
    assert ann.answer.headers["ETag"] != tag
    ann.press("Marks on the board")
    ann.press("Your last move")
    assert f'data-theme="{theme}"' in html_at(ann, "/rules")
    assert ann.answer.headers["Cache-Control"] == "no-store"

    assert "data-theme" not in html_at(Browser(table.app()), "/rules")
    ann.open("/settings/")
    ann.press("Save appearance", theme="system")
    assert "data-theme" not in html_at(ann, "/")


def test_simple_pieces_are_drawn_on_every_page(table: Table) -> None:
    table.begin()
    ann = open_settings(table, ANN)
    code = str(table.last_email(ANN)["Subject"])[-6:-1]
    assert "/simple-pieces.css" not in html_at(ann, "/rules/wild16")
    ann.open("/settings/")
    ann.press("Save appearance", men="simple", theme="dark")
    for page in ("/rules/wild16", "/games/", f"/games/{code}"):
        assert "/simple-pieces.css" in html_at(ann, page), page

    assert "<i class=wK></i>" in html_at(ann, f"/games/{code}")


# ---------------------------------------------------------------- adding an address


def test_an_address_is_added_with_the_code_that_we_email_there(table: Table, ann: Browser) -> None:
    assert f"{OTHER} is now one of your addresses." in add_address(table, ann, OTHER)

    assert OTHER in table.last_text(ANN)
    assert "was added to your account" in table.last_text(ANN)
    reply(table, ANN, "e2e4", sender=OTHER)
    assert "Your move has been made" in newest_text(table, ANN)
    assert "You are ann" in Browser(table.app()).sign_in(table, OTHER)


def test_nothing_is_added_before_it_is_confirmed(table: Table, ann: Browser) -> None:
    ann.press("Add address", address=OTHER)
    table.run_workers()
    reply(table, ANN, "e2e4", sender=OTHER)

    assert "I haven't acted on it yet" in newest_text(table, ANN)
    assert export(table.server, "ann")["addresses"] == [ANN]


def test_an_address_is_added_by_the_emails_link_in_a_signed_in_browser(table: Table, ann: Browser) -> None:
    ann.press("Add address", address=OTHER)
    table.run_workers()
    link = link_in(text_of(table.last_email(OTHER)))
    ann.open(link)
    assert "This address now belongs to your account" in ann.press("Add this address")

    assert OTHER in ann.open("/settings/")
    assert "has been used" in ann.open(link)


def test_the_emails_link_adds_nothing_in_another_browser(table: Table, eve: Browser) -> None:
    """Eve asks for the victim's address, and the victim presses every button there is."""
    eve.press("Add address", address=VICTIM)
    table.run_workers()
    link = link_in(text_of(table.last_email(VICTIM)))
    victims = Browser(table.app())
    page = victims.open(link)
    assert "Eve" not in page + text_of(table.last_email(VICTIM))
    assert "Add this address" not in page
    data = {"csrf": csrf_of(victims), "deed": "add"}
    assert victims.client.post(link, data=data).location.endswith("/sign-in")
    fays = open_settings(table, FAY, "Fay")
    fays.open(link)
    data = {"csrf": csrf_of(fays), "deed": "add"}
    answer = fays.client.post(link, data=data, follow_redirects=True)
    assert "or it was for someone else" in answer.get_data(as_text=True)

    assert export(table.server, "Eve")["addresses"] == [EVE]
    assert export(table.server, "Fay")["addresses"] == [FAY]


def test_the_code_works_only_for_the_player_who_asked_and_signs_nobody_in(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=VICTIM)
    code = code_for(table, VICTIM)
    fays = open_settings(table, FAY, "Fay")
    fays.press("Add address", address=OTHER)
    assert "That code is wrong" in fays.press("Add the address", number=code)
    stranger = Browser(table.app())
    stranger.open("/sign-in")
    stranger.press("Email me a code", address=VICTIM)
    assert "That code is wrong" in stranger.press("Sign in", number=code)
    stranger.open(link_in(text_of(table.last_email(VICTIM))))
    data = {"csrf": csrf_of(stranger), "deed": "sign in"}
    stranger.client.post(stranger.path, data=data)

    assert "Sign in by email" in stranger.open("/lobby/")


def test_a_sign_in_code_adds_no_address(table: Table, eve: Browser) -> None:
    stranger = Browser(table.app())
    stranger.open("/sign-in")
    stranger.press("Email me a code", address=VICTIM)
    code = code_for(table, VICTIM)
    eve.press("Add address", address=VICTIM)
    table.run_workers()

    assert "That code is wrong" in eve.press("Add the address", number=code)
    assert len(table.emails_to(VICTIM)) == 1


def test_after_ten_wrong_codes_even_the_right_one_fails(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=VICTIM)
    code = code_for(table, VICTIM)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    answers = {eve.press("Add the address", number=wrong) for _ in range(10)}

    assert len(answers) == 1
    assert eve.press("Add the address", number=code) in answers


def test_an_expired_code_adds_nothing(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=OTHER)
    code = code_for(table, OTHER)
    table.clock.advance(minutes=10)

    assert "has expired" in eve.press("Add the address", number=code)


def test_a_code_sent_twice_adds_once_and_says_so_twice(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=OTHER)
    code = code_for(table, OTHER)
    with eve.client.session_transaction() as cookie:
        adding = cookie["adding"]
    said = f"{OTHER} is now one of your addresses."
    assert said in eve.press("Add the address", number=code)
    with eve.client.session_transaction() as cookie:
        cookie["adding"] = adding

    assert said in forge(eve, "address/number", number=code)
    assert export(table.server, "Eve")["addresses"] == [EVE, OTHER]


def test_nothing_reveals_whether_an_address_is_a_players(table: Table, ann: Browser, eve: Browser) -> None:
    """Ben's address and an unknown one get the same pages."""
    pages = []
    for address in (BEN, "bun@b.example"):
        page = eve.press("Add address", address=address)
        table.run_workers()
        guess = eve.press("Add the address", number="000000")
        pages.append((page.replace(address, "it"), guess.replace(address, "it")))
        eve.press("Send another, or use a different address")

    assert pages[0] == pages[1]
    assert "Wild 16 with ann" in table.last_email(BEN)["Subject"]
    assert len(table.emails_to("bun@b.example")) == 1


def test_an_address_that_another_player_took_meanwhile_is_not_added(table: Table, eve: Browser) -> None:
    signing = Browser(table.app())
    signing.sign_in(table, OTHER)
    eve.press("Add address", address=OTHER)
    code = code_for(table, OTHER)
    signing.press("Save name", name="Oscar")

    assert "That code is wrong" in eve.press("Add the address", number=code)
    assert export(table.server, "Oscar")["addresses"] == [OTHER]


def test_adding_an_address_signs_out_browsers_signed_in_with_it(table: Table, eve: Browser) -> None:
    before = Browser(table.app())
    before.sign_in(table, OTHER)
    add_address(table, eve, OTHER)

    assert "Sign in by email" in before.open("/lobby/")


def test_a_stranger_gets_one_email_however_many_players_ask_for_their_address(table: Table) -> None:
    for number in range(3):
        browser = open_settings(table, f"m{number}@m{number}.example", f"Mallory {number}")
        for _ in range(4):
            browser.press("Add address", address=VICTIM.upper())
            browser.press("Send another, or use a different address")
    table.run_workers()

    assert len([each for each in table.all_emails() if each["To"].casefold() == VICTIM]) == 1


def test_an_address_that_said_never_again_gets_no_email(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=VICTIM)
    code = code_for(table, VICTIM)
    victims = Browser(table.app())
    victims.open(link_in(text_of(table.last_email(VICTIM))))
    victims.press("Never email me again")
    assert "That code is wrong" in eve.press("Add the address", number=code)
    eve.press("Send another, or use a different address")
    eve.press("Add address", address=VICTIM)
    table.run_workers()

    assert len(table.emails_to(VICTIM)) == 1


def test_five_addresses_a_day_can_be_asked_for(table: Table, eve: Browser) -> None:
    for number in range(6):
        page = eve.press("Add address", address=f"v{number}@v{number}.example")
        if number < 5:
            eve.press("Send another, or use a different address")
    table.run_workers()

    assert "You've added five addresses" in page
    assert table.emails_to("v5@v5.example") == []
    table.clock.advance(hours=25)
    eve.press("Add address", address="v5@v5.example")
    eve.sign_in_on_this_page(table, EVE)
    assert "unless we've been asked not to" in eve.press("Add address", address="v5@v5.example")


def test_one_domain_gets_twenty_emails_a_day(table: Table) -> None:
    for number in range(6):
        browser = open_settings(table, f"m{number}@m{number}.example", f"Mallory {number}")
        for each in range(5):
            browser.press("Add address", address=f"v{number}-{each}@v.example")
            browser.press("Send another, or use a different address")
    table.run_workers()

    assert len([each for each in table.all_emails() if each["To"].endswith("@v.example")]) == 20


def test_a_player_has_five_addresses_at_most(table: Table, eve: Browser) -> None:
    for number in range(4):
        add_address(table, eve, f"e{number}@e{number}.example")
    table.clock.advance(hours=25)
    eve.press("Add address", address=OTHER)
    eve.sign_in_on_this_page(table, EVE)

    assert "You have five addresses" in eve.press("Add address", address=OTHER)


@pytest.mark.parametrize(
    "address",
    ["", "nobody", "umpire@play.example", "a@b.c\r\nBcc: vic@v.example", "<b>@x.example", "x" * 9_000],
)
def test_a_bad_address_is_refused_with_a_sentence(table: Table, eve: Browser, address: str) -> None:
    page = eve.press("Add address", address=address)

    assert "That isn't an email address" in page or "of the umpire's own" in page
    assert "<b>@" not in eve.answer.get_data(as_text=True)


def test_your_own_address_cannot_be_added_again(table: Table, eve: Browser) -> None:
    assert "That address is already yours." in eve.press("Add address", address=EVE.upper())


# ---------------------------------------------------------------- choosing and removing an address


def test_emails_about_games_go_to_the_chosen_address(table: Table, ann: Browser, eve: Browser) -> None:
    add_address(table, ann, OTHER)
    assert f"now go to {OTHER}" in ann.press("Send game emails here")
    table.run_workers()
    assert "no longer to this one" in table.last_text(ANN)
    reply(table, ANN, "e2e4")
    reply(table, BEN, "e7e5")
    assert "Your turn" in table.last_text(OTHER)
    eve.open("/lobby/")
    eve.press("Challenge", whom="Ann")
    table.run_workers()

    assert "Eve would like to play" in table.last_text(OTHER)
    assert "You are ann" in Browser(table.app()).sign_in(table, ANN)


def test_a_removed_address_belongs_to_nobody(table: Table, ann: Browser) -> None:
    add_address(table, ann, OTHER)
    others = Browser(table.app())
    others.sign_in(table, OTHER)
    assert f"{OTHER} is no longer one of your addresses." in ann.press("Remove")
    table.run_workers()
    assert "was removed from your account" in table.last_text(ANN)
    assert "Sign in by email" in others.open("/lobby/")
    reply(table, ANN, "e2e4", sender=OTHER)
    assert "I haven't acted on it yet" in newest_text(table, ANN)

    assert export(table.server, "ann")["addresses"] == [ANN]
    assert "Choose your name" in others.sign_in(table, OTHER)


def test_addresses_in_use_cannot_be_removed(table: Table, ann: Browser) -> None:
    assert "Please choose another address for them first" in forge(ann, "address/remove", mailbox=ANN)
    add_address(table, ann, OTHER)
    ann.press("Send game emails here")

    assert "sign in with another one" in forge(ann, "address/remove", mailbox=ANN)
    assert "Please choose another address for them first" in forge(ann, "address/remove", mailbox=OTHER)


@pytest.mark.parametrize("form", ["address/remove", "address/letters", "address/mended"])
def test_nobody_can_change_an_address_that_is_not_theirs(
    table: Table, ann: Browser, eve: Browser, form: str
) -> None:
    pages = {forge(eve, form, mailbox=each) for each in (ANN, BEN, "bun@b.example", "", "x" * 9_000)}

    assert all("That isn't one of your addresses." in page for page in pages)
    assert export(table.server, "ann")["addresses"] == [ANN]
    with table.server.store.reading() as connection:
        assert connection.execute(select(func.count()).where(PlayerRow.address == EVE)).scalar_one() == 1


def test_challenges_of_a_removed_address_stay_with_the_player(table: Table, eve: Browser) -> None:
    add_address(table, eve, OTHER)
    others = Browser(table.app())
    others.sign_in(table, OTHER)
    others.open("/lobby/")
    others.press("Offer to everyone")
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")
    fays.press("Challenge", whom=OTHER)
    table.run_workers()
    eve.open("/settings/")
    eve.press("Remove")
    assert "Fay would like to play" in eve.open("/games/")
    assert "Withdraw" in eve.open("/lobby/")
    fays.open("/lobby/")
    assert "The game has started" in fays.press("Play")
    table.run_workers()
    assert "Wild 16 with Fay" in game_emails(table, EVE)[-1]["Subject"]


def test_emails_of_a_removed_address_are_deleted(table: Table, eve: Browser) -> None:
    add_address(table, eve, OTHER)
    table.write_to_site(OTHER, "games")
    assert "games" in "".join(export(table.server, "Eve")["letters"])
    link = link_in(text_of(table.emails_to(OTHER)[0]))
    eve.press("Remove")

    assert eve.client.get(link).status_code == 404
    assert export(table.server, "Eve")["letters"] == []


def test_the_form_and_the_order_for_answers_change_one_setting(table: Table, ann: Browser) -> None:
    """It shares a column with the board's switches and the theme, and none of them changes another."""
    shown = ["last", "check", "tries", "sensed", "recalled", "reach"]
    ann.press("Save appearance", theme="dark", on=shown)
    assert export(table.server, "ann")["settings"]["switched"] == "capture dark"
    assert "We no longer answer emails that only make a move" in ann.press(
        "Save notifications", answers="no answers"
    )
    assert export(table.server, "ann")["settings"]["switched"] == "capture answers dark"
    ann.press("Save appearance", theme="light")
    assert export(table.server, "ann")["settings"]["switched"] == "capture answers light"
    emails = len(table.emails_to(ANN))
    play(table, "e2e4")
    assert len(table.emails_to(ANN)) == emails
    table.reply(ANN, "mail answers")

    assert '<option value="answers" selected>yes, after every move</option>' in html_at(ann, "/settings/")
    assert export(table.server, "ann")["settings"]["switched"] == "capture light"


# ---------------------------------------------------------------- export and deletion


def test_settings_are_exported_and_deleted(table: Table, eve: Browser) -> None:
    eve.press("Save profile", zone="Europe/Paris")
    eve.press("Save notifications", mail="off")
    eve.press("Save game settings", tries="untold")
    exported = export(table.server, "Eve")["settings"]
    simple = {each.name if each.name == "checkpoints" else each.column for each in SETTINGS}
    assert exported.keys() == simple | {"zone", "mailing", "digest_hour", "about", "program"}
    assert exported == exported | {
        "zone": "Europe/Paris",
        "mailing": "off",
        "slip_file": False,
        "checkpoints": False,
        "tells_tries": False,
        "publishes": "",
    }
    delete_player(table.server, "Eve", table.clock())

    with table.server.store.reading() as connection:
        assert connection.execute(select(PlayerRow.zone)).scalars().all() == ["UTC"]


def test_an_old_name_is_deleted_with_its_player(table: Table, ann: Browser) -> None:
    ann.press("Save profile", name="Anna")
    reply(table, ANN, "resign resign")
    delete_player(table.server, "Anna", table.clock())
    reply(table, BEN, "show")

    assert "with Somebody" in table.last_email(BEN)["Subject"]
