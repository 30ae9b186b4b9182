"""Changed, truncated and fake records: a sentence names the first wrong turn, never a traceback."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import update

from corr.proof import verify
from corr.proof.proof import prove
from corr.rules.variants import UMPIRES
from corr.store.tables import SeatRow
from corr.words.board import Side
from corr.words.codes import Audience, find_code
from tests.support.random_records import RecordedGame, play_random_game, reseal_with_lie
from tests.support.table import make_table

SEED = 4
VERIFY_PROGRAM = Path(verify.__file__)


@pytest.fixture(scope="module")
def games() -> Iterator[dict[str, RecordedGame]]:
    """A random game of each variant."""
    with TemporaryDirectory() as folder:
        table = make_table(Path(folder))
        yield {variant: play_random_game(table.server, variant, SEED) for variant in UMPIRES}
        table.server.store.close()


@pytest.fixture
def record(games: dict[str, RecordedGame]) -> list[bytes]:
    return games["wild16"].record()


def changed(lines: list[bytes], at: int, change: Callable[[dict], None]) -> list[bytes]:
    """The record with one line changed."""
    value = json.loads(lines[at])
    change(value)
    return [*lines[:at], f"{verify.canonical(value)}\n".encode(), *lines[at + 1 :]]


def test_a_record_of_each_variant_holds_for_both(games: dict[str, RecordedGame]) -> None:
    for game in games.values():
        for side in Side:
            assert prove(game.record(side)).holds


def test_a_missing_line_is_named_with_its_place(record: list[bytes]) -> None:
    said = prove([*record[:5], *record[6:]]).sentence

    assert said == "A turn is missing or out of place after turn 2w: the next one is turn 3w."


def test_a_missing_first_turn_is_named(record: list[bytes]) -> None:
    said = prove([record[0], *record[2:]]).sentence

    assert said == "A turn is missing or out of place at the start: the next one is turn 1w."


def test_swapped_lines_are_named_at_the_first(record: list[bytes]) -> None:
    said = prove([*record[:5], record[6], record[5], *record[7:]]).sentence

    assert said == "A turn is missing or out of place after turn 2w: the next one is turn 3w."


def test_a_salt_of_another_turn_does_not_match(record: list[bytes]) -> None:
    salt = json.loads(record[6])["salt"]

    said = prove(changed(record, 5, lambda line: line.update(salt=salt))).sentence

    assert said == "The seal of turn 2b doesn't match: someone changed the turn, its salt or its seal."


def test_half_a_record_lacks_its_end(record: list[bytes]) -> None:
    said = prove(record[:5]).sentence

    assert said == "The record ends after turn 2w, before the game was over. Its end is missing."


def test_a_line_of_another_game_is_refused(record: list[bytes], games: dict[str, RecordedGame]) -> None:
    said = prove([*record[:5], games["classic"].record()[5], *record[6:]]).sentence

    assert said == "Line 6, after turn 2w, belongs to another game."


def test_a_changed_byte_is_found_anywhere(record: list[bytes]) -> None:
    """Only in the first line may a change go unnoticed: parts of it are never sealed."""
    rng = random.Random(SEED)
    whole = b"".join(record)
    for at in rng.sample(range(len(whole)), 300):
        other = bytes([whole[at] ^ 1 << rng.randrange(8)])
        proof = prove((whole[:at] + other + whole[at + 1 :]).splitlines(keepends=True))
        is_in_first_line = at < len(record[0])

        assert not proof.holds or is_in_first_line, (at, whole[max(0, at - 40) : at + 40])


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[1,2,3]\n",
        b"null\n",
        b"\x00" * 5_000,
        b"\xff\xfe" * 5_000,
        b"[" * 100_000,
        b'{"corr":"record"}\n',
        b'{"corr":"record","game":7,"sent":{},"side":"white"}\n',
        b'{"corr":"record","game":"k3x9q","sent":[],"side":"white"}\n{"line":{"turn":"0"}}\n',
        b'{"corr":"record","game":"k3x9q","sent":{},"side":"white"}\n{"line":[],"salt":"zz"}\n',
        b'{"corr":"record","game":"k3x9q","sent":{},"side":"white"}\n{"line":7}\n',
        gzip.compress(b"[" * 1_000_000, mtime=0),
        gzip.compress(b"{}\n" * 1_000, mtime=0)[:40],
    ],
    ids=lambda junk: repr(junk[:60]),
)
def test_junk_is_refused_with_a_sentence(junk: bytes) -> None:
    proof = prove(verify.split_lines(junk))

    assert not proof.holds
    assert proof.sentence.endswith(".")


def test_endless_junk_is_refused_after_one_line() -> None:
    read = []

    def endless() -> Iterator[bytes]:
        while True:
            read.append(1)
            yield b"junk\n"

    assert prove(endless()).sentence == "Line 1 is not as the server wrote it."
    assert len(read) == 1


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("e2e9", 'there is an unreadable order: "e2e9"'),
        ("a1a1", "was"),
    ],
)
def test_a_server_that_seals_an_illegal_order_is_found_out(
    games: dict[str, RecordedGame], order: str, expected: str
) -> None:
    said = prove(_resealed(games["wild16"].record(), lambda part: _reordered(part, order))).sentence

    assert expected in said


def test_a_server_that_seals_a_false_announcement_is_found_out(games: dict[str, RecordedGame]) -> None:
    def lie(part: dict) -> None:
        part["slips"][-1]["facts"].append({"code": "check", "data": {"kinds": ["rank"]}, "words": "Check."})

    said = prove(_resealed(games["wild16"].record(), lie)).sentence

    assert said.startswith("In turn ")
    assert said.endswith("something different from what the rules say.")


@pytest.mark.parametrize("variant", ["classic", "cincinnati"])
def test_a_left_out_announcement_of_a_try_is_found_out_if_the_tries_are_shown(
    games: dict[str, RecordedGame], variant: str
) -> None:
    """Both hear of a try, and Black's record has White's tries, but not White's part."""
    left_out = []

    def lie(turns: dict[str, Any]) -> None:
        for turn in turns.values():
            for slip in turn["black"]["part"]["slips"] if turn["black"] else ():
                left_out.extend(fact for fact in slip["facts"] if is_about_a_try(fact))
                slip["facts"] = [fact for fact in slip["facts"] if not is_about_a_try(fact)]

    said = prove(reseal_with_lie(record_with_whites_tries(games, variant), lie)).sentence

    assert left_out
    assert said.endswith("the umpire told Black something different from what the rules say.")


