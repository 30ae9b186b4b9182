"""The daily signed checkpoint: what it holds, when it's made, and how it's emailed to subscribers."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from itertools import combinations
from threading import Barrier

import pytest
from sqlalchemy import Connection, delete, event, func, insert, select, update

from corr.service.admin import restore
from corr.service.admin.maintenance import delete_player
from corr.service.games import checkpoints, moderation
from corr.service.games.checkpoints import PublicCheckpoint
from corr.service.games.moderation import DecreeKind
from corr.store.tables import CheckpointRow, DecisionRow, GameRow, PlayerRow, SecretRow, SiteOutboxRow
from tests.support.browser import Browser
from tests.support.signed_notes import (
    Checkpoint,
    consistency_proof,
    is_consistent,
    leaf_hash,
    parse_checkpoint,
    tree_hash,
    verify_note,
)
from tests.support.table import ANN, BEN, EVE, Table, text_of
from tests.support.unsubscribe_headers import (
    unsubscribe_address,
    unsubscribe_page,
    unsubscribe_with_one_click,
)

SUBJECT = "[corr] Transparency log checkpoint"
#: The first is the day on which every table's clock begins.
DAYS = [f"2026-11-{day}" for day in (20, 21, 22, 23, 24)]


def load(table: Table, day: str = "") -> PublicCheckpoint:
    """The checkpoint of a day, or the newest."""
    seen = checkpoints.load_day(table.server, day) if day else checkpoints.load_newest(table.server)
    assert seen
    return seen


def verify(table: Table, day: str = "") -> Checkpoint:
    """What a checkpoint says, after checking its signature and tree."""
    seen = load(table, day)
    found, held = parse_checkpoint(verify_note(seen.note, seen.key)), log(table, seen.day)
    assert (found.size, found.root) == (len(held), tree_hash(held))
    return found


def log(table: Table, day: str) -> list[bytes]:
    """All leaves of a log, up to and including that day."""
    origin = load(table, day).note.partition("\n")[0]
    made = days(table)
    of_log = [
        each for each in made[: made.index(day) + 1] if load(table, each).note.startswith(f"{origin}\n")
    ]
    return [leaf for each in of_log for leaf in leaves(table, each)]


def assert_consistent(table: Table) -> None:
    """Each checkpoint of a log extends all earlier ones."""
    made = [(day, verify(table, day)) for day in days(table)]
    for (_, first), (day, second) in combinations(made, 2):
        proof = consistency_proof(first.size, log(table, day)) if first.size else []
        assert is_consistent(first, second, proof)


def days(table: Table) -> list[str]:
    with table.server.store.reading() as connection:
        return list(connection.execute(select(CheckpointRow.day).order_by(CheckpointRow.id)).scalars())


def leaves(table: Table, day: str = "") -> list[bytes]:
    found = checkpoints.load_leaves(table.server, day or load(table).day)
    assert found is not None
    return found


def sweep_later(table: Table, **span: float) -> None:
    table.clock.advance(**span)
    table.sweep()
    table.run_workers()


def run_at_once(*actions: Callable[[], object]) -> list[object]:
    """Start all actions at the same moment, in threads of their own; return their results."""
    gate = Barrier(len(actions))

    def run(action: Callable[[], object]) -> object:
        gate.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def seal_in(letter: EmailMessage) -> str:
    """The seal in an email."""
    (line,) = (line for line in text_of(letter).splitlines() if line.startswith("Seal "))
    return line.rpartition(" ")[2]


def code_in(letter: EmailMessage) -> str:
    return str(letter["Subject"])[-6:-1]


def decree(
    table: Table, game: int, number: int, deed: DecreeKind, detail: str = "", reason: str = "A storm."
) -> None:
    wish = moderation.check_request(deed, detail, detail, reason)
    moderation.decree(table.server, "olga@house.example", game, str(number), wish, table.clock())
    table.run_workers()


# ---------------------------------------------------------------- contents


def test_a_server_without_games_signs_an_empty_tree(table: Table) -> None:
    assert checkpoints.load_newest(table.server) is None
    table.sweep()

    assert verify(table).origin == "play.example/corr/2026-11-20T120000Z"
    assert leaves(table) == []


def test_it_has_the_code_and_seal_of_every_running_game(
    table: Table,
) -> None:
    table.begin_by_email()
    table.play("e2e4", "e7e5")
    first = table.last_email(ANN)
    table.begin_by_email("rbc")
    second = table.last_email(ANN)
    table.challenge()
    table.sweep()

    entries = sorted(f"{code_in(each)} {seal_in(each)}" for each in (first, second))
    assert leaves(table) == [leaf_hash(entry) for entry in entries]
    assert verify(table).size == 2


def test_a_finished_games_last_seal_is_in_one_checkpoint(table: Table) -> None:
    table.begin_by_email()
    table.sweep()
    table.reply(ANN, "resign resign")
    sweep_later(table, hours=20)
    sweep_later(table, days=1)
    sweep_later(table, days=1)

    over = table.last_email(ANN)
    assert [verify(table, day).size for day in days(table)] == [1, 2, 2, 2]
    assert leaves(table, DAYS[1]) == [leaf_hash(f"{code_in(over)} {seal_in(over)}")]


def test_it_reveals_nothing_about_an_unfinished_turn(table: Table) -> None:
    """Neither a refused try, nor standing orders, nor a set-up while the opponent is still setting up."""
    table.begin_by_email()
    table.sweep()
    for player, text in ((ANN, "e2e5"), (ANN, "ghost qd8"), (BEN, "if capture e5: d7d6; else e7e5")):
        table.reply(player, text)
    table.challenge(variant="assassin")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    sweep_later(table, days=1)
    before = leaves(table)
    table.reply(ANN, "deploy home")
    sweep_later(table, days=1)

    assert leaves(table, DAYS[0])[0] in before
    assert leaves(table) == before


def test_each_act_of_an_operator_is_in_the_next_checkpoint_only(table: Table) -> None:
    table.begin_by_email()
    code = code_in(table.last_email(ANN))
    table.sweep()
    decree(table, 1, 1, DecreeKind.EXTEND, "3")
    decree(table, 1, 2, DecreeKind.RESUME)
    sweep_later(table, days=1)
    sweep_later(table, days=1)

    made = "2026-11-20T12:00:00+00:00"
    acts = [
        {"deed": "extend", "detail": "3", "result": "done"},
        {"deed": "resume", "detail": "", "result": "not_paused"},
    ]
    entries = [
        json.dumps(
            act | {"game": code, "reason": "A storm.", "made_at": made, "done_at": made},
            sort_keys=True,
            separators=(",", ":"),
        )
        for act in acts
    ]
    assert [len(leaves(table, day)) for day in DAYS[:3]] == [1, 3, 1]
    assert leaves(table, DAYS[1])[1:] == [leaf_hash(entry) for entry in entries]


def test_an_act_that_is_not_carried_out_yet_waits_for_the_next_checkpoint(table: Table) -> None:
    table.begin_by_email()
    wish = moderation.check_request(DecreeKind.EXTEND, "3", "", "A storm.")
    moderation.decree(table.server, "olga@house.example", 1, "1", wish, table.clock())
    checkpoints.sign_checkpoint(table.server, table.clock())
    assert verify(table).size == 1

    table.run_workers()
    sweep_later(table, days=1)
    assert verify(table).size == 3


def test_a_decree_stays_the_same_in_the_log_when_its_operator_is_deleted(table: Table) -> None:
    table.begin_by_email()
    decree(table, 1, 1, DecreeKind.ADJUDICATE, "void")
    table.sweep()
    before = leaves(table)
    with table.server.store.writing() as connection:
        connection.execute(update(DecisionRow).values(operator=""))
        connection.execute(update(DecisionRow).values(logged=None))
        connection.execute(delete(CheckpointRow))
    table.sweep()

    assert leaves(table) == before


# ---------------------------------------------------------------- one a day


def test_each_checkpoint_is_consistent_with_all_earlier_ones(table: Table) -> None:
    """While games begin, go on and end, and on quiet days."""
    for number, _ in enumerate(DAYS):
        table.sweep()
        if number < 3:
            table.begin_by_email()
        if number == 1:
            table.reply(ANN, "resign resign")
        table.clock.advance(days=1)

    assert days(table) == DAYS
    assert_consistent(table)
    assert [verify(table, day).size for day in DAYS] == [0, 1, 3, 5, 7]


def test_changed_hashes_are_noticed_in_the_next_checkpoint(table: Table) -> None:
    """Even if someone with the key signs a replacement."""
    table.begin_by_email()
    table.sweep()
    sweep_later(table, days=1)
    first = verify(table, DAYS[0])
    with table.server.store.writing() as connection:
        changed = update(CheckpointRow).where(CheckpointRow.day == DAYS[0])
        connection.execute(changed.values(leaves=leaf_hash("another")))

    held = log(table, DAYS[1])
    assert tree_hash(held) != parse_checkpoint(verify_note(load(table).note, load(table).key)).root
    forged = first._replace(size=1, root=tree_hash(held[:1]))
    assert not is_consistent(
        forged, parse_checkpoint(verify_note(load(table).note, load(table).key)), consistency_proof(1, held)
    )


def test_a_restored_server_begins_another_log(table: Table) -> None:
    """We don't know what was signed after the backup, and must not contradict it."""
    table.begin_by_email()
    table.sweep()
    restore.resume_after_restore(table.server, table.clock())
    sweep_later(table, days=1)

    first, second = (verify(table, day) for day in DAYS[:2])
    assert (first.origin, first.size) == ("play.example/corr/2026-11-20T120000Z", 1)
    assert (second.origin, second.size) == ("play.example/corr/2026-11-21T120000Z", 1)
    sweep_later(table, days=1)
    assert verify(table).origin == second.origin


