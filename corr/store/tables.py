"""The open tables: everything that is kept, but for the truths."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    UniqueConstraint,
    false,
    func,
    literal_column,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from corr.store.packed import PackedBytes, PackedText, PackedWords

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = 32


class Moment(TypeDecorator[datetime]):
    """An aware moment in time, kept as whole microseconds since 1970, alike on every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        span = value - _EPOCH
        return (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[int | None], datetime | None]:  # noqa: ARG002
        """One call for each value: a page of many games has more than a thousand."""
        return _moment


def _moment(value: int | None) -> datetime | None:
    return None if value is None else _EPOCH + timedelta(microseconds=value)


class Span(TypeDecorator[timedelta]):
    """A span of time, kept as whole microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else value // timedelta(microseconds=1)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[int | None], timedelta | None]:  # noqa: ARG002
        """One call for each value."""
        return _span


def _span(value: int | None) -> timedelta | None:
    return None if value is None else timedelta(microseconds=value)


class Key(TypeDecorator[str]):
    """What tells a letter from all others of its seat: a digest, of which 128 bits are kept, or a word and one."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        if value is None:
            return None
        word, space, digest = value.rpartition(" ")
        return f"{word}{space}{digest[:_DIGITS]}"


class Base(DeclarativeBase):
    """All tables of the house."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Moment, timedelta: Span, str: Text, bytes: LargeBinary, int: BigInteger}  # noqa: RUF012  # SQLAlchemy's own protocol


def _identity() -> Mapped[int]:
    # SQLite numbers rows by itself only where the key is exactly INTEGER.
    return mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)


def _of_letter(table: str) -> Mapped[int]:
    return mapped_column(
        BigInteger().with_variant(Integer, "sqlite"),
        ForeignKey(f"{table}.id"),
        primary_key=True,
        autoincrement=False,
    )


class Player(Base):
    """A person: a name that opponents read, an address that only letters to them carry."""

    __tablename__ = "players"

    id: Mapped[int] = _identity()
    name: Mapped[str]
    name_key: Mapped[str | None]  # what the name looks like; none while another player's looks the same
    address: Mapped[str]
    address_key: Mapped[str] = mapped_column(unique=True)
    zone: Mapped[str] = mapped_column(server_default="UTC")
    mail: Mapped[bool] = mapped_column(server_default=true())  # whether letters tell of what happens in games
    men: Mapped[str] = mapped_column(server_default="glyphs")  # how the pages draw them: glyphs or letters
    # Whether everybody may read their refused tries once a game is over that begins from now on.
    tells_tries: Mapped[bool] = mapped_column(server_default=true())


Index("ix_players_name_key", Player.name_key, unique=True)


class CorrespondentRow(Base):
    """A mailbox outside that we may have written to: a player's, or a stranger's of whom only a mark is kept."""

    __tablename__ = "correspondents"

    id: Mapped[int] = _identity()
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


class Challenge(Base):
    """A game that a player offers: to one other, to whoever has the link, or to all."""

    __tablename__ = "challenges"

    id: Mapped[int] = _identity()
    code: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    state: Mapped[str]
    by_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    to_id: Mapped[int | None] = mapped_column(ForeignKey("correspondents.id"))
    whom: Mapped[str | None]  # the address or the name by which they were challenged
    domain: Mapped[str | None]  # where the invitation went, where it went to an address
    variant: Mapped[str]
    clock: Mapped[str]
    color: Mapped[str]
    rated: Mapped[bool]
    made_at: Mapped[datetime]
    invited_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))


Index("ix_challenges_by_id", Challenge.by_id, Challenge.id)
Index("ix_challenges_to_id", Challenge.to_id, Challenge.id)
Index("ix_challenges_domain_invited_at", Challenge.domain, Challenge.invited_at)
_EXPIRING = Challenge.expires_at.is_not(None)
Index(
    "ix_challenges_expires_at_due",
    Challenge.expires_at,
    sqlite_where=_EXPIRING,
    postgresql_where=_EXPIRING,
)
_TAKEN = (Challenge.state == "accepted") & Challenge.game_id.is_(None)
Index("ix_challenges_taken", Challenge.id, sqlite_where=_TAKEN, postgresql_where=_TAKEN)
_SOUGHT = (Challenge.kind == "seek") & (Challenge.state == "open")
Index("ix_challenges_sought", Challenge.id, sqlite_where=_SOUGHT, postgresql_where=_SOUGHT)


class SignIn(Base):
    """Somebody at a browser who says that an address is theirs: to be let in, or to read letters there too."""

    __tablename__ = "sign_ins"

    id: Mapped[int] = _identity()
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

    id: Mapped[int] = _identity()
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

    id: Mapped[int] = _identity()
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    credential: Mapped[str] = mapped_column(unique=True)  # what it calls itself
    public_key: Mapped[bytes]
    sign_count: Mapped[int]  # by its own count; always 0 of one that does not count
    name: Mapped[str]
    made_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


Index("ix_passkeys_player_id", Passkey.player_id)


class Question(Base):
    """What a passkey was asked to sign, until it is answered or too old."""

    __tablename__ = "questions"

    digest: Mapped[str] = mapped_column(primary_key=True)
    browser: Mapped[str]  # the session's digest
    deed: Mapped[str]
    made_at: Mapped[datetime]


Index("ix_questions_made_at", Question.made_at)


class Secret(Base):
    """What only this house knows, whichever of its processes asks."""

    __tablename__ = "secrets"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[bytes]


class Game(Base):
    """What is public about one game."""

    __tablename__ = "games"

    id: Mapped[int] = _identity()
    code: Mapped[str] = mapped_column(unique=True)
    variant: Mapped[str]
    clock: Mapped[str]
    state: Mapped[str]
    ply: Mapped[int]
    turn: Mapped[str | None]
    deadline: Mapped[datetime | None]
    remind_at: Mapped[datetime | None]
    offer: Mapped[str | None]
    offer_slip: Mapped[int | None]
    offered_white: Mapped[int]
    offered_black: Mapped[int]
    winner: Mapped[str | None]
    reason: Mapped[str | None]
    rated: Mapped[bool] = mapped_column(server_default=false())
    again: Mapped[str | None]  # who would like another game
    paused_at: Mapped[datetime | None]  # since when the operator has let the time stand still
    ended_at: Mapped[datetime | None]
    kept_until: Mapped[
        datetime | None
    ]  # when its letters go; none while it is not over, and once they are gone
    waits_from: Mapped[datetime | None]  # since when this turn's time waits until who is awaited is told
    earliest: Mapped[datetime | None]  # the deadline if all had been told at once, where somebody was not
    lesson: Mapped[int | None]  # of a tutorial: with which it goes on


Index(
    "ix_games_kept_until_due",
    Game.kept_until,
    sqlite_where=Game.kept_until.is_not(None),
    postgresql_where=Game.kept_until.is_not(None),
)
Index(
    "ix_games_deadline_due",
    Game.deadline,
    sqlite_where=Game.deadline.is_not(None),
    postgresql_where=Game.deadline.is_not(None),
)
Index(
    "ix_games_remind_at_due",
    Game.remind_at,
    sqlite_where=Game.remind_at.is_not(None),
    postgresql_where=Game.remind_at.is_not(None),
)
Index(
    "ix_games_earliest_delayed",
    Game.earliest,
    sqlite_where=Game.earliest.is_not(None),
    postgresql_where=Game.earliest.is_not(None),
)


class SeatRow(Base):
    """One player's place in one game, with the key that signs its addresses."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "side"),)

    id: Mapped[int] = _identity()
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
    house: Mapped[bool] = mapped_column(server_default=false())  # kept by the house: nobody is written to
    # The same of this seat's, as it was set when the game began.
    tells_tries: Mapped[bool] = mapped_column(server_default=false())
    ghosts: Mapped[str] = mapped_column(server_default="")  # men that its player imagines, letter and square
    notes: Mapped[int] = mapped_column(server_default="0")  # how often its player has noted something
    standing: Mapped[str | None]  # orders for its next turn
    standing_by: Mapped[int | None]  # as which letter they came
    standing_delay: Mapped[str | None]  # how long they wait once the other side has moved
    standing_due: Mapped[datetime | None]  # when they are tried, where they wait


