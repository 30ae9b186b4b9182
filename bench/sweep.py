"""How long the regular work of beat takes on servers with 10,000 and with a million games.

python -m bench.sweep [--small 10000] [--large 1000000]
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from sqlalchemy import text

from bench.driver import Databases, ask, places, seconds
from corr.service.games import due_actions
from corr.service.mail import game_emails, game_reader, inbox
from corr.service.mail.arrivals import Arrival
from corr.service.server import Server
from tests.support import large_database
from tests.support.many_players import DiscardingMailer, Letter, ManyPlayers, make_server, run_workers

DUE, ROUNDS = 20, 200
SOME = f"id % 457 = 0 AND id <= {457 * DUE}"


def microseconds(run_workers: Callable[[], object], afterwards: Callable[[], object] = bool) -> float:
    """The median time of some work, without its cleanup."""
    times = []
    for _ in range(ROUNDS):
        times.append(seconds(run_workers) * 1e6)
        afterwards()
    return statistics.median(times)


def say(ours: Server, *statements: str) -> None:
    with ours.store.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def whole_letters(ours: Server) -> float:
    """The median time of an email in some games, from its arrival to both answers."""
    crowd = ManyPlayers(ours)
    crowd.begin(DUE)

    def answer(letter: Letter) -> None:
        inbox.store_email(ours, Arrival(letter.raw, (letter.recipient,), ours.now()))
        run_workers(ours)

    times = [seconds(partial(answer, letter)) for _ in range(5) for letter in crowd.replies()]
    return statistics.median(times) * 1e6


def measure(place: Databases, games: int) -> dict[str, float]:
    url = place.make(f"games{games}")
    ours = make_server(url, DiscardingMailer())
    now = ours.now()
    large_database.fill(url, games, int(now.timestamp() * 1e6))
    large_database.update_statistics(url)
    times = {
        "sweep, nothing due": microseconds(lambda: due_actions.sweep(ours, now)),
        "emails in, none waits": microseconds(lambda: game_reader.read_some(ours, now)),
        "emails out, none is due": microseconds(lambda: game_emails.OUTBOX.send_some(ours, now, 20)),
    }
    times["an email in, read, two sent"] = whole_letters(ours)
    past = int((now - timedelta(days=1)).timestamp() * 1e6)
    say(ours, f"UPDATE games SET deadline = {past} WHERE {SOME}")
    say(ours, f"UPDATE seats SET remind_at = NULL WHERE game_id IN (SELECT id FROM games WHERE {SOME})")
    times[f"{DUE} flags found"] = microseconds(lambda: due_actions.list_due(ours, now))
    assert len(due_actions.list_due(ours, now)) == DUE
    queues = ("inbox", "read_at", game_reader.INTAKE.queue), ("outbox", "sent_at", game_emails.OUTBOX.queue)
    for table, waits, queue in queues:
        fresh = f"UPDATE {table} SET {waits} = NULL, leased_until = NULL, tries = 0 WHERE {SOME}"
        claim = partial(queue.claim, ours.store, now, now + ours.lease, DUE)
        say(ours, fresh)
        times[f"{DUE} rows of {table} claimed, committed"] = microseconds(claim, partial(say, ours, fresh))
        assert len(claim()) == DUE
    ours.store.close()
    return times


def main() -> None:
    asked = ask(__doc__, small=10_000, large=1_000_000)
    for place in places():
        small, large = (measure(place, games) for games in (asked.small, asked.large))
        print(f"{place.name}: of {asked.small:,} games, and of {asked.large:,}")
        for what, figure in small.items():
            print(f"  {what:36}{figure:7.0f} µs {large[what]:7.0f} µs")


if __name__ == "__main__":
    main()
