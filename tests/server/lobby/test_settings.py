"""The settings: what a player changes, what letters then say, and what nobody may change for another."""

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
from tests.support.browser import Browser, link_in
from tests.support.masked_seals import masked
from tests.support.table import ANN, BEN, EVE, FAY, Table, flat, html_of, lay, text_of

OTHER = "ann@other.example"
VICTIM = "vic@v.example"


def at_settings(table: Table, address: str, name: str = "") -> Browser:
    """The browser of a player who is let in and looks at the settings."""
    browser = Browser(table.app())
    browser.sign_in(table, address, name)
    browser.open("/settings/")
    return browser


@pytest.fixture
def ann(table: Table) -> Browser:
    """Ann's browser; she plays Ben."""
    table.begin()
    return at_settings(table, ANN)


@pytest.fixture
def eve(table: Table) -> Browser:
    """Eve's browser; she plays nobody."""
    return at_settings(table, EVE, "Eve")


def number_for(table: Table, address: str) -> str:
    """The number in the newest letter to an address."""
    table.work()
    found = re.search(r'the six digits "(\d{6})"', table.says(address))
    assert found
    return found[1]


def of_games(table: Table, player: str) -> list[EmailMessage]:
    """The letters about games that a player has got."""
    return [each for each in table.letters(player) if "Wild 16 with" in each["Subject"]]


def told(table: Table, player: str) -> str:
    """What the newest of them says."""
    return flat(text_of(of_games(table, player)[-1]))


def reply(table: Table, player: str, text: str, sender: str = "") -> None:
    """Answer the newest of them."""
    table.reply(player, text, sender=sender, to=of_games(table, player)[-1])


def play(table: Table, *moves: str) -> None:
    """Moves of both sides in turn, White's first."""
    for number, move in enumerate(moves):
        reply(table, (ANN, BEN)[number % 2], move)


def add(table: Table, browser: Browser, address: str) -> str:
    """One more address, by the number that is mailed there."""
    browser.press("Add address", address=address)
    page = browser.press("Add the address", number=number_for(table, address))
    table.work()
    return page


def mark_of(browser: Browser) -> str:
    """What makes a form one of ours for this browser."""
    found = re.search(r'name="csrf" value="([^"]+)"', browser.answer.get_data(as_text=True))
    assert found
    return found[1]


def forge(browser: Browser, form: str, **fields: str) -> str:
    """Send a form with fields that its page does not offer."""
    answer = browser.client.post(
        f"/settings/{form}", data={"csrf": mark_of(browser), **fields}, follow_redirects=True
    )
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


# ---------------------------------------------------------------- who is at the page


def test_a_stranger_is_asked_to_sign_in_and_a_visitor_without_a_name_to_choose_one(table: Table) -> None:
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
    table.work()
    assert table.letters(FAY) == []


@pytest.mark.parametrize("page", ["/lobby/", "/games/"])
def test_pages_lead_a_player_to_the_settings(table: Table, eve: Browser, page: str) -> None:
    assert 'href="/settings/"' in page_of(eve, page)
    assert 'href="/settings/"' not in page_of(Browser(table.app()), page)


# ---------------------------------------------------------------- the name


def test_letters_and_pages_use_a_new_name_and_the_subject_stays(table: Table, ann: Browser) -> None:
    before = str(table.newest(BEN)["Subject"])
    assert "Your name is now Anna." in ann.press("Save profile", name="Anna")
    play(table, "e2e4", "e7e5")

    assert "Wild 16 with Anna" in table.says(BEN)
    assert table.newest(BEN)["Subject"] == before
    assert "You are Anna" in ann.open("/lobby/")
    table.challenge(EVE, ANN)
    assert "Wild 16 with Anna" in table.newest(EVE)["Subject"]


def test_the_subject_of_a_game_keeps_the_name_of_its_beginning(table: Table, ann: Browser) -> None:
    for name in ("Anna", "Hanna", "ann"):
        ann.press("Save profile", name=name)
    play(table, "e2e4")

    assert "Wild 16 with ann (" in table.newest(BEN)["Subject"]


