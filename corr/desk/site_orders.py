"""What a letter to the site does, one order after another, and what is to be answered to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from corr.desk import catalogue, challenges, correspondents, players, terms
from corr.desk.correspondents import Correspondent
from corr.desk.house import House
from corr.orders import read_order
from corr.sentences import sentence
from corr.store.tables import Game, Player, SeatRow
from corr.words import Order, Refused, Side, Word

_ENQUIRIES = ("help", "rules", "games", "seeks")
_OFFERS = ("challenge", "seek", "take")
_MOST_GAMES = 50


@dataclass(frozen=True, slots=True)
class Written:
    """Who wrote, what the letter answers, and whether it is certain that they wrote it."""

    who: Correspondent
    name: str
    is_certain: bool
    letter: int  # which of our letters is answered, if one is
    answered: Mapping[str, Any]  # what it says
    at: datetime
    is_called_forged: bool = False  # by our own mail server


@dataclass(frozen=True, slots=True)
class Item:
    """One order and what is answered to it: a note that a template words, with what it is about."""

    order: str
    note: str
    said: str = ""
    lines: tuple[str, ...] = field(default=())
    challenge: int | None = None


@dataclass(frozen=True, slots=True)
class Playing:
    """A game that a player plays: its code, and what may be told of it anywhere."""

    code: str
    sentence: str


def act_on(connection: Connection, house: House, written: Written, orders: tuple[Order, ...]) -> list[Item]:
    """Let each order act; an item for each."""
    return [_item(connection, house, written, order) for order in orders]


def must_be_confirmed(written: Written, orders: tuple[Order, ...]) -> str | None:
    """The order for which the writer has to say first that it was they who wrote; None where there is none."""
    if written.is_certain and written.who.is_confirmed:
        return None
    begins = (*_OFFERS, "accept") if written.letter else _OFFERS
    return next((str(each) for each in orders if isinstance(each, Word) and each.word in begins), None)


def _item(connection: Connection, house: House, written: Written, order: Order) -> Item:
    if not isinstance(order, Word) or order.word not in _DEEDS:
        return Item(str(order), "not_here")
    if order.word not in _ENQUIRIES and not written.is_certain:
        return Item(str(order), "called_forged" if written.is_called_forged else "not_certain")
    try:
        with connection.begin_nested():  # what is refused leaves nothing behind
            return _DEEDS[order.word](connection, house, written, order)
    except Refused as refusal:
        return Item(str(order), "refused", str(refusal))


Deed = Callable[[Connection, House, Written, Word], Item]


def _help(_connection: Connection, _house: House, _written: Written, order: Word) -> Item:
    return Item(str(order), "help")


def _rules(_connection: Connection, _house: House, _written: Written, order: Word) -> Item:
    if not order.rest:
        return Item(str(order), "variants")
    return Item(str(order), "rules", catalogue.card(order.rest).key)


def _games(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    return Item(
        str(order),
        "games",
        lines=tuple(f"{each.code}: {each.sentence}" for each in games_of(connection, written.who)),
    )


def _seeks(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    return Item(str(order), "seeks", lines=tuple(seeks(connection, written.at)))


def _challenge(connection: Connection, house: House, written: Written, order: Word) -> Item:
    whom, offered = terms.of_challenge(order.rest)
    challenger = _enrolled(connection, written)
    made = challenges.invite(connection, house, challenger, whom, offered, written.at)
    return Item(str(order), "challenged", offered.sentence, challenge=made)


def _seek(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    offered = terms.of_seek(order.rest)
    made = challenges.seek(connection, _enrolled(connection, written), offered, written.at)
    return Item(str(order), "sought", offered.sentence, (made.code,), made.id)


def _take(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    challenge = challenges.sought(connection, order.rest)
    challenges.accept(connection, _enrolled(connection, written), challenge, written.at)
    return Item(str(order), "accepted")


def _accept(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    challenge = challenges.by_id(connection, _of_letter(written))
    challenges.accept(connection, _enrolled(connection, written), challenge, written.at)
    return Item(str(order), "accepted")


def _decline(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    challenge = challenges.by_id(connection, _of_letter(written))
    challenges.decline(connection, written.who, challenge, written.at)
    return Item(str(order), "declined")


def _withdraw(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    own = challenges.made_by(connection, written.who)
    named = [row for row in own if row.code == order.rest or row.id == written.answered.get("challenge")]
    if not order.rest and not named and len(own) > 1:
        return Item(str(order), "withdraw_which", lines=tuple(map(_line, own)))
    found = named or ([] if order.rest else own)
    if not found:
        raise Refused(sentence("challenges.none_yours"))
    challenges.withdraw(connection, written.who, found[0], written.at)
    return Item(str(order), "withdrawn", terms.of_row(found[0]).sentence)


def _line(row: challenges.Found) -> str:
    offered = terms.of_row(row).sentence
    if row.whom:
        return sentence("challenges.to", code=row.code, terms=offered, whom=row.whom)
    return f"{row.code}: {offered}"


def _never(connection: Connection, _house: House, written: Written, order: Word) -> Item:
    never_again(connection, written.who, written.answered, written.at)
    return Item(str(order), "never_again")


def _confirm(connection: Connection, house: House, written: Written, order: Word) -> Item:
    kept = read_order(written.answered.get("order", ""))
    if not isinstance(kept, Word) or correspondents.use_up(connection, written.who, written.letter) is None:
        return Item(str(order), "nothing_to_confirm")
    return _item(connection, house, written, kept)


def confirmed(connection: Connection, house: House, written: Written) -> Item:
    """What becomes of an order once its writer has said that it was they who wrote it."""
    return _confirm(connection, house, written, Word("confirm"))


_DEEDS: dict[str, Deed] = {
    "help": _help,
    "rules": _rules,
    "games": _games,
    "seeks": _seeks,
    "challenge": _challenge,
    "seek": _seek,
    "take": _take,
    "accept": _accept,
    "decline": _decline,
    "withdraw": _withdraw,
    "never": _never,
    "confirm": _confirm,
}


def _of_letter(written: Written) -> int:
    """The challenge that the letter which is answered is about."""
    challenge = written.answered.get("challenge")
    if not isinstance(challenge, int):
        raise Refused(sentence("challenges.not_answered"))
    return challenge


def _enrolled(connection: Connection, written: Written) -> Correspondent:
    """The writer, as a player."""
    players.enrol_as_written(connection, written.who, written.name, written.at)
    return correspondents.correspondent(connection, written.who.id)


def never_again(
    connection: Connection, who: Correspondent, answered: Mapping[str, Any], now: datetime
) -> None:
    """Nothing goes there any more that was not asked for; what was just offered is turned down."""
    correspondents.never_again(connection, who)
    challenge = answered.get("challenge")
    if isinstance(challenge, int):
        found = challenges.by_id(connection, challenge)
        if found.state == "open" and found.to_id == who.id:
            challenges.decline(connection, who, found, now)


# ---------------------------------------------------------------- lists


def games_of(connection: Connection, who: Correspondent) -> list[Playing]:
    """A player's games that are not over, with nothing of what happens in them."""
    other = SeatRow.__table__.alias("other")
    rows = connection.execute(
        select(Game.code, Game.variant, SeatRow.side, Player.name, Game.state)
        .join(SeatRow, SeatRow.game_id == Game.id)
        .join(other, (other.c.game_id == Game.id) & (other.c.id != SeatRow.id))
        .join(Player, Player.id == other.c.player_id)
        .where(SeatRow.player_id == who.player_id, Game.state != "over")
        .order_by(Game.id)
        .limit(_MOST_GAMES)
    )
    return [Playing(row.code, _played(row)) for row in rows]


def _played(row: challenges.Found) -> str:
    variant, side = catalogue.card(row.variant).name, Side(row.side).called
    if row.state == "offered":
        return sentence("games.offered", variant=variant, opponent=row.name, side=side)
    return sentence("games.begun", variant=variant, opponent=row.name, side=side)


def seeks(connection: Connection, now: datetime) -> list[str]:
    """What is offered to all, a line each."""
    rows = challenges.offered(connection, now)
    found = correspondents.correspondents(connection, {row.by_id for row in rows})
    names = {each.id: players.name_of_player(connection, each.player_id or 0) for each in found.values()}
    return [_sought(row, names[row.by_id]) for row in rows]


def _sought(row: challenges.Found, challenger: str) -> str:
    return sentence("challenges.by", code=row.code, terms=terms.of_row(row).sentence, challenger=challenger)
