"""Defines the tables of people: players, mailboxes, sign-ins, passkeys, tokens and notifications."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, id_column, partial_index

#: Sorted by bytes everywhere, so that names with the same beginning are together: PostgreSQL would sort by
#: language.
_BYTEWISE_TEXT = Text().with_variant(Text(collation="C"), "postgresql")


class PlayerRow(Base):
    """A player: a name that opponents see, and an address that appears only in emails to the player."""

    __tablename__ = "players"

    id: Mapped[int] = id_column()
    name: Mapped[str]
    # What the name looks like; None while another player's name looks the same.
    name_key: Mapped[str | None] = mapped_column(_BYTEWISE_TEXT)
    address: Mapped[str]
    address_key: Mapped[str] = mapped_column(unique=True)
    zone: Mapped[str] = mapped_column(server_default="UTC")
    # Whether the player gets emails about games: each, daily, off.
    mailing: Mapped[str] = mapped_column(server_default="each")
    # Attached to emails about games, for programs.
    slip_file: Mapped[bool] = mapped_column(server_default=false())
    digest_hour: Mapped[int] = mapped_column(server_default="7")
    digest_at: Mapped[datetime | None]  # when the next daily email is due, and when the last one went
    digested_at: Mapped[datetime | None]
    # Whether anything is called when it is their turn.
    called: Mapped[bool] = mapped_column(server_default=false())
    checkpoint: Mapped[int | None]  # the last one emailed to them; None without a subscription
    #: How the pages draw pieces: glyphs, simple or letters.
    men: Mapped[str] = mapped_column(server_default="glyphs")
    switched: Mapped[str] = mapped_column(server_default="")  # changed settings of how pages look
    # Whether everybody may read their refused tries in a finished game, for games that begin from now on.
    tells_tries: Mapped[bool] = mapped_column(server_default=true())
    # Whether finished games are published for everybody, and under which name: not said yet, no, yes, name.
    publishes: Mapped[str] = mapped_column(server_default="")
    hidden: Mapped[bool] = mapped_column(server_default=false())  # whether nobody may read their page
    about: Mapped[str] = mapped_column(server_default="")  # what they say about themselves there
    # Plays without an address, against bots only, until they give one or stay away.
    guest: Mapped[bool] = mapped_column(server_default=false())
    # A program of the person who reads the emails.
    program: Mapped[bool] = mapped_column(server_default=false())
    weekends: Mapped[bool] = mapped_column(server_default=false())  # whether weekends do not count
    vacations: Mapped[str] = mapped_column(server_default="")  # from when to when, without those of long ago
    goes_on_leave: Mapped[bool] = mapped_column(server_default=false())  # if the time would run out
    remind: Mapped[str] = mapped_column(server_default="usual")  # how long before a deadline
    quiet: Mapped[str] = mapped_column(server_default="off")  # the hours without reminders
    hours_set_at: Mapped[datetime | None]  # when any of these settings changed, until their games use them
    # How often a seat of theirs got new addresses: a link that stops emails is valid until the next time.
    renewed: Mapped[int] = mapped_column(server_default="0")


Index("ix_players_name_key", PlayerRow.name_key, unique=True)
# SQLite uses a partial index only for a condition that is written alike.
Index("ix_players_guest", PlayerRow.id, sqlite_where=text("guest = 1"), postgresql_where=PlayerRow.guest)
partial_index("ix_players_digest_at", PlayerRow.digest_at, where=PlayerRow.digest_at.is_not(None))
partial_index("ix_players_checkpoint", PlayerRow.checkpoint, where=PlayerRow.checkpoint.is_not(None))
partial_index("ix_players_hours_set_at", PlayerRow.hours_set_at, where=PlayerRow.hours_set_at.is_not(None))


class CorrespondentRow(Base):
    """An outside mailbox that we may have emailed: a player's, or a stranger's stored only as a mark."""

    __tablename__ = "correspondents"

    id: Mapped[int] = id_column()
    mark: Mapped[str] = mapped_column(unique=True)
    address: Mapped[str | None]
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    code: Mapped[str] = mapped_column(unique=True)
    key: Mapped[bytes]
    letters: Mapped[int]
    confirmed_at: Mapped[datetime | None]
    unanswered_at: Mapped[datetime | None]  # when an unrequested email went there
    # When we asked whether they had written an email, and got no answer yet.
    asked_at: Mapped[datetime | None]
    refused: Mapped[bool]  # "never again"


Index("ix_correspondents_player_id", CorrespondentRow.player_id)
partial_index(
    "ix_correspondents_unanswered_at",
    CorrespondentRow.unanswered_at,
    where=CorrespondentRow.unanswered_at.is_not(None),
)


class FailingMailboxRow(Base):
    """A mailbox whose emails have bounced lately, and since when we send none there."""

    __tablename__ = "failing_mailboxes"

    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"), primary_key=True)
    score: Mapped[float]
    counted_at: Mapped[datetime]  # when the last bounced email was counted
    status: Mapped[str]
    stopped_at: Mapped[datetime | None]
    told_at: Mapped[datetime | None]  # when another mailbox of its owner was told


Index("ix_failing_mailboxes_kept", FailingMailboxRow.counted_at)
partial_index(
    "ix_failing_mailboxes_stopped",
    FailingMailboxRow.stopped_at,
    where=FailingMailboxRow.stopped_at.is_not(None),
)


class SignInRow(Base):
    """A browser's claim to an email address, to sign in or to add the address to a player."""

    __tablename__ = "sign_ins"

    id: Mapped[int] = id_column()
    mark: Mapped[str | None]  # the browser's key to it: a row number would reveal how many there are
    address: Mapped[str | None]  # until a worker has handled it
    correspondent_id: Mapped[int | None] = mapped_column(ForeignKey("correspondents.id"))
    seed: Mapped[str]  # from which the server derives the six digits
    tries: Mapped[int]
    goal: Mapped[str | None]  # the code of a challenge to continue with
    # Requested by somebody whom this address has signed in there already.
    own: Mapped[bool] = mapped_column(server_default=false())
    # The player who adds this address; None for signing in.
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    guest_id: Mapped[int | None]  # the guest whose games this address gets; they may be gone by then
    made_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