def test_nobody_takes_the_name_by_which_letters_of_a_running_game_call_another(
    table: Table, ann: Browser
) -> None:
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
def test_a_name_that_may_not_be_is_refused_with_a_sentence(table: Table, ann: Browser, name: str) -> None:
    page = ann.press("Save profile", name=name)

    assert "looks the same" in page or "A name can have up to 24" in page or "look like a command" in page
    assert "You are ann" in page
    assert "<b>" not in ann.answer.get_data(as_text=True)


def test_ones_own_name_may_be_written_otherwise(table: Table, ann: Browser) -> None:
    assert "Your name is now ANN." in ann.press("Save profile", name="ANN")


def test_three_names_a_day(table: Table, eve: Browser) -> None:
    for name in ("Evi", "Evita", "Evi", "Evi", "Evita"):
        page = eve.press("Save profile", name=name)

    assert "often enough for today" in page
    assert "You are Evi " in page


# ---------------------------------------------------------------- the zone


def test_deadlines_are_told_in_ones_own_zone_and_to_nobody_else(table: Table, ann: Browser) -> None:
    plain = told(table, ANN)
    assert "reply by Mon 23 Nov 2026, 12:00 UTC." in plain
    assert "It's now Fri 20 Nov 2026, 13:00 (Paris)." in ann.press("Save profile", zone="Europe/Paris")
    reply(table, ANN, "show")
    assert "reply by Mon 23 Nov 2026, 13:00 (Paris)." in told(table, ANN)
    assert "13:00 (Paris)" in html_of(of_games(table, ANN)[-1])
    code = of_games(table, ANN)[-1]["Subject"].rpartition("(")[2].rstrip(")")
    assert "13:00 (Paris)" in ann.open(f"/games/{code}")
    play(table, "e2e4")
    assert "reply by Mon 23 Nov 2026, 12:00 UTC." in told(table, BEN)
    reply(table, BEN, "e7e5")
    table.clock.pass_by(days=2, hours=12)
    table.sweep()

    assert "This is a reminder" in told(table, ANN)
    assert "13:00 (Paris)" in told(table, ANN)
    assert '<option value="Europe/Paris" selected>' in page_of(ann, "/settings/")


def page_of(browser: Browser, path: str) -> str:
    browser.open(path)
    return browser.answer.get_data(as_text=True)


def test_a_zone_that_nobody_knows_any_more_is_utc_in_letters_and_on_the_page(
    table: Table, ann: Browser
) -> None:
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(zone="Europe/Atlantis"))
    reply(table, ANN, "show")

    assert "12:00 UTC." in told(table, ANN)
    assert "It's now Fri 20 Nov 2026, 12:00 UTC." in ann.open("/settings/")


@pytest.mark.parametrize(
    "zone", ["../../etc/passwd", "Europe/Paris\r\nBcc: vic@v.example", "<b>", "x" * 9_000, ""]
)
def test_a_zone_that_there_is_not_is_not_kept(table: Table, ann: Browser, zone: str) -> None:
    assert "no such time zone" in forge(ann, "zone", zone=zone)

    with table.server.store.reading() as connection:
        assert set(connection.execute(select(PlayerRow.zone)).scalars()) == {"UTC"}


# ---------------------------------------------------------------- letters about games


def test_who_wants_no_letters_gets_none_of_what_happens(table: Table, ann: Browser) -> None:
    assert "We no longer email you about your games" in ann.press("Save notifications", mail="off")
    before = len(table.letters(ANN))
    play(table, "e2e4", "e7e5")
    table.clock.pass_by(days=2, hours=12)
    table.sweep()
    assert len(table.letters(ANN)) - before == 2
    assert "We send this email whatever your settings are" in told(table, ANN)
    reply(table, ANN, "show")
    assert "Your turn: reply by" in told(table, ANN)
    reply(table, BEN, "resign resign")

    assert "The game is over" in told(table, BEN)
    assert "The game is over" in told(table, ANN)
    assert len(table.letters(ANN)) - before == 4


