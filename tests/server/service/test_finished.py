"""A finished game as a file: for who asks by its code, and with the letters that tell of its end; never before."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from sqlalchemy import select, update

from corr.mail.inward.incoming_email import parse_email, parse_orders
from corr.rules.variants import UMPIRES
from corr.service.games import due_actions, finished
from corr.store.tables import OutboxRow, QuotableRow
from corr.words.errors import Refused
from tests.support.pgn_reader import read_pgn
from tests.support.table import ANN, BEN, NOON, Table, text_of

every_variant = pytest.mark.parametrize("variant", UMPIRES)


def begin(table: Table, variant: str = "wild16") -> str:
    """A game with the men on the board; its code."""
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>", variant)
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    if "deploy" in text_of(table.newest(ANN)):
        table.reply(ANN, "deploy home")
        table.reply(BEN, "deploy corner")
    return code


def games(letter: EmailMessage) -> list[str]:
    """The files that came with a letter."""
    return [
        part.get_content().decode() for part in letter.iter_attachments() if part.get_filename() == "game.pgn"
    ]


def all_games(table: Table, player: str) -> list[list[str]]:
    return [games(letter) for letter in table.letters(player)]


@every_variant
def test_both_get_the_game_with_the_letter_that_tells_of_its_end_and_with_no_other(
    table: Table, variant: str
):
    code = begin(table, variant)
    table.reply(ANN, "sense none; e2e3" if variant == "rbc" else "e2e3")
    table.reply(BEN, "show")
    table.reply(BEN, "resign resign")
    table.reply(ANN, "show")
    table.reply(BEN, "help")

    for player, after in ((ANN, 1), (BEN, 1)):
        *before, end = all_games(table, player)[: -after or None]
        assert not any(before)
        assert end == [finished.pgn(table.server, code)]
        assert all_games(table, player)[-after:] == [[]] * after
    assert read_pgn(finished.pgn(table.server, code)).result == "1-0"


@every_variant
def test_nothing_of_a_game_that_is_not_over_is_told(table: Table, variant: str):
    code = begin(table, variant)
    with pytest.raises(Refused, match="isn't over, so nobody can read it yet") as refusal:
        finished.pgn(table.server, code)
    assert str(refusal.value).count(code) == 1


def test_a_game_is_found_by_its_code_however_it_is_written(table: Table):
    code = begin(table)
    table.reply(ANN, "resign resign")
    assert finished.pgn(table.server, f" {code.upper()} ") == finished.pgn(table.server, code)


def test_the_file_names_the_players_the_day_the_clock_and_the_house(table: Table):
    code = begin(table)
    table.clock.pass_by(days=2)
    table.reply(ANN, "e2e4")
    table.reply(BEN, "resign resign")
    tags = dict(read_pgn(finished.pgn(table.server, code)).tags)
    assert (tags["White"], tags["Black"], tags["GameId"]) == ("Ann", "Ben", code)
    assert (tags["Site"], tags["Date"], tags["TimeControl"]) == (
        "play.example",
        f"{NOON:%Y.%m.%d}",
        "1/259200",
    )


def test_who_sends_no_move_and_runs_out_of_time_gets_the_game_too(table: Table):
    begin(table)
    table.clock.pass_by(days=4)
    table.sweep()
    for player in (ANN, BEN):
        (game,) = games(table.newest(player))
        assert '[Result "*"]' in game
        assert "{White has not moved in time. The game has no result.}" in " ".join(game.split())


def test_an_unknown_code_is_refused(table: Table):
    with pytest.raises(Refused, match=r'^There is no game "zzzzz" here\.$'):
        finished.pgn(table.server, "zzzzz")


def test_a_game_that_was_only_proposed_or_declined_has_nothing_to_read(table: Table):
    code = table.challenge()
    with pytest.raises(Refused, match="hasn't started"):
        finished.pgn(table.server, code)
    table.reply(ANN, "decline")
    with pytest.raises(Refused, match="was never played"):
        finished.pgn(table.server, code)
    assert not any(all_games(table, ANN) + all_games(table, BEN)[1:])


@pytest.mark.parametrize("deployed", [(), (ANN,)])
def test_what_was_deployed_stays_sealed_where_the_men_never_met(table: Table, deployed: tuple[str, ...]):
    code = table.challenge(variant="assassin")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    for player in deployed:
        table.reply(player, "deploy home")
    table.clock.pass_by(days=4)
    table.sweep()
    with pytest.raises(Refused, match="before the pieces were deployed"):
        finished.pgn(table.server, code)
    assert not any(all_games(table, ANN) + all_games(table, BEN))


def test_a_letter_written_before_the_end_and_made_after_it_holds_no_game(table: Table):
    begin(table)
    table.post(table.letter(ANN, "e2e4"))
    table.read()
    with table.server.store.writing() as connection:
        connection.execute(update(OutboxRow).where(OutboxRow.sent_at.is_(None)).values(due_at=NOON))
    table.clock.pass_by(days=11)
    for _ in ("the time that a letter is late is over", "so is the game"):
        due_actions.sweep(table.server, table.clock())
    table.send()
    assert [bool(games(letter)) for letter in table.letters(BEN)][-2:] == [False, True]


def test_who_mates_gets_the_game_with_the_answer_and_again_if_the_move_comes_twice(table: Table):
    code = begin(table)
    table.play("f2f3", "e7e5", "g2g4")
    turn = table.newest(BEN)
    table.reply(BEN, "d8h4", to=turn)
    table.reply(BEN, "d8h4", to=turn)
    game = finished.pgn(table.server, code)
    assert all_games(table, BEN)[-2:] == [[game], [game]]
    assert all_games(table, ANN)[-1] == [game]
    assert "2... Qh4# {Short-diagonal check. Checkmate. Black wins.}" in game


@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_reply_that_quotes_the_file_is_read_for_what_was_written_above_it(table: Table, mark: str):
    begin(table)
    table.play("e2e4", "d7d5")
    table.reply(ANN, "resign resign")
    letter = table.newest(BEN)
    (game,) = games(letter)
    quoted = [f"{mark}{line}" for line in (*text_of(letter).splitlines(), *game.splitlines())]
    raw = table.letter(BEN, "\n".join(["show", "", "On Friday the umpire wrote:", *quoted]))

    with table.server.store.reading() as connection:
        ours = (
            connection.execute(select(QuotableRow.text).order_by(QuotableRow.letter_id.desc()))
            .scalars()
            .first()
        )
    reading = parse_orders(parse_email(raw), ours, 2)

    assert ([str(order) for order in reading.orders], reading.puzzled) == (["show"], None)


def test_the_file_is_no_text_that_a_mail_program_would_show_in_the_letter(table: Table):
    begin(table)
    table.reply(ANN, "resign resign")
    letter = table.newest(BEN)
    assert [part.get_content_type() for part in letter.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/vnd.chess-pgn",
        "application/gzip",
    ]
    assert [defect for part in letter.walk() for defect in part.defects] == []
    assert 'attached as "game.pgn"' in " ".join(text_of(letter).split())
    assert 'attached as "game.pgn"' in " ".join(text_of(table.newest(ANN)).split())
