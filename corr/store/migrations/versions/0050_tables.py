"""The tables of the first release, e64bc27, from which every database begins."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = None
branch_labels = None
depends_on = None

# SQLite numbers rows by itself only where the key is exactly INTEGER.
_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
# As on SQLite, so that names which begin alike are next to each other on both.
_SORTED_BY_BYTES = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
#: How many private keys the curve P-256 has, and one more.
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_TABLES = sa.MetaData(
    naming_convention={
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def upgrade() -> None:
    _TABLES.create_all(op.get_bind(), checkfirst=False)
    op.bulk_insert(_TABLES.tables["secrets"], [{"name": name, "value": value} for name, value in _secrets()])


def downgrade() -> None:
    _TABLES.drop_all(op.get_bind(), checkfirst=False)


def _secrets() -> Iterator[tuple[str, bytes]]:
    """Make this server's secret keys, each with the name of its purpose."""
    for name in ("marks", "cookies", "digits", "checkpoints"):
        yield name, secrets.token_bytes(32)
    yield "devices", (secrets.randbelow(_P256_ORDER - 1) + 1).to_bytes(32)


def _partial(name: str, *columns: str, where: str, sqlite_where: str = "", unique: bool = False) -> sa.Index:
    """Define an index of only those rows that meet a condition."""
    return sa.Index(
        name,
        *columns,
        unique=unique,
        sqlite_where=sa.text(sqlite_where or where),
        postgresql_where=sa.text(where),
    )


# ---------------------------------------------------------------- the server's own

sa.Table(
    "secrets",
    _TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)

sa.Table(
    "signs",
    _TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)

sa.Table(
    "alarms",
    _TABLES,
    sa.Column("part", sa.Text, primary_key=True),
    sa.Column("fault", sa.Text, primary_key=True),
    sa.Column("rung_at", sa.BigInteger, nullable=False),
)