def test_the_other_side_gets_the_same_letters_whether_ones_own_come_or_not(tmp_path: Path) -> None:
    bens = []
    for mail in ("each", "daily", "off"):
        (tmp_path / mail).mkdir()
        table = lay(tmp_path / mail)
        table.begin()
        at_settings(table, ANN).press("Save notifications", mail=mail)
        for move, answer in (("e2e4", "e7e5"), ("d2d4", "e5d4"), ("g1f3", "d4d3")):
            reply(table, ANN, "show")
            play(table, move, answer)
        table.clock.pass_by(days=2, hours=12)
        table.sweep()
        reply(table, BEN, "show")
        bens.append([(masked(text_of(each)), each["Date"], each.keys()) for each in of_games(table, BEN)])
        table.server.store.close()

    assert len(bens[0]) == 9
    assert bens[0] == bens[1] == bens[2]


def test_what_was_not_mailed_is_done_and_no_trouble(table: Table, ann: Browser) -> None:
    ann.press("Save notifications", mail="off")
    play(table, "e2e4", "e7e5")
    state = statistics.load_figures(table.server, table.clock())

    assert (state.unsent, state.dead) == (0, 0)
    with table.server.store.reading() as connection:
        unwritten = OutboxRow.id.not_in(select(QuotableRow.letter_id))
        spared = connection.execute(select(OutboxRow.__table__).where(unwritten)).all()
    assert [(row.kind, row.trouble, row.dead_at) for row in spared] == [("turn", None, None)]


def test_letters_come_again_from_then_on_and_keep_their_numbers(table: Table, ann: Browser) -> None:
    ann.press("Save notifications", mail="off")
    play(table, "e2e4", "e7e5")
    count = len(table.letters(ANN))
    assert "You'll get an email for each turn" in ann.press("Save notifications", mail="each")
    table.work()
    assert len(table.letters(ANN)) == count
    reply(table, ANN, "show")
    play(table, "d2d4", "e5d4")

    assert "Pawn at d4 captured" in told(table, ANN)
    with table.server.store.reading() as connection:
        numbers = connection.execute(
            select(OutboxRow.number, OutboxRow.seat_id).order_by(OutboxRow.seat_id, OutboxRow.number)
        ).all()
    for seat in {row.seat_id for row in numbers}:
        mine = [row.number for row in numbers if row.seat_id == seat]
        assert mine == list(range(1, len(mine) + 1))


def test_a_letter_that_waits_for_its_mail_server_is_spared_too(table: Table, ann: Browser) -> None:
    table.post(table.letter(ANN, "e2e4"))
    table.work()
    table.post(table.letter(BEN, "e7e5"))
    table.read()
    before = len(table.letters(ANN))
    ann.press("Save notifications", mail="off")
    table.send()

    assert len(table.letters(ANN)) == before


def test_a_reply_is_read_as_before_while_no_letters_come(table: Table, ann: Browser) -> None:
    ann.press("Save notifications", mail="off")
    play(table, "e2e4", "e7e5")
    reply(table, ANN, "show")
    reply(table, ANN, "d2d4")

    assert "Your move has been made" in told(table, ANN)


def test_challenges_and_letters_for_signing_in_come_all_the_same(
    table: Table, ann: Browser, eve: Browser
) -> None:
    ann.press("Save notifications", mail="off")
    eve.open("/lobby/")
    eve.press("Challenge", whom="Ann")
    table.work()

    assert "Eve would like to play" in table.says(ANN)
    assert "You are ann" in Browser(table.app()).sign_in(table, ANN)


@pytest.mark.parametrize("mail", ["", "no", "true", "x" * 1_000])
def test_a_choice_that_there_is_not_is_not_taken(table: Table, ann: Browser, mail: str) -> None:
    assert "That isn't one of the choices" in forge(ann, "notifications", mail=mail)
    assert "That isn't one of the choices" in forge(ann, "appearance", theme="dark", men=mail)
    assert "That isn't one of the choices" in forge(ann, "appearance", theme=mail)
    with table.server.store.reading() as connection:
        stored = select(PlayerRow.mailing, PlayerRow.men, PlayerRow.switched).distinct()
        assert connection.execute(stored).all() == [("each", "glyphs", "")]


def test_how_pages_look_is_kept(table: Table, eve: Browser) -> None:
    assert "Appearance saved" in eve.press("Save appearance", men="letters")

    assert '<option value="letters" selected>' in page_of(eve, "/settings/")
    assert "Nothing has changed" in eve.press("Save appearance")


