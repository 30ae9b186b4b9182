"""The website's own PostgreSQL role: all pages work with it, and it can't read a truth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import ProgrammingError

from corr.mail.outward.transport import DeliveryFate
from corr.proof.proof import prove
from corr.proof.verify import split_lines
from corr.service.events import admin_log
from corr.service.events import page as events
from corr.service.games import finished
from corr.store import database_roles, version
from corr.store.session import Store
from corr.words.errors import Refused
from tests.support import events as people
from tests.support.authenticator import Authenticator, answer_with
from tests.support.browser import Browser, text_of_page
from tests.support.database_servers import PostgresServer
from tests.support.every_page import PAGES, build_sample_site
from tests.support.moody_transport import ScriptedMailer, send_all_due
from tests.support.push_device import endpoint, pending_test_pushes, public_and_secret
from tests.support.table import ANN, BEN, EVE, FAY, OLGA, Table, make_table
from tests.support.unsubscribe_headers import unsubscribe_page, unsubscribe_with_one_click, with_wrong_token

FORBIDDEN = (
    "SELECT sealed FROM truths",
    "SELECT salt FROM leaves",
    "UPDATE leaves SET disclosed = NULL",
    "SELECT thought FROM thoughts",
    "SELECT key FROM seats",
    "SELECT raw FROM originals",
    "SELECT message FROM parcels",
    "SELECT text FROM quotables",
    "DELETE FROM parcels",
    "SELECT raw FROM site_inbox",
    "SELECT message FROM site_parcels",
    "SELECT text FROM site_quotables",
    "DELETE FROM sessions",
    "SELECT address FROM players",
    "UPDATE players SET id = 7",
    "UPDATE ratings SET rating = 3000",
    "UPDATE rated_games SET winner = NULL",
    "DELETE FROM players",
    "UPDATE tokens SET player_id = 1",
    "UPDATE seats SET player_id = 1",
    "UPDATE seats SET accepted = true",
    "DELETE FROM correspondents",
    "UPDATE site_inbox SET read_at = 1",
    "UPDATE site_outbox SET correspondent_id = 1",
    "UPDATE games SET state = 'over'",
    "UPDATE subscriptions SET endpoint = 'another'",
    "UPDATE secrets SET value = 'another'",
    "DELETE FROM inbox",
    "SELECT words FROM letter_words",
    "UPDATE outbox SET sent_at = NULL",
    "UPDATE outbox SET seat_id = 1",
    "UPDATE games SET paused_at = 0",
    "UPDATE decrees SET reason = 'another'",
    "INSERT INTO decrees (said) VALUES ('done')",
)


@pytest.fixture
def web(postgres: PostgresServer, postgres_url: str, tmp_path: Path) -> Iterator[Table]:
    """A server with a running game, through the website's role."""
    table = make_table(tmp_path, postgres_url)
    table.begin()
    postgres.run("DROP ROLE IF EXISTS corr_web", "CREATE ROLE corr_web LOGIN")
    database_roles.grant_web_rights(table.server.store, "corr_web")
    store = Store(postgres_url.replace("postgres@", "corr_web@"))
    yield replace(table, server=replace(table.server, store=store))
    store.close()
    with table.server.store.writing() as connection:
        connection.exec_driver_sql("DROP OWNED BY corr_web")
    table.server.store.close()


@pytest.fixture
def owner(web: Table) -> Iterator[Table]:
    """The same server, through the database's owner."""
    store = Store((web.spool.parent / "database").read_text())
    yield replace(web, server=replace(web.server, store=store))
    store.close()


def assert_denied(web: Table, statement: str) -> None:
    with (
        web.server.store.engine.connect() as connection,
        pytest.raises(ProgrammingError, match="permission denied"),
    ):
        connection.exec_driver_sql(statement)


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_web_role_is_refused_what_it_does_not_need(web: Table, statement: str) -> None:
    assert_denied(web, statement)


def test_the_version_and_health_checks_work(web: Table) -> None:
    client = web.app().test_client()

    version.require_newest(web.server.store)
    assert client.get("/").status_code == 200
    assert client.get("/healthz").get_json()["ok"] is True
    assert client.get("/healthz", headers={"Via": "a proxy"}).get_data(as_text=True) == "ok\n"


def test_every_page_opens(web: Table, owner: Table) -> None:
    stage = replace(build_sample_site(owner), app=web.app(None, None, OLGA))

    shown = {page.name: stage.client(page.who).open(page.path(stage), method=page.method) for page in PAGES}

    assert {name: answer.status_code for name, answer in shown.items()} == {
        page.name: page.status for page in PAGES
    }


