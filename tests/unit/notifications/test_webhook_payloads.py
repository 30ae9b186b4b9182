"""What a webhook call says, and its signature."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from corr.notifications.calendar_and_feeds import WRITERS, Turn, sign_call

TURN = Turn(
    "k3x9z",
    "Wild 16",
    "2026-11-23T12:00:00+00:00",
    "Mon 23 Nov 2026, 12:00 UTC",
    "https://play.example/games/k3x9z",
)
WORDS = "It's your turn in game k3x9z, Wild 16. Move by Mon 23 Nov 2026, 12:00 UTC."
TEST = Turn("", "", None, "", "https://play.example/settings/calls/")


def test_json_has_the_game_its_variant_and_the_deadline() -> None:
    assert json.loads(WRITERS["json"](TURN).body) == {
        "event": "turn",
        "game": "k3x9z",
        "variant": "Wild 16",
        "deadline": "2026-11-23T12:00:00+00:00",
        "url": "https://play.example/games/k3x9z",
    }


@pytest.mark.parametrize(
    ("service", "body"),
    [
        (
            "discord",
            {"content": f"{WORDS} https://play.example/games/k3x9z", "allowed_mentions": {"parse": []}},
        ),
        ("slack", {"text": f"{WORDS} https://play.example/games/k3x9z"}),
    ],
)
def test_discord_and_slack_get_their_own_formats(service: str, body: dict[str, object]) -> None:
    assert json.loads(WRITERS[service](TURN).body) == body


def test_ntfy_gets_a_sentence_and_a_link() -> None:
    call = WRITERS["ntfy"](TURN)
    assert call.body.decode() == WORDS
    assert call.head["Click"] == "https://play.example/games/k3x9z"


@pytest.mark.parametrize("service", WRITERS)
def test_a_test_call_says_that_it_is_a_test(service: str) -> None:
    body = WRITERS[service](TEST).body.decode()
    assert "test" in body
    assert "turn" not in body


def test_no_deadline_is_named_if_there_is_none() -> None:
    assert Turn("k3x9z", "Wild 16", None, "", "").words == "It's your turn in game k3x9z, Wild 16."


def test_a_call_is_signed_with_its_time() -> None:
    call = sign_call(WRITERS["json"](TURN), "key", 1_795_176_000)
    signature = hmac.new(b"key", b"1795176000." + call.body, hashlib.sha256).hexdigest()
    assert call.head["X-Corr-Timestamp"] == "1795176000"
    assert call.head["X-Corr-Signature"] == f"sha256={signature}"
