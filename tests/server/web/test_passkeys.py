"""An operator who has a passkey shows it for each decree; whatever is not just that is refused."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, select, update

from corr.service.admin.maintenance import delete_player
from corr.service.players import passkeys, players
from corr.service.players.own_data_rows import export
from corr.store.tables import DecisionRow, PasskeyChallengeRow, PasskeyRow
from corr.words.errors import Refused
from tests.support.authenticator import PRESENT, VERIFIED, Authenticator, changed, press_by, send, wanted_by
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, EVE, FAY, Table

OLGA = "Olga@House.example"
SECOND = "olga@second.example"
REASON = "The mail was away."
JUNK = ("", "x", "[]", "{}", "null", '{"id": 1}', "[" * 20_000, '{"id":"é","rawId":"é","response":{}}')


@pytest.fixture
def olga(table: Table) -> Browser:
    """The browser of an operator, who reads letters at two addresses."""
    for address in (OLGA, SECOND):
        players.add(table.server, "Olga", address, table.clock())
    return let_in(table, OLGA)


@pytest.fixture
def key() -> Authenticator:
    return Authenticator()


def let_in(table: Table, address: str) -> Browser:
    browser = Browser(table.app(None, None, OLGA.casefold()))
    browser.sign_in(table, address)
    browser.open("/settings/")
    return browser


def begin(table: Table) -> str:
    code = table.challenge()
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    return code


def set_up(
    browser: Browser, key: Authenticator, name: str = "the blue one", *, by: Authenticator | None = None
) -> str:
    """A passkey more, by one that already exists if there is one; the page that follows."""
    browser.open("/settings/")
    browser.press("Add passkey", passkey=name)
    if by:
        press_by(browser, by.show)
    return press_by(browser, key.make)


def pause(browser: Browser, code: str) -> str:
    """Fill in that a game is paused; the page that follows."""
    browser.open(f"/admin/games/{code}")
    return browser.press("Pause the game", reason=REASON)


def how_many(table: Table, kind: type[DecisionRow | PasskeyRow | PasskeyChallengeRow]) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(kind)).scalar_one()


# ---------------------------------------------------------------- set up, and taken away


def test_one_is_set_up_and_a_letter_to_each_address_says_so(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    page = set_up(olga, key)
    table.work()

    assert "Passkey added." in page
    assert "the blue one Added Fri 20 Nov 2026, 12:00 UTC. Not used yet." in page
    for address in (OLGA, SECOND):
        assert table.newest(address)["Subject"] == "[corr] Your passkeys"
        assert "A passkey was added to your admin account" in table.says(address)
        assert "| the blue one" in table.says(address)


def test_it_is_taken_away_and_a_letter_to_each_address_says_so(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    olga.press("Remove passkey")
    page = press_by(olga, key.show)
    table.work()

    assert "“the blue one” removed" in page
    assert how_many(table, PasskeyRow) == 0
    for address in (OLGA, SECOND):
        assert "This passkey was removed from your admin account" in table.says(address)
    assert "A worker will do this" in pause(olga, begin(table))


@pytest.mark.parametrize("button", ["Add passkey", "Remove passkey"])
def test_neither_is_done_before_one_has_signed_in_once_more(
    table: Table, olga: Browser, key: Authenticator, button: str
) -> None:
    set_up(olga, key)
    table.clock.pass_by(minutes=10)
    fields = {"passkey": "another"} if button.startswith("Set") else {}
    assert "For this, your sign-in must be less than ten minutes old" in olga.press(button, **fields)
    olga.sign_in_here(table, OLGA)

    assert olga.at == "/settings/"
    assert how_many(table, PasskeyRow) == 1
    assert "For this, your sign-in must be less than ten minutes old" not in olga.press(button, **fields)


def test_who_has_one_shows_it_to_set_up_another_or_to_take_one_away(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    """Whoever reads an operator's letters alone would be rid of it otherwise."""
    set_up(olga, key)
    thief = Authenticator()
    page = olga.press("Add passkey", passkey="the thief's")
    assert "Action add a passkey Name the thief's" in page
    assert "We couldn't verify your passkey in time" in press_by(olga, thief.show)
    olga.open("/settings/")
    page = olga.press("Remove passkey")
    assert "Action remove a passkey Name the blue one" in page
    assert "We couldn't verify your passkey in time" in press_by(olga, thief.show)

    assert how_many(table, PasskeyRow) == 1
    assert "removed" in press_by(olga, key.show)


