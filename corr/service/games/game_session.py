"""Holds one game's row while its public state, slips and emails change.

A session belongs to one transaction. It gathers slips, emails, the log and the game's new state, and writes
them when it closes, so that all of a seat's news at one time comes in one email.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from corr import limits
from corr.game import turn_reminders
from corr.game.memory import add_memory
from corr.game.state import State
from corr.service.games import archive_entries, game_rows, notes, turn_notifications
from corr.service.games.game_changes import GameChanges, LogEntry
from corr.service.games.game_rows import SeatState
from corr.service.games.new_slips import load_one
from corr.service.games.notice_times import credit_outages
from corr.service.games.public_state import public_state
from corr.service.games.seals import (
    LeafDecreeRow,
    OrderTimes,
    SealedGame,
    SealState,
    end_turn,
    name_ended_turn,
)
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
        from corr.service.games.umpire_access import UmpiredGame

        return UmpiredGame(self.connection, self.game_id, self.variant)

    # ------------------------------------------------------------ handing out

    def tell(self, side: Side, slip: Slip) -> None:
        """Hand a side news: one number and one email for all of a session's news."""
        chair, slip = self.seat_states[side], self._add_recalled(side, slip)
        if chair.news:
            chair.news = Slip(side, chair.news.facts + slip.facts, slip.sight)
        else:
            chair.slips, chair.steps, chair.news, chair.news_leaf = chair.slips + 1, 0, slip, self.leaf
        chair.owed, chair.sight = True, slip.sight

    def add(self, side: Side, slip: Slip) -> None:
        """Hand a side a slip without an email, as a step of its last number."""
        chair, slip = self.seat_states[side], self._add_recalled(side, slip)
        self._store_news(chair)
        chair.steps += 1
        self._keep(chair, slip)

    def hear(self, side: Side) -> Slip | None:
        """Hand out a side's news now and return it; later news starts afresh."""
        chair = self.seat_states[side]
        news = chair.news
        self._store_news(chair)
        return news

    def say(self, side: Side, facts: tuple[Fact, ...]) -> Slip:
        """Make a slip of new facts with the side's present sight."""
        return Slip(side, facts, self.sight(side))

    def _add_recalled(self, side: Side, slip: Slip) -> Slip:
        """Add to a slip what the side recalls, in games that show a side anything."""
        return slip if slip.sight.turn is None else add_memory(self.seen(side), slip)

    def sight(self, side: Side) -> Sight:
        seen = self.seen(side)
        assert seen
        return seen

    def seen(self, side: Side) -> Sight | None:
        """Return the same, or None before the first slip, even if numbers were skipped."""
        chair = self.seat_states[side]
        if chair.sight or not chair.slips:
            return chair.sight
        newest = load_one(self.connection, chair.id, side, (chair.slips, chair.steps))
        return newest.sight if newest else None

    def skip_numbers(self, gap: int) -> None:
        """Skip slip and email numbers so that none is reused; each side's sight stays."""
        for side in Side:
            chair = self.seat_states[side]
            chair.letters += gap
            if self.state.under_way:
                seen = Slip(side, (), self.sight(side))
                chair.slips, chair.steps = chair.slips + gap, 0
                self._keep(chair, seen)
            else:
                chair.slips += gap

    def log(self, side: Side, inbox_id: int, entry: LogEntry) -> None:
        """Record an order put to the umpire, and its verdict."""
        self.changes.add_order(self.seat_states[side].id, inbox_id, self.now, entry)

    def _store_news(self, chair: SeatState) -> None:
        if chair.news:
            self._keep(chair, chair.news, chair.news_leaf)
        chair.news = None

    def _keep(self, chair: SeatState, slip: Slip, leaf: int | None = None) -> None:
        facts, sight = pack(slip)
        chair.sight, chair.ghosts = slip.sight, notes.keep_possible_ghosts(chair.ghosts, slip)
        self.changes.slips.append(
            {
                "seat_id": chair.id,
                "number": chair.slips,
                "step": chair.steps,
                "ply": self.state.ply,
                "facts": facts,
                "sight": sight,
                "leaf": self.leaf if leaf is None else leaf,
            },
        )

    # ------------------------------------------------------------ emails

    def write(self, side: Side, kind: str, inbox_id: int | None = None, **words: object) -> None:
        """Put one email to a side into the outbox."""
        self.mark_turn()
        chair = self.seat_states[side]
        self._store_news(chair)
        chair.owed = False
        if chair.is_house_bot:
            return
        chair.letters += 1
        self._written[side] = chair.letters
        row = {
            "seat_id": chair.id,
            "number": chair.letters,
            "kind": kind,
            "slip": chair.slips,
            "step": chair.steps,
            "inbox_id": inbox_id,
            "made_at": self.now,
            "due_at": self.asked_at,
            "tries": 0,
        }
        said = {
            "public": public_state(self.state, side, chair.standing, self.now).words,
            **_private_words(chair),
            **self._rating(side),
            **words,
        }
        self.changes.add_email(row, json.dumps(said, ensure_ascii=False))

    def drop_standing_orders(self, side: Side) -> dict[str, object]:
        """Drop a side's standing orders, and return the words that say so."""
        # The side may have changed its mind since it gave them.
        chair = self.seat_states[side]
        kept, chair.standing = chair.standing, None
        return {"taken_back": kept.text} if kept else {}

    def answer_on_page(self, side: Side) -> None:
        """Answer a side on its page with its news; email it only the game's end."""
        chair = self.seat_states[side]
        self._store_news(chair)
        chair.owed = self._ends
        chair.answers += 1

    def leave_unanswered(self, side: Side) -> None:
        """Leave a side over its rate limit unanswered, but email it the game's end."""
        self.seat_states[side].owed |= self._ends

    @property
    def _ends(self) -> bool:
        return self.state.stage is Stage.OVER and not self.was_over

    def _rate(self) -> None:
        """Rate the game as it ends, before any email tells about that."""
        outcome = self.state.outcome
        if self._ends and self._rated is None and self.changes.game.heading.rated and outcome:
            result = rating_updates.Result(self.game_id, self.variant, outcome, self.now)
            self._rated = rating_updates.rate_finished_game(self.connection, result)

    def _rating(self, side: Side) -> dict[str, object]:
        """Return the words of a side's own rating change, if the game was rated."""
        self._rate()
        return {"rating": self._rated[side]._asdict()} if self._rated else {}

    # ------------------------------------------------------------ turns

    @property
    def leaf(self) -> int:
        return self.changes.leaf

    def decree(self, deed: str, detail: str, reason: str, said: str) -> int:
        """Add an admin's act to the current turn, which it may end; return the leaf."""
        self.changes.decrees.append(LeafDecreeRow(self.leaf, deed, detail, reason, said))
        return self.leaf

    def mark_turn(self, came: OrderTimes | None = None) -> None:
        """Close the current leaf if a turn ended since the last call."""
        turn = name_ended_turn(self._before, self.state)
        if turn:
            self.changes.ended.append(end_turn(self._before, self.state, turn, came, self.now))
        self._before = self.state

    # ------------------------------------------------------------ the end

    def close(self) -> None:
        """Write the emails still owed for news, and the game's new state."""
        self.mark_turn()
        self._rate()
        for side in Side:
            if self.seat_states[side].owed:
                self.write(side, "over" if self.state.outcome else "turn")
        if self.state.time.is_new:
            self._call()
        self.state = self.state.note_turn_emails(self._written, self.now)
        self._wake_bots()
        self.changes.write(self.seat_states)
        if self._ends:
            archive_entries.add_entry(self.connection, self.game_id, self.variant, self.state)
        self.keep_state()

    def _call(self) -> None:
        """Notify awaited players in the ways that they chose besides email."""
        for side in self.state.awaited:
            chair = self.seat_states[side]
            if chair.is_notified:
                turn_notifications.queue_calls(
                    self.connection, chair.id, self.state.ply, self.now, self.asked_at
                )

    def _wake_bots(self) -> None:
        """Wake a bot that was handed something, if it has anything to answer or forget."""
        handed = {slip["seat_id"] for slip in self.changes.slips}
        for side in Side:
            chair = self.seat_states[side]
            is_woken = chair.id in handed or self.state.again == side.other or self._ends
            if chair.is_house_bot and is_woken and is_whole_game(self.state.lesson):
                chair.thinks_at = self.now if self.state.asks(side) or self._ends else None

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
    """Lock the rows of a game and its seats until the transaction ends."""
    found = pairs_of(
        game_rows.LockedGameRow,
        game_rows.LockedSeatRow,
        connection.execute(game_rows.LOCK_GAME_QUERY, {"game": game_id}),
    )
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
                Pair(white.chair, black.chair),
                game.heading,
                Pair(black.opponent or white.name, white.opponent or black.name),
            ),
            SealState(game.leaves, game.seal, game.sealed),
            unsealed=game.unsealed,
            since=game.ply,
        ),
        _before=state,
    )


def _private_words(chair: SeatState) -> dict[str, object]:
    """Return the words of a side's ghosts and notes, if it has any."""
    own = {"ghosts": notes.format_ghosts(chair.ghosts), "notes": chair.notes}
    return {"own": own} if any(own.values()) else {}
