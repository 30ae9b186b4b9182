"""What beat wakes every few seconds, in a house of 10,000 games and in one of a million, built by script."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from sqlalchemy import text

from bench.databases import Databases, places
from corr.service.games import reminders_and_flags
from corr.service.house import House
from corr.service.mail import game_emails, inbox, reader
from corr.service.mail.arrival import Arrival
from tests.support import history
from tests.support.crowd import Crowd, Hollow, house, work

SIZES = 10_000, 1_000_000
DUE, ROUNDS = 20, 200


def microseconds(work: Callable[[], object], afterwards: Callable[[], object] = bool) -> float:
    """The median time of some work, not counting what is done after each."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1e6)
        afterwards()
    return statistics.median(times)


def say(ours: House, *statements: str) -> None:
    with ours.store.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def whole_letters(ours: House) -> float:
    """The median time of a letter in some games of this house, from the door to both answers."""
    crowd, times = Crowd(ours), []
    crowd.begin(DUE)
    for _ in range(5):
        for letter in crowd.replies():
            begun = time.perf_counter()
            inbox.drop(ours, Arrival(letter.raw, (letter.recipient,), ours.now()))
            work(ours)
            times.append((time.perf_counter() - begun) * 1e6)
    return statistics.median(times)


def measure(place: Databases, games: int) -> dict[str, float]:
    url = place.make(f"games{games}")
    ours = house(url, Hollow())
    now = ours.now()
    begun = time.perf_counter()
    history.fill(url, games, int(now.timestamp() * 1e6))
    history.count(url)
    print(f"{place.name}: {games:,} games built in {time.perf_counter() - begun:.0f} s", flush=True)
    times = {
        "sweep, nothing due": microseconds(lambda: reminders_and_flags.sweep(ours, now)),
        "letters in, none waits": microseconds(lambda: reader.read_some(ours, now)),
        "letters out, none is due": microseconds(lambda: game_emails.send_some(ours, now)),
    }
    times["a letter in, read, two sent"] = whole_letters(ours)
    some = f"id % 457 = 0 AND id <= {457 * DUE}"
    past = int((now - timedelta(days=1)).timestamp() * 1e6)
    say(ours, f"UPDATE games SET deadline = {past} WHERE {some}")
    say(ours, f"UPDATE seats SET remind_at = NULL WHERE game_id IN (SELECT id FROM games WHERE {some})")
    times[f"{DUE} flags found"] = microseconds(lambda: reminders_and_flags.due(ours, now))
    assert len(reminders_and_flags.due(ours, now)) == DUE
    for table, waits, queue in (
        ("inbox", "read_at", reader.INTAKE.queue),
        ("outbox", "sent_at", game_emails.TRAY.queue),
    ):
        fresh = f"UPDATE {table} SET {waits} = NULL, leased_until = NULL, tries = 0 WHERE {some}"
        claim = partial(queue.claim, ours.store, now, now + ours.lease, DUE)
        say(ours, fresh)
        times[f"{DUE} rows of {table} claimed, committed"] = microseconds(claim, partial(say, ours, fresh))
        assert len(claim()) == DUE
    ours.store.close()
    return times


def main() -> None:
    with places() as all_places:
        for place in all_places:
            small, large = (measure(place, games) for games in SIZES)
            for what, figure in small.items():
                print(f"{place.name:10} {what:36}{figure:7.0f} µs, of a million {large[what]:7.0f} µs")


if __name__ == "__main__":
    main()
