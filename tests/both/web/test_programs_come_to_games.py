"""How programs come to games: what they are offered, and what they challenge others to."""

from __future__ import annotations

import pytest

from corr.service.players import players
from tests.support.api_bots import Guest, token_of
from tests.support.table import EVE, FAY, Table


@pytest.fixture
def eve(table: Table) -> Guest:
    """A program of Eve's."""
    players.add(table.server, "Eve", EVE, table.clock())
    return Guest(table, token_of(table, EVE, plays=True))


@pytest.fixture
def fay(table: Table) -> Guest:
    """A program of Fay's."""
    players.add(table.server, "Fay", FAY, table.clock())
    return Guest(table, token_of(table, FAY, plays=True))


def test_what_one_program_offers_to_all_another_takes(eve: Guest, fay: Guest) -> None:
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


def test_one_program_challenges_another_and_is_turned_down_or_thinks_again(eve: Guest, fay: Guest) -> None:
    for deed, whose in (("decline", fay), ("withdraw", eve)):
        eve.post("/api/challenges", {"variant": "wild16", "whom": "Fay"})
        (made,) = eve.get("/api/challenges").get_json()["made"]
        (received,) = fay.get("/api/challenges").get_json()["received"]
        assert (made["code"], made["whom"], made["own"]) == (received["code"], "Fay (bot)", True)
        assert whose.post(f"/api/challenges/{made['code']}/{deed}").status_code == 200

    assert eve.get("/api/challenges").get_json() == {"made": [], "received": []}


def test_a_program_plays_a_house_player_at_once(eve: Guest) -> None:
    eve.post("/api/challenges", {"variant": "wild16", "whom": "Marlow", "color": "black"})

    (game,) = eve.get("/api/games").get_json()["games"]
    assert (game["opponent"], game["side"], game["my_turn"]) == ("Marlow (bot)", "black", False)


def test_a_program_does_not_fill_the_lobby(eve: Guest) -> None:
    first, second = (eve.post("/api/challenges", {"variant": "wild16"}) for _ in range(2))

    assert (first.status_code, second.status_code) == (201, 400)
    assert "a bot can offer only one at a time" in second.get_json()["error"]


def test_of_two_who_take_the_same_one_is_told_that_it_is_gone(eve: Guest, fay: Guest) -> None:
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
def test_what_cannot_be_offered_is_told_in_a_sentence(eve: Guest, wish: dict[str, object]) -> None:
    answer = eve.post("/api/challenges", wish)

    assert answer.status_code == 400
    assert answer.get_json()["error"]
    assert eve.get("/api/challenges").get_json() == {"made": [], "received": []}


def test_a_token_that_reads_makes_and_takes_nothing(table: Table, eve: Guest) -> None:
    reader = Guest(table, token_of(table, EVE, "two"))

    assert reader.post("/api/challenges", {"variant": "wild16"}).status_code == 403
    assert reader.post("/api/challenges/zzzzz/accept").status_code == 403
    assert reader.get("/api/offers").get_json() == {"offers": []}
    assert eve.get("/api/offers").status_code == 200
