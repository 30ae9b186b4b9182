"""The mail webhook: a provider posts emails signed with the server's key; each counts once."""

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
from corr.store import migrate
from corr.store.tables import InboxRow
from corr.web import create_app
from corr.web.mail_webhook import MailWebhook
from tests.support.table import ANN, BEN, Table

KEY, PATH = b"a key of thirty-two letters, or more", "/in/raw"
BAD_SIGNATURE = "We ignored this request: it isn't signed with our key, or it's more than five minutes old.\n"


def sign(table: Table, email: bytes, key: bytes = KEY, **age: float) -> str:
    at = int((table.clock() - timedelta(**age)).timestamp())
    return f"t={at},mac={hmac.digest(key, b'%d.' % at + email, 'sha256').hex()}"


PostEmail = Callable[..., TestResponse]


@pytest.fixture
def client(table: Table) -> FlaskClient:
    knock = lambda _work: table.run_workers()  # noqa: E731
    hook = MailWebhook(KEY, EmailEntrance(table.server, knock).store_without_envelope)
    return create_app(table.server, knock, hook=hook).test_client()


@pytest.fixture
def post_email(table: Table, client: FlaskClient) -> PostEmail:
    """Post an email, signed correctly unless another signature is given."""

    def post_email(email: bytes, signature: str | None = None, **headers: str) -> TestResponse:
        given = {"Corr-Seal": sign(table, email) if signature is None else signature} | headers
        return client.post(PATH, data=email, headers=given)

    return post_email


def received(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(InboxRow)).scalar_one()


def test_a_game_can_be_played_through_the_webhook(table: Table, post_email: PostEmail) -> None:
    table.challenge()
    for player in (ANN, BEN):
        assert post_email(table.reply_email(player, "accept")).text == "Email accepted.\n"
    for number, move in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
        player = (ANN, BEN)[number % 2]
        assert post_email(table.reply_email(player, move)).status_code == 200

    assert "Here is the whole board." in table.last_text(ANN)


@pytest.mark.parametrize(
    "kind", ["message/rfc822", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_the_body_is_the_email_whatever_its_content_type(
    table: Table, post_email: PostEmail, kind: str
) -> None:
    table.begin()
    assert post_email(table.reply_email(ANN, "e2e4"), **{"Content-Type": kind}).status_code == 200
    assert "Your move has been made." in table.last_text(ANN)


def test_an_email_that_is_posted_again_has_no_more_effect(table: Table, post_email: PostEmail) -> None:
    table.begin()
    email, before = table.reply_email(ANN, "e2e4"), received(table)
    signature = sign(table, email)
    assert [post_email(email, signature).status_code for _ in range(3)] == [200, 200, 200]

    assert received(table) == before + 1


BAD_SIGNATURES: dict[str, Callable[[Table, bytes], str]] = {
    "another key": lambda table, email: sign(table, email, b"another key of thirty-two letters"),
    "another email": lambda table, email: sign(table, email + b" "),
    "yesterday's": lambda table, email: sign(table, email, days=1),
    "a little old": lambda table, email: sign(table, email, minutes=5.1),
    "not yet": lambda table, email: sign(table, email, minutes=-5.1),
    "yesterday's, with the time of today": lambda table, email: (
        sign(table, email).partition(",")[0] + "," + sign(table, email, days=1).partition(",")[2]
    ),
    "a space": lambda table, email: sign(table, email).replace(",mac", " ,mac"),
    "capitals": lambda table, email: sign(table, email).upper(),
    "cut": lambda table, email: sign(table, email)[:-1],
    "far off": lambda *_: "t=9999999999,mac=" + "0" * 64,
    "beyond the last year": lambda *_: "t=999999999999999,mac=" + "0" * 64,
    "other digits": lambda *_: "t=\u0663,mac=" + "0" * 64,
    "none": lambda *_: "",
}


@pytest.mark.parametrize("wrong", BAD_SIGNATURES)
def test_an_email_with_a_bad_or_old_signature_is_refused(
    table: Table, post_email: PostEmail, wrong: str
) -> None:
    table.begin()
    email, before = table.reply_email(ANN, "e2e4"), received(table)
    answer = post_email(email, BAD_SIGNATURES[wrong](table, email).encode().decode("latin-1"))

    assert (answer.status_code, answer.text) == (403, BAD_SIGNATURE)
    assert received(table) == before
    assert "Set-Cookie" not in answer.headers


def test_bad_signatures_are_rate_limited_and_good_ones_are_not(table: Table, post_email: PostEmail) -> None:
    table.begin()
    wrong = [post_email(b"x", "").status_code for _ in range(limits.BAD_SIGNATURES_AN_HOUR + 1)]

    assert wrong == [403] * limits.BAD_SIGNATURES_AN_HOUR + [429]
    assert post_email(table.reply_email(ANN, "e2e4")).status_code == 200


def test_an_email_that_is_too_large_is_refused(table: Table, post_email: PostEmail) -> None:
    largest = b"To: x\r\n\r\n".ljust(limits.LETTER_BYTES, b"x")

    assert post_email(largest).status_code == 200
    assert post_email(largest + b"x").status_code == 413


def test_an_email_for_nobody_here_is_ignored(post_email: PostEmail) -> None:
    answer = post_email(b"To: postmaster@play.example\r\n\r\nhello\r\n")

    assert (answer.status_code, answer.text) == (
        200,
        "This email isn't addressed to anyone here, so we ignored it.\n",
    )


def test_while_the_database_is_down_the_provider_is_told_to_retry(
    table: Table, post_email: PostEmail
) -> None:
    table.begin()
    email = table.reply_email(ANN, "e2e4")
    migrate.downgrade(table.server.store)
    answer = post_email(email)

    assert (answer.status_code, answer.text) == (
        503,
        "We can't accept email right now. Please try again later.\n",
    )


def test_without_a_key_there_is_no_webhook(table: Table) -> None:
    answer = table.app().test_client().post(PATH, data=b"x", headers={"Corr-Seal": sign(table, b"x", b"")})

    assert answer.status_code == 404


def test_the_webhook_has_no_page_and_ignores_cookies(table: Table, client: FlaskClient) -> None:
    assert client.get(PATH).status_code == 405
    client.set_cookie("corr", "whatever")
    email = b"To: x\r\n\r\n"
    assert client.post(PATH, data=email, headers={"Corr-Seal": sign(table, email)}).status_code == 200
