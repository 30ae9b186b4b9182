"""Defines the tables of games: seats, slips, orders, seals, admins' decisions, archive and challenges."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false, literal_column, true
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, id_column, partial_index


class GameRow(Base):
    """The public state of one game."""

    __tablename__ = "games"

    id: Mapped[int] = id_column()
    code: Mapped[str] = mapped_column(unique=True)
    variant: Mapped[str]
    clock: Mapped[str]
    state: Mapped[str]
    ply: Mapped[int]
    turn: Mapped[str | None]
    deadline: Mapped[datetime | None]
    calendar: Mapped[str] = mapped_column(server_default="")  # which time of this turn counts
    time_log: Mapped[str] = mapped_column(server_default="")  # what its deadline consists of
    offer: Mapped[str | None]
    offer_slip: Mapped[int | None]
    offered_white: Mapped[int]
    offered_black: Mapped[int]
    winner: Mapped[str | None]
    reason: Mapped[str | None]
    rated: Mapped[bool] = mapped_column(server_default=false())
    again: Mapped[str | None]  # the side that would like another game, or the code of the new one
    paused_at: Mapped[datetime | None]  # since when the clock is stopped
    pause_asked: Mapped[str | None]  # the side that asks for a pause
    paused_until: Mapped[datetime | None]  # the latest end of a pause that both agreed to
    ended_at: Mapped[datetime | None]
    # When its emails are deleted; None before it is over and after the deletion.
    kept_until: Mapped[datetime | None]
    waits_from: Mapped[datetime | None]  # since when this turn's clock waits for the awaited sides to be told
    earliest: Mapped[datetime | None]  # the deadline if all sides had been told at once; None if they were
    lesson: Mapped[int | None]  # the current lesson of a tutorial
    credited: Mapped[int] = mapped_column(server_default="0")  # the newest outage that put off its time
    outage_from: Mapped[datetime | None]  # when the server was down in this turn
    outage_until: Mapped[datetime | None]
    by_lot: Mapped[bool] = mapped_column(server_default=false())  # whether its colours were drawn
    leaves: Mapped[int] = mapped_column(server_default="0")  # how many turns of its record are sealed
    seal: Mapped[bytes | None]  # the last seal
    sealed: Mapped[str] = mapped_column(server_default="")  # the turn of that seal
    # Whether anything of the current turn is stored already.
    unsealed: Mapped[bool] = mapped_column(server_default=true())


partial_index("ix_games_kept_until_due", GameRow.kept_until, where=GameRow.kept_until.is_not(None))
partial_index(
    "ix_games_played",
    GameRow.ended_at,
    GameRow.id,
    where=GameRow.ended_at.is_not(None) & GameRow.lesson.is_(None) & (GameRow.ply >= literal_column("0")),
)
partial_index("ix_games_deadline_due", GameRow.deadline, where=GameRow.deadline.is_not(None))
partial_index("ix_games_paused_until_due", GameRow.paused_until, where=GameRow.paused_until.is_not(None))
partial_index("ix_games_earliest_delayed", GameRow.earliest, where=GameRow.earliest.is_not(None))
partial_index("ix_games_credited", GameRow.credited, where=GameRow.deadline.is_not(None))


class SeatRow(Base):
    """One player's seat in a game, with the key that signs its addresses."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "side"),)

    id: Mapped[int] = id_column()
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    side: Mapped[str]
    code: Mapped[str] = mapped_column(unique=True)
    key: Mapped[bytes]
    accepted: Mapped[bool]
    slips: Mapped[int]
    steps: Mapped[int]
    letters: Mapped[int]
    mailed: Mapped[int] = mapped_column(server_default="0")  # the newest email whose words the record has
    answers: Mapped[int] = mapped_column(server_default="0")  # how many times its page got an answer
    opponent: Mapped[str | None]  # the opponent's name when its emails began, if it has changed since
    telling: Mapped[int | None]  # the email about this turn; None if there is nothing to wait for
    opened: Mapped[int | None]  # the turn's email that was unsent when the page was last opened
    opened_at: Mapped[datetime | None]
    delayed_from: Mapped[datetime | None]  # since when this turn's clock waits, if the email is late
    held: Mapped[timedelta] = mapped_column(server_default="0")  # how long the game has waited in total
    bank: Mapped[timedelta | None]  # its saved time, if the clock has a bank
    remind_at: Mapped[datetime | None]  # when its player is reminded of this turn next
    reminded: Mapped[timedelta | None]  # how long before the deadline the last reminder was
    house: Mapped[bool] = mapped_column(server_default=false())  # a bot's seat, which gets no emails
    # The player's setting of this name when the game began.
    tells_tries: Mapped[bool] = mapped_column(server_default=false())
    publishes: Mapped[str] = mapped_column(server_default="")  # the setting then, or a more private one
    ghosts: Mapped[str] = mapped_column(server_default="")  # imagined pieces, as letter and square
    notes: Mapped[int] = mapped_column(server_default="0")  # how many notes its player has made
    standing: Mapped[str | None]  # orders for its next turn
    standing_by: Mapped[int | None]  # the email they came in
    standing_delay: Mapped[str | None]  # how long they wait once the opponent has moved
    standing_due: Mapped[datetime | None]  # when they are tried, if they wait
    # From when on its bot may think, if it has heard something it has not answered.
    thinks_at: Mapped[datetime | None]


