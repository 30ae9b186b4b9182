"""What is said to the database for a second time: by the driver, and with the same answer as the first time."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime

import pytest
from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError
from table import NOON, Table

from corr.store.session import Store
from corr.store.tables import Player, Secret, Session, SignIn

_ADD = insert(Player)
_BY_NAME = select(Player.id, Player.name, Player.address_key).where(Player.name == bindparam("name"))
_AMONG = select(Player.name).where(Player.name.in_(bindparam("names", expanding=True))).order_by(Player.name)
_COUNT = select(func.count()).select_from(Player)
_SIGN_IN, _KEEP, _SESSION, _SECRET = insert(SignIn), insert(Secret), insert(Session), insert(Secret)
_SIGNED_IN = select(SignIn.made_at, SignIn.used_at, (SignIn.tries > 0).label("tried")).where(
    SignIn.seed == bindparam("seed")
)
_KEPT = select(Secret.value).where(Secret.name == bindparam("name"))
_WHO = select(func.pg_backend_pid())
_RENAME = update(Player).where(Player.name == bindparam("was"))


def player(name: str) -> dict[str, str]:
    return {"name": name, "address": f"{name}@b", "address_key": f"{name}@b"}


def test_what_is_said_again_is_answered_alike(table: Table) -> None:
    with table.house.store.writing() as connection:
        for name in ("Ann", "Ben", "Cat"):
            connection.execute(_ADD, player(name))
        found = [connection.execute(_BY_NAME, {"name": name}).one() for name in ("Ann", "Ben", "Cat")]
        counts = [connection.execute(_COUNT).scalar_one() for _ in range(3)]
        nobody = [connection.execute(_BY_NAME, {"name": "Dan"}).one_or_none() for _ in range(2)]

    assert [(row.name, row.address_key, row[1]) for row in found] == [
        (name, f"{name}@b", name) for name in ("Ann", "Ben", "Cat")
    ]
    assert (counts, nobody) == ([3, 3, 3], [None, None])


def test_several_rows_are_written_at_once_and_counted(table: Table) -> None:
    with table.house.store.writing() as connection:
        connection.execute(_ADD, [player("Ann"), player("Ben")])
        connection.execute(_ADD, [player("Cat"), player("Dan")])
        changed = [
            connection.execute(_RENAME, [{"was": was, "name": name} for was, name in names]).rowcount
            for names in ([("Ann", "Abe"), ("Ben", "Bob")], [("Cat", "Cal"), ("Eve", "Eva")])
        ]
        names = connection.execute(select(Player.name).order_by(Player.name)).scalars().all()

    assert (changed, names) == ([2, 1], ["Abe", "Bob", "Cal", "Dan"])


def test_a_list_may_be_longer_the_next_time(table: Table) -> None:
    with table.house.store.writing() as connection:
        connection.execute(_ADD, [player("Ann"), player("Ben"), player("Cat")])
        asked = [["Ann"], ["Ann", "Cat"], [], ["Ann", "Ben", "Cat"], ("Ann", "Ben"), ("Cat",), ["Ben", "Cat"]]
        found = [connection.execute(_AMONG, {"names": names}).scalars().all() for names in asked]

    assert found == [list(names) for names in asked]


def test_a_list_that_a_statement_has_itself_may_be_another_one(table: Table) -> None:
    some = select(Player.name).where(Player.name.in_(bindparam("names", ["Ann"], expanding=True)))
    with table.house.store.writing() as connection:
        connection.execute(_ADD, [player("Ann"), player("Ben"), player("Cat")])
        asked = [None, ["Ben"], ("Ann", "Ben"), None, ("Cat",), ["Ann", "Cat"]]
        found = [
            connection.execute(some, {"names": names} if names else {}).scalars().all() for names in asked
        ]

    assert [sorted(names) for names in found] == [list(names or ["Ann"]) for names in asked]


def test_what_is_said_with_several_lists_at_once_is_refused_each_time(table: Table) -> None:
    rename = update(Player).where(Player.name.in_(bindparam("names", expanding=True)))
    with table.house.store.writing() as connection:
        connection.execute(_ADD, [player("Ann"), player("Ben"), player("Cat")])
        for _ in range(3):
            connection.execute(rename, {"names": ["Dan"], "zone": "UTC"})
            with pytest.raises(StatementError, match="executemany"):
                connection.execute(
                    rename, [{"names": ["Ann"], "zone": "UTC"}, {"names": ["Ben", "Cat"], "zone": "UTC"}]
                )


def test_what_is_given_back_by_a_statement_made_of_another_is_not_lost(table: Table) -> None:
    add = insert(Player)
    with table.house.store.writing() as connection:
        for name in ("Ann", "Ben", "Cat"):
            connection.execute(add, player(name))
        more = add.returning(Player.name)
        given = [connection.execute(more, player(name)).scalar_one() for name in ("Dan", "Eve", "Fay")]

    assert given == ["Dan", "Eve", "Fay"]


def test_lists_of_ever_other_lengths_are_not_all_remembered(table: Table) -> None:
    store = table.house.store
    with store.writing() as connection:
        connection.execute(_ADD, player("Ann"))
        for length in range(200):
            names = [*map(str, range(length)), "Ann"]
            assert connection.execute(_AMONG, {"names": names}).scalars().all() == ["Ann"]

    assert len(store._wordings[_AMONG]) < 50


def test_moments_truth_values_and_bytes_come_back_as_they_were_kept(table: Table) -> None:
    moments = [datetime(2026, 11, 21, 23, 44, 45, number, tzinfo=UTC) for number in range(3)]
    keys = [bytes(range(number, number + 32)) for number in range(3)]
    kept, kept_moments = [], []
    with table.house.store.writing() as connection:
        for number in range(3):
            sign_in = {"seed": str(number), "tries": 0, "made_at": moments[number], "used_at": None}
            connection.execute(_SIGN_IN, sign_in)
            connection.execute(_KEEP, {"name": str(number), "value": keys[number]})
            kept_moments.append(tuple(connection.execute(_SIGNED_IN, {"seed": str(number)}).one()))
            kept.append(connection.execute(_KEPT, {"name": str(number)}).scalar_one())

    assert kept_moments == [(moment, None, False) for moment in moments]
    assert kept == keys


def test_what_the_database_refuses_is_refused_alike_and_leaves_nothing_behind(table: Table) -> None:
    for _ in range(3):
        with pytest.raises(IntegrityError):
            add_twice(table.house.store)

    with table.house.store.asking() as connection:
        assert connection.execute(_COUNT).scalar_one() == 0


def add_twice(store: Store) -> None:
    with store.writing() as connection:
        connection.execute(_ADD, player("Ann"))
        connection.execute(_ADD, player("Ann"))


def test_an_error_does_not_tell_what_was_to_be_written_down(table: Table) -> None:
    for _ in range(3):
        with pytest.raises(IntegrityError) as told, table.house.store.writing() as connection:
            connection.execute(
                _SESSION,
                {"secret": "e2e4", "correspondent_id": 99, "made_at": NOON, "browser": "", "seen_at": NOON},
            )

        assert "INSERT INTO sessions" in str(told.value)
        assert "e2e4" not in str(told.value)


def keep_twice(store: Store, secret: str | None) -> None:
    with store.writing() as connection:
        for _ in range(2):
            connection.execute(_SECRET, {"name": secret, "value": b"e2e4"})


def test_an_error_does_not_tell_what_stands_beside_it_in_the_row(table: Table) -> None:
    """PostgreSQL adds the whole row to what it refuses, and the keys that are there already."""
    for _ in range(3):
        for secret in ("e2e4", None):
            with pytest.raises(IntegrityError) as told:
                keep_twice(table.house.store, secret)

            shown = "".join(traceback.format_exception(told.value))
            assert "INSERT INTO secrets" in shown
            assert "constraint" in shown.lower()
            assert all(each not in shown for each in ("(e2e4", "'e2e4", "x65326534", "DETAIL"))


def test_a_value_that_is_not_given_is_never_taken_for_none(table: Table) -> None:
    for _ in range(3):
        with pytest.raises(StatementError, match="required"), table.house.store.reading() as connection:
            connection.execute(_BY_NAME, {})


def test_a_connection_that_the_server_ends_is_given_up(postgres_url: str) -> None:
    store, other = Store(postgres_url), Store(postgres_url)
    for _ in range(3):
        with pytest.raises(OperationalError) as told:
            ask_after_the_end(store, other)
        assert told.value.connection_invalidated

    with store.writing() as connection:
        assert connection.execute(_WHO).scalar_one() > 0
    store.close()
    other.close()


def ask_after_the_end(store: Store, other: Store) -> None:
    with store.writing() as connection:
        number = connection.execute(_WHO).scalar_one()
        with other.asking() as killer:
            killer.execute(select(func.pg_terminate_backend(number)))
        connection.execute(_WHO)