def test_old_checkpoints_with_a_tree_of_their_own_stay_unchanged(
    table: Table,
) -> None:
    old = {"day": "2026-11-19", "made_at": table.clock() - timedelta(days=1), "leaves": leaf_hash("x") * 9}
    with table.server.store.writing() as connection:
        connection.execute(insert(CheckpointRow).values(note="play.example/corr\n9\nroot\n", key="", **old))
    table.sweep()

    assert load(table, "2026-11-19").note == "play.example/corr\n9\nroot\n"
    assert not load(table, "2026-11-19").is_of_log
    assert load(table).is_of_log
    assert verify(table) == ("play.example/corr/2026-11-20T120000Z", 0, tree_hash([]))


def test_a_day_has_one_checkpoint_however_often_we_sweep(table: Table) -> None:
    table.begin_by_email()
    decree(table, 1, 1, DecreeKind.EXTEND, "3")
    table.sweep()
    first = load(table)
    table.reply(ANN, "e2e4")
    for _ in range(3):
        table.sweep()
        assert not checkpoints.sign_checkpoint(table.server, table.clock())

    assert days(table) == DAYS[:1]
    assert load(table) == first


def test_workers_at_once_sign_one_checkpoint(table: Table) -> None:
    table.begin_by_email()
    decree(table, 1, 1, DecreeKind.EXTEND, "3")
    made = run_at_once(*[lambda: checkpoints.sign_checkpoint(table.server, table.clock())] * 4)

    assert sorted(made) == [False, False, False, True]
    assert verify(table).size == 2


