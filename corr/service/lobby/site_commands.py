"""Runs the commands in an email to the site, one after another, and returns the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from corr.orders import Trait, has_trait, parse_order
from corr.service import catalogue
from corr.service.events import commands as events
from corr.service.games import own_data_file, your_games
from corr.service.lobby import challenges, terms
from corr.service.lobby.challenges import StoredChallenge
from corr.service.players import house_bots, mailboxes, players, setting_orders
from corr.service.players.house_bots import HOUSE_BOTS
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.text.messages import sentence
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
    own_words: str = ""  # in which the writer answered an invitation


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
    connection: Connection, server: Server, batch: SiteOrders, orders: tuple[Order, ...]
) -> list[SiteAnswerItem]:
    """Run an email's commands in order, and return an answer for each."""
    ctx = _CommandContext(connection, server, batch)
    items = [_run(ctx, order) for order in orders]
    return [replace(item, order=batch.own_words) for item in items] if batch.own_words else items


def find_unconfirmed(batch: SiteOrders, orders: tuple[Order, ...]) -> str | None:
    """Return the first command that needs the writer's confirmation; None if none does."""
    if batch.is_certain and batch.who.is_confirmed:
        return None
    begin = (str(each) for each in orders if has_trait(each, Trait.BEGINS))
    return next((each for each in begin if batch.letter or each != "accept"), None)


def run_confirmed(connection: Connection, server: Server, batch: SiteOrders) -> SiteAnswerItem:
    """Run a command that its writer has now confirmed."""
    return _confirm(_CommandContext(connection, server, batch), Command("confirm"))


def refuse_game_orders(
    batch: SiteOrders, coded: Sequence[tuple[str, Sequence[Order]]]
) -> list[SiteAnswerItem]:
    """Refuse orders to games, by code, from an uncertain writer; empty if certain."""
    if batch.is_certain:
        return []
    return [SiteAnswerItem(f"{code}: {order}", _doubt(batch)) for code, orders in coded for order in orders]


def _doubt(batch: SiteOrders) -> str:
    """Return the note that says why we doubt who wrote the email."""
    return "called_forged" if batch.has_failed_authentication else "not_certain"


@dataclass(frozen=True, slots=True)
class _CommandContext:
    """What each command needs: the transaction, the server, and the email."""

    connection: Connection
    server: Server
    batch: SiteOrders

    @property
    def who(self) -> Correspondent:
        return self.batch.who

    @property
    def at(self) -> datetime:
        return self.batch.at

    def enrol_writer(self) -> Correspondent:
        """Make the email's writer a player unless they are one, and return them."""
        players.enrol_by_email(self.connection, self.who, self.batch.name, self.at)
        return mailboxes.load_correspondent(self.connection, self.who.id)

    def load_challenge(self) -> StoredChallenge:
        """Return the challenge that the answered email is about; Refused if it is about none."""
        challenge = self.batch.answered.get("challenge")
        if not isinstance(challenge, int):
            raise Refused(sentence("challenges.not_answered"))
        return challenges.load_challenge(self.connection, challenge)


def _run(ctx: _CommandContext, order: Order) -> SiteAnswerItem:
    """Run one command and return its answer; a refused one changes nothing."""
    if not (isinstance(order, Command) and has_trait(order, Trait.SITE)):
        return SiteAnswerItem(str(order), "not_here")
    if not has_trait(order, Trait.ASKS) and not ctx.batch.is_certain:
        return SiteAnswerItem(str(order), _doubt(ctx.batch))
    try:
        with ctx.connection.begin_nested():  # a refused command leaves no changes behind
            return _HANDLERS[order.word](ctx, order)
    except Refused as refusal:
        return SiteAnswerItem(str(order), "refused", str(refusal))


