"""Once a day the house signs where all games stand, and what its operators did; it is mailed to whoever wants it."""

from __future__ import annotations

import json
import threading
from datetime import datetime, timedelta
from email.message import EmailMessage
from itertools import combinations

import pytest
from sqlalchemy import Connection, delete, event, func, insert, select, update

from corr.service.admin import restore
from corr.service.admin.maintenance import delete_player
from corr.service.games import checkpoints, moderation
from corr.service.games.checkpoints import PublicCheckpoint
from corr.service.games.moderation import DecreeKind
from corr.store.tables import CheckpointRow, DecisionRow, GameRow, PlayerRow, SecretRow, SiteOutboxRow
from tests.support.browser import Browser
from tests.support.signed_notes import Read, consistency, hashed, is_consistent, read, tree, verified
from tests.support.table import ANN, BEN, EVE, Table, text_of
from tests.support.unsubscribe_headers import address_of, page_of, press
from tests.support.waiting import join

SUBJECT = "[corr] Transparency log checkpoint"
#: The day on which every table's clock begins, and those after it.
DAYS = [f"2026-11-{day}" for day in (20, 21, 22, 23, 24)]


def signed(table: Table, day: str = "") -> PublicCheckpoint:
    """What was signed of a day, or last."""
    seen = checkpoints.load_day(table.server, day) if day else checkpoints.load_newest(table.server)
    assert seen
    return seen


def told(table: Table, day: str = "") -> Read:
    """What it says, once it was verified, and what its log holds."""
    seen = signed(table, day)
    found, held = read(verified(seen.note, seen.key)), log(table, seen.day)
    assert (found.size, found.root) == (len(held), tree(held))
    return found


def log(table: Table, day: str) -> list[bytes]:
    """All leaves of a day's log up to that day."""
    origin = signed(table, day).note.partition("\n")[0]
    made = days(table)
    of_log = [
        each for each in made[: made.index(day) + 1] if signed(table, each).note.startswith(f"{origin}\n")
    ]
    return [leaf for each in of_log for leaf in leaves(table, each)]


def assert_consistent(table: Table) -> None:
    """Each checkpoint of a log holds all that those before it held."""
    made = [(day, told(table, day)) for day in days(table)]
    for (_, first), (day, second) in combinations(made, 2):
        proof = consistency(first.size, log(table, day)) if first.size else []
        assert is_consistent(first, second, proof)


def days(table: Table) -> list[str]:
    with table.server.store.reading() as connection:
        return list(connection.execute(select(CheckpointRow.day).order_by(CheckpointRow.id)).scalars())


def leaves(table: Table, day: str = "") -> list[bytes]:
    found = checkpoints.load_leaves(table.server, day or signed(table).day)
    assert found is not None
    return found


def later(table: Table, **span: float) -> None:
    table.clock.pass_by(**span)
    table.sweep()
    table.work()


def seal_in(letter: EmailMessage) -> str:
    """The letters of the seal that stands in a letter."""
    (line,) = (line for line in text_of(letter).splitlines() if line.startswith("Seal "))
    return line.rpartition(" ")[2]


def code_in(letter: EmailMessage) -> str:
    return str(letter["Subject"])[-6:-1]


def decree(
    table: Table, game: int, number: int, deed: DecreeKind, detail: str = "", reason: str = "A storm."
) -> None:
    wish = moderation.check_request(deed, detail, detail, reason)
    moderation.decree(table.server, "olga@house.example", game, str(number), wish, table.clock())
    table.work()


# ---------------------------------------------------------------- what is signed


def test_a_house_without_a_game_signs_an_empty_tree(table: Table) -> None:
    assert checkpoints.load_newest(table.server) is None
    table.sweep()

    assert told(table).origin == "play.example/corr/2026-11-20T120000Z"
    assert leaves(table) == []


def test_every_game_that_is_under_way_is_in_it_by_its_code_and_by_the_seal_of_its_letters(
    table: Table,
) -> None:
    table.begin_anew()
    table.play("e2e4", "e7e5")
    first = table.newest(ANN)
    table.begin_anew("rbc")
    second = table.newest(ANN)
    table.challenge()
    table.sweep()

    entries = sorted(f"{code_in(each)} {seal_in(each)}" for each in (first, second))
    assert leaves(table) == [hashed(entry) for entry in entries]
    assert told(table).size == 2


def test_the_last_seal_of_a_game_is_in_it_and_then_the_game_is_no_more(table: Table) -> None:
    table.begin_anew()
    table.sweep()
    table.reply(ANN, "resign resign")
    later(table, hours=20)
    later(table, days=1)
    later(table, days=1)

    over = table.newest(ANN)
    assert [told(table, day).size for day in days(table)] == [1, 2, 2, 2]
    assert leaves(table, DAYS[1]) == [hashed(f"{code_in(over)} {seal_in(over)}")]


