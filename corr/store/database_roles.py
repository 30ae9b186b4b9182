"""Limits the web's database role: it sees no truth, no email of a seat and no seat's key.

Nor does it see the salts of games in play. What a player writes on a page, the role may only leave for the umpire,
and a worker judges it. Pages show the slips and orders of finished games, so the role can read those of all games:
a grant cannot tell one game's rows from another's.
"""

from __future__ import annotations

from sqlalchemy.exc import ProgrammingError

from corr.store.session import Store
from corr.store.tables import (
    ArchiveRow,
    CallRow,
    ChallengeRow,
    CheckpointRow,
    CorrespondentRow,
    DecisionRow,
    EntrantRow,
    EventActRow,
    EventGameRow,
    EventRow,
    FailingMailboxRow,
    GameRow,
    InboxRow,
    IncomingTextRow,
    NoteRow,
    NotificationWayRow,
    OrderRow,
    OutboxRow,
    PasskeyChallengeRow,
    PasskeyRow,
    PlayerRow,
    PushSubscriptionRow,
    QuotableRow,
    RatedGameRow,
    RatingRow,
    SeatRow,
    SecretRow,
    SessionRow,
    SignInRow,
    SiteEmailBytesRow,
    SiteInboxRow,
    SiteOutboxRow,
    SiteQuotableRow,
    SlipRow,
    TaskRunRow,
    TokenRow,
    TurnSealRow,
)
from corr.words.errors import Refused

_ALL = ("SELECT", "INSERT", "UPDATE")
_AGES_OF_LETTERS_OUT = "SELECT (id, sent_at, dead_at, made_at)"
_AGES_OF_LETTERS_IN = "SELECT (id, read_at, received_at)"
#: The fates of emails, for the admin pages.
_FATES_OF_LETTERS_IN = "SELECT (tries, reading)"
_SENDING_AGAIN = "UPDATE (dead_at, due_at, tries)"
#: The rights to delete what is stored of an email.
_FORGETTING = ("SELECT (letter_id)", "DELETE")
_HOURS = "{} (weekends, vacations, remind, quiet, goes_on_leave, hours_set_at)"
_MAILING = "{} (mailing, slip_file, digest_hour, digest_at, digested_at, called, checkpoint)"
_RIGHTS_BY_TABLE = {
    GameRow: ("SELECT",),
    SeatRow: (
        "SELECT (id, game_id, player_id, side, accepted, slips, steps, answers, opponent, tells_tries, publishes)",
        "SELECT (telling, opened, opened_at, delayed_from, held, bank, ghosts, notes, house)",
        "SELECT (standing, standing_delay, standing_due)",
        "UPDATE (opponent, opened, opened_at)",
    ),
    ArchiveRow: ("SELECT",),
    NoteRow: ("SELECT",),
    SlipRow: ("SELECT",),
    OrderRow: ("SELECT",),
    PlayerRow: (
        "SELECT (id, name, name_key, address_key, zone, men, switched, tells_tries, publishes, program, renewed)",
        "SELECT (hidden, about)",
        *(each.format("SELECT") for each in (_HOURS, _MAILING)),
        "INSERT",
        "UPDATE (name, name_key, address, address_key, zone, men, switched, tells_tries, publishes, program)",
        "UPDATE (hidden, about)",
        *(each.format("UPDATE") for each in (_HOURS, _MAILING)),
    ),
    RatingRow: ("SELECT", "UPDATE (hidden)"),
    RatedGameRow: ("SELECT",),
    NotificationWayRow: ("SELECT", "INSERT", "DELETE"),
    CallRow: (
        "SELECT (id, way_id, device_id, seat_id)",
        "INSERT (way_id, device_id, made_at, due_at, tries)",
        "DELETE",
    ),
    CorrespondentRow: _ALL,
    FailingMailboxRow: ("SELECT", "DELETE"),
    ChallengeRow: _ALL,
    SignInRow: _ALL,
    SessionRow: _ALL,
    PasskeyRow: ("SELECT", "INSERT", "UPDATE (sign_count, used_at)", "DELETE"),
    TokenRow: ("SELECT", "INSERT", "DELETE"),
    PushSubscriptionRow: (
        "SELECT",
        "INSERT",
        "UPDATE (player_id, p256dh, auth, name, made_at, last_ok_at, failing_from)",
        "DELETE",
    ),
    PasskeyChallengeRow: ("SELECT", "INSERT", "DELETE"),
    SecretRow: ("SELECT",),
    InboxRow: (
        _AGES_OF_LETTERS_IN,
        _FATES_OF_LETTERS_IN,
        "SELECT (seat_id, message_key, page, answer)",
        "INSERT (seat_id, slip, step, bounce, message_key, received_at, tries, page)",
    ),
    IncomingTextRow: ("INSERT",),
    OutboxRow: (_AGES_OF_LETTERS_OUT, "SELECT (seat_id, number, slip, kind, seal, trouble)", _SENDING_AGAIN),
    SiteInboxRow: (
        _AGES_OF_LETTERS_IN,
        _FATES_OF_LETTERS_IN,
        "SELECT (correspondent_id)",
        "UPDATE (raw)",
    ),
    SiteOutboxRow: (
        _AGES_OF_LETTERS_OUT,
        "SELECT (correspondent_id, number, kind, words, trouble)",
        "INSERT",
        "UPDATE (words)",
        _SENDING_AGAIN,
    ),
    QuotableRow: ("SELECT (letter_id, digest)",),
    SiteEmailBytesRow: _FORGETTING,
    SiteQuotableRow: _FORGETTING,
    TaskRunRow: ("SELECT",),
    CheckpointRow: ("SELECT",),
    TurnSealRow: ("SELECT (game_id, number, told, seal, disclosed)",),
    EventRow: _ALL,
    EntrantRow: (*_ALL, "DELETE"),
    EventGameRow: _ALL,
    EventActRow: ("SELECT", "INSERT"),
    DecisionRow: ("SELECT", "INSERT (game_id, number, operator, deed, detail, reason, made_at)"),
}
_TABLES_WITH_SEQUENCE = (
    PlayerRow,
    CorrespondentRow,
    ChallengeRow,
    SignInRow,
    SessionRow,
    PasskeyRow,
    TokenRow,
    NotificationWayRow,
    CallRow,
    PushSubscriptionRow,
    SiteOutboxRow,
    InboxRow,
    DecisionRow,
    EventRow,
    EntrantRow,
    EventGameRow,
    EventActRow,
)


def grant_web_rights(store: Store, role: str) -> None:
    """Give a role the rights that the web pages need, and revoke all others."""
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
                    f"GRANT {right} ON {kind.__tablename__} TO {name}"
                    for kind, rights in _RIGHTS_BY_TABLE.items()
                    for right in rights
                ),
                *(
                    f"GRANT USAGE ON SEQUENCE {kind.__tablename__}_id_seq TO {name}"
                    for kind in _TABLES_WITH_SEQUENCE
                ),
            ):
                connection.exec_driver_sql(statement)
    except ProgrammingError as error:
        raise Refused(
            f'Can\'t give the role "{role}" its rights: {str(error.orig).splitlines()[0]}. '
            f"If it doesn't exist, create it as PostgreSQL's superuser: createuser {role}"
        ) from error
