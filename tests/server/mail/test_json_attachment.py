"""The JSON attachment for bots: on request only, the same data as the API, and enough to play by."""

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
from tests.server.web.test_page_size import LOOKS, MOVES
from tests.support.api_bots import api_get, first_game_code, make_token
from tests.support.broken_parts import SECRET, break_part, content_types
from tests.support.docs import code_block
from tests.support.email_bots import EmailBot, play, slip_data, slip_json, slip_part
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, EVE, Table, text_of
from tests.support.twin_servers import Twins, make_twins


def begin_with_json(table: Table, variant: str = "wild16") -> None:
    """Begin a game in which Ann's emails have the JSON attachment."""
    table.begin(variant)
    table.reply(ANN, "mail json")


def json_answer(table: Table, text: str) -> dict[str, Any]:
    """Reply as Ann and return the JSON attached to the answer."""
    table.reply(ANN, text)
    return slip_data(table.last_email(ANN))


# ---------------------------------------------------------------- who gets it


def test_json_comes_with_each_email_about_a_game_and_never_to_the_opponent(table: Table) -> None:
    table.begin()
    before = len(table.emails_to(ANN))
    for player, text in (
        (ANN, "mail json"),
        (ANN, "e2e5"),
        (ANN, "e2e4"),
        (BEN, "e7e5\ndraw?"),
        (ANN, "help"),
        (BEN, "resign resign"),
    ):
        table.reply(player, text)
    files = [slip_data(email) for email in table.emails_to(ANN)[before:]]

    assert [each["letter"] for each in files] == ["answer", "answer", "answer", "turn", "answer", "over"]
    assert [slip_part(email) for email in (*table.emails_to(ANN)[:before], *table.emails_to(BEN))] == [
        None for _ in (*table.emails_to(ANN)[:before], *table.emails_to(BEN))
    ]


def test_json_comes_until_switched_off_and_only_with_emails_about_games(table: Table) -> None:
    begin_with_json(table)
    table.write_to_site(ANN, "games", name="Ann")
    assert slip_part(table.last_email(ANN)) is None
    first = next(each for each in reversed(table.emails_to(ANN)) if slip_part(each))
    table.reply(ANN, "mail plain", to=first)
    assert slip_part(table.last_email(ANN)) is None
    assert "no longer have a file for bots" in table.last_text(ANN)


def test_json_is_attached_in_seven_bits_and_the_rest_of_the_email_stays_the_same(table: Table) -> None:
    table.begin()
    table.reply(ANN, "show")
    plain = table.last_email(ANN)
    table.reply(ANN, "mail json")
    table.reply(ANN, "show")
    email = table.last_email(ANN)
    part = slip_part(email)

    assert part
    assert (part.get_content_type(), part["Content-Disposition"]) == (
        "application/json",
        'attachment; filename="slip.json"',
    )
    assert part["Content-Transfer-Encoding"] in ("7bit", "quoted-printable")
    assert email.as_bytes().isascii()
    assert max(map(len, email.as_bytes().splitlines())) < 998
    assert text_of(email) == text_of(plain)
    assert content_types(email) == [*content_types(plain), "application/json"]
    assert [defect for each in email.walk() for defect in each.defects] == []


# ---------------------------------------------------------------- contents


@pytest.mark.parametrize("variant", UMPIRES)
def test_json_has_the_data_of_the_api_and_slips_with_the_same_bytes(table: Table, variant: str) -> None:
    begin_with_json(table, variant)
    token, slips = make_token(table, ANN), 0
    for player, text in (*GAMES[variant].by_turns(), (BEN, "show"), (ANN, "show")):
        table.reply(player, text)
        newest_letter = [email for email in table.emails_to(ANN) if slip_part(email)][-1]
        file, whole = slip_data(newest_letter), slip_json(newest_letter)
        answer = api_get(table, f"/api/games/{first_game_code(table)}/slips", token)
        from_api, games = answer.get_json(), api_get(table, "/api/games", token).get_json()["games"]
        newest, slips = from_api["slips"][-1], slips + len(file["slips"])

        assert {key: file[key] for key in ("code", "variant", "side", "state", "outcome")} == {
            key: from_api[key] for key in ("code", "variant", "side", "state", "outcome")
        }
        assert all(file[key] == game[key] for game in games for key in game)
        assert file["slips"] == from_api["slips"][-len(file["slips"]) :]
        said = json.dumps(newest, ensure_ascii=False, separators=(",", ":"))
        assert said in whole
        assert said in answer.get_data(as_text=True)
    assert slips
    assert file["state"] == "over"


