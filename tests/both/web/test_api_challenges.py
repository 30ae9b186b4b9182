"""Challenges and offers through the API."""

from __future__ import annotations

import pytest

from corr.service.players import players
from tests.support.api_bots import ApiBot, make_token
from tests.support.table import EVE, FAY, Table


@pytest.fixture
def eve(table: Table) -> ApiBot:
    """A bot of Eve's."""
    players.add(table.server, "Eve", EVE, table.clock())
    return ApiBot(table, make_token(table, EVE, plays=True))


@pytest.fixture
def fay(table: Table) -> ApiBot:
    """A bot of Fay's."""
    players.add(table.server, "Fay", FAY, table.clock())
    return ApiBot(table, make_token(table, FAY, plays=True))


def test_a_bot_accepts_another_bots_offer(eve: ApiBot, fay: ApiBot) -> None:
    made = eve.post("/api/challenges", {"variant": "rbc", "days": 1, "color": "white"})
    (offer,) = fay.get("/api/offers").get_json()["offers"]
    taken = fay.post(f"/api/challenges/{offer['code']}/accept")

    assert (made.status_code, taken.status_code) == (201, 200)
    assert {key: offer[key] for key in ("variant", "clock", "challenger", "color", "rated", "own")} == {
        "variant": "rbc",
        "clock": "1d",
        "challenger": "Eve (bot)",
        "color": "white",
        "rated": False,
        "own": False,
    }
    games = [guest.get("/api/games").get_json()["games"] for guest in (eve, fay)]
    assert [[(each["side"], each["opponent"]) for each in own] for own in games] == [
        [("white", "Fay (bot)")],
        [("black", "Eve (bot)")],
    ]


def test_a_challenge_between_bots_can_be_declined_or_withdrawn(eve: ApiBot, fay: ApiBot) -> None:
    for action, bot in (("decline", fay), ("withdraw", eve)):
        eve.post("/api/challenges", {"variant": "wild16", "whom": "Fay"})
        (made,) = eve.get("/api/challenges").get_json()["made"]
        (received,) = fay.get("/api/challenges").get_json()["received"]
        assert (made["code"], made["whom"], made["own"]) == (received["code"], "Fay (bot)", True)
        assert bot.post(f"/api/challenges/{made['code']}/{action}").status_code == 200

    assert eve.get("/api/challenges").get_json() == {"made": [], "received": []}


def test_one_of_the_servers_own_bots_accepts_at_once(eve: ApiBot) -> None:
    eve.post("/api/challenges", {"variant": "wild16", "whom": "Marlow", "color": "black"})

    (game,) = eve.get("/api/games").get_json()["games"]
    assert (game["opponent"], game["side"], game["my_turn"]) == ("Marlow (bot)", "black", False)


def test_a_bot_has_one_open_offer_at_most(eve: ApiBot) -> None:
    first, second = (eve.post("/api/challenges", {"variant": "wild16"}) for _ in range(2))

    assert (first.status_code, second.status_code) == (201, 400)
    assert "a bot can offer only one at a time" in second.get_json()["error"]


def test_an_offer_can_be_accepted_once_and_not_by_its_owner(eve: ApiBot, fay: ApiBot) -> None:
    eve.post("/api/challenges", {"variant": "wild16"})
    (offer,) = fay.get("/api/offers").get_json()["offers"]
    path = f"/api/challenges/{offer['code']}/accept"

    assert eve.post(path).get_json()["error"].startswith("This is your own challenge")
    assert [fay.post(path).status_code for _ in range(2)] == [200, 409]
    assert fay.post("/api/challenges/zzzzz/accept").status_code == 409
    assert fay.post(f"/api/challenges/{offer['code']}/take").status_code == 404


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"variant": 7},
        {"variant": "chess"},
        {"variant": "rbc", "days": "3"},
        {"variant": "rbc", "days": True},
        {"variant": "rbc", "days": 10**30},
        {"variant": "rbc", "days": -1},
        {"variant": "rbc", "color": "red"},
        {"variant": "rbc", "rated": "yes"},
        {"variant": "rbc", "whom": ["Eve"]},
        {"variant": "rbc", "whom": "\x00"},
        {"variant": "rbc", "whom": "Nobody at all"},
        {"variant": "rbc", "whom": "Pip", "color": "green"},
    ],
)
def test_a_bad_challenge_is_refused_with_a_sentence(eve: ApiBot, wish: dict[str, object]) -> None:
    answer = eve.post("/api/challenges", wish)

    assert answer.status_code == 400
    assert answer.get_json()["error"]
    assert eve.get("/api/challenges").get_json() == {"made": [], "received": []}


def test_a_read_only_token_can_neither_offer_nor_accept(table: Table, eve: ApiBot) -> None:
    reader = ApiBot(table, make_token(table, EVE, "two"))

    assert reader.post("/api/challenges", {"variant": "wild16"}).status_code == 403
    assert reader.post("/api/challenges/zzzzz/accept").status_code == 403
    assert reader.get("/api/offers").get_json() == {"offers": []}
    assert eve.get("/api/offers").status_code == 200
