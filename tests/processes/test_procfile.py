"""The house by the Procfile's own lines, with two of everything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest
from sqlalchemy import func, select

from corr.rules.variants import UMPIRES
from corr.store.session import Store
from corr.store.tables import InboxRow, OutboxRow
from tests.support.correspondents import Correspondents, flat
from tests.support.games import GAMES
from tests.support.left_out import leave_out
from tests.support.procfile import Part, environ, lines, run_once
from tests.support.servers import HOST, PATIENCE, RedisServer, free_port, wait_until
from tests.support.table import ANN, AUTHSERV_ID, BEN, DOMAIN, blank

PROCESSES = ("web", "worker", "beat", "mail")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
DEPLOYED = ("assassin", "welbeck")
SILENCE = 20  # seconds that Celery waits for a broker which says nothing
MANY = 60
IN_HAND = (
    (InboxRow.read_at.is_(None), InboxRow.leased_until.is_not(None)),
    (OutboxRow.sent_at.is_(None), OutboxRow.leased_until.is_not(None)),
)


@dataclass
class Running:
    """A house at work."""

    settings: dict[str, str]
    far: Correspondents
    parts: list[Part]

    def health(self) -> dict[str, object]:
        with urlopen(f"http://{self.settings['CORR_WEB_LISTEN']}/healthz", timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def begin(self, variant: str = "wild16") -> None:
        """A game that both have accepted."""
        run_once(f"corr challenge {ANN} {BEN} {variant}", self.settings)
        for player in (ANN, BEN):
            self.far.wait_for(player, "reply to this letter")
            self.far.reply(player, "accept")
            self.far.wait_for(player, "Thank you." if player == ANN else "The game has begun.")
        self.far.wait_for(ANN, "Deploy your men by" if variant in DEPLOYED else "Your turn")


@contextmanager
def running(
    folder: Path, database_url: str, redis: RedisServer, *, of_each: int, names: Sequence[str] = PROCESSES
) -> Iterator[Running]:
    far = Correspondents(free_port())
    far.open()
    settings = environ(
        CORR_DATABASE_URL=database_url,
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_AUTHSERV_ID=AUTHSERV_ID,
        CORR_REDIS_URL=redis.url,
        CORR_SMTP_URL=f"smtp://{HOST}:{far.port}",
        CORR_SMTP_LISTEN=f"{HOST}:{far.door}",
        CORR_WEB_LISTEN=f"{HOST}:{free_port()}",
        CORR_WORKER_PROCESSES="4",
    )
    run_once(lines()["release"], settings)
    parts = [
        Part(name, lines()[name], settings, folder / f"{name}{number}.log")
        for name in names
        for number in range(of_each)
    ]
    for part in parts:
        part.start()
    house = Running(settings, far, parts)
    try:
        wait_until(
            lambda: all("are taken in" in log.read_text() for log in folder.glob("mail*.log")),
            "the doors open",
        )
        wait_until(lambda: answers_well(house), "the pages are well")
        yield house
    finally:
        for part in parts:
            part.kill()
        far.close()


def answers_well(house: Running) -> bool:
    try:
        return house.health()["ok"] is True
    except OSError:
        return False


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return request.getfixturevalue("bare_postgres_url")
    return f"sqlite:///{tmp_path / 'corr.sqlite'}"


def test_a_game_is_played_with_two_of_everything_and_all_stop_in_good_order(
    tmp_path: Path, database_url: str, redis: RedisServer
) -> None:
    with running(tmp_path, database_url, redis, of_each=2) as house:
        house.begin()
        for number, move in enumerate(FOOLS_MATE):
            player, other = ((ANN, BEN), (BEN, ANN))[number % 2]
            house.far.reply(player, move)
            house.far.wait_for(player, "That is your move.")
            house.far.wait_for(other, "The game is over" if move == "d8h4" else "Your turn")
        wait_until(lambda: unsent(database_url) == 0, "all is sent")
        ends = [part.stop() for part in house.parts]

    assert len({letter["Message-ID"] for letter in house.far.letters}) == len(house.far.letters) == 13
    assert [(end.name, end.status) for end in ends if end.status != 0] == []
    for log in tmp_path.glob("*.log"):
        for line in log.read_text().splitlines():
            if line and not line.startswith("worker: Warm shutdown"):  # Celery's last words are its own
                assert_is_told(line)


def unsent(database_url: str) -> int:
    """How many letters wait to be sent, which no page tells."""
    store = Store(database_url)
    with store.reading() as connection:
        waiting = select(func.count()).select_from(OutboxRow).where(OutboxRow.sent_at.is_(None))
        found = connection.execute(waiting).scalar_one()
    store.close()
    return found


@pytest.fixture(scope="module")
def house_of_many_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One house for a game of each variant, one after the other."""
    if RedisServer.missing():
        leave_out(RedisServer.missing())
    folder, redis = tmp_path_factory.mktemp("many-games"), RedisServer()
    redis.start()
    with running(folder, f"sqlite:///{folder / 'corr.sqlite'}", redis, of_each=1) as house:
        yield house
    redis.stop()