def test_players_can_start_games(web: Table, owner: Table) -> None:
    people = [Browser(web.app()) for _ in range(2)]
    for person, address, name in zip(people, (EVE, FAY), ("Eve", "Fay"), strict=True):
        person.sign_in(owner, address, name)
    people[0].press("Challenge", whom="Fay")
    assert "Challenge sent" in people[0].press("Challenge", whom="gus@g.example")
    people[0].press("Offer to everyone")
    assert "Your private link" in people[0].press("Create private link")
    people[0].open("/lobby/")
    assert "Starting your game" in people[0].press("Start the tutorial")
    owner.run_workers()

    for person in people:
        person.open("/games/")
    assert "The game has started" in people[1].press("Accept")
    people[1].open("/lobby/")
    people[1].press("Play")
    people[0].open("/lobby/")
    assert "We're setting up the board" in people[0].press("Play Pip")
    owner.run_workers()
    assert "Wild 16 · move 1" in people[0].open(people[0].path)

    assert str(owner.last_email(FAY)["Subject"]).startswith("[corr] Wild 16 with Eve")


def test_events_can_be_entered_left_and_corrected(web: Table, owner: Table) -> None:
    for name in people.FIVE:
        people.make_player(owner, name)
        event = people.enter_section(web, name)
    owner.run_workers()
    climbed = [people.enter_pyramid(web, name) for name in people.FIVE[:2]]
    people.challenge(web, climbed[0], *people.FIVE[:2])
    people.end_game(owner, people.running_games(owner, event)[0], "white")
    events.withdraw(web.server, people.make_player(owner, "Ada"), event.code, owner.clock())
    by = admin_log.ActRequest(people.make_player(owner, "Olga").who, "1", "It was wrong.")
    game = str(people.load_standings(owner, event).games[-1].id)
    admin_log.set_score(web.server, by, event.code, game, "draw", owner.clock())
    admin_log.stop_event(web.server, by._replace(number="2"), event.code, owner.clock())
    owner.run_workers()

    assert len(events.load_page(web.server, None, event.code).acts) == 2


def test_a_player_can_change_every_setting(web: Table, owner: Table) -> None:
    browser = Browser(web.app())
    browser.sign_in(owner, ANN)
    browser.open("/settings/")
    pages = [
        browser.press("Save profile", name="Anna"),
        browser.press("Save profile", zone="Europe/Paris"),
        browser.press("Save notifications", mail="off"),
        browser.press("Save notifications", file="json"),
        browser.press("Save appearance", men="letters"),
        browser.press("Save profile", page="off"),
        browser.press("Save profile", about="At night."),
        browser.press("Add address", address=EVE),
    ]
    owner.run_workers()
    found = re.search(r'the six digits "(\d{6})"', owner.last_text(EVE))
    assert found
    pages += [browser.press("Add the address", number=found[1]), browser.press("Remove")]

    expected = (
        "Anna",
        "Paris",
        "We no longer email you about your games",
        "slip.json",
        "Appearance saved",
        "Your page is hidden",
        "The text about you on your page is saved",
        "unless we've been asked not to",
        "one of",
        "no longer one of",
    )
    for page, text in zip(pages, expected, strict=True):
        assert text in page


def test_own_data_and_open_data_can_be_downloaded(web: Table, owner: Table) -> None:
    owner.reply(BEN, "publish name\nresign resign")
    browser = Browser(web.app())
    browser.sign_in(owner, ANN)
    browser.open("/settings/")
    assert "under the pen name" in browser.press("Save game settings", publish="yes")
    month = owner.clock().strftime("%Y-%m")

    assert f"/open/{month}.pgn" in browser.client.get("/open").get_data(as_text=True)
    for kind in ("records", "pgn", "rbc"):
        assert browser.client.get(f"/open/{month}.{kind}").status_code == 200
    assert 'Result "1-0"' in browser.client.get(f"/open/{month}.pgn").get_data(as_text=True)
    assert len(browser.client.get("/settings/data").get_json()["records"]) == 1


def test_emails_can_be_stopped(web: Table, owner: Table) -> None:
    owner.play("e2e4", "e7e5")
    page = unsubscribe_page(owner.last_email(ANN))

    assert unsubscribe_with_one_click(web.app(), page).status_code == 200
    owner.run_workers()
    assert "so we no longer email you about each move in your games" in owner.last_text(ANN)
    assert unsubscribe_with_one_click(web.app(), with_wrong_token(page)).status_code == 404


