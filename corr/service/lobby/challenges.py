"""Makes, answers and finds challenges: to one player, by a secret link, or to everybody (expiry: `corr/limits.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, exists, func, insert, select, update

from corr import limits
from corr.mail.failure_reason import Failure
from corr.service.games import tutorials
from corr.service.games.lifecycle import draw_code, draw_secret
from corr.service.lobby.terms import Terms
from corr.service.players import addresses, mailboxes, players
from corr.service.players.house_bots import HouseBot
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.locks import take_lock
from corr.store.rows import columns_of, one_of, one_or_none_of, rows_of
from corr.store.tables import ChallengeRow, GameRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.view import Stage

_DAY = timedelta(days=1)
_IS_OVER = exists(select(GameRow.id).where(GameRow.id == ChallengeRow.game_id, GameRow.state == Stage.OVER))
_IS_RUNNING = (ChallengeRow.state == "accepted") & ~_IS_OVER
#: A challenge that nobody needs to accept.
_TAKEN = {"state": "accepted", "expires_at": None}


class StoredChallenge(NamedTuple):
    """A challenge as the database keeps it: its terms, its players and its state."""

    id: int
    code: str
    kind: str
    state: str
    by_id: int
    to_id: int | None
    whom: str | None
    expires_at: datetime | None
    variant: str
    clock: str
    color: str
    rated: bool

    @property
    def terms(self) -> Terms:
        return Terms(self.variant, self.clock, self.color, self.rated)


CHALLENGE_QUERY = select(*columns_of(StoredChallenge, ChallengeRow))


class NewChallenge(NamedTuple):
    id: int
    code: str


# ---------------------------------------------------------------- offering


def invite(
    connection: Connection, server: Server, by: Correspondent, whom: str, terms: Terms, now: datetime
) -> int:
    """Challenge a player by name or address; return its id, emailed or not. Refused if nobody, oneself or too many."""
    assert by.player_id is not None
    to, named, domain = _find_invited(connection, server, whom, now)
    mailboxes.lock_mailboxes(connection, by, to)
    if addresses.is_same_person(connection, by, to):
        raise Refused(sentence("challenges.yourself"))
    _check_invitations(connection, by, domain, now)
    values = {"kind": "invitation", "to_id": to.id, "whom": named, "domain": domain, "invited_at": now}
    made = _store_challenge(connection, by, terms, now, **values)
    to_them = (ChallengeRow.to_id == to.id) & (ChallengeRow.invited_at > now - _DAY)
    if _count(connection, to_them) > limits.CHALLENGES_TO_ONE_A_DAY:
        return made.id  # only the lobby shows it; the challenger isn't told, as it depends on others
    mailboxes.write_unasked(
        connection,
        to,
        "invitation",
        now,
        challenge=made.id,
        challenger=players.name_of_player(connection, by.player_id),
        variant=terms.variant,
        terms=terms.sentence,
        color={"white": "black", "black": "white"}.get(terms.color, "random"),
    )
    return made.id


def seek(connection: Connection, by: Correspondent, terms: Terms, now: datetime) -> NewChallenge:
    """Offer a game to everybody; Refused to a bot with too many open offers, which would fill the list."""
    assert by.player_id is not None
    mailboxes.lock_mailboxes(connection, by)
    if players.is_bot(connection, by.player_id):
        offered = (ChallengeRow.kind == "seek") & (ChallengeRow.state == "open")
        if _count(connection, offered & _is_by(by)) >= limits.BOT_OPEN_OFFERS:
            raise Refused(sentence("challenges.one_offer"))
    return _store_challenge(connection, by, terms, now, kind="seek")


def request_tutorial(connection: Connection, by: Correspondent, now: datetime) -> NewChallenge:
    """Ask for the tutorial, which counts as accepted: a worker starts it. Refused if it can't start now."""
    assert by.player_id is not None
    mailboxes.lock_mailboxes(connection, by)
    if obstacle := tutorials.find_start_obstacle(connection, by.player_id, now):
        raise Refused(sentence(f"challenges.{obstacle}"))
    terms = Terms(tutorials.variant(), tutorials.CLOCK, Side.WHITE)
    return _store_challenge(connection, by, terms, now, kind="tutorial", **_TAKEN)