def test_a_section_is_saved_whole_or_not_at_all(table: Table, eve: Browser) -> None:
    page = eve.press("Save profile", zone="Europe/Paris", about="x" * 10_000, page="off")
    assert "at most 120 characters" in page
    assert '<option value="UTC" selected>' in page_of(eve, "/settings/")
    assert "Your page is visible" in eve.open("/settings/")
    page = eve.press("Save profile", zone="Europe/Paris", about="At night.", page="off")

    for said in ("Time zone saved", "Your page is hidden", "The text about you on your page"):
        assert said in page


@pytest.mark.parametrize(("theme", "named"), [("light", "#e3e9eb"), ("dark", "#0f171d")])
def test_a_theme_is_kept_on_every_page_and_beside_the_switches(table: Table, theme: str, named: str) -> None:
    table.begin()
    ann = at_settings(table, ANN)
    code = str(table.newest(ANN)["Subject"])[-6:-1]
    pages = ("/", "/rules", "/no/such/page", "/settings/", "/games/", f"/games/{code}")
    assert all("data-theme" not in page_of(ann, page) for page in pages)
    tag = ann.answer.headers["ETag"]
    ann.open("/settings/")
    ann.press("Save appearance", theme=theme)
    for page in pages:
        assert f'<html lang="en" data-theme="{theme}">' in page_of(ann, page), page
    assert f'<meta name="theme-color" content="{named}">' in page_of(ann, "/settings/")
    page_of(ann, pages[-1])
    assert ann.answer.headers["ETag"] != tag
    ann.press("Marks on the board")
    ann.press("Your last move")
    assert f'data-theme="{theme}"' in page_of(ann, "/rules")
    assert ann.answer.headers["Cache-Control"] == "no-store"

    assert "data-theme" not in page_of(Browser(table.app()), "/rules")
    ann.open("/settings/")
    ann.press("Save appearance", theme="system")
    assert "data-theme" not in page_of(ann, "/")


def test_simple_pieces_are_drawn_on_every_page(table: Table) -> None:
    table.begin()
    ann = at_settings(table, ANN)
    code = str(table.newest(ANN)["Subject"])[-6:-1]
    assert "/simple-pieces.css" not in page_of(ann, "/rules/wild16")
    ann.open("/settings/")
    ann.press("Save appearance", men="simple", theme="dark")
    for page in ("/rules/wild16", "/games/", f"/games/{code}"):
        assert "/simple-pieces.css" in page_of(ann, page), page

    assert "<i class=wK></i>" in page_of(ann, f"/games/{code}")


# ---------------------------------------------------------------- one more address


def test_an_address_is_added_by_the_number_that_goes_there(table: Table, ann: Browser) -> None:
    assert f"{OTHER} is now one of your addresses." in add(table, ann, OTHER)

    assert OTHER in table.says(ANN)
    assert "was added to your account" in table.says(ANN)
    reply(table, ANN, "e2e4", sender=OTHER)
    assert "Your move has been made" in told(table, ANN)
    assert "You are ann" in Browser(table.app()).sign_in(table, OTHER)


def test_nothing_is_added_before_it_is_confirmed(table: Table, ann: Browser) -> None:
    ann.press("Add address", address=OTHER)
    table.work()
    reply(table, ANN, "e2e4", sender=OTHER)

    assert "I haven't acted on it yet" in told(table, ANN)
    assert export(table.server, "ann")["addresses"] == [ANN]


def test_an_address_is_added_by_its_letters_page_where_the_player_is_let_in(
    table: Table, ann: Browser
) -> None:
    ann.press("Add address", address=OTHER)
    table.work()
    link = link_in(text_of(table.newest(OTHER)))
    ann.open(link)
    assert "This address now belongs to your account" in ann.press("Add this address")

    assert OTHER in ann.open("/settings/")
    assert "has been used" in ann.open(link)


