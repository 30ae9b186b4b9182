"""Switches of the table: only those that differ from the default are stored."""

from __future__ import annotations

import pytest

from corr.service.players.switches import Switch, parse_switches, parse_wish, turn
from corr.words.errors import Refused

OFF_BY_DEFAULT = {Switch.OLDEST}


def test_by_default_every_mark_is_on() -> None:
    assert parse_switches("") == set(Switch) - OFF_BY_DEFAULT


@pytest.mark.parametrize("switch", Switch)
def test_a_change_is_stored_once_and_undone_completely(switch: Switch) -> None:
    is_off = switch in OFF_BY_DEFAULT
    changed = turn("", switch, on=is_off)

    assert changed == switch
    assert parse_switches(changed) == parse_switches("") ^ {switch}
    assert turn(changed, switch, on=is_off) == changed
    assert turn(changed, switch, on=not is_off) == ""


def test_changes_are_stored_in_a_fixed_order() -> None:
    one = turn(turn("", Switch.OLDEST, on=True), Switch.LAST, on=False)
    other = turn(turn("", Switch.LAST, on=False), Switch.OLDEST, on=True)

    assert one == other == "last oldest"


@pytest.mark.parametrize(
    "wish", ["", "capture", "capture of", "everything off", "capture off ", "off capture", "answers off"]
)
def test_an_unknown_switch_is_refused(wish: str) -> None:
    with pytest.raises(Refused):
        parse_wish(wish)
