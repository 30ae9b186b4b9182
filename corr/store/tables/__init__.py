"""The open tables: everything we keep but the truths."""

from corr.store.tables.base import Base, EmailKey, Moment, Span
from corr.store.tables.emails import (
    HAS_SITE_TEXT,
    EmailBytesRow,
    EmailWordsRow,
    InboxRow,
    IncomingTextRow,
    OutboxRow,
    QuotableRow,
    SiteEmailBytesRow,
    SiteInboxRow,
    SiteOutboxRow,
    SiteQuotableRow,
)
from corr.store.tables.events import EntrantRow, EventActRow, EventGameRow, EventRow, RatedGameRow, RatingRow
from corr.store.tables.games import (
    ArchiveRow,
    ChallengeRow,
    DecisionRow,
    GameRow,
    NoteRow,
    OldAddressRow,
    OrderRow,
    SeatRow,
    SlipRow,
    ThoughtRow,
    TurnSealRow,
)
from corr.store.tables.people import (
    CallRow,
    CorrespondentRow,
    FailingMailboxRow,
    NotificationWayRow,
    PasskeyChallengeRow,
    PasskeyRow,
    PlayerRow,
    PushSubscriptionRow,
    SessionRow,
    SignInRow,
    TokenRow,
)
from corr.store.tables.server import (
    BusyDomainRow,
    CheckpointRow,
    ComposeFaultRow,
    OutageRow,
    SecretRow,
    TaskRunRow,
)