def test_whoever_reads_the_letter_adds_nothing_to_a_player_who_is_not_let_in_there(
    table: Table, eve: Browser
) -> None:
    """Eve would like to have the victim's address, and the victim presses whatever there is to press."""
    eve.press("Add address", address=VICTIM)
    table.work()
    link = link_in(text_of(table.newest(VICTIM)))
    victims = Browser(table.app())
    page = victims.open(link)
    assert "Eve" not in page + text_of(table.newest(VICTIM))
    assert "Add this address" not in page
    data = {"csrf": mark_of(victims), "deed": "add"}
    assert victims.client.post(link, data=data).location.endswith("/sign-in")
    fays = at_settings(table, FAY, "Fay")
    fays.open(link)
    data = {"csrf": mark_of(fays), "deed": "add"}
    answer = fays.client.post(link, data=data, follow_redirects=True)
    assert "or it was for someone else" in answer.get_data(as_text=True)

    assert export(table.server, "Eve")["addresses"] == [EVE]
    assert export(table.server, "Fay")["addresses"] == [FAY]


def test_the_number_is_good_for_the_player_who_has_asked_and_lets_nobody_in(
    table: Table, eve: Browser
) -> None:
    eve.press("Add address", address=VICTIM)
    number = number_for(table, VICTIM)
    fays = at_settings(table, FAY, "Fay")
    fays.press("Add address", address=OTHER)
    assert "That code is wrong" in fays.press("Add the address", number=number)
    stranger = Browser(table.app())
    stranger.open("/sign-in")
    stranger.press("Email me a code", address=VICTIM)
    assert "That code is wrong" in stranger.press("Sign in", number=number)
    stranger.open(link_in(text_of(table.newest(VICTIM))))
    data = {"csrf": mark_of(stranger), "deed": "sign in"}
    stranger.client.post(stranger.at, data=data)

    assert "Sign in by email" in stranger.open("/lobby/")


def test_the_number_for_signing_in_adds_nothing(table: Table, eve: Browser) -> None:
    stranger = Browser(table.app())
    stranger.open("/sign-in")
    stranger.press("Email me a code", address=VICTIM)
    number = number_for(table, VICTIM)
    eve.press("Add address", address=VICTIM)
    table.work()

    assert "That code is wrong" in eve.press("Add the address", number=number)
    assert len(table.letters(VICTIM)) == 1


def test_after_ten_guesses_not_even_the_right_number_adds(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=VICTIM)
    number = number_for(table, VICTIM)
    wrong = f"{(int(number) + 1) % 1_000_000:06}"
    answers = {eve.press("Add the address", number=wrong) for _ in range(10)}

    assert len(answers) == 1
    assert eve.press("Add the address", number=number) in answers


def test_a_number_that_is_too_old_adds_nothing(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=OTHER)
    number = number_for(table, OTHER)
    table.clock.pass_by(minutes=10)

    assert "has expired" in eve.press("Add the address", number=number)


def test_a_number_that_is_sent_twice_adds_once_and_says_so_twice(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=OTHER)
    number = number_for(table, OTHER)
    with eve.client.session_transaction() as kept:
        adding = kept["adding"]
    said = f"{OTHER} is now one of your addresses."
    assert said in eve.press("Add the address", number=number)
    with eve.client.session_transaction() as kept:
        kept["adding"] = adding

    assert said in forge(eve, "address/number", number=number)
    assert export(table.server, "Eve")["addresses"] == [EVE, OTHER]


def test_nothing_tells_whether_an_address_is_a_players(table: Table, ann: Browser, eve: Browser) -> None:
    """Ben's is one; the other is nobody's. What is answered, kept in the cookie, and told for a guess is alike."""
    pages = []
    for address in (BEN, "bun@b.example"):
        page = eve.press("Add address", address=address)
        table.work()
        guess = eve.press("Add the address", number="000000")
        pages.append((page.replace(address, "it"), guess.replace(address, "it")))
        eve.press("Send another, or use a different address")

    assert pages[0] == pages[1]
    assert "Wild 16 with ann" in table.newest(BEN)["Subject"]
    assert len(table.letters("bun@b.example")) == 1


def test_an_address_that_has_become_a_players_meanwhile_is_not_added(table: Table, eve: Browser) -> None:
    signing = Browser(table.app())
    signing.sign_in(table, OTHER)
    eve.press("Add address", address=OTHER)
    number = number_for(table, OTHER)
    signing.press("Save name", name="Oscar")

    assert "That code is wrong" in eve.press("Add the address", number=number)
    assert export(table.server, "Oscar")["addresses"] == [OTHER]


