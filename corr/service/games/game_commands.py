"""Carries out command words at a game: about the match, the player and the site."""

from __future__ import annotations

from collections.abc import Callable

from corr import limits
from corr.game.match import Reply
from corr.game.state import Written
from corr.service import catalogue
from corr.service.games import (
    data_export,
    ghosts,
    lifecycle,
    notes,
    pauses,
    pending_emails,
    rulings,
    standing_orders,
    tutorials,
    umpire_access,
    your_games,
)
from corr.service.games.address_renewal import rekey
from corr.service.games.answer_items import Item
from corr.service.games.game_session import Entry, Sitting
from corr.service.games.notes import KeptNote
from corr.service.games.pairing import swapped
from corr.service.games.seats import seat_by_id
from corr.service.players import time_preferences
from corr.words.board import SQUARES, Pair, Side
from corr.words.errors import Refused
from corr.words.orders import Word
from corr.words.slips import Outcome, Sight, Verdict
from corr.words.view import Stage


def answer_challenge(sitting: Sitting, written: Written, order: Word) -> Item:
    """Accept or decline a proposed game, which begins once both have accepted."""
    state, side = sitting.state, written.side
    if order.word == "decline":
        sitting.state = state.end(Outcome(None, "declined"), sitting.now)
        sitting.write(side.other, "declined")
        return Item(str(order), "challenge_declined")
    sitting.state = state.accept(side)
    if not state.accepted[side.other]:
        return Item(str(order), "challenge_accepted")
    lifecycle.begin(sitting)
    return Item(str(order), "begun")


def _again(sitting: Sitting, written: Written, order: Word) -> Item:
    """Begin another game with colours swapped, once both players have asked."""
    if sitting.state.again != written.side.other:
        sitting.state = sitting.state.ask_again(written.side)
        sitting.write(written.side.other, "again")
        return Item(str(order), "again_asked")
    connection = sitting.connection
    game = lifecycle.start(connection, swapped(connection, sitting.game_id), sitting.now)
    sitting.state = sitting.state.begin_again(game.code)
    return Item(str(order), "again_begun")


def _new_address(sitting: Sitting, written: Written, order: Word) -> Item:
    rekey(sitting, written.side)
    return Item(str(order), "new_address")


def _cancel(sitting: Sitting, written: Written, order: Word) -> Item:
    return Item(str(order), standing_orders.cancel(sitting, written.side))


def _delay(sitting: Sitting, written: Written, order: Word) -> Item:
    return Item(str(order), standing_orders.delay(sitting, written.side, order.rest))


def _show(_sitting: Sitting, _written: Written, order: Word) -> Item:
    return Item(str(order), "show")


def _help(_sitting: Sitting, _written: Written, order: Word) -> Item:
    return Item(str(order), "help")


def _games(sitting: Sitting, written: Written, order: Word) -> Item:
    seat_id = sitting.chairs[written.side].id
    sitting.keep_state()
    listing = your_games.listed_for(sitting.connection, seat_id, sitting.now)
    return Item(str(order), "games", listing.more, lines=tuple(listing.lines.values()))


def _tutorial(sitting: Sitting, written: Written, order: Word) -> Item:
    connection, seat_id = sitting.connection, sitting.chairs[written.side].id
    player_id = seat_by_id(connection, seat_id).player_id
    sitting.keep_state()
    if obstacle := tutorials.obstacle(connection, player_id, sitting.now):
        return Item(str(order), obstacle)
    lifecycle.start(connection, tutorials.pairing(connection, player_id), sitting.now)
    return Item(str(order), "tutorial_begun")


def _rules(sitting: Sitting, _written: Written, order: Word) -> Item:
    try:
        return Item(str(order), "rules", catalogue.card(order.rest or sitting.variant).key)
    except Refused as refusal:
        return Item(str(order), "no_such_variant", str(refusal))


def _imagine(sitting: Sitting, written: Written, order: Word) -> Item:
    """Set the player's ghosts, except on squares that the player sees."""
    sight = _board(sitting, written.side)
    if sight is None:
        return Item(str(order), "no_board")
    chair = sitting.chairs[written.side]
    chair.ghosts, seen = ghosts.wished(chair.ghosts, order.rest, sight)
    return Item(str(order), "ghosts", ", ".join(SQUARES[square] for square in seen))


def _note(sitting: Sitting, written: Written, order: Word) -> Item:
    if _board(sitting, written.side) is None:
        return Item(str(order), "no_board")
    if len(order.rest) > limits.NOTE_CHARACTERS:
        return Item(str(order), "note_too_long")
    chair = sitting.chairs[written.side]
    chair.notes += 1
    notes.keep(sitting.connection, KeptNote(chair.id, chair.notes, sitting.state.ply, order.rest))
    return Item(str(order), "noted")


