"""Every word is read, acts where its line in the table says, and is told of where it acts; no other word acts."""

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
from tests.support.table import ANN, EVE, Table, flat, text_of

GAME, SITE = sorted(commands_with(Trait.GAME)), sorted(commands_with(Trait.SITE))
#: A word with what has to stand behind it, where something has to.
WHOLE = {
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
NOT_HERE = ("This isn't about a single game", "There is nothing to confirm")
NOT_AT_THE_SITE = "This order only works in a game"
#: What is told of elsewhere than in the answer to `help`: by the letter that asks for it.
IN_LETTERS = {"again": "parts/game_end.txt", "confirm": "mail/confirm.txt", "help": "parts/game.txt"}


SHARED = (template_folder() / "parts/answers.txt").read_text("utf-8")


def macro(text: str, name: str) -> str:
    return text.partition(f"macro {name}")[2].partition("endmacro")[0]


def helped(word: str, template: str) -> bool:
    """Whether a template's help, or the letter that asks for a word, tells of it."""
    path = IN_LETTERS.get(word)
    text = (template_folder() / (path or template)).read_text("utf-8")
    rows = "".join(f'"{order}"' for order, _ in environment("txt").globals["setting_orders"])  # type: ignore[attr-defined]
    told = text if path else "".join(map(partial(macro, text), ("help(", "hours("))) + macro(SHARED, "hours(")
    told += "" if path else rows
    return bool(re.search(rf'"{re.escape(word)}[" ]', told))


def section(heading: str) -> str:
    """What stands under a heading of the page of the orders."""
    return PAGES["docs/orders.md"].partition(f"## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("word", COMMANDS)
def test_a_word_is_read_and_written_in_one_way(word: str) -> None:
    order = parse_order(WHOLE.get(word, word).replace(word, word.upper(), 1))

    assert isinstance(order, Command)
    assert order.word == word
    assert str(order) == WHOLE.get(word, word)


@pytest.mark.parametrize("word", COMMANDS)
def test_what_is_known_of_a_word_goes_together(word: str) -> None:
    traits = COMMANDS[word].traits

    assert Trait.AT_ANY_TIME not in traits or Trait.GAME in traits
    assert Trait.BEGINS not in traits or Trait.SITE in traits
    assert Trait.ASKS not in traits or not traits & (Trait.ACCOUNT | Trait.BEGINS | Trait.HOLDS_UP)


def test_each_word_that_acts_has_its_deed_and_no_other_has_one() -> None:
    assert sorted(game_commands.HANDLERS) == GAME
    assert sorted(lobby._HANDLERS) == SITE


@pytest.mark.parametrize("word", COMMANDS)
def test_at_a_game_a_word_acts_or_is_answered_that_it_does_not(table: Table, word: str) -> None:
    table.begin()
    before = len(table.letters(ANN))
    table.reply(ANN, WHOLE.get(word, word))

    said = " ".join(flat(text_of(each)) for each in table.letters(ANN)[before:])
    assert any(note in said for note in NOT_HERE) == (word in SITE and word not in GAME)


@pytest.mark.parametrize("word", COMMANDS)
def test_at_the_site_a_word_acts_or_is_answered_that_it_does_not(table: Table, word: str) -> None:
    table.write(EVE, WHOLE.get(word, word), name="Eve")

    answers = [flat(text_of(letter)) for letter in table.letters(EVE)]  # none to whom no letter shall come
    assert any(NOT_AT_THE_SITE in said for said in answers) == (word not in SITE)


@pytest.mark.parametrize("word", GAME)
def test_a_word_that_acts_at_a_game_is_told_of_there(word: str) -> None:
    assert helped(word, "parts/answers.txt")
    assert f"`{word}" in section("About the game")


@pytest.mark.parametrize("word", SITE)
def test_a_word_that_acts_at_the_site_is_told_of_there(word: str) -> None:
    assert helped(word, "parts/site.txt")
    assert f"`{word}" in section("To the site") + section("About the game")
