"""What stands at the table otherwise than at first is kept, and nothing else."""

from __future__ import annotations

import pytest

from corr.service.players.switches import Switch, parse_switches, parse_wish, turn
from corr.words.errors import Refused

OFF_AT_FIRST = {Switch.OLDEST}


def test_at_first_every_mark_is_on() -> None:
    assert parse_switches("") == set(Switch) - OFF_AT_FIRST


@pytest.mark.parametrize("switch", Switch)
def test_what_is_switched_is_kept_once_and_switched_back_leaves_nothing(switch: Switch) -> None:
    is_off = switch in OFF_AT_FIRST
    once = turn("", switch, on=is_off)

    assert once == switch
    assert parse_switches(once) == parse_switches("") ^ {switch}
    assert turn(once, switch, on=is_off) == once
    assert turn(once, switch, on=not is_off) == ""


def test_several_are_kept_in_one_order_however_they_came() -> None:
    one = turn(turn("", Switch.OLDEST, on=True), Switch.LAST, on=False)
    other = turn(turn("", Switch.LAST, on=False), Switch.OLDEST, on=True)

    assert one == other == "last oldest"


@pytest.mark.parametrize(
    "wish", ["", "capture", "capture of", "everything off", "capture off ", "off capture", "answers off"]
)
def test_there_is_no_other_switch(wish: str) -> None:
    with pytest.raises(Refused):
        parse_wish(wish)
