"""What one seat may know: its own slips and what is public, folded into a View."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, Protocol, TypeAlias

from sqlalchemy import Connection, Row, bindparam, func, select

from corr.desk import catalogue, zones
from corr.game.clock import clock_of
from corr.mail.lacks import Lacks
from corr.mail.plain import Bare
from corr.store.slips import unpack
from corr.store.tables import Game, OrderRow, Player, SeatRow, SlipRow
from corr.words import SQUARES, Outcome, Side, Sight, Slip, Try, Verdict, View, squares_of

_SHORT_SCORE = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """Up to where a view looks: a slip of the seat and the step after it, and what was public then."""

    slip: int
    step: int
    inbox_id: int | None
    public: dict[str, Any]


class Meeting(NamedTuple):
    """A game and the player on one of its sides, as both sides know them."""

    code: str
    variant: str
    clock: str
    name: str


#: Meetings by game and side.
Known: TypeAlias = Mapping[tuple[int, str], Meeting]

_KNOWN = (
    select(Game.id, SeatRow.side, Game.code, Game.variant, Game.clock, Player.name)
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(Player, Player.id == SeatRow.player_id)
    .where(Game.id.in_(bindparam("games", expanding=True)))
)


def known(connection: Connection, games: Collection[int]) -> Known:
    """The games' variants, clocks and players."""
    rows = connection.execute(_KNOWN, {"games": list(games)})
    return {(row.id, row.side): Meeting(row.code, row.variant, row.clock, row.name) for row in rows}


class Place(Protocol):
    """Whose view is asked for: one side's place in one game."""

    @property
    def id(self) -> int: ...

    @property
    def game_id(self) -> int: ...

    @property
    def side(self) -> Side: ...

    @property
    def player(self) -> str: ...

    @property
    def zone(self) -> str: ...


