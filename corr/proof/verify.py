"""Check the record of a game of corr, with nothing but Python: python3 verify.py RECORD [LETTERS.mbox ...]

It says whether each turn was sealed after the one before it and not changed since, and whether the seals are those in
your own letters. Whether the umpire kept to the rules, `corr verify` tells beside that.

    leaf = SHA-256(salt, line)        seal = SHA-256(seal before, leaf)

A line holds SHA-256(salt, part) of what either side ordered and was told, and of its tries alone. Of the other side you
have these, if its player lets others read them. A seal is written as the first 26 letters of its base32.

Copyright (c) 2026 the authors of corr

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.
THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
"""

from __future__ import annotations

import binascii
import gzip
import io
import json
import re
import sys
import zlib
from base64 import b32encode
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SIDES = ("white", "black")
PARTS = {
    "white": "ordered or was told",
    "black": "ordered or was told",
    "white_tries": "tried",
    "black_tries": "tried",
}
#: A record that is longer, in a line or in all, is none; and so is a longer letter.
MOST_BYTES, MOST_LINES, MOST_OF_LETTER = 4_000_000, 10_000, 2_000_000
MOST_IN_ALL = 50_000_000
#: How the umpire calls a turn, and a game.
TURN, GAME = re.compile(r"[0-9a-z.]{1,10}"), re.compile(r"[0-9a-z]{1,20}")
#: As it stands in a letter of its own, and not in what one quotes.
SEAL = re.compile(rb"^Seal ([0-9a-z.]{1,10}): ([A-Z2-7]{26})[ \t]*$", re.MULTILINE)
#: Of a head, and of one of its fields; so deep the text of a letter may lie in its parts.
MOST_OF_HEAD, MOST_OF_FIELD, DEEPEST = 65_536, 1_000, 10
FIELD = re.compile(rb"^([!-9;-~]{1,100}):(.*(?:\n[ \t].*)*)", re.MULTILINE)
#: What stands between two words that belong together (RFC 2047), and such a word.
BETWEEN = re.compile(rb"(?<=\?=)\s{1,10}(?==\?)")
WORD = re.compile(rb"=\?[!->@-~]{1,60}\?([bq])\?([!->@-~]{0,400})\?=", re.IGNORECASE)
BOUNDARY = re.compile(rb"boundary\s{0,10}=\s{0,10}(?:\"([^\"]{1,100})\"|([^\s;\"]{1,100}))", re.IGNORECASE)


class Wrong(Exception):
    """What does not hold, as a sentence."""


@dataclass
class Turn:
    """A turn of a record that follows from the one before it."""

    name: str
    told: dict[str, Any]
    parts: dict[str, Any]  # those that may be read: of a side, and of its tries
    seal: str


@dataclass
class Record:
    """A record whose seals hold."""

    game: str
    side: str | None  # whose record it is; nobody in particular where it is for all
    turns: list[Turn]
    sent: dict[str, list[list[str]]]  # which seals the server says it has sent to either side

    seals: set[tuple[str, str]]  # every turn's name with its seal


@dataclass
class Letters:
    """What letters say of a game's seals."""

    sealed: int = 0
    others: int = 0  # how many are of other games, or of none
    seals: list[tuple[str, str, str]] = field(default_factory=list)  # which letter, which turn, which seal


# ---------------------------------------------------------------- a record


def read(lines: Iterable[bytes]) -> Record:
    """A record, if all its seals hold; the first turn that does not is named."""
    numbered = enumerate(lines, start=1)
    _, head = next(((at, _object(1, raw)) for at, raw in numbered), (0, {}))
    if (
        set(head) != {"corr", "game", "side", "sent"}
        or head["corr"] != "record"
        or head["side"] not in (*SIDES, None)
        or not _is_called(GAME, head["game"])
    ):
        raise Wrong("This is no record of a game: its first line does not say so.")
    game, sent, turns = head["game"], head["sent"], list[Turn]()
    before, size = bytes(32), 0
    for at, raw in numbered:
        size += len(raw)
        if at > MOST_LINES or size > MOST_IN_ALL:
            raise Wrong("This is no record of a game: it is far too long.")
        before, turn = _turn(at, raw, game, turns, before)
        turns.append(turn)
    if not turns or turns[-1].told.get("outcome") is None:
        last = f"after {called(turns[-1].name)}" if turns else "before its first turn"
        raise Wrong(f"The record ends {last}, where the game was not over: its end is missing.")
    record = Record(game, head["side"], turns, sent, {(turn.name, turn.seal) for turn in turns})
    _check_sent(record)
    return record


