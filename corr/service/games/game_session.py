"""Changes a game while its row is locked: collects slips, emails and state, and writes them on `close`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from corr import limits
from corr.game import turn_reminders
from corr.game.memory import add_memory
from corr.game.state import State
from corr.service.games import acknowledgements, archive_entries, game_rows, notes, turn_notifications
from corr.service.games.game_changes import GameChanges, LogEntry
from corr.service.games.game_rows import SeatState
from corr.service.games.notice_times import credit_outages
from corr.service.games.public_state import make_public_state
from corr.service.games.seals import (
    LeafDecreeRow,
    OrderTimes,
    SealedGame,
    SealState,
    end_turn,
    name_ended_turn,
)
from corr.service.games.slip_queries import load_one
from corr.service.players.mail_preferences import EACH
from corr.service.ratings import rating_updates
from corr.service.ratings.rating_updates import RatingChange
from corr.store.rows import pairs_of
from corr.store.slips import pack
from corr.text.lessons import is_whole_game
from corr.words.board import Pair, Side
from corr.words.slips import Fact, Sight, Slip
from corr.words.view import Stage

if TYPE_CHECKING:
    from corr.service.games.umpire_access import UmpiredGame


@dataclass(slots=True)
class GameSession:
    """One game while its row is locked."""

    connection: Connection
    now: datetime
    game_id: int
    variant: str
    state: State
    kept_until: datetime | None  # when a finished game's emails are deleted
    seat_states: Pair[SeatState]
    was_over: bool  # whether the game was over when its row was locked
    asked_at: datetime  # when the answered message came, or now: emails are timed from it
    changes: GameChanges
    _before: State  # the state when the last marked turn ended
    _written: dict[Side, int] = field(default_factory=dict)  # the number of each side's newest email
    _rated: Pair[RatingChange] | None = None  # how the game's end changed both ratings

    @property
    def umpire(self) -> UmpiredGame:
        """Return the game's umpire, which alone can open the true board."""
        from corr.service.games.umpire_access import UmpiredGame

        return UmpiredGame(self.connection, self.game_id, self.variant)

    def add_news(self, side: Side, slip: Slip) -> None:
        """Give a side a slip of facts as news; all its news in a session makes one email."""
        seat, slip = self.seat_states[side], self._add_recalled(side, slip)
        if seat.news:
            seat.news = Slip(side, seat.news.facts + slip.facts, slip.sight)
        else:
            seat.slips, seat.steps, seat.news, seat.news_leaf = seat.slips + 1, 0, slip, self.leaf
        seat.is_email_due, seat.sight = True, slip.sight

    def add_step(self, side: Side, slip: Slip) -> None:
        """Give a side a slip of facts without an email, numbered as a step of its last slip."""
        seat, slip = self.seat_states[side], self._add_recalled(side, slip)
        self._store_news(seat)
        seat.steps += 1
        self._keep(seat, slip)

    def take_news(self, side: Side) -> Slip | None:
        """End and return a side's news so far, None without any; later news starts afresh."""
        seat = self.seat_states[side]
        news = seat.news
        self._store_news(seat)
        return news

    def say(self, side: Side, facts: tuple[Fact, ...]) -> Slip:
        """Make, but don't give out, a slip of new facts with what the side sees now."""
        return Slip(side, facts, self.sight(side))

    def _add_recalled(self, side: Side, slip: Slip) -> Slip:
        """Add to a slip what the side was shown in earlier turns, if the variant shows any."""
        return slip if slip.sight.turn is None else add_memory(self.find_sight(side), slip)

    def sight(self, side: Side) -> Sight:
        """Return what a side sees of the board; it must have a slip already."""
        seen = self.find_sight(side)
        assert seen
        return seen

    def find_sight(self, side: Side) -> Sight | None:
        """Return what a side sees of the board; None before its first slip."""
        seat = self.seat_states[side]
        if seat.sight or not seat.slips:
            return seat.sight
        newest = load_one(self.connection, seat.id, side, (seat.slips, seat.steps))
        return newest.sight if newest else None

    def skip_numbers(self, gap: int) -> None:
        """After a restore from a backup, skip slip and email numbers that may be used already."""
        for side in Side:
            seat = self.seat_states[side]
            seat.letters += gap
            if self.state.under_way:
                seen = Slip(side, (), self.sight(side))
                seat.slips, seat.steps = seat.slips + gap, 0
                self._keep(seat, seen)
            else:
                seat.slips += gap

    def log(self, side: Side, inbox_id: int, entry: LogEntry) -> None:
        """Record an order put to the umpire, and its verdict."""
        self.changes.add_order(self.seat_states[side].id, inbox_id, self.now, entry)

    def _store_news(self, seat: SeatState) -> None:
        """Store a seat's news so far as a slip, so that later news makes another."""
        if seat.news:
            self._keep(seat, seat.news, seat.news_leaf)
        seat.news = None

    def _keep(self, seat: SeatState, slip: Slip, leaf: int | None = None) -> None:
        """Add a slip to the rows to store, and drop the ghosts that it disproves."""
        facts, sight = pack(slip)
        seat.sight, seat.ghosts = slip.sight, notes.keep_possible_ghosts(seat.ghosts, slip)
        self.changes.slips.append(
            {
                "seat_id": seat.id,
                "number": seat.slips,
                "step": seat.steps,
                "ply": self.state.ply,
                "facts": facts,
                "sight": sight,
                "leaf": self.leaf if leaf is None else leaf,
            },
        )

    def write(self, side: Side, kind: str, inbox_id: int | None = None, **words: object) -> None:
        """Queue an email to a side, with words for its template; the site's bots and guests get none."""
        self.mark_turn()
        seat = self.seat_states[side]
        self._store_news(seat)
        seat.is_email_due = False
        if seat.is_house_bot or seat.is_guest:
            return
        seat.letters += 1
        self._written[side] = seat.letters
        row = {
            "seat_id": seat.id,
            "number": seat.letters,
            "kind": kind,
            "slip": seat.slips,
            "step": seat.steps,
            "inbox_id": inbox_id,
            "made_at": self.now,
            "due_at": self.asked_at,
            "tries": 0,
            "sent_at": None,
        }
        said = {
            "public": make_public_state(self.state, side, seat.standing, self.now).words,
            **_private_words(seat),
            **self._rating(side),
            **words,
        }
        self.changes.add_email(row, json.dumps(said, ensure_ascii=False))

    def drop_standing_orders(self, side: Side) -> dict[str, object]:
        """Cancel a side's orders for its next turn; return words that tell it so, if any."""
        # The side may have changed its mind since it gave them.
        seat = self.seat_states[side]
        kept, seat.standing = seat.standing, None
        return {"taken_back": kept.text} if kept else {}

    def answer_on_page(self, side: Side) -> None:
        """Answer a side on its page instead of by email, except for the game's end."""
        seat = self.seat_states[side]
        self._store_news(seat)
        seat.is_email_due = self._ends
        seat.answers += 1

    def leave_unanswered(self, side: Side) -> None:
        """Leave a side unanswered, but email it the game's end."""
        self.seat_states[side].is_email_due |= self._ends

    @property
    def _ends(self) -> bool:
        """Whether the game has ended in this session."""
        return self.state.stage is Stage.OVER and not self.was_over

    def _rate(self) -> None:
        """Update both ratings if a rated game ended, before any email tells about that."""
        outcome = self.state.outcome
        if self._ends and self._rated is None and self.changes.game.heading.rated and outcome:
            players = Pair(*(self.seat_states[side].player_id for side in Side))
            result = rating_updates.Result(self.game_id, self.variant, players, outcome, self.now)
            self._rated = rating_updates.rate_finished_game(self.connection, result)

    def _rating(self, side: Side) -> dict[str, object]:
        """Return a side's rating change for its email; empty if the game was not rated."""
        self._rate()
        return {"rating": self._rated[side]._asdict()} if self._rated else {}

    @property
    def leaf(self) -> int:
        """Return the number of the line in the game's record to which events belong now."""
        return self.changes.leaf

    def record_decision(self, deed: str, detail: str, reason: str, said: str) -> int:
        """Record an admin's decision in the current turn; return the turn's line number in the record."""
        self.changes.decrees.append(LeafDecreeRow(self.leaf, deed, detail, reason, said))
        return self.leaf

    def mark_turn(self, came: OrderTimes | None = None) -> None:
        """If a turn ended since the last call, complete its line in the game's record."""
        turn = name_ended_turn(self._before, self.state)
        if turn:
            self.changes.ended.append(end_turn(self._before, self.state, turn, came, self.now))
        self._before = self.state

    def close(self) -> None:
        """End the session: email the sides that have news, and store all changes."""
        self.mark_turn()
        self._rate()
        for side in Side:
            if self.seat_states[side].is_email_due:
                self.write(side, "over" if self.state.outcome else "turn", **self._merge_answer(side))
        if self.state.time.is_new:
            self._call()
        self.state = self.state.note_turn_emails(self._written, self.now)
        self._wake_bots()
        self.changes.write(self.seat_states)
        if self._ends:
            archive_entries.add_entry(self.connection, self.game_id, self.variant, self.state)
        self.keep_state()

    def _merge_answer(self, side: Side) -> dict[str, Any]:
        """Keep back the answer to a side's last move if it hasn't gone out; return words to tell it with the turn.

        Only with an email that surely goes out: a daily email has no room for it.
        """
        seat = self.seat_states[side]
        if self.state.turn is not side or self.state.lesson or seat.mailing != EACH:
            return {}
        words = self._withhold_answer(seat)
        return {"merged": True, "to": words["to"], "items": words["items"]} if words else {}

    def _withhold_answer(self, seat: SeatState) -> dict[str, Any] | None:
        """Keep a seat's newest email from being sent if it only answers a move; return its words."""
        if found := self.changes.find_email(seat.id, seat.letters):
            row, written = found
            words: dict[str, Any] = json.loads(written)
            if row["kind"] != "answer" or not acknowledgements.is_plain_move(words):
                return None
            row["sent_at"] = self.now
            return words
        if not seat.answer_waits:
            return None
        return acknowledgements.withhold(self.connection, seat.id, seat.letters, self.now)

    def _call(self) -> None:
        """Queue webhook and push notifications for players to move who want them."""
        for side in self.state.awaited:
            seat = self.seat_states[side]
            if seat.is_notified:
                turn_notifications.queue_calls(
                    self.connection, seat.id, self.state.ply, self.now, self.asked_at
                )

    def _wake_bots(self) -> None:
        """Let a site's bot think if it got news to answer, or the game ended."""
        informed = {slip["seat_id"] for slip in self.changes.slips}
        for side in Side:
            seat = self.seat_states[side]
            is_woken = seat.id in informed or self.state.again == side.other or self._ends
            if seat.is_house_bot and is_woken and is_whole_game(self.state.lesson):
                seat.thinks_at = self.now if self.state.has_to_answer(side) or self._ends else None

    def keep_state(self) -> None:
        """Store the game's current state, so that queries before `close` see it."""
        self.state = turn_reminders.with_reminders(self.state, self.now)
        self.connection.execute(
            game_rows.SEAT_UPDATE,
            [game_rows.seat_values(self.seat_states[side], self.state, side) for side in Side],
        )
        kept_until = None
        if self.state.stage is Stage.OVER:
            # Emails that come after a first deletion are kept as long again.
            end = (self.state.ended_at or self.now) + limits.LETTERS_KEPT
            kept_until = self.kept_until or (end if self.now < end else self.now + limits.LETTERS_KEPT)
        self.connection.execute(
            game_rows.GAME_UPDATE,
            {
                "game": self.game_id,
                "kept_until": kept_until,
                "leaves": self.changes.sealed.leaves,
                "seal": self.changes.sealed.seal,
                "sealed": self.changes.sealed.turn,
                "unsealed": self.changes.unsealed,
                **game_rows.game_values(self.state),
            },
        )


