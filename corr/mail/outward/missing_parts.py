"""Formats the parts of an email, and notes those that fail, so that the rest still goes."""

from __future__ import annotations

import base64
import quopri
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from corr.text.messages import template_folder

Thing = TypeVar("Thing")

_OWN_FOLDERS = (str(Path(__file__).parents[1]), str(template_folder()))


class MissingPart(NamedTuple):
    """A part that failed, with the kind and place of the fault, but nothing of its content."""

    part: str
    fault: str


@dataclass(slots=True)
class MissingParts:
    found: list[MissingPart] = field(default_factory=list)

    def make_or_replace(
        self, part: str, make: Callable[[], Thing], without: Thing, *beyond: type[Exception]
    ) -> Thing:
        """Make a part; if that fails, note it and return `without`. Errors in `beyond` pass through."""
        try:
            return make()
        except beyond:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, the email goes
            self.found.append(MissingPart(part, describe_fault(error)))
            return without


def describe_fault(error: BaseException) -> str:
    """Name the error and our innermost line, as `KeyError at score.py:45`, but never its message."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(_OWN_FOLDERS)] or frames
    where = f" at {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}{where}"


_LINE = 76


def text(kind: str, said: str, name: str = "") -> bytes:
    """Format a part of text, as a file if it has a name."""
    raw = said.encode()
    if said.isascii() and max(map(len, raw.split(b"\n"))) < 900:
        encoding, coded = "7bit", raw
    else:
        encoding, coded = "quoted-printable", quopri.encodestring(raw)
    placed = f'Content-Disposition: attachment; filename="{name}"\r\n' if name else ""
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{placed}\r\n"
    return head.encode() + coded.replace(b"\n", b"\r\n")


@lru_cache(maxsize=256)
def picture(name: str, png: bytes) -> bytes:
    """Format a picture that the email's HTML shows by this name, and cache it."""
    return _file(
        "image/png", f'Content-ID: <{name}>\r\nContent-Disposition: inline; filename="{name}.png"', png
    )


def attachment(kind: str, name: str, content: bytes) -> bytes:
    """Format a file in base64; nothing if it is empty."""
    return _file(kind, f'Content-Disposition: attachment; filename="{name}"', content) if content else b""


def _file(kind: str, fields: str, content: bytes) -> bytes:
    """Format a part in base64 with these header fields."""
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{fields}\r\n\r\n"
    whole = base64.b64encode(content)
    return head.encode() + b"".join([whole[at : at + _LINE] + b"\r\n" for at in range(0, len(whole), _LINE)])


def join_parts(kind: str, boundary: str, parts: list[bytes]) -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'
    divider = f"--{boundary}\r\n".encode()
    body = b"".join(divider + part + b"\r\n" for part in parts)
    return head.encode() + body + f"--{boundary}--\r\n".encode()
