"""Simple player settings: each has a column, a default among its choices, and all its texts."""

from __future__ import annotations

import tomllib

import pytest

from corr.orders import parse_order
from corr.player_settings import SETTINGS, Setting, find_by_order
from corr.service.players.switches import PAGE_SWITCHES, Switch
from corr.store.tables import PlayerRow
from corr.text.messages import template_folder
from corr.words.orders import Command

TEXTS = tomllib.loads((template_folder() / "messages.toml").read_text("utf-8"))
SETTINGS_PAGE = (template_folder() / "web/settings.html").read_text("utf-8")


def text_keys(setting: Setting) -> list[str]:
    return [setting.text_key(choice) for choice in setting.choices]


def test_every_text_in_forms_answers_and_help_belongs_to_a_setting() -> None:
    forms = {key for each in SETTINGS for key in (*text_keys(each), each.name)}
    meanings = {each.text_key("means") for each in SETTINGS if not each.has_links}
    helped = {each.text_key(choice) for each in SETTINGS for choice in each.in_help}

    assert TEXTS["setting_forms"].keys() == forms | meanings
    assert TEXTS["setting_answers"].keys() == {key for each in SETTINGS for key in text_keys(each)}
    assert TEXTS["setting_help"].keys() == helped


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda each: each.name)
def test_a_setting_has_a_column_and_a_choice_for_each_value(setting: Setting) -> None:
    assert setting.column in PlayerRow.__table__.c
    assert (setting.column == "switched") is (setting.switch in set(Switch).difference(PAGE_SWITCHES))
    assert f'{{{{ simple("{setting.section}") }}}}' in SETTINGS_PAGE
    for choice, stored in setting.choices.items():
        assert setting.choice_of(stored) == choice


@pytest.mark.parametrize("setting", [each for each in SETTINGS if each.order], ids=lambda each: each.name)
def test_every_choice_of_a_setting_with_an_order_can_be_emailed(setting: Setting) -> None:
    for choice in setting.choices:
        assert parse_order(f"{setting.order} {choice}") == Command(setting.order, choice)
        assert find_by_order(setting.order, choice) is setting
