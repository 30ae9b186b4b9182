"""Who is known: players, mailboxes outside, and how somebody is let in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, false, true
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, identity

#: Sorted by its bytes everywhere, so that names which begin alike stand together: PostgreSQL would go by its language.
_BY_BYTES = Text().with_variant(Text(collation="C"), "postgresql")


class Player(Base):
    """A person: a name that opponents read, an address that only letters to them carry."""

    __tablename__ = "players"

    id: Mapped[int] = identity()
    name: Mapped[str]
    # What the name looks like; none while another player's looks the same.
    name_key: Mapped[str | None] = mapped_column(_BY_BYTES)
    address: Mapped[str]
    address_key: Mapped[str] = mapped_column(unique=True)
    zone: Mapped[str] = mapped_column(server_default="UTC")
    mailing: Mapped[str] = mapped_column(
        server_default="each"
    )  # whether letters tell of what happens in games: each, daily, off
    slip_file: Mapped[bool] = mapped_column(
        server_default=false()
    )  # beside letters about games, for programs
    digest_hour: Mapped[int] = mapped_column(server_default="7")
    digest_at: Mapped[datetime | None]  # when the next letter a day comes, and when the last one did
    digested_at: Mapped[datetime | None]
    called: Mapped[bool] = mapped_column(
        server_default=false()
    )  # whether anything is called when it is their turn
    checkpoint: Mapped[int | None]  # the last one that was mailed to them; none where none is to be
    men: Mapped[str] = mapped_column(server_default="glyphs")  # how the pages draw them: glyphs or letters
    switched: Mapped[str] = mapped_column(server_default="")  # at the table, otherwise than at first
    # Whether everybody may read their refused tries once a game is over that begins from now on.
    tells_tries: Mapped[bool] = mapped_column(server_default=true())
    # Whether their finished games are published for everybody, and by which name: nothing said yet, no, yes, name.
    publishes: Mapped[str] = mapped_column(server_default="")
    hidden: Mapped[bool] = mapped_column(server_default=false())  # whether nobody may read their page
    about: Mapped[str] = mapped_column(server_default="")  # what they say of themselves there
    program: Mapped[bool] = mapped_column(server_default=false())  # a program of whoever reads the letters
    weekends: Mapped[bool] = mapped_column(server_default=false())  # whether they do not count
    vacations: Mapped[str] = mapped_column(server_default="")  # from when to when, those of long ago left out
    goes_on_leave: Mapped[bool] = mapped_column(server_default=false())  # where the time would run out
    remind: Mapped[str] = mapped_column(server_default="usual")  # how long before a deadline
    quiet: Mapped[str] = mapped_column(server_default="off")  # between which hours not
    hours_set_at: Mapped[datetime | None]  # when any of this was set that no game goes by yet
    # How often a seat of theirs got new addresses: a link that stops letters is good until the next time.
    renewed: Mapped[int] = mapped_column(server_default="0")


Index("ix_players_name_key", Player.name_key, unique=True)
_SET = Player.hours_set_at.is_not(None)
Index(
    "ix_players_digest_at",
    Player.digest_at,
    sqlite_where=Player.digest_at.is_not(None),
    postgresql_where=Player.digest_at.is_not(None),
)
_SUBSCRIBED = Player.checkpoint.is_not(None)
Index("ix_players_checkpoint", Player.checkpoint, sqlite_where=_SUBSCRIBED, postgresql_where=_SUBSCRIBED)
Index("ix_players_hours_set_at", Player.hours_set_at, sqlite_where=_SET, postgresql_where=_SET)


class CorrespondentRow(Base):
    """A mailbox outside that we may have written to: a player's, or a stranger's of whom only a mark is kept."""

    __tablename__ = "correspondents"

    id: Mapped[int] = identity()
    mark: Mapped[str] = mapped_column(unique=True)
    address: Mapped[str | None]
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    code: Mapped[str] = mapped_column(unique=True)
    key: Mapped[bytes]
    letters: Mapped[int]
    confirmed_at: Mapped[datetime | None]
    unanswered_at: Mapped[datetime | None]  # when a letter went there that nobody had asked for
    asked_at: Mapped[
        datetime | None
    ]  # when they were asked whether it was they who wrote, and have not said so
    refused: Mapped[bool]  # "never again"


Index("ix_correspondents_player_id", CorrespondentRow.player_id)
_UNANSWERED = CorrespondentRow.unanswered_at.is_not(None)
Index(
    "ix_correspondents_unanswered_at",
    CorrespondentRow.unanswered_at,
    sqlite_where=_UNANSWERED,
    postgresql_where=_UNANSWERED,
)


class FailingMailbox(Base):
    """A mailbox from which letters have come back lately, and since when none go there."""

    __tablename__ = "failing_mailboxes"

    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"), primary_key=True)
    score: Mapped[float]
    counted_at: Mapped[datetime]  # when a letter that came back was last counted
    status: Mapped[str]
    stopped_at: Mapped[datetime | None]
    told_at: Mapped[datetime | None]  # when another mailbox of its owner was told


Index("ix_failing_mailboxes_kept", FailingMailbox.counted_at)
_STOPPED = FailingMailbox.stopped_at.is_not(None)
Index(
    "ix_failing_mailboxes_stopped",
    FailingMailbox.stopped_at,
    sqlite_where=_STOPPED,
    postgresql_where=_STOPPED,
)


class SignIn(Base):
    """Somebody at a browser who says that an address is theirs: to be let in, or to read letters there too."""

    __tablename__ = "sign_ins"

    id: Mapped[int] = identity()
    mark: Mapped[str | None]  # by which the browser knows it: a row's number would tell how many there were
    address: Mapped[str | None]  # until a worker has seen to it
    correspondent_id: Mapped[int | None] = mapped_column(ForeignKey("correspondents.id"))
    seed: Mapped[str]  # of which the house makes the six digits
    tries: Mapped[int]
    goal: Mapped[str | None]  # the code of a challenge that is waited for
    own: Mapped[bool] = mapped_column(
        server_default=false()
    )  # asked by whom the address lets in there already
    # Whose further address it shall be; none where somebody would be let in.
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    made_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


Index("ix_sign_ins_mark", SignIn.mark, unique=True)
Index("ix_sign_ins_made_at", SignIn.made_at)
Index("ix_sign_ins_correspondent_id", SignIn.correspondent_id, SignIn.made_at)
_ADDED = SignIn.player_id.is_not(None)
Index("ix_sign_ins_added", SignIn.player_id, SignIn.made_at, sqlite_where=_ADDED, postgresql_where=_ADDED)
_ASKED = SignIn.address.is_not(None)
Index("ix_sign_ins_asked", SignIn.id, sqlite_where=_ASKED, postgresql_where=_ASKED)


class Session(Base):
    """A browser that was let in."""

    __tablename__ = "sessions"

    id: Mapped[int] = identity()
    secret: Mapped[str] = mapped_column(unique=True)
    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    made_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    browser: Mapped[str]  # of which kind it is
    seen_at: Mapped[datetime]  # where the day began on which it was here last


Index("ix_sessions_seen_at", Session.seen_at)
Index("ix_sessions_correspondent_id", Session.correspondent_id)


class Passkey(Base):
    """What an operator shows before something is decreed: its public half."""

    __tablename__ = "passkeys"

    id: Mapped[int] = identity()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    credential: Mapped[str] = mapped_column(unique=True)  # what it calls itself
    public_key: Mapped[bytes]
    sign_count: Mapped[int]  # by its own count; always 0 of one that does not count
    name: Mapped[str]
    made_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


Index("ix_passkeys_player_id", Passkey.player_id)


class TokenRow(Base):
    """By what a player's own program is let in: a digest of it alone."""

    __tablename__ = "tokens"
    __table_args__ = (UniqueConstraint("player_id", "name"),)

    id: Mapped[int] = identity()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    digest: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    made_at: Mapped[datetime]
    plays: Mapped[bool] = mapped_column(server_default=false())  # or reads alone


class Subscription(Base):
    """A browser on a player's device that is told while no page is open: where, and by which keys it reads that."""

    __tablename__ = "subscriptions"

    id: Mapped[int] = identity()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    endpoint: Mapped[str] = mapped_column(unique=True)
    p256dh: Mapped[bytes]
    auth: Mapped[bytes]
    name: Mapped[str]  # of which kind it is
    made_at: Mapped[datetime]
    last_ok_at: Mapped[datetime | None]
    failing_from: Mapped[datetime | None]  # since when nothing gets through


Index("ix_subscriptions_player_id", Subscription.player_id)


class Question(Base):
    """What a passkey was asked to sign, until it is answered or too old."""

    __tablename__ = "questions"

    digest: Mapped[str] = mapped_column(primary_key=True)
    browser: Mapped[str]  # the session's digest
    deed: Mapped[str]
    made_at: Mapped[datetime]


Index("ix_questions_made_at", Question.made_at)