def _is_called(names: re.Pattern[str], name: Any) -> bool:
    """Whether this is a name, and no longer than one."""
    return isinstance(name, str) and bool(names.fullmatch(name))


def _object(at: int, raw: bytes) -> dict[str, Any]:
    """What stands on a line, which is written in the one way in which it may be."""
    try:
        text = raw.decode().removesuffix("\n")
        value = json.loads(text)
        is_canonical = canonical(value) == text
    except (ValueError, RecursionError):
        is_canonical, value = False, None
    if not is_canonical or not isinstance(value, dict):
        raise Wrong(f"Line {at} is not as the server wrote it.")
    return value


def canonical(value: Any) -> str:
    """The one way in which a value is written."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _turn(at: int, raw: bytes, game: str, before: list[Turn], sealed: bytes) -> tuple[bytes, Turn]:
    """The turn on a line, and its seal, if that is the one that the record says."""
    after = f"after {called(before[-1].name)}" if before else "at the start"
    try:
        value = _object(at, raw)
        line, name = value["line"], value["line"]["turn"]
        number, is_of_game = line["leaf"], line["game"] == game
        leaf = sha256(_salt(value["salt"]) + canonical(line).encode()).digest()
        parts = {name: value[name] for name in PARTS if value[name] is not None}
        changed = [name for name, part in parts.items() if _hash_of(part) != line[name]]
        stated, is_named = value["seal"], _is_called(TURN, name)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Wrong(f"Line {at}, {after}, is no line of a record.") from error
    except Wrong as wrong:
        raise Wrong(f"Line {at}, {after}, is not as the server wrote it.") from wrong
    if not is_named:
        raise Wrong(f"Line {at}, {after}, is no line of a record.")
    if not is_of_game:
        raise Wrong(f"Line {at}, {after}, is of another game.")
    if number != len(before):
        raise Wrong(f"A turn is missing or out of its place {after}: there stands {called(name)}.")
    if changed:
        side = changed[0].partition("_")[0].capitalize()
        raise Wrong(f"What {side} {PARTS[changed[0]]} in {called(name)} was changed.")
    seal = sha256(sealed + leaf).digest()
    if letters(seal) != stated:
        raise Wrong(f"The seal of {called(name)} does not hold: the turn, its salt or its seal was changed.")
    return seal, Turn(name, line, {name: part["part"] for name, part in parts.items()}, letters(seal))


def _hash_of(part: dict[str, Any]) -> str:
    return sha256(_salt(part["salt"]) + canonical(part["part"]).encode()).hexdigest()


def _salt(text: str) -> bytes:
    """A salt, which is written in one way too."""
    salt = bytes.fromhex(text)
    if salt.hex() != text:
        raise ValueError("not in small letters")
    return salt


def letters(seal: bytes) -> str:
    """A seal as letters have it."""
    return b32encode(seal).decode()[:26]


def called(name: str) -> str:
    """A turn by its name, in words."""
    if name == "end":
        return "the end of the game"
    if name == "0":
        return "the beginning of the game"
    return f"the set-ups ({name})" if name.startswith("0.") else f"turn {name}"


def _check_sent(record: Record) -> None:
    """The seals that went to either side are those of the record."""
    for side in SIDES:
        try:
            sent = dict.fromkeys((name, seal) for name, seal in record.sent[side])
        except (KeyError, TypeError, ValueError) as error:
            raise Wrong("Its first line does not say which seals were sent.") from error
        for name, seal in sent:
            if (name, seal) not in record.seals:
                told = called(str(name)[:10])
                raise Wrong(f"{side.capitalize()} was sent another seal of {told} than you have here.")


# ---------------------------------------------------------------- your letters


def seals_in(lines: Iterable[bytes], game: str) -> Letters:
    """The seals of a game in the letters of an mbox file, or in a single letter."""
    found, code = Letters(), f"({game})".encode()
    for raw in _messages(lines):
        fields, body = _beheaded(raw)
        if code not in _words(fields.get(b"subject", b"")):
            found.others += 1
            continue
        date = fields.get(b"date", b"without a date").decode("ascii", "replace")
        seals = [(name.decode(), seal.decode()) for name, seal in SEAL.findall(_text(fields, body))]
        found.sealed += bool(seals)
        found.seals += [(date, name, seal) for name, seal in seals]
    return found


def _messages(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Letters one after another; of one that is far too long, its beginning."""
    letter, size = list[bytes](), 0
    for line in lines:
        if line.startswith(b"From ") and letter:
            yield b"".join(letter)
            letter, size = [], 0
        size += len(line)
        if size <= MOST_OF_LETTER and not line.startswith(b"From "):
            letter.append(line)
    if letter:
        yield b"".join(letter)


