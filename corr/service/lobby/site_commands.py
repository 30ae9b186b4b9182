"""Runs the commands in an email to the site, one after another, and returns the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from corr.messages import sentence
from corr.orders import Trait, has, read_order
from corr.service import catalogue
from corr.service.events import commands as events
from corr.service.games import data_export, your_games
from corr.service.house import House
from corr.service.lobby import challenges, terms
from corr.service.lobby.challenges import KeptChallenge
from corr.service.players import house_bots, mailboxes, players, time_preferences
from corr.service.players.mailboxes import Correspondent
from corr.words.errors import Refused
from corr.words.orders import Order, Word


@dataclass(frozen=True, slots=True)
class SiteOrders:
    """The commands of an email to the site, with its writer and how certain the writer is."""

    who: Correspondent
    name: str
    is_certain: bool
    letter: int  # the number of our email that it answers; 0 if none
    answered: Mapping[str, Any]  # the content of that email
    at: datetime
    is_called_forged: bool = False  # as judged by our own mail server


@dataclass(frozen=True, slots=True)
class SiteItem:
    """One command and its answer: a note that a template words, and its data."""

    order: str
    note: str
    said: str = ""
    lines: tuple[str, ...] = field(default=())
    challenge: int | None = None
    games: tuple[str, ...] = ()  # the codes of the writer's games that it lists


def act_on(
    connection: Connection, house: House, written: SiteOrders, orders: tuple[Order, ...]
) -> list[SiteItem]:
    """Run each command, and return one answer for each."""
    return [_item(connection, house, written, order) for order in orders]


def must_be_confirmed(written: SiteOrders, orders: tuple[Order, ...]) -> str | None:
    """Return the command that the writer has to confirm first, or None."""
    if written.is_certain and written.who.is_confirmed:
        return None
    begin = (str(each) for each in orders if has(each, Trait.BEGINS))
    return next((each for each in begin if written.letter or each != "accept"), None)


def _item(connection: Connection, house: House, written: SiteOrders, order: Order) -> SiteItem:
    if not (isinstance(order, Word) and has(order, Trait.SITE)):
        return SiteItem(str(order), "not_here")
    if not has(order, Trait.ASKS) and not written.is_certain:
        return SiteItem(str(order), _doubt(written))
    try:
        with connection.begin_nested():  # a refused command leaves no changes behind
            return _DEEDS[order.word](connection, house, written, order)
    except Refused as refusal:
        return SiteItem(str(order), "refused", str(refusal))


def not_handed_on(written: SiteOrders, coded: Sequence[tuple[str, Sequence[Order]]]) -> list[SiteItem]:
    """Answer orders to games, given with each game's code, that an uncertain writer sent."""
    if written.is_certain:
        return []
    return [SiteItem(f"{code}: {order}", _doubt(written)) for code, orders in coded for order in orders]


def _doubt(written: SiteOrders) -> str:
    return "called_forged" if written.is_called_forged else "not_certain"


OrderDeed = Callable[[Connection, House, SiteOrders, Word], SiteItem]


def _help(_connection: Connection, _house: House, _written: SiteOrders, order: Word) -> SiteItem:
    return SiteItem(str(order), "help")


def _rules(_connection: Connection, _house: House, _written: SiteOrders, order: Word) -> SiteItem:
    if not order.rest:
        return SiteItem(str(order), "variants")
    return SiteItem(str(order), "rules", catalogue.card(order.rest).key)


