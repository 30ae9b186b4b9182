"""Limits the website's PostgreSQL role: it can't read true boards, emails of games or seats' keys.

What players write on pages, it only stores for a worker to judge. It can read the slips and orders of all games,
because pages show those of finished games, and a grant can't tell rows apart.
"""

from __future__ import annotations

from sqlalchemy.exc import ProgrammingError

from corr.player_settings import SETTINGS
from corr.store import tables
from corr.store.session import Store
from corr.words.errors import Refused

_ALL = ("SELECT", "INSERT", "UPDATE")
_AGES_OF_LETTERS_OUT = "SELECT (id, sent_at, dead_at, made_at)"
_AGES_OF_LETTERS_IN = "SELECT (id, read_at, received_at)"
#: What became of incoming emails, for the admin pages.
_FATES_OF_LETTERS_IN = "SELECT (tries, reading)"
_SENDING_AGAIN = "UPDATE (dead_at, due_at, tries)"
#: The rights to delete what is stored of an email.
_FORGETTING = ("SELECT (letter_id)", "DELETE")
_HOURS = "{} (weekends, vacations, remind, quiet, goes_on_leave, hours_set_at)"
_MAILING = "{} (mailing, digest_hour, digest_at, digested_at, called)"
_SETTINGS = f"{{}} ({', '.join(each.column for each in SETTINGS)})"
_RIGHTS_BY_TABLE: dict[type[tables.Base], tuple[str, ...]] = {
    tables.GameRow: ("SELECT",),
    tables.SeatRow: (
        "SELECT (id, game_id, player_id, side, accepted, slips, steps, answers, opponent, tells_tries, publishes)",
        "SELECT (telling, opened, opened_at, delayed_from, held, bank, ghosts, notes, house)",
        "SELECT (standing, standing_delay, standing_due)",
        "UPDATE (opponent, opened, opened_at)",
    ),
    tables.ArchiveRow: ("SELECT",),
    tables.NoteRow: ("SELECT",),
    tables.SlipRow: ("SELECT",),
    tables.OrderRow: ("SELECT",),
    tables.PlayerRow: (
        "SELECT (id, name, name_key, address_key, zone, switched, about, program, guest, renewed)",
        *(each.format("SELECT") for each in (_HOURS, _MAILING, _SETTINGS)),
        "INSERT",
        "UPDATE (name, name_key, address, address_key, zone, switched, about, program)",
        *(each.format("UPDATE") for each in (_HOURS, _MAILING, _SETTINGS)),
    ),
    tables.RatingRow: ("SELECT", "UPDATE (hidden)"),
    tables.RatedGameRow: ("SELECT",),
    tables.NotificationWayRow: ("SELECT", "INSERT", "DELETE"),
    tables.CallRow: (
        "SELECT (id, way_id, device_id, seat_id)",
        "INSERT (way_id, device_id, made_at, due_at, tries)",
        "DELETE",
    ),
    tables.CorrespondentRow: _ALL,
    tables.FailingMailboxRow: ("SELECT", "DELETE"),
    tables.ChallengeRow: _ALL,
    tables.SignInRow: _ALL,
    tables.SessionRow: _ALL,
    tables.PasskeyRow: ("SELECT", "INSERT", "UPDATE (sign_count, used_at)", "DELETE"),
    tables.TokenRow: ("SELECT", "INSERT", "DELETE"),
    tables.PushSubscriptionRow: (
        "SELECT",
        "INSERT",
        "UPDATE (player_id, p256dh, auth, name, made_at, last_ok_at, failing_from)",
        "DELETE",
    ),
    tables.PasskeyChallengeRow: ("SELECT", "INSERT", "DELETE"),
    tables.SecretRow: ("SELECT",),
    tables.InboxRow: (
        _AGES_OF_LETTERS_IN,
        _FATES_OF_LETTERS_IN,
        "SELECT (seat_id, message_key, page, answer)",
        "INSERT (seat_id, slip, step, bounce, message_key, received_at, tries, page)",
    ),
    tables.IncomingTextRow: ("INSERT",),
    tables.OutboxRow: (
        _AGES_OF_LETTERS_OUT,
        "SELECT (seat_id, number, slip, kind, seal, trouble)",
        _SENDING_AGAIN,
    ),
    tables.SiteInboxRow: (
        _AGES_OF_LETTERS_IN,
        _FATES_OF_LETTERS_IN,
        "SELECT (correspondent_id)",
        "UPDATE (raw)",
    ),
    tables.SiteOutboxRow: (
        _AGES_OF_LETTERS_OUT,
        "SELECT (correspondent_id, number, kind, words, trouble)",
        "INSERT",
        "UPDATE (words)",
        _SENDING_AGAIN,
    ),
    tables.QuotableRow: ("SELECT (letter_id, digest)",),
    tables.SiteEmailBytesRow: _FORGETTING,
    tables.SiteQuotableRow: _FORGETTING,
    tables.TaskRunRow: ("SELECT",),
    tables.CheckpointRow: ("SELECT",),
    tables.TurnSealRow: ("SELECT (game_id, number, told, seal, disclosed)",),
    tables.EventRow: _ALL,
    tables.EntrantRow: (*_ALL, "DELETE"),
    tables.EventGameRow: _ALL,
    tables.EventActRow: ("SELECT", "INSERT"),
    tables.DecisionRow: ("SELECT", "INSERT (game_id, number, operator, deed, detail, reason, made_at)"),
}


def grant_web_rights(store: Store, role: str) -> None:
    """Give a PostgreSQL role exactly the rights that the website needs; Refused on SQLite."""
    if store.engine.dialect.name != "postgresql":
        raise Refused(
            "SQLite has no roles: anyone who can open the file can read all of it. Use "
            "PostgreSQL if that matters."
        )
    name = store.engine.dialect.identifier_preparer.quote_identifier(role)
    try:
        with store.writing() as connection:
            for statement in (
                f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {name}",
                f"GRANT USAGE ON SCHEMA public TO {name}",
                f"GRANT SELECT ON alembic_version TO {name}",
                *(
                    f"GRANT {', '.join(rights)} ON {kind.__tablename__} TO {name}"
                    for kind, rights in _RIGHTS_BY_TABLE.items()
                ),
                *(
                    f"GRANT USAGE ON SEQUENCE {kind.__tablename__}_id_seq TO {name}"
                    for kind in _list_insert_tables()
                ),
            ):
                connection.exec_driver_sql(statement)
    except ProgrammingError as error:
        raise Refused(
            f'Can\'t give the role "{role}" its rights: {str(error.orig).splitlines()[0]}. '
            f"If it doesn't exist, create it as PostgreSQL's superuser: createuser {role}"
        ) from error


def _list_insert_tables() -> list[type[tables.Base]]:
    """Return the tables in which the role inserts rows with ids, and so needs the id sequences."""
    return [
        kind
        for kind, rights in _RIGHTS_BY_TABLE.items()
        if hasattr(kind, "id") and any(right.startswith("INSERT") for right in rights)
    ]
