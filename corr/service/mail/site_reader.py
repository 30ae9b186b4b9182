"""Reads each email to the site once, does what it says, and answers it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Nullable, select

from corr.mail.address import Token, TokenKind
from corr.mail.inward.authentication import dmarc_verdict
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.incoming_email import (
    IncomingEmail,
    is_other_key,
    parse_email,
    parse_game_orders,
    why_no_order,
)
from corr.orders import ParsedEmail, parse_lines
from corr.orders.lone_command import understand_lone_command
from corr.orders.plain_answers import split_first_move, understand_plainly
from corr.service import catalogue
from corr.service.lobby import challenges, game_starts, site_commands
from corr.service.lobby.site_commands import SiteAnswerItem, SiteOrders
from corr.service.mail import answer_limits, bounces, forwarding, sender_checks, unreadable_emails
from corr.service.mail.inbox_queue import Intake
from corr.service.mail.site_inbox import SiteMessage
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.service.players.house_bots import HOUSE_BOTS
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import SiteInboxRow, SiteOutboxRow, SiteQuotableRow
from corr.text.messages import sentence
from corr.words.orders import Order

log = logging.getLogger(__name__)

_BOT_NAMES = frozenset(each.name.lower() for each in HOUSE_BOTS)
_READ_READINGS, _DOUBTFUL_READINGS = ("read", "puzzled"), ("doubtful",)


class _AnsweredRow(NamedTuple):
    kind: str
    text: str | None
    words: str


def read_some(server: Server, now: datetime, most: int = 20) -> int:
    """Read waiting emails exactly once and do what they say; return how many were claimed."""
    rows = INTAKE.claim(server, now, most)
    for row in INTAKE.readable(server, rows, now):
        _handle_message(server, row, now)
    return len(rows)


def _handle_message(server: Server, row: SiteMessage, now: datetime) -> None:
    """Read and apply a claimed email; if that fails, try it again later."""
    try:
        letter = parse_email(row.raw)
    except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
        INTAKE.fail(server, row, error, now)
        return
    reading = INTAKE.act(
        server, row, now, lambda connection: _Reading(connection, server, row, letter, now).apply()
    )
    if reading == bounces.BOUNCE_READING:
        bounces.log_bounce(INTAKE.named(row))
    elif reading is not None:
        log.info("read an email to the site", extra=INTAKE.named(row))


@dataclass(frozen=True, slots=True)
class _Reading:
    """An email to the site while one transaction reads and answers it."""

    connection: Connection
    server: Server
    row: SiteMessage
    letter: IncomingEmail
    now: datetime

    def apply(self) -> str:
        """Apply the email, answer it and mark it read; return how it was read."""
        row, letter = self.row, self.letter
        who = mailboxes.load_correspondent(self.connection, row.correspondent_id)
        automatic = bounces.find_automatic_reason(letter, came_back=row.bounce)
        if row.bounce and self._count_failure(who):
            automatic = BOUNCE
        if automatic:
            reading = f"automatic: {automatic}"
        elif not mailboxes.is_of(self.connection, who, letter.sender):
            reading = "forged"
        else:
            reading = self._answer(who)
        INTAKE.mark(self.connection, row.id, read_at=self.now, reading=reading)
        return reading

    def _count_failure(self, who: Correspondent) -> bool:
        """Count a bounce if this email reports one of ours undelivered; return whether it does."""
        ours = self._tokens(who, TokenKind.BOUNCE)
        is_readers = partial(mailboxes.is_of, self.connection, who, self.letter.sender)
        bounced = bounces.find_bounced(self.row.raw, self.letter, ours, is_readers)
        if bounced and who.address:
            bouncing_mailboxes.count_bounce(self.connection, who, bounced.failure, self.now)
            challenges.end_undelivered(self.connection, who, bounced.failure, self.now)
        return bounced is not None

    def _tokens(self, who: Correspondent, kind: TokenKind) -> list[Token]:
        """Return our tokens of this kind from the addresses that the email was sent to."""
        return sender_checks.list_tokens(who.signer, self.letter.to, self.server.domain, (kind,))

    def _answer(self, who: Correspondent) -> str:
        """Decide how certain the sender is, and run the orders; return how it was read."""
        row, letter = self.row, self.letter
        answered = self._load_answered()
        told = json.loads(answered.words) if answered else {}
        verdict = dmarc_verdict(row.raw, self.server.authserv_id)
        is_proved = self._has_proved_sender(who, answered, verdict)
        written = SiteOrders(
            self._confirm_mailbox(who) if is_proved else who,
            letter.name or told.get("name", ""),
            is_certain=is_proved or row.vouched,
            letter=row.letter,
            answered=told,
            at=self.now,
            has_failed_authentication=verdict == "fail",
        )
        moves = {code: place["move"] for code, place in _list_games(written).items()}
        reading = parse_game_orders(letter, answered.text if answered else None, moves)
        if automatic := why_no_order(letter, reading):
            return f"automatic: {automatic}"
        trouble, first_move = letter.trouble or "", None
        if is_other_key(row.message_key):
            trouble, reading = sentence("mail.other_words"), parse_lines(())
        if answered and not trouble and _is_about_invitation(answered, told):
            own = (letter.name, told.get("name", ""), letter.sender.partition("@")[0])
            greeted = told.get("challenger", "")
            plain = understand_plainly(reading, letter.lines, greeted=greeted, own_names=own)
            if plain is not reading:
                lines = (*reading.ignored, *([reading.puzzled.line] if reading.puzzled else []))
                written = replace(written, own_words=" ".join(lines))
            reading, first_move = split_first_move(plain, greeted=greeted, own_names=own)
        elif not trouble:
            names = (letter.name, letter.sender.partition("@")[0])
            variants = [card.key for card in catalogue.cards()]
            reading = understand_lone_command(reading, reading.ignored, _BOT_NAMES, variants, names)
        return self._run_orders(written, reading, trouble, first_move)

    def _has_proved_sender(
        self, who: Correspondent, answered: _AnsweredRow | None, verdict: str | None
    ) -> bool:
        """Whether the email proves its sender by the secret address of ours that it answers.

        Someone who knows only our Message-ID does not have that address, so our mail server must vouch for them. If
        our mail server calls the email forged, the address proves enough only in reply to the email that asks for
        confirmation, because that went to its reader alone.
        """
        if self.row.letter == 0:
            return False
        if not self._tokens(who, TokenKind.REPLY):
            return verdict == "pass"
        return verdict != "fail" or (answered is not None and answered.kind == "confirm")

    def _confirm_mailbox(self, who: Correspondent) -> Correspondent:
        """Confirm a mailbox, because its reader knows an address that only our email contains."""
        if mailboxes.is_mailbox(self.connection, who, self.letter.sender):
            mailboxes.record_sender(self.connection, who, self.letter.sender)
        mailboxes.confirm(self.connection, who, self.now)
        return mailboxes.load_correspondent(self.connection, who.id)

    def _run_orders(
        self, batch: SiteOrders, reading: ParsedEmail, trouble: str, first_move: Order | None
    ) -> str:
        """Run the orders or forward them to games; return how the email was read."""
        connection, row, who = self.connection, self.row, batch.who
        if reading.coded and batch.is_certain:
            beside = () if reading.orders else reading.ignored
            came = forwarding.SourceEmail(self.letter.sender, row.message_key, row.received_at, beside)
            forwarding.forward_to_games(connection, self.server, _list_games(batch), reading.coded, came)
            if not reading.orders:
                return "handed on"
        alike = _READ_READINGS if batch.is_certain else _DOUBTFUL_READINGS
        answered = answer_limits.count_site_answers(connection, row, alike, self.now)
        left = answer_limits.site_limit(row, is_certain=batch.is_certain) - answered
        unconfirmed = site_commands.find_unconfirmed(batch, reading.orders)
        if left <= 0 and (unconfirmed or not batch.is_certain):
            return "too many"
        if unconfirmed:
            about = {"challenge": batch.answered.get("challenge")}
            about |= {"order": unconfirmed, "name": self.letter.name}
            is_asked = mailboxes.ask_to_confirm(connection, who, self.now, **about)
            # A player in whose doubtful name somebody wrote is told once a day.
            if is_asked or answered or batch.is_certain or who.player_id is None:
                return "to be confirmed"
        items = site_commands.run_commands(connection, self.server, batch, reading.orders)
        if first_move:
            items[0] = self._play_first_move(batch, replace(items[0], order=str(first_move)), first_move)
        items += site_commands.refuse_game_orders(batch, reading.coded)
        if left <= 0:
            return "unanswered"
        if mailboxes.load_correspondent(connection, who.id).address:
            self._write_answer(batch, reading, trouble, items, is_last=left == 1)
        if not batch.is_certain:
            return "doubtful"
        return "puzzled" if reading.puzzled else "read"

    def _play_first_move(self, batch: SiteOrders, accepted: SiteAnswerItem, move: Order) -> SiteAnswerItem:
        """Start the game that a move has accepted, and forward the move if its writer is White."""
        connection, row = self.connection, self.row
        if accepted.note != "accepted":
            return accepted
        game = game_starts.start_accepted(connection, batch.answered["challenge"], self.now)
        if game is None:
            return accepted
        who = mailboxes.load_correspondent(connection, batch.who.id)
        listed = forwarding.load_listed_games(connection, who.player_id, (game.code,))
        if not forwarding.is_to_move(connection, listed[game.code]["seat"]):
            return replace(accepted, note="accepted_early")
        came = forwarding.SourceEmail(self.letter.sender, row.message_key, row.received_at, ())
        forwarding.forward_to_games(connection, self.server, listed, ((game.code, (move,)),), came)
        return replace(accepted, note="accepted_moved")

    def _write_answer(
        self,
        batch: SiteOrders,
        reading: ParsedEmail,
        trouble: str,
        items: Sequence[SiteAnswerItem],
        *,
        is_last: bool,
    ) -> None:
        """Queue the answer, perhaps the last of a day, with the list of games to which replies may refer."""
        connection, who = self.connection, batch.who
        games = [code for item in items for code in item.games]
        new = forwarding.load_listed_games(connection, who.player_id, games) if games else {}
        topic = site_commands.guess_topic(reading.ignored, is_invited="challenger" in batch.answered)
        # So that the answer can be answered with the word it names.
        invited = batch.answered.get("challenge") if topic in site_commands.INVITATION_TOPICS else None
        mailboxes.write(
            connection,
            who,
            "site",
            self.now,
            answers=self.letter.message_id,
            items=[asdict(item) for item in items],
            puzzled=asdict(reading.puzzled) if reading.puzzled else None,
            ignored=list(reading.ignored),
            trouble=trouble,
            challenge=next((item.challenge for item in items if item.challenge), invited),
            topic=topic,
            listed=new or _list_games(batch),
            last=answer_limits.site_warning(batch) if is_last else "",
        )

    def _load_answered(self) -> _AnsweredRow | None:
        """Return our email that this one answers; None if it answers none."""
        mine = SiteOutboxRow.correspondent_id == self.row.correspondent_id
        ours = (
            select(SiteOutboxRow.kind, Nullable(SiteQuotableRow.text), SiteOutboxRow.words)
            .outerjoin_from(SiteOutboxRow, SiteQuotableRow, SiteQuotableRow.letter_id == SiteOutboxRow.id)
            .where(mine, SiteOutboxRow.number == self.row.letter)
        )
        return one_or_none_of(_AnsweredRow, self.connection.execute(ours))


def _is_about_invitation(answered: _AnsweredRow, told: Mapping[str, Any]) -> bool:
    """Whether an email of ours invites to a game, or tells how to answer the invitation."""
    return answered.kind == "invitation" or told.get("topic") in site_commands.INVITATION_TOPICS


def _list_games(batch: SiteOrders) -> forwarding.ListedGames:
    """Return the games in the answered email's list, as they were at that time."""
    listed: forwarding.ListedGames = batch.answered.get("listed", {})
    return listed


#: The queue of emails to the site that wait to be read.
INTAKE = Intake(
    SiteInboxRow,
    SiteInboxRow.correspondent_id,
    SiteMessage,
    [getattr(SiteInboxRow, name) for name in SiteMessage._fields],
    unreadable_emails.tell_mailbox,
)
