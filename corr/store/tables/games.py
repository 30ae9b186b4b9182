"""What is kept of games: their state, their seats, what these were handed and ordered."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false, literal_column, true
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, identity


class Game(Base):
    """What is public about one game."""

    __tablename__ = "games"

    id: Mapped[int] = identity()
    code: Mapped[str] = mapped_column(unique=True)
    variant: Mapped[str]
    clock: Mapped[str]
    state: Mapped[str]
    ply: Mapped[int]
    turn: Mapped[str | None]
    deadline: Mapped[datetime | None]
    calendar: Mapped[str] = mapped_column(server_default="")  # by which the time of this turn goes
    offer: Mapped[str | None]
    offer_slip: Mapped[int | None]
    offered_white: Mapped[int]
    offered_black: Mapped[int]
    winner: Mapped[str | None]
    reason: Mapped[str | None]
    rated: Mapped[bool] = mapped_column(server_default=false())
    again: Mapped[str | None]  # who would like another game, or the code of the one that has begun
    paused_at: Mapped[datetime | None]  # since when the time stands still
    pause_asked: Mapped[str | None]  # who would like it to
    paused_until: Mapped[datetime | None]  # at the latest, where both have agreed to it
    ended_at: Mapped[datetime | None]
    kept_until: Mapped[
        datetime | None
    ]  # when its letters go; none while it is not over, and once they are gone
    waits_from: Mapped[datetime | None]  # since when this turn's time waits until who is awaited is told
    earliest: Mapped[datetime | None]  # the deadline if all had been told at once, where somebody was not
    lesson: Mapped[int | None]  # of a tutorial: with which it goes on
    credited: Mapped[int] = mapped_column(
        server_default="0"
    )  # up to which of the house's outages its time was put off
    outage_from: Mapped[datetime | None]  # since when and until when the house stood still in this turn
    outage_until: Mapped[datetime | None]
    by_lot: Mapped[bool] = mapped_column(server_default=false())  # whether its colours were drawn
    leaves: Mapped[int] = mapped_column(server_default="0")  # how many of its record are sealed
    seal: Mapped[bytes | None]  # the last one
    sealed: Mapped[str] = mapped_column(server_default="")  # and of which turn it is
    unsealed: Mapped[bool] = mapped_column(
        server_default=true()
    )  # whether anything of the turn that goes on was kept already


Index(
    "ix_games_kept_until_due",
    Game.kept_until,
    sqlite_where=Game.kept_until.is_not(None),
    postgresql_where=Game.kept_until.is_not(None),
)
_PLAYED = Game.ended_at.is_not(None) & Game.lesson.is_(None) & (Game.ply >= literal_column("0"))
Index("ix_games_played", Game.ended_at, Game.id, sqlite_where=_PLAYED, postgresql_where=_PLAYED)
Index(
    "ix_games_deadline_due",
    Game.deadline,
    sqlite_where=Game.deadline.is_not(None),
    postgresql_where=Game.deadline.is_not(None),
)
Index(
    "ix_games_paused_until_due",
    Game.paused_until,
    sqlite_where=Game.paused_until.is_not(None),
    postgresql_where=Game.paused_until.is_not(None),
)
Index(
    "ix_games_earliest_delayed",
    Game.earliest,
    sqlite_where=Game.earliest.is_not(None),
    postgresql_where=Game.earliest.is_not(None),
)
Index(
    "ix_games_credited",
    Game.credited,
    sqlite_where=Game.deadline.is_not(None),
    postgresql_where=Game.deadline.is_not(None),
)


class SeatRow(Base):
    """One player's place in one game, with the key that signs its addresses."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "side"),)

    id: Mapped[int] = identity()
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    side: Mapped[str]
    code: Mapped[str] = mapped_column(unique=True)
    key: Mapped[bytes]
    accepted: Mapped[bool]
    slips: Mapped[int]
    steps: Mapped[int]
    letters: Mapped[int]
    answers: Mapped[int] = mapped_column(server_default="0")  # how often something was answered on its page
    opponent: Mapped[str | None]  # what they were called when its letters began, if it is otherwise by now
    telling: Mapped[int | None]  # which letter tells of this turn; none where there is nothing to wait for
    opened: Mapped[int | None]  # before which such letter went out the page of the game was opened last
    opened_at: Mapped[datetime | None]
    delayed_from: Mapped[datetime | None]  # since when the time of this turn waits, where the letter is late
    held: Mapped[timedelta] = mapped_column(server_default="0")  # for so long the game has waited in all
    bank: Mapped[timedelta | None]  # what it has saved, by a clock with a bank
    remind_at: Mapped[datetime | None]  # when its player is reminded of this turn next
    reminded: Mapped[timedelta | None]  # and how long before the deadline that was last
    house: Mapped[bool] = mapped_column(server_default=false())  # kept by the house: nobody is written to
    # The same of this seat's, as it was set when the game began.
    tells_tries: Mapped[bool] = mapped_column(server_default=false())
    publishes: Mapped[str] = mapped_column(server_default="")  # it may have become more private since
    ghosts: Mapped[str] = mapped_column(server_default="")  # men that its player imagines, letter and square
    notes: Mapped[int] = mapped_column(server_default="0")  # how often its player has noted something
    standing: Mapped[str | None]  # orders for its next turn
    standing_by: Mapped[int | None]  # as which letter they came
    standing_delay: Mapped[str | None]  # how long they wait once the other side has moved
    standing_due: Mapped[datetime | None]  # when they are tried, where they wait
    # From when on its house player may think, where it has heard what it has not answered.
    thinks_at: Mapped[datetime | None]


