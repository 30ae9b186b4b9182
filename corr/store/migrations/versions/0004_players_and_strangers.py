"""Players and strangers: who may be written to, challenges, signing in, letters that are about no game yet."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import time
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNREAD = sa.text("read_at IS NULL")
UNSENT = sa.text("sent_at IS NULL AND dead_at IS NULL")
TAKEN = sa.text("state = 'accepted' AND game_id IS NULL")
SOUGHT = sa.text("kind = 'seek' AND state = 'open'")
UNANSWERED = sa.text("unanswered_at IS NOT NULL")
ASKED = sa.text("address IS NOT NULL")
EXPIRING = sa.text("expires_at IS NOT NULL")
FOREIGN = str.maketrans(
    "абвгдеєзкмнорстухфіѕјһԁԛαβγδεηικνορτυχ",
    "abbgdeezkmnopctyxfisjhdqabgdehiknoptux",
)
ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "2": "z", "8": "b"})
SECRETS = sa.table("secrets", sa.column("name"), sa.column("value"))
PLAYERS = sa.table("players", sa.column("id"), sa.column("name"), sa.column("name_key"), sa.column("address"))
CORRESPONDENTS = sa.table(
    "correspondents",
    *map(sa.column, ("mark", "address", "player_id", "code", "key", "letters", "confirmed_at", "refused")),
)


def upgrade() -> None:
    kept = op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
    op.bulk_insert(kept, [{"name": name, "value": os.urandom(32)} for name in ("marks", "cookies")])
    op.create_table(
        "correspondents",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("player_id", IDENTITY, nullable=True),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("letters", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger(), nullable=True),
        sa.Column("unanswered_at", sa.BigInteger(), nullable=True),
        sa.Column("asked_at", sa.BigInteger(), nullable=True),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_correspondents_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_correspondents")),
        sa.UniqueConstraint("code", name=op.f("uq_correspondents_code")),
        sa.UniqueConstraint("mark", name=op.f("uq_correspondents_mark")),
    )
    op.create_index("ix_correspondents_player_id", "correspondents", ["player_id"])
    op.create_index(
        "ix_correspondents_unanswered_at",
        "correspondents",
        ["unanswered_at"],
        sqlite_where=UNANSWERED,
        postgresql_where=UNANSWERED,
    )
    op.create_table(
        "challenges",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("by_id", IDENTITY, nullable=False),
        sa.Column("to_id", IDENTITY, nullable=True),
        sa.Column("whom", sa.Text(), nullable=True),
        sa.Column("domain", sa.Text(), nullable=True),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("clock", sa.Text(), nullable=False),
        sa.Column("color", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("invited_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("game_id", IDENTITY, nullable=True),
        sa.ForeignKeyConstraint(["by_id"], ["correspondents.id"], name=op.f("fk_challenges_by_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_challenges_game_id")),
        sa.ForeignKeyConstraint(["to_id"], ["correspondents.id"], name=op.f("fk_challenges_to_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
        sa.UniqueConstraint("code", name=op.f("uq_challenges_code")),
    )
    op.create_index("ix_challenges_by_id", "challenges", ["by_id", "id"])
    op.create_index("ix_challenges_domain_invited_at", "challenges", ["domain", "invited_at"])
    op.create_index(
        "ix_challenges_expires_at_due",
        "challenges",
        ["expires_at"],
        sqlite_where=EXPIRING,
        postgresql_where=EXPIRING,
    )
    op.create_index(
        "ix_challenges_sought", "challenges", ["id"], sqlite_where=SOUGHT, postgresql_where=SOUGHT
    )
    op.create_index("ix_challenges_taken", "challenges", ["id"], sqlite_where=TAKEN, postgresql_where=TAKEN)
    op.create_index("ix_challenges_to_id", "challenges", ["to_id", "id"])
    op.create_table(
        "sessions",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("correspondent_id", IDENTITY, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["correspondent_id"], ["correspondents.id"], name=op.f("fk_sessions_correspondent_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("secret", name=op.f("uq_sessions_secret")),
    )
    op.create_index("ix_sessions_correspondent_id", "sessions", ["correspondent_id"])
    op.create_table(
        "sign_ins",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("correspondent_id", IDENTITY, nullable=True),
        sa.Column("digits", sa.Text(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("goal", sa.Text(), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["correspondent_id"], ["correspondents.id"], name=op.f("fk_sign_ins_correspondent_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ins")),
    )
    op.create_index("ix_sign_ins_correspondent_id", "sign_ins", ["correspondent_id", "made_at"])
    op.create_index("ix_sign_ins_asked", "sign_ins", ["id"], sqlite_where=ASKED, postgresql_where=ASKED)
    op.create_table(
        "site_inbox",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("correspondent_id", IDENTITY, nullable=False),
        sa.Column("letter", sa.BigInteger(), nullable=False),
        sa.Column("vouched", sa.Boolean(), nullable=False),
        sa.Column("bounce", sa.Boolean(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("retry_at", sa.BigInteger(), nullable=True),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.Column("reading", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["correspondent_id"], ["correspondents.id"], name=op.f("fk_site_inbox_correspondent_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_inbox")),
        sa.UniqueConstraint(
            "correspondent_id", "message_key", name=op.f("uq_site_inbox_correspondent_id_message_key")
        ),
    )
    op.create_index(
        "ix_site_inbox_unread",
        "site_inbox",
        ["correspondent_id", "id"],
        sqlite_where=UNREAD,
        postgresql_where=UNREAD,
    )
    op.create_table(
        "site_outbox",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("correspondent_id", IDENTITY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.LargeBinary(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("dead_at", sa.BigInteger(), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["correspondent_id"], ["correspondents.id"], name=op.f("fk_site_outbox_correspondent_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_outbox")),
        sa.UniqueConstraint(
            "correspondent_id", "number", name=op.f("uq_site_outbox_correspondent_id_number")
        ),
    )
    op.create_index(
        "ix_site_outbox_unsent_due_at",
        "site_outbox",
        ["due_at"],
        sqlite_where=UNSENT,
        postgresql_where=UNSENT,
    )
    op.add_column("games", sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("games", sa.Column("again", sa.Text(), nullable=True))
    op.add_column("players", sa.Column("name_key", sa.Text(), nullable=True))
    op.create_index("ix_players_name_key", "players", ["name_key"], unique=True)
    _settle_players()


def _settle_players() -> None:
    """Whoever plays already has a mailbox, and a name that nobody else may take."""
    connection = op.get_bind()
    marks = connection.execute(sa.select(SECRETS.c.value).where(SECRETS.c.name == "marks")).scalar_one()
    now = int(time.time()) * 1_000_000
    taken = set()
    for player in connection.execute(sa.select(PLAYERS).order_by(PLAYERS.c.id)).all():
        looks = _looks(player.name)
        if looks and looks not in taken:
            taken.add(looks)
            this = sa.update(PLAYERS).where(PLAYERS.c.id == player.id)
            connection.execute(this.values(name_key=looks))
        mailbox = {
            "mark": hmac.new(marks, player.address.casefold().encode(), hashlib.sha256).hexdigest(),
            "address": player.address,
            "player_id": player.id,
            "code": base64.b32encode(os.urandom(5)).decode().lower(),
            "key": os.urandom(32),
            "letters": 0,
            "confirmed_at": now,
            "refused": False,
        }
        connection.execute(sa.insert(CORRESPONDENTS).values(**mailbox))


def _looks(name: str) -> str:
    """What is alike of two names that look the same, as `corr/service/players/names.py` has it."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(FOREIGN))
    text = "".join(sign for sign in plain if sign.isalnum()).translate(ALIKE)
    return text.replace("rn", "m").replace("vv", "w").replace("cl", "d")


