"""Attacks on the lobby: floods of email to others, impersonation, forged forms, and leaks."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update

from corr.service.admin.maintenance import delete_player
from corr.service.lobby import page as lobby
from corr.service.lobby import terms
from corr.service.players import authentication, mailboxes, players
from corr.service.players.authentication import Visitor
from corr.service.players.own_data_rows import export
from corr.store.tables import SecretRow
from corr.web.api import token_auth
from corr.words.errors import Refused
from tests.support.browser import Browser, link_in
from tests.support.sign_in_codes import code_in
from tests.support.table import AUTHSERV_ID, DOMAIN, EVE, FAY, Table, text_of

VICTIM = "vic@v.example"
TERMS = terms.make_terms("wild16")


@pytest.fixture
def eve(table: Table) -> Browser:
    """Eve's browser, signed in."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    return browser


# ---------------------------------------------------------------- floods of email


def test_an_unverified_stranger_gets_no_answer(table: Table) -> None:
    for text in ("help", "rules", "seek wild16", f"challenge {FAY} wild16"):
        table.write_to_site(VICTIM, text, vouched=False)

    assert table.all_emails() == []


@pytest.mark.parametrize(
    "verdict",
    [
        "mx.elsewhere.example; dmarc=pass header.from=v.example",
        f"{AUTHSERV_ID}; dmarc=fail header.from=v.example",
        f"{AUTHSERV_ID}; dmarc=pass header.from=elsewhere.example",
        f"{AUTHSERV_ID}; spf=pass smtp.mailfrom=v.example; dkim=pass header.d=v.example",
        f"{AUTHSERV_ID} (dmarc=pass header.from=v.example); dmarc=none header.from=v.example",
        f'{AUTHSERV_ID}; spf=pass smtp.mailfrom="x; dmarc=pass header.from=v.example; x"@m.example; dmarc=fail',
        f"{AUTHSERV_ID}; spf=pass (of (one); dmarc=pass header.from=v.example) smtp.mailfrom=m.example",
        f"{AUTHSERV_ID}; dmarc=pass header.from=v.example; dmarc=fail header.from=v.example",
        f'{AUTHSERV_ID}; dmarc=pass header.from="elsewhere.example"',
        f"{AUTHSERV_ID}; none\r\nAuthentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=v.example",
    ],
)
def test_a_stranger_with_a_false_verdict_gets_no_answer(table: Table, verdict: str) -> None:
    email = table.site_email(VICTIM, f"challenge {FAY} wild16", vouched=False)
    table.deliver(f"Authentication-Results: {verdict}\r\n".encode() + email)
    table.run_workers()

    assert table.all_emails() == []


def test_nobody_is_challenged_before_the_challenger_has_confirmed(table: Table) -> None:
    for number in range(5):
        table.write_to_site(EVE, f"challenge f{number}@f.example wild16")

    assert [each["To"] for each in table.all_emails()] == [EVE]
    assert "f0@f.example" not in text_of(table.last_email(EVE))


def test_a_challenge_confirmed_twice_is_sent_once(table: Table) -> None:
    table.write_to_site(EVE, f"challenge {FAY} wild16")
    question = table.last_email(EVE)
    browser = Browser(table.app())
    page = link_in(text_of(question))
    browser.open(page)
    table.reply(EVE, "confirm", to=question)
    table.reply(EVE, "confirm", to=question)
    assert "You have already confirmed this" in browser.press("It was me")
    assert "You have already confirmed this" in browser.open(page)
    table.run_workers()

    assert len(table.emails_to(FAY)) == 1


def test_unverified_challenges_in_a_players_name_bring_that_player_two_emails(
    table: Table, eve: Browser
) -> None:
    before = len(table.all_emails())
    for number in range(20):
        table.write_to_site(EVE, f"challenge f{number}@f.example wild16", vouched=False)

    assert [each["Subject"] for each in table.all_emails()[before:]] == [
        "[corr] Please confirm that it was you",
        "[corr] Your email to the umpire",
    ]
    assert table.emails_to("f0@f.example") == []


def test_a_player_can_challenge_five_strangers_a_day(table: Table, eve: Browser) -> None:
    pages = [eve.press("Challenge", whom=f"f{number}@f{number}.example") for number in range(8)]
    table.run_workers()

    assert "the maximum" in pages[5]
    assert len([each for each in table.all_emails() if each["Subject"].startswith("[corr] A game")]) == 5
    table.clock.advance(hours=25)
    assert "Challenge sent to f9@f9.example, unless" in eve.press("Challenge", whom=" f9@f9.example ")