def test_an_operators_address_is_taken_away_when_one_was_shown(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    """Whoever reads her letters alone would come by it as an operator of whom there is no passkey."""
    set_up(olga, key)
    thief = let_in(table, SECOND)
    thief.press("Send game emails here")
    page = thief.press("Remove")
    assert f"Action remove an address Address {OLGA}" in page
    assert "We couldn't verify your passkey in time" in press_by(thief, Authenticator().show)
    assert "Confirm with your passkey" in pause(let_in(table, OLGA), begin(table))
    thief.open("/settings/")
    thief.press("Remove")

    assert f"{OLGA} is no longer one of your addresses" in press_by(thief, key.show)


def test_one_that_is_lost_is_taken_away_at_the_console(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    with pytest.raises(Refused, match="There is no player called Nobody"):
        passkeys.remove_lost(table.server, "Nobody", table.clock())
    assert passkeys.remove_lost(table.server, "olga", table.clock()) == 1
    table.work()

    for address in (OLGA, SECOND):
        assert "This passkey was removed from your admin account" in table.says(address)
    assert "A worker will do this" in pause(olga, begin(table))


def test_they_are_for_operators_alone(table: Table, olga: Browser) -> None:
    players.add(table.server, "Eve", EVE, table.clock())
    for address in (EVE, SECOND):
        browser = let_in(table, address)
        assert "passkey" not in browser.answer.get_data(as_text=True)
        for path in ("", "/add", "/remove"):
            data = {"csrf": browser.csrf, "passkey": "mine", "proof": "{}"}
            assert browser.client.post(f"/settings/passkeys{path}", data=data).status_code == 404
            browser.open("/settings/")


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "\u200b"])
def test_one_without_a_name_or_with_a_long_one_is_refused_with_a_sentence(olga: Browser, name: str) -> None:
    assert "Please enter a name" in olga.press("Add passkey", passkey=name)


def test_ten_at_most_and_each_of_another_name(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key, "number 0")
    for number in range(1, 10):
        assert "Passkey added" in set_up(olga, Authenticator(), f"number {number}", by=key)

    olga.press("Add passkey", passkey="number 3")
    assert "You already use this name" in press_by(olga, key.show)
    olga.press("Add passkey", passkey="number 11")
    assert "You already have 10, which is the maximum" in press_by(olga, key.show)