def test_it_tells_nothing_of_what_a_side_does_before_its_turn_is_over(table: Table) -> None:
    """Neither a try that is refused, nor an order ahead, nor one's set-up while the other side sets up."""
    table.begin_anew()
    table.sweep()
    for player, text in ((ANN, "e2e5"), (ANN, "ghost qd8"), (BEN, "if capture e5: d7d6; else e7e5")):
        table.reply(player, text)
    table.challenge(variant="assassin")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    later(table, days=1)
    before = leaves(table)
    table.reply(ANN, "deploy home")
    later(table, days=1)

    assert leaves(table, DAYS[0])[0] in before
    assert leaves(table) == before


def test_each_act_of_an_operator_is_in_the_next_one_and_in_no_other(table: Table) -> None:
    table.begin_anew()
    code = code_in(table.newest(ANN))
    table.sweep()
    decree(table, 1, 1, DecreeKind.EXTEND, "3")
    decree(table, 1, 2, DecreeKind.RESUME)
    later(table, days=1)
    later(table, days=1)

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
    assert leaves(table, DAYS[1])[1:] == [hashed(entry) for entry in entries]


def test_what_is_decreed_and_not_done_waits_for_the_one_after(table: Table) -> None:
    table.begin_anew()
    wish = moderation.check_request(DecreeKind.EXTEND, "3", "", "A storm.")
    moderation.decree(table.server, "olga@house.example", 1, "1", wish, table.clock())
    checkpoints.sign_checkpoint(table.server, table.clock())
    assert told(table).size == 1

    table.work()
    later(table, days=1)
    assert told(table).size == 3


def test_a_decree_holds_in_the_log_when_its_operator_is_forgotten(table: Table) -> None:
    table.begin_anew()
    decree(table, 1, 1, DecreeKind.ADJUDICATE, "void")
    table.sweep()
    before = leaves(table)
    with table.server.store.writing() as connection:
        connection.execute(update(DecisionRow).values(operator=""))
        connection.execute(update(DecisionRow).values(logged=None))
        connection.execute(delete(CheckpointRow))
    table.sweep()

    assert leaves(table) == before


# ---------------------------------------------------------------- one a day, one after another


def test_each_checkpoint_is_consistent_with_all_before_it(table: Table) -> None:
    """While games begin, go on and end, and on days on which nothing happens."""
    for number, _ in enumerate(DAYS):
        table.sweep()
        if number < 3:
            table.begin_anew()
        if number == 1:
            table.reply(ANN, "resign resign")
        table.clock.pass_by(days=1)

    assert days(table) == DAYS
    assert_consistent(table)
    assert [told(table, day).size for day in DAYS] == [0, 1, 3, 5, 7]


def test_one_whose_hashes_were_changed_is_noticed_by_the_next(table: Table) -> None:
    """Also by whoever has the key, and signs another one in its place."""
    table.begin_anew()
    table.sweep()
    later(table, days=1)
    first = told(table, DAYS[0])
    with table.server.store.writing() as connection:
        changed = update(CheckpointRow).where(CheckpointRow.day == DAYS[0])
        connection.execute(changed.values(leaves=hashed("another")))

    held = log(table, DAYS[1])
    assert tree(held) != read(verified(signed(table).note, signed(table).key)).root
    forged = first._replace(size=1, root=tree(held[:1]))
    assert not is_consistent(
        forged, read(verified(signed(table).note, signed(table).key)), consistency(1, held)
    )


def test_a_house_that_resumes_from_a_copy_begins_another_log(table: Table) -> None:
    """What it had signed after the copy was taken is not known: of one log it would be contradicted."""
    table.begin_anew()
    table.sweep()
    restore.resume_after_restore(table.server, table.clock())
    later(table, days=1)

    first, second = (told(table, day) for day in DAYS[:2])
    assert (first.origin, first.size) == ("play.example/corr/2026-11-20T120000Z", 1)
    assert (second.origin, second.size) == ("play.example/corr/2026-11-21T120000Z", 1)
    later(table, days=1)
    assert told(table).origin == second.origin


def test_what_was_signed_when_each_day_had_a_tree_of_its_own_stays_and_goes_on_no_further(
    table: Table,
) -> None:
    old = {"day": "2026-11-19", "made_at": table.clock() - timedelta(days=1), "leaves": hashed("x") * 9}
    with table.server.store.writing() as connection:
        connection.execute(insert(CheckpointRow).values(note="play.example/corr\n9\nroot\n", key="", **old))
    table.sweep()

    assert signed(table, "2026-11-19").note == "play.example/corr\n9\nroot\n"
    assert not signed(table, "2026-11-19").is_of_log
    assert signed(table).is_of_log
    assert told(table) == ("play.example/corr/2026-11-20T120000Z", 0, tree([]))