def test_a_browser_that_was_let_in_by_an_address_before_it_was_added_is_let_out(
    table: Table, eve: Browser
) -> None:
    before = Browser(table.app())
    before.sign_in(table, OTHER)
    add(table, eve, OTHER)

    assert "Sign in by email" in before.open("/lobby/")


def test_a_stranger_gets_one_letter_however_many_would_like_their_address(table: Table) -> None:
    for number in range(3):
        browser = at_settings(table, f"m{number}@m{number}.example", f"Mallory {number}")
        for _ in range(4):
            browser.press("Add address", address=VICTIM.upper())
            browser.press("Send another, or use a different address")
    table.work()

    assert len([each for each in table.all_letters() if each["To"].casefold() == VICTIM]) == 1


def test_whoever_said_never_again_gets_no_letter(table: Table, eve: Browser) -> None:
    eve.press("Add address", address=VICTIM)
    number = number_for(table, VICTIM)
    victims = Browser(table.app())
    victims.open(link_in(text_of(table.newest(VICTIM))))
    victims.press("Never email me again")
    assert "That code is wrong" in eve.press("Add the address", number=number)
    eve.press("Send another, or use a different address")
    eve.press("Add address", address=VICTIM)
    table.work()

    assert len(table.letters(VICTIM)) == 1


def test_five_addresses_a_day_are_named_and_no_more(table: Table, eve: Browser) -> None:
    for number in range(6):
        page = eve.press("Add address", address=f"v{number}@v{number}.example")
        if number < 5:
            eve.press("Send another, or use a different address")
    table.work()

    assert "You've added five addresses" in page
    assert table.letters("v5@v5.example") == []
    table.clock.pass_by(hours=25)
    eve.press("Add address", address="v5@v5.example")
    eve.sign_in_here(table, EVE)
    assert "unless we've been asked not to" in eve.press("Add address", address="v5@v5.example")


def test_twenty_letters_a_day_go_to_one_domain(table: Table) -> None:
    for number in range(6):
        browser = at_settings(table, f"m{number}@m{number}.example", f"Mallory {number}")
        for each in range(5):
            browser.press("Add address", address=f"v{number}-{each}@v.example")
            browser.press("Send another, or use a different address")
    table.work()

    assert len([each for each in table.all_letters() if each["To"].endswith("@v.example")]) == 20


def test_a_player_has_five_addresses_at_most(table: Table, eve: Browser) -> None:
    for number in range(4):
        add(table, eve, f"e{number}@e{number}.example")
    table.clock.pass_by(hours=25)
    eve.press("Add address", address=OTHER)
    eve.sign_in_here(table, EVE)

    assert "You have five addresses" in eve.press("Add address", address=OTHER)


@pytest.mark.parametrize(
    "address",
    ["", "nobody", "umpire@play.example", "a@b.c\r\nBcc: vic@v.example", "<b>@x.example", "x" * 9_000],
)
def test_what_is_no_address_is_refused_with_a_sentence(table: Table, eve: Browser, address: str) -> None:
    page = eve.press("Add address", address=address)

    assert "That isn't an email address" in page or "of the umpire's own" in page
    assert "<b>@" not in eve.answer.get_data(as_text=True)


def test_ones_own_address_is_ones_own_already(table: Table, eve: Browser) -> None:
    assert "That address is already yours." in eve.press("Add address", address=EVE.upper())


# ---------------------------------------------------------------- one fewer, another one


def test_letters_about_games_go_to_the_address_that_was_chosen(
    table: Table, ann: Browser, eve: Browser
) -> None:
    add(table, ann, OTHER)
    assert f"now go to {OTHER}" in ann.press("Send game emails here")
    table.work()
    assert "no longer to this one" in table.says(ANN)
    reply(table, ANN, "e2e4")
    reply(table, BEN, "e7e5")
    assert "Your turn" in table.says(OTHER)
    eve.open("/lobby/")
    eve.press("Challenge", whom="Ann")
    table.work()

    assert "Eve would like to play" in table.says(OTHER)
    assert "You are ann" in Browser(table.app()).sign_in(table, ANN)


