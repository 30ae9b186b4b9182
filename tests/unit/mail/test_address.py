"""Secret addresses: short, in lower case, and recognised only if ours."""

from __future__ import annotations

import os

import pytest

from corr.mail.address import TokenKind, local_part, parse_token

KEY = bytes(range(32))


def address(kind: TokenKind = TokenKind.REPLY, number: int = 7) -> str:
    return f"{local_part(KEY, kind, 'abcdefgh', number)}@play.example"


def test_a_local_part_is_short_and_in_lower_case() -> None:
    local = address().partition("@")[0]

    assert len(local) <= 48
    assert local.isalnum()
    assert local == local.lower()


@pytest.mark.parametrize("rewrite", [str.upper, str.title, lambda text: f" <{text}> "])
def test_an_address_is_recognised_in_any_spelling(rewrite) -> None:
    token = parse_token(rewrite(address()), "play.example")

    assert token is not None
    assert (token.kind, token.code, token.number) == (TokenKind.REPLY, "abcdefgh", 7)
    assert token.is_signed_by(KEY)


def test_another_key_number_or_kind_changes_the_signature() -> None:
    token = parse_token(address(), "play.example")
    assert token is not None

    assert not token.is_signed_by(os.urandom(32))
    for other in (address(number=8), address(TokenKind.BOUNCE), address(TokenKind.LETTER)):
        forged = parse_token(other, "play.example")
        assert forged is not None
        assert forged.mac != token.mac


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "ann@a.example",
        "umpire@play.example",
        address() + "x",
        "a" * 31 + "@play.example",
        "é" * 31 + "@play.example",
    ],
)
def test_other_addresses_have_no_token(text: str) -> None:
    assert parse_token(text, "play.example") is None


def test_the_repr_of_a_token_hides_its_secret() -> None:
    token = parse_token(address(), "play.example")

    assert repr(token) == "<Token reply abcdefgh>"