def test_two_hundred_challenges_to_one_domain_bring_it_twenty_emails_a_day(table: Table) -> None:
    refused = 0
    for number in range(40):
        players.add(table.server, f"Mallory {number}", f"m{number}@m.example", table.clock())
        visitor = visitor_at(table, f"m{number}@m.example")
        for each in range(5):
            try:
                lobby.challenge(table.server, visitor, f"v{number}-{each}@v.example", TERMS, table.clock())
            except Refused:
                refused += 1
    table.run_workers()

    assert refused == 180
    assert len([each for each in table.all_emails() if each["To"].endswith("@v.example")]) == 20


def visitor_at(table: Table, address: str) -> Visitor:
    """A signed-in player, as pages see one."""
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, address)
    assert who
    return Visitor(who, "Mallory", table.clock())


def test_the_hash_of_an_address_depends_on_a_secret_of_the_server(table: Table) -> None:
    with table.server.store.writing() as connection:
        known = mailboxes.find_or_create(connection, EVE, table.clock())
        same = mailboxes.find_correspondent(connection, EVE.upper())
        assert same
        assert same.id == known.id
        connection.execute(update(SecretRow).where(SecretRow.name == "marks").values(value=b"another" * 5))

        assert mailboxes.find_correspondent(connection, EVE) is None


def test_an_address_that_never_answers_gets_one_email_ever(table: Table) -> None:
    app = table.app()
    for number in range(3):
        browser = Browser(app)
        browser.sign_in(table, f"eve{number}@e{number}.example", f"Eve the {number + 1}")
        for _ in range(4):
            assert "Challenge sent" in browser.press("Challenge", whom=VICTIM)
        browser.client.post("/sign-out")
    stranger = Browser(app)
    for _ in range(10):
        stranger.open("/sign-in")
        stranger.press("Email me a code", address=VICTIM.upper())
        stranger.press("Send another, or use a different address")
    table.run_workers()
    table.clock.advance(days=400)
    table.sweep()
    stranger.press("Email me a code", address=VICTIM)
    table.run_workers()

    assert len([each for each in table.all_emails() if each["To"].casefold() == VICTIM]) == 1


def test_sub_addresses_do_not_evade_the_limit_per_domain(table: Table) -> None:
    for number in range(30):
        authentication.request_sign_in(
            table.server, f"vic+{number}@{'v' if number % 2 else 'V'}.example", None, table.clock()
        )
    table.run_workers()

    assert len([each for each in table.all_emails() if "vic+" in each["To"]]) == 20


def test_many_challengers_bring_one_player_five_emails_a_day(table: Table) -> None:
    players.add(table.server, "Vic", VICTIM, table.clock())
    for number in range(3):
        players.add(table.server, f"Mallory {number}", f"m{number}@m.example", table.clock())
        visitor = visitor_at(table, f"m{number}@m.example")
        for _ in range(4):
            lobby.challenge(table.server, visitor, "Vic", TERMS, table.clock())
    table.run_workers()

    assert len(table.emails_to(VICTIM)) == 5


def test_unverified_emails_bring_a_player_five_answers_a_day(table: Table, eve: Browser) -> None:
    before = len(table.all_emails())
    for _ in range(12):
        table.write_to_site(EVE, "help", vouched=False)

    assert len(table.all_emails()) - before == 5


def test_of_a_stranger_who_never_answers_we_store_only_a_hash(table: Table) -> None:
    Browser(table.app()).open("/sign-in")
    authentication.request_sign_in(table.server, VICTIM, None, table.clock())
    table.run_workers()
    table.clock.advance(days=31)
    table.sweep()
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, VICTIM)

    assert who
    assert who.address is None


def test_never_again_means_never(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom=FAY)
    table.run_workers()
    table.reply(FAY, "never again")
    assert "was declined" in table.last_text(EVE)
    table.clock.advance(days=2)
    assert "Challenge sent" in eve.press("Challenge", whom=FAY)
    stranger = Browser(table.app())
    stranger.open("/sign-in")
    stranger.press("Email me a code", address=FAY)
    table.run_workers()

    assert len(table.emails_to(FAY)) == 1