def test_json_has_the_result_of_each_order(table: Table) -> None:
    begin_with_json(table)
    refused, unclear, moved = (json_answer(table, text) for text in ("e2e5", "Nf3", "e2e4\ndraw?"))

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


def test_json_says_once_what_the_opponent_hears_of_a_list(table: Table) -> None:
    begin_with_json(table, "classic")
    said = json_answer(table, "e2e5, d2d5, a2a5")["says"]

    assert "| " not in said
    assert said.count("Your opponent hears") <= 1


def test_before_the_game_it_is_your_turn_until_you_accept(table: Table) -> None:
    table.challenge()
    assert json_answer(table, "mail json")["my_turn"]
    assert not json_answer(table, "accept")["my_turn"]


def test_json_has_the_reply_address_the_deadline_and_the_slip(table: Table) -> None:
    begin_with_json(table)
    table.play("e2e4", "e7e5")
    file, email = slip_data(table.last_email(ANN)), table.last_email(ANN)

    assert file["reply_to"] == email["Reply-To"]
    assert (file["my_turn"], file["deadline"]) == (True, "2026-11-23T12:00:00+00:00")
    assert file["slip"] == file["slips"][-1]["number"]


def test_the_example_in_the_docs_is_real(table: Table) -> None:
    begin_with_json(table)
    table.play("e2e4", "e7e5")
    file = slip_data(table.last_email(ANN))
    shown = json.loads(code_block("docs/api.md", '"reply_to"'))
    assert shown["reply_to"].endswith("@play.example.org")

    assert shown == file | {
        "code": shown["code"],
        "opponent": shown["opponent"],
        "reply_to": shown["reply_to"],
        "slips": file["slips"][-1:],
    }


def test_in_a_long_game_json_holds_as_many_of_the_newest_slips_as_fit(table: Table) -> None:
    begin_with_json(table, "rbc")
    for number in range(len(MOVES[ANN])):
        for player in (ANN, BEN):
            table.reply(player, f"sense {LOOKS[player][number % len(LOOKS[player])]}")
            table.reply(player, MOVES[player][number])
    file = json_answer(table, "show")
    numbers = [(each["number"], each["step"]) for each in file["slips"]]
    from_api = api_get(
        table, f"/api/games/{first_game_code(table)}/slips", make_token(table, ANN)
    ).get_json()["slips"]

    assert len(slip_json(table.last_email(ANN)).encode()) < limits.SLIP_FILE_BYTES + 2_000
    assert 5 < len(numbers) < len(from_api)
    assert numbers == [(each["number"], each["step"]) for each in from_api][-len(numbers) :]
    assert max(len(email.as_bytes()) for email in table.emails_to(ANN)) < 40_000


def test_an_email_goes_out_even_if_its_json_cannot_be_made(table: Table, monkeypatch) -> None:
    begin_with_json(table)
    break_part(monkeypatch, json_attachment, "slip_as_json")
    table.play("e2e4", "e7e5")

    assert slip_part(table.last_email(ANN)) is None
    assert "White's move" in table.last_text(ANN)
    assert SECRET not in table.last_email(ANN).as_string()


# ---------------------------------------------------------------- what it must not reveal


def twins_of(table: Table, folder: Path, variant: str) -> Twins:
    """Twins of a game in which Ben's emails have the JSON attachment."""
    table.begin(variant)
    table.reply(BEN, "mail json")
    table.deploy()
    return make_twins(table, folder)


@pytest.mark.parametrize("variant", UMPIRES)
def test_what_the_reader_cannot_know_changes_no_byte_of_the_json(
    table: Table, tmp_path: Path, variant: str
) -> None:
    twins = twins_of(table, tmp_path / "twins", variant)
    sense = "sense b2\n" if variant == "rbc" else ""
    for twin, tried, order in ((twins.one, "a1a5", "e2e3"), (twins.other, "h1h5", "b1c3")):
        for text in (tried, f"{sense}{order}") if variant != "rbc" else (f"{sense}{order}",):
            twin.table.reply(ANN, text)
        for text in ("a8a5", "Nf6", "show", "help", "e7e6", "e2e4", "pass"):
            twin.table.reply(BEN, text)
    files = [slip_part(email) for email in twins.one.table.emails_to(BEN)]

    assert twins.one.emails_to(BEN) == twins.other.emails_to(BEN)
    assert sum(each is not None for each in files) > 6
    twins.close()


