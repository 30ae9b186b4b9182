"""The file for programs beside a letter: for whoever asks for it, the same as the API tells, and enough to play by."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from corr import limits
from corr.mail.inward.incoming_email import parse_email, parse_orders
from corr.rules.variants import UMPIRES
from corr.service.mail import json_attachment
from tests.server.web.test_weights import LOOKS, MOVES
from tests.support.api_bots import ask, code_of, token_of
from tests.support.broken_parts import SECRET, breaks, kinds
from tests.support.docs import block
from tests.support.email_bots import MailProgram, file_of, part_of, play, text_of_file
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, Table, text_of
from tests.support.twin_servers import Twins, parted


def asked_for(table: Table, variant: str = "wild16") -> None:
    """A game that has begun, with a file beside each letter to Ann."""
    table.begin(variant)
    table.reply(ANN, "mail json")


def answered(table: Table, text: str) -> dict[str, Any]:
    """The file beside the answer to what Ann writes."""
    table.reply(ANN, text)
    return file_of(table.newest(ANN))


# ---------------------------------------------------------------- who gets it


def test_who_asks_for_it_gets_it_beside_each_letter_of_a_game_and_the_opponent_never(table: Table) -> None:
    table.begin()
    before = len(table.letters(ANN))
    for player, text in (
        (ANN, "mail json"),
        (ANN, "e2e5"),
        (ANN, "e2e4"),
        (BEN, "e7e5\ndraw?"),
        (ANN, "help"),
        (BEN, "resign resign"),
    ):
        table.reply(player, text)
    files = [file_of(letter) for letter in table.letters(ANN)[before:]]

    assert [each["letter"] for each in files] == ["answer", "answer", "answer", "turn", "answer", "over"]
    assert [part_of(letter) for letter in (*table.letters(ANN)[:before], *table.letters(BEN))] == [
        None for _ in (*table.letters(ANN)[:before], *table.letters(BEN))
    ]


def test_it_comes_until_it_is_not_wanted_and_beside_no_letter_about_no_game(table: Table) -> None:
    asked_for(table)
    table.write(ANN, "games", name="Ann")
    assert part_of(table.newest(ANN)) is None
    first = next(each for each in reversed(table.letters(ANN)) if part_of(each))
    table.reply(ANN, "mail plain", to=first)
    assert part_of(table.newest(ANN)) is None
    assert "no longer have a file for bots" in table.says(ANN)


def test_it_is_attached_in_seven_bits_and_the_letter_says_what_it_said(table: Table) -> None:
    table.begin()
    table.reply(ANN, "show")
    plain = table.newest(ANN)
    table.reply(ANN, "mail json")
    table.reply(ANN, "show")
    letter = table.newest(ANN)
    part = part_of(letter)

    assert part
    assert (part.get_content_type(), part["Content-Disposition"]) == (
        "application/json",
        'attachment; filename="slip.json"',
    )
    assert part["Content-Transfer-Encoding"] in ("7bit", "quoted-printable")
    assert letter.as_bytes().isascii()
    assert max(map(len, letter.as_bytes().splitlines())) < 998
    assert text_of(letter) == text_of(plain)
    assert kinds(letter) == [*kinds(plain), "application/json"]
    assert [defect for each in letter.walk() for defect in each.defects] == []


# ---------------------------------------------------------------- what stands in it


@pytest.mark.parametrize("variant", UMPIRES)
def test_it_tells_of_a_game_what_the_api_tells_and_of_a_slip_the_very_same_bytes(
    table: Table, variant: str
) -> None:
    asked_for(table, variant)
    token, slips = token_of(table, ANN), 0
    for player, text in (*GAMES[variant].by_turns(), (BEN, "show"), (ANN, "show")):
        table.reply(player, text)
        newest_letter = [letter for letter in table.letters(ANN) if part_of(letter)][-1]
        file, whole = file_of(newest_letter), text_of_file(newest_letter)
        answer = ask(table, f"/api/games/{code_of(table)}/slips", token)
        told, games = answer.get_json(), ask(table, "/api/games", token).get_json()["games"]
        newest, slips = told["slips"][-1], slips + len(file["slips"])

        assert {key: file[key] for key in ("code", "variant", "side", "state", "outcome")} == {
            key: told[key] for key in ("code", "variant", "side", "state", "outcome")
        }
        assert all(file[key] == game[key] for game in games for key in game)
        assert file["slips"] == told["slips"][-len(file["slips"]) :]
        said = json.dumps(newest, ensure_ascii=False, separators=(",", ":"))
        assert said in whole
        assert said in answer.get_data(as_text=True)
    assert slips
    assert file["state"] == "over"


def test_it_tells_what_became_of_each_order_as_the_api_does(table: Table) -> None:
    asked_for(table)
    refused, unclear, moved = (answered(table, text) for text in ("e2e5", "Nf3", "e2e4\ndraw?"))

    assert [(each["order"], each["note"]) for each in refused["orders"]] == [("e2e5", "refused")]
    assert refused["my_turn"]
    assert unclear["orders"] == []
    assert "couldn't understand" in unclear["says"]
    assert [(each["order"], each["note"]) for each in moved["orders"]] == [
        ("e2e4", "moved"),
        ("draw?", "said"),
    ]
    assert not moved["my_turn"]
    assert moved["says"].startswith("Your move has been made.")


def test_of_a_list_it_says_once_what_the_opponent_hears(table: Table) -> None:
    asked_for(table, "classic")
    said = answered(table, "e2e5, d2d5, a2a5")["says"]

    assert "| " not in said
    assert said.count("Your opponent hears") <= 1


def test_a_game_that_is_offered_waits_for_whoever_has_not_accepted(table: Table) -> None:
    table.challenge()
    assert answered(table, "mail json")["my_turn"]
    assert not answered(table, "accept")["my_turn"]


def test_it_names_where_to_answer_until_when_and_which_slip_is_answered(table: Table) -> None:
    asked_for(table)
    table.play("e2e4", "e7e5")
    file, letter = file_of(table.newest(ANN)), table.newest(ANN)

    assert file["reply_to"] == letter["Reply-To"]
    assert (file["my_turn"], file["deadline"]) == (True, "2026-11-23T12:00:00+00:00")
    assert file["slip"] == file["slips"][-1]["number"]


def test_the_file_that_a_page_shows_is_one_that_comes(table: Table) -> None:
    asked_for(table)
    table.play("e2e4", "e7e5")
    file = file_of(table.newest(ANN))
    shown = json.loads(block("docs/api.md", '"reply_to"'))
    assert shown["reply_to"].endswith("@play.example.org")

    assert shown == file | {
        "code": shown["code"],
        "opponent": shown["opponent"],
        "reply_to": shown["reply_to"],
        "slips": file["slips"][-1:],
    }


def test_of_a_long_game_it_holds_the_newest_slips_for_which_there_is_room(table: Table) -> None:
    asked_for(table, "rbc")
    for number in range(len(MOVES[ANN])):
        for player in (ANN, BEN):
            table.reply(player, f"sense {LOOKS[player][number % len(LOOKS[player])]}")
            table.reply(player, MOVES[player][number])
    file = answered(table, "show")
    numbers = [(each["number"], each["step"]) for each in file["slips"]]
    told = ask(table, f"/api/games/{code_of(table)}/slips", token_of(table, ANN)).get_json()["slips"]

    assert len(text_of_file(table.newest(ANN)).encode()) < limits.SLIP_FILE_BYTES + 2_000
    assert 5 < len(numbers) < len(told)
    assert numbers == [(each["number"], each["step"]) for each in told][-len(numbers) :]
    assert max(len(letter.as_bytes()) for letter in table.letters(ANN)) < 40_000


def test_a_letter_goes_though_its_file_cannot_be_made(table: Table, monkeypatch) -> None:
    asked_for(table)
    breaks(monkeypatch, json_attachment, "slip_as_json")
    table.play("e2e4", "e7e5")

    assert part_of(table.newest(ANN)) is None
    assert "White's move" in table.says(ANN)
    assert SECRET not in table.newest(ANN).as_string()


# ---------------------------------------------------------------- what it must not tell


def twins_of(table: Table, folder: Path, variant: str) -> Twins:
    """A game that has begun, twice, with a file beside each letter to Ben."""
    table.begin(variant)
    table.reply(BEN, "mail json")
    table.deploy()
    return parted(table, folder)


@pytest.mark.parametrize("variant", UMPIRES)
def test_what_its_reader_cannot_know_changes_no_byte_of_it(
    table: Table, tmp_path: Path, variant: str
) -> None:
    twins = twins_of(table, tmp_path / "twins", variant)
    sense = "sense b2\n" if variant == "rbc" else ""
    for twin, tried, order in ((twins.one, "a1a5", "e2e3"), (twins.other, "h1h5", "b1c3")):
        for text in (tried, f"{sense}{order}") if variant != "rbc" else (f"{sense}{order}",):
            twin.table.reply(ANN, text)
        for text in ("a8a5", "Nf6", "show", "help", "e7e6", "e2e4", "pass"):
            twin.table.reply(BEN, text)
    files = [part_of(letter) for letter in twins.one.table.letters(BEN)]

    assert twins.one.letters(BEN) == twins.other.letters(BEN)
    assert sum(each is not None for each in files) > 6
    twins.close()


# ---------------------------------------------------------------- it is played by


#: What two programs plan, White's first, and how the game ends.
PLANS = {
    "wild16": (
        ["e2e5", "f2f3", "e2d3", "g2g4"],
        ["e7d6", "e7e5", "d8h4"],
        {"winner": "black", "reason": "checkmate"},
    ),
    "rbc": (
        [f"sense e7; {move}" for move in ("e2e4", "e1e2", "e2d3", "d3d4", "d4d5", "d5d6", "d6d7", "d7e8")],
        [f"sense none; {move}" for move in ("a7a6", "a6a5", "h7h6", "h6h5", "b7b6", "g7g6", "c7c6")],
        {"winner": "white", "reason": "king-captured"},
    ),
}


@pytest.mark.parametrize("variant", PLANS)
def test_two_programs_play_a_whole_game_by_nothing_but_the_files_of_their_letters(
    table: Table, variant: str
) -> None:
    white, black, outcome = PLANS[variant]
    table.challenge(variant=variant)
    for player in (ANN, BEN):
        table.reply(player, "mail json")
    programs = [MailProgram(table, ANN, list(white)), MailProgram(table, BEN, list(black))]
    play(*programs)

    for program in programs:
        assert program.plan == []
        assert program.read[-1]["outcome"] == outcome
        assert program.read[-1]["state"] == "over"
    notes = [order["note"] for program in programs for file in program.read for order in file["orders"]]
    assert ("refused" in notes) == (variant == "wild16")


# ---------------------------------------------------------------- where a reply brings it back


def with_part(text: str, head: str, body: str) -> bytes:
    """A reply that says something, and brings a part beside it."""
    lines = [
        f"From: {ANN}",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        text,
        "--b",
        head,
        "",
        body,
        "--b--",
        "",
    ]
    return "\r\n".join(lines).encode()


RETURNED = {
    "as it came": 'Content-Type: application/json\r\nContent-Disposition: attachment; filename="slip.json"',
    "without its place": "Content-Type: application/json",
    "shown in the letter": "Content-Type: application/json\r\nContent-Disposition: inline",
    "as bytes": 'Content-Type: application/octet-stream; name="slip.json"',
    "as text": 'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="slip.json"',
    "as text in the letter": "Content-Type: text/plain\r\nContent-Disposition: inline",
    "as text of a name": 'Content-Type: text/plain\r\nContent-Disposition: inline; filename="slip.json"',
}


def kept_of(table: Table, letter: EmailMessage) -> str:
    """All that a reply may repeat of a letter."""
    return f"{text_of(letter)}\n{text_of_file(letter)}"


@pytest.mark.parametrize("how", RETURNED)
def test_a_reply_that_brings_it_back_says_what_its_writer_said(table: Table, how: str) -> None:
    asked_for(table)
    table.reply(ANN, "e2e4, d2d5")
    letter = table.newest(ANN)
    reading = parse_orders(
        parse_email(with_part("show", RETURNED[how], text_of_file(letter))), kept_of(table, letter)
    )

    assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["show"])


@pytest.mark.parametrize("columns", [0, 60, 76, 998])
@pytest.mark.parametrize("mark", ["", "> "])
def test_a_reply_that_quotes_it_as_text_says_what_its_writer_said(
    table: Table, columns: int, mark: str
) -> None:
    asked_for(table)
    for text in ("e2e5", "Nf3", "show"):
        table.reply(ANN, text)
        letter, whole = table.newest(ANN), text_of_file(table.newest(ANN))
        broken = [whole[at : at + columns] for at in range(0, len(whole), columns)] if columns else [whole]
        quoted = "\n".join(f"{mark}{line}" for line in broken)
        raw = f"From: {ANN}\r\n\r\ne2e4\n\nOn Friday the umpire wrote:\n\n{quoted}\n".encode()
        reading = parse_orders(parse_email(raw), kept_of(table, letter))
        assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["e2e4"])


def test_a_letter_of_json_alone_orders_nothing(table: Table) -> None:
    asked_for(table)
    table.play("e2e4", "e7e5")
    letter = table.newest(ANN)
    head = f"From: {ANN}\r\nTo: {letter['Reply-To']}\r\nMessage-ID: <json@mail.example>\r\n"
    table.post(f"{head}Content-Type: application/json\r\n\r\n{text_of_file(letter)}".encode())
    table.work()

    assert "I did nothing" in table.says(ANN)


def test_a_stranger_who_asks_for_it_gets_no_game_and_no_file(table: Table) -> None:
    table.begin()
    table.write(EVE, "mail json", name="Eve")

    assert all(part_of(letter) is None for letter in table.all_letters())
