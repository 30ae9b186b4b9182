"""Passkeys: an operator who has one must use it for each decision, and nothing else will do."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, select, update

from corr.service.admin.maintenance import delete_player
from corr.service.players import passkeys, players
from corr.service.players.own_data_rows import export
from corr.store.tables import DecisionRow, PasskeyChallengeRow, PasskeyRow
from corr.words.errors import Refused
from tests.server.web.test_admin import begin
from tests.support.authenticator import (
    PRESENT,
    VERIFIED,
    Authenticator,
    answer_with,
    passkey_request,
    send,
    with_changed_byte,
)
from tests.support.browser import Browser
from tests.support.table import EVE, FAY, Table

OLGA = "Olga@House.example"
SECOND = "olga@second.example"
REASON = "The mail was away."
REFUSED = "We couldn't verify your passkey in time"
NOT_CREATED = "Your browser didn't create a passkey in time"
ACCEPTED = "A worker will do this"
TOO_OLD = "To do this, you must have signed in within the last ten minutes"
WRONG_WAYS = ("from another page", "for another site", "user not verified", "nobody present")
JUNK = ("", "x", "[]", "{}", "null", '{"id": 1}', "[" * 20_000, '{"id":"é","rawId":"é","response":{}}')


@pytest.fixture
def olga(table: Table) -> Browser:
    """The browser of an operator with two addresses."""
    for address in (OLGA, SECOND):
        players.add(table.server, "Olga", address, table.clock())
    return signed_in(table, OLGA)


@pytest.fixture
def key() -> Authenticator:
    return Authenticator()


def signed_in(table: Table, address: str) -> Browser:
    browser = Browser(table.app(None, None, OLGA.casefold()))
    browser.sign_in(table, address)
    browser.open("/settings/")
    return browser


def set_up(
    browser: Browser, key: Authenticator, name: str = "the blue one", *, by: Authenticator | None = None
) -> str:
    """Add a passkey, confirmed by an existing one if there is one; return the next page."""
    browser.open("/settings/")
    browser.press("Add passkey", passkey=name)
    if by:
        answer_with(browser, by.show)
    return answer_with(browser, key.make)


def pause(browser: Browser, code: str) -> str:
    """Fill in the form that pauses a game; return the next page."""
    browser.open(f"/admin/games/{code}")
    return browser.press("Pause the game", reason=REASON)


def set_up_and_pause(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    pause(olga, begin(table))


def count_rows(table: Table, kind: type[DecisionRow | PasskeyRow | PasskeyChallengeRow]) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(kind)).scalar_one()


# ---------------------------------------------------------------- adding and removing


def test_adding_a_passkey_is_announced_to_each_address(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    page = set_up(olga, key)
    table.run_workers()

    assert "Passkey added." in page
    assert "the blue one Added Fri 20 Nov 2026, 12:00 UTC. Not used yet." in page
    for address in (OLGA, SECOND):
        assert table.last_email(address)["Subject"] == "[corr] Your passkeys"
        assert "A passkey was added to your admin account" in table.last_text(address)
        assert "| the blue one" in table.last_text(address)


def test_removing_a_passkey_is_announced_to_each_address(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    olga.press("Remove passkey")
    page = answer_with(olga, key.show)
    table.run_workers()

    assert "“the blue one” removed" in page
    assert count_rows(table, PasskeyRow) == 0
    for address in (OLGA, SECOND):
        assert "This passkey was removed from your admin account" in table.last_text(address)
    assert ACCEPTED in pause(olga, begin(table))


@pytest.mark.parametrize("button", ["Add passkey", "Remove passkey"])
def test_adding_or_removing_needs_a_recent_sign_in(
    table: Table, olga: Browser, key: Authenticator, button: str
) -> None:
    set_up(olga, key)
    table.clock.advance(minutes=10)
    fields = {"passkey": "another"} if button.startswith("Set") else {}
    assert TOO_OLD in olga.press(button, **fields)
    olga.sign_in_on_this_page(table, OLGA)

    assert olga.path == "/settings/"
    assert count_rows(table, PasskeyRow) == 1
    assert TOO_OLD not in olga.press(button, **fields)


def test_adding_or_removing_another_needs_an_existing_passkey(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    """Otherwise anyone who reads an operator's email could remove it."""
    set_up(olga, key)
    thief = Authenticator()
    page = olga.press("Add passkey", passkey="the thief's")
    assert "Action add a passkey Name the thief's" in page
    assert REFUSED in answer_with(olga, thief.show)
    olga.open("/settings/")
    page = olga.press("Remove passkey")
    assert "Action remove a passkey Name the blue one" in page
    assert REFUSED in answer_with(olga, thief.show)

    assert count_rows(table, PasskeyRow) == 1
    assert "removed" in answer_with(olga, key.show)


