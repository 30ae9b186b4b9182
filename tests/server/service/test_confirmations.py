"""Letters of which it is in doubt whose they are: they wait for their player, and act as of when they came."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from corr.mail.outward import compose
from corr.orders import kind_of
from corr.store.tables import OrderRow
from tests.support.broken_parts import breaks
from tests.support.browser import Browser
from tests.support.table import ANN, AUTHSERV_ID, BEN, EVE, Table, flat, text_of
from tests.support.twin_servers import Twin, Twins, parted

FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=a.example"
ELSEWHERE = "ann@elsewhere.example"
#: Letters in doubt that are asked about: from the player's own address, and from another one.
OF_EITHER_KIND = pytest.mark.parametrize(
    "doubtful", [{"headers": FORGED}, {"sender": ELSEWHERE}], ids=["called forged", "from elsewhere"]
)
VOUCHED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=a.example"
FOREIGN = "Authentication-Results: mx.elsewhere.example; dmarc=fail header.from=a.example"
ASKED = "got an email in your name"
TOLD = "An email for your side of this game came from an address that isn't yours. I didn't act on it"


def orders(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(OrderRow)).scalar_one()


def found(table: Table, player: str, text: str, headers: str = "") -> bytes:
    """A letter to the address that everybody knows, which names one of a seat's letters."""
    newest = table.newest(player)
    raw = table.letter(player, text, headers=headers)
    return raw.replace(newest["Reply-To"].encode(), b"umpire@play.example")


def bring(table: Table, raw: bytes) -> None:
    table.post(raw)
    table.work()


# ---------------------------------------------------------------- called forged by our own server


@pytest.mark.parametrize("text", ["e2e4", "resign resign", "draw?", "show"])
def test_nothing_acts_that_our_own_server_calls_forged(table: Table, text: str) -> None:
    table.begin()
    letters = len(table.letters(BEN))

    table.reply(ANN, text, headers=FORGED)

    assert orders(table) == 0
    assert ASKED in table.says(ANN)
    assert f"| {text}" in table.says(ANN)
    assert "wasn't really sent from the address it shows" in table.says(ANN)
    assert len(table.letters(BEN)) == letters


def test_no_field_of_the_letter_itself_hides_what_our_own_server_found(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=f"{FORGED}\r\n{FOREIGN} (" + "\r\n ".join(["x" * 900] * 10) + ")")

    assert orders(table) == 0
    assert ASKED in table.says(ANN)


@pytest.mark.parametrize("headers", ["", VOUCHED, FOREIGN])
def test_a_letter_that_nobody_of_ours_doubts_acts(table: Table, headers: str) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=headers)

    assert "Your move has been made." in table.says(ANN)