sa.Table(
    "outages",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("began_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("flags_from", sa.BigInteger, nullable=False),
)

sa.Table(
    "busy_domains",
    _TABLES,
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.Column("refusals", sa.BigInteger, nullable=False),
)

sa.Table(
    "checkpoints",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("day", sa.Text, nullable=False, unique=True),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("leaves", sa.LargeBinary, nullable=False),
)

# ---------------------------------------------------------------- players

sa.Table(
    "players",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("address_key", sa.Text, nullable=False, unique=True),
    sa.Column("name_key", _SORTED_BY_BYTES),
    sa.Column("zone", sa.Text, nullable=False, server_default="UTC"),
    sa.Column("men", sa.Text, nullable=False, server_default="glyphs"),
    sa.Column("tells_tries", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("switched", sa.Text, nullable=False, server_default=""),
    sa.Column("program", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("weekends", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("goes_on_leave", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("vacations", sa.Text, nullable=False, server_default=""),
    sa.Column("remind", sa.Text, nullable=False, server_default="usual"),
    sa.Column("quiet", sa.Text, nullable=False, server_default="off"),
    sa.Column("hours_set_at", sa.BigInteger),
    sa.Column("mailing", sa.Text, nullable=False, server_default="each"),
    sa.Column("digest_hour", sa.BigInteger, nullable=False, server_default="7"),
    sa.Column("digest_at", sa.BigInteger),
    sa.Column("digested_at", sa.BigInteger),
    sa.Column("called", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("renewed", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("slip_file", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("checkpoint", sa.BigInteger),
    sa.Column("publishes", sa.Text, nullable=False, server_default=""),
    sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("about", sa.Text, nullable=False, server_default=""),
    _partial("ix_players_checkpoint", "checkpoint", where="checkpoint IS NOT NULL"),
    _partial("ix_players_digest_at", "digest_at", where="digest_at IS NOT NULL"),
    _partial("ix_players_hours_set_at", "hours_set_at", where="hours_set_at IS NOT NULL"),
    sa.Index("ix_players_name_key", "name_key", unique=True),
)

sa.Table(
    "correspondents",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("mark", sa.Text, nullable=False, unique=True),
    sa.Column("address", sa.Text),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id")),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("letters", sa.BigInteger, nullable=False),
    sa.Column("confirmed_at", sa.BigInteger),
    sa.Column("unanswered_at", sa.BigInteger),
    sa.Column("asked_at", sa.BigInteger),
    sa.Column("refused", sa.Boolean, nullable=False),
    sa.Index("ix_correspondents_player_id", "player_id"),
    _partial("ix_correspondents_unanswered_at", "unanswered_at", where="unanswered_at IS NOT NULL"),
)

sa.Table(
    "failing_mailboxes",
    _TABLES,
    sa.Column(
        "correspondent_id",
        _KEY,
        sa.ForeignKey("correspondents.id", name="fk_failing_mailboxes_correspondent_id_correspondents"),
        primary_key=True,
        autoincrement=False,
    ),
    sa.Column("score", sa.Double, nullable=False),
    sa.Column("counted_at", sa.BigInteger, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("stopped_at", sa.BigInteger),
    sa.Column("told_at", sa.BigInteger),
    sa.Index("ix_failing_mailboxes_kept", "counted_at"),
    _partial("ix_failing_mailboxes_stopped", "stopped_at", where="stopped_at IS NOT NULL"),
)

sa.Table(
    "challenges",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("by_id", _KEY, sa.ForeignKey("correspondents.id"), nullable=False),
    sa.Column("to_id", _KEY, sa.ForeignKey("correspondents.id")),
    sa.Column("whom", sa.Text),
    sa.Column("domain", sa.Text),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("color", sa.Text, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("invited_at", sa.BigInteger),
    sa.Column("expires_at", sa.BigInteger),
    sa.Column("game_id", _KEY, sa.ForeignKey("games.id")),
    _partial("ix_challenges_begun", "game_id", where="game_id IS NOT NULL"),
    sa.Index("ix_challenges_by_id", "by_id", "id"),
    sa.Index("ix_challenges_domain_invited_at", "domain", "invited_at"),
    _partial("ix_challenges_expires_at_due", "expires_at", where="expires_at IS NOT NULL"),
    _partial("ix_challenges_sought", "id", where="kind = 'seek' AND state = 'open'"),
    _partial("ix_challenges_taken", "id", where="state = 'accepted' AND game_id IS NULL"),
    sa.Index("ix_challenges_to_id", "to_id", "id"),
)

sa.Table(
    "sessions",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("secret", sa.Text, nullable=False, unique=True),
    sa.Column("correspondent_id", _KEY, sa.ForeignKey("correspondents.id"), nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger),
    sa.Column("browser", sa.Text, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
    sa.Index("ix_sessions_correspondent_id", "correspondent_id"),
    sa.Index("ix_sessions_seen_at", "seen_at"),
)

sa.Table(
    "sign_ins",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("address", sa.Text),
    sa.Column("correspondent_id", _KEY, sa.ForeignKey("correspondents.id")),
    sa.Column("tries", sa.BigInteger, nullable=False),
    sa.Column("goal", sa.Text),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("used_at", sa.BigInteger),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id")),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("mark", sa.Text),
    sa.Column("own", sa.Boolean, nullable=False, server_default=sa.false()),
    _partial("ix_sign_ins_added", "player_id", "made_at", where="player_id IS NOT NULL"),
    _partial("ix_sign_ins_asked", "id", where="address IS NOT NULL"),
    sa.Index("ix_sign_ins_correspondent_id", "correspondent_id", "made_at"),
    sa.Index("ix_sign_ins_made_at", "made_at"),
    sa.Index("ix_sign_ins_mark", "mark", unique=True),
)

sa.Table(
    "passkeys",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("credential", sa.Text, nullable=False, unique=True),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("used_at", sa.BigInteger),
    sa.Index("ix_passkeys_player_id", "player_id"),
)

sa.Table(
    "questions",
    _TABLES,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("browser", sa.Text, nullable=False),
    sa.Column("deed", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Index("ix_questions_made_at", "made_at"),
)

sa.Table(
    "tokens",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("digest", sa.Text, nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("plays", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.UniqueConstraint("player_id", "name"),
)

sa.Table(
    "subscriptions",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False, unique=True),
    sa.Column("p256dh", sa.LargeBinary, nullable=False),
    sa.Column("auth", sa.LargeBinary, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("test_asked_at", sa.BigInteger),
    sa.Column("last_ok_at", sa.BigInteger),
    sa.Column("failing_from", sa.BigInteger),
    sa.Index("ix_subscriptions_player_id", "player_id"),
    _partial("ix_subscriptions_test_asked_at", "test_asked_at", where="test_asked_at IS NOT NULL"),
)

# ---------------------------------------------------------------- games

sa.Table(
    "games",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("ply", sa.BigInteger, nullable=False),
    sa.Column("turn", sa.Text),
    sa.Column("deadline", sa.BigInteger),
    sa.Column("offer", sa.Text),
    sa.Column("offer_slip", sa.BigInteger),
    sa.Column("offered_white", sa.BigInteger, nullable=False),
    sa.Column("offered_black", sa.BigInteger, nullable=False),
    sa.Column("winner", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("again", sa.Text),
    sa.Column("paused_at", sa.BigInteger),
    sa.Column("ended_at", sa.BigInteger),
    sa.Column("kept_until", sa.BigInteger),
    sa.Column("waits_from", sa.BigInteger),
    sa.Column("earliest", sa.BigInteger),
    sa.Column("lesson", sa.BigInteger),
    sa.Column("calendar", sa.Text, nullable=False, server_default=""),
    sa.Column("pause_asked", sa.Text),
    sa.Column("paused_until", sa.BigInteger),
    sa.Column("credited", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("outage_from", sa.BigInteger),
    sa.Column("outage_until", sa.BigInteger),
    sa.Column("by_lot", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("leaves", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("seal", sa.LargeBinary),
    sa.Column("sealed", sa.Text, nullable=False, server_default=""),
    sa.Column("unsealed", sa.Boolean, nullable=False, server_default=sa.true()),
    _partial("ix_games_credited", "credited", where="deadline IS NOT NULL"),
    _partial("ix_games_deadline_due", "deadline", where="deadline IS NOT NULL"),
    _partial("ix_games_earliest_delayed", "earliest", where="earliest IS NOT NULL"),
    _partial("ix_games_kept_until_due", "kept_until", where="kept_until IS NOT NULL"),
    _partial("ix_games_paused_until_due", "paused_until", where="paused_until IS NOT NULL"),
    _partial(
        "ix_games_played", "ended_at", "id", where="ended_at IS NOT NULL AND lesson IS NULL AND ply >= 0"
    ),
)

sa.Table(
    "seats",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("game_id", _KEY, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("side", sa.Text, nullable=False),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("accepted", sa.Boolean, nullable=False),
    sa.Column("slips", sa.BigInteger, nullable=False),
    sa.Column("steps", sa.BigInteger, nullable=False),
    sa.Column("letters", sa.BigInteger, nullable=False),
    sa.Column("answers", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("opponent", sa.Text),
    sa.Column("telling", sa.BigInteger),
    sa.Column("opened", sa.BigInteger),
    sa.Column("opened_at", sa.BigInteger),
    sa.Column("delayed_from", sa.BigInteger),
    sa.Column("held", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("house", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("tells_tries", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("ghosts", sa.Text, nullable=False, server_default=""),
    sa.Column("notes", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("standing", sa.Text),
    sa.Column("standing_by", sa.BigInteger),
    sa.Column("standing_delay", sa.Text),
    sa.Column("standing_due", sa.BigInteger),
    sa.Column("thinks_at", sa.BigInteger),
    sa.Column("bank", sa.BigInteger),
    sa.Column("remind_at", sa.BigInteger),
    sa.Column("reminded", sa.BigInteger),
    sa.UniqueConstraint("game_id", "side"),
    sa.Index("ix_seats_player_id", "player_id", "game_id"),
    _partial("ix_seats_remind_at", "remind_at", where="remind_at IS NOT NULL"),
    _partial("ix_seats_standing_due", "standing_due", where="standing_due IS NOT NULL"),
    _partial("ix_seats_thinks_at", "thinks_at", where="thinks_at IS NOT NULL"),
)

sa.Table(
    "void_signets",
    _TABLES,
    sa.Column("code", sa.Text, primary_key=True),
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id"), nullable=False),
    sa.Column("key", sa.LargeBinary, nullable=False),
)

sa.Table(
    "truths",
    _TABLES,
    sa.Column("game_id", _KEY, sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
)

sa.Table(
    "slips",
    _TABLES,
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id"), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("step", sa.BigInteger, primary_key=True),
    sa.Column("ply", sa.BigInteger, nullable=False),
    sa.Column("facts", sa.LargeBinary, nullable=False),
    sa.Column("sight", sa.LargeBinary, nullable=False),
    sa.Column("leaf", sa.BigInteger, nullable=False, server_default="0"),
    sa.Index("ix_slips_seat_id_ply", "seat_id", "ply"),
)

sa.Table(
    "leaves",
    _TABLES,
    sa.Column("game_id", _KEY, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("told", sa.Text, nullable=False),
    sa.Column("salt", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
    sa.Column("disclosed", sa.LargeBinary),
    sqlite_with_rowid=False,
)

sa.Table(
    "notes",
    _TABLES,
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id"), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("ply", sa.BigInteger, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)

sa.Table(
    "thoughts",
    _TABLES,
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id"), primary_key=True, autoincrement=False),
    sa.Column("heard", sa.BigInteger, nullable=False),
    sa.Column("thought", sa.LargeBinary, nullable=False),
    sa.Column("stamp", sa.Text),
    sa.Column("text", sa.Text),
)

sa.Table(
    "decrees",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("game_id", _KEY, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("operator", sa.Text, nullable=False),
    sa.Column("deed", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("done_at", sa.BigInteger),
    sa.Column("result", sa.Text),
    sa.Column("said", sa.Text),
    sa.Column("leaf", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("logged", sa.Text),
    sa.UniqueConstraint("game_id", "number"),
    _partial("ix_decrees_undone", "id", where="done_at IS NULL"),
)

# ---------------------------------------------------------------- emails of games

sa.Table(
    "inbox",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id"), nullable=False),
    sa.Column("slip", sa.BigInteger, nullable=False),
    sa.Column("bounce", sa.Boolean, nullable=False),
    sa.Column("message_key", sa.Text, nullable=False),
    sa.Column("received_at", sa.BigInteger, nullable=False),
    sa.Column("tries", sa.BigInteger, nullable=False),
    sa.Column("retry_at", sa.BigInteger),
    sa.Column("read_at", sa.BigInteger),
    sa.Column("reading", sa.Text),
    sa.Column("ply", sa.BigInteger),
    sa.Column("orders", sa.Text),
    sa.Column("leased_until", sa.BigInteger),
    sa.Column("page", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("answer", sa.Text),
    sa.Column("step", sa.BigInteger),
    sa.UniqueConstraint("seat_id", "message_key"),
    _partial("ix_inbox_page", "seat_id", "id", where="page", sqlite_where="page = 1"),
    sa.Index("ix_inbox_seat_id_ply", "seat_id", "ply"),
    _partial("ix_inbox_unread", "seat_id", "id", where="read_at IS NULL"),
    _partial("ix_inbox_unread_id", "id", where="read_at IS NULL"),
)

sa.Table(
    "originals",
    _TABLES,
    sa.Column("letter_id", _KEY, sa.ForeignKey("inbox.id"), primary_key=True, autoincrement=False),
    sa.Column("recipients", sa.Text, nullable=False),
    sa.Column("raw", sa.LargeBinary, nullable=False),
    sa.Column("bounced_at", sa.BigInteger),
    _partial("ix_originals_bounced_kept", "bounced_at", where="bounced_at IS NOT NULL"),
)

sa.Table(
    "orders",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id"), nullable=False),
    sa.Column("inbox_id", _KEY, sa.ForeignKey("inbox.id"), nullable=False),
    sa.Column("ply", sa.BigInteger, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("verdict", sa.Text, nullable=False),
    sa.Column("said", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("origin", sa.Text, nullable=False, server_default=""),
    sa.Column("leaf", sa.BigInteger, nullable=False, server_default="0"),
    sa.Index("ix_orders_seat_id_ply", "seat_id", "ply"),
)

sa.Table(
    "outbox",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id"), nullable=False),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("slip", sa.BigInteger, nullable=False),
    sa.Column("step", sa.BigInteger, nullable=False),
    sa.Column("inbox_id", _KEY, sa.ForeignKey("inbox.id")),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("due_at", sa.BigInteger, nullable=False),
    sa.Column("leased_until", sa.BigInteger),
    sa.Column("tries", sa.BigInteger, nullable=False),
    sa.Column("sent_at", sa.BigInteger),
    sa.Column("dead_at", sa.BigInteger),
    sa.Column("trouble", sa.Text),
    sa.Column("seal", sa.LargeBinary, nullable=False, server_default=""),
    sa.UniqueConstraint("seat_id", "number"),
    _partial("ix_outbox_dead", "dead_at", where="dead_at IS NOT NULL"),
    _partial("ix_outbox_dead_seat_id", "seat_id", where="dead_at IS NOT NULL"),
    sa.Index("ix_outbox_seat_id_slip", "seat_id", "slip"),
    _partial("ix_outbox_unsent_due_at", "due_at", where="sent_at IS NULL AND dead_at IS NULL"),
    _partial("ix_outbox_unsent_seat_id", "seat_id", "id", where="sent_at IS NULL AND dead_at IS NULL"),
)

sa.Table(
    "parcels",
    _TABLES,
    sa.Column("letter_id", _KEY, sa.ForeignKey("outbox.id"), primary_key=True, autoincrement=False),
    sa.Column("message", sa.LargeBinary, nullable=False),
)

sa.Table(
    "quotables",
    _TABLES,
    sa.Column("letter_id", _KEY, sa.ForeignKey("outbox.id"), primary_key=True, autoincrement=False),
    sa.Column("text", sa.LargeBinary, nullable=False),
)

sa.Table(
    "letter_words",
    _TABLES,
    sa.Column("letter_id", _KEY, sa.ForeignKey("outbox.id"), primary_key=True, autoincrement=False),
    sa.Column("words", sa.LargeBinary, nullable=False),
)

# ---------------------------------------------------------------- emails of the site

sa.Table(
    "site_inbox",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("correspondent_id", _KEY, sa.ForeignKey("correspondents.id"), nullable=False),
    sa.Column("letter", sa.BigInteger, nullable=False),
    sa.Column("vouched", sa.Boolean, nullable=False),
    sa.Column("bounce", sa.Boolean, nullable=False),
    sa.Column("message_key", sa.Text, nullable=False),
    sa.Column("raw", sa.LargeBinary, nullable=False),
    sa.Column("received_at", sa.BigInteger, nullable=False),
    sa.Column("tries", sa.BigInteger, nullable=False),
    sa.Column("leased_until", sa.BigInteger),
    sa.Column("retry_at", sa.BigInteger),
    sa.Column("read_at", sa.BigInteger),
    sa.Column("reading", sa.Text),
    sa.UniqueConstraint("correspondent_id", "message_key"),
    _partial("ix_site_inbox_kept", "bounce", "received_at", where="length(raw) > 0"),
    _partial("ix_site_inbox_unread", "correspondent_id", "id", where="read_at IS NULL"),
    _partial("ix_site_inbox_unread_id", "id", where="read_at IS NULL"),
)

sa.Table(
    "site_outbox",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("correspondent_id", _KEY, sa.ForeignKey("correspondents.id"), nullable=False),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("due_at", sa.BigInteger, nullable=False),
    sa.Column("leased_until", sa.BigInteger),
    sa.Column("tries", sa.BigInteger, nullable=False),
    sa.Column("sent_at", sa.BigInteger),
    sa.Column("dead_at", sa.BigInteger),
    sa.Column("trouble", sa.Text),
    sa.UniqueConstraint("correspondent_id", "number"),
    _partial("ix_site_outbox_dead", "dead_at", where="dead_at IS NOT NULL"),
    _partial("ix_site_outbox_unsent_due_at", "due_at", where="sent_at IS NULL AND dead_at IS NULL"),
)

sa.Table(
    "site_parcels",
    _TABLES,
    sa.Column("letter_id", _KEY, sa.ForeignKey("site_outbox.id"), primary_key=True, autoincrement=False),
    sa.Column("message", sa.LargeBinary, nullable=False),
)

sa.Table(
    "site_quotables",
    _TABLES,
    sa.Column("letter_id", _KEY, sa.ForeignKey("site_outbox.id"), primary_key=True, autoincrement=False),
    sa.Column("text", sa.LargeBinary, nullable=False),
)

# ---------------------------------------------------------------- notifications

sa.Table(
    "ways",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("called_at", sa.BigInteger),
    sa.Column("trouble", sa.Text),
    sa.Column("failing_from", sa.BigInteger),
    sa.Index("ix_ways_player_id", "player_id"),
)

sa.Table(
    "calls",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("way_id", _KEY, sa.ForeignKey("ways.id")),
    sa.Column("device_id", sa.BigInteger),
    sa.Column("seat_id", _KEY, sa.ForeignKey("seats.id")),
    sa.Column("ply", sa.BigInteger),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("due_at", sa.BigInteger, nullable=False),
    sa.Column("leased_until", sa.BigInteger),
    sa.Column("tries", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("device_id", "seat_id"),
    sa.UniqueConstraint("way_id", "seat_id"),
    sa.Index("ix_calls_due_at", "due_at"),
    sa.Index("ix_calls_seat_id", "seat_id"),
)

# ---------------------------------------------------------------- ratings and the archive

sa.Table(
    "ratings",
    _TABLES,
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("variant", sa.Text, primary_key=True),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("won", sa.BigInteger, nullable=False),
    sa.Column("drawn", sa.BigInteger, nullable=False),
    sa.Column("lost", sa.BigInteger, nullable=False),
    sa.Column("opponents", sa.BigInteger, nullable=False),
    sa.Column("rated_at", sa.BigInteger, nullable=False),
    sa.Column("program", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("listed_until", sa.BigInteger),
    _partial(
        "ix_ratings_listed",
        "variant",
        "program",
        "hidden",
        "rating",
        "player_id",
        "listed_until",
        where="listed_until IS NOT NULL",
    ),
    _partial("ix_ratings_listed_until", "listed_until", where="listed_until IS NOT NULL"),
    sqlite_with_rowid=False,
)

sa.Table(
    "rated_games",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("game_id", _KEY, sa.ForeignKey("games.id"), nullable=False, unique=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("white_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("black_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("winner", sa.Text),
    sa.Column("uncounted", sa.Text, nullable=False, server_default=""),
    sa.Column("white_rating", sa.Double, nullable=False),
    sa.Column("white_deviation", sa.Double, nullable=False),
    sa.Column("white_volatility", sa.Double, nullable=False),
    sa.Column("white_rating_after", sa.Double, nullable=False),
    sa.Column("white_deviation_after", sa.Double, nullable=False),
    sa.Column("white_volatility_after", sa.Double, nullable=False),
    sa.Column("white_rated_at", sa.BigInteger),
    sa.Column("black_rating", sa.Double, nullable=False),
    sa.Column("black_deviation", sa.Double, nullable=False),
    sa.Column("black_volatility", sa.Double, nullable=False),
    sa.Column("black_rating_after", sa.Double, nullable=False),
    sa.Column("black_deviation_after", sa.Double, nullable=False),
    sa.Column("black_volatility_after", sa.Double, nullable=False),
    sa.Column("black_rated_at", sa.BigInteger),
    sa.Index("ix_rated_games_black_id", "black_id", "variant", "id"),
    sa.Index("ix_rated_games_pair", "white_id", "black_id", "ended_at"),
    sa.Index("ix_rated_games_white_id", "white_id", "variant", "id"),
)

sa.Table(
    "archive",
    _TABLES,
    sa.Column("player_id", sa.BigInteger, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("ended_at", sa.BigInteger, primary_key=True),
    sa.Column("game_id", sa.BigInteger, primary_key=True),
    sa.Index("ix_archive_ended_at", "player_id", "ended_at", "game_id"),
    sqlite_with_rowid=False,
)

# ---------------------------------------------------------------- events

sa.Table(
    "events",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False, server_default=""),
    sa.Column("usual", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("programs", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("secret", sa.Text, unique=True),
    sa.Column("made_by", _KEY, sa.ForeignKey("players.id")),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("fills_at", sa.BigInteger),
    sa.Column("begun_at", sa.BigInteger),
    sa.Column("ended_at", sa.BigInteger),
    _partial("ix_events_ended_at", "ended_at", "id", where="ended_at IS NOT NULL"),
    _partial("ix_events_fills_at", "fills_at", where="fills_at IS NOT NULL"),
    _partial("ix_events_goes_on", "id", where="ended_at IS NULL"),
    sa.Index("ix_events_made_by", "made_by", "made_at"),
    _partial("ix_events_usual", "variant", "kind", where="usual AND state = 'open'", unique=True),
)

sa.Table(
    "entrants",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("event_id", _KEY, sa.ForeignKey("events.id"), nullable=False),
    sa.Column("player_id", _KEY, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("number", sa.BigInteger),
    sa.Column("entered_at", sa.BigInteger, nullable=False),
    sa.Column("fills", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("house", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("level", sa.BigInteger),
    sa.Column("withdrawn", sa.Text),
    sa.Column("withdrawn_at", sa.BigInteger),
    sa.Column("leaving_from", sa.BigInteger),
    sa.Column("news_from", sa.BigInteger),
    sa.Column("told_at", sa.BigInteger),
    sa.UniqueConstraint("event_id", "number"),
    sa.UniqueConstraint("event_id", "player_id"),
    _partial("ix_entrants_leaving", "id", where="leaving_from IS NOT NULL"),
    _partial("ix_entrants_news", "told_at", where="news_from IS NOT NULL"),
    sa.Index("ix_entrants_player_id", "player_id", "event_id"),
)

sa.Table(
    "event_games",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("event_id", _KEY, sa.ForeignKey("events.id"), nullable=False),
    sa.Column("white", sa.BigInteger, nullable=False),
    sa.Column("black", sa.BigInteger, nullable=False),
    sa.Column("game_id", _KEY, sa.ForeignKey("games.id"), unique=True),
    sa.Column("score", sa.Text),
    sa.Column("by_default", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("mended", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("settled_at", sa.BigInteger),
    sa.Index("ix_event_games_event_id", "event_id", "id"),
    _partial("ix_event_games_unsettled", "game_id", where="settled_at IS NULL"),
)

sa.Table(
    "event_acts",
    _TABLES,
    sa.Column("id", _KEY, primary_key=True),
    sa.Column("event_id", _KEY, sa.ForeignKey("events.id"), nullable=False),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("operator", sa.Text, nullable=False),
    sa.Column("deed", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("event_id", "number"),
)