def test_one_that_is_known_is_not_set_up_again(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    assert "Your browser didn't create a passkey in time" in set_up(olga, key, "the same", by=key)

    olga.press("Add passkey", passkey="the same")
    press_by(olga, key.show)
    known = json.loads(wanted_by(olga))["excludeCredentials"]
    assert [each["id"] for each in known] == [json.loads(key.show(wanted_by(olga)))["id"]]


@pytest.mark.parametrize(
    "odd",
    [
        Authenticator(origin="https://evil.example"),
        Authenticator(site="evil.example"),
        Authenticator(flags=PRESENT),
        Authenticator(flags=VERIFIED),
    ],
    ids=["from another page", "for another site", "without asking who it is", "without anybody there"],
)
def test_one_that_is_made_otherwise_is_refused(table: Table, olga: Browser, odd: Authenticator) -> None:
    assert "Your browser didn't create a passkey in time" in set_up(olga, odd)
    assert how_many(table, PasskeyRow) == 0


@pytest.mark.parametrize("proof", JUNK)
def test_junk_sets_up_nothing(table: Table, olga: Browser, proof: str) -> None:
    olga.press("Add passkey", passkey="junk")

    assert "Your browser didn't create a passkey in time" in send(olga, proof)
    assert how_many(table, PasskeyRow) == 0


def test_what_was_made_is_good_for_its_name_its_browser_and_five_minutes(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    other = let_in(table, OLGA)
    olga.press("Add passkey", passkey="mine")
    page, proof = olga.answer, key.make(wanted_by(olga))
    assert "Your browser didn't create a passkey in time" in send(olga, proof, passkey="another name")
    other.press("Add passkey", passkey="mine")
    assert "Your browser didn't create a passkey in time" in send(other, proof)
    table.clock.pass_by(minutes=5)
    olga.answer = page
    assert "Your browser didn't create a passkey in time" in send(olga, proof)

    assert how_many(table, PasskeyRow) == 0


def test_no_number_of_the_house_is_told_to_a_passkey(table: Table, olga: Browser) -> None:
    players.add(table.server, "Fay", FAY, table.clock())
    handles = []
    for address in (OLGA, FAY):
        browser = Browser(table.app(None, None, OLGA.casefold(), FAY))
        browser.sign_in(table, address)
        browser.open("/settings/")
        browser.press("Add passkey", passkey="mine")
        handles.append(json.loads(wanted_by(browser))["user"]["id"])

    assert len(set(handles)) == 2
    assert {len(each) for each in handles} == {43}


# ---------------------------------------------------------------- shown for a decree


def test_without_one_a_decree_needs_none(table: Table, olga: Browser) -> None:
    assert "A worker will do this" in pause(olga, begin(table))


def test_a_decree_is_entered_when_it_was_shown(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    code = begin(table)
    page = pause(olga, code)
    assert "Confirm with your passkey" in page
    assert f"Game {code} Action pause the game" in page
    assert REASON in page
    table.work()
    assert how_many(table, DecisionRow) == 0

    assert "A worker will do this" in press_by(olga, key.show)
    table.work()
    assert ": pause the game" in olga.open(f"/admin/games/{code}")
    assert "Last used Fri 20 Nov 2026, 12:00 UTC." in olga.open("/settings/")
    assert how_many(table, PasskeyChallengeRow) == 0


def test_letters_that_were_given_up_are_sent_again_when_it_was_shown(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    olga.open("/admin/")
    assert "Email resend all undelivered emails" in olga.press("Resend all")

    assert "Emails queued to be sent again: 0." in press_by(olga, key.show)


@pytest.mark.parametrize(
    "change", [{"reason": "Because."}, {"deed": "resume"}, {"number": "2"}, {"end": "white"}]
)
def test_what_was_shown_is_good_for_just_what_stood_there(
    table: Table, olga: Browser, key: Authenticator, change: dict[str, str]
) -> None:
    set_up(olga, key)
    pause(olga, begin(table))

    assert "We couldn't verify your passkey in time" in send(olga, key.show(wanted_by(olga)), **change)
    assert how_many(table, DecisionRow) == 0


def test_what_was_shown_for_one_game_is_not_good_for_another(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    one, other = begin(table), table.challenge()
    pause(olga, one)
    proof = key.show(wanted_by(olga))
    olga.open(f"/admin/games/{other}")
    olga.press("End the game", reason=REASON, end="void")

    assert "We couldn't verify your passkey in time" in send(olga, proof)
    assert how_many(table, DecisionRow) == 0


def test_it_is_shown_once_for_each_decree(table: Table, olga: Browser, key: Authenticator) -> None:
    key.counts = False
    set_up(olga, key)
    pause(olga, begin(table))
    page, proof = olga.answer, key.show(wanted_by(olga))
    send(olga, proof)
    olga.answer = page

    assert "We couldn't verify your passkey in time" in send(olga, proof)
    assert how_many(table, DecisionRow) == 1


def test_after_five_minutes_it_is_asked_for_anew(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    pause(olga, begin(table))
    proof = key.show(wanted_by(olga))
    table.clock.pass_by(minutes=5)
    assert "in time" in send(olga, proof)

    assert "A worker will do this" in press_by(olga, key.show)


def test_what_was_shown_at_another_browser_is_good_for_nothing_here(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    code, other = begin(table), let_in(table, OLGA)
    pause(other, code)
    proof = key.show(wanted_by(other))
    pause(olga, code)

    assert "We couldn't verify your passkey in time" in send(olga, proof)
    assert how_many(table, DecisionRow) == 0


def test_a_count_that_went_back_is_a_copied_passkeys(table: Table, olga: Browser, key: Authenticator) -> None:
    key.count = 7
    set_up(olga, key)
    pause(olga, begin(table))
    key.count = 6

    assert "We couldn't verify your passkey in time" in press_by(olga, key.show)
    assert "A worker will do this" in press_by(olga, key.show)


@pytest.mark.parametrize("part", ["signature", "authenticatorData", "clientDataJSON"])
def test_a_byte_of_it_that_is_another_spoils_it(
    table: Table, olga: Browser, key: Authenticator, part: str
) -> None:
    set_up(olga, key)
    pause(olga, begin(table))

    assert "We couldn't verify your passkey in time" in send(olga, changed(key.show(wanted_by(olga)), part))
    assert how_many(table, DecisionRow) == 0


@pytest.mark.parametrize(
    "change",
    [{"origin": "https://evil.example"}, {"site": "evil.example"}, {"flags": PRESENT}, {"flags": VERIFIED}],
    ids=["from another page", "for another site", "without asking who it is", "without anybody there"],
)
def test_one_that_is_shown_otherwise_is_refused(
    table: Table, olga: Browser, key: Authenticator, change: dict[str, str | int]
) -> None:
    set_up(olga, key)
    pause(olga, begin(table))
    for name, value in change.items():
        setattr(key, name, value)

    assert "We couldn't verify your passkey in time" in press_by(olga, key.show)
    assert how_many(table, DecisionRow) == 0


@pytest.mark.parametrize("proof", JUNK)
def test_junk_decrees_nothing(table: Table, olga: Browser, key: Authenticator, proof: str) -> None:
    set_up(olga, key)
    pause(olga, begin(table))

    assert "We couldn't verify your passkey in time" in send(olga, proof)
    assert how_many(table, DecisionRow) == 0


def test_a_passkey_that_was_taken_away_or_was_never_set_up_is_no_good(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    set_up(olga, Authenticator(), "the other one", by=key)
    code = begin(table)
    pause(olga, code)
    assert "We couldn't verify your passkey in time" in send(olga, Authenticator().show(wanted_by(olga)))
    olga.open("/settings/")
    olga.press("Remove passkey")
    press_by(olga, key.show)
    pause(olga, code)

    assert "We couldn't verify your passkey in time" in press_by(olga, key.show)
    assert how_many(table, DecisionRow) == 0


def test_another_operators_passkey_is_no_good(table: Table, olga: Browser, key: Authenticator) -> None:
    players.add(table.server, "Fay", FAY, table.clock())
    fay = Browser(table.app(None, None, OLGA.casefold(), FAY))
    fay.sign_in(table, FAY)
    fays = Authenticator()
    set_up(fay, fays)
    set_up(olga, key)
    pause(olga, begin(table))

    assert "We couldn't verify your passkey in time" in send(olga, fays.show(wanted_by(olga)))
    assert how_many(table, DecisionRow) == 0


# ---------------------------------------------------------------- what is kept


def test_questions_are_kept_as_digests_and_for_five_minutes(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    pause(olga, begin(table))
    challenge = json.loads(wanted_by(olga))["challenge"]
    with table.server.store.reading() as connection:
        (row,) = connection.execute(select(PasskeyChallengeRow.__table__))
    assert challenge not in str(row)
    table.sweep()
    assert how_many(table, PasskeyChallengeRow) == 1
    table.clock.pass_by(minutes=5)
    table.sweep()

    assert how_many(table, PasskeyChallengeRow) == 0


def test_of_somebody_who_is_forgotten_no_passkey_is_kept(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    assert export(table.server, "Olga")["passkeys"] == ["the blue one"]
    delete_player(table.server, "Olga", table.clock())

    assert how_many(table, PasskeyRow) == 0


def test_a_passkey_that_does_not_count_is_good_again_and_again(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    key.counts = False
    set_up(olga, key)
    code = begin(table)
    pause(olga, code)
    assert "A worker will do this" in press_by(olga, key.show)
    table.work()
    olga.open(f"/admin/games/{code}")
    olga.press("Resume the game", reason=REASON)

    assert "A worker will do this" in press_by(olga, key.show)


def test_two_who_show_the_same_count_at_once_are_one_too_many(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    """What another process has counted in the meantime counts."""
    set_up(olga, key)
    pause(olga, begin(table))
    proof = key.show(wanted_by(olga))
    with table.server.store.writing() as connection:
        connection.execute(update(PasskeyRow).values(sign_count=1))

    assert "We couldn't verify your passkey in time" in send(olga, proof)