def challenge_bot(
    connection: Connection, by: Correspondent, bot: HouseBot, terms: Terms, now: datetime
) -> NewChallenge:
    """Ask for a game against one of the site's bots; a worker starts it. Refused after too many."""
    mailboxes.lock_mailboxes(connection, by)
    theirs = (ChallengeRow.kind == "program") & _is_by(by)
    if _count(connection, theirs & (ChallengeRow.made_at > now - _DAY)) >= limits.BOT_GAMES_A_DAY:
        raise Refused(sentence("challenges.enough_programs_today"))
    if _count(connection, theirs & _IS_RUNNING) >= limits.BOT_GAMES_AT_ONCE:
        raise Refused(sentence("challenges.enough_programs", most=limits.BOT_GAMES_AT_ONCE))
    return _store_challenge(connection, by, terms, now, kind="program", whom=bot.name, **_TAKEN)


def make_link(connection: Connection, by: Correspondent, terms: Terms, now: datetime) -> NewChallenge:
    """Offer a game to anyone who has its secret code."""
    mailboxes.lock_mailboxes(connection, by)
    return _store_challenge(connection, by, terms, now, kind="link", code=draw_secret())


def _find_invited(
    connection: Connection, server: Server, whom: str, now: datetime
) -> tuple[Correspondent, str, str | None]:
    """Return the invited correspondent, what to call them, and an address's domain; Refused for unknown names."""
    if "@" in whom:
        address = mailboxes.plain_address(whom, server.domain)
        return mailboxes.find_or_create(connection, address, now), address, address.rpartition("@")[2].lower()
    player_id = players.find_player(connection, whom)
    if player_id is None:
        raise Refused(sentence("challenges.no_player"))
    return (
        mailboxes.load_main_mailbox(connection, player_id),
        players.name_of_player(connection, player_id),
        None,
    )


def _check_invitations(connection: Connection, by: Correspondent, domain: str | None, now: datetime) -> None:
    """Raise Refused if a player or a mail domain has had too many invitations today."""
    lately = ChallengeRow.invited_at > now - _DAY
    if _count(connection, lately & _is_by(by)) >= limits.CHALLENGES_A_DAY:
        raise Refused(sentence("challenges.enough_today"))
    if domain is None:
        return
    take_lock(connection, f"invitations to {domain}")
    if _count(connection, lately & (ChallengeRow.domain == domain)) >= limits.STRANGERS_OF_A_DOMAIN_A_DAY:
        raise Refused(sentence("challenges.enough_there"))


def _store_challenge(
    connection: Connection, by: Correspondent, terms: Terms, now: datetime, **values: object
) -> NewChallenge:
    """Store a challenge, open and with a new short code unless `values` say otherwise; Refused if one too many."""
    if mailboxes.load_correspondent(connection, by.id).player_id != by.player_id:
        raise Refused(sentence("challenges.address_gone"))
    if _count(connection, _is_by(by) & (ChallengeRow.state == "open")) >= limits.CHALLENGES_AT_ONCE:
        raise Refused(sentence("challenges.enough_open", most=limits.CHALLENGES_AT_ONCE))
    code = values.get("code") or draw_code(connection)
    usually = {"state": "open", "made_at": now, "expires_at": now + limits.CHALLENGE_LIFE}
    made = asdict(terms) | usually | values | {"by_id": by.id, "code": code}
    row = insert(ChallengeRow).values(made).returning(ChallengeRow.id, ChallengeRow.code)
    return one_of(NewChallenge, connection.execute(row))


def count_guest_games(connection: Connection, by: Correspondent, now: datetime) -> tuple[int, int]:
    """Count a guest's games that are not over, and those that they started within a day."""
    mailboxes.lock_mailboxes(connection, by)
    running = _count(connection, _is_by(by) & _IS_RUNNING)
    return running, _count(connection, _is_by(by) & (ChallengeRow.made_at > now - _DAY))


def _is_by(by: Correspondent) -> ColumnElement[bool]:
    """Match the challenges of this player, made from any of their addresses."""
    return ChallengeRow.by_id.in_(mailboxes.select_mailboxes(by))


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    """Count the challenges that meet a condition."""
    return connection.execute(select(func.count()).select_from(ChallengeRow).where(which)).scalar_one()


# ---------------------------------------------------------------- answering


def accept(connection: Connection, taker: Correspondent, challenge: StoredChallenge, now: datetime) -> None:
    """Accept a challenge for a worker to start its game; Refused if closed, one's own, or for another player."""
    if challenge.kind == "invitation" and not _is_same_player(connection, taker, challenge.to_id):
        raise Refused(sentence("challenges.not_for_you"))
    if addresses.is_same_person(connection, taker, mailboxes.load_correspondent(connection, challenge.by_id)):
        raise Refused(sentence("challenges.yours"))
    _close(connection, challenge, now, state="accepted", to_id=taker.id)