def test_removing_an_operators_address_needs_the_passkey(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    """Otherwise anyone who reads her email could become an operator without a passkey."""
    set_up(olga, key)
    thief = signed_in(table, SECOND)
    thief.press("Send game emails here")
    page = thief.press("Remove")
    assert f"Action remove an address Address {OLGA}" in page
    assert REFUSED in answer_with(thief, Authenticator().show)
    assert "Confirm with your passkey" in pause(signed_in(table, OLGA), begin(table))
    thief.open("/settings/")
    thief.press("Remove")

    assert f"{OLGA} is no longer one of your addresses" in answer_with(thief, key.show)


def test_a_lost_passkey_is_removed_on_the_command_line(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    with pytest.raises(Refused, match="There is no player called Nobody"):
        passkeys.remove_lost(table.server, "Nobody", table.clock())
    assert passkeys.remove_lost(table.server, "olga", table.clock()) == 1
    table.run_workers()

    for address in (OLGA, SECOND):
        assert "This passkey was removed from your admin account" in table.last_text(address)
    assert ACCEPTED in pause(olga, begin(table))


def test_only_operators_have_passkeys(table: Table, olga: Browser) -> None:
    players.add(table.server, "Eve", EVE, table.clock())
    for address in (EVE, SECOND):
        browser = signed_in(table, address)
        assert "passkey" not in browser.answer.get_data(as_text=True)
        for path in ("", "/add", "/remove"):
            data = {"csrf": browser.csrf, "passkey": "mine", "proof": "{}"}
            assert browser.client.post(f"/settings/passkeys{path}", data=data).status_code == 404
            browser.open("/settings/")


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "\u200b"])
def test_a_passkey_needs_a_short_name(olga: Browser, name: str) -> None:
    assert "Please enter a name" in olga.press("Add passkey", passkey=name)


def test_there_may_be_ten_passkeys_with_different_names(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key, "number 0")
    for number in range(1, 10):
        assert "Passkey added" in set_up(olga, Authenticator(), f"number {number}", by=key)

    olga.press("Add passkey", passkey="number 3")
    assert "You already use this name" in answer_with(olga, key.show)
    olga.press("Add passkey", passkey="number 11")
    assert "You already have 10, which is the maximum" in answer_with(olga, key.show)