def open_session(
    connection: Connection, game_id: int, now: datetime, asked_at: datetime | None = None
) -> GameSession:
    """Lock a game and its seats until the transaction ends; return a session to change them."""
    found = _lock_rows(connection, game_id)
    if len(found) < len(Side):
        # A seat has just got another player: PostgreSQL left it out, and finds it now.
        found = _lock_rows(connection, game_id)
    game, seats = found[0][0], {seat.side: seat for _, seat in found}
    white, black = seats["white"], seats["black"]
    state = game_rows.make_state(game, white, black)
    seat_states = Pair(game_rows.make_seat_state(white), game_rows.make_seat_state(black))
    if game.credited < (game.newest_outage or 0):
        state = credit_outages(connection, state, seat_states, now)
    return GameSession(
        connection=connection,
        now=now,
        game_id=game_id,
        variant=game.variant,
        state=state,
        kept_until=game.kept_until,
        seat_states=seat_states,
        was_over=state.stage is Stage.OVER,
        asked_at=min(asked_at or now, now),  # another machine's clock may be ahead
        changes=GameChanges(
            connection,
            SealedGame(
                game_id,
                Pair(white.seat_id, black.seat_id),
                game.heading,
                Pair(black.opponent or white.name, white.opponent or black.name),
            ),
            SealState(game.leaves, game.seal, game.sealed),
            unsealed=game.unsealed,
            since=game.ply,
        ),
        _before=state,
    )


def _lock_rows(
    connection: Connection, game_id: int
) -> list[tuple[game_rows.LockedGameRow, game_rows.LockedSeatRow]]:
    """Lock a game with its seats, and return a pair of rows for each seat."""
    return list(
        pairs_of(
            game_rows.LockedGameRow,
            game_rows.LockedSeatRow,
            connection.execute(game_rows.LOCK_GAME_QUERY, {"game": game_id}),
        )
    )


def _private_words(seat: SeatState) -> dict[str, object]:
    """Return a side's ghosts (imagined pieces) and number of notes for its email; empty without any."""
    own = {"ghosts": notes.format_ghosts(seat.ghosts), "notes": seat.notes}
    return {"own": own} if any(own.values()) else {}