def test_two_workers_around_midnight_sign_one_after_the_other(table: Table) -> None:
    table.clock.advance(hours=12)
    midnight = table.clock()
    run_at_once(
        lambda: checkpoints.sign_checkpoint(table.server, midnight - timedelta(seconds=1)),
        lambda: checkpoints.sign_checkpoint(table.server, midnight),
    )

    first, second = days(table)
    assert {first, second} == {*DAYS[:2]}
    assert_consistent(table)


def test_setting_the_clock_back_across_midnight_signs_no_day_twice(table: Table) -> None:
    table.sweep()
    sweep_later(table, hours=12, minutes=1)
    sweep_later(table, minutes=-2)
    sweep_later(table, minutes=2)

    assert days(table) == DAYS[:2]


def test_correcting_a_clock_that_was_a_year_ahead_skips_no_day(table: Table) -> None:
    table.clock.advance(days=365)
    table.sweep()
    sweep_later(table, days=-365)
    sweep_later(table, days=1)

    assert days(table) == ["2027-11-20", *DAYS[:2]]
    assert_consistent(table)


def test_a_server_that_was_down_for_days_signs_only_the_day_it_is_back(table: Table) -> None:
    table.begin_by_email()
    table.sweep()
    sweep_later(table, days=3)

    assert days(table) == [DAYS[0], DAYS[3]]
    assert verify(table).size == 2