@pytest.mark.parametrize("variant", UMPIRES)
def test_a_whole_game_of_each_variant_is_played_over_smtp(house_of_many_games: Running, variant: str) -> None:
    """From the challenge to the whole board, by letters alone, through the Procfile's processes."""
    house, turns = house_of_many_games, GAMES[variant].by_turns()
    house.far.letters.clear()
    house.begin(variant)
    for number, (player, text) in enumerate(turns):
        before = len(house.far.of(player))
        house.far.reply(player, text)
        house.far.wait_for_more(player, before)
        assert "Nothing was tried" not in flat(house.far.of(player)[-1])
        if number + 1 < len(turns):
            house.far.wait_for(turns[number + 1][0], awaited(turns[number + 1][1]))
    for player in (ANN, BEN):
        letter = house.far.wait_for(player, GAMES[variant].end)
        assert "This is the whole board, at last." in letter


def awaited(text: str) -> str:
    """What the letter says that is answered with this."""
    return "Deploy your men by" if text.startswith("deploy") else "Your turn: reply by"


def test_each_process_says_once_in_the_log_that_it_has_started(tmp_path: Path, redis: RedisServer) -> None:
    with running(tmp_path, f"sqlite:///{tmp_path / 'corr.sqlite'}", redis, of_each=1) as house:
        wait_until(lambda: all(sayings(tmp_path, part.name) for part in house.parts), "all say something")
        web, worker, beat, mail = (sayings(tmp_path, name) for name in PROCESSES)

    host, port = house.settings["CORR_WEB_LISTEN"].split(":")
    assert [(told["says"], told["host"], told["port"]) for told in web] == [
        ("pages are shown", host, int(port))
    ]
    assert [told["says"] for told in worker] == ["worker started"]
    assert [told["says"] for told in beat] == ["beat started"]
    assert [told["says"] for told in mail] == ["letters are taken in"]


def sayings(folder: Path, name: str) -> list[dict[str, object]]:
    """What a process has told in its log so far; Celery warns of being root where the tests are."""
    lines = [json.loads(line) for line in (folder / f"{name}0.log").read_text().splitlines()]
    return [told for told in lines if told["level"] == "info"]


def assert_is_told(line: str) -> None:
    """Each line of the log is JSON that names nobody, and nothing went wrong."""
    told = json.loads(line)
    assert told["level"] in ("info", "warning"), line
    assert "a.example" not in line.replace("…@a.example", "")


def test_a_worker_that_is_told_to_stop_leaves_no_letter_in_hand(
    tmp_path: Path, database_url: str, redis: RedisServer
) -> None:
    with running(tmp_path, database_url, redis, of_each=1) as house:
        house.begin()
        for _ in range(MANY):
            house.far.reply(ANN, "show")
        (worker,) = (part for part in house.parts if part.name == "worker")
        end = worker.stop()
        store = Store(database_url)
        with store.reading() as connection:
            in_hand = [connection.execute(select(func.count()).where(*one)).scalar_one() for one in IN_HAND]
        store.close()

    assert (end.status, in_hand) == (0, [0, 0])


