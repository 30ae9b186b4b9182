"""An email that holds no command is answered by what its writer may have meant."""

from __future__ import annotations

import pytest

from corr.service.lobby.site_commands import guess_topic

#: What was written, and what it is about.
WRITTEN = [
    ("unsubscribe", "unsubscribe"),
    ("Please stop sending me these emails!", "unsubscribe"),
    ("don't send me any more mails", "unsubscribe"),
    ("I'll be on vacation next week", "vacation"),
    ("I am away until Monday", "vacation"),
    ("is there a tournament I could join", "events"),
    ("Can I play Pip?", "bot"),
    ("I want to play against the computer", "bot"),
    ("I've never played, how does it work", "learn"),
    ("I'd like to play Kriegspiel with my brother", "play"),
    ("a game please", "play"),
    ("Hello!", ""),
    ("Yes, I'd love to!", ""),
    ("Pippin is my cat", ""),
]
#: The same, from somebody who was invited to a game.
ANSWERED = [
    ("Yes, I'd love to!", "yes"),
    ("sure", "yes"),
    ("OK, let's play", "yes"),
    ("Count me in", "yes"),
    ("I'd be happy to play", "yes"),
    ("No thanks", "no"),
    ("Sorry, I have no time for games", "no"),
    ("I'd rather not", "no"),
    ("Who is this?", "invited"),
    ("unsubscribe", "unsubscribe"),
]


@pytest.mark.parametrize(("written", "topic"), WRITTEN)
def test_an_email_is_about_what_its_words_say(written: str, topic: str) -> None:
    assert guess_topic([written], is_invited=False) == topic


@pytest.mark.parametrize(("written", "topic"), ANSWERED)
def test_only_an_invited_player_says_yes_or_no(written: str, topic: str) -> None:
    assert guess_topic([written], is_invited=True) == topic


def test_a_topic_may_be_named_over_several_lines() -> None:
    assert guess_topic(["Hello umpire,", "I would like to", "learn"], is_invited=False) == "learn"
