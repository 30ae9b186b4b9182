"""Suggestions for emails without a command: what the writer may have meant."""

from __future__ import annotations

import pytest

from corr.service.lobby.site_commands import guess_topic

#: A text and its topic.
UNINVITED = [
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
#: The same from a player who has been invited to a game.
INVITED = [
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


@pytest.mark.parametrize(("text", "topic"), UNINVITED)
def test_the_topic_of_an_email(text: str, topic: str) -> None:
    assert guess_topic([text], is_invited=False) == topic


@pytest.mark.parametrize(("text", "topic"), INVITED)
def test_the_topic_of_an_invited_players_email(text: str, topic: str) -> None:
    assert guess_topic([text], is_invited=True) == topic


def test_a_topic_can_span_several_lines() -> None:
    assert guess_topic(["Hello umpire,", "I would like to", "learn"], is_invited=False) == "learn"
