"""Carries out the command words that players write in a game, such as `resign`, `again` (a rematch) or `games`."""

from __future__ import annotations

from collections.abc import Callable

from corr import limits
from corr.game.order_obstacles import OrderBatch
from corr.game.resign_and_draw import MatchReply
from corr.service import catalogue
from corr.service.games import (
    lifecycle,
    notes,
    own_data_file,
    pauses,
    rulings,
    standing_orders,
    tutorials,
    unread_emails,
    your_games,
)
from corr.service.games.game_changes import LogEntry
from corr.service.games.game_session import GameSession
from corr.service.games.lifecycle import swap_sides
from corr.service.games.notes import StoredNote
from corr.service.games.page_orders import AnswerItem
from corr.service.games.seats import renew_addresses
from corr.service.games.umpire_access import Judgement
from corr.service.players import setting_orders
from corr.text.messages import sentence
from corr.words.board import SQUARES, Pair, Side
from corr.words.errors import Refused
from corr.words.orders import Command
from corr.words.slips import Outcome, Sight, Verdict
from corr.words.view import Stage


def answer_challenge(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Accept or decline a proposed game, which begins once both have accepted."""
    state, side = session.state, batch.side
    if order.word == "decline":
        session.state = state.end(Outcome(None, "declined"), session.now)
        session.write(side.other, "declined")
        return AnswerItem(str(order), "challenge_declined")
    session.state = state.accept(side)
    if not state.accepted[side.other]:
        return AnswerItem(str(order), "challenge_accepted")
    lifecycle.begin(session)
    return AnswerItem(str(order), "begun")


def _again(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Ask for a rematch; it begins, with colours swapped, once both players have asked."""
    if session.seat_states[batch.side].is_guest:
        return AnswerItem(str(order), "set", sentence("guests.no_more_games"))
    if session.state.again != batch.side.other:
        session.state = session.state.ask_again(batch.side)
        session.write(batch.side.other, "again")
        return AnswerItem(str(order), "again_asked")
    connection = session.connection
    game = lifecycle.start(connection, swap_sides(connection, session.game_id), session.now)
    session.state = session.state.begin_again(game.code)
    return AnswerItem(str(order), "again_begun")


def _new_address(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Replace the seat's email addresses, in case somebody else knows them."""
    renew_addresses(session, batch.side)
    return AnswerItem(str(order), "new_address")


def _cancel(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Drop the orders that the player gave for the next turn."""
    session.seat_states[batch.side].standing = None
    return AnswerItem(str(order), "cancelled")


def _delay(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Let the player's orders for the next turn wait some hours after the opponent's move."""
    return AnswerItem(str(order), standing_orders.delay(session, batch.side, order.rest))


def _show_or_help(_session: GameSession, _written: OrderBatch, order: Command) -> AnswerItem:
    """Answer with the word alone: the template shows the board or the help."""
    return AnswerItem(str(order), order.word)


def _games(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Answer with a list of the player's unfinished games."""
    session.keep_state()
    player_id = session.seat_states[batch.side].player_id
    listing = your_games.list_for_email(session.connection, player_id, session.now)
    return AnswerItem(str(order), "games", listing.more, lines=tuple(listing.lines.values()))


def _tutorial(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Begin a tutorial, unless the player has one or too many."""
    connection, player_id = session.connection, session.seat_states[batch.side].player_id
    if session.seat_states[batch.side].is_guest:
        return AnswerItem(str(order), "set", sentence("guests.no_more_games"))
    session.keep_state()
    if obstacle := tutorials.find_start_obstacle(connection, player_id, session.now):
        return AnswerItem(str(order), obstacle)
    lifecycle.start(connection, tutorials.make_pairing(connection, player_id), session.now)
    return AnswerItem(str(order), "tutorial_begun")


def _skip(session: GameSession, _written: OrderBatch, order: Command) -> AnswerItem:
    """Go on to the tutorial's next part."""
    tutorials.set_up_next(session)
    return AnswerItem(str(order), "skipped")


def _rules(session: GameSession, _written: OrderBatch, order: Command) -> AnswerItem:
    """Answer with the variant whose rules to show: the named one, or this game's."""
    try:
        return AnswerItem(str(order), "rules", catalogue.card(order.rest or session.variant).key)
    except Refused as refusal:
        return AnswerItem(str(order), "no_such_variant", str(refusal))


def _place_ghosts(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Place or remove ghosts, pieces that the player imagines on squares they cannot see."""
    sight = _board(session, batch.side)
    if sight is None:
        return AnswerItem(str(order), "no_board")
    seat = session.seat_states[batch.side]
    seat.ghosts, seen = notes.place_ghosts(seat.ghosts, order.rest, sight)
    return AnswerItem(str(order), "ghosts", ", ".join(SQUARES[square] for square in seen))


def _note(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Store a private note, unless it is too long or the game never began."""
    if _board(session, batch.side) is None:
        return AnswerItem(str(order), "no_board")
    if len(order.rest) > limits.NOTE_CHARACTERS:
        return AnswerItem(str(order), "note_too_long")
    seat = session.seat_states[batch.side]
    seat.notes += 1
    notes.add_note(session.connection, StoredNote(seat.id, seat.notes, session.state.ply, order.rest))
    return AnswerItem(str(order), "noted")


def _board(session: GameSession, side: Side) -> Sight | None:
    """Return what a side sees of the board; None if the game never began."""
    return session.find_sight(side) if session.state.stage in (Stage.RUNNING, Stage.OVER) else None


def _match_order(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Carry out `resign`, `draw?`, or an answer to a draw or pause, and tell both."""
    side = batch.side
    if session.state.draw_offer.offer is None and order.word in ("accept", "decline"):
        return pauses.answer(session, batch, order)
    reply = session.state.answer_word(side, order.word, sure=batch.is_sure(order))
    if reply.ended:
        session.state = session.state.offer(reply.draw_offer, None)
        umpire = session.umpire
        said = _end(session, side, umpire.resign(side) if reply.ended == "resignation" else umpire.agree())
    else:
        said = _tell_both(session, side, reply)
    session.log(side, batch.inbox_id, LogEntry(str(order), reply.verdict, said, session.state.ply))
    return AnswerItem(str(order), "said", said)


def _change_player(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Change a setting of the player for all games, or email all their data."""
    session.keep_state()
    connection, now = session.connection, session.now
    player = session.seat_states[batch.side].player_id
    if session.seat_states[batch.side].is_guest:
        return AnswerItem(str(order), "set", sentence("guests.no_setting"))
    try:
        if order.word == "data":
            said = own_data_file.request_email(connection, player, now)
        else:
            said = setting_orders.apply_order(connection, player, order, now)
    except Refused as refusal:
        said = str(refusal)
    return AnswerItem(str(order), "set", said)


def _claim(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """End the game on the opponent's time, unless their timely email is still unread."""
    if unread_emails.has_any_in_time(session):
        return AnswerItem(str(order), "nothing_to_claim")
    said = _end(session, batch.side, lifecycle.out_of_time(session, batch.side.other))
    session.log(batch.side, batch.inbox_id, LogEntry(str(order), Verdict.TOLD, said, session.state.ply))
    return AnswerItem(str(order), "said", said)


def _end(session: GameSession, side: Side, judgement: Judgement) -> str:
    """End the game by a side's order, and return what that side was told."""
    return rulings.hand_out(session, side, lifecycle.end(session, judgement))


def _tell_both(session: GameSession, side: Side, reply: MatchReply) -> str:
    """Tell both sides the result of a draw offer or answer; return the writer's words."""
    facts = Pair(reply.facts.white or (), reply.facts.black or ())
    own = session.say(side, facts[side])
    session.add_step(side, own)
    if facts[side.other]:
        session.add_news(side.other, session.say(side.other, facts[side.other]))
    session.state = session.state.offer(reply.draw_offer, session.seat_states[side.other].slips)
    return own.spoken


HANDLERS: dict[str, Callable[[GameSession, OrderBatch, Command], AnswerItem]] = {
    "accept": _match_order,
    "decline": _match_order,
    "draw?": _match_order,
    "resign": _match_order,
    "again": _again,
    "pause?": pauses.ask,
    "resume": pauses.resume,
    "claim": _claim,
    "new": _new_address,
    "ghost": _place_ghosts,
    "note": _note,
    "cancel": _cancel,
    "delay": _delay,
    "show": _show_or_help,
    "help": _show_or_help,
    "rules": _rules,
    "games": _games,
    "tutorial": _tutorial,
    "skip": _skip,
    **dict.fromkeys(("data", *setting_orders.WORDS), _change_player),
}