def decline(connection: Connection, by: Correspondent, challenge: StoredChallenge, now: datetime) -> None:
    """Decline an invitation and tell the challenger; Refused if it is closed or for another player."""
    if not _is_same_player(connection, by, challenge.to_id):
        raise Refused(sentence("challenges.not_for_you"))
    _close(connection, challenge, now, state="declined")
    tell_challenger(connection, challenge, "declined", now)


def withdraw(connection: Connection, by: Correspondent, challenge: StoredChallenge, now: datetime) -> None:
    """Take back the player's own challenge; Refused if it is closed or another's."""
    if not _is_same_player(connection, by, challenge.by_id):
        raise Refused(sentence("challenges.not_yours"))
    _close(connection, challenge, now, state="withdrawn")


def end_undelivered(connection: Connection, to: Correspondent, failure: Failure, now: datetime) -> None:
    """End the challenges sent to an address that a mail server calls unknown, and tell the challengers.

    One to a player's name stays open: the challenger doesn't know the address.
    """
    if not failure.is_hard:
        return
    sent = (ChallengeRow.to_id == to.id) & ChallengeRow.domain.is_not(None) & (ChallengeRow.expires_at > now)
    held = rows_of(StoredChallenge, connection.execute(CHALLENGE_QUERY.where(sent).with_for_update()))
    for challenge in held:
        _close(connection, challenge, now, state="expired")
        tell_challenger(connection, challenge, "undelivered", now)


def _close(connection: Connection, challenge: StoredChallenge, now: datetime, **values: object) -> None:
    """Change the state of a challenge that is still open; Refused if it isn't."""
    is_open = (ChallengeRow.state == "open") & (ChallengeRow.expires_at > now)
    change = update(ChallengeRow).where(ChallengeRow.id == challenge.id, is_open)
    if not connection.execute(change.values(expires_at=None, **values)).rowcount:
        raise Refused(sentence("challenges.closed"))


def _is_same_player(connection: Connection, one: Correspondent, other_id: int | None) -> bool:
    """Tell whether two mailboxes are the same or belong to one player."""
    if other_id is None:
        return False
    other = mailboxes.load_correspondent(connection, other_id)
    return one.id == other.id or (one.player_id is not None and one.player_id == other.player_id)


def tell_challenger(connection: Connection, challenge: StoredChallenge, what: str, now: datetime) -> None:
    """Email a challenger that the challenge was declined, has expired or couldn't be delivered."""
    challenger = mailboxes.load_correspondent(connection, challenge.by_id)
    words = {"what": what, "whom": challenge.whom or "", "terms": challenge.terms.sentence}
    if challenger.address:
        mailboxes.write(connection, challenger, "challenge_news", now, **words)


# ---------------------------------------------------------------- finding


def load_challenge(connection: Connection, challenge_id: int) -> StoredChallenge:
    return one_of(StoredChallenge, connection.execute(CHALLENGE_QUERY.where(ChallengeRow.id == challenge_id)))


def state(connection: Connection, challenge_id: int, now: datetime) -> str:
    """Return the state of a challenge, counting a late one as expired."""
    kept = load_challenge(connection, challenge_id)
    is_late = kept.state == "open" and kept.expires_at is not None and kept.expires_at <= now
    return "expired" if is_late else kept.state


def find_challenge(connection: Connection, code: str) -> StoredChallenge | None:
    """Return the challenge with this code; None if there is none."""
    if not code.isalnum():  # PostgreSQL rejects a NUL character
        return None
    return one_or_none_of(
        StoredChallenge, connection.execute(CHALLENGE_QUERY.where(ChallengeRow.code == code))
    )


def load_seek(connection: Connection, code: str) -> StoredChallenge:
    """Return the challenge to everybody with this code, or raise Refused."""
    kept = find_challenge(connection, code)
    if kept is None or kept.kind != "seek":
        raise Refused(sentence("challenges.closed"))
    return kept


def list_made(connection: Connection, by: Correspondent) -> Sequence[StoredChallenge]:
    """Return a player's open challenges, oldest first."""
    mine = CHALLENGE_QUERY.where(_is_by(by), ChallengeRow.state == "open")
    return rows_of(StoredChallenge, connection.execute(mine.order_by(ChallengeRow.id)))


def list_seeks(connection: Connection, now: datetime) -> Sequence[StoredChallenge]:
    """Return the open challenges to everybody, oldest first."""
    seeks = CHALLENGE_QUERY.where(
        ChallengeRow.kind == "seek", ChallengeRow.state == "open", ChallengeRow.expires_at > now
    )
    return rows_of(
        StoredChallenge, connection.execute(seeks.order_by(ChallengeRow.id).limit(limits.OFFERS_SHOWN))
    )
