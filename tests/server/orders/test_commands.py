"""Every command is parsed, acts in games or on the site as the table says, and is in the help there."""

from __future__ import annotations

import re
from functools import partial

import pytest

from corr.orders import Trait, parse_order
from corr.orders.commands import COMMANDS, commands_with
from corr.service.games import game_commands
from corr.service.lobby import site_commands as lobby
from corr.text.messages import template_folder
from corr.text.template_env import environment
from corr.words.orders import Command
from tests.support.docs import PAGES
from tests.support.table import ANN, EVE, Table, text_of, unwrap

GAME, SITE = sorted(commands_with(Trait.GAME)), sorted(commands_with(Trait.SITE))
#: A full example of each command that needs arguments.
EXAMPLES = {
    "new": "new address",
    "never": "never again",
    "challenge": "challenge ann@example.org wild16 3d white rated",
    "seek": "seek rbc 5d",
    "take": "take k3x9q",
    "enter": "enter wild16 bots",
    "note": "note a knight on f6",
    "ghost": "ghost Qd8 -e5 f6",
    "delay": "delay 2-5h",
    "remind": "remind 1d 3h",
    "quiet": "quiet 22-7",
    "zone": "zone Europe/Paris",
    "vacation": "vacation 2026-12-20 2026-12-27",
    "weekends": "weekends off",
    "mail": "mail daily",
    "publish": "publish yes",
    "page": "page off",
}
NOT_IN_A_GAME = ("This isn't about a single game", "There is nothing to confirm")
NOT_ON_THE_SITE = "This order only works in a game"
#: Commands that are explained in the email that asks for them, not in the answer to `help`.
IN_EMAILS = {"again": "parts/game_end.txt", "confirm": "mail/confirm.txt", "help": "parts/game.txt"}


ANSWERS = (template_folder() / "parts/answers.txt").read_text("utf-8")


def macro(text: str, name: str) -> str:
    return text.partition(f"macro {name}")[2].partition("endmacro")[0]


def is_explained(word: str, template: str) -> bool:
    """Whether a command is in a template's help, or in the email that asks for it."""
    path = IN_EMAILS.get(word)
    text = (template_folder() / (path or template)).read_text("utf-8")
    rows = "".join(f'"{order}"' for order, _ in environment("txt").globals["setting_orders"])  # type: ignore[attr-defined]
    help_text = (
        text if path else "".join(map(partial(macro, text), ("help(", "hours("))) + macro(ANSWERS, "hours(")
    )
    help_text += "" if path else rows
    return bool(re.search(rf'"{re.escape(word)}[" ]', help_text))


def section(heading: str) -> str:
    """A section of docs/orders.md."""
    return PAGES["docs/orders.md"].partition(f"## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("word", COMMANDS)
def test_a_command_is_parsed_and_written_back(word: str) -> None:
    order = parse_order(EXAMPLES.get(word, word).replace(word, word.upper(), 1))

    assert isinstance(order, Command)
    assert order.word == word
    assert str(order) == EXAMPLES.get(word, word)


@pytest.mark.parametrize("word", COMMANDS)
def test_the_traits_of_a_command_are_consistent(word: str) -> None:
    traits = COMMANDS[word].traits

    assert Trait.AT_ANY_TIME not in traits or Trait.GAME in traits
    assert Trait.BEGINS not in traits or Trait.SITE in traits
    assert Trait.ASKS not in traits or not traits & (Trait.ACCOUNT | Trait.BEGINS | Trait.HOLDS_UP)


def test_every_acting_command_has_a_handler_and_no_other_has_one() -> None:
    assert sorted(game_commands.HANDLERS) == GAME
    assert sorted(lobby._HANDLERS) == SITE


@pytest.mark.parametrize("word", COMMANDS)
def test_in_a_game_a_command_acts_or_says_why_not(table: Table, word: str) -> None:
    table.begin()
    before = len(table.emails_to(ANN))
    table.reply(ANN, EXAMPLES.get(word, word))

    said = " ".join(unwrap(text_of(each)) for each in table.emails_to(ANN)[before:])
    assert any(note in said for note in NOT_IN_A_GAME) == (word in SITE and word not in GAME)


@pytest.mark.parametrize("word", COMMANDS)
def test_on_the_site_a_command_acts_or_says_why_not(table: Table, word: str) -> None:
    table.write_to_site(EVE, EXAMPLES.get(word, word), name="Eve")

    answers = [unwrap(text_of(email)) for email in table.emails_to(EVE)]  # "never again" gets none
    assert any(NOT_ON_THE_SITE in said for said in answers) == (word not in SITE)


@pytest.mark.parametrize("word", GAME)
def test_a_game_command_is_in_the_help_and_the_docs(word: str) -> None:
    assert is_explained(word, "parts/answers.txt")
    assert f"`{word}" in section("About the game")


@pytest.mark.parametrize("word", SITE)
def test_a_site_command_is_in_the_help_and_the_docs(word: str) -> None:
    assert is_explained(word, "parts/site.txt")
    assert f"`{word}" in section("To the site") + section("About the game")