def _board(sitting: Sitting, side: Side) -> Sight | None:
    """Return what a side sees of the board; None if the game never began."""
    return sitting.seen(side) if sitting.state.stage in (Stage.RUNNING, Stage.OVER) else None


def _match_order(sitting: Sitting, written: Written, order: Word) -> Item:
    side = written.side
    if sitting.state.match.offer is None and order.word in ("accept", "decline"):
        return _answer_pause(sitting, written, order)
    reply = sitting.state.hear(side, order.word, sure=written.is_sure(order))
    if reply.ended:
        sitting.state = sitting.state.offer(reply.match, None)
        said = _end(sitting, side, reply.ended)
    else:
        said = _spread(sitting, side, reply)
    sitting.log(side, written.inbox_id, Entry(str(order), reply.verdict, said, sitting.state.ply))
    return Item(str(order), "said", said)


def _time(sitting: Sitting, written: Written, order: Word) -> Item:
    """Change the player's time settings, which all their games follow from the next sweep."""
    connection = sitting.connection
    sitting.keep_state()
    player = seat_by_id(connection, sitting.chairs[written.side].id).player_id
    try:
        return Item(str(order), "set", time_preferences.do(connection, player, order, sitting.now))
    except Refused as refusal:
        return Item(str(order), "set", str(refusal))


def _data(sitting: Sitting, written: Written, order: Word) -> Item:
    """Email the player all data kept about them."""
    connection = sitting.connection
    sitting.keep_state()
    player = seat_by_id(connection, sitting.chairs[written.side].id).player_id
    try:
        return Item(str(order), "set", data_export.ask(connection, player, sitting.now))
    except Refused as refusal:
        return Item(str(order), "set", str(refusal))


def _claim(sitting: Sitting, written: Written, order: Word) -> Item:
    """Claim the opponent's time, unless an email that came in time is still unread."""
    if pending_emails.has_any_in_time(sitting):
        return Item(str(order), "nothing_to_claim")
    said = _over(sitting, written.side, lifecycle.out_of_time(sitting, written.side.other))
    sitting.log(written.side, written.inbox_id, Entry(str(order), Verdict.TOLD, said, sitting.state.ply))
    return Item(str(order), "said", said)


def _answer_pause(sitting: Sitting, written: Written, order: Word) -> Item:
    """Agree to the opponent's request for a pause, or decline it."""
    deed = pauses.agree if order.word == "accept" else pauses.decline
    said = deed(sitting, written.side)
    sitting.log(written.side, written.inbox_id, Entry(str(order), Verdict.TOLD, said, sitting.state.ply))
    return Item(str(order), "set", said)


def _end(sitting: Sitting, side: Side, how: str) -> str:
    """End the game by resignation or agreement; return what the writer was told."""
    table = sitting.connection, sitting.game_id, sitting.variant
    resigned = how == "resignation"
    judgement = umpire_access.resign(*table, side) if resigned else umpire_access.agree(*table)
    return _over(sitting, side, judgement)


def _over(sitting: Sitting, side: Side, judgement: umpire_access.Judgement) -> str:
    """End the game by a side's order, and return what that side was told."""
    assert judgement.outcome is not None
    sitting.mark_turn()
    sitting.state = sitting.state.end(judgement.outcome, sitting.now)
    return rulings.hand_out(sitting, side, judgement.slips)


def _spread(sitting: Sitting, side: Side, reply: Reply) -> str:
    """Hand both sides what a match order told them; return what the writer was told."""
    facts = Pair(reply.facts.white or (), reply.facts.black or ())
    own = sitting.say(side, facts[side])
    sitting.add(side, own)
    if facts[side.other]:
        sitting.tell(side.other, sitting.say(side.other, facts[side.other]))
    sitting.state = sitting.state.offer(reply.match, sitting.chairs[side.other].slips)
    return own.spoken


#: The function that carries out each word at a game.
DEEDS: dict[str, Callable[[Sitting, Written, Word], Item]] = {
    "accept": _match_order,
    "decline": _match_order,
    "draw?": _match_order,
    "resign": _match_order,
    "again": _again,
    "pause?": pauses.ask,
    "resume": pauses.resume,
    "claim": _claim,
    "new": _new_address,
    "ghost": _imagine,
    "note": _note,
    "cancel": _cancel,
    "delay": _delay,
    "show": _show,
    "help": _help,
    "rules": _rules,
    "games": _games,
    "tutorial": _tutorial,
    "data": _data,
    **dict.fromkeys(time_preferences.WORDS, _time),
}
