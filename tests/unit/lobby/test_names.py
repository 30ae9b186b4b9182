"""Player names: none that reads as an order or looks like another player's."""

from __future__ import annotations

import pytest

from corr.limits import NAME_CHARACTERS
from corr.orders import kind_of
from corr.service.players.names import add_number, clean_name, fold_lookalikes, nearest_name
from corr.words.errors import Refused

GOOD = ("Ann", "Rook64", "O'Hara", "Jean-Luc", "Zoë Müller", "Иван", "王小明")
ORDERS = ("resign", "e2e4", "Accept", "any?", "o-o", "Nf3", "draw", "help", "Note")
INVALID = (
    "",
    "   ",
    "1234",
    "x" * 25,
    "x" * 10_000,
    "Ann\r\nBcc: b@b.example",
    "Ann\nBob",
    "<b>Ann</b>",
    "a@b.c",
)
HIDDEN = ("Ann\u202enn", "Ann\u200b", "A\u00adnn", "Ann\u2028", "\u2066Ann", "Ann\x00", "An\u0336n\u0336")
#: A name, and how an impostor might write it.
ALIKE = (
    ("Ann", "ann"),
    ("Ann", "A-n n"),
    ("Ann", "\u0410nn"),  # Cyrillic
    ("Ann", "\uff21\uff4e\uff4e"),  # full-width letters
    ("Zoe", "Zoë"),
    ("Rook64", "R00k64"),
    ("Bill", "BiIl"),
    ("Milo", "Mi1o"),
    ("Marnie", "Mamie"),
    ("O'Hara", "OHara"),
)


@pytest.mark.parametrize("name", GOOD)
def test_a_name_of_letters_and_digits_is_unchanged(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("name", [*ORDERS, *INVALID, *HIDDEN])
def test_an_invalid_name_is_refused_and_the_nearest_name_is_valid(name: str) -> None:
    with pytest.raises(Refused):
        clean_name(name)
    assert kind_of(nearest_name(name)) == "prose"
    assert clean_name(nearest_name(name))


@pytest.mark.parametrize("name", ["Ann", "Delay", "note", "Quiet", "x" * 24, "mail", "A player"])
@pytest.mark.parametrize("number", [2, 24, 999])
def test_a_name_with_a_number_is_valid(name: str, number: int) -> None:
    assert clean_name(add_number(nearest_name(name), number)).endswith(f" {number}")


def test_a_very_long_name_is_compared_only_by_its_beginning() -> None:
    """Sorting stacked accents takes time that grows with the square of their number."""
    pile = "a" + "\u0301\u0323" * NAME_CHARACTERS * 2

    assert (
        fold_lookalikes(f"{pile}bcd")
        == fold_lookalikes(pile + "\u0301\u0323" * 50_000)
        == fold_lookalikes("a")
    )


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_look_alike_are_equal(name: str, other: str) -> None:
    assert fold_lookalikes(name) == fold_lookalikes(clean_name(other))


@pytest.mark.parametrize(("name", "other"), [("Ann", "Anna"), ("Ben", "Bea"), ("Ann 2", "Ann 3")])
def test_names_that_look_different_are_not_equal(name: str, other: str) -> None:
    assert fold_lookalikes(name) != fold_lookalikes(other)
