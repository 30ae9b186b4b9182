"""Judges who wrote an email about a game, by its addresses and our mail server's verdict."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection

from corr.mail.address import AddressSigner, Token, TokenKind, parse_token
from corr.mail.inward.authentication import dmarc_verdict
from corr.mail.inward.incoming_email import IncomingEmail
from corr.orders.authority import Authority, Evidence, decide_authority
from corr.service.games.seats import Seat, seat_of_address, seat_of_void_address
from corr.service.players import mailboxes
from corr.service.server import Server
from corr.words.orders import Command, Order

#: The reply that confirms an email when we ask its player whether they wrote it.
CONFIRM = (Command("confirm"),)
#: Addresses that only readers of our emails know; mail servers log Message-IDs and envelope senders.
_REPLY_KINDS = (TokenKind.REPLY, TokenKind.READY, TokenKind.CONFIRM)


def find_doubt(
    connection: Connection, server: Server, seat: Seat, letter: IncomingEmail, to: Sequence[str]
) -> str | None:
    """Return why an email's orders can't be tried, regardless of its writer; else None."""
    if letter.trouble:
        return "trouble"
    for address in to:
        token = parse_token(address, server.domain)
        if token and token.code != seat.signer.code and seat_of_address(connection, address, server.domain):
            return "two_seats"
    return "void" if _is_void(connection, seat, to, server.domain) else None


def recipients(envelope: str, letter: IncomingEmail) -> tuple[str, ...]:
    """Return all recipients of an email, by its stored envelope and its headers."""
    return tuple(dict.fromkeys((*json.loads(envelope), *letter.to)))


def is_readers(connection: Connection, seat: Seat, letter: IncomingEmail) -> bool:
    """Whether an email came from an address of the seat's player."""
    return seat.is_written_by(letter.sender) or mailboxes.owns(connection, seat.player_id, letter.sender)


def judge_sender(
    connection: Connection, server: Server, seat: Seat, raw: bytes, letter: IncomingEmail, to: Sequence[str]
) -> Evidence:
    """Return how well an email shows that its seat's player wrote it."""
    if not is_readers(connection, seat, letter):
        return Evidence.ELSEWHERE
    found = dmarc_verdict(raw, server.authserv_id)
    if found == "fail":
        return Evidence.CALLED_FORGED
    if list_tokens(seat.signer, to, server.domain, _REPLY_KINDS):
        return Evidence.ADDRESS
    return Evidence.VOUCHED if found == "pass" else Evidence.MESSAGE_ID


def find_missing_proof(evidence: Evidence, orders: Sequence[Order], asked_by: int) -> Evidence | None:
    """Return `evidence` if that is too weak for these orders; else None."""
    if asked_by and tuple(orders) == CONFIRM and evidence is not Evidence.ELSEWHERE:
        return None
    return None if decide_authority(evidence, orders) is Authority.ACTS else evidence


def find_confirmation_request(seat: Seat, to: Sequence[str], domain: str) -> int:
    """Return the number of our email that asked for this confirmation; 0 if none did."""
    tokens = list_tokens(seat.signer, to, domain, (TokenKind.CONFIRM,))
    return tokens[0].number if tokens else 0


def list_tokens(
    signer: AddressSigner,
    addresses: Iterable[str],
    domain: str,
    kinds: Collection[TokenKind] = frozenset(TokenKind) - {TokenKind.LETTER},
) -> list[Token]:
    """Return the tokens in those addresses that we made for this seat or mailbox."""
    tokens = (parse_token(address, domain) for address in addresses)
    return [token for token in tokens if token and token.kind in kinds and signer.has_made(token)]


def _is_void(connection: Connection, seat: Seat, to: Sequence[str], domain: str) -> bool:
    """Whether an email came to a former address of the seat only."""
    if list_tokens(seat.signer, to, domain):
        return False
    return any(seat_of_void_address(connection, address, domain) for address in to)