def test_a_day_has_one_whoever_sweeps_and_however_often(table: Table) -> None:
    table.begin_anew()
    decree(table, 1, 1, DecreeKind.EXTEND, "3")
    table.sweep()
    first = signed(table)
    table.reply(ANN, "e2e4")
    for _ in range(3):
        table.sweep()
        assert not checkpoints.sign_checkpoint(table.server, table.clock())

    assert days(table) == DAYS[:1]
    assert signed(table) == first


def test_two_workers_at_once_make_one(table: Table) -> None:
    table.begin_anew()
    decree(table, 1, 1, DecreeKind.EXTEND, "3")
    together, made = threading.Barrier(4), []

    def make() -> None:
        together.wait()
        made.append(checkpoints.sign_checkpoint(table.server, table.clock()))

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    join(*threads)

    assert sorted(made) == [False, False, False, True]
    assert told(table).size == 2


def test_two_workers_on_either_side_of_midnight_sign_one_after_the_other(table: Table) -> None:
    together = threading.Barrier(2)

    def make(now: datetime) -> None:
        together.wait()
        checkpoints.sign_checkpoint(table.server, now)

    table.clock.pass_by(hours=12)
    moments = (table.clock() - timedelta(seconds=1), table.clock())
    threads = [threading.Thread(target=make, args=(now,)) for now in moments]
    for thread in threads:
        thread.start()
    join(*threads)

    first, second = days(table)
    assert {first, second} == {*DAYS[:2]}
    assert_consistent(table)


def test_a_clock_that_is_set_back_across_midnight_signs_no_day_twice(table: Table) -> None:
    table.sweep()
    later(table, hours=12, minutes=1)
    later(table, minutes=-2)
    later(table, minutes=2)

    assert days(table) == DAYS[:2]


def test_a_clock_that_was_a_year_ahead_leaves_no_day_out_once_it_is_right(table: Table) -> None:
    table.clock.pass_by(days=365)
    table.sweep()
    later(table, days=-365)
    later(table, days=1)

    assert days(table) == ["2027-11-20", *DAYS[:2]]
    assert_consistent(table)


def test_a_house_that_slept_for_three_days_signs_the_day_on_which_it_wakes(table: Table) -> None:
    table.begin_anew()
    table.sweep()
    later(table, days=3)

    assert days(table) == [DAYS[0], DAYS[3]]
    assert told(table).size == 2


def test_a_fault_in_it_holds_up_nothing_else(table: Table) -> None:
    table.begin_anew()
    with table.server.store.writing() as connection:
        connection.execute(update(SecretRow).where(SecretRow.name == "checkpoints").values(value=b"no key"))
    later(table, days=2, hours=12)

    assert "This is a reminder" in table.says(ANN)
    assert days(table) == []


def test_ten_thousand_games_are_asked_for_at_once(table: Table) -> None:
    """As many statements as one game takes; 32 bytes are kept of each."""
    table.begin_anew()
    later(table, days=1)
    with table.server.store.reading() as connection:
        row = connection.execute(select(*GameRow.__table__.columns)).mappings().one()
    asked = statements_of(table)
    many = [
        {**row, "id": number, "code": f"{number:05}", "seal": number.to_bytes(32)}
        for number in range(2, 10_001)
    ]
    with table.server.store.writing() as connection:
        connection.execute(insert(GameRow), many)

    assert statements_of(table) == asked
    assert len(leaves(table)) == 10_000
    assert told(table).size == len(log(table, days(table)[-1]))


def statements_of(table: Table) -> int:
    """How many are needed to sign another day."""
    said: list[str] = []

    def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        said.append(statement)

    table.clock.pass_by(days=1)
    event.listen(table.server.store.engine, "before_cursor_execute", note)
    assert checkpoints.sign_checkpoint(table.server, table.clock())
    event.remove(table.server.store.engine, "before_cursor_execute", note)
    return len(said)


# ---------------------------------------------------------------- by mail


def subscribed(table: Table) -> list[str]:
    with table.server.store.reading() as connection:
        asked = select(PlayerRow.name).where(PlayerRow.checkpoint.is_not(None)).order_by(PlayerRow.id)
        return list(connection.execute(asked).scalars())


def mailed(table: Table, player: str = ANN) -> list[EmailMessage]:
    return [letter for letter in table.letters(player) if letter["Subject"] == SUBJECT]


def note_in(letter: EmailMessage) -> str:
    """The note, cut out of a letter's text."""
    text = text_of(letter)
    begin = text.index("play.example/corr/")
    return text[begin : text.index("\n\n", text.index("\N{EM DASH} ")) + 1]