def _help(_ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    return SiteAnswerItem(str(order), "help")


def _rules(_ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Answer `rules VARIANT` with that variant's rules, `rules` alone with all variants."""
    if not order.rest:
        return SiteAnswerItem(str(order), "variants")
    return SiteAnswerItem(str(order), "rules", catalogue.card(order.rest).key)


def _games(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Answer `games` with a list of the writer's games."""
    player_id = ctx.who.player_id
    if not player_id:
        return SiteAnswerItem(str(order), "games")
    listing = your_games.list_for_email(ctx.connection, player_id, ctx.at)
    lines = tuple(listing.lines.values())
    return SiteAnswerItem(str(order), "games", listing.more, lines=lines, games=tuple(listing.lines))


def _seeks(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Answer `seeks` with the challenges to everybody, one line for each."""
    offered = challenges.list_seeks(ctx.connection, ctx.at)
    found = mailboxes.load_correspondents(ctx.connection, {each.by_id for each in offered})
    names = {each.id: players.name_of_player(ctx.connection, each.player_id or 0) for each in found.values()}
    lines = tuple(
        sentence("challenges.by", code=seek.code, terms=seek.terms.sentence, challenger=names[seek.by_id])
        for seek in offered
    )
    return SiteAnswerItem(str(order), "seeks", lines=lines)


def _challenge(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `challenge NAME …`: challenge a player, a bot, or a player in a pyramid."""
    if order.rest.endswith(events.PYRAMID_SUFFIX):
        return SiteAnswerItem(str(order), "set", events.challenge(ctx.connection, ctx.who, order.rest))
    whom, offered = terms.parse_challenge(order.rest)
    challenger = ctx.enrol_writer()
    if program := house_bots.find_challenged_bot(ctx.connection, whom):
        challenges.challenge_bot(ctx.connection, challenger, program, offered, ctx.at)
        return SiteAnswerItem(str(order), "program", offered.sentence)
    made = challenges.invite(ctx.connection, ctx.server, challenger, whom, offered, ctx.at)
    return SiteAnswerItem(str(order), "challenged", offered.sentence, challenge=made)


def _seek(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `seek …`: offer a game to everybody."""
    offered = terms.parse_seek(order.rest)
    made = challenges.seek(ctx.connection, ctx.enrol_writer(), offered, ctx.at)
    return SiteAnswerItem(str(order), "sought", offered.sentence, (made.code,), made.id)


def _tutorial(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    challenges.request_tutorial(ctx.connection, ctx.enrol_writer(), ctx.at)
    return SiteAnswerItem(str(order), "tutorial")


def _take(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `take CODE`: accept a challenge to everybody."""
    challenge = challenges.load_seek(ctx.connection, order.rest)
    challenges.accept(ctx.connection, ctx.enrol_writer(), challenge, ctx.at)
    return SiteAnswerItem(str(order), "accepted")


def _accept(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `accept`: accept the challenge in the email that this one answers."""
    challenge = ctx.load_challenge()
    challenges.accept(ctx.connection, ctx.enrol_writer(), challenge, ctx.at)
    return SiteAnswerItem(str(order), "accepted")


def _decline(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `decline`: decline the challenge in the email that this one answers."""
    challenges.decline(ctx.connection, ctx.who, ctx.load_challenge(), ctx.at)
    return SiteAnswerItem(str(order), "declined")


def _withdraw(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `withdraw CODE`: take back a challenge of the writer's, or leave an event; Refused without either."""
    own, answered = challenges.list_made(ctx.connection, ctx.who), ctx.batch.answered.get("challenge")
    found = [each for each in own if each.code == order.rest or each.id == answered]
    if not found and order.rest:
        left = events.withdraw(ctx.connection, ctx.who, order.rest, ctx.at)
        return SiteAnswerItem(str(order), "set", left)
    if not found and len(own) > 1:
        return SiteAnswerItem(str(order), "withdraw_which", lines=tuple(map(_line, own)))
    if not own:
        raise Refused(sentence("challenges.none_yours"))
    withdrawn = (found or own)[0]
    challenges.withdraw(ctx.connection, ctx.who, withdrawn, ctx.at)
    return SiteAnswerItem(str(order), "withdrawn", withdrawn.terms.sentence)


def _line(challenge: StoredChallenge) -> str:
    """Return a line of text about a challenge that the writer made."""
    offered = challenge.terms.sentence
    if challenge.whom:
        return sentence("challenges.to", code=challenge.code, terms=offered, whom=challenge.whom)
    return f"{challenge.code}: {offered}"


def _enter(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    entered = events.enter(ctx.connection, ctx.enrol_writer(), order.rest, ctx.at)
    return SiteAnswerItem(str(order), "set", entered)


def _events(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    own, lines = events.list_events(ctx.connection, ctx.who.player_id)
    return SiteAnswerItem(str(order), "events", own, lines=lines)


def _never(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `never again`: stop unasked emails, and decline the challenge just offered."""
    never_again(ctx.connection, ctx.who, ctx.batch.answered, ctx.at)
    return SiteAnswerItem(str(order), "never_again")


def _confirm(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `confirm`: run the command that our email asked the writer to confirm."""
    batch = ctx.batch
    kept = parse_order(batch.answered.get("order", ""))
    if not isinstance(kept, Command) or mailboxes.use_up(ctx.connection, ctx.who, batch.letter) is None:
        return SiteAnswerItem(str(order), "nothing_to_confirm")
    return _run(ctx, kept)


def _change_setting(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run the order of any player setting, such as `publish yes` or `vacation …`."""
    player = ctx.enrol_writer().player_id
    assert player is not None
    done = setting_orders.apply_order(ctx.connection, player, order, ctx.at)
    return SiteAnswerItem(str(order), "set", done)


def _data(ctx: _CommandContext, order: Command) -> SiteAnswerItem:
    """Run `data`: email the writer all data about them; Refused if they are no player."""
    player = ctx.who.player_id
    if player is None:
        raise Refused(sentence("own_data.nobody"))
    return SiteAnswerItem(str(order), "set", own_data_file.request_email(ctx.connection, player, ctx.at))


_HANDLERS: dict[str, Callable[[_CommandContext, Command], SiteAnswerItem]] = {
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
    **dict.fromkeys(setting_orders.WORDS, _change_setting),
}


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


_BOT_NAMES = "|".join(program.name.lower() for program in HOUSE_BOTS)
#: The first topic whose pattern matches applies; its text is in `templates/en/parts/site.txt`.
_TOPICS = {
    "unsubscribe": r"unsubscribe|remove me|take me off|^(?:please )?stop\W*$"
    r"|(?:stop|no more|don'?t)\b.*\b(?:(?:e-?)?mails?|messages|writing)",
    "no": r"^(?:no|nope|sorry|thanks, but)\b|\bno,? thank|\brather not\b|\b(?:no|not .*) time\b|\bcan'?t\b",
    "yes": r"^(?:yes|yeah|yep|sure|ok|okay|gladly|of course|great)\b|\b(?:love|like|happy|glad) to\b"
    r"|\b(?:i'?m|count me) in\b|\blet'?s\b",
    "vacation": r"\b(?:vacations?|holidays?|away (?:from|until|till|for|next)|out of (?:the )?office)\b",
    "events": r"\b(?:events?|tournaments?|leagues?|sections?|pyramids?)\b",
    "bot": rf"\b(?:{_BOT_NAMES}|bots?|computer|machine|engine|robot)\b",
    "learn": r"\b(?:learn|tutorial|lessons?|teach|beginners?|never played|new to|how (?:do|does|to|can))\b",
    "play": r"\b(?:play|games?|opponent|challenge|match|rematch)\b",
}
#: Topics of an invited player whose answer we ask for again.
INVITATION_TOPICS = ("yes", "no", "invited")
#: Topics that apply only to an invited player.
_ANSWER_TOPICS = ("yes", "no")


def guess_topic(lines: Iterable[str], *, is_invited: bool) -> str:
    """Guess what an email without commands is about, to answer it; "invited" or empty if nothing matches."""
    text = " ".join(" ".join(lines).lower().split())
    fit = (topic for topic in _TOPICS if is_invited or topic not in _ANSWER_TOPICS)
    return next((topic for topic in fit if re.search(_TOPICS[topic], text)), "invited" if is_invited else "")