def test_a_failing_checkpoint_delays_nothing_else(table: Table) -> None:
    table.begin_by_email()
    with table.server.store.writing() as connection:
        connection.execute(update(SecretRow).where(SecretRow.name == "checkpoints").values(value=b"no key"))
    sweep_later(table, days=2, hours=12)

    assert "This is a reminder" in table.last_text(ANN)
    assert days(table) == []


def test_ten_thousand_games_take_as_many_statements_as_one(table: Table) -> None:
    table.begin_by_email()
    sweep_later(table, days=1)
    with table.server.store.reading() as connection:
        row = connection.execute(select(*GameRow.__table__.columns)).mappings().one()
    with_one_game = count_statements(table)
    many = [
        {**row, "id": number, "code": f"{number:05}", "seal": number.to_bytes(32)}
        for number in range(2, 10_001)
    ]
    with table.server.store.writing() as connection:
        connection.execute(insert(GameRow), many)

    assert count_statements(table) == with_one_game
    assert len(leaves(table)) == 10_000
    assert verify(table).size == len(log(table, days(table)[-1]))


def count_statements(table: Table) -> int:
    """How many statements signing another day takes."""
    statements: list[str] = []

    def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    table.clock.advance(days=1)
    event.listen(table.server.store.engine, "before_cursor_execute", note)
    assert checkpoints.sign_checkpoint(table.server, table.clock())
    event.remove(table.server.store.engine, "before_cursor_execute", note)
    return len(statements)


# ---------------------------------------------------------------- by email


def subscribers(table: Table) -> list[str]:
    with table.server.store.reading() as connection:
        query = select(PlayerRow.name).where(PlayerRow.checkpoint.is_not(None)).order_by(PlayerRow.id)
        return list(connection.execute(query).scalars())


def checkpoint_emails(table: Table, player: str = ANN) -> list[EmailMessage]:
    return [letter for letter in table.emails_to(player) if letter["Subject"] == SUBJECT]


def note_in(letter: EmailMessage) -> str:
    """The note in an email's text."""
    text = text_of(letter)
    begin = text.index("play.example/corr/")
    return text[begin : text.index("\n\n", text.index("\N{EM DASH} ")) + 1]


def test_a_subscriber_gets_each_checkpoint_from_the_next_one_on(table: Table) -> None:
    table.begin_by_email()
    table.sweep()
    assert subscribers(table) == []
    table.reply(ANN, "mail checkpoints")
    assert "We'll email you each daily checkpoint" in table.last_text(ANN)
    assert subscribers(table) == ["ann"]
    table.sweep()
    assert checkpoint_emails(table) == []

    for _ in range(2):
        sweep_later(table, days=1)
        table.sweep()
        table.run_workers()
    assert [note_in(letter) for letter in checkpoint_emails(table)] == [
        load(table, day).note for day in DAYS[1:3]
    ]
    assert checkpoint_emails(table, BEN) == []
    seen = load(table)
    assert verify_note(note_in(table.last_email(ANN)), seen.key)
    assert f"\n{seen.key}\n" in text_of(table.last_email(ANN))
    assert f"https://play.example/checkpoint/{DAYS[2]}" in text_of(table.last_email(ANN))


