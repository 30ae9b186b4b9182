"""A turn in the database: the house against the very same statements and commit, said by the bare driver."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from bench.databases import Databases, places
from bench.tape import BareDesk, Recorder
from corr.service.house import House
from corr.service.mail import game_emails, inbox, reader
from corr.service.mail.arrival import Arrival
from corr.service.mail.email_contents import Opened
from corr.service.worker_rounds import READ_AT_ONCE
from tests.support.crowd import Crowd, Hollow, house

Times = defaultdict[str, list[float]]
GAMES, ROUNDS = 60, 8
NAMES = {"turn": "the turn's transaction", "letter": "a letter read, whole"}


def clocked(times: Times, step: str, work: Callable[[], int | None]) -> int:
    """Do some work and note the milliseconds for each letter in it; how many letters."""
    begun = time.perf_counter()
    count = work()
    took = (time.perf_counter() - begun) * 1000
    if count != 0:
        times[step].append(took / (count or 1))
    return count or 0


def one_by_one(ours: House, bare: BareDesk, times: Times) -> None:
    """Settle each letter's turn in our house and then by the bare driver."""

    def settle(opened: Opened) -> None:
        with ours.store.writing() as connection:
            reader._settle(connection, ours, opened, ours.now())

    while rows := reader.INTAKE.claim(ours, ours.now(), READ_AT_ONCE):
        for row, number in zip(rows, bare.claim_in(), strict=True):
            ((_, opened),) = reader._opened(ours, [row], ours.now())
            clocked(times, "turn, ours", partial(settle, opened))
            bare.open_each(number)
            clocked(times, "turn, bare", partial(bare.settle, number))


def in_batches(ours: House, bare: BareDesk, times: Times) -> None:
    """Read all letters, as a worker does it, in our house and by the bare driver."""
    while clocked(times, "letter, ours", lambda: reader.read_some(ours, ours.now(), READ_AT_ONCE)):
        clocked(times, "letter, bare", bare.read_some)


def measure(place: Databases) -> Times:
    recorder, times = Recorder(), Times(list)
    recorded = house(place.make("recorded"), Hollow())
    crowd = Crowd(recorded)
    crowd.begin(GAMES)
    recorded.store.close()
    ours = house(place.copy("recorded", "ours"), Hollow())
    bare = BareDesk(recorder.tape, place.copy("recorded", "bare"))
    recorder.listen(recorded)
    for number in range(ROUNDS):
        letters = crowd.replies()
        recorder.record(recorded, letters)
        for letter in letters:
            inbox.drop(ours, Arrival(letter.raw, (letter.recipient,), ours.now()))
            bare.drop(letter.raw, letter.recipient)
        (in_batches if number % 2 else one_by_one)(ours, bare, times)
        while game_emails.send_some(ours, ours.now()):
            pass
        while bare.send_some(Hollow().send):
            pass
    recorded.store.close()
    ours.store.close()
    return times


def main() -> None:
    with places() as found:
        for place in found:
            times = measure(place)
            for step in ("turn", "letter"):
                ours, bare = (statistics.median(times[f"{step}, {side}"]) for side in ("ours", "bare"))
                said = f"{ours * 1000:6.0f} µs, bare {bare * 1000:5.0f} µs: {bare / ours:.2f}x"
                print(f"{place.name:10} {NAMES[step]:24} {said}")


if __name__ == "__main__":
    main()