def test_an_address_that_was_removed_is_nobodys(table: Table, ann: Browser) -> None:
    add(table, ann, OTHER)
    others = Browser(table.app())
    others.sign_in(table, OTHER)
    assert f"{OTHER} is no longer one of your addresses." in ann.press("Remove")
    table.work()
    assert "was removed from your account" in table.says(ANN)
    assert "Sign in by email" in others.open("/lobby/")
    reply(table, ANN, "e2e4", sender=OTHER)
    assert "I haven't acted on it yet" in told(table, ANN)

    assert export(table.server, "ann")["addresses"] == [ANN]
    assert "Choose your name" in others.sign_in(table, OTHER)


def test_the_last_address_and_that_of_the_games_and_that_of_this_browser_are_not_removed(
    table: Table, ann: Browser
) -> None:
    assert "Please choose another address for them first" in forge(ann, "address/remove", mailbox=ANN)
    add(table, ann, OTHER)
    ann.press("Send game emails here")

    assert "sign in with another one" in forge(ann, "address/remove", mailbox=ANN)
    assert "Please choose another address for them first" in forge(ann, "address/remove", mailbox=OTHER)


@pytest.mark.parametrize("form", ["address/remove", "address/letters", "address/mended"])
def test_nobody_takes_what_is_anothers_or_nobodys(
    table: Table, ann: Browser, eve: Browser, form: str
) -> None:
    pages = {forge(eve, form, mailbox=each) for each in (ANN, BEN, "bun@b.example", "", "x" * 9_000)}

    assert all("That isn't one of your addresses." in page for page in pages)
    assert export(table.server, "ann")["addresses"] == [ANN]
    with table.server.store.reading() as connection:
        assert connection.execute(select(func.count()).where(PlayerRow.address == EVE)).scalar_one() == 1


def test_what_was_offered_by_an_address_stays_ones_own_when_it_goes(table: Table, eve: Browser) -> None:
    add(table, eve, OTHER)
    others = Browser(table.app())
    others.sign_in(table, OTHER)
    others.open("/lobby/")
    others.press("Offer to everyone")
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")
    fays.press("Challenge", whom=OTHER)
    table.work()
    eve.open("/settings/")
    eve.press("Remove")
    assert "Fay would like to play" in eve.open("/games/")
    assert "Withdraw" in eve.open("/lobby/")
    fays.open("/lobby/")
    assert "The game has started" in fays.press("Play")
    table.work()
    assert "Wild 16 with Fay" in of_games(table, EVE)[-1]["Subject"]


def test_letters_to_and_from_an_address_go_with_it(table: Table, eve: Browser) -> None:
    add(table, eve, OTHER)
    table.write(OTHER, "games")
    assert "games" in "".join(export(table.server, "Eve")["letters"])
    link = link_in(text_of(table.letters(OTHER)[0]))
    eve.press("Remove")

    assert eve.client.get(link).status_code == 404
    assert export(table.server, "Eve")["letters"] == []


def test_the_form_for_answers_and_the_order_are_one_setting(table: Table, ann: Browser) -> None:
    """It stands among the switches of the game's page and the theme, and none of them changes another."""
    shown = ["last", "check", "tries", "sensed", "recalled", "reach"]
    ann.press("Save appearance", theme="dark", on=shown)
    assert export(table.server, "ann")["settings"]["switched"] == "capture dark"
    assert "We no longer answer emails that only make a move" in ann.press(
        "Save notifications", answers="no answers"
    )
    assert export(table.server, "ann")["settings"]["switched"] == "capture answers dark"
    ann.press("Save appearance", theme="light")
    assert export(table.server, "ann")["settings"]["switched"] == "capture answers light"
    letters = len(table.letters(ANN))
    play(table, "e2e4")
    assert len(table.letters(ANN)) == letters
    table.reply(ANN, "mail answers")

    assert '<option value="answers" selected>yes, after every move</option>' in page_of(ann, "/settings/")
    assert export(table.server, "ann")["settings"]["switched"] == "capture light"


# ---------------------------------------------------------------- what is kept


def test_settings_are_exported_and_forgotten(table: Table, eve: Browser) -> None:
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


def test_an_old_name_is_forgotten_with_its_player(table: Table, ann: Browser) -> None:
    ann.press("Save profile", name="Anna")
    reply(table, ANN, "resign resign")
    delete_player(table.server, "Anna", table.clock())
    reply(table, BEN, "show")

    assert "with Somebody" in table.newest(BEN)["Subject"]