_REMINDS = SeatRow.remind_at.is_not(None)
Index("ix_seats_remind_at", SeatRow.remind_at, sqlite_where=_REMINDS, postgresql_where=_REMINDS)
_WAITS = SeatRow.standing_due.is_not(None)
Index("ix_seats_standing_due", SeatRow.standing_due, sqlite_where=_WAITS, postgresql_where=_WAITS)
_THINKS = SeatRow.thinks_at.is_not(None)
Index("ix_seats_thinks_at", SeatRow.thinks_at, sqlite_where=_THINKS, postgresql_where=_THINKS)
Index("ix_seats_player_id", SeatRow.player_id, SeatRow.game_id)


class VoidSignet(Base):
    """What a seat's addresses were made with before it got new ones: they are known, and good for nothing."""

    __tablename__ = "void_signets"

    code: Mapped[str] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    key: Mapped[bytes]


class NoteRow(Base):
    """What a player has noted beside a game, for nobody else to read."""

    __tablename__ = "notes"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int]
    text: Mapped[str]


class SlipRow(Base):
    """What the umpire handed a seat: numbered where it is news, a further step where it answers."""

    __tablename__ = "slips"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int]
    facts: Mapped[bytes]
    sight: Mapped[bytes]
    leaf: Mapped[int] = mapped_column(server_default="0")  # of its game's record, to which it belongs


Index("ix_slips_seat_id_ply", SlipRow.seat_id, SlipRow.ply)


class ThoughtRow(Base):
    """What a house player has made of its seat's slips, so that it need not think it all over again."""

    __tablename__ = "thoughts"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    heard: Mapped[int]  # how much it had heard
    thought: Mapped[bytes]
    stamp: Mapped[str | None]  # of its page, as it was when it had thought
    text: Mapped[str | None]  # which it writes there once its pause is over


class OrderRow(Base):
    """The log: an order that was put to the umpire or to the match, and what became of it."""

    __tablename__ = "orders"

    id: Mapped[int] = identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    inbox_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    ply: Mapped[int]
    text: Mapped[str]
    verdict: Mapped[str]
    said: Mapped[str]
    at: Mapped[datetime]
    origin: Mapped[str] = mapped_column(server_default="")  # in what it stood
    leaf: Mapped[int] = mapped_column(server_default="0")


Index("ix_orders_seat_id_ply", OrderRow.seat_id, OrderRow.ply)


class Leaf(Base):
    """What seals a turn of a game: of what the salts are made that hide it, and what nothing else keeps of it.

    The rest of its line is made of slips, orders and decrees.
    """

    __tablename__ = "leaves"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012  # SQLAlchemy's own protocol

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    told: Mapped[str]
    salt: Mapped[bytes]
    seal: Mapped[bytes]  # as much of it as letters show
    disclosed: Mapped[bytes | None]  # of what the salts are made, from when the game was over


class Decree(Base):
    """What an operator has said shall be done, and why; a worker does it."""

    __tablename__ = "decrees"
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: Mapped[int] = identity()
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]  # which of its game's, so that what is said twice is done once
    operator: Mapped[str]
    deed: Mapped[str]
    detail: Mapped[str]
    reason: Mapped[str]
    made_at: Mapped[datetime]
    done_at: Mapped[datetime | None]
    result: Mapped[str | None]  # what became of it
    said: Mapped[str | None]  # what both sides were told, where it took effect
    logged: Mapped[str | None]  # the day whose checkpoint has it
    leaf: Mapped[int] = mapped_column(server_default="0")


_UNDONE = Decree.done_at.is_(None)
Index("ix_decrees_undone", Decree.id, sqlite_where=_UNDONE, postgresql_where=_UNDONE)
