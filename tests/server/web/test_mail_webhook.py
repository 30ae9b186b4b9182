"""Letters that a mail provider brings to the pages' address: by the house's key, within minutes, each once."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from corr import limits
from corr.service.mail.entrance import EmailEntrance
from corr.store import schema
from corr.store.tables import InboxRow
from corr.web import create_app
from corr.web.mail_webhook import MailWebhook
from tests.support.table import ANN, BEN, Table

KEY, PATH = b"a key of thirty-two letters, or more", "/in/raw"
NO_SEAL = "We ignored this request: it isn't signed with our key, or it's more than five minutes old.\n"


def seal(table: Table, letter: bytes, key: bytes = KEY, **age: float) -> str:
    at = int((table.clock() - timedelta(**age)).timestamp())
    return f"t={at},mac={hmac.digest(key, b'%d.' % at + letter, 'sha256').hex()}"


Brings = Callable[..., TestResponse]


@pytest.fixture
def client(table: Table) -> FlaskClient:
    knock = lambda _work: table.work()  # noqa: E731
    hook = MailWebhook(KEY, EmailEntrance(table.server, knock).store_without_envelope)
    return create_app(table.server, knock, hook=hook).test_client()


@pytest.fixture
def brings(table: Table, client: FlaskClient) -> Brings:
    """Brings a letter, sealed as it should be unless another seal is given."""

    def brings(letter: bytes, sealed: str | None = None, **headers: str) -> TestResponse:
        given = {"Corr-Seal": seal(table, letter) if sealed is None else sealed} | headers
        return client.post(PATH, data=letter, headers=given)

    return brings


def came(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(InboxRow)).scalar_one()


def test_a_game_is_played_by_letters_that_a_provider_brings(table: Table, brings: Brings) -> None:
    table.challenge()
    for player in (ANN, BEN):
        assert brings(table.letter(player, "accept")).text == "Email accepted.\n"
    for number, move in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
        player = (ANN, BEN)[number % 2]
        assert brings(table.letter(player, move)).status_code == 200

    assert "Here is the whole board." in table.says(ANN)


@pytest.mark.parametrize(
    "kind", ["message/rfc822", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_the_body_is_the_letter_whatever_it_calls_itself(table: Table, brings: Brings, kind: str) -> None:
    table.begin()
    assert brings(table.letter(ANN, "e2e4"), **{"Content-Type": kind}).status_code == 200
    assert "Your move has been made." in table.says(ANN)


def test_a_letter_that_is_brought_twice_has_one_effect(table: Table, brings: Brings) -> None:
    table.begin()
    letter, before = table.letter(ANN, "e2e4"), came(table)
    sealed = seal(table, letter)
    assert [brings(letter, sealed).status_code for _ in range(3)] == [200, 200, 200]

    assert came(table) == before + 1


WRONG: dict[str, Callable[[Table, bytes], str]] = {
    "another key": lambda table, letter: seal(table, letter, b"another key of thirty-two letters"),
    "another letter": lambda table, letter: seal(table, letter + b" "),
    "yesterday's": lambda table, letter: seal(table, letter, days=1),
    "a little old": lambda table, letter: seal(table, letter, minutes=5.1),
    "not yet": lambda table, letter: seal(table, letter, minutes=-5.1),
    "yesterday's with today's time": lambda table, letter: (
        seal(table, letter).partition(",")[0] + "," + seal(table, letter, days=1).partition(",")[2]
    ),
    "a blank": lambda table, letter: seal(table, letter).replace(",mac", " ,mac"),
    "capitals": lambda table, letter: seal(table, letter).upper(),
    "cut": lambda table, letter: seal(table, letter)[:-1],
    "far off": lambda *_: "t=9999999999,mac=" + "0" * 64,
    "farther off than there are years": lambda *_: "t=999999999999999,mac=" + "0" * 64,
    "other digits": lambda *_: "t=\u0663,mac=" + "0" * 64,
    "none": lambda *_: "",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_not_sealed_for_us_just_now_is_refused_in_a_sentence(
    table: Table, brings: Brings, wrong: str
) -> None:
    table.begin()
    letter, before = table.letter(ANN, "e2e4"), came(table)
    answer = brings(letter, WRONG[wrong](table, letter).encode().decode("latin-1"))

    assert (answer.status_code, answer.text) == (403, NO_SEAL)
    assert came(table) == before
    assert "Set-Cookie" not in answer.headers


def test_who_guesses_is_told_to_wait_and_who_has_the_key_is_not(table: Table, brings: Brings) -> None:
    table.begin()
    wrong = [brings(b"x", "").status_code for _ in range(limits.BAD_SIGNATURES_AN_HOUR + 1)]

    assert wrong == [403] * limits.BAD_SIGNATURES_AN_HOUR + [429]
    assert brings(table.letter(ANN, "e2e4")).status_code == 200


def test_a_letter_that_is_too_big_is_refused_before_it_is_read(table: Table, brings: Brings) -> None:
    largest = b"To: x\r\n\r\n".ljust(limits.LETTER_BYTES, b"x")

    assert brings(largest).status_code == 200
    assert brings(largest + b"x").status_code == 413


def test_a_letter_for_nobody_is_left_alone(brings: Brings) -> None:
    answer = brings(b"To: postmaster@play.example\r\n\r\nhello\r\n")

    assert (answer.status_code, answer.text) == (
        200,
        "This email isn't addressed to anyone here, so we ignored it.\n",
    )


def test_while_the_database_is_away_it_is_asked_for_again(table: Table, brings: Brings) -> None:
    table.begin()
    letter = table.letter(ANN, "e2e4")
    schema.downgrade(table.server.store)
    answer = brings(letter)

    assert (answer.status_code, answer.text) == (
        503,
        "We can't accept email right now. Please try again later.\n",
    )


def test_without_a_key_there_is_no_such_place(table: Table) -> None:
    answer = table.app().test_client().post(PATH, data=b"x", headers={"Corr-Seal": seal(table, b"x", b"")})

    assert answer.status_code == 404


def test_no_page_is_got_there_and_no_cookie_matters(table: Table, client: FlaskClient) -> None:
    assert client.get(PATH).status_code == 405
    client.set_cookie("corr", "whatever")
    letter = b"To: x\r\n\r\n"
    assert client.post(PATH, data=letter, headers={"Corr-Seal": seal(table, letter)}).status_code == 200