def _beheaded(raw: bytes) -> tuple[dict[bytes, bytes], bytes]:
    """The fields of a letter or of a part, the first of each name, and what follows.

    Python's own reader takes minutes for some heads that somebody has made for it.
    """
    text = raw.replace(b"\r\n", b"\n")
    if text.startswith(b"\n"):
        return {}, text[1:]
    head, _, body = text.partition(b"\n\n")
    fields = dict[bytes, bytes]()
    for name, value in FIELD.findall(head[:MOST_OF_HEAD]):
        fields.setdefault(name.lower(), value[:MOST_OF_FIELD].replace(b"\n", b"").strip())
    return fields, body


def _words(field: bytes) -> bytes:
    """A field of a head, its encoded words read."""
    return WORD.sub(_word, BETWEEN.sub(b"", field))


def _word(found: re.Match[bytes]) -> bytes:
    is_quoted = found[1] in b"qQ"
    return binascii.a2b_qp(found[2], header=True) if is_quoted else _from_base64(found[2])


def _from_base64(text: bytes) -> bytes:
    try:
        return binascii.a2b_base64(text)
    except binascii.Error:
        return b""


def _text(fields: dict[bytes, bytes], body: bytes) -> bytes:
    """What a letter says, which is the first of its parts; nothing where that is no text."""
    for _ in range(DEEPEST):
        kind = fields.get(b"content-type", b"text/plain").lower()
        if not kind.startswith(b"multipart/"):
            break
        boundary = BOUNDARY.search(fields[b"content-type"])
        border = b"\n--" + ((boundary[1] or boundary[2]) if boundary else b"\n")
        part = (b"\n" + body).partition(border)[2].partition(b"\n")[2].partition(border)[0]
        fields, body = _beheaded(part)
    if not kind.startswith(b"text/plain"):
        return b""
    encoding = fields.get(b"content-transfer-encoding", b"").lower()
    if encoding == b"base64":
        return _from_base64(body).replace(b"\r\n", b"\n")
    return binascii.a2b_qp(body).replace(b"\r\n", b"\n") if encoding == b"quoted-printable" else body


def compare(record: Record, found: Letters) -> None:
    """Every seal in one's letters is one of the record."""
    for date, name, seal in found.seals:
        if (name, seal) not in record.seals:
            raise Wrong(f"The letter of {date} has another seal of {called(name)} than the record.")


# ---------------------------------------------------------------- what holds


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file, which may be packed by gzip; none longer than a record's may be."""
    with path.open("rb") as file:
        yield from _lines(file)


def lines_in(content: bytes) -> Iterator[bytes]:
    """The same of what a file holds."""
    yield from _lines(io.BytesIO(content))


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    try:
        with gzip.open(file) if is_packed else file as plain:
            while line := plain.readline(MOST_BYTES):
                yield line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Wrong(
            "The file is packed, and cannot be unpacked: a part of it is missing or was changed."
        ) from error


def checked(record_file: Iterable[bytes], letter_files: Iterable[Iterable[bytes]]) -> tuple[Record, str]:
    """A record, and in one sentence what holds; Wrong where something does not."""
    record = read(record_file)
    found = Letters()
    for file in letter_files:
        more = seals_in(file, record.game)
        compare(record, more)
        found.sealed, found.others = found.sealed + more.sealed, found.others + more.others
    beside = f", and {found.sealed} of your letters have the same seals" if found.sealed else ""
    since = record.turns[0].told.get("sealed_from")
    late = f" (from turn {since} on, and what was before together with that)" if since else ""
    holds = (
        f"The record of game {record.game} holds: {len(record.turns)} turns, each sealed by the next{late}"
    )
    return record, f"{holds}{beside}"


def main() -> int:
    """Check the files that are named."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.stdout.write(f"{__doc__}\n")
        return 2
    try:
        _, sentence = checked(lines_of(Path(sys.argv[1])), map(lines_of, map(Path, sys.argv[2:])))
    except (Wrong, OSError) as wrong:
        sys.stdout.write(f"{wrong}\n")
        return 1
    sys.stdout.write(f"{sentence}. The rules were not checked: corr verify does that.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
