"""The PGN of a game: attached to the last emails and found by its code, but never before the game ends."""

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
    """Begin a game with the pieces on the board; return its code."""
    code = table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>", variant)
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    if "deploy" in text_of(table.last_email(ANN)):
        table.reply(ANN, "deploy home")
        table.reply(BEN, "deploy corner")
    return code


def attached_pgns(email: EmailMessage) -> list[str]:
    return [
        part.get_content().decode() for part in email.iter_attachments() if part.get_filename() == "game.pgn"
    ]


def pgns_by_email(table: Table, player: str) -> list[list[str]]:
    return [attached_pgns(email) for email in table.emails_to(player)]


@every_variant
def test_both_get_the_pgn_with_the_last_email_and_no_other(table: Table, variant: str):
    code = begin(table, variant)
    table.reply(ANN, "sense none; e2e3" if variant == "rbc" else "e2e3")
    table.reply(BEN, "show")
    table.reply(BEN, "resign resign")
    table.reply(ANN, "show")
    table.reply(BEN, "help")

    for player, after in ((ANN, 1), (BEN, 1)):
        *before, end = pgns_by_email(table, player)[: -after or None]
        assert not any(before)
        assert end == [finished.pgn(table.server, code)]
        assert pgns_by_email(table, player)[-after:] == [[]] * after
    assert read_pgn(finished.pgn(table.server, code)).result == "1-0"


@every_variant
def test_a_running_game_cannot_be_read(table: Table, variant: str):
    code = begin(table, variant)
    with pytest.raises(Refused, match="isn't over, so nobody can read it yet") as refusal:
        finished.pgn(table.server, code)
    assert str(refusal.value).count(code) == 1


def test_a_code_may_have_capitals_and_spaces(table: Table):
    code = begin(table)
    table.reply(ANN, "resign resign")
    assert finished.pgn(table.server, f" {code.upper()} ") == finished.pgn(table.server, code)


def test_the_pgn_names_players_date_clock_and_site(table: Table):
    code = begin(table)
    table.clock.advance(days=2)
    table.reply(ANN, "e2e4")
    table.reply(BEN, "resign resign")
    tags = dict(read_pgn(finished.pgn(table.server, code)).tags)
    assert (tags["White"], tags["Black"], tags["GameId"]) == ("Ann", "Ben", code)
    assert (tags["Site"], tags["Date"], tags["TimeControl"]) == (
        "play.example",
        f"{NOON:%Y.%m.%d}",
        "1/259200",
    )


def test_a_game_without_a_result_is_sent_too(table: Table):
    begin(table)
    table.clock.advance(days=4)
    table.sweep()
    for player in (ANN, BEN):
        (game,) = attached_pgns(table.last_email(player))
        assert '[Result "*"]' in game
        assert "{White has not moved in time. The game has no result.}" in " ".join(game.split())


def test_an_unknown_code_is_refused(table: Table):
    with pytest.raises(Refused, match=r'^There is no game "zzzzz" here\.$'):
        finished.pgn(table.server, "zzzzz")


def test_a_game_that_never_started_has_no_pgn(table: Table):
    code = table.challenge()
    with pytest.raises(Refused, match="hasn't started"):
        finished.pgn(table.server, code)
    table.reply(ANN, "decline")
    with pytest.raises(Refused, match="was never played"):
        finished.pgn(table.server, code)
    assert not any(pgns_by_email(table, ANN) + pgns_by_email(table, BEN)[1:])


@pytest.mark.parametrize("deployed", [(), (ANN,)])
def test_set_ups_stay_sealed_if_a_side_never_deployed(table: Table, deployed: tuple[str, ...]):
    code = table.challenge(variant="assassin")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    for player in deployed:
        table.reply(player, "deploy home")
    table.clock.advance(days=4)
    table.sweep()
    with pytest.raises(Refused, match="before the pieces were deployed"):
        finished.pgn(table.server, code)
    assert not any(pgns_by_email(table, ANN) + pgns_by_email(table, BEN))


def test_an_email_queued_before_the_end_has_no_pgn(table: Table):
    begin(table)
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    with table.server.store.writing() as connection:
        connection.execute(update(OutboxRow).where(OutboxRow.sent_at.is_(None)).values(due_at=NOON))
    table.clock.advance(days=11)
    for _ in ("the wait for the late email ends", "the game ends"):
        due_actions.sweep(table.server, table.clock())
    table.send_emails()
    assert [bool(attached_pgns(email)) for email in table.emails_to(BEN)][-2:] == [False, True]


def test_the_mating_player_gets_the_pgn_with_each_answer_to_the_move(table: Table):
    code = begin(table)
    table.play("f2f3", "e7e5", "g2g4")
    turn = table.last_email(BEN)
    table.reply(BEN, "d8h4", to=turn)
    table.reply(BEN, "d8h4", to=turn)
    game = finished.pgn(table.server, code)
    assert pgns_by_email(table, BEN)[-2:] == [[game], [game]]
    assert pgns_by_email(table, ANN)[-1] == [game]
    assert "2... Qh4# {Short-diagonal check. Checkmate. Black wins.}" in game


@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_reply_that_quotes_the_pgn_is_read_without_the_quote(table: Table, mark: str):
    begin(table)
    table.play("e2e4", "d7d5")
    table.reply(ANN, "resign resign")
    email = table.last_email(BEN)
    (game,) = attached_pgns(email)
    quoted = [f"{mark}{line}" for line in (*text_of(email).splitlines(), *game.splitlines())]
    raw = table.reply_email(BEN, "\n".join(["show", "", "On Friday the umpire wrote:", *quoted]))

    with table.server.store.reading() as connection:
        ours = (
            connection.execute(select(QuotableRow.text).order_by(QuotableRow.letter_id.desc()))
            .scalars()
            .first()
        )
    reading = parse_orders(parse_email(raw), ours, 2)

    assert ([str(order) for order in reading.orders], reading.puzzled) == (["show"], None)


def test_the_pgn_is_an_attachment_and_not_shown_inline(table: Table):
    begin(table)
    table.reply(ANN, "resign resign")
    email = table.last_email(BEN)
    assert [part.get_content_type() for part in email.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/vnd.chess-pgn",
        "application/gzip",
    ]
    assert [defect for part in email.walk() for defect in part.defects] == []
    assert 'attached as "game.pgn"' in " ".join(text_of(email).split())
    assert 'attached as "game.pgn"' in " ".join(text_of(table.last_email(ANN)).split())
