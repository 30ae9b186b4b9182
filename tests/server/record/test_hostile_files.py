"""Hostile files for the verification page: each costs little work and gets a sentence."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from corr import limits
from corr.proof import verify
from corr.proof.proof import prove
from corr.web.games import verification
from tests.support.browser import Browser, text_of_page
from tests.support.hostile_emails import FIXED, HEADS
from tests.support.table import Table
from tests.support.work_counter import count_calls

GAME = "k3x9q"
OURS = f"Subject: [corr] Wild 16 with ben ({GAME})\r\n".encode()
SEAL = b"Seal 1w: " + b"A" * 26


def evidence_in(email: bytes) -> verify.EmailEvidence:
    return verify.find_seals(verify.split_lines(email), GAME)


@pytest.mark.parametrize("name", HEADS)
def test_a_hostile_email_is_read_in_linear_time(name: str) -> None:
    email = OURS + HEADS[name](300_000)

    assert count_calls(lambda: evidence_in(email)) < 20 * email.count(b"\n") + len(email) // 50 + 1_000


@pytest.mark.parametrize("name", FIXED)
def test_no_hostile_email_breaks_the_search(name: str) -> None:
    assert evidence_in(OURS + FIXED[name]).seals == []


#: Ways in which mail servers and programs rewrite an email; its seal must still be found.
REWRITTEN = {
    "unchanged": OURS + b"\r\n" + SEAL + b"\r\n",
    "with bare line feeds": OURS.replace(b"\r", b"") + b"\n" + SEAL + b"\n",
    "quoted-printable": OURS
    + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + SEAL[:20] + b"=\r\n" + SEAL[20:],
    "base64": OURS + b"Content-Transfer-Encoding: BASE64\r\n\r\n" + base64.encodebytes(SEAL),
    "an encoded subject": b"Subject: =?utf-8?q?Wild_16_with_J=C3=B6rg_=28k3?=\r\n =?utf-8?b?eDlxKQ==?=\r\n\r\n"
    + SEAL + b"\r\n",
    "a folded subject": OURS.replace(b"with ben", b"with\r\n ben") + b"\r\n" + SEAL + b"\r\n",
    "in a nested part": OURS
    + b'Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a\r\n'
    + b"Content-Type: multipart/alternative;\r\n boundary=b\r\n\r\nnothing\r\n--b\r\n"
    + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + SEAL + b"\r\n--b\r\n\r\n"
    + b"Seal 2w: " + b"B" * 26 + b"\r\n--b--\r\n--a--\r\n",
}  # fmt: skip


@pytest.mark.parametrize("name", REWRITTEN)
def test_a_seal_is_found_in_a_rewritten_email(name: str) -> None:
    assert [seal[1:] for seal in evidence_in(REWRITTEN[name]).seals] == [("1w", "A" * 26)]


# ---------------------------------------------------------------- records


def record_of(head: dict, *turns: dict) -> list[bytes]:
    """Correctly sealed lines with arbitrary content."""
    before, lines = bytes(32), [verify.canonical({"corr": "record", "game": GAME, "side": None, **head})]
    for number, turn in enumerate(turns):
        line = {"game": GAME, "leaf": number, "turn": str(number), "outcome": None, "moves": [], **turn}
        line |= dict.fromkeys(verify.PARTS)
        before = sha256(before + sha256(verify.canonical(line).encode()).digest()).digest()
        seal = verify.format_seal(before)
        lines.append(
            verify.canonical({"line": line, "salt": "", "seal": seal, **dict.fromkeys(verify.PARTS)})
        )
    return [f"{line}\n".encode() for line in lines]


NOBODY_SENT: dict[str, Any] = {"sent": {"white": [], "black": []}}
OVER = {"variant": "classic", "outcome": {"winner": None, "reason": "agreement"}}
E4 = {"side": "white", "move": "e2e4", "ply": 0}
MALFORMED = {
    "a seal that is a list": lambda: record_of({"sent": {"white": [[[], []]], "black": []}}, OVER),
    "a seal that is a number": lambda: record_of({"sent": {"white": [[1, 2]], "black": []}}, OVER),
    "a seal without its turn": lambda: record_of({"sent": {"white": [[1]], "black": []}}, OVER),
    "a seal of a turn with a long name": lambda: record_of({"sent": {"white": [["1" * 99, ""]], "black": []}}, OVER),
    "a game with a long name": lambda: record_of({"game": "k" * 99, **NOBODY_SENT}, OVER),
    "a game that is a list": lambda: record_of({"game": [], **NOBODY_SENT}, OVER),
    "a turn with a long name": lambda: record_of(NOBODY_SENT, {"turn": "1" * 99, **OVER}),
    "a turn that is a number": lambda: record_of(NOBODY_SENT, {"turn": 1, **OVER}),
    "a variant that is a list": lambda: record_of(NOBODY_SENT, {**OVER, "variant": []}),
    "no variant": lambda: record_of(NOBODY_SENT, {"outcome": {"winner": None, "reason": "agreement"}}),
    "an end that is a number": lambda: record_of(NOBODY_SENT, {**OVER, "outcome": 7}),
    "moves that are a number": lambda: record_of(NOBODY_SENT, {**OVER, "moves": 7}),
    "a move that is very long": lambda: record_of(NOBODY_SENT, {**OVER, "moves": [{**E4, "move": "e2e4 " * 99_999}]}),
    "a move of nobody": lambda: record_of(NOBODY_SENT, {**OVER, "moves": [{"side": [], "move": "e2e4"}]}),
    "lists in lists": lambda: record_of(NOBODY_SENT, {**OVER, "moves": json.loads("[" * 200 + "]" * 200)}),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_but_correctly_sealed_record_gets_a_short_sentence(name: str) -> None:
    proof = prove(MALFORMED[name]())

    assert not proof.holds
    assert len(proof.sentence) < 1_200


def test_the_number_of_judged_orders_is_limited() -> None:
    moves = [E4, {"side": "black", "move": "e7e5", "ply": 1}]
    record = record_of(NOBODY_SENT, {**OVER, "moves": moves})

    assert "too many orders" not in prove(record, most_orders=2).sentence
    assert "too many orders" in prove(record, most_orders=1).sentence


def test_comparing_a_seal_takes_constant_time() -> None:
    turns = [{"variant": "classic"}, *({"turn": f"{number}w"} for number in range(500)), OVER]

    def work(seals: int) -> int:
        record = record_of({"sent": {"white": [["0", ""]] * seals, "black": []}}, *turns)
        return count_calls(lambda: prove(record))

    assert work(2_000) < work(1_000) + 50_000


# ---------------------------------------------------------------- the page


def post(table: Table, record: bytes, *emails: bytes) -> tuple[int, str]:
    browser = Browser(table.app())
    browser.open("/verify")
    fields = [(b"record", record), *((b"letters", each) for each in emails)]
    form = b"".join(
        b'--b\r\nContent-Disposition: form-data; name="%s"; filename="a"\r\n\r\n%s\r\n' % each
        for each in fields
    )
    csrf_field = (
        b'--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n%s\r\n--b--\r\n' % browser.csrf.encode()
    )
    kind = "multipart/form-data; boundary=b"
    answer = browser.client.post("/verify", data=form + csrf_field, content_type=kind)
    return answer.status_code, text_of_page(answer.text)


BOMBS: dict[str, Callable[[], list[bytes]]] = {
    "a long line": lambda: [gzip.compress(b"x" * 30_000_000, 1)],
    "empty lines": lambda: [gzip.compress(b"\n" * 300_000, 1)],
    "emails": lambda: [gzip.compress(b"From x\n" * 300_000, 1)],
    "many small files": lambda: [gzip.compress(b"\n" * 30_000, 1)] * 10,
}


@pytest.mark.parametrize("name", BOMBS)
def test_compressed_files_are_unpacked_only_up_to_a_limit(table: Table, name: str) -> None:
    code, says = post(table, b"".join(record_of(NOBODY_SENT, OVER)), *BOMBS[name]())

    assert code == 200
    assert "These files are too large for this page." in says


def test_some_megabytes_of_email_are_accepted(table: Table) -> None:
    emails = (OURS + b"\r\n" + (b"a" * 76 + b"\r\n") * 50_000,)
    code, says = post(table, b"".join(record_of(NOBODY_SENT, OVER)), *emails)

    assert code == 200
    assert "too large" not in says


def test_a_process_checks_one_record_at_a_time(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RECORD_WAIT", 0)
    with verification.CHECK_SEMAPHORE:
        code, says = post(table, b"")

    assert code == 503
    assert "We're checking someone else's record right now." in says
