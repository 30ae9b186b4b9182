"""Runs the commands in an email to the site, one after another, and returns the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from corr.messages import sentence
from corr.orders import Trait, has_trait, parse_order
from corr.service import catalogue
from corr.service.events import commands as events
from corr.service.games import data_export, your_games
from corr.service.lobby import challenges, terms
from corr.service.lobby.challenges import StoredChallenge
from corr.service.players import house_bots, mailboxes, players, setting_orders
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.words.errors import Refused
from corr.words.orders import Command, Order


@dataclass(frozen=True, slots=True)
class SiteOrders:
    """The commands of an email to the site, with its writer and how certain the writer is."""

    who: Correspondent
    name: str
    is_certain: bool
    letter: int  # the number of our email that it answers; 0 if none
    answered: Mapping[str, Any]  # the content of that email
    at: datetime
    has_failed_authentication: bool = False  # as judged by our own mail server


@dataclass(frozen=True, slots=True)
class SiteAnswerItem:
    """One command and its answer: a note that a template words, and its data."""

    order: str
    note: str
    said: str = ""
    lines: tuple[str, ...] = field(default=())
    challenge: int | None = None
    games: tuple[str, ...] = ()  # the codes of the writer's games that it lists


def run_commands(
    connection: Connection, server: Server, written: SiteOrders, orders: tuple[Order, ...]
) -> list[SiteAnswerItem]:
    """Run each command, and return one answer for each."""
    return [_item(connection, server, written, order) for order in orders]


def find_unconfirmed(written: SiteOrders, orders: tuple[Order, ...]) -> str | None:
    """Return the command that the writer has to confirm first, or None."""
    if written.is_certain and written.who.is_confirmed:
        return None
    begin = (str(each) for each in orders if has_trait(each, Trait.BEGINS))
    return next((each for each in begin if written.letter or each != "accept"), None)


def _item(connection: Connection, server: Server, written: SiteOrders, order: Order) -> SiteAnswerItem:
    if not (isinstance(order, Command) and has_trait(order, Trait.SITE)):
        return SiteAnswerItem(str(order), "not_here")
    if not has_trait(order, Trait.ASKS) and not written.is_certain:
        return SiteAnswerItem(str(order), _doubt(written))
    try:
        with connection.begin_nested():  # a refused command leaves no changes behind
            return _HANDLERS[order.word](connection, server, written, order)
    except Refused as refusal:
        return SiteAnswerItem(str(order), "refused", str(refusal))


def refuse_game_orders(
    written: SiteOrders, coded: Sequence[tuple[str, Sequence[Order]]]
) -> list[SiteAnswerItem]:
    """Answer orders to games, given with each game's code, that an uncertain writer sent."""
    if written.is_certain:
        return []
    return [SiteAnswerItem(f"{code}: {order}", _doubt(written)) for code, orders in coded for order in orders]


def _doubt(written: SiteOrders) -> str:
    return "called_forged" if written.has_failed_authentication else "not_certain"


CommandHandler = Callable[[Connection, Server, SiteOrders, Command], SiteAnswerItem]


def _help(_connection: Connection, _server: Server, _written: SiteOrders, order: Command) -> SiteAnswerItem:
    return SiteAnswerItem(str(order), "help")


def _rules(_connection: Connection, _server: Server, _written: SiteOrders, order: Command) -> SiteAnswerItem:
    if not order.rest:
        return SiteAnswerItem(str(order), "variants")
    return SiteAnswerItem(str(order), "rules", catalogue.card(order.rest).key)


