"""A short simulation, and damage that its independent check finds."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bench.simulation import check, reckoning
from bench.simulation.check import Check
from bench.simulation.run import Plan, run
from bench.simulation.server import CALM
from tests.support.table import blank_database

Line = dict[str, Any]
SEEDS = (1,)
#: A season without faults, in which some players are reminded and run out of time.
CALM_SEASON = Plan(5, games=6, days=10, rates=CALM, peace=2)


def played(plan: Plan, folder: Path) -> list[str]:
    file = folder / f"{plan.seed}.sqlite"
    file.write_bytes(blank_database())
    return list(run(plan, f"sqlite:///{file}"))


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Sequence[str]:
    return played(CALM_SEASON, tmp_path_factory.mktemp("calm"))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_season_full_of_faults_breaks_no_promise(seed: int, tmp_path: Path) -> None:
    assert Check(played(Plan(seed, games=5, days=10, peace=2), tmp_path)).run() == []


def test_a_season_on_postgresql_breaks_no_promise(postgres_url: str) -> None:
    assert Check(run(Plan(3, games=3, days=4, peace=1), postgres_url)).run() == []


def test_the_same_seed_gives_the_same_season(tmp_path: Path, calm: Sequence[str]) -> None:
    again = played(CALM_SEASON, tmp_path)

    assert [_without_seals(line) for line in again] == [_without_seals(line) for line in calm]


def _without_seals(line: str) -> str:
    """Seals are random."""
    return re.sub(r"Seal \w+: [A-Z2-7]+", "", line)


def test_a_calm_season_breaks_no_promise(calm: Sequence[str]) -> None:
    assert Check(calm).run() == []


@pytest.mark.parametrize("module", [check, reckoning])
def test_the_check_imports_no_product_code(module: Any) -> None:
    tree = ast.parse(Path(module.__file__).read_text())
    named = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert named
    assert not [each for each in named if each and each.startswith(("corr", "worker", "tests"))]


# ---------------------------------------------------------------- damage


def matches(line: Line, what: str, **fields: object) -> bool:
    return line["what"] == what and all(line.get(name) == value for name, value in fields.items())


def flag_of(lines: list[Line]) -> Line:
    """The end of a game in which a player ran out of time."""
    plain = {
        line["game"]
        for line in lines
        if matches(line, "game") and line["clock"] in ("1d", "3d", "5d", "2d steady")
    }
    return next(line for line in lines if line["what"] == "over" and line["game"] in plain and is_flag(line))


def is_flag(line: Line) -> bool:
    return line["reason"] in ("time", "void")


def before(at: str, **span: float) -> str:
    return (datetime.fromisoformat(at) - timedelta(**span)).isoformat()


def insert_by_time(lines: list[Line], line: Line) -> None:
    moment = datetime.fromisoformat(line["at"])
    place = next(n for n, each in enumerate(lines) if datetime.fromisoformat(each["at"]) > moment)
    lines.insert(place, line)


def flag_early(lines: list[Line]) -> None:
    flag = flag_of(lines)
    lines.remove(flag)
    insert_by_time(lines, {**flag, "at": before(flag["at"], hours=1)})


def flag_never(lines: list[Line]) -> None:
    lines.remove(flag_of(lines))


def flag_over_an_unread_email(lines: list[Line]) -> None:
    flag = flag_of(lines)
    at = before(flag["at"], minutes=30)
    row = {
        "what": "row",
        "at": at,
        "game": flag["game"],
        "received": at,
        "name": "",
        "says": "",
        "page": True,
    }
    for number, side in enumerate(("white", "black")):
        insert_by_time(lines, {**row, "side": side, "row": 10_000 + number})


def reminder_of(lines: list[Line]) -> Line:
    return next(line for line in lines if matches(line, "wrote", kind="reminder"))


def remind_in_quiet_hours(lines: list[Line]) -> None:
    reminder = reminder_of(lines)
    game = next(line for line in lines if matches(line, "game", game=reminder["game"]))
    hour = datetime.fromisoformat(reminder["at"]).hour
    for line in lines:
        if matches(line, "hours", player=game[reminder["side"]]):
            line.update(zone="UTC", quiet=f"{hour}-{hour + 1}")


def remind_twice(lines: list[Line]) -> None:
    reminder = reminder_of(lines)
    lines.insert(lines.index(reminder), {**reminder, "number": 1_000})


def remind_early(lines: list[Line]) -> None:
    reminder = reminder_of(lines)
    lines.remove(reminder)
    insert_by_time(lines, {**reminder, "at": before(reminder["at"], hours=1)})


def remind_never(lines: list[Line]) -> None:
    lines.remove(reminder_of(lines))


def judge_twice(lines: list[Line]) -> None:
    judged = next(line for line in lines if line["what"] == "judged")
    lines.insert(lines.index(judged), dict(judged))


def judge_never(lines: list[Line]) -> None:
    lines.remove(next(line for line in lines if line["what"] == "judged"))


def answer_twice(lines: list[Line]) -> None:
    answer = next(line for line in lines if line["what"] == "handed" and line["answers"])
    lines.append({**answer, "number": 1_000})


def hand_to_another(lines: list[Line]) -> None:
    next(line for line in lines if line["what"] == "handed")["to"] = "eve@players.example"


def lose_an_email(lines: list[Line]) -> None:
    lines.remove(next(line for line in lines if line["what"] == "handed"))


def tell_once(lines: list[Line]) -> None:
    """Keep only the first email about the turn in which a player ran out of time."""
    flag = flag_of(lines)
    events = [line for line in lines[: lines.index(flag)] if line["what"] in ("begun", "moved", "handed")]
    events = [line for line in events if line["game"] == flag["game"]]
    newest = max(number for number, line in enumerate(events) if line["what"] != "handed")
    side = {"white": "black", "black": "white"}[events[newest]["side"]]
    for line in [line for line in events[newest:] if line["what"] == "handed" and line["side"] == side][1:]:
        lines.remove(line)


DAMAGES = {
    tell_once: "nobody is flagged who was not told twice",
    flag_early: "no game is flagged early",
    flag_never: "no flag is late",
    flag_over_an_unread_email: "no game is flagged over an unread letter",
    remind_in_quiet_hours: "no reminder comes in quiet hours",
    remind_twice: "nobody is reminded twice",
    remind_early: "no reminder comes early",
    remind_never: "no reminder is missing",
    judge_twice: "each letter is judged once",
    judge_never: "each letter is judged once",
    answer_twice: "each letter is judged once",
    hand_to_another: "letters go to their readers alone",
    lose_an_email: "each letter of ours arrives",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_found(damage: Callable[[list[Line]], None], calm: Sequence[str]) -> None:
    lines = [json.loads(line) for line in calm]
    damage(lines)

    breaches = Check(json.dumps(line) for line in lines).run()
    assert DAMAGES[damage] in {breach.promise for breach in breaches}