def test_the_settings_page_subscribes_and_unsubscribes(table: Table) -> None:
    table.begin_by_email()
    ann = Browser(table.app_with_workers())
    ann.sign_in(table, ANN)
    ann.open("/settings/")
    ann.press("Save notifications", checkpoints="checkpoints")
    assert subscribers(table) == ["ann"]
    assert 'value="checkpoints" selected' in ann.answer.get_data(as_text=True)

    ann.press("Save notifications", checkpoints="no checkpoints")
    assert subscribers(table) == []
    assert 'value="no checkpoints" selected' in ann.answer.get_data(as_text=True)


def test_a_player_who_subscribes_twice_gets_each_once_and_misses_none(table: Table) -> None:
    table.begin_by_email()
    table.reply(ANN, "mail checkpoints")
    checkpoints.sign_checkpoint(table.server, table.clock())
    table.reply(ANN, "mail checkpoints")
    table.sweep()

    assert [note_in(letter) for letter in checkpoint_emails(table)] == [load(table).note]


def test_workers_at_once_write_each_email_once(table: Table) -> None:
    table.begin_by_email()
    for player in (ANN, BEN):
        table.reply(player, "mail checkpoints")
    run_at_once(*[table.sweep] * 3)

    with table.server.store.reading() as connection:
        query = select(func.count()).where(SiteOutboxRow.kind == "checkpoint")
        assert connection.execute(query).scalar_one() == 2


@pytest.mark.parametrize("way", ["press", "letter", "word"])
def test_unsubscribing_leaves_emails_about_games(table: Table, way: str) -> None:
    table.begin_by_email()
    table.reply(ANN, "mail checkpoints")
    sweep_later(table, minutes=1)
    letter = table.last_email(ANN)
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    before = len(table.emails_to(ANN))

    if way == "press":
        app = table.app_with_workers()
        assert "You'll still get emails about your games" in app.test_client().get(
            unsubscribe_page(letter)
        ).get_data(True)
        assert "no longer email you the" in unsubscribe_with_one_click(
            app, unsubscribe_page(letter)
        ).get_data(True)
        assert len(table.emails_to(ANN)) == before
    elif way == "letter":
        raw = f"From: {EVE}\r\nTo: {unsubscribe_address(letter)}\r\nMessage-ID: <stop@mail.example>\r\n\r\n"
        assert table.deliver(raw.encode()) == 1
        table.run_workers()
        assert len(table.emails_to(ANN)) == before
    else:
        table.reply(ANN, "mail no checkpoints")
        assert "no longer email you the" in table.last_text(ANN)
    sweep_later(table, days=1)

    assert subscribers(table) == []
    assert len(checkpoint_emails(table)) == 1
    table.begin_by_email("rbc")
    assert "Your turn" in table.last_text(ANN)


def test_unsubscribing_from_emails_about_games_leaves_checkpoints(table: Table) -> None:
    table.begin_by_email()
    turn = table.last_email(ANN)
    table.reply(ANN, "mail checkpoints")
    sweep_later(table, minutes=1)
    letter = table.last_email(ANN)
    unsubscribe_with_one_click(table.app_with_workers(), unsubscribe_page(turn))
    sweep_later(table, days=1)

    assert unsubscribe_page(turn) != unsubscribe_page(letter)
    assert subscribers(table) == ["ann"]
    assert len(checkpoint_emails(table)) == 2


def test_a_new_address_invalidates_the_older_unsubscribe_links(table: Table) -> None:
    table.begin_by_email()
    table.reply(ANN, "mail checkpoints")
    of_game = table.last_email(ANN)
    sweep_later(table, minutes=1)
    leaked = table.last_email(ANN)
    table.reply(ANN, "new address", to=of_game)

    assert unsubscribe_with_one_click(table.app(), unsubscribe_page(leaked)).status_code == 404
    assert subscribers(table) == ["ann"]


def test_a_deleted_player_gets_no_checkpoints(table: Table) -> None:
    table.begin_by_email()
    table.reply(ANN, "mail checkpoints")
    table.reply(ANN, "resign resign")
    delete_player(table.server, "ann", table.clock())
    sweep_later(table, days=1)

    assert subscribers(table) == []
    assert checkpoint_emails(table) == []