_WAITS = SeatRow.standing_due.is_not(None)
Index("ix_seats_standing_due", SeatRow.standing_due, sqlite_where=_WAITS, postgresql_where=_WAITS)


class VoidSignet(Base):
    """What a seat's addresses were made with before it got new ones: they are known, and good for nothing."""

    __tablename__ = "void_signets"

    code: Mapped[str] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    key: Mapped[bytes]


Index("ix_seats_player_id", SeatRow.player_id, SeatRow.game_id)


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


Index("ix_slips_seat_id_ply", SlipRow.seat_id, SlipRow.ply)


class OrderRow(Base):
    """The log: an order that was put to the umpire or to the match, and what became of it."""

    __tablename__ = "orders"

    id: Mapped[int] = _identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    inbox_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    ply: Mapped[int]
    text: Mapped[str]
    verdict: Mapped[str]
    said: Mapped[str]
    at: Mapped[datetime]
    origin: Mapped[str] = mapped_column(server_default="")  # in what it stood


Index("ix_orders_seat_id_ply", OrderRow.seat_id, OrderRow.ply)


class InboxRow(Base):
    """A letter, or what was written on a page, that was taken in: unread, or read exactly once.

    Its key and what became of it stay for good; what it says is an `Original`.
    """

    __tablename__ = "inbox"
    __table_args__ = (UniqueConstraint("seat_id", "message_key"),)

    id: Mapped[int] = _identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    slip: Mapped[int]
    bounce: Mapped[bool]
    message_key: Mapped[str] = mapped_column(Key)
    received_at: Mapped[datetime]
    tries: Mapped[int]
    leased_until: Mapped[datetime | None]
    retry_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    reading: Mapped[str | None]
    ply: Mapped[int | None]
    orders: Mapped[str | None]
    page: Mapped[bool] = mapped_column(server_default=false())
    answer: Mapped[str | None]  # what its page answers; a letter is answered by a letter