def has_a_caller(port: int) -> bool:
    """True if some process has a connection to a port of this machine."""
    fields = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(remote.endswith(f":{port:04X}") and state == "01" for _, _, remote, state, *_ in fields)


def test_a_beat_that_is_told_to_stop_does_not_wait_for_a_silent_broker(
    tmp_path: Path, redis: RedisServer
) -> None:
    settings = environ(
        CORR_DATABASE_URL=f"sqlite:///{tmp_path}/corr.sqlite",
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL=redis.url,
        CORR_SMTP_URL=f"smtp://{HOST}:{free_port()}",
    )
    (tmp_path / "corr.sqlite").write_bytes(blank())
    beat = Part("beat", lines()["beat"], settings, tmp_path / "beat.log")
    redis.freeze()
    beat.start()
    wait_until(lambda: has_a_caller(redis.port), "beat waits for its broker")

    end = beat.stop()

    assert end.status == 0
    assert end.seconds < SILENCE - 5


@pytest.mark.parametrize("how", ["dead", "frozen"])
def test_without_its_broker_letters_are_taken_and_pages_shown_and_all_is_read_when_it_is_back(
    tmp_path: Path, database_url: str, redis: RedisServer, how: str
) -> None:
    with running(tmp_path, database_url, redis, of_each=1) as house:
        house.begin()
        redis.kill() if how == "dead" else redis.freeze()
        house.far.reply(ANN, "e2e4")
        with urlopen(f"http://{house.settings['CORR_WEB_LISTEN']}/", timeout=PATIENCE) as page:
            assert page.status == 200
        assert "does not answer" in str(house.health()["broker"])
        redis.start() if how == "dead" else redis.thaw()

        house.far.wait_for(BEN, "Your turn")
        house.far.reply(BEN, "e7e5")
        house.far.wait_for(ANN, "Move 2. Your turn")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((name, "CORR_REDIS_URL") for name in PROCESSES),
        ("worker", "CORR_DATABASE_URL"),
        ("web", "CORR_MAIL_DOMAIN"),
    ],
)
def test_a_process_that_lacks_a_setting_ends_and_names_it(tmp_path: Path, name: str, key: str) -> None:
    settings = environ(
        CORR_DATABASE_URL=f"sqlite:///{tmp_path / 'corr.sqlite'}",
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL="redis://127.0.0.1:1/0",
    )
    (tmp_path / "corr.sqlite").write_bytes(blank())
    part = Part(name, lines()[name], {**settings, key: ""}, tmp_path / "log")

    part.start()
    wait_until(lambda: not part.is_running(), f"{name} ends")

    said = (tmp_path / "log").read_text()
    assert f"{key} is not set. Set it in the environment, for example {key}=" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_refuses_tables_of_another_version(tmp_path: Path, name: str) -> None:
    settings = environ(
        CORR_DATABASE_URL=f"sqlite:///{tmp_path / 'corr.sqlite'}",
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL="redis://127.0.0.1:1/0",
    )
    part = Part(name, lines()[name], settings, tmp_path / "log")

    part.start()
    wait_until(lambda: not part.is_running(), f"{name} ends")

    assert "run `corr db upgrade` first" in (tmp_path / "log").read_text()


def test_a_stranger_plays_a_house_player_at_once(tmp_path: Path, redis: RedisServer) -> None:
    database_url = f"sqlite:///{tmp_path / 'corr.sqlite'}"
    with running(tmp_path, database_url, redis, of_each=1, names=(*PROCESSES, "thinker")) as house:
        house.far.write(ANN, "challenge Pip wild16 3d white")
        house.far.wait_for(ANN, "confirm")
        house.far.reply(ANN, "confirm")
        house.far.wait_for(ANN, "Wild 16 with Pip (program), you are White. Move 1. Your turn")
        house.far.reply(ANN, "e2e4")
        house.far.wait_for(ANN, "Move 2. Your turn")
