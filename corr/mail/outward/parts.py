"""Formats the parts of an email as bytes, each with its own header."""

from __future__ import annotations

import base64
import quopri

_LINE = 76


def text(kind: str, said: str, name: str = "") -> bytes:
    """Format text, unencoded if every program accepts it so; as a file, if it has a name."""
    raw = said.encode()
    if said.isascii() and max(map(len, raw.split(b"\n"))) < 900:
        encoding, coded = "7bit", raw
    else:
        encoding, coded = "quoted-printable", quopri.encodestring(raw)
    placed = f'Content-Disposition: attachment; filename="{name}"\r\n' if name else ""
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{placed}\r\n"
    return head.encode() + coded.replace(b"\n", b"\r\n")


def picture(name: str, png: bytes) -> bytes:
    """Format a picture that the email's HTML shows by this name."""
    return _file(
        "image/png", f'Content-ID: <{name}>\r\nContent-Disposition: inline; filename="{name}.png"', png
    )


def attachment(kind: str, name: str, content: bytes) -> bytes:
    """Format a file in base64; nothing if it is empty."""
    return _file(kind, f'Content-Disposition: attachment; filename="{name}"', content) if content else b""


def _file(kind: str, fields: str, content: bytes) -> bytes:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{fields}\r\n\r\n"
    whole = base64.b64encode(content)
    return head.encode() + b"".join([whole[at : at + _LINE] + b"\r\n" for at in range(0, len(whole), _LINE)])


def join_parts(kind: str, boundary: str, parts: list[bytes]) -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'
    divider = f"--{boundary}\r\n".encode()
    body = b"".join(divider + part + b"\r\n" for part in parts)
    return head.encode() + body + f"--{boundary}--\r\n".encode()
