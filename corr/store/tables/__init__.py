"""The open tables: everything we keep but the truths."""

from corr.store.tables.archive import ArchiveRow
from corr.store.tables.base import Base, EmailKey, Moment, Span
from corr.store.tables.calls import CallRow, NotificationWayRow
from corr.store.tables.challenges import ChallengeRow
from corr.store.tables.events import EntrantRow, EventActRow, EventGameRow, EventRow
from corr.store.tables.games import (
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
from corr.store.tables.letters import (
    EmailBytesRow,
    EmailWordsRow,
    InboxRow,
    IncomingTextRow,
    OutboxRow,
    QuotableRow,
)
from corr.store.tables.people import (
    CorrespondentRow,
    FailingMailboxRow,
    PasskeyChallengeRow,
    PasskeyRow,
    PlayerRow,
    PushSubscriptionRow,
    SessionRow,
    SignInRow,
    TokenRow,
)
from corr.store.tables.ratings import RatedGameRow, RatingRow
from corr.store.tables.server import (
    BusyDomainRow,
    CheckpointRow,
    ComposeFaultRow,
    OutageRow,
    SecretRow,
    TaskRunRow,
)
from corr.store.tables.site_letters import (
    HAS_SITE_TEXT,
    SiteEmailBytesRow,
    SiteInboxRow,
    SiteOutboxRow,
    SiteQuotableRow,
)
