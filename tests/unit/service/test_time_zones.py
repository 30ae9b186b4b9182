"""Time zones: how moments are written, in winter, in summer, and in an unknown zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corr.service.players import times
from corr.words.errors import Refused

#: A moment in UTC, a zone, and how its reader sees the moment.
MOMENTS = (
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
#: Zones that a database from another machine or a forged form might hold.
UNKNOWN = (
    *("", "Europe", "Europe/", "Europe/Atlantis", "../../../etc/passwd", "/etc/localtime"),
    *("Paris", "Europe/Paris\n", "Europe/Paris\x00", "Europe/\u202eParis", "x" * 10_000),
)


@pytest.mark.parametrize(("moment", "zone", "text"), MOMENTS)
def test_a_moment_is_written_in_the_readers_zone(moment: str, zone: str, text: str) -> None:
    assert times.word_moment(datetime.fromisoformat(moment).replace(tzinfo=UTC), zone) == text


@pytest.mark.parametrize("zone", UNKNOWN)
def test_an_unknown_zone_is_refused_and_falls_back_to_utc(zone: str) -> None:
    with pytest.raises(Refused, match="no such time zone"):
        times.check_zone(zone)
    assert times.word_moment(datetime(2026, 11, 24, 20, tzinfo=UTC), zone or "Nowhere/At_all").endswith(
        "20:00 UTC"
    )


@pytest.mark.parametrize(("given", "zone"), [("utc", "UTC"), ("europe/paris", "Europe/Paris")])
def test_a_zone_may_be_written_in_lower_case(given: str, zone: str) -> None:
    assert times.check_zone(given) == zone


def zones_listed(own: str) -> dict[str, str]:
    """Return the zones to choose from, with their places, if `own` is the reader's zone."""
    return {zone: place for places in times.list_by_area(own).values() for zone, place in places.items()}


def test_outdated_zone_names_are_not_listed() -> None:
    assert {"Asia/Kolkata", "Europe/Kyiv", "America/Indiana/Knox"} <= set(zones_listed("UTC"))
    assert not {
        *("Asia/Calcutta", "Europe/Kiev", "America/Knox_IN", "America/Buenos_Aires", "Australia/ACT")
    } & set(zones_listed("UTC"))


@pytest.mark.parametrize("own", ["Asia/Calcutta", "Europe/Paris"])
def test_the_readers_own_zone_is_listed_even_under_an_outdated_name(own: str) -> None:
    assert times.check_zone(own) == own
    assert zones_listed(own)[own] == times.place_of_zone(own)


def test_every_listed_zone_can_be_chosen() -> None:
    listed = zones_listed("UTC")

    assert {"Europe/Paris", "America/New_York", "Asia/Tokyo", "Australia/Sydney"} <= set(listed)
    assert listed["America/Argentina/Buenos_Aires"] == "Buenos Aires (Argentina)"
    for zone in listed:
        assert times.check_zone(zone) == zone
        assert times.word_moment(datetime(2026, 11, 24, 20, tzinfo=UTC), zone).endswith(
            f"({times.place_of_zone(zone)})"
        )
