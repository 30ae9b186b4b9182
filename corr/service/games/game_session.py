"""One game while its row is held: what is public about it, what each side is handed, what is written.

A sitting belongs to one transaction. Slips, letters, the log and the game's new state are gathered on the way and
written when it closes, so that all that is news to a seat at one time comes in one letter.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select

from corr.game.memory import recalling
from corr.game.state import State
from corr.lessons import is_game
from corr.record.turns import Heading
from corr.service.games import archive_entries, email_retention, game_rows, ghosts, turn_notifications
from corr.service.games.game_rows import Chair
from corr.service.games.outage_credit import credited
from corr.service.games.public_state import Public, banks_of
from corr.service.games.seals import (
    EVER,
    Came,
    DecreeOfLeaf,
    Ended,
    Kept,
    OrderOfLeaf,
    Sat,
    Sealed,
    SlipOfLeaf,
    end,
    ended,
    kept,
    seal,
)
from corr.service.ratings import rating
from corr.service.ratings.rating import Change
from corr.store.rows import one_or_none_of, pairs_of
from corr.store.slips import pack, unpack
from corr.store.tables import LetterWords, OrderRow, OutboxRow, SlipRow
from corr.words.board import Pair, Side
from corr.words.orders import Origin
from corr.words.slips import Fact, Sight, Slip
from corr.words.view import Stage


class _Handed(NamedTuple):
    facts: bytes
    sight: bytes


_NEWEST_SLIP = select(SlipRow.facts, SlipRow.sight).where(
    SlipRow.seat_id == bindparam("seat"),
    SlipRow.number == bindparam("slip"),
    SlipRow.step == bindparam("at_step"),
)
_LOG, _KEEP_SLIP, _WRITE = insert(OrderRow), insert(SlipRow), insert(OutboxRow)
#: What a letter is made of, beside its row.
WORD = insert(LetterWords).values(
    letter_id=select(OutboxRow.id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.number == bindparam("letter"))
    .scalar_subquery(),
    words=bindparam("said"),
)


_NO_WORDS: Pair[tuple[str, ...]] = Pair((), ())


class Entry(NamedTuple):
    """What the log says of an order: what became of it, after how many moves, and in what it stood."""

    order: str
    verdict: str
    said: str
    ply: int
    origin: Origin = Origin.PLAIN


class _Letter(NamedTuple):
    """A letter to a side: its row, its words, and after how many turns of this sitting it was written."""

    row: dict[str, object]
    words: str
    turns: int

    @property
    def worded(self) -> dict[str, object]:
        """The row of its words."""
        return {"seat": self.row["seat_id"], "letter": self.row["number"], "said": self.words}


@dataclass(slots=True)
class Sitting:
    """One game while its row is held."""

    connection: Connection
    now: datetime
    game_id: int
    variant: str
    state: State
    kept_until: datetime | None  # when the letters of a game that is over go
    chairs: Pair[Chair]
    was_over: bool  # when the row was taken
    asked_at: datetime  # when what is answered here came, or else now: letters go a pace after it
    heading: Heading  # of its record
    names: Pair[str]  # by which both were called when it began
    sealed: Sealed
    unsealed: bool  # whether anything was kept already of the turn that goes on
    _since: int  # after how many moves that began
    _before: State  # how the game stood when the last turn ended that was marked
    _ended: list[Ended] = field(default_factory=list)
    _orders: list[dict[str, Any]] = field(default_factory=list)
    _decrees: list[DecreeOfLeaf] = field(default_factory=list)
    _slips: list[dict[str, Any]] = field(default_factory=list)
    _letters: list[_Letter] = field(default_factory=list)
    _written: dict[Side, int] = field(default_factory=dict)  # the number of each side's newest letter
    _rated: Pair[Change] | None = None  # what its end has made of both ratings

    # ------------------------------------------------------------ handing out

    def tell(self, side: Side, slip: Slip) -> None:
        """Hand a side a slip that is news to it: it gets a number and a letter, once a sitting."""
        chair, slip = self.chairs[side], self._recalling(side, slip)
        if chair.news:
            chair.news = Slip(side, chair.news.facts + slip.facts, slip.sight)
        else:
            chair.slips, chair.steps, chair.news, chair.told_in = chair.slips + 1, 0, slip, self.leaf
        chair.owed, chair.sight = True, slip.sight

    def add(self, side: Side, slip: Slip) -> None:
        """Hand a side a slip that brings it no letter of its own: a further step of its last number."""
        chair, slip = self.chairs[side], self._recalling(side, slip)
        self._keep_news(chair)
        chair.steps += 1
        self._keep(chair, slip)

    def hear(self, side: Side) -> Slip | None:
        """What is news to a side: it is handed out as of now, and whatever follows is news of its own."""
        chair = self.chairs[side]
        news = chair.news
        self._keep_news(chair)
        return news

    def say(self, side: Side, facts: tuple[Fact, ...]) -> Slip:
        """A slip with other facts and the sight that the side has already."""
        return Slip(side, facts, self.sight(side))

    def _recalling(self, side: Side, slip: Slip) -> Slip:
        """The slip with what the side recalls by now, in a game in which anything is shown."""
        return slip if slip.sight.turn is None else recalling(self.seen(side), slip)

    def sight(self, side: Side) -> Sight:
        """What a side sees by now."""
        seen = self.seen(side)
        assert seen
        return seen

    def seen(self, side: Side) -> Sight | None:
        """The same; None where it was handed nothing yet, whether or not numbers were left out."""
        chair = self.chairs[side]
        return chair.sight or (self._newest_sight(side) if chair.slips else None)

    def skip_numbers(self, gap: int) -> None:
        """Leave numbers out, so that none of them is given to anything else; what each side sees stays."""
        for side in Side:
            chair = self.chairs[side]
            chair.letters += gap
            if self.state.under_way:
                seen = Slip(side, (), self.sight(side))
                chair.slips, chair.steps = chair.slips + gap, 0
                self._keep(chair, seen)
            else:
                chair.slips += gap

    def _newest_sight(self, side: Side) -> Sight | None:
        chair = self.chairs[side]
        newest = {"seat": chair.id, "slip": chair.slips, "at_step": chair.steps}
        handed = one_or_none_of(_Handed, self.connection.execute(_NEWEST_SLIP, newest))
        return unpack(side, handed.facts, handed.sight).sight if handed else None

    def log(self, side: Side, inbox_id: int, entry: Entry) -> None:
        """Write down what was put to the umpire and what became of it."""
        self._orders.append(
            {
                "seat_id": self.chairs[side].id,
                "inbox_id": inbox_id,
                "ply": entry.ply,
                "text": entry.order,
                "verdict": entry.verdict,
                "said": entry.said,
                "origin": entry.origin,
                "at": self.now,
                "leaf": self.leaf,
            },
        )

    def _keep_news(self, chair: Chair) -> None:
        if chair.news:
            self._keep(chair, chair.news, chair.told_in)
        chair.news = None

    def _keep(self, chair: Chair, slip: Slip, leaf: int | None = None) -> None:
        facts, sight = pack(slip)
        chair.sight, chair.ghosts = slip.sight, ghosts.left(chair.ghosts, slip)
        self._slips.append(
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

    # ------------------------------------------------------------ letters

    def write(self, side: Side, kind: str, inbox_id: int | None = None, **words: object) -> None:
        """Put one letter to a side into the outbox."""
        self.mark_turn()
        chair = self.chairs[side]
        self._keep_news(chair)
        chair.owed = False
        if chair.is_house:
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
        said = {"public": self._public(side).words, **_own(chair), **self._rating(side), **words}
        self._letters.append(_Letter(row, json.dumps(said, ensure_ascii=False), len(self._ended)))

    def take_back(self, side: Side) -> dict[str, object]:
        """What a side had ordered is kept no longer, and may have changed its mind; words that say so."""
        chair = self.chairs[side]
        kept, chair.standing = chair.standing, None
        return {"taken_back": kept.text} if kept else {}

    def answer_on_page(self, side: Side) -> None:
        """What a side wrote on its page is answered there, with its news; of the end it is told by a letter too."""
        chair = self.chairs[side]
        self._keep_news(chair)
        chair.owed = self._ends
        chair.answers += 1

    def leave_unanswered(self, side: Side) -> None:
        """What a side wrote gets no letter: it has had enough of them; of the end it is told all the same."""
        self.chairs[side].owed |= self._ends

    @property
    def _ends(self) -> bool:
        return self.state.stage is Stage.OVER and not self.was_over

    def _rate(self) -> None:
        """The game is rated as it ends, before any letter tells of that."""
        outcome = self.state.outcome
        if self._ends and self._rated is None and self.heading.rated and outcome:
            result = rating.Result(self.game_id, self.variant, outcome, self.now)
            self._rated = rating.rate(self.connection, result)

    def _rating(self, side: Side) -> dict[str, object]:
        """What the end has made of a side's own rating, if it was rated, as a letter tells of it."""
        self._rate()
        return {"rating": self._rated[side]._asdict()} if self._rated else {}

    # ------------------------------------------------------------ turns

    @property
    def leaf(self) -> int:
        """To which leaf of the game's record belongs what happens now."""
        return self.sealed.leaves + len(self._ended)

    def decree(self, deed: str, detail: str, reason: str, said: str) -> int:
        """What an operator has done belongs to the turn that goes on, or ends by it; to which leaf of the record."""
        self._decrees.append(DecreeOfLeaf(self.leaf, deed, detail, reason, said))
        return self.leaf

    def mark_turn(self, came: Came | None = None) -> None:
        """If a turn has ended since this was called last, what happens from now on belongs to the next one."""
        turn = ended(self._before, self.state)
        if turn:
            self._ended.append(end(self._before, self.state, turn, came, self.now))
        self._before = self.state

    def _seal(self) -> list[Sealed]:
        """How far the record was sealed, and how far it is after each turn that has ended."""
        if not self._ended:
            return [self.sealed]
        sat = Sat(self.game_id, Pair(*(self.chairs[side].id for side in Side)), self.heading, self.names)
        rows = Kept(
            [SlipOfLeaf(**each) for each in self._slips],
            [OrderOfLeaf(**{key: each[key] for key in OrderOfLeaf._fields}) for each in self._orders],
            self._decrees,
        )
        if self.unsealed:
            since = self._since if self.sealed.leaves else EVER
            rows = kept(self.connection, sat, self.sealed.leaves, since).and_then(rows)
        return seal(self.connection, sat, self.sealed, self._worded(), rows)

    def _worded(self) -> list[Ended]:
        """The turns that have ended, with the words of letters that were mailed before: the first of them has all."""
        mailed = [Pair(*(self.chairs[side].digests for side in Side)), *(_NO_WORDS for _ in self._ended[1:])]
        for chair in (self.chairs[side] for side in Side):
            chair.mailed, chair.digests = chair.newest_mailed, ()
        return [
            each._replace(time=each.time._replace(mailed=words))
            for each, words in zip(self._ended, mailed, strict=True)
        ]

    def _is_unsealed(self) -> bool:
        """Whether anything is kept of the turn that goes on."""
        rows = (*self._slips, *self._orders)
        is_new = any(each["leaf"] == self.leaf for each in rows)
        return is_new or (self.unsealed and not self._ended)

    # ------------------------------------------------------------ the end

    def close(self) -> None:
        """Write letters to those who have news and did not get one, and the game's new state."""
        self.mark_turn()
        self._rate()
        for side in Side:
            if self.chairs[side].owed:
                self.write(side, "over" if self.state.outcome else "turn")
        if self.state.time.is_new:
            self._call()
        self.state = self.state.number_letters(self._written, self.now)
        self._wake_house_players()
        sealed, is_unsealed = self._seal(), self._is_unsealed()
        letters = [letter.row | {"seal": str(sealed[letter.turns])} for letter in self._letters]
        worded = [letter.worded for letter in self._letters]
        for statement, rows in (
            (_LOG, self._orders),
            (_KEEP_SLIP, self._slips),
            (_WRITE, letters),
            (WORD, worded),
        ):
            if rows:
                self.connection.execute(statement, rows)
        self.sealed, self.unsealed, self._ended = sealed[-1], is_unsealed, []
        if self._ends:
            archive_entries.keep(self.connection, self.game_id, self.variant, self.state)
        self.keep_state()

    def _call(self) -> None:
        """Whose turn has begun is called in the ways that they have chosen beside letters."""
        for side in self.state.awaited:
            if self.chairs[side].is_called:
                chair = self.chairs[side]
                turn_notifications.call(self.connection, chair.id, self.state.ply, self.now, self.asked_at)

    def _wake_house_players(self) -> None:
        """Who of the house was handed something has it to think over, if anything is left to answer or to forget."""
        handed = {slip["seat_id"] for slip in self._slips}
        for side in Side:
            chair = self.chairs[side]
            is_woken = chair.id in handed or self.state.again == side.other or self._ends
            if chair.is_house and is_woken and is_game(self.state.lesson):
                chair.thinks_at = self.now if self.state.asks(side) or self._ends else None

    def keep_state(self) -> None:
        """Keep the game as it stands by now: whoever asks the database before this is closed finds it so."""
        self.state = self.state.with_reminders(self.now)
        self.connection.execute(
            game_rows.KEEP_CHAIR, [game_rows.of_chair(self.chairs[side], self.state, side) for side in Side]
        )
        kept_until = self._kept_until()
        self.connection.execute(
            game_rows.KEEP_GAME,
            {
                "game": self.game_id,
                "kept_until": kept_until,
                "leaves": self.sealed.leaves,
                "seal": self.sealed.seal,
                "sealed": self.sealed.turn,
                "unsealed": self.unsealed,
                **game_rows.of_game(self.state),
            },
        )

    def _kept_until(self) -> datetime | None:
        """When its letters go: what comes after they went is kept for as long again."""
        if self.state.stage is not Stage.OVER:
            return None
        return self.kept_until or email_retention.until(self.state.ended_at, self.now)

    def _public(self, side: Side) -> Public:
        """What is public, and of the time of the turn what this side may know."""
        state, shown = self.state, self.state.shown(side, self.now)
        standing = None if state.stage is Stage.OVER else self.chairs[side].standing
        return Public(
            state=state.stage,
            ply=state.ply,
            turn=state.turn,
            time=shown,
            late=shown.deadline is not None and self.now > shown.deadline and not state.paused,
            paused=state.paused,
            offer=state.match.offer,
            outcome=state.outcome,
            pause_asked=state.pause.asked,
            pause_until=state.pause.until,
            outage=state.time.outage,
            banks=banks_of(*(state.banks[each] for each in Side)),
            lesson=state.lesson,
            standing=standing.text if standing else "",
            standing_waits=bool(standing and standing.due_at),
            standing_delay=standing.delay if standing else "",
        )