partial_index("ix_seats_remind_at", SeatRow.remind_at, where=SeatRow.remind_at.is_not(None))
partial_index("ix_seats_standing_due", SeatRow.standing_due, where=SeatRow.standing_due.is_not(None))
partial_index("ix_seats_thinks_at", SeatRow.thinks_at, where=SeatRow.thinks_at.is_not(None))
Index("ix_seats_player_id", SeatRow.player_id, SeatRow.game_id)


class OldAddressRow(Base):
    """The old code and key of a seat that got new addresses: the old ones are recognised, but useless."""

    __tablename__ = "void_signets"

    code: Mapped[str] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    key: Mapped[bytes]


class NoteRow(Base):
    """A player's private note on a game."""

    __tablename__ = "notes"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int]
    text: Mapped[str]


class SlipRow(Base):
    """A slip that a seat got: `number` counts news, `step` the answers since then."""

    __tablename__ = "slips"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int]
    facts: Mapped[bytes]
    sight: Mapped[bytes]
    leaf: Mapped[int] = mapped_column(server_default="0")  # the line of the game's record that contains it


Index("ix_slips_seat_id_ply", SlipRow.seat_id, SlipRow.ply)


class ThoughtRow(Base):
    """A bot's thoughts about its seat's slips, so that it need not start over."""

    __tablename__ = "thoughts"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    heard: Mapped[int]  # how many slips it had heard
    thought: Mapped[bytes]
    stamp: Mapped[str | None]  # of its page at the time of the thought
    text: Mapped[str | None]  # what it writes there once its pause is over


class OrderRow(Base):
    """A line of the log: an order that a player gave, and what became of it."""

    __tablename__ = "orders"

    id: Mapped[int] = id_column()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    inbox_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    ply: Mapped[int]
    text: Mapped[str]
    verdict: Mapped[str]
    said: Mapped[str]
    at: Mapped[datetime]
    origin: Mapped[str] = mapped_column(server_default="")  # a list, a branch, or orders for the next turn
    leaf: Mapped[int] = mapped_column(server_default="0")


Index("ix_orders_seat_id_ply", OrderRow.seat_id, OrderRow.ply)


class TurnSealRow(Base):
    """A turn of a game's record: its seal, salts' secret, and otherwise unstored parts."""

    __tablename__ = "leaves"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012  # SQLAlchemy's own protocol

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    told: Mapped[str]
    salt: Mapped[bytes]
    seal: Mapped[bytes]  # the part of the seal that emails show
    disclosed: Mapped[bytes | None]  # the secret of the salts, once the game is over


class DecisionRow(Base):
    """An admin's decision (decree) about a game, with its reason; a worker carries it out."""

    __tablename__ = "decrees"
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: Mapped[int] = id_column()
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]  # counts the decrees of its game, so that a repeated request acts once
    operator: Mapped[str]
    deed: Mapped[str]
    detail: Mapped[str]
    reason: Mapped[str]
    made_at: Mapped[datetime]
    done_at: Mapped[datetime | None]
    result: Mapped[str | None]  # what became of it
    said: Mapped[str | None]  # what both sides were told, if it took effect
    logged: Mapped[str | None]  # the day whose checkpoint includes it
    leaf: Mapped[int] = mapped_column(server_default="0")


partial_index("ix_decrees_undone", DecisionRow.id, where=DecisionRow.done_at.is_(None))


class ArchiveRow(Base):
    """A finished game in a player's archive or everybody's; each kind is one key range."""

    __tablename__ = "archive"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012  # SQLAlchemy's own protocol

    player_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # 0 for everybody's archive
    kind: Mapped[str] = mapped_column(primary_key=True)  # variant, result, length, and the player's side
    ended_at: Mapped[datetime] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


Index("ix_archive_ended_at", ArchiveRow.player_id, ArchiveRow.ended_at, ArchiveRow.game_id)


class ChallengeRow(Base):
    """A game that a player offers: to one opponent, to anybody with the link, or to all."""

    __tablename__ = "challenges"

    id: Mapped[int] = id_column()
    code: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    state: Mapped[str]
    by_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    to_id: Mapped[int | None] = mapped_column(ForeignKey("correspondents.id"))
    whom: Mapped[str | None]  # the address or name that was challenged
    domain: Mapped[str | None]  # the domain of the invitation, if it went to an address
    variant: Mapped[str]
    clock: Mapped[str]
    color: Mapped[str]
    rated: Mapped[bool]
    made_at: Mapped[datetime]
    invited_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))


Index("ix_challenges_by_id", ChallengeRow.by_id, ChallengeRow.id)
Index("ix_challenges_to_id", ChallengeRow.to_id, ChallengeRow.id)
Index("ix_challenges_domain_invited_at", ChallengeRow.domain, ChallengeRow.invited_at)
partial_index(
    "ix_challenges_expires_at_due", ChallengeRow.expires_at, where=ChallengeRow.expires_at.is_not(None)
)
partial_index("ix_challenges_begun", ChallengeRow.game_id, where=ChallengeRow.game_id.is_not(None))
partial_index(
    "ix_challenges_taken",
    ChallengeRow.id,
    where=(ChallengeRow.state == "accepted") & ChallengeRow.game_id.is_(None),
)
partial_index(
    "ix_challenges_sought",
    ChallengeRow.id,
    where=(ChallengeRow.kind == "seek") & (ChallengeRow.state == "open"),
)
