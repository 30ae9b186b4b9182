"""What stands at the table otherwise than at first is kept, and nothing else."""

from __future__ import annotations

import pytest

from corr.service.players import settings
from corr.service.players.settings import Switch
from corr.words.errors import Refused

OFF_AT_FIRST = {Switch.OLDEST}


def test_at_first_every_mark_is_on() -> None:
    assert settings.parse_switches("") == set(Switch) - OFF_AT_FIRST


@pytest.mark.parametrize("switch", Switch)
def test_what_is_switched_is_kept_once_and_switched_back_leaves_nothing(switch: Switch) -> None:
    there, back = ("on", "off") if switch in OFF_AT_FIRST else ("off", "on")
    once = settings.apply_wish("", f"{switch} {there}")

    assert once == switch
    assert settings.parse_switches(once) == settings.parse_switches("") ^ {switch}
    assert settings.apply_wish(once, f"{switch} {there}") == once
    assert settings.apply_wish(once, f"{switch} {back}") == ""


def test_several_are_kept_in_one_order_however_they_came() -> None:
    one = settings.apply_wish(settings.apply_wish("", "oldest on"), "last off")
    other = settings.apply_wish(settings.apply_wish("", "last off"), "oldest on")

    assert one == other == "last oldest"


@pytest.mark.parametrize(
    "wish", ["", "capture", "capture of", "everything off", "capture off ", "off capture"]
)
def test_there_is_no_other_switch(wish: str) -> None:
    with pytest.raises(Refused):
        settings.apply_wish("", wish)
