"""Sets which emails a player gets (the optional ones: `mail/game_emails.py`), and handles unsubscribe links."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update

from corr.mail.address import AddressSigner, Token, TokenKind
from corr.service.players import mailboxes, times
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.rows import one_of
from corr.store.tables import CheckpointRow, PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused

EACH, DAILY, OFF = "each", "daily", "off"
_DAY = timedelta(days=1)
_HOURS_A_DAY = 24


class _PreferencesRow(NamedTuple):
    zone: str
    mailing: str
    digest_hour: int


_PREFERENCES_QUERY = (
    select(PlayerRow.zone, PlayerRow.mailing, PlayerRow.digest_hour)
    .where(PlayerRow.id == bindparam("player"))
    .with_for_update()
)

#: The newest checkpoint: a new subscriber gets only those after it.
_NEWEST = select(func.max(CheckpointRow.id)).scalar_subquery()


def choose_mailing(connection: Connection, player_id: int, chosen: str, now: datetime) -> str:
    """Set a player's game emails, such as `daily 18`; return a confirmation, or raise Refused."""
    kept = _lock_preferences(connection, player_id)
    mailing, _, written = chosen.partition(" ")
    hour = int(written) if written else kept.digest_hour
    if hour >= _HOURS_A_DAY:
        raise Refused(sentence("mailing.no_hour"))
    if mailing != DAILY:
        _update_player(connection, player_id, mailing=mailing, digest_at=None)
        return sentence("mailing.each") if mailing == EACH else sentence("mailing.off")
    _update_player(
        connection,
        player_id,
        mailing=DAILY,
        digest_hour=hour,
        digest_at=next_digest(kept.zone, hour, now),
        digested_at=now,
    )
    return sentence("mailing.daily", hour=hour, zone=times.place_of_zone(kept.zone))


def set_checkpoint_emails(connection: Connection, player_id: int, *, wanted: bool) -> None:
    """Start or stop emailing a player the server's signed daily checkpoint of all games."""
    since = func.coalesce(PlayerRow.checkpoint, _NEWEST, 0) if wanted else None
    _update_player(connection, player_id, checkpoint=since)


def stop_game_emails(connection: Connection, player_id: int) -> bool:
    """Stop game emails to a player; return whether they got any before."""
    if _lock_preferences(connection, player_id).mailing == OFF:
        return False
    _update_player(connection, player_id, mailing=OFF, digest_at=None)
    return True


def move_digest(connection: Connection, player_id: int, now: datetime) -> None:
    """Reschedule a player's daily email to the same hour after their time zone has changed."""
    kept = _lock_preferences(connection, player_id)
    if kept.mailing == DAILY:
        _update_player(connection, player_id, digest_at=next_digest(kept.zone, kept.digest_hour, now))


def next_digest(zone: str, hour: int, now: datetime) -> datetime:
    """Return when a daily email at this hour in this time zone is due next."""
    there = times.load_zone(zone)
    day = now.astimezone(there).date()
    moments = (
        datetime.combine(each, time(hour), there).astimezone(now.tzinfo)
        for each in (day, day + _DAY, day + 2 * _DAY)
    )
    return next(moment for moment in moments if moment > now)


def _lock_preferences(connection: Connection, player_id: int) -> _PreferencesRow:
    return one_of(_PreferencesRow, connection.execute(_PREFERENCES_QUERY, {"player": player_id}))


def _update_player(connection: Connection, player_id: int, **values: object) -> None:
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(**values))


#: The kinds of tokens that unsubscribe.
STOP_KINDS = frozenset({TokenKind.STOP, TokenKind.STOP_CHECKPOINTS})
_SECURE_PREFIX = "https:"
_RENEWED_QUERY = select(PlayerRow.renewed).where(PlayerRow.id == bindparam("player"))


def make_links(
    server: Server, reader: AddressSigner, renewed: int, kind: TokenKind = TokenKind.STOP
) -> tuple[str, ...]:
    """Return unsubscribe links: a `mailto:`, and a page if HTTPS hides its secret address."""
    mark = reader.mark(kind, renewed)
    page, mail = f"{server.web_url}/stop/{mark}", f"mailto:{mark}@{server.domain}"
    return (page, mail) if page.startswith(_SECURE_PREFIX) else (mail,)


def make_links_for(
    connection: Connection, server: Server, reader: Correspondent, kind: TokenKind
) -> tuple[str, ...]:
    """Return the unsubscribe links of an email to this mailbox; none if it is no player's."""
    renewed = _load_renewed(connection, reader)
    return () if renewed is None else make_links(server, reader.signer, renewed, kind)


def is_valid_link(connection: Connection, reader: Correspondent, token: Token) -> bool:
    """Whether an unsubscribe token still works: it ends when its player's addresses are renewed."""
    return token.kind in STOP_KINDS and _load_renewed(connection, reader) == token.number


def unsubscribe(
    connection: Connection, server: Server, reader: Correspondent, kind: TokenKind, now: datetime
) -> None:
    """Stop a player's game emails, which a last email confirms, or their checkpoint emails."""
    assert reader.player_id is not None
    if kind is TokenKind.STOP_CHECKPOINTS:
        set_checkpoint_emails(connection, reader.player_id, wanted=False)
    elif stop_game_emails(connection, reader.player_id):
        to, settings = (
            mailboxes.load_main_mailbox(connection, reader.player_id),
            f"{server.web_url}/settings/",
        )
        mailboxes.write(connection, to, "stopped", now, settings=settings)


def read_link(server: Server, mark: str) -> TokenKind:
    """Return which kind of email an unsubscribe page's token stops; raise Refused if outdated."""
    with server.store.reading() as connection:
        return _read_token(connection, server, mark)[1].kind


def unsubscribe_by_page(server: Server, mark: str, now: datetime) -> TokenKind:
    """Unsubscribe by a page's token; return which kind of email stopped; Refused if outdated."""
    with server.store.writing() as connection:
        reader, token = _read_token(connection, server, mark)
        unsubscribe(connection, server, reader, token.kind, now)
    return token.kind


def _read_token(connection: Connection, server: Server, mark: str) -> tuple[Correspondent, Token]:
    """Return the mailbox and token of an unsubscribe page; raise Refused if outdated."""
    found = mailboxes.find_by_token(connection, f"{mark}@{server.domain}", server.domain)
    if found is None or not is_valid_link(connection, *found):
        raise Refused(sentence("stopping.old_link"))
    return found


def _load_renewed(connection: Connection, reader: Correspondent) -> int | None:
    """Return the number that a player's valid unsubscribe tokens have; None without a player."""
    return connection.execute(_RENEWED_QUERY, {"player": reader.player_id}).scalar_one_or_none()