Index(
    "ix_inbox_unread",
    InboxRow.seat_id,
    InboxRow.id,
    sqlite_where=InboxRow.read_at.is_(None),
    postgresql_where=InboxRow.read_at.is_(None),
)
# Without it SQLite walks through all letters that ever came in to find the oldest that is unread.
Index(
    "ix_inbox_unread_id",
    InboxRow.id,
    sqlite_where=InboxRow.read_at.is_(None),
    postgresql_where=InboxRow.read_at.is_(None),
)
Index("ix_inbox_seat_id_ply", InboxRow.seat_id, InboxRow.ply)
Index(
    "ix_inbox_page", InboxRow.seat_id, InboxRow.id, sqlite_where=InboxRow.page, postgresql_where=InboxRow.page
)


class Original(Base):
    """What a letter says, or what was written on a page, as it came."""

    __tablename__ = "originals"

    letter_id: Mapped[int] = _of_letter("inbox")
    recipients: Mapped[str]
    raw: Mapped[bytes] = mapped_column(PackedBytes)
    bounced_at: Mapped[
        datetime | None
    ]  # when it came back, where it does not stay as long as its game's letters


_BOUNCED = Original.bounced_at.is_not(None)
Index("ix_originals_bounced_kept", Original.bounced_at, sqlite_where=_BOUNCED, postgresql_where=_BOUNCED)


class OutboxRow(Base):
    """A letter to be sent: what it is about, and what became of it."""

    __tablename__ = "outbox"
    __table_args__ = (UniqueConstraint("seat_id", "number"),)

    id: Mapped[int] = _identity()
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    number: Mapped[int]
    kind: Mapped[str]
    slip: Mapped[int]
    step: Mapped[int]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))
    words: Mapped[str] = mapped_column(PackedWords)
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]
    sent_at: Mapped[datetime | None]
    dead_at: Mapped[datetime | None]
    trouble: Mapped[str | None]


_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
Index("ix_outbox_unsent_due_at", OutboxRow.due_at, sqlite_where=_UNSENT, postgresql_where=_UNSENT)
Index(
    "ix_outbox_unsent_seat_id",
    OutboxRow.seat_id,
    OutboxRow.id,
    sqlite_where=_UNSENT,
    postgresql_where=_UNSENT,
)
Index("ix_outbox_seat_id_slip", OutboxRow.seat_id, OutboxRow.slip)
_DEAD = OutboxRow.dead_at.is_not(None)
Index("ix_outbox_dead", OutboxRow.dead_at, sqlite_where=_DEAD, postgresql_where=_DEAD)
Index("ix_outbox_dead_seat_id", OutboxRow.seat_id, sqlite_where=_DEAD, postgresql_where=_DEAD)


