"""Orders through the API: judged like those from a page, once for each stamp."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from corr.service.players import players
from corr.store.tables import GameRow, InboxRow
from tests.support.api_bots import ApiBot, first_game_code, make_token
from tests.support.bot_game import challenge, let_bots_think
from tests.support.table import ANN, Table


@pytest.fixture
def guest(table: Table) -> ApiBot:
    """Ann's bot, to move as White in a game of Wild 16 against Pip."""
    challenge(table, "Pip", "wild16")
    return ApiBot(table, make_token(table, ANN, plays=True))


def only_game(guest: ApiBot) -> str:
    code: str = guest.get("/api/games").get_json()["games"][0]["code"]
    return code


def moves_made(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.ply)).scalar_one()


def test_a_move_is_judged_and_answered_with_its_slip(table: Table, guest: ApiBot) -> None:
    answer = guest.write(only_game(guest), "e2e4")

    body = answer.get_json()
    assert (answer.status_code, body["answered"], moves_made(table)) == (200, True, 1)
    assert body["orders"] == [
        {"order": "e2e4", "note": "moved", "move": "e2e4", "said": body["orders"][0]["said"]}
    ]
    assert body["says"].startswith("Your move has been made. The umpire says:")
    assert [slip["sight"]["squares"][28] for slip in body["slips"]] == ["P"]


def test_a_refused_try_is_reported_and_the_turn_goes_on(guest: ApiBot) -> None:
    body = guest.write(only_game(guest), "e1e3").get_json()

    assert [each["note"] for each in body["orders"]] == ["refused"]
    assert "It is still your turn." in body["says"]


def test_an_unreadable_order_is_answered_with_a_sentence(guest: ApiBot) -> None:
    body = guest.write(only_game(guest), "e2e9").get_json()

    assert (body["answered"], body["orders"]) == (True, [])
    assert body["says"].startswith("I couldn't understand this line, so I did nothing:")


def test_the_same_request_again_makes_no_second_move(table: Table, guest: ApiBot) -> None:
    code = only_game(guest)
    stamp = guest.slips(code)["stamp"]
    first, again = (guest.write(code, "e2e4", stamp) for _ in range(2))

    assert (first.status_code, again.status_code) == (200, 200)
    assert first.get_json() == again.get_json()
    assert moves_made(table) == 1


def test_a_request_repeated_after_the_opponents_move_brings_that_too(table: Table, guest: ApiBot) -> None:
    code = only_game(guest)
    stamp = guest.slips(code)["stamp"]
    first = guest.write(code, "e2e4", stamp).get_json()
    let_bots_think(table)
    again = guest.write(code, "e2e4", stamp).get_json()

    assert again["orders"] == first["orders"]
    assert again["slips"][: len(first["slips"])] == first["slips"]
    assert len(again["slips"]) > len(first["slips"])


def test_an_outdated_stamp_is_refused(table: Table, guest: ApiBot) -> None:
    code = only_game(guest)
    stamp = guest.slips(code)["stamp"]
    guest.write(code, "e2e4", stamp)
    answer = guest.write(code, "d2d4", stamp)

    assert answer.status_code == 409
    assert f"The stamp is now {guest.slips(code)['stamp']}." in answer.get_json()["error"]
    assert moves_made(table) == 1


def test_only_one_of_two_simultaneous_requests_moves(table: Table, guest: ApiBot) -> None:
    code = only_game(guest)
    stamp = guest.slips(code)["stamp"]
    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(lambda move: guest.write(code, move, stamp), ("e2e4", "d2d4")))
    table.run_workers()

    assert {each.status_code for each in answers} <= {200, 202, 409}
    assert moves_made(table) == 1


def test_without_a_worker_an_order_is_stored_and_answered_on_the_next_request(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    token = make_token(table, ANN, plays=True)
    asleep = ApiBot(table, token, table.app().test_client())
    code = only_game(asleep)
    stamp = asleep.slips(code)["stamp"]

    stored = asleep.write(code, "e2e4", stamp)
    table.run_workers()
    answered = asleep.write(code, "e2e4", stamp)

    assert (stored.status_code, stored.get_json()["answered"], stored.get_json()["says"]) == (202, False, "")
    assert (answered.status_code, answered.get_json()["answered"], moves_made(table)) == (200, True, 1)


def test_orders_for_a_game_that_just_ended_are_refused(table: Table, guest: ApiBot) -> None:
    code = only_game(guest)
    stamp = guest.slips(code)["stamp"]
    guest.write(code, "resign resign", stamp)
    answer = guest.write(code, "e2e4", stamp)

    assert answer.status_code == 409
    assert answer.get_json()["error"].startswith("The game is over, so I did nothing.")
    assert guest.write(code, "e2e4").get_json()["orders"][0]["note"] == "over"


def test_a_read_only_token_cannot_play(table: Table) -> None:
    table.begin()
    answer = ApiBot(table, make_token(table, ANN)).write(first_game_code(table), "e2e4")

    assert answer.status_code == 403
    assert "This token can only read" in answer.get_json()["error"]
    assert moves_made(table) == 0


def test_orders_for_another_seat_or_game_are_not_found(table: Table, guest: ApiBot) -> None:
    code = only_game(guest)
    stamp = guest.slips(code)["stamp"]
    others = {"text": "e2e4", "stamp": stamp, "side": "black"}

    assert guest.post(f"/api/games/{code}/orders", others).status_code == 404
    assert guest.write("zzzzz", "e2e4", stamp).status_code == 404
    assert moves_made(table) == 0


def test_a_player_of_both_sides_must_name_one(table: Table) -> None:
    players.add(table.server, "Ann", ANN, table.clock())
    guest = ApiBot(table, make_token(table, ANN, plays=True))
    table.challenge(ANN, ANN)
    for email in [each for each in table.emails_to(ANN) if "Wild 16" in each["Subject"]]:
        table.reply(ANN, "accept", to=email)
    code = first_game_code(table)
    sides = [guest.get(f"/api/games/{code}/slips?side={side}").get_json() for side in ("white", "black")]
    move = {"text": "e2e4", "stamp": sides[0]["stamp"]}

    assert [each["side"] for each in sides] == ["white", "black"]
    assert guest.post(f"/api/games/{code}/orders", move).status_code == 400
    assert guest.post(f"/api/games/{code}/orders", move | {"side": "white"}).get_json()["side"] == "white"
    assert moves_made(table) == 1


def test_an_order_is_stored_like_one_from_a_page_and_brings_no_email(table: Table, guest: ApiBot) -> None:
    table.run_workers()
    before = len(table.emails_to(ANN))
    guest.write(only_game(guest), "e2e4")

    with table.server.store.reading() as connection:
        pages = connection.execute(select(func.count()).where(InboxRow.page)).scalar_one()
    assert pages == 1
    assert len(table.emails_to(ANN)) == before
