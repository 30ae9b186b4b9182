"""Formats the parts of an email as bytes, each with its own header."""

from __future__ import annotations

import base64
import quopri

_LINE = 76


def text(kind: str, said: str, place: str = "") -> bytes:
    """Format text, unencoded if every program accepts it so; as a file, if `place` is given."""
    raw = said.encode()
    if said.isascii() and max(map(len, raw.split(b"\n"))) < 900:
        encoding, coded = "7bit", raw
    else:
        encoding, coded = "quoted-printable", quopri.encodestring(raw)
    placed = f"Content-Disposition: {place}\r\n" if place else ""
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{placed}\r\n"
    return head.encode() + coded.replace(b"\n", b"\r\n")


def picture(name: str, png: bytes) -> bytes:
    """Format a picture that the email's HTML shows by this name."""
    return file("image/png", f'inline; filename="{name}.png"', png, f"Content-ID: <{name}>\r\n")


def file(kind: str, place: str, content: bytes, named: str = "") -> bytes:
    """Format a file in base64, in lines."""
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{named}Content-Disposition: {place}\r\n\r\n"
    whole = base64.b64encode(content)
    return head.encode() + b"".join([whole[at : at + _LINE] + b"\r\n" for at in range(0, len(whole), _LINE)])


def join_parts(kind: str, boundary: str, parts: list[bytes]) -> bytes:
    """Join parts that belong together."""
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'
    divider = f"--{boundary}\r\n".encode()
    body = b"".join(divider + part + b"\r\n" for part in parts)
    return head.encode() + body + f"--{boundary}--\r\n".encode()