def sit_down(
    connection: Connection, game_id: int, now: datetime, asked_at: datetime | None = None
) -> Sitting:
    """Hold a game's row, and those of its seats, until the transaction ends."""
    found = pairs_of(
        game_rows.SatGame, game_rows.SatSeat, connection.execute(game_rows.SIT_DOWN, {"game": game_id})
    )
    game, seats = found[0][0], {seat.side: seat for _, seat in found}
    white, black = seats["white"], seats["black"]
    state, chairs = (
        game_rows.state_of(game, white, black),
        Pair(game_rows.chair_of(white), game_rows.chair_of(black)),
    )
    if game.credited < (game.newest_outage or 0):
        state = credited(connection, state, chairs, now)
    return Sitting(
        connection=connection,
        now=now,
        game_id=game_id,
        variant=game.variant,
        state=state,
        kept_until=game.kept_until,
        chairs=chairs,
        was_over=state.stage is Stage.OVER,
        asked_at=min(asked_at or now, now),  # another machine's clock may be ahead
        heading=game.heading,
        names=Pair(black.opponent or white.name, white.opponent or black.name),
        sealed=Sealed(game.leaves, game.seal, game.sealed),
        unsealed=game.unsealed,
        _since=game.ply,
        _before=state,
    )


def _own(chair: Chair) -> dict[str, object]:
    """What a side keeps for itself, where it keeps anything, as a letter tells of it."""
    own = {"ghosts": ghosts.text(chair.ghosts), "notes": chair.notes}
    return {"own": own} if any(own.values()) else {}
