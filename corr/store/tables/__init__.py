"""The open tables: everything we keep but the truths."""

from corr.store.tables.archive import ArchiveRow
from corr.store.tables.base import Base, Key, Moment, Span
from corr.store.tables.calls import CallRow, Way
from corr.store.tables.challenges import Challenge
from corr.store.tables.events import EntrantRow, EventAct, EventGame, EventRow
from corr.store.tables.games import (
    Decree,
    Game,
    Leaf,
    NoteRow,
    OrderRow,
    SeatRow,
    SlipRow,
    ThoughtRow,
    VoidSignet,
)
from corr.store.tables.house import AlarmRow, BusyDomain, Checkpoint, Outage, Secret, Sign
from corr.store.tables.letters import InboxRow, LetterWords, Original, OutboxRow, Parcel, Quotable
from corr.store.tables.people import (
    CorrespondentRow,
    FailingMailbox,
    Passkey,
    Player,
    Question,
    Session,
    SignIn,
    Subscription,
    TokenRow,
)
from corr.store.tables.ratings import RatedGame, RatingRow
from corr.store.tables.site_letters import SITE_KEPT, SiteInboxRow, SiteOutboxRow, SiteParcel, SiteQuotable

__all__ = [
    "SITE_KEPT",
    "AlarmRow",
    "ArchiveRow",
    "Base",
    "BusyDomain",
    "CallRow",
    "Challenge",
    "Checkpoint",
    "CorrespondentRow",
    "Decree",
    "EntrantRow",
    "EventAct",
    "EventGame",
    "EventRow",
    "FailingMailbox",
    "Game",
    "InboxRow",
    "Key",
    "Leaf",
    "LetterWords",
    "Moment",
    "NoteRow",
    "OrderRow",
    "Original",
    "Outage",
    "OutboxRow",
    "Parcel",
    "Passkey",
    "Player",
    "Question",
    "Quotable",
    "RatedGame",
    "RatingRow",
    "SeatRow",
    "Secret",
    "Session",
    "Sign",
    "SignIn",
    "SiteInboxRow",
    "SiteOutboxRow",
    "SiteParcel",
    "SiteQuotable",
    "SlipRow",
    "Span",
    "Subscription",
    "ThoughtRow",
    "TokenRow",
    "VoidSignet",
    "Way",
]