def test_a_passkey_cannot_be_added_twice(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    assert NOT_CREATED in set_up(olga, key, "the same", by=key)

    olga.press("Add passkey", passkey="the same")
    answer_with(olga, key.show)
    known = json.loads(passkey_request(olga))["excludeCredentials"]
    assert [each["id"] for each in known] == [json.loads(key.show(passkey_request(olga)))["id"]]


@pytest.mark.parametrize(
    "wrong",
    [
        Authenticator(origin="https://evil.example"),
        Authenticator(site="evil.example"),
        Authenticator(flags=PRESENT),
        Authenticator(flags=VERIFIED),
    ],
    ids=WRONG_WAYS,
)
def test_a_passkey_made_the_wrong_way_is_refused(table: Table, olga: Browser, wrong: Authenticator) -> None:
    assert NOT_CREATED in set_up(olga, wrong)
    assert count_rows(table, PasskeyRow) == 0


@pytest.mark.parametrize("proof", JUNK)
def test_junk_adds_no_passkey(table: Table, olga: Browser, proof: str) -> None:
    olga.press("Add passkey", passkey="junk")

    assert NOT_CREATED in send(olga, proof)
    assert count_rows(table, PasskeyRow) == 0


def test_a_new_passkey_is_valid_for_its_name_its_browser_and_five_minutes(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    other = signed_in(table, OLGA)
    olga.press("Add passkey", passkey="mine")
    page, proof = olga.answer, key.make(passkey_request(olga))
    assert NOT_CREATED in send(olga, proof, passkey="another name")
    other.press("Add passkey", passkey="mine")
    assert NOT_CREATED in send(other, proof)
    table.clock.advance(minutes=5)
    olga.answer = page
    assert NOT_CREATED in send(olga, proof)

    assert count_rows(table, PasskeyRow) == 0


def test_a_passkey_learns_no_internal_number(table: Table, olga: Browser) -> None:
    players.add(table.server, "Fay", FAY, table.clock())
    handles = []
    for address in (OLGA, FAY):
        browser = Browser(table.app(None, None, OLGA.casefold(), FAY))
        browser.sign_in(table, address)
        browser.open("/settings/")
        browser.press("Add passkey", passkey="mine")
        handles.append(json.loads(passkey_request(browser))["user"]["id"])

    assert len(set(handles)) == 2
    assert {len(each) for each in handles} == {43}


# ---------------------------------------------------------------- used for a decision


def test_an_operator_without_a_passkey_needs_none(table: Table, olga: Browser) -> None:
    assert ACCEPTED in pause(olga, begin(table))


def test_a_decision_is_stored_once_the_passkey_was_used(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    code = begin(table)
    page = pause(olga, code)
    assert "Confirm with your passkey" in page
    assert f"Game {code} Action pause the game" in page
    assert REASON in page
    table.run_workers()
    assert count_rows(table, DecisionRow) == 0

    assert ACCEPTED in answer_with(olga, key.show)
    table.run_workers()
    assert ": pause the game" in olga.open(f"/admin/games/{code}")
    assert "Last used Fri 20 Nov 2026, 12:00 UTC." in olga.open("/settings/")
    assert count_rows(table, PasskeyChallengeRow) == 0


def test_resending_all_emails_needs_the_passkey(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    olga.open("/admin/")
    assert "Email resend all undelivered emails" in olga.press("Resend all")

    assert "Emails queued to be sent again: 0." in answer_with(olga, key.show)


@pytest.mark.parametrize(
    "change", [{"reason": "Because."}, {"deed": "resume"}, {"number": "2"}, {"end": "white"}]
)
def test_a_proof_is_valid_only_for_the_form_that_was_shown(
    table: Table, olga: Browser, key: Authenticator, change: dict[str, str]
) -> None:
    set_up_and_pause(table, olga, key)

    assert REFUSED in send(olga, key.show(passkey_request(olga)), **change)
    assert count_rows(table, DecisionRow) == 0


def test_a_proof_for_one_game_is_not_valid_for_another(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up(olga, key)
    one, other = begin(table), table.challenge()
    pause(olga, one)
    proof = key.show(passkey_request(olga))
    olga.open(f"/admin/games/{other}")
    olga.press("End the game", reason=REASON, end="void")

    assert REFUSED in send(olga, proof)
    assert count_rows(table, DecisionRow) == 0


def test_a_proof_is_valid_once(table: Table, olga: Browser, key: Authenticator) -> None:
    key.counts = False
    set_up_and_pause(table, olga, key)
    page, proof = olga.answer, key.show(passkey_request(olga))
    send(olga, proof)
    olga.answer = page

    assert REFUSED in send(olga, proof)
    assert count_rows(table, DecisionRow) == 1


def test_a_proof_expires_after_five_minutes(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up_and_pause(table, olga, key)
    proof = key.show(passkey_request(olga))
    table.clock.advance(minutes=5)
    assert "in time" in send(olga, proof)

    assert ACCEPTED in answer_with(olga, key.show)


def test_a_proof_from_another_browser_is_refused(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    code, other = begin(table), signed_in(table, OLGA)
    pause(other, code)
    proof = key.show(passkey_request(other))
    pause(olga, code)

    assert REFUSED in send(olga, proof)
    assert count_rows(table, DecisionRow) == 0


def test_a_lower_count_means_a_copied_passkey_and_is_refused(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    key.count = 7
    set_up_and_pause(table, olga, key)
    key.count = 6

    assert REFUSED in answer_with(olga, key.show)
    assert ACCEPTED in answer_with(olga, key.show)


@pytest.mark.parametrize("part", ["signature", "authenticatorData", "clientDataJSON"])
def test_a_proof_with_one_changed_byte_is_refused(
    table: Table, olga: Browser, key: Authenticator, part: str
) -> None:
    set_up_and_pause(table, olga, key)

    assert REFUSED in send(olga, with_changed_byte(key.show(passkey_request(olga)), part))
    assert count_rows(table, DecisionRow) == 0


@pytest.mark.parametrize(
    "change",
    [{"origin": "https://evil.example"}, {"site": "evil.example"}, {"flags": PRESENT}, {"flags": VERIFIED}],
    ids=WRONG_WAYS,
)
def test_a_passkey_used_the_wrong_way_is_refused(
    table: Table, olga: Browser, key: Authenticator, change: dict[str, str | int]
) -> None:
    set_up_and_pause(table, olga, key)
    for name, value in change.items():
        setattr(key, name, value)

    assert REFUSED in answer_with(olga, key.show)
    assert count_rows(table, DecisionRow) == 0


@pytest.mark.parametrize("proof", JUNK)
def test_junk_decides_nothing(table: Table, olga: Browser, key: Authenticator, proof: str) -> None:
    set_up_and_pause(table, olga, key)

    assert REFUSED in send(olga, proof)
    assert count_rows(table, DecisionRow) == 0


def test_a_removed_or_unknown_passkey_is_refused(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    set_up(olga, Authenticator(), "the other one", by=key)
    code = begin(table)
    pause(olga, code)
    assert REFUSED in send(olga, Authenticator().show(passkey_request(olga)))
    olga.open("/settings/")
    olga.press("Remove passkey")
    answer_with(olga, key.show)
    pause(olga, code)

    assert REFUSED in answer_with(olga, key.show)
    assert count_rows(table, DecisionRow) == 0


def test_another_operators_passkey_is_refused(table: Table, olga: Browser, key: Authenticator) -> None:
    players.add(table.server, "Fay", FAY, table.clock())
    fay = Browser(table.app(None, None, OLGA.casefold(), FAY))
    fay.sign_in(table, FAY)
    fays = Authenticator()
    set_up(fay, fays)
    set_up_and_pause(table, olga, key)

    assert REFUSED in send(olga, fays.show(passkey_request(olga)))
    assert count_rows(table, DecisionRow) == 0


# ---------------------------------------------------------------- storage


def test_challenges_are_stored_as_digests_for_five_minutes(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up_and_pause(table, olga, key)
    challenge = json.loads(passkey_request(olga))["challenge"]
    with table.server.store.reading() as connection:
        (row,) = connection.execute(select(PasskeyChallengeRow.__table__))
    assert challenge not in str(row)
    table.sweep()
    assert count_rows(table, PasskeyChallengeRow) == 1
    table.clock.advance(minutes=5)
    table.sweep()

    assert count_rows(table, PasskeyChallengeRow) == 0


def test_deleting_a_player_deletes_their_passkeys(table: Table, olga: Browser, key: Authenticator) -> None:
    set_up(olga, key)
    assert export(table.server, "Olga")["passkeys"] == ["the blue one"]
    delete_player(table.server, "Olga", table.clock())

    assert count_rows(table, PasskeyRow) == 0


def test_a_passkey_without_a_counter_can_be_used_again(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    key.counts = False
    set_up(olga, key)
    code = begin(table)
    pause(olga, code)
    assert ACCEPTED in answer_with(olga, key.show)
    table.run_workers()
    olga.open(f"/admin/games/{code}")
    olga.press("Resume the game", reason=REASON)

    assert ACCEPTED in answer_with(olga, key.show)


def test_a_count_that_another_process_just_stored_is_refused(
    table: Table, olga: Browser, key: Authenticator
) -> None:
    set_up_and_pause(table, olga, key)
    proof = key.show(passkey_request(olga))
    with table.server.store.writing() as connection:
        connection.execute(update(PasskeyRow).values(sign_count=1))

    assert REFUSED in send(olga, proof)