def test_never_again_works_on_the_page_of_an_email(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom=FAY)
    table.run_workers()
    fays = Browser(table.app())
    fays.open(link_in(text_of(table.last_email(FAY))))
    assert "We won't email this address any more" in fays.press("Never email me again")
    table.clock.advance(days=2)
    eve.press("Challenge", whom=FAY)
    table.run_workers()

    assert len(table.emails_to(FAY)) == 1


def test_an_address_that_said_never_again_may_write_again(table: Table) -> None:
    table.write_to_site(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "never again")
    table.write_to_site(EVE, "seek wild16")

    assert "Your game is on offer" in table.last_text(EVE)


def test_sign_in_requests_bring_a_player_three_emails_an_hour_and_ten_a_day(
    table: Table, eve: Browser
) -> None:
    before = len(table.emails_to(EVE))
    for number in range(6):
        stranger = Browser(table.app())
        for _ in range(4):
            stranger.open("/sign-in")
            stranger.press("Email me a code", address=EVE)
            stranger.press("Send another, or use a different address")
        table.run_workers()
        assert len(table.emails_to(EVE)) - before == min(3 * number + 3, 10)
        table.clock.advance(hours=1)

    assert len(table.emails_to(EVE)) - before == 10


def test_a_browser_that_asks_too_often_has_to_wait(table: Table) -> None:
    browser = Browser(table.app())
    for _ in range(20):
        browser.open("/sign-in")
        browser.press("Email me a code", address=EVE)
        browser.press("Send another, or use a different address")

    assert "tried this too often" in browser.press("Email me a code", address=EVE)
    assert browser.answer.status_code == 429


def test_an_automatic_email_to_the_umpire_is_not_answered(table: Table, eve: Browser) -> None:
    before = len(table.all_emails())
    email = table.site_email(EVE, "help")
    table.deliver(b"Auto-Submitted: auto-replied\r\n" + email)
    table.run_workers()

    assert len(table.all_emails()) == before


def test_twenty_emails_a_day_to_the_umpire_are_answered(table: Table, eve: Browser) -> None:
    before = len(table.all_emails())
    for _ in range(30):
        table.deliver(table.site_email(EVE, "help"))
    table.run_workers()

    assert len(table.all_emails()) - before == 20


# ---------------------------------------------------------------- impersonation


def test_a_forged_answer_to_an_invitation_does_nothing(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom=FAY)
    table.run_workers()
    before = len(table.all_emails())
    table.reply(FAY, "accept", sender="mal@m.example")

    assert len(table.all_emails()) == before
    table.reply(FAY, "accept")
    assert "The game has started" in table.last_text(FAY)


def test_an_invitation_is_accepted_once(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom=FAY)
    table.run_workers()
    invited = table.last_email(FAY)
    browser = Browser(table.app())
    page = link_in(text_of(invited))
    browser.open(page)
    table.reply(FAY, "accept", to=invited)
    table.reply(FAY, "accept", to=invited)
    assert "no longer open" in browser.press("Accept", name="Fay")
    assert "You have accepted this challenge" in browser.open(page)
    table.run_workers()

    assert (
        len([each for each in table.emails_to(FAY) if each["Subject"].startswith("[corr] Wild 16 with")]) == 1
    )


def test_one_address_with_both_seats_has_two_reply_addresses(table: Table, eve: Browser) -> None:
    assert "You can't play yourself" in eve.press("Challenge", whom=EVE)
    table.challenge(EVE, EVE)
    table.reply(EVE, "accept")
    first = [each for each in table.emails_to(EVE) if each["Subject"].startswith("[corr] Wild 16 with Eve")]

    assert len(first) == 2
    assert first[0]["Reply-To"] != first[1]["Reply-To"]


def test_a_name_that_looks_like_another_players_is_refused(table: Table, eve: Browser) -> None:
    other = Browser(table.app())
    page = other.sign_in(table, FAY, "\u0415ve")

    assert "looks the same" in page
    assert "You are Fay" in other.press("Save name", name="Fay")


@pytest.mark.parametrize("name", ["resign", "e2e4", "x" * 10_000, "<b>Eve</b>", "Eve\r\nBcc: vic@v.example"])
def test_a_bad_name_is_refused(table: Table, name: str) -> None:
    browser = Browser(table.app())
    assert "<b>" not in browser.sign_in(table, FAY, name)

    assert "Choose your name" in browser.open("/lobby/")