Index("ix_sign_ins_mark", SignInRow.mark, unique=True)
Index("ix_sign_ins_made_at", SignInRow.made_at)
Index("ix_sign_ins_correspondent_id", SignInRow.correspondent_id, SignInRow.made_at)
partial_index(
    "ix_sign_ins_added", SignInRow.player_id, SignInRow.made_at, where=SignInRow.player_id.is_not(None)
)
partial_index(
    "ix_sign_ins_kept", SignInRow.id, where=SignInRow.guest_id.is_not(None) & SignInRow.used_at.is_not(None)
)
partial_index("ix_sign_ins_asked", SignInRow.id, where=SignInRow.address.is_not(None))


class SessionRow(Base):
    """A signed-in browser."""

    __tablename__ = "sessions"

    id: Mapped[int] = id_column()
    secret: Mapped[str] = mapped_column(unique=True)
    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    made_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    browser: Mapped[str]  # the kind of browser
    seen_at: Mapped[datetime]  # the start of the day of its last visit


Index("ix_sessions_seen_at", SessionRow.seen_at)
Index("ix_sessions_correspondent_id", SessionRow.correspondent_id)


class PasskeyRow(Base):
    """A passkey's public half; an admin must use the passkey to decide about a game."""

    __tablename__ = "passkeys"

    id: Mapped[int] = id_column()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    credential: Mapped[str] = mapped_column(unique=True)  # its own identifier
    public_key: Mapped[bytes]
    sign_count: Mapped[int]  # its own signature counter; always 0 if it does not count
    name: Mapped[str]
    made_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


Index("ix_passkeys_player_id", PasskeyRow.player_id)


class TokenRow(Base):
    """An API token that signs in a player's own program; only its digest is stored."""

    __tablename__ = "tokens"
    __table_args__ = (UniqueConstraint("player_id", "name"),)

    id: Mapped[int] = id_column()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    digest: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    made_at: Mapped[datetime]
    plays: Mapped[bool] = mapped_column(server_default=false())  # otherwise it only reads


class PushSubscriptionRow(Base):
    """A browser that gets push messages while no page is open: its endpoint and its encryption keys."""

    __tablename__ = "subscriptions"

    id: Mapped[int] = id_column()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    endpoint: Mapped[str] = mapped_column(unique=True)
    p256dh: Mapped[bytes]
    auth: Mapped[bytes]
    name: Mapped[str]  # the kind of browser
    made_at: Mapped[datetime]
    last_ok_at: Mapped[datetime | None]
    failing_from: Mapped[datetime | None]  # since when every message fails


Index("ix_subscriptions_player_id", PushSubscriptionRow.player_id)


class PasskeyChallengeRow(Base):
    """A challenge for a passkey to sign, until it is answered or too old."""

    __tablename__ = "questions"

    digest: Mapped[str] = mapped_column(primary_key=True)
    browser: Mapped[str]  # the session's digest
    deed: Mapped[str]
    made_at: Mapped[datetime]


Index("ix_questions_made_at", PasskeyChallengeRow.made_at)


class NotificationWayRow(Base):
    """A way to tell a player of their turn: a feed at a secret address, or a called endpoint."""

    __tablename__ = "ways"

    id: Mapped[int] = id_column()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    kind: Mapped[str]  # calendar, atom, webhook, device
    name: Mapped[str]  # the format of a call, or the kind of device; empty for a feed
    url: Mapped[str]  # empty for a feed
    digest: Mapped[str] = mapped_column(unique=True)  # of its key, to look up a feed
    sealed: Mapped[bytes]  # the key that signs calls
    made_at: Mapped[datetime]
    called_at: Mapped[datetime | None]  # when the last call was made, and what was wrong with it
    trouble: Mapped[str | None]
    failing_from: Mapped[datetime | None]  # since when every call fails


Index("ix_ways_player_id", NotificationWayRow.player_id)


class CallRow(Base):
    """A call that waits to be made: about a turn, or a test."""

    __tablename__ = "calls"
    __table_args__ = (UniqueConstraint("way_id", "seat_id"), UniqueConstraint("device_id", "seat_id"))

    id: Mapped[int] = id_column()
    way_id: Mapped[int | None] = mapped_column(ForeignKey("ways.id"))  # or else a device
    device_id: Mapped[int | None]  # it may be deleted, or another player's by then
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id"))  # None for a test
    ply: Mapped[int | None]  # how many moves had been made
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]


Index("ix_calls_due_at", CallRow.due_at)
Index("ix_calls_seat_id", CallRow.seat_id)
