"""Simultaneous requests on PostgreSQL: limits hold, and only one of two conflicting acts succeeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import func, select

from corr.service import worker_rounds
from corr.service.admin.maintenance import delete_player
from corr.service.lobby import page, terms
from corr.service.players import address_checks, addresses, authentication, mailboxes, players, settings
from corr.service.players.authentication import Visitor
from corr.service.players.own_data_rows import export
from corr.store.tables import ChallengeRow, GameRow, PlayerRow, SiteOutboxRow
from corr.words.errors import Refused
from tests.support.browser import Browser
from tests.support.table import EVE, FAY, Table, make_table

WILD16 = terms.make_terms("wild16")


@pytest.fixture
def table(postgres_url: str, tmp_path: Path) -> Iterator[Table]:
    laid = make_table(tmp_path, postgres_url)
    yield laid
    laid.server.store.close()


def run_at_once(*actions: Callable[[], object]) -> list[object]:
    """Start all actions at the same moment; return each result or refusal."""
    gate = Barrier(len(actions))

    def do(action: Callable[[], object]) -> object:
        gate.wait()
        try:
            return action()
        except Refused as refusal:
            return refusal

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(do, actions))


def visitor(table: Table, address: str, name: str) -> Visitor:
    browser = Browser(table.app())
    browser.sign_in(table, address, name)
    with browser.client.session_transaction() as session:
        secret = session["in"]
    found = authentication.find_visitor(table.server, secret, table.clock())
    assert found
    return found


def offer_to_everyone(table: Table, by: Visitor) -> str:
    """Offer a game to everyone and return its code."""
    page.seek(table.server, by, WILD16, table.clock())
    return page.load_lobby(table.server, None, table.clock()).seeks[-1].challenge.code


def count(table: Table, what: object) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(what)).scalar_one()  # type: ignore[arg-type]


def test_a_player_gets_five_challenges_a_day_even_all_at_once(table: Table) -> None:
    eve = visitor(table, EVE, "Eve")
    run_at_once(
        *(
            lambda number=number: page.challenge(
                table.server, eve, f"f{number}@f{number}.example", WILD16, table.clock()
            )
            for number in range(8)
        )
    )
    assert count(table, ChallengeRow) == 5


def test_a_domain_gets_twenty_challenges_a_day_even_from_many_players_at_once(table: Table) -> None:
    eves = [visitor(table, f"e{number}@e{number}.example", f"Eve the {number}th") for number in range(8)]
    for each in eves[:4]:
        for number in range(4):
            page.challenge(table.server, each, f"v{number}-{each.who.id}@v.example", WILD16, table.clock())
    run_at_once(
        *(
            lambda each=each: page.challenge(
                table.server, each, f"w{each.who.id}@v.example", WILD16, table.clock()
            )
            for each in eves
        )
    )
    assert count(table, ChallengeRow) == 20


def test_an_address_gets_three_sign_in_emails_an_hour_even_all_at_once(table: Table) -> None:
    visitor(table, EVE, "Eve")
    table.clock.advance(hours=2)
    before = count(table, SiteOutboxRow)
    for _ in range(8):
        authentication.request_sign_in(table.server, EVE, None, table.clock())
    run_at_once(*(lambda: address_checks.write_some(table.server, table.clock()) for _ in range(8)))
    assert count(table, SiteOutboxRow) - before == 3


def test_two_accepts_and_a_withdrawal_at_once_make_one_game_at_most(table: Table) -> None:
    eve, fay, gus = (visitor(table, f"{name}@{name}.example", name.title()) for name in ("eve", "fay", "gus"))
    for _ in range(10):
        code = offer_to_everyone(table, eve)
        before = count(table, GameRow)
        outcomes = run_at_once(
            lambda code=code: page.answer(table.server, fay, code, "accept", table.clock()),
            lambda code=code: page.answer(table.server, gus, code, "accept", table.clock()),
            lambda code=code: page.answer(table.server, eve, code, "withdraw", table.clock()),
        )
        assert sorted(isinstance(each, Refused) for each in outcomes) == [False, True, True]
        run_at_once(*(lambda: worker_rounds.read_some(table.server, table.clock()) for _ in range(3)))
        assert count(table, GameRow) - before == isinstance(outcomes[2], Refused)


def test_two_players_can_challenge_each_other_at_once(table: Table) -> None:
    eve, fay = visitor(table, EVE, "Eve"), visitor(table, FAY, "Fay")
    for number in range(5):
        outcomes = run_at_once(
            lambda: page.challenge(table.server, eve, "Fay", WILD16, table.clock()),
            lambda: page.challenge(table.server, fay, "Eve", WILD16, table.clock()),
        )
        assert all(str(each).startswith("Challenge sent") for each in outcomes), number


def test_a_player_whose_game_begins_is_not_deleted(table: Table) -> None:
    eve = visitor(table, EVE, "Eve")
    for number in range(10):
        fay = visitor(table, f"fay{number}@f.example", f"Fay of number {number}")
        code = offer_to_everyone(table, eve)
        page.answer(table.server, fay, code, "accept", table.clock())
        run_at_once(
            lambda: worker_rounds.read_some(table.server, table.clock()),
            lambda number=number: delete_player(table.server, f"Fay of number {number}", table.clock()),
        )
        with table.server.store.reading() as connection:
            query = select(ChallengeRow.state, ChallengeRow.game_id).where(ChallengeRow.code == code)
            state, game = connection.execute(query).one()
            is_deleted = players.find_player(connection, f"Fay of number {number}") is None
            assert is_deleted == (game is None), number
            assert state == ("withdrawn" if is_deleted else "accepted")
            table.clock.advance(hours=1)
        with suppress(Refused):
            page.answer(table.server, eve, code, "withdraw", table.clock())


# ---------------------------------------------------------------- settings


def player_with_two_addresses(table: Table) -> tuple[Visitor, Visitor]:
    """One player, signed in by each of her two addresses; game emails go to the first."""
    first = visitor(table, EVE, "Eve")
    asking = addresses.request_address(table.server, first, "eve@second.example", table.clock())
    table.run_workers()
    number = confirmation_number(table, "eve@second.example")
    outcomes = run_at_once(
        *(
            lambda: addresses.add_by_number(table.server, first, asking, number, table.clock())
            for _ in range(4)
        )
    )
    assert set(outcomes) == {"eve@second.example"}
    with table.server.store.reading() as connection:
        who = mailboxes.find_correspondent(connection, "eve@second.example")
    assert who
    return first, Visitor(who, "Eve", table.clock())


def confirmation_number(table: Table, address: str) -> str:
    found = re.search(r'the six digits "(\d{6})"', table.last_text(address))
    assert found
    return found[1]


def test_two_players_who_want_one_name_at_once_do_not_both_get_it(table: Table) -> None:
    eve, fay = visitor(table, EVE, "Eve"), visitor(table, FAY, "Fay")
    for name in ("Gus", "Hal", "Ida"):
        wish = {"name": name}
        outcomes = run_at_once(
            *(
                lambda who=who, wish=wish: settings.save(table.server, who, wish, table.clock())
                for who in (eve, fay)
            )
        )
        assert sorted(isinstance(each, Refused) for each in outcomes) == [False, True]


def test_removing_an_address_while_it_offers_games_keeps_the_offers_with_the_player(table: Table) -> None:
    first, second = player_with_two_addresses(table)
    outcomes = run_at_once(
        lambda: addresses.remove(table.server, first, "eve@second.example", table.clock()),
        *(lambda: page.seek(table.server, second, WILD16, table.clock()) for _ in range(6)),
    )

    assert outcomes[0] is None
    assert all(each is None or isinstance(each, Refused) for each in outcomes)
    seeks = page.load_lobby(table.server, None, table.clock()).seeks
    assert len(seeks) == outcomes[1:].count(None)
    assert {each.challenger for each in seeks} <= {"Eve"}


def test_the_main_address_is_always_one_of_the_players_own(table: Table) -> None:
    first, second = player_with_two_addresses(table)
    outcomes = run_at_once(
        lambda: addresses.choose_main(table.server, second, "eve@second.example", table.clock()),
        lambda: addresses.remove(table.server, first, "eve@second.example", table.clock()),
    )

    assert sorted(isinstance(each, Refused) for each in outcomes) == [False, True]
    with table.server.store.reading() as connection:
        main = connection.execute(select(PlayerRow.address)).scalar_one()
    assert main in export(table.server, "Eve")["addresses"]
    assert len(export(table.server, "Eve")["addresses"]) == (2 if outcomes[0] is None else 1)