def test_a_confirmed_letter_acts_as_if_it_came_when_it_came(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4", headers=FORGED)
    table.clock.pass_by(days=2)

    table.reply(ANN, "confirm", headers=FORGED)

    assert "Your move has been made." in table.says(ANN)
    assert "Your turn: reply by" in table.says(BEN)
    assert orders(table) == 1


def test_its_time_is_that_of_its_coming(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=2, hours=23)
    table.reply(ANN, "e2e4", headers=FORGED)
    table.clock.pass_by(hours=1, seconds=30)

    table.reply(ANN, "confirm")

    assert "Your move has been made." in table.says(ANN)


#: In doubt for each reason, a letter with a move.
IN_DOUBT = {
    "forged": lambda table: table.letter(ANN, "e2e4", headers=FORGED),
    "from elsewhere": lambda table: table.letter(ANN, "e2e4", sender=ELSEWHERE),
    "found": lambda table: found(table, ANN, "e2e4\ndraw?"),
}


def begun_by(table: Table, clock: str) -> None:
    """A game by a clock, in which both have made two moves at once."""
    table.challenge(clock=clock)
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.play("a2a3", "a7a6", "b2b3", "b7b6")


@pytest.mark.parametrize("why", IN_DOUBT)
@pytest.mark.parametrize(
    ("clock", "days", "left"),
    [("5d+1h", 4, "1 d 3 h"), ("5d+1h", 0.5, "4 d 15 h"), ("1d+bank3d", 3, "1 d 0 h")],
)
def test_a_bank_is_charged_until_a_letter_is_confirmed(
    table: Table, why: str, clock: str, days: float, left: str
) -> None:
    begun_by(table, clock)
    bring(table, IN_DOUBT[why](table))
    assert "Your time bank runs until you confirm." in table.says(ANN)
    table.clock.pass_by(days=days)

    table.reply(ANN, "confirm")

    assert f"Time banks: White {left}, Black" in table.says(BEN)
    assert orders(table) >= 5


def test_a_letter_from_before_the_end_of_a_bank_counts_and_leaves_nothing_in_it(table: Table) -> None:
    begun_by(table, "5d+1h")
    table.clock.pass_by(days=5)
    bring(table, table.letter(ANN, "e2e4", sender=ELSEWHERE))
    table.clock.pass_by(hours=2, minutes=30)

    table.reply(ANN, "confirm")

    assert "Time banks: White 1 h 0 min, Black 5 d 2 h" in table.says(BEN)


def test_of_a_bank_nothing_is_said_where_there_is_none(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=FORGED)

    assert "that email counts from the time it arrived" in table.says(ANN)
    assert "Your time bank" not in table.says(ANN)


def test_a_letter_is_confirmed_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4", headers=FORGED)
    asking = table.newest(ANN)
    table.reply(ANN, "confirm", to=asking)
    table.reply(BEN, "e7e5")

    table.reply(ANN, "confirm", to=asking)

    assert "There is nothing to confirm" in table.says(ANN)
    assert orders(table) == 2


def test_the_word_confirms_nothing_at_another_address(table: Table) -> None:
    table.begin()
    before = table.newest(ANN)
    table.reply(ANN, "resign resign", headers=FORGED)
    asking = table.newest(ANN)

    table.reply(ANN, "confirm", to=before)
    assert "There is nothing to confirm" in table.says(ANN)
    bring(table, table.letter(ANN, "confirm", to=asking, sender=EVE))
    raw = table.letter(ANN, "confirm", to=asking)
    bring(table, raw.replace(asking["Reply-To"].encode(), b"umpire@play.example"))

    assert orders(table) == 0


@OF_EITHER_KIND
def test_where_its_turn_is_over_it_tries_nothing(table: Table, doubtful: dict[str, Any]) -> None:
    table.begin()
    first = table.newest(ANN)
    table.reply(ANN, "d2d4", **doubtful)
    asking = table.newest(ANN)
    table.reply(ANN, "e2e4", to=first)
    table.reply(BEN, "e7e5")

    table.reply(ANN, "confirm", to=asking)

    assert "a move has been made since, so I did nothing" in table.says(ANN)
    assert orders(table) == 2


@OF_EITHER_KIND
def test_after_seven_days_there_is_nothing_to_confirm(table: Table, doubtful: dict[str, Any]) -> None:
    table.challenge(clock="30d")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.reply(ANN, "resign resign", **doubtful)
    asking = table.newest(ANN)
    table.clock.pass_by(days=7)

    table.reply(ANN, "confirm", to=asking)

    assert "There is nothing to confirm" in table.says(ANN)
    assert orders(table) == 0


def test_three_letters_a_day_are_asked_about_and_of_others_the_owner_hears_once_a_day(table: Table) -> None:
    table.begin()
    before = len(table.letters(ANN))
    newest = table.newest(ANN)

    for move in ("e2e4", "d2d4", "c2c4", "b2b4", "a2a4", "f2f4"):
        bring(table, table.letter(ANN, move, to=newest, headers=FORGED))

    assert ["the one word" in flat(text_of(each)) for each in table.letters(ANN)[before:]] == [
        True,
        True,
        True,
        False,
    ]
    assert "we've already asked you often enough today" in table.says(ANN)
    table.reply(ANN, "confirm", to=table.letters(ANN)[before + 1])
    assert "| d2d4 Your move has been made." in table.says(ANN).replace("\n", " ")
    table.reply(ANN, "confirm", to=table.letters(ANN)[before])
    assert "Your move for this turn had already been played" in table.says(ANN)
    assert orders(table) == 1


def test_what_others_send_in_a_players_name_keeps_out_no_letter_of_theirs_for_longer_than_a_day(
    table: Table,
) -> None:
    table.begin()
    newest = table.newest(ANN)
    for move in ("a2a3", "b2b3", "c2c3", "d2d3", "e2e3"):
        bring(table, table.letter(ANN, move, to=newest, headers=FORGED))
    table.clock.pass_by(days=1)

    bring(table, table.letter(ANN, "e2e4", to=newest, headers=FORGED))
    assert "| e2e4" in table.says(ANN)
    table.reply(ANN, "confirm", headers=FORGED)

    assert "Your move has been made." in table.says(ANN)


def test_what_is_asked_about_is_repeated_in_four_kilobytes(table: Table, monkeypatch) -> None:
    table.begin()
    newest = table.newest(ANN)
    text = "\n".join(["note " + "x y " * 230 + str(number) for number in range(24)] + ["resign resign"])

    bring(table, table.letter(ANN, text, to=newest, headers=FORGED))
    with monkeypatch.context() as broken:
        breaks(broken, compose, "render")
        bring(table, table.letter(ANN, text + "\nshow", to=newest, headers=FORGED))

    for letter in table.letters(ANN)[-2:]:
        lines = [line for line in text_of(letter).splitlines() if line.startswith("| ")]
        assert len("\n".join(lines).encode()) <= 4_096
        assert lines[-1] == "| \u2026"


def test_what_is_called_forged_and_holds_no_order_is_not_asked_about(table: Table) -> None:
    table.begin()

    table.reply(ANN, "Thank you for your letter.", headers=FORGED)

    assert "but it had none" in table.says(ANN)


def test_the_letter_that_asks_is_answered_with_orders_as_any_other(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign", headers=FORGED)

    table.reply(ANN, "e2e4")

    assert "Your move has been made." in table.says(ANN)


def test_no_line_of_it_reads_as_an_order(table: Table) -> None:
    table.begin()

    table.reply(ANN, "resign resign", headers=FORGED)

    lines = table.says(ANN).splitlines()
    assert "order" not in {kind_of(line) for line in lines}


# ---------------------------------------------------------------- found by a Message-ID alone


@pytest.mark.parametrize("text", ["e2e4", "resign resign", "resign", "draw?", "help\ne2e4", "note his queen"])
def test_who_knows_a_message_id_alone_moves_ends_and_gives_away_nothing(table: Table, text: str) -> None:
    table.begin()

    bring(table, found(table, ANN, text))

    assert orders(table) == 0
    assert "It wasn't sent to your reply address for this game." in table.says(ANN)


@pytest.mark.parametrize("text", ["accept", "decline"])
def test_who_knows_a_message_id_alone_begins_no_game(table: Table, text: str) -> None:
    table.challenge()
    table.reply(BEN, "accept")

    bring(table, found(table, ANN, text))

    assert ASKED in table.says(ANN)
    assert "The game has started" not in table.says(BEN)


def test_who_knows_a_message_id_alone_puts_no_men_on_the_board(table: Table) -> None:
    table.begin("assassin")
    table.reply(BEN, "deploy home")

    bring(table, found(table, ANN, "deploy corner\ndeploy home"))

    assert ASKED in table.says(ANN)
    assert orders(table) == 1
    table.reply(ANN, "confirm")
    assert "White's move" in table.says(ANN)


def test_another_game_is_not_begun_by_a_message_id(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    table.reply(BEN, "again")

    bring(table, found(table, ANN, "again"))

    assert ASKED in table.says(ANN)


def test_what_was_found_by_a_message_id_acts_once_confirmed(table: Table) -> None:
    table.begin()
    bring(table, found(table, ANN, "resign resign"))

    table.reply(ANN, "confirm")

    assert "The game is over" in table.says(ANN)
    assert "The game is over" in table.says(BEN)


def test_a_letter_found_by_a_message_id_and_called_forged_moves_nothing(table: Table) -> None:
    table.begin()

    bring(table, found(table, ANN, "e2e4", FORGED))

    assert orders(table) == 0
    assert ASKED in table.says(ANN)


# ---------------------------------------------------------------- from another address than the player's


@pytest.mark.parametrize("sender", [ELSEWHERE, EVE, BEN, f"{ANN}, {BEN}", " "])
@pytest.mark.parametrize("text", ["e2e4", "resign resign", "help\ne2e4", "note for myself"])
def test_what_comes_from_elsewhere_waits_and_its_player_alone_is_asked(
    table: Table, sender: str, text: str
) -> None:
    table.begin()
    before = len(table.all_letters())

    table.reply(ANN, text, sender=sender)

    assert orders(table) == 0
    assert ASKED in table.says(ANN)
    assert "It came from an address that isn't yours" in table.says(ANN)
    assert "\n".join(f"| {line}" for line in text.split("\n")) in table.says(ANN)
    assert [letter["To"] for letter in table.all_letters()[before:]] == [ANN]


@pytest.mark.parametrize(
    "text", ["help", "show", "help\nrules", "confirm", "Hello, Ann!", "e2e4 looks good", ""]
)
def test_what_comes_from_elsewhere_and_holds_nothing_to_confirm_is_told_of_alone(
    table: Table, text: str
) -> None:
    table.begin()

    table.reply(ANN, text, sender=EVE)

    assert TOLD in table.says(ANN)
    assert f"| {EVE}" in table.says(ANN)


def test_one_from_elsewhere_to_two_seats_or_without_end_is_told_of_alone(table: Table) -> None:
    table.begin()
    white, black = table.newest(ANN), table.newest(BEN)
    raw = table.letter(ANN, "e2e4", sender=EVE)

    table.post(raw, white["Reply-To"], black["Reply-To"])
    table.work()
    assert TOLD in table.says(ANN)
    assert TOLD in table.says(BEN)
    table.clock.pass_by(days=1)
    bring(table, table.letter(ANN, "e2e4\n" + "\n" * 6_000, sender=EVE, to=white))

    assert TOLD in table.says(ANN)
    assert len([each for each in table.letters(ANN) if TOLD in flat(text_of(each))]) == 2


def test_from_elsewhere_it_is_confirmed_at_the_players_own_address_and_once(table: Table) -> None:
    table.begin()
    first = table.newest(ANN)
    table.reply(ANN, "e2e4", sender=ELSEWHERE)
    asking = table.newest(ANN)
    letters = len(table.letters(ANN))

    bring(table, table.letter(ANN, "confirm", to=asking, sender=ELSEWHERE))
    bring(table, table.letter(ANN, "confirm", to=first))
    assert "There is nothing to confirm" in table.says(ANN)
    assert len(table.letters(ANN)) == letters + 1
    assert orders(table) == 0
    table.reply(ANN, "confirm", to=asking)
    assert "| e2e4\nYour move has been made." in table.says(ANN)
    table.reply(ANN, "confirm", to=asking)
    assert "There is nothing to confirm" in table.says(ANN)
    assert orders(table) == 1


@pytest.mark.parametrize(("first", "then"), [("e2e4", "d2d4"), ("e2e4", "Hello!"), ("Hello!", "e2e4")])
def test_of_what_comes_from_elsewhere_there_is_one_letter_a_day(table: Table, first: str, then: str) -> None:
    table.begin()
    before, answered = len(table.letters(ANN)), table.newest(ANN)
    bring(table, table.letter(ANN, first, to=answered, sender=EVE))
    table.clock.pass_by(hours=23)
    for sender in (EVE, BEN, ELSEWHERE):
        bring(table, table.letter(ANN, then, to=answered, sender=sender))

    assert len(table.letters(ANN)) == before + 1
    assert "We tell you about such emails at most once a day." in table.says(ANN)
    table.clock.pass_by(hours=1)
    bring(table, table.letter(ANN, "c2c4", to=answered, sender=EVE))
    assert len(table.letters(ANN)) == before + 2
    assert "| c2c4" in table.says(ANN)


def test_what_comes_from_elsewhere_keeps_no_other_from_being_asked_about_nor_they_it(table: Table) -> None:
    table.begin()
    answered = table.newest(ANN)
    before = len(table.letters(ANN))
    bring(table, table.letter(ANN, "a2a3", to=answered, sender=EVE))
    for move in ("b2b3", "c2c3", "d2d3", "e2e3"):
        bring(table, table.letter(ANN, move, to=answered, headers=FORGED))
    table.clock.pass_by(days=1)
    for move in ("b2b4", "c2c4", "d2d4", "e2e4"):
        bring(table, table.letter(ANN, move, to=answered, headers=FORGED))
    bring(table, table.letter(ANN, "a2a4", to=answered, sender=EVE))

    asked = [
        flat(text_of(each)).partition("| ")[2][:4] if "the one word" in flat(text_of(each)) else "told"
        for each in table.letters(ANN)[before:]
    ]
    assert asked == ["a2a3", "b2b3", "c2c3", "d2d3", "told", "b2b4", "c2c4", "d2d4", "told", "a2a4"]


def test_a_letter_that_waits_to_be_confirmed_stops_no_flag(table: Table) -> None:
    table.begin_in_earnest()
    table.reply(ANN, "e2e4", sender=ELSEWHERE)
    asking = table.newest(ANN)
    table.clock.pass_by(days=3, minutes=3)

    table.sweep()

    assert "White is out of time." in table.says(BEN)
    table.reply(ANN, "confirm", to=asking)
    assert orders(table) == 4


#: What happens at Ann's seat in one of two houses, and what in the other, before Ann writes her move in both.
UNHEARD = {
    "it waits": ((lambda twin: twin.table.reply(ANN, "d2d4\ndraw?", sender=EVE)), lambda _: None),
    "it says nothing": ((lambda twin: twin.table.reply(ANN, "help", sender=EVE)), lambda _: None),
    "it is one of many": (
        lambda twin: [bring(twin.table, twin.table.letter(ANN, "resign resign", sender=EVE)) for _ in "many"],
        lambda twin: twin.table.reply(ANN, "show"),
    ),
}


def parted_before_a_move(table: Table, folder: Path, clock: str = "3d") -> Twins:
    begun_by(table, clock)
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    return parted(table, folder / "twins", ben)


def seen_by_ben(twin: Twin) -> list[bytes]:
    """Each letter that Ben got, and his page of the game."""
    code = twin.table.newest(BEN)["Subject"].rpartition("(")[2].strip(")")
    return [
        *twin.letters(BEN),
        twin.answer("/games/"),
        twin.answer(f"/games/{code}"),
    ]


@pytest.mark.parametrize("case", UNHEARD)
def test_nothing_that_the_other_side_gets_depends_on_what_waits_to_be_confirmed(
    table: Table, tmp_path: Path, case: str
) -> None:
    twins = parted_before_a_move(table, tmp_path)
    first = table.newest(ANN)
    for twin, happens in zip((twins.one, twins.other), UNHEARD[case], strict=True):
        happens(twin)
    assert seen_by_ben(twins.one) == seen_by_ben(twins.other)

    for twin in (twins.one, twins.other):
        twin.table.reply(ANN, "e2e4", to=first)

    assert "Your turn: reply by" in twins.one.table.says(BEN)
    assert seen_by_ben(twins.one) == seen_by_ben(twins.other)
    twins.close()


@pytest.mark.parametrize("clock", ["3d", "5d+1h", "none"])
def test_that_a_move_was_confirmed_is_told_to_nobody_else(table: Table, tmp_path: Path, clock: str) -> None:
    twins = parted_before_a_move(table, tmp_path, clock)
    first = table.newest(ANN)
    twins.one.table.reply(ANN, "e2e4", sender=ELSEWHERE)
    for twin in (twins.one, twins.other):
        twin.table.clock.pass_by(days=1)

    twins.one.table.reply(ANN, "confirm")
    twins.other.table.reply(ANN, "e2e4", to=first)

    assert "Your turn" in twins.one.table.says(BEN)
    assert seen_by_ben(twins.one) == seen_by_ben(twins.other)
    twins.close()


def test_that_a_letter_waited_as_time_ran_out_is_told_to_nobody_else(table: Table, tmp_path: Path) -> None:
    twins = parted_before_a_move(table, tmp_path)
    twins.one.table.reply(ANN, "e2e4", sender=ELSEWHERE)

    for hours in (48, 23, 0.9, 0.2):
        for twin in (twins.one, twins.other):
            twin.table.clock.pass_by(hours=hours)
            twin.table.sweep()
        assert seen_by_ben(twins.one) == seen_by_ben(twins.other)

    assert "White is out of time." in twins.one.table.says(BEN)
    twins.close()