def test_a_bad_name_in_a_header_becomes_the_nearest_allowed_one(table: Table) -> None:
    table.write_to_site(EVE, f"challenge {FAY} wild16", name='"<script>e2e4</script>\u202e"')
    table.reply(EVE, "confirm")

    assert "Hello! script e2e4 script would like" in table.last_text(FAY)


# ---------------------------------------------------------------- codes, links, forms


def ask_for_code(table: Table, browser: Browser, address: str) -> str:
    """Ask for a sign-in code and return it."""
    browser.open("/sign-in")
    browser.press("Email me a code", address=address)
    table.run_workers()
    return code_in(table.last_text(address))


def test_after_ten_wrong_codes_even_the_right_one_fails(table: Table) -> None:
    browser = Browser(table.app())
    code = ask_for_code(table, browser, EVE)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    answers = {browser.press("Sign in", number=wrong) for _ in range(10)}

    assert len(answers) == 1
    assert browser.press("Sign in", number=code) in answers


def test_a_code_works_once_in_the_browser_that_asked(table: Table) -> None:
    app = table.app()
    first, second, stolen = Browser(app), Browser(app), Browser(app)
    code = ask_for_code(table, first, EVE)
    second.open("/sign-in")
    second.press("Email me a code", address=FAY)
    assert "That code is wrong" in second.press("Sign in", number=code)
    cookie = first.client.get_cookie("corr")
    assert cookie
    stolen.client.set_cookie("corr", cookie.value)
    stolen.open("/sign-in")
    assert "Choose your name" in first.press("Sign in", number=code)
    assert "That code is wrong" in stolen.press("Sign in", number=code)


@pytest.mark.parametrize("late", [False, True])
def test_a_link_signs_in_once_and_for_ten_minutes(table: Table, late: bool) -> None:  # noqa: FBT001
    app = table.app()
    ask_for_code(table, Browser(app), EVE)
    link = link_in(text_of(table.last_email(EVE)))
    first, second = Browser(app), Browser(app)
    first.open(link)
    second.open(link)
    if late:
        table.clock.advance(minutes=10)
    else:
        assert "Choose your name" in first.press("Sign in")

    assert "been used or has expired" in second.press("Sign in")
    assert "been used or has expired" in second.open(link)
    assert "Sign in by email" in second.open("/lobby/")


def test_a_link_scanner_changes_nothing(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom=FAY)
    table.write_to_site(VICTIM, "seek wild16")
    Browser(table.app()).open("/sign-in")
    ask_for_code(table, Browser(table.app()), "gus@g.example")
    before = len(table.all_emails())
    scanner = table.app().test_client()
    for email in table.all_emails():
        for link in re.findall(r"https://play\.example(/\S+)", text_of(email)):
            for open_it in (scanner.get, scanner.head, scanner.get):
                assert open_it(link).status_code == 200
    table.run_workers()

    assert len(table.all_emails()) == before
    table.reply(FAY, "accept")
    assert "The game has started" in table.last_text(FAY)