def is_about_a_try(fact: dict[str, Any]) -> bool:
    return (
        find_code(fact["code"]).contract.audience is Audience.ANSWER and fact["data"].get("side") == "white"
    )


TRY = {"ply": 0, "text": "e2e4", "verdict": "refused", "said": "Illegal move."}


def test_a_server_that_seals_a_false_refusal_is_found_out(games: dict[str, RecordedGame]) -> None:
    said = prove(
        _resealed(record_with_whites_tries(games), lambda tries: tries.append(TRY), "white_tries")
    ).sentence

    assert said == 'In turn 1w White\'s "e2e4" was refused, but by the rules it is moved.'


def test_a_server_that_seals_an_invented_try_is_found_out(games: dict[str, RecordedGame]) -> None:
    record = games["wild16"].record(Side.WHITE)
    said = prove(_resealed(record, lambda tries: tries.append(TRY), "white_tries")).sentence

    assert said == "In turn 1w the tries that the record gives for White aren't the real ones."


def record_with_whites_tries(games: dict[str, RecordedGame], variant: str = "wild16") -> list[bytes]:
    """Black's record of a game in which White shows its refused tries."""
    with games[variant].server.store.writing() as connection:
        connection.execute(update(SeatRow).values(tells_tries=True))
    return games[variant].record(Side.BLACK)


def _reordered(part: dict, order: str) -> None:
    part["orders"][-1]["text"] = order


def _resealed(lines: list[bytes], lie: Callable[[Any], None], part: str = "white") -> list[bytes]:
    """The record with White's first turn changed and everything sealed again."""
    return reseal_with_lie(lines, lambda turns: lie(turns["1w"][part]["part"]))


# ---------------------------------------------------------------- emails


def mbox(record: list[bytes], subject: str = "", seal: str = "") -> list[bytes]:
    """An email with the seal of a turn of the record, or with another seal."""
    head, turn = json.loads(record[0]), json.loads(record[4])
    name, game = turn["line"]["turn"], head["game"]
    return [
        b"From umpire Fri Nov 20 12:00:00 2026\n",
        f"Subject: {subject or f'[corr] Wild 16 with ben ({game})'}\n".encode(),
        b"Date: Fri, 20 Nov 2026 12:00:00 +0000\n",
        b"\n",
        f"Seal {name}: {seal or turn['seal']}\n".encode(),
        b"\n",
    ]


def test_emails_with_matching_seals_are_counted(record: list[bytes]) -> None:
    assert ", and 2 of your emails have the same seals; " in prove(record, [mbox(record) * 2]).sentence


def test_a_forged_email_is_named_by_its_date(record: list[bytes]) -> None:
    said = prove(record, [mbox(record, seal="A" * 26)]).sentence

    assert said == "In the email of Fri, 20 Nov 2026 12:00:00 +0000 the seal of turn 2w isn't the record's."


def test_an_email_about_another_game_is_ignored(record: list[bytes]) -> None:
    said = prove(record, [mbox(record, "[corr] Wild 16 with ben (zzzzz)", "A" * 26)]).sentence

    assert "your emails" not in said


def test_a_seal_quoted_in_a_reply_is_ignored(record: list[bytes]) -> None:
    quoting = [line.replace(b"Seal", b"> Seal") for line in mbox(record, seal="A" * 26)]

    assert prove(record, [quoting]).holds


def test_junk_among_the_emails_is_ignored(record: list[bytes]) -> None:
    junk = [
        b"From \xff\n",
        b"Subject: \xff\xfe\n",
        b"Content-Type: text/plain; charset=nonsense\n",
        b"\n",
        b"\xff\n",
    ]

    assert prove(record, [[*junk, *mbox(record), *junk]]).holds


# ---------------------------------------------------------------- verify.py on its own


def run_verify_program(folder: Path, lines: list[bytes], *mailboxes: list[bytes]) -> tuple[int, str]:
    """Run the single-file program with plain Python; return its exit status and output."""
    files = [folder / f"file-{number}" for number in range(len(mailboxes) + 1)]
    for file, content in zip(files, (lines, *mailboxes), strict=True):
        file.write_bytes(b"".join(content))
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFY_PROGRAM), *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_program_gives_the_same_verdict(tmp_path: Path, games: dict[str, RecordedGame]) -> None:
    for game in games.values():
        lines = game.record(Side.BLACK)
        for candidate in (lines, lines[:5], [*lines[:3], *lines[4:]]):
            code, said = run_verify_program(tmp_path, candidate, mbox(lines))
            proof = prove(candidate, [mbox(lines)])

            assert (code == 0) is proof.holds
            sentence = proof.sentence.partition(";")[0].removesuffix(".")
            assert said.startswith(sentence)


def test_the_program_prints_its_usage(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFY_PROGRAM)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )

    assert done.returncode == 2
    assert "python3 verify.py RECORD" in done.stdout
