"""The `reconchess` protocol on both databases."""

from __future__ import annotations

from corr.web.reconchess.seats import code_to_number
from tests.support.reconchess_bot import Bot, move
from tests.support.table import ANN, Table


def test_a_bot_plays_a_turn_and_resigns(table: Table) -> None:
    bot = Bot(table)
    number = bot.invite()
    seen = bot.post(f"games/{number}/sense", {"square": 49}).get_json()["sense_result"]
    made = bot.post(f"games/{number}/move", move("e2e4")).get_json()["move_result"]
    status = bot.get(f"games/{number}/game_status").get_json()
    bot.post(f"games/{number}/resign")
    history = bot.get(f"games/{number}/game_history").get_json()["game_history"]

    assert (len(seen), made[1]["value"]) == (9, "e2e4")
    assert status == {"is_my_turn": False, "is_over": False}
    assert history["senses"] == {"true": [49], "false": []}
    assert bot.get(f"games/{number}/is_over").get_json() == {"is_over": True}


def test_a_bot_accepts_a_challenge_as_an_invitation(table: Table) -> None:
    bot = Bot(table)
    table.write_to_site(ANN, "challenge Eve rbc 3d white", name="Ann")
    table.reply(ANN, "confirm")
    before = bot.get("invitations/").get_json()["invitations"]
    bot.post(f"invitations/{before[0]}")

    assert bot.get("invitations/").get_json()["invitations"] == before
    assert bot.get(f"games/{before[0]}/color").get_json() == {"color": False}


def test_an_unknown_game_is_not_found(table: Table) -> None:
    assert Bot(table).get(f"games/{code_to_number('zzzzz')}/color").status_code == 404