def _games(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    player_id = written.who.player_id
    listing = (
        your_games.list_for_email(connection, player_id, written.at)
        if player_id
        else your_games.GameListing({})
    )
    lines = listing.lines
    return SiteAnswerItem(str(order), "games", listing.more, lines=tuple(lines.values()), games=tuple(lines))


def _seeks(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    return SiteAnswerItem(str(order), "seeks", lines=tuple(list_seeks(connection, written.at)))


def _challenge(connection: Connection, server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    if order.rest.endswith(events.PYRAMID_SUFFIX):
        return SiteAnswerItem(str(order), "set", events.challenge(connection, written.who, order.rest))
    whom, offered = terms.parse_challenge(order.rest)
    challenger = _enrol_writer(connection, written)
    if program := house_bots.find_challenged_bot(connection, whom):
        challenges.challenge_bot(connection, challenger, program, offered, written.at)
        return SiteAnswerItem(str(order), "program", offered.sentence)
    made = challenges.invite(connection, server, challenger, whom, offered, written.at)
    return SiteAnswerItem(str(order), "challenged", offered.sentence, challenge=made)


def _seek(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    offered = terms.parse_seek(order.rest)
    made = challenges.seek(connection, _enrol_writer(connection, written), offered, written.at)
    return SiteAnswerItem(str(order), "sought", offered.sentence, (made.code,), made.id)


def _tutorial(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    challenges.request_tutorial(connection, _enrol_writer(connection, written), written.at)
    return SiteAnswerItem(str(order), "tutorial")


def _take(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    challenge = challenges.load_seek(connection, order.rest)
    challenges.accept(connection, _enrol_writer(connection, written), challenge, written.at)
    return SiteAnswerItem(str(order), "accepted")


def _accept(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    challenge = challenges.load_challenge(connection, _find_challenge(written))
    challenges.accept(connection, _enrol_writer(connection, written), challenge, written.at)
    return SiteAnswerItem(str(order), "accepted")


def _decline(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    challenge = challenges.load_challenge(connection, _find_challenge(written))
    challenges.decline(connection, written.who, challenge, written.at)
    return SiteAnswerItem(str(order), "declined")


def _withdraw(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    own = challenges.list_made(connection, written.who)
    named = [each for each in own if each.code == order.rest or each.id == written.answered.get("challenge")]
    if not order.rest and not named and len(own) > 1:
        return SiteAnswerItem(str(order), "withdraw_which", lines=tuple(map(_line, own)))
    found = named or ([] if order.rest else own)
    if not found and order.rest:
        return SiteAnswerItem(
            str(order), "set", events.withdraw(connection, written.who, order.rest, written.at)
        )
    if not found:
        raise Refused(sentence("challenges.none_yours"))
    challenges.withdraw(connection, written.who, found[0], written.at)
    return SiteAnswerItem(str(order), "withdrawn", found[0].terms.sentence)


def _enter(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    entered = events.enter(connection, _enrol_writer(connection, written), order.rest, written.at)
    return SiteAnswerItem(str(order), "set", entered)


def _events(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    listed = events.list_events(connection, written.who.player_id)
    return SiteAnswerItem(str(order), "events", listed.own, lines=listed.lines)


def _line(own: StoredChallenge) -> str:
    offered = own.terms.sentence
    if own.whom:
        return sentence("challenges.to", code=own.code, terms=offered, whom=own.whom)
    return f"{own.code}: {offered}"


def _never(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    never_again(connection, written.who, written.answered, written.at)
    return SiteAnswerItem(str(order), "never_again")


def _confirm(connection: Connection, server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    kept = parse_order(written.answered.get("order", ""))
    if not isinstance(kept, Command) or mailboxes.use_up(connection, written.who, written.letter) is None:
        return SiteAnswerItem(str(order), "nothing_to_confirm")
    return _item(connection, server, written, kept)


def run_confirmed(connection: Connection, server: Server, written: SiteOrders) -> SiteAnswerItem:
    """Run a command that its writer has now confirmed."""
    return _confirm(connection, server, written, Command("confirm"))


def _time(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    """Change the writer's time settings."""
    player = _enrol_writer(connection, written).player_id
    assert player is not None
    return SiteAnswerItem(
        str(order), "set", setting_orders.apply_order(connection, player, order, written.at)
    )


def _data(connection: Connection, _server: Server, written: SiteOrders, order: Command) -> SiteAnswerItem:
    """Send the writer all data kept about them; Refused if nobody plays from that address."""
    player = written.who.player_id
    if player is None:
        raise Refused(sentence("own_data.nobody"))
    return SiteAnswerItem(str(order), "set", data_export.request_email(connection, player, written.at))


_HANDLERS: dict[str, CommandHandler] = {
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
    **dict.fromkeys(setting_orders.WORDS, _time),
}


def _find_challenge(written: SiteOrders) -> int:
    """Return the challenge that the answered email is about."""
    challenge = written.answered.get("challenge")
    if not isinstance(challenge, int):
        raise Refused(sentence("challenges.not_answered"))
    return challenge


def _enrol_writer(connection: Connection, written: SiteOrders) -> Correspondent:
    """Return the writer, enrolled as a player."""
    players.enrol_by_email(connection, written.who, written.name, written.at)
    return mailboxes.load_correspondent(connection, written.who.id)


def never_again(
    connection: Connection, who: Correspondent, answered: Mapping[str, Any], now: datetime
) -> None:
    """Stop unsolicited email to this address, and decline the challenge just offered to it."""
    mailboxes.never_again(connection, who)
    challenge = answered.get("challenge")
    if isinstance(challenge, int):
        found = challenges.load_challenge(connection, challenge)
        if found.state == "open" and found.to_id == who.id:
            challenges.decline(connection, who, found, now)


# ---------------------------------------------------------------- lists


def list_seeks(connection: Connection, now: datetime) -> list[str]:
    """Return one line for each challenge to everybody."""
    offered = challenges.list_seeks(connection, now)
    found = mailboxes.load_correspondents(connection, {each.by_id for each in offered})
    names = {each.id: players.name_of_player(connection, each.player_id or 0) for each in found.values()}
    return [_word_seek(each, names[each.by_id]) for each in offered]


def _word_seek(seek: StoredChallenge, challenger: str) -> str:
    return sentence("challenges.by", code=seek.code, terms=seek.terms.sentence, challenger=challenger)