def test_it_comes_by_mail_to_whoever_would_have_it_from_the_next_one_on(table: Table) -> None:
    table.begin_anew()
    table.sweep()
    assert subscribed(table) == []
    table.reply(ANN, "mail checkpoints")
    assert "We'll email you each daily checkpoint" in table.says(ANN)
    assert subscribed(table) == ["ann"]
    table.sweep()
    assert mailed(table) == []

    for _ in range(2):
        later(table, days=1)
        table.sweep()
        table.work()
    assert [note_in(letter) for letter in mailed(table)] == [signed(table, day).note for day in DAYS[1:3]]
    assert mailed(table, BEN) == []
    seen = signed(table)
    assert verified(note_in(table.newest(ANN)), seen.key)
    assert f"\n{seen.key}\n" in text_of(table.newest(ANN))
    assert f"https://play.example/checkpoint/{DAYS[2]}" in text_of(table.newest(ANN))


def test_it_is_asked_for_and_stopped_on_the_page(table: Table) -> None:
    table.begin_anew()
    ann = Browser(table.at_work())
    ann.sign_in(table, ANN)
    ann.open("/settings/")
    ann.press("Save notifications", checkpoints="checkpoints")
    assert subscribed(table) == ["ann"]
    assert 'value="checkpoints" selected' in ann.answer.get_data(as_text=True)

    ann.press("Save notifications", checkpoints="no checkpoints")
    assert subscribed(table) == []
    assert 'value="no checkpoints" selected' in ann.answer.get_data(as_text=True)


def test_whoever_asks_twice_gets_each_once_and_misses_none(table: Table) -> None:
    table.begin_anew()
    table.reply(ANN, "mail checkpoints")
    checkpoints.sign_checkpoint(table.server, table.clock())
    table.reply(ANN, "mail checkpoints")
    table.sweep()

    assert [note_in(letter) for letter in mailed(table)] == [signed(table).note]


def test_two_workers_write_it_once(table: Table) -> None:
    table.begin_anew()
    for player in (ANN, BEN):
        table.reply(player, "mail checkpoints")
    together = threading.Barrier(3)

    def sweep() -> None:
        together.wait()
        table.sweep()

    threads = [threading.Thread(target=sweep) for _ in range(3)]
    for thread in threads:
        thread.start()
    join(*threads)

    with table.server.store.reading() as connection:
        asked = select(func.count()).where(SiteOutboxRow.kind == "checkpoint")
        assert connection.execute(asked).scalar_one() == 2


@pytest.mark.parametrize("way", ["press", "letter", "word"])
def test_it_is_stopped_and_letters_about_games_still_come(table: Table, way: str) -> None:
    table.begin_anew()
    table.reply(ANN, "mail checkpoints")
    later(table, minutes=1)
    letter = table.newest(ANN)
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    before = len(table.letters(ANN))

    if way == "press":
        app = table.at_work()
        assert "You'll still get emails about your games" in app.test_client().get(page_of(letter)).get_data(
            True
        )
        assert "no longer email you the" in press(app, page_of(letter)).get_data(True)
        assert len(table.letters(ANN)) == before
    elif way == "letter":
        raw = f"From: {EVE}\r\nTo: {address_of(letter)}\r\nMessage-ID: <stop@mail.example>\r\n\r\n"
        assert table.post(raw.encode()) == 1
        table.work()
        assert len(table.letters(ANN)) == before
    else:
        table.reply(ANN, "mail no checkpoints")
        assert "no longer email you the" in table.says(ANN)
    later(table, days=1)

    assert subscribed(table) == []
    assert len(mailed(table)) == 1
    table.begin_anew("rbc")
    assert "Your turn" in table.says(ANN)


def test_a_link_that_stops_letters_about_games_does_not_stop_it_and_is_another(table: Table) -> None:
    table.begin_anew()
    turn = table.newest(ANN)
    table.reply(ANN, "mail checkpoints")
    later(table, minutes=1)
    letter = table.newest(ANN)
    press(table.at_work(), page_of(turn))
    later(table, days=1)

    assert page_of(turn) != page_of(letter)
    assert subscribed(table) == ["ann"]
    assert len(mailed(table)) == 2


def test_after_a_new_address_was_made_the_older_links_do_not_stop_it(table: Table) -> None:
    table.begin_anew()
    table.reply(ANN, "mail checkpoints")
    of_game = table.newest(ANN)
    later(table, minutes=1)
    leaked = table.newest(ANN)
    table.reply(ANN, "new address", to=of_game)

    assert press(table.app(), page_of(leaked)).status_code == 404
    assert subscribed(table) == ["ann"]


def test_whoever_is_forgotten_gets_none(table: Table) -> None:
    table.begin_anew()
    table.reply(ANN, "mail checkpoints")
    table.reply(ANN, "resign resign")
    delete_player(table.server, "ann", table.clock())
    later(table, days=1)

    assert subscribed(table) == []
    assert mailed(table) == []
