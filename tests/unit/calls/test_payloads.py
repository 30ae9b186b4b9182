"""What a call says, and how it is sealed."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from corr.notifications.payloads import WRITERS, Turn, sign_call

TURN = Turn(
    "k3x9z",
    "Wild 16",
    "2026-11-23T12:00:00+00:00",
    "Mon 23 Nov 2026, 12:00 UTC",
    "https://play.example/games/k3x9z",
)
WORDS = "It is your turn in game k3x9z, Wild 16, until Mon 23 Nov 2026, 12:00 UTC."
TEST = Turn("", "", None, "", "https://play.example/settings/calls/")


def test_a_program_is_told_the_game_its_variant_and_until_when() -> None:
    assert json.loads(WRITERS["json"](TURN).body) == {
        "event": "turn",
        "game": "k3x9z",
        "variant": "Wild 16",
        "deadline": "2026-11-23T12:00:00+00:00",
        "url": "https://play.example/games/k3x9z",
    }


@pytest.mark.parametrize(
    ("written", "body"),
    [
        (
            "discord",
            {"content": f"{WORDS} https://play.example/games/k3x9z", "allowed_mentions": {"parse": []}},
        ),
        ("slack", {"text": f"{WORDS} https://play.example/games/k3x9z"}),
    ],
)
def test_a_house_that_is_well_known_is_told_in_its_own_words(written: str, body: dict[str, object]) -> None:
    assert json.loads(WRITERS[written](TURN).body) == body


def test_ntfy_gets_words_and_where_a_click_leads() -> None:
    call = WRITERS["ntfy"](TURN)
    assert call.body.decode() == WORDS
    assert call.head["Click"] == "https://play.example/games/k3x9z"


@pytest.mark.parametrize("written", WRITERS)
def test_a_test_says_that_it_is_one(written: str) -> None:
    said = WRITERS[written](TEST).body.decode()
    assert "test" in said
    assert "turn" not in said


def test_a_game_without_a_deadline_names_none() -> None:
    assert Turn("k3x9z", "Wild 16", None, "", "").words == "It is your turn in game k3x9z, Wild 16."


def test_whoever_has_the_key_can_tell_that_a_call_is_ours_and_when_it_was_made() -> None:
    call = sign_call(WRITERS["json"](TURN), "key", 1_795_176_000)
    seal = hmac.new(b"key", b"1795176000." + call.body, hashlib.sha256).hexdigest()
    assert call.head["X-Corr-Timestamp"] == "1795176000"
    assert call.head["X-Corr-Signature"] == f"sha256={seal}"