FORMS = (
    "/verify",
    "/sign-in",
    "/sign-in/number",
    "/sign-in/anew",
    "/sign-out",
    "/sign-out/everywhere",
    "/sessions/out",
    "/name",
    "/lobby/challenge",
    "/lobby/seek",
    "/lobby/link",
    "/lobby/play",
    "/lobby/accept",
    "/lobby/decline",
    "/lobby/withdraw",
    "/settings/profile",
    "/settings/games",
    "/settings/notifications",
    "/settings/appearance",
    "/settings/zone",
    "/settings/publish",
    "/games/whatever/switch",
    "/settings/address",
    "/settings/address/number",
    "/settings/address/anew",
    "/settings/address/remove",
    "/settings/address/letters",
    "/settings/address/mended",
    "/settings/passkeys",
    "/settings/passkeys/add",
    "/settings/passkeys/remove",
    "/settings/calls/feed",
    "/settings/calls/add",
    "/settings/calls/remove",
    "/settings/calls/test",
    "/settings/hours/clocks",
    "/settings/hours/vacation",
    "/settings/hours/vacation/off",
    "/settings/hours/reminders",
    "/settings/push/subscribe",
    "/settings/push/remove",
    "/settings/push/test",
    "/settings/tokens/make",
    "/settings/tokens/remove",
    "/letters/whatever",
    "/offers/whatever",
    "/events/enter",
    "/events/private",
    "/events/whatever/enter",
    "/events/whatever/withdraw",
    "/events/whatever/challenge",
    "/stop/whatever",
    "/games/whatever",
)
#: The front page's form has no CSRF token; test_guests.py sends it from another site.
FORMS_WITHOUT_CSRF_TOKEN = ("/play",)
#: The operators' forms; tests/server/web/test_admin.py covers them.
OPERATORS_FORMS = (
    "/admin/resend",
    "/admin/mailbox",
    "/admin/games/whatever",
    "/admin/events/",
    "/admin/events/whatever/stop",
    "/admin/events/whatever/mend",
    "/admin/events/whatever/remove",
)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_with_a_wrong_csrf_token_is_refused(table: Table, eve: Browser, form: str) -> None:
    before = len(table.all_emails())
    data = {"whom": VICTIM, "variant": "wild16", "clock": "3d", "address": VICTIM, "csrf": "guessed"}

    assert eve.client.post(form, data=data).status_code == 400
    assert eve.client.get(form).status_code in (200, 404, 405)
    table.run_workers()
    assert len(table.all_emails()) == before
    assert "You are Eve" in eve.open("/lobby/")


def test_the_lists_name_every_form(table: Table) -> None:
    rules = [rule for rule in table.app().url_map.iter_rules() if "POST" in (rule.methods or ())]
    forms = [rule for rule in rules if not rule.rule.startswith(token_auth.API_PATHS)]

    assert len(forms) == len(FORMS) + len(OPERATORS_FORMS) + len(FORMS_WITHOUT_CSRF_TOKEN)


def test_api_requests_with_a_cookie_only_are_refused(table: Table, eve: Browser) -> None:
    rules = [rule for rule in table.app().url_map.iter_rules() if "POST" in (rule.methods or ())]
    paths = [rule.rule for rule in rules if rule.rule.startswith(token_auth.API_PATHS)]

    assert paths
    for path in paths:
        answer = eve.client.post(re.sub("<[^>]+>", "1", path), json={"csrf": eve.csrf})
        assert answer.status_code == 401, path


def test_a_form_from_another_site_is_refused_even_with_a_valid_csrf_token(table: Table, eve: Browser) -> None:
    page = eve.answer.get_data(as_text=True)
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found
    data = {"csrf": found[1], "variant": "wild16", "clock": "3d"}
    answer = eve.client.post("/lobby/seek", data=data, headers={"Origin": "https://evil.example"})

    assert answer.status_code == 400


@pytest.mark.parametrize("where", ["//evil.example", "https://evil.example/", "/\\evil.example", "..//x"])
def test_no_page_redirects_to_another_site(table: Table, where: str) -> None:
    browser = Browser(table.app())
    browser.open(f"/sign-in?next={where}")
    browser.client.get(f"/offers/{where}")
    browser.client.get(f"/sign-in?goal={where}")
    browser.sign_in(table, EVE, "Eve")

    assert browser.path == "/lobby/"


def test_the_cookie_has_its_security_attributes(table: Table) -> None:
    client = table.app().test_client()
    local = client.get("/sign-in").headers["Set-Cookie"]
    public = client.get("/sign-in", base_url=f"https://{DOMAIN}").headers["Set-Cookie"]

    assert local.startswith("corr=")
    assert "Secure" not in local
    assert public.startswith("__Host-corr=")
    for cookie, wanted in ((local, 2), (public, 3)):
        assert sum(each in cookie for each in ("HttpOnly", "SameSite=Lax", "Secure;")) == wanted


def test_signing_out_everywhere_ends_every_browser(table: Table, eve: Browser) -> None:
    other = Browser(table.app())
    other.sign_in(table, EVE)
    assert "You are Eve" in other.open("/lobby/")
    eve.open("/games/")
    eve.press("Sign out everywhere")

    assert "Sign in by email" in eve.open("/lobby/")
    assert "Sign in by email" in other.open("/lobby/")


