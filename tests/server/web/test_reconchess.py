"""The `reconchess` protocol, request by request, and what is hidden until the game ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from corr.service.players import players
from corr.web.reconchess.seats import code_to_number, number_to_code
from tests.support.api_bots import first_game_code as code_of_game
from tests.support.api_bots import make_token
from tests.support.bot_game import challenge, let_bots_think
from tests.support.reconchess_bot import Bot, basic_auth, move
from tests.support.table import ANN, BEN, EVE, Table
from tests.support.twin_servers import Twins, make_twins

GETS = (
    "color",
    "starting_board",
    "opponent_name",
    "seconds_left",
    "is_my_turn",
    "is_over",
    "game_status",
    "sense_actions",
    "move_actions",
    "opponent_move_results",
)
ENDS = ("winner_color", "win_reason", "game_history")


@pytest.fixture
def bot(table: Table) -> Bot:
    return Bot(table)


@pytest.mark.parametrize("code", ["k3x9q", "zzzzz", "23456", "a2" * 13])
def test_a_games_code_becomes_a_number_and_back(code: str) -> None:
    assert number_to_code(str(code_to_number(code))) == code


def test_a_server_bot_accepts_and_the_game_begins(table: Table, bot: Bot) -> None:
    number = bot.invite(color=False)
    answers = {each: bot.get(f"games/{number}/{each}").get_json() for each in GETS}

    assert bot.get("invitations/").get_json() == {"invitations": [number]}
    assert bot.post(f"invitations/{number}").get_json() == {"game_id": number}
    assert answers["color"] == {"color": False}
    assert answers["opponent_name"] == {"opponent_name": "Pip (bot)"}
    assert answers["seconds_left"] == {"seconds_left": 900.0}
    assert answers["game_status"] == {"is_my_turn": False, "is_over": False}
    assert answers["sense_actions"]["sense_actions"] == list(range(64))
    assert {"type": "Move", "value": "e7d6"} in answers["move_actions"]["move_actions"]
    let_bots_think(table)
    assert bot.get(f"games/{number}/game_status").get_json() == {"is_my_turn": True, "is_over": False}


def test_a_persons_challenge_is_an_invitation_too(table: Table, bot: Bot) -> None:
    table.write_to_site(ANN, "challenge Eve rbc 3d white", name="Ann")
    table.reply(ANN, "confirm")
    (number,) = bot.get("invitations/").get_json()["invitations"]
    accepted = bot.post(f"invitations/{number}")

    assert accepted.get_json() == {"game_id": number}
    assert bot.get("invitations/").get_json() == {"invitations": [number]}
    assert bot.get(f"games/{number}/opponent_name").get_json() == {"opponent_name": "Ann"}
    assert bot.post(f"invitations/{number}/finish").status_code == 200


def test_a_repeated_sense_or_move_gets_the_same_answer(bot: Bot) -> None:
    number = bot.invite()
    senses = [bot.post(f"games/{number}/sense", {"square": 49}).get_json() for _ in range(2)]
    moves = [bot.post(f"games/{number}/move", move("e2e4")).get_json() for _ in range(2)]

    assert senses[0] == senses[1]
    assert senses[0]["sense_result"][0] == [56, {"type": "Piece", "value": "r"}]
    assert senses[0]["sense_result"][-1] == [42, None]
    made = move("e2e4")["requested_move"]
    assert moves == [{"move_result": [made, made, None]}] * 2
    assert bot.post(f"games/{number}/end_turn", {}).get_json() == {}


def test_a_failed_move_is_reported(bot: Bot) -> None:
    number = bot.invite()
    bot.post(f"games/{number}/sense", {"square": None})
    answers = bot.post(f"games/{number}/move", move("e2d3")).get_json()

    assert answers == {"move_result": [move("e2d3")["requested_move"], None, None]}


def test_a_pass_is_a_null_move(bot: Bot) -> None:
    number = bot.invite()
    assert bot.post(f"games/{number}/sense", {"square": None}).get_json() == {"sense_result": []}
    assert bot.post(f"games/{number}/move", {"requested_move": None}).get_json() == {
        "move_result": [None, None, None]
    }


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"square": 64}', b'{"square": true}', b'{"square": "e4"}', b"\xff"]
)
def test_a_malformed_sense_is_refused(bot: Bot, body: bytes) -> None:
    number = bot.invite()
    answer = bot.client.post(f"/reconchess/api/games/{number}/sense", data=body, headers=bot.heads)

    assert (answer.status_code, "error" in answer.get_json()) == (400, True)


@pytest.mark.parametrize(
    "wish", [move("e2e5"), move("e7e5"), move("zz"), {"requested_move": "e2e4;"}, {"requested_move": 7}]
)
def test_an_impossible_move_is_refused(bot: Bot, wish: dict[str, Any]) -> None:
    number = bot.invite()
    bot.post(f"games/{number}/sense", {"square": None})

    assert bot.post(f"games/{number}/move", wish).status_code == 400
    assert bot.post(f"games/{number}/move", move("e2e4")).status_code == 200


def test_actions_out_of_turn_are_refused(bot: Bot) -> None:
    number = bot.invite()
    assert "Please sense a square first" in bot.post(f"games/{number}/move", move("e2e4")).get_json()["error"]
    bot.post(f"games/{number}/sense", {"square": 3})
    assert "another square" in bot.post(f"games/{number}/sense", {"square": 4}).get_json()["error"]
    bot.post(f"games/{number}/move", move("e2e4"))
    assert "isn't your turn" in bot.post(f"games/{number}/sense", {"square": 3}).get_json()["error"]
    assert "isn't your turn" in bot.post(f"games/{number}/move", move("d2d4")).get_json()["error"]


def test_without_a_worker_a_bot_retries_and_loses_nothing(table: Table) -> None:
    bot = Bot(table, table.app().test_client())
    number = bot.invite()
    early = bot.get(f"games/{number}/color")
    table.run_workers()
    waiting = [bot.post(f"games/{number}/sense", {"square": 9}) for _ in range(2)]
    table.run_workers()
    seen = bot.post(f"games/{number}/sense", {"square": 9})

    assert [each.status_code for each in (early, *waiting, seen)] == [503, 503, 503, 200]
    assert early.headers["Retry-After"] == "1"
    assert len(seen.get_json()["sense_result"]) == 9


def test_the_result_and_the_history_are_shown_only_after_the_end(bot: Bot) -> None:
    number = bot.invite()
    before = [bot.get(f"games/{number}/{each}") for each in ENDS]
    bot.post(f"games/{number}/sense", {"square": 9})
    bot.post(f"games/{number}/error_resign")
    winner, reason, history = (bot.get(f"games/{number}/{each}").get_json() for each in ENDS)

    assert [each.status_code for each in before] == [400] * 3
    assert (winner, reason) == (
        {"winner_color": False},
        {"win_reason": {"type": "WinReason", "value": "RESIGN"}},
    )
    assert history["game_history"]["senses"] == {"true": [9], "false": []}
    assert history["game_history"]["fens_after_move"] == {"true": [], "false": []}
    assert (history["game_history"]["white_name"], history["game_history"]["black_name"]) == (
        "Eve (bot)",
        "Pip (bot)",
    )
    assert bot.get("invitations/").get_json() == {"invitations": []}
    assert bot.post(f"games/{number}/sense", {"square": 9}).get_json() == {"sense_result": []}
    assert bot.post(f"games/{number}/move", move("e2e4")).get_json()["move_result"][1:] == [None, None]
    assert bot.post(f"games/{number}/resign").status_code == 200


def test_a_status_costs_one_query(table: Table, bot: Bot) -> None:
    number, queries = bot.invite(), []
    bot.get(f"games/{number}/game_status")
    event.listen(table.server.store.engine, "before_cursor_execute", lambda *words: queries.append(words[2]))
    bot.get(f"games/{number}/game_status")

    assert len([each for each in queries if each.startswith("SELECT")]) == 1


def test_a_wrong_name_or_a_read_only_token_is_refused(table: Table) -> None:
    bot = Bot(table)
    number, token = bot.invite(), make_token(table, EVE, "reads")
    named = basic_auth("Pip", bot.token)
    for headers in (
        {},
        basic_auth("Eve", token),
        basic_auth("Eve", "corr_guessed"),
        named,
        {"Authorization": "Bearer x"},
    ):
        for path in ("invitations/", f"games/{number}/game_status", f"games/{number}/color"):
            answer = bot.client.get(f"/reconchess/api/{path}", headers=headers)
            assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Basic"), (headers, path)


@pytest.mark.parametrize("number", ["0", "7", "x", "9" * 5_000, "1e5", str(code_to_number("zzzzz"))])
def test_an_unknown_number_is_no_game(bot: Bot, number: str) -> None:
    for path in (*GETS, *ENDS):
        assert bot.get(f"games/{number}/{path}").status_code == 404
    for path in ("sense", "move", "end_turn", "ready", "resign"):
        assert bot.post(f"games/{number}/{path}", {"square": 1, "requested_move": None}).status_code == 404


def test_games_of_others_and_of_other_variants_are_not_found(table: Table, bot: Bot) -> None:
    challenge(table, "Pip", "wild16")
    other = code_to_number(code_of_game(table))
    table.begin_by_email("rbc")
    with table.server.store.reading() as connection:
        codes = connection.exec_driver_sql("SELECT code FROM games").scalars().all()
    for number in (other, *map(code_to_number, codes)):
        assert bot.get(f"games/{number}/game_status").status_code == 404
        assert bot.post(f"invitations/{number}").status_code in (400, 404)


def test_the_packages_other_requests_are_answered(bot: Bot) -> None:
    assert bot.get("version").get_json() == {"version": "1.6.9"}
    assert bot.get("users/").get_json() == {"usernames": ["Pip", "Marlow", "Sibyl"]}
    assert bot.post("users/me").get_json()["username"] == "Eve (bot)"
    assert bot.post("users/me/max_games", {"max_games": 4}).get_json() == {"max_games": 4}
    assert bot.post("users/me/ranked", {"ranked": True}).get_json() == {"ranked": False}
    assert bot.get("users/me/version").get_json() == bot.post("users/me/version").get_json()
    assert bot.post("invitations/", {"opponent": "Ann", "color": True}).status_code == 400
    assert bot.post("invitations/", {"opponent": "Pip", "color": "white"}).status_code == 400


def twins_of_a_game(table: Table, folder: Path) -> tuple[Twins, int, dict[str, str]]:
    """A game between Ann and Ben's bot, which is Black, twice."""
    players.add(table.server, "ben", BEN, table.clock())
    headers = basic_auth("ben", make_token(table, BEN, plays=True))
    table.challenge(variant="rbc")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept", to=[each for each in table.emails_to(BEN) if "with" in each["Subject"]][-1])
    return make_twins(table, folder), code_to_number(code_of_game(table)), headers


def test_hidden_moves_change_no_byte_that_a_bot_reads(table: Table, tmp_path: Path) -> None:
    twins, number, headers = twins_of_a_game(table, tmp_path / "twins")
    for twin, orders in ((twins.one, "sense b2\ne2e3"), (twins.other, "sense g7\nb1c3")):
        twin.table.reply(ANN, orders)

    for path in (*GETS, *ENDS):
        one, other = twins.answers(f"/reconchess/api/games/{number}/{path}", headers=headers)
        assert one == other, path
        assert one.startswith(b"400" if path in ENDS else b"200"), path
    twins.close()