# ---------------------------------------------------------------- bots that play by it


#: The moves of two bots, White's first, and the outcome.
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
def test_two_bots_play_a_whole_game_with_only_the_json_of_their_emails(table: Table, variant: str) -> None:
    white, black, outcome = PLANS[variant]
    table.challenge(variant=variant)
    for player in (ANN, BEN):
        table.reply(player, "mail json")
    bots = [EmailBot(table, ANN, list(white)), EmailBot(table, BEN, list(black))]
    play(*bots)

    for bot in bots:
        assert bot.plan == []
        assert bot.read[-1]["outcome"] == outcome
        assert bot.read[-1]["state"] == "over"
    notes = [order["note"] for bot in bots for file in bot.read for order in file["orders"]]
    assert ("refused" in notes) == (variant == "wild16")


# ---------------------------------------------------------------- replies that quote or attach it


def with_part(text: str, head: str, body: str) -> bytes:
    """A reply with this text and another MIME part."""
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
    "as we sent it": 'Content-Type: application/json\r\nContent-Disposition: attachment; filename="slip.json"',
    "without a disposition": "Content-Type: application/json",
    "inline": "Content-Type: application/json\r\nContent-Disposition: inline",
    "as bytes": 'Content-Type: application/octet-stream; name="slip.json"',
    "as text": 'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="slip.json"',
    "as inline text": "Content-Type: text/plain\r\nContent-Disposition: inline",
    "as inline text with a name": 'Content-Type: text/plain\r\nContent-Disposition: inline; filename="slip.json"',
}


def quotable_text(table: Table, email: EmailMessage) -> str:
    """Everything that a reply may quote of our email."""
    return f"{text_of(email)}\n{slip_json(email)}"


@pytest.mark.parametrize("how", RETURNED)
def test_a_reply_that_attaches_the_json_is_read_without_it(table: Table, how: str) -> None:
    begin_with_json(table)
    table.reply(ANN, "e2e4, d2d5")
    email = table.last_email(ANN)
    reading = parse_orders(
        parse_email(with_part("show", RETURNED[how], slip_json(email))), quotable_text(table, email)
    )

    assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["show"])


@pytest.mark.parametrize("columns", [0, 60, 76, 998])
@pytest.mark.parametrize("mark", ["", "> "])
def test_a_reply_that_quotes_the_json_is_read_without_it(table: Table, columns: int, mark: str) -> None:
    begin_with_json(table)
    for text in ("e2e5", "Nf3", "show"):
        table.reply(ANN, text)
        email, whole = table.last_email(ANN), slip_json(table.last_email(ANN))
        broken = [whole[at : at + columns] for at in range(0, len(whole), columns)] if columns else [whole]
        quoted = "\n".join(f"{mark}{line}" for line in broken)
        raw = f"From: {ANN}\r\n\r\ne2e4\n\nOn Friday the umpire wrote:\n\n{quoted}\n".encode()
        reading = parse_orders(parse_email(raw), quotable_text(table, email))
        assert (reading.puzzled, list(map(str, reading.orders))) == (None, ["e2e4"])


def test_an_email_of_json_alone_does_nothing(table: Table) -> None:
    begin_with_json(table)
    table.play("e2e4", "e7e5")
    email = table.last_email(ANN)
    head = f"From: {ANN}\r\nTo: {email['Reply-To']}\r\nMessage-ID: <json@mail.example>\r\n"
    table.deliver(f"{head}Content-Type: application/json\r\n\r\n{slip_json(email)}".encode())
    table.run_workers()

    assert "I did nothing" in table.last_text(ANN)


def test_a_stranger_who_asks_for_json_gets_none(table: Table) -> None:
    table.begin()
    table.write_to_site(EVE, "mail json", name="Eve")

    assert all(slip_part(email) is None for email in table.all_emails())