def test_a_signed_out_cookie_signs_nobody_in(table: Table, eve: Browser) -> None:
    stored = eve.client.get_cookie("corr")
    assert stored
    eve.press("Sign out")
    eve.client.set_cookie("corr", stored.value)

    assert "Sign in by email" in eve.open("/lobby/")


def test_the_sign_in_page_does_not_reveal_whether_an_address_is_known(table: Table, eve: Browser) -> None:
    table.write_to_site(FAY, "seek wild16")
    table.reply(FAY, "never again")
    pages = []
    for address in (EVE, FAY, VICTIM):
        stranger = Browser(table.app())
        stranger.open("/sign-in")
        page = stranger.press("Email me a code", address=address)
        wrong = stranger.press("Sign in", number="12345x")
        typed = "the address that was typed"
        pages.append(
            (page.replace(address, typed), wrong.replace(address, typed), stranger.answer.status_code)
        )

    assert len(set(pages)) == 1


def test_the_lobby_shows_nothing_of_a_running_game(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom=FAY, weight="rated", color="white")
    table.run_workers()
    table.reply(FAY, "accept")
    stranger = Browser(table.app())
    before = stranger.open("/lobby/"), eve.open("/lobby/")
    game = next(each for each in table.emails_to(EVE) if each["Subject"].startswith("[corr] Wild 16"))
    table.reply(EVE, "e2e5", to=game)
    table.reply(EVE, "e2e4", to=game)
    table.reply(FAY, "e7e5")

    assert (stranger.open("/lobby/"), eve.open("/lobby/")) == before


# ---------------------------------------------------------------- how challenges end


def test_an_unanswered_challenge_expires_and_the_challenger_hears_of_it(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom=FAY)
    table.run_workers()
    table.clock.advance(days=14, minutes=1)
    table.sweep()

    assert "Nobody accepted your challenge within 14 days" in table.last_text(EVE)
    table.reply(FAY, "accept")
    assert "no longer open" in table.last_text(FAY)


def test_a_challenge_is_withdrawn_by_email(table: Table) -> None:
    table.write_to_site(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "confirm")
    table.reply(EVE, "withdraw")
    assert "You've taken back your challenge" in table.last_text(EVE)
    table.reply(FAY, "accept")

    assert "no longer open" in table.last_text(FAY)


def test_a_challenge_is_withdrawn_on_the_pages(table: Table, eve: Browser) -> None:
    eve.press("Offer to everyone")
    assert "withdrawn" in eve.press("Withdraw")

    assert "No games are on offer right now" in eve.open("/lobby/")


# ---------------------------------------------------------------- operators and players


def test_an_operator_adds_lists_and_deletes_players(table: Table, eve: Browser) -> None:
    now = table.clock()
    players.add(table.server, "Gus", "gus@g.example", now)
    players.add(table.server, "gus", "gus@work.example", now)
    with pytest.raises(Refused, match="looks the same"):
        players.add(table.server, "G-u-s", "mal@m.example", now)
    with pytest.raises(Refused, match="already belongs to Gus"):
        players.add(table.server, "Hal", "gus@work.example", now)
    assert [(each.name, each.addresses) for each in players.list_players(table.server)] == [
        ("Eve", (EVE,)),
        ("Gus", ("gus@g.example", "gus@work.example")),
    ]
    delete_player(table.server, "Eve", now)

    assert "Sign in by email" in eve.open("/lobby/")
    assert [each.name for each in players.list_players(table.server)] == ["Somebody", "Gus"]
    assert EVE not in str(players.list_players(table.server))


def test_a_player_with_a_running_game_cannot_be_deleted(table: Table) -> None:
    table.begin()
    with pytest.raises(Refused, match="ann is still playing: "):
        delete_player(table.server, "ann", table.clock())


def test_orders_may_come_from_any_of_a_players_addresses(table: Table) -> None:
    table.begin()
    players.add(table.server, "ann", "ann@work.example", table.clock())
    table.reply("ann@a.example", "e2e4", sender="Ann <ann@work.example>")

    assert "Your move has been made" in table.last_text("ann@a.example")


def test_a_players_data_can_be_exported(table: Table) -> None:
    table.begin()
    table.reply("ann@a.example", "e2e4")
    stored = export(table.server, "ann")

    assert stored["addresses"] == ["ann@a.example"]
    assert [each["order"] for each in stored["orders"]] == ["e2e4"]
    assert len(stored["letters"]) == 2
