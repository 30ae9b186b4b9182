"""Decodes the bytes of an email's part, by its transfer encoding and its charset, even a wrong one."""

from __future__ import annotations

import binascii
import re

_WESTERN = "cp1252"
_TRUSTED_CHARSETS = re.compile(
    r"(?:iso-?8859-(?:[2-8]|1[03456])|(?:windows-|cp)125[0-8]|cp(?:437|850|852|855|862|866|932|949|950))"
)
#: The codec for each charset that we do not decode by its own name.
_CODECS = {
    charset: codec
    for codec, charsets in (
        ("utf-8", "utf-8 utf8"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16le"),
        ("utf-16-be", "utf-16be"),
        ("koi8-r", "koi8-r"),
        ("koi8-u", "koi8-u"),
        ("cp1254", "iso-8859-9"),
        ("cp874", "iso-8859-11 tis-620 windows-874"),
        ("mac-roman", "macintosh"),
        ("mac-cyrillic", "x-mac-cyrillic"),
        ("gb18030", "gb2312 gbk cp936 x-gbk gb18030"),
        ("hz", "hz-gb-2312"),
        ("big5hkscs", "big5 big5-hkscs"),
        ("cp949", "euc-kr ks_c_5601-1987 windows-949"),
        ("iso2022_kr", "iso-2022-kr"),
        ("cp932", "shift_jis shift-jis x-sjis windows-31j"),
        ("euc_jp", "euc-jp"),
        ("iso2022_jp_ext", "iso-2022-jp"),
        ("iso2022_jp_2", "iso-2022-jp-2"),
        ("iso2022_jp_3", "iso-2022-jp-3"),
    )
    for charset in charsets.split()
}
_WORDS = {"q": "quoted-printable", "b": "base64"}
_MOST_BASE64_RUNS = 100
_NOT_BASE64 = bytes(
    set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
)


def decode_part(body: bytes, encoding: str, charset: str) -> str:
    """Decode a part to text; unreadable bytes never become letters or digits."""
    raw = _decode_transfer(body, encoding.strip().lower())
    return _text(raw, _codec(charset.strip().lower())).replace("\0", "\ufffd")


def decode_word(raw: bytes, encoding: str, charset: str) -> str:
    """Decode the inside of an encoded word (RFC 2047), such as those in subjects."""
    return decode_part(
        raw.replace(b"_", b"=20") if encoding in "qQ" else raw, _WORDS[encoding.lower()], charset
    )


def _decode_transfer(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding == "base64":
        stretches = re.split(b"=+", body.translate(None, _NOT_BASE64), maxsplit=_MOST_BASE64_RUNS)
        return b"".join(map(_decode_base64, stretches[:_MOST_BASE64_RUNS]))
    return body


def _decode_base64(signs: bytes) -> bytes:
    """Decode one stretch of base64; drop a single surplus character at its end."""
    signs = signs[:-1] if len(signs) % 4 == 1 else signs
    return binascii.a2b_base64(signs + b"=" * (-len(signs) % 4))


def _codec(charset: str) -> str:
    """Return Python's codec for a charset's name; cp1252 for an unknown one."""
    if charset in _CODECS:
        return _CODECS[charset]
    return charset if _TRUSTED_CHARSETS.fullmatch(charset) else _WESTERN


def _text(raw: bytes, codec: str) -> str:
    """Decode bytes with the codec or as UTF-8, whichever fits; replace what fits neither."""
    if raw.startswith(b"\xef\xbb\xbf"):
        codec = "utf-8"
    if raw.isascii() and (
        b"\0" not in raw if codec.startswith("utf-16") else b"\x1b" not in raw and b"~" not in raw
    ):
        return raw.decode("ascii")
    # Programs claim western charsets without checking, and a text in one of them is never valid UTF-8 by chance.
    for each in ("utf-8", codec) if codec == _WESTERN else (codec, "utf-8"):
        try:
            return raw.decode(each)
        except UnicodeDecodeError:
            continue
    return raw.decode(codec if codec != "utf-8" else _WESTERN, "replace")


_MOST_CHARACTERS = 1_000
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(=\?)")
_WORD = re.compile(r"=\?([!-<>-~]{1,60}?)\?([bBqQ])\?([!->@-~]{0,400})\?=")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def decode_subject(value: str) -> str:
    """Decode the encoded words of a subject, after cutting a very long one."""
    joined = _BETWEEN_WORDS.sub(r"\1\2", value[:_MOST_CHARACTERS])
    return _CONTROLS.sub(" ", _WORD.sub(_decode_match, joined)).strip()


def _decode_match(found: re.Match[str]) -> str:
    charset = found[1].partition("*")[0]
    return decode_word(found[3].encode("ascii"), found[2], charset)