def view(
    connection: Connection, known: Known, seat: Place, moment: Moment, lacks: Lacks, *, whole_score: bool
) -> View:
    """What the seat knew at a moment; the same however much later it is asked. Its score may be lacking."""
    ply = moment.public["ply"]
    since = min(ply, 0) if whole_score else min(ply, max(0, ply // 2 - _SHORT_SCORE) * 2)
    plies, slips = _slips(connection, seat, moment, since)
    tries = _tries(connection, seat, ply, moment.inbox_id or 0)
    told = [slip for ply, slip in zip(plies, slips, strict=True) if ply > since]
    return replace(
        fold(known[seat.game_id, seat.side.other], seat, moment, slips, lacks),
        last_tries=tuple(_try(row) for row in tries if row.ply < ply),
        tries=tuple(_try(row) for row in tries if row.ply == ply),
        score=lacks.or_without("score", lambda: catalogue.score(told, since // 2 + 1), ()),
    )


def fold(game: Meeting, seat: Place, moment: Moment, slips: tuple[Slip, ...], lacks: Lacks) -> View:
    """What the seat's last slips and what is public make known; without what the seat has tried, and the score."""
    public = moment.public
    return View(
        game=game.code,
        card=catalogue.card(game.variant),
        side=seat.side,
        name=seat.player,
        opponent=game.name,
        clock=clock_of(game.clock).sentence,
        state=public["state"],
        move_number=max(public["ply"], 0) // 2 + 1,
        turn=Side(public["turn"]) if public["turn"] else None,
        deadline=_worded(public["deadline"], seat.zone),
        late=public["late"],
        offer=Side(public["offer"]) if public["offer"] else None,
        outcome=_outcome(public["outcome"]),
        slips=slips,
        taken=_taken(slips),
        last_tries=(),
        tries=(),
        score=(),
        example=lacks.or_without("example", lambda: _example(game.variant, seat.side, moment, slips), ""),
        paused=public.get("paused", False),  # a letter of before there were pauses does not say
        delay=public.get("delay", ""),
        until=_worded(public.get("until"), seat.zone),
    )


def _example(variant: str, side: Side, moment: Moment, slips: tuple[Slip, ...]) -> str:
    """A move that could be tried, where it is the side's turn."""
    return catalogue.example(variant, slips[-1].sight) if slips and moment.public["turn"] == side else ""


_SLIPS = (
    select(SlipRow.ply, SlipRow.facts, SlipRow.sight)
    .where(
        SlipRow.seat_id == bindparam("seat"),
        SlipRow.ply >= bindparam("since"),
        (SlipRow.number < bindparam("slip"))
        | ((SlipRow.number == bindparam("slip")) & (SlipRow.step <= bindparam("last_step"))),
    )
    .order_by(SlipRow.number, SlipRow.step)
)


def bare(connection: Connection, game: Meeting, seat: Place, moment: Moment, lacks: Lacks) -> Bare:
    """The least that the seat is told, for a plain letter; of that too, whatever cannot be made may be lacking."""
    public = moment.public
    kept = _kept_slips(connection, seat, moment, public["ply"] - 1)
    read = [lacks.or_without("slip", partial(_unpacked, seat.side, row), None) for row in kept]
    slips = [slip for slip in read if slip]
    outcome = _outcome(public["outcome"])
    return Bare(
        variant=lacks.or_without("card", lambda: catalogue.card(game.variant).name, game.variant),
        opponent=game.name,
        side=seat.side,
        state=public["state"],
        turn=Side(public["turn"]) if public["turn"] else None,
        deadline=_worded_or_bare(public["deadline"], seat.zone, lacks),
        late=public["late"],
        paused=public.get("paused", False),
        delay=public.get("delay", ""),
        until=_worded_or_bare(public.get("until"), seat.zone, lacks),
        offer=Side(public["offer"]) if public["offer"] else None,
        winner=outcome.winner if outcome else None,
        said=lacks.or_without("said", lambda: " ".join(filter(None, (slip.spoken for slip in slips))), ""),
        men=lacks.or_without("men", lambda: _men(slips[-1].sight) if slips else (), ()),
    )


def _men(sight: Sight) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A side's own men by kind, and the squares on which they stand."""
    own = sight.own_men().items()
    return tuple((str(man), tuple(SQUARES[square] for square in squares)) for man, squares in own)


def _slips(
    connection: Connection, seat: Place, moment: Moment, since: int
) -> tuple[tuple[int, ...], tuple[Slip, ...]]:
    rows = _kept_slips(connection, seat, moment, since)
    return tuple(row.ply for row in rows), tuple(_unpacked(seat.side, row) for row in rows)


def _kept_slips(
    connection: Connection, seat: Place, moment: Moment, since: int
) -> Sequence[Row[*tuple[Any, ...]]]:
    asked = {"seat": seat.id, "since": since, "slip": moment.slip, "last_step": moment.step}
    return connection.execute(_SLIPS, asked).all()


def _unpacked(side: Side, row: Row[*tuple[Any, ...]]) -> Slip:
    return unpack(side, row.facts, row.sight)


def _taken(slips: Sequence[Slip]) -> tuple[str, ...]:
    """One's own men that the other side's last move took, by kind and square; none once one has moved oneself."""
    for before, after in zip(reversed(slips[:-1]), reversed(slips), strict=False):
        if after.made:
            return () if after.made["side"] == after.side else _gone(before.sight, after.sight)
    return ()


def _gone(before: Sight, after: Sight) -> tuple[str, ...]:
    gone = before.own & ~after.own
    men = ((man, squares_of(mask & gone)) for man, mask in before.masks())
    return tuple(f"{man} on {SQUARES[square]}" for man, squares in men for square in squares)


_WAS_IN_VAIN = (OrderRow.verdict == Verdict.REFUSED) | (OrderRow.verdict == Verdict.NONSENSE)
_WAS_ASKED = (OrderRow.verdict == Verdict.TOLD) & (
    OrderRow.text.startswith("any?") | OrderRow.text.startswith("sense")
)
_WAS_NO_MOVE = _WAS_IN_VAIN | _WAS_ASKED
_WAS_PUT = _WAS_NO_MOVE | (OrderRow.verdict == Verdict.MOVED)
_LAST_PLY = (
    select(func.max(OrderRow.ply))
    .where(OrderRow.seat_id == bindparam("seat"), OrderRow.ply < bindparam("ply_now"), _WAS_PUT)
    .scalar_subquery()
)
_IN_VAIN_BEFORE = _WAS_NO_MOVE & (OrderRow.inbox_id < bindparam("letter"))
_TRIES = (
    select(OrderRow.ply, OrderRow.text, OrderRow.verdict, OrderRow.said)
    .where(
        OrderRow.seat_id == bindparam("seat"),
        (OrderRow.ply == _LAST_PLY) | (OrderRow.ply == bindparam("ply_now")),
        ((OrderRow.ply < bindparam("ply_now")) & _WAS_PUT) | _IN_VAIN_BEFORE,
    )
    .order_by(OrderRow.id)
)


def _tries(connection: Connection, seat: Place, ply: int, inbox_id: int) -> Sequence[Row[*tuple[Any, ...]]]:
    """What this side wrote in its last turn, and without moving in this one before the letter that is answered."""
    return connection.execute(_TRIES, {"seat": seat.id, "ply_now": ply, "letter": inbox_id}).all()


_ALL_TRIES = (
    select(OrderRow.ply, OrderRow.text, OrderRow.verdict, OrderRow.said)
    .where(OrderRow.seat_id == bindparam("seat"), OrderRow.ply >= 0, _WAS_NO_MOVE)
    .order_by(OrderRow.id)
)


def all_tries(connection: Connection, seat_id: int) -> dict[int, tuple[Try, ...]]:
    """What a side wrote in its whole game without moving, by how many moves had been made."""
    rows = connection.execute(_ALL_TRIES, {"seat": seat_id})
    by_ply = groupby(rows, key=lambda row: row.ply)
    return {ply: tuple(map(_try, tried)) for ply, tried in by_ply}


def _try(row: Row[*tuple[Any, ...]]) -> Try:
    return Try(row.text, row.said)


def _outcome(outcome: list[str] | None) -> Outcome | None:
    return Outcome(Side(outcome[0]) if outcome[0] else None, outcome[1]) if outcome else None


def _worded(deadline: str | None, zone: str) -> str:
    """A deadline as its player reads it."""
    return zones.worded(datetime.fromisoformat(deadline), zone) if deadline else ""


def _worded_or_bare(deadline: str | None, zone: str, lacks: Lacks) -> str:
    return lacks.or_without("deadline", lambda: _worded(deadline, zone), str(deadline))