class Parcel(Base):
    """The very bytes of a letter, from its first claim until it is handed over.

    What is large and goes early has tables of its own: in a row it would leave a hole there for good.
    """

    __tablename__ = "parcels"

    letter_id: Mapped[int] = _of_letter("outbox")
    message: Mapped[bytes]


class Quotable(Base):
    """The text of a letter, which tells a reply from what it quotes."""

    __tablename__ = "quotables"

    letter_id: Mapped[int] = _of_letter("outbox")
    text: Mapped[str] = mapped_column(PackedText)


class Decree(Base):
    """What an operator has said shall be done, and why; a worker does it."""

    __tablename__ = "decrees"
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: Mapped[int] = _identity()
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


_UNDONE = Decree.done_at.is_(None)
Index("ix_decrees_undone", Decree.id, sqlite_where=_UNDONE, postgresql_where=_UNDONE)


class SiteInboxRow(Base):
    """A letter to the site itself, from a correspondent: unread, or read exactly once."""

    __tablename__ = "site_inbox"
    __table_args__ = (UniqueConstraint("correspondent_id", "message_key"),)

    id: Mapped[int] = _identity()
    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    letter: Mapped[int]  # which of our letters its address answers; 0 for the address that everybody knows
    vouched: Mapped[bool]  # our own mail server says that it comes from where it says
    bounce: Mapped[bool]
    message_key: Mapped[str]
    raw: Mapped[bytes] = mapped_column(PackedBytes)
    received_at: Mapped[datetime]
    tries: Mapped[int]
    leased_until: Mapped[datetime | None]
    retry_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    reading: Mapped[str | None]


Index(
    "ix_site_inbox_unread",
    SiteInboxRow.correspondent_id,
    SiteInboxRow.id,
    sqlite_where=SiteInboxRow.read_at.is_(None),
    postgresql_where=SiteInboxRow.read_at.is_(None),
)
# For the oldest, as in the inbox.
Index(
    "ix_site_inbox_unread_id",
    SiteInboxRow.id,
    sqlite_where=SiteInboxRow.read_at.is_(None),
    postgresql_where=SiteInboxRow.read_at.is_(None),
)


#: True for a row whose letter is kept still.
SITE_KEPT = func.length(SiteInboxRow.raw) > literal_column("0")
Index(
    "ix_site_inbox_kept",
    SiteInboxRow.bounce,
    SiteInboxRow.received_at,
    sqlite_where=SITE_KEPT,
    postgresql_where=SITE_KEPT,
)


class SiteOutboxRow(Base):
    """A letter to a correspondent that is about no game yet."""

    __tablename__ = "site_outbox"
    __table_args__ = (UniqueConstraint("correspondent_id", "number"),)

    id: Mapped[int] = _identity()
    correspondent_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    number: Mapped[int]
    kind: Mapped[str]
    words: Mapped[str]
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int]
    sent_at: Mapped[datetime | None]
    dead_at: Mapped[datetime | None]
    trouble: Mapped[str | None]


_SITE_UNSENT = SiteOutboxRow.sent_at.is_(None) & SiteOutboxRow.dead_at.is_(None)
Index(
    "ix_site_outbox_unsent_due_at",
    SiteOutboxRow.due_at,
    sqlite_where=_SITE_UNSENT,
    postgresql_where=_SITE_UNSENT,
)
_SITE_DEAD = SiteOutboxRow.dead_at.is_not(None)
Index("ix_site_outbox_dead", SiteOutboxRow.dead_at, sqlite_where=_SITE_DEAD, postgresql_where=_SITE_DEAD)


class SiteParcel(Base):
    """The very bytes of such a letter, from its first claim until it is handed over."""

    __tablename__ = "site_parcels"

    letter_id: Mapped[int] = _of_letter("site_outbox")
    message: Mapped[bytes]


class SiteQuotable(Base):
    """Its text, which tells a reply from what it quotes."""

    __tablename__ = "site_quotables"

    letter_id: Mapped[int] = _of_letter("site_outbox")
    text: Mapped[str] = mapped_column(PackedText)


class Sign(Base):
    """A sign of life: when something that must happen again and again last happened."""

    __tablename__ = "signs"

    name: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class AlarmRow(Base):
    """What could not be made for a letter, and where the fault is; nothing of whose letter it was."""

    __tablename__ = "alarms"

    part: Mapped[str] = mapped_column(primary_key=True)
    fault: Mapped[str] = mapped_column(primary_key=True)
    rung_at: Mapped[datetime]
