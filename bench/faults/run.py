"""One run: games begin, fate strikes, everything settles, and what went wrong is counted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from random import Random

from bench.faults.count import Evidence
from bench.faults.diary import Diary
from bench.faults.fate import Fate
from bench.faults.keeper import Keeper
from bench.faults.matchmaker import Matchmaker
from bench.faults.players import Players
from bench.faults.postmen import Postmen
from bench.faults.report import Report, report
from bench.faults.stack import Stack
from bench.faults.stacks import STACKS
from bench.faults.table import Plan, Table
from tests.support.procfile import End, Part

_POSTMEN = 8
#: Longer than any player may think.
_DAYS = timedelta(days=4)


def run(plan: Plan, folder: Path) -> Report:
    """Play it through and count."""
    dice = Random(plan.seed)
    stack: Stack = STACKS[plan.stack](folder, Random(f"{plan.seed} sink"))
    postmen = Postmen(stack.doors, Random(f"{plan.seed} postmen"), _POSTMEN)
    players = Players(stack.post, postmen, plan.seed, plan.thinking)
    diary = Diary(folder / "diary", stack.clock)
    keeper = Keeper(stack.parts, dice, diary)
    fate = Fate(stack, players, keeper, dice, diary)
    table = Table(stack, postmen, players, keeper, fate, diary)
    try:
        stack.start()
        ends = _play(plan, table)
        prepared = {code: match.prepared for code, match in players.matches.items()}
        evidence = Evidence(stack.ask, players.written, list(stack.received()), prepared)
        return report(plan, table, evidence, ends)
    finally:
        for part in stack.parts:
            part.kill()
        stack.end()


def _play(plan: Plan, table: Table) -> list[End]:
    """All games from the first challenge to the last end; how the processes ended."""
    table.postmen.start()
    table.players.start()
    matchmaker = Matchmaker(table.stack, table.players, plan.games)
    matchmaker.start()
    matchmaker.wait_until_busy()
    table.diary.note("the games have begun")
    table.fate.strike(plan.kills, plan.pause)
    matchmaker.stop()
    table.diary.note("nothing is struck any more")
    table.players.hurry()
    table.wait_until(table.are_games_finished)
    table.diary.note("the games are finished, but for those that were left")
    table.stack.live_on(_DAYS)
    table.wait_until(table.is_all_over)
    table.diary.note("the games that were left have run out of time")
    table.players.stop()
    table.postmen.stop()
    table.wait_until(lambda: all(part.has_started() for part in table.stack.parts))
    with ThreadPoolExecutor(len(table.stack.parts)) as hands:
        return list(hands.map(Part.stop, table.stack.parts))
