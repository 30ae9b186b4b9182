"""What stands at the table otherwise than at first is kept, and nothing else."""

from __future__ import annotations

import pytest

from corr.service.players import table_preferences
from corr.service.players.table_preferences import Switch
from corr.words.errors import Refused

OFF_AT_FIRST = {Switch.REACH, Switch.OLDEST}


def test_at_first_every_mark_is_on_but_nothing_is_shown_of_a_man_in_hand() -> None:
    assert table_preferences.parse_switches("") == set(Switch) - OFF_AT_FIRST


@pytest.mark.parametrize("switch", Switch)
def test_what_is_switched_is_kept_once_and_switched_back_leaves_nothing(switch: Switch) -> None:
    there, back = ("on", "off") if switch in OFF_AT_FIRST else ("off", "on")
    once = table_preferences.apply_wish("", f"{switch} {there}")

    assert once == switch
    assert table_preferences.parse_switches(once) == table_preferences.parse_switches("") ^ {switch}
    assert table_preferences.apply_wish(once, f"{switch} {there}") == once
    assert table_preferences.apply_wish(once, f"{switch} {back}") == ""


def test_several_are_kept_in_one_order_however_they_came() -> None:
    one = table_preferences.apply_wish(table_preferences.apply_wish("", "oldest on"), "last off")
    other = table_preferences.apply_wish(table_preferences.apply_wish("", "last off"), "oldest on")

    assert one == other == "last oldest"


@pytest.mark.parametrize(
    "wish", ["", "capture", "capture of", "everything off", "capture off ", "off capture"]
)
def test_there_is_no_other_switch(wish: str) -> None:
    with pytest.raises(Refused):
        table_preferences.apply_wish("", wish)
