"""How many statements and commits one email costs, from its arrival to both answers sent."""

from __future__ import annotations

from dataclasses import replace

from corr.service.answer_timing import EMAILS
from tests.support.many_players import Letter
from tests.support.statement_count import process_email
from tests.support.table import ANN, Table


def reply_of_ann(table: Table, text: str) -> Letter:
    return Letter(ANN, str(table.last_email(ANN)["Reply-To"]), table.reply_email(ANN, text))


def test_a_move_by_email_costs_few_statements_and_commits(table: Table) -> None:
    table.begin()
    letter = reply_of_ann(table, "e2e4")

    work = process_email(table.server, letter, table.clock)

    assert "e2e4" in table.last_text(ANN)
    assert work.statements <= 27, list(work.summary_lines())
    assert len(work.committed) <= 5, list(work.summary_lines())


def test_a_long_list_costs_no_more_statements_than_a_move(table: Table) -> None:
    table.begin("classic")
    refused_tries = (
        "a2b3",
        "b2a3",
        "b2c3",
        "c2b3",
        "c2d3",
        "d2c3",
        "d2e3",
        "e2d3",
        "e2f3",
        "f2e3",
        "f2g3",
        "g2f3",
    )
    letter = Letter(
        ANN,
        str(table.last_email(ANN)["Reply-To"]),
        table.reply_email(ANN, ",\n".join((*refused_tries, "e2e4"))),
    )

    work = process_email(table.server, letter, table.clock)

    assert "Your opponent hears that 12 tries were refused" in table.last_text(ANN)
    assert work.statements <= 27, list(work.summary_lines())
    assert len(work.committed) <= 5, list(work.summary_lines())


def test_an_email_that_waits_for_its_sending_time_costs_one_commit_more(table: Table) -> None:
    table.begin()
    letter = reply_of_ann(table, "e2e4")

    work = process_email(replace(table.server, pace=EMAILS), letter, table.clock)

    assert "e2e4" in table.last_text(ANN)
    assert work.statements <= 32, list(work.summary_lines())
    assert len(work.committed) <= 6, list(work.summary_lines())


def test_a_worker_woken_for_a_known_email_asks_once(table: Table) -> None:
    table.begin()
    letter = reply_of_ann(table, "e2e4")
    process_email(table.server, letter, table.clock)

    again = process_email(table.server, letter, table.clock)

    assert [len(each) for each in again.transactions] == [1, 2, 1], list(again.summary_lines())
