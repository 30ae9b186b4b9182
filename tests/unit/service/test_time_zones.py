"""Time zones: how moments are told, in winter, in summer, and where a zone is not known."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corr.service.players import times
from corr.words.errors import Refused

#: A moment in UTC, a zone, and what its reader is told.
TOLD = (
    ("2026-11-24 20:00", "UTC", "Tue 24 Nov 2026, 20:00 UTC"),
    ("2026-11-24 20:00", "Europe/Paris", "Tue 24 Nov 2026, 21:00 (Paris)"),
    ("2026-07-24 20:00", "Europe/Paris", "Fri 24 Jul 2026, 22:00 (Paris)"),
    ("2026-03-29 00:59", "Europe/Paris", "Sun 29 Mar 2026, 01:59 (Paris)"),
    ("2026-03-29 01:00", "Europe/Paris", "Sun 29 Mar 2026, 03:00 (Paris)"),
    ("2026-10-25 00:30", "Europe/Paris", "Sun 25 Oct 2026, 02:30 (Paris, CEST)"),
    ("2026-10-25 01:30", "Europe/Paris", "Sun 25 Oct 2026, 02:30 (Paris, CET)"),
    ("2026-10-25 02:30", "Europe/Paris", "Sun 25 Oct 2026, 03:30 (Paris)"),
    ("2026-11-24 20:00", "Asia/Kolkata", "Wed 25 Nov 2026, 01:30 (Kolkata)"),
    ("2026-11-24 20:00", "America/Argentina/Buenos_Aires", "Tue 24 Nov 2026, 17:00 (Buenos Aires)"),
)
#: What may stand in a database of another machine, or in a form that somebody has made.
UNKNOWN = (
    *("", "Europe", "Europe/", "Europe/Atlantis", "../../../etc/passwd", "/etc/localtime"),
    *("Paris", "Europe/Paris\n", "Europe/Paris\x00", "Europe/\u202eParis", "x" * 10_000),
)


@pytest.mark.parametrize(("moment", "zone", "told"), TOLD)
def test_a_moment_is_told_in_the_readers_own_time(moment: str, zone: str, told: str) -> None:
    assert times.word_moment(datetime.fromisoformat(moment).replace(tzinfo=UTC), zone) == told


@pytest.mark.parametrize("zone", UNKNOWN)
def test_a_zone_that_is_not_known_is_not_taken_and_breaks_no_letter(zone: str) -> None:
    with pytest.raises(Refused, match="no such time zone"):
        times.check_zone(zone)
    assert times.word_moment(datetime(2026, 11, 24, 20, tzinfo=UTC), zone or "Nowhere/At_all").endswith(
        "20:00 UTC"
    )


@pytest.mark.parametrize(("written", "zone"), [("utc", "UTC"), ("europe/paris", "Europe/Paris")])
def test_a_zone_may_be_written_in_small_letters(written: str, zone: str) -> None:
    assert times.check_zone(written) == zone


def in_list(own: str) -> dict[str, str]:
    """What somebody whose zone this is may choose from: the zones and their places."""
    return {zone: place for places in times.list_by_area(own).values() for zone, place in places.items()}


def test_no_place_is_listed_by_an_earlier_name_beside_that_of_today() -> None:
    assert {"Asia/Kolkata", "Europe/Kyiv", "America/Indiana/Knox"} <= set(in_list("UTC"))
    assert not {
        *("Asia/Calcutta", "Europe/Kiev", "America/Knox_IN", "America/Buenos_Aires", "Australia/ACT")
    } & set(in_list("UTC"))


@pytest.mark.parametrize("own", ["Asia/Calcutta", "Europe/Paris"])
def test_the_zone_that_its_reader_has_chosen_is_in_the_list_by_whatever_name(own: str) -> None:
    assert times.check_zone(own) == own
    assert in_list(own)[own] == times.place_of_zone(own)


def test_every_zone_of_the_list_may_be_chosen_and_is_told() -> None:
    listed = in_list("UTC")

    assert {"Europe/Paris", "America/New_York", "Asia/Tokyo", "Australia/Sydney"} <= set(listed)
    assert listed["America/Argentina/Buenos_Aires"] == "Buenos Aires (Argentina)"
    for zone in listed:
        assert times.check_zone(zone) == zone
        assert times.word_moment(datetime(2026, 11, 24, 20, tzinfo=UTC), zone).endswith(
            f"({times.place_of_zone(zone)})"
        )