def downgrade() -> None:
    op.drop_index("ix_players_name_key", table_name="players")
    op.drop_column("players", "name_key")
    op.drop_column("games", "again")
    op.drop_column("games", "rated")
    op.drop_index(
        "ix_site_outbox_unsent_due_at", table_name="site_outbox", sqlite_where=UNSENT, postgresql_where=UNSENT
    )
    op.drop_table("site_outbox")
    op.drop_index(
        "ix_site_inbox_unread", table_name="site_inbox", sqlite_where=UNREAD, postgresql_where=UNREAD
    )
    op.drop_table("site_inbox")
    op.drop_index("ix_sign_ins_asked", table_name="sign_ins", sqlite_where=ASKED, postgresql_where=ASKED)
    op.drop_index("ix_sign_ins_correspondent_id", table_name="sign_ins")
    op.drop_table("sign_ins")
    op.drop_index("ix_sessions_correspondent_id", table_name="sessions")
    op.drop_table("sessions")
    op.drop_index("ix_challenges_to_id", table_name="challenges")
    op.drop_index("ix_challenges_taken", table_name="challenges", sqlite_where=TAKEN, postgresql_where=TAKEN)
    op.drop_index(
        "ix_challenges_sought", table_name="challenges", sqlite_where=SOUGHT, postgresql_where=SOUGHT
    )
    op.drop_index(
        "ix_challenges_expires_at_due",
        table_name="challenges",
        sqlite_where=EXPIRING,
        postgresql_where=EXPIRING,
    )
    op.drop_index("ix_challenges_domain_invited_at", table_name="challenges")
    op.drop_index("ix_challenges_by_id", table_name="challenges")
    op.drop_table("challenges")
    op.drop_index(
        "ix_correspondents_unanswered_at",
        table_name="correspondents",
        sqlite_where=UNANSWERED,
        postgresql_where=UNANSWERED,
    )
    op.drop_index("ix_correspondents_player_id", table_name="correspondents")
    op.drop_table("correspondents")
    op.drop_table("secrets")