def _games(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    player_id = written.who.player_id
    listing = your_games.listed(connection, player_id, written.at) if player_id else your_games.Listing({})
    lines = listing.lines
    return SiteItem(str(order), "games", listing.more, lines=tuple(lines.values()), games=tuple(lines))


def _seeks(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    return SiteItem(str(order), "seeks", lines=tuple(seeks(connection, written.at)))


def _challenge(connection: Connection, house: House, written: SiteOrders, order: Word) -> SiteItem:
    if order.rest.endswith(events.IN_PYRAMID):
        return SiteItem(str(order), "set", events.challenge(connection, written.who, order.rest))
    whom, offered = terms.of_challenge(order.rest)
    challenger = _enrolled(connection, written)
    if program := house_bots.meant(connection, whom):
        challenges.program(connection, challenger, program, offered, written.at)
        return SiteItem(str(order), "program", offered.sentence)
    made = challenges.invite(connection, house, challenger, whom, offered, written.at)
    return SiteItem(str(order), "challenged", offered.sentence, challenge=made)


def _seek(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    offered = terms.of_seek(order.rest)
    made = challenges.seek(connection, _enrolled(connection, written), offered, written.at)
    return SiteItem(str(order), "sought", offered.sentence, (made.code,), made.id)


def _tutorial(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    challenges.tutorial(connection, _enrolled(connection, written), written.at)
    return SiteItem(str(order), "tutorial")


def _take(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    challenge = challenges.sought(connection, order.rest)
    challenges.accept(connection, _enrolled(connection, written), challenge, written.at)
    return SiteItem(str(order), "accepted")


def _accept(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    challenge = challenges.by_id(connection, _of_letter(written))
    challenges.accept(connection, _enrolled(connection, written), challenge, written.at)
    return SiteItem(str(order), "accepted")


def _decline(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    challenge = challenges.by_id(connection, _of_letter(written))
    challenges.decline(connection, written.who, challenge, written.at)
    return SiteItem(str(order), "declined")


def _withdraw(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    own = challenges.made_by(connection, written.who)
    named = [each for each in own if each.code == order.rest or each.id == written.answered.get("challenge")]
    if not order.rest and not named and len(own) > 1:
        return SiteItem(str(order), "withdraw_which", lines=tuple(map(_line, own)))
    found = named or ([] if order.rest else own)
    if not found and order.rest:
        return SiteItem(str(order), "set", events.withdraw(connection, written.who, order.rest, written.at))
    if not found:
        raise Refused(sentence("challenges.none_yours"))
    challenges.withdraw(connection, written.who, found[0], written.at)
    return SiteItem(str(order), "withdrawn", found[0].terms.sentence)


def _enter(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    entered = events.enter(connection, _enrolled(connection, written), order.rest, written.at)
    return SiteItem(str(order), "set", entered)


def _events(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    listed = events.listed(connection, written.who.player_id)
    return SiteItem(str(order), "events", listed.own, lines=listed.lines)


def _line(own: KeptChallenge) -> str:
    offered = own.terms.sentence
    if own.whom:
        return sentence("challenges.to", code=own.code, terms=offered, whom=own.whom)
    return f"{own.code}: {offered}"


def _never(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    never_again(connection, written.who, written.answered, written.at)
    return SiteItem(str(order), "never_again")


def _confirm(connection: Connection, house: House, written: SiteOrders, order: Word) -> SiteItem:
    kept = read_order(written.answered.get("order", ""))
    if not isinstance(kept, Word) or mailboxes.use_up(connection, written.who, written.letter) is None:
        return SiteItem(str(order), "nothing_to_confirm")
    return _item(connection, house, written, kept)


def confirmed(connection: Connection, house: House, written: SiteOrders) -> SiteItem:
    """Run a command that its writer has now confirmed."""
    return _confirm(connection, house, written, Word("confirm"))


def _time(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    """Change the writer's time settings."""
    player = _enrolled(connection, written).player_id
    assert player is not None
    return SiteItem(str(order), "set", time_preferences.do(connection, player, order, written.at))


def _data(connection: Connection, _house: House, written: SiteOrders, order: Word) -> SiteItem:
    """Send the writer all data kept about them; Refused if nobody plays from that address."""
    player = written.who.player_id
    if player is None:
        raise Refused(sentence("own_data.nobody"))
    return SiteItem(str(order), "set", data_export.ask(connection, player, written.at))


_DEEDS: dict[str, OrderDeed] = {
    "help": _help,
    "rules": _rules,
    "games": _games,
    "seeks": _seeks,
    "challenge": _challenge,
    "seek": _seek,
    "tutorial": _tutorial,
    "take": _take,
    "accept": _accept,
    "decline": _decline,
    "withdraw": _withdraw,
    "enter": _enter,
    "events": _events,
    "never": _never,
    "confirm": _confirm,
    "data": _data,
    **dict.fromkeys(time_preferences.WORDS, _time),
}


def _of_letter(written: SiteOrders) -> int:
    """Return the challenge that the answered email is about."""
    challenge = written.answered.get("challenge")
    if not isinstance(challenge, int):
        raise Refused(sentence("challenges.not_answered"))
    return challenge


def _enrolled(connection: Connection, written: SiteOrders) -> Correspondent:
    """Return the writer, enrolled as a player."""
    players.enrol_as_written(connection, written.who, written.name, written.at)
    return mailboxes.correspondent(connection, written.who.id)


def never_again(
    connection: Connection, who: Correspondent, answered: Mapping[str, Any], now: datetime
) -> None:
    """Stop unsolicited email to this address, and decline the challenge just offered to it."""
    mailboxes.never_again(connection, who)
    challenge = answered.get("challenge")
    if isinstance(challenge, int):
        found = challenges.by_id(connection, challenge)
        if found.state == "open" and found.to_id == who.id:
            challenges.decline(connection, who, found, now)


# ---------------------------------------------------------------- lists


def seeks(connection: Connection, now: datetime) -> list[str]:
    """Return one line for each challenge to everybody."""
    offered = challenges.offered(connection, now)
    found = mailboxes.correspondents(connection, {each.by_id for each in offered})
    names = {each.id: players.name_of_player(connection, each.player_id or 0) for each in found.values()}
    return [_sought(each, names[each.by_id]) for each in offered]


def _sought(seek: KeptChallenge, challenger: str) -> str:
    return sentence("challenges.by", code=seek.code, terms=seek.terms.sentence, challenger=challenger)
