"""Fuzzes the email reader: no email may crash it, hang it, or give orders from its quoted text.

    scripts/fuzz [SECONDS]

It begins with the emails under `tests/letters/`, and leaves its finds in `fuzz/`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.hostile_emails import html, plain
from tests.support.mail_program_replies import PROSE, quote_lines, titled_blocks

LETTERS = Path(__file__).parents[1] / "letters"
FOUND = Path("fuzz")
LONGEST, SECONDS_A_LETTER = 20_000, 2
HEAD = "From: Umpire <umpire@play.example>\nSent: Tuesday\nTo: Ann\nSubject: x"


def bend(raw: bytes) -> None:
    """Read an email in all ways; an exception is a find."""
    from corr.mail.inward.incoming_email import (
        describe_email,  # imported here so that the fuzzer instruments it
    )

    describe_email(raw, None)
    describe_email(raw, raw)
    text = raw.decode("utf-8", "replace").replace("\r", "\n")
    describe_email(html(text), None)
    utf8 = b"Content-Type: text/plain; charset=utf-8\r\n"
    lines = "\n".join(text.splitlines())
    for name, body in (
        ("marked", quote_lines(lines)),
        ("below a head", f"{PROSE}\n\n{HEAD}\n\n{lines}"),
    ):
        read = describe_email(plain(body, utf8), None)["orders"]
        if read:
            message = f"an order was read out of a quotation, {name}: {read}"
            raise AssertionError(message)


def begin_with() -> None:
    """Write the emails that the fuzzer begins with."""
    FOUND.mkdir(exist_ok=True)
    files = {path.stem: path.read_bytes() for path in LETTERS.rglob("*.eml")}
    for file in ("attributions.txt", "headers.txt", "titles.txt", "pages.html"):
        files |= {title: body.encode() for title, body in titled_blocks(file).items()}
    for name, raw in files.items():
        (FOUND / name.replace("/", " ")).write_bytes(raw)


def main() -> None:
    import atheris  # of the extra `fuzz`

    with atheris.instrument_imports(include=["corr.mail.inward", "corr.orders"]):
        import corr.mail.inward.incoming_email  # noqa: F401
    begin_with()
    limits = [f"-max_len={LONGEST}", f"-timeout={SECONDS_A_LETTER}", f"-max_total_time={int(sys.argv[1])}"]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={FOUND}/", str(FOUND)], bend)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