def test_a_player_can_add_test_and_remove_a_device(web: Table, owner: Table) -> None:
    browser, (public, secret) = Browser(web.app()), public_and_secret()
    browser.sign_in(owner, ANN)
    browser.open("/settings/")
    device = {"csrf": browser.csrf, "endpoint": endpoint(), "p256dh": public, "auth": secret}
    for _ in range(2):
        browser.client.post("/settings/push/subscribe", data=device)

        assert "We'll notify this device" in browser.open("/settings/")
    assert "is on its way" in browser.press("Send a test")
    assert len(pending_test_pushes(owner.server)) == 1
    assert "We'll no longer notify" in browser.press("Remove")


def test_an_operator_can_add_use_and_remove_a_passkey(web: Table, owner: Table) -> None:
    browser, key = Browser(web.app(None, None, ANN)), Authenticator()
    browser.sign_in(owner, ANN)
    browser.open("/settings/")
    browser.press("Add passkey", passkey="mine")
    assert "Passkey added" in answer_with(browser, key.make)
    browser.open("/admin/")
    browser.press("Resend all")
    assert "queued to be sent again" in answer_with(browser, key.show)
    browser.open("/settings/")

    browser.press("Remove passkey")
    assert "removed" in answer_with(browser, key.show)


def test_a_finished_game_can_be_read(web: Table, owner: Table) -> None:
    owner.play("e2e4", "e7e5")
    owner.reply(ANN, "resign resign")
    with web.server.store.reading() as connection:
        code = connection.exec_driver_sql("SELECT code FROM games").scalar_one()
        mark = finished.find_page_key(connection, code)
    anns = Browser(web.app())
    anns.sign_in(owner, ANN)

    assert "White resigns. Black wins." in anns.open(f"/finished/{mark}?from=white&at=1")
    assert anns.client.get(f"/finished/{mark}/game.pgn").status_code == 200
    record = anns.client.get(f"/games/{code}/record")
    assert prove(split_lines(record.data)).holds


def test_the_operators_pages_work(web: Table, owner: Table) -> None:
    olga = Browser(web.app(None, None, "olga@house.example"))
    olga.sign_in(owner, "olga@house.example")
    owner.deliver(owner.reply_email(ANN, "help"))
    owner.read_emails()
    send_all_due(owner, ScriptedMailer([DeliveryFate.NEVER]))

    assert "an answer in a game" in olga.open("/admin/")
    olga.press("Resend")
    assert "Emails queued to be sent again: 0." in olga.press("Resend all")
    code = re.search(r"\w{5} : Wild 16", text_of_page(olga.client.get("/admin/games?for=ann").text))
    assert code
    assert code[0] in olga.open("/admin/games")
    olga.open(f"/admin/games/{code[0][:5]}")
    assert "Waiting for a worker." in olga.press("Pause the game", reason="The mail was away.")
    owner.run_workers()

    assert "An admin has paused the game." in owner.last_text(ANN)
    assert "An admin has paused the game." in olga.open(f"/admin/games/{code[0][:5]}")


def test_granting_again_revokes_older_rights(web: Table, postgres_url: str) -> None:
    owner = Store(postgres_url)
    with owner.writing() as connection:
        connection.exec_driver_sql("GRANT ALL ON truths TO corr_web")
    database_roles.grant_web_rights(owner, "corr_web")
    owner.close()

    assert_denied(web, "SELECT sealed FROM truths")


def test_a_missing_role_is_refused_with_the_command_that_creates_it(postgres_url: str) -> None:
    store = Store(postgres_url)

    with pytest.raises(Refused, match=r'role "nobody; --" does not exist.*createuser'):
        database_roles.grant_web_rights(store, "nobody; --")
    store.close()


def test_sqlite_has_no_roles(sqlite_table: Table) -> None:
    with pytest.raises(Refused, match="SQLite has no roles"):
        database_roles.grant_web_rights(sqlite_table.server.store, "corr_web")


def test_a_guest_can_play_and_keep_the_game(web: Table, owner: Table) -> None:
    guest = Browser(web.app())
    guest.press("Play now")
    owner.run_workers()
    assert "you are White" in guest.open(guest.path)
    guest.send("e2e4")
    owner.run_workers()
    guest.open(guest.path)
    guest.press("Keep this game", address=EVE)
    owner.run_workers()
    found = re.search(r'"(\d{6})"', owner.last_text(EVE))
    assert found
    guest.press("Sign in", number=found[1])
    owner.run_workers()

    assert "Pip (bot)" in guest.open("/games/")
