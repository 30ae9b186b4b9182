"""Emails made to hurt the reader, each as a function of its size."""

from __future__ import annotations

import base64
import zipfile
from collections.abc import Callable
from io import BytesIO

HEAD = b"From: Ann <ann@example.org>\r\nTo: ref@play.example\r\nMessage-ID: <t@example.org>\r\n"


def plain(text: str | bytes, head: bytes = b"") -> bytes:
    body = text if isinstance(text, bytes) else text.encode()
    return HEAD + head + b"\r\n" + body


def html(text: str, head: bytes = b"") -> bytes:
    return plain(text, b"Content-Type: text/html; charset=utf-8\r\n" + head)


def nested(levels: int) -> bytes:
    opened = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(levels)
    )
    return HEAD + opened + b"\r\ne2e4\r\n"


def forwarded(count: int) -> bytes:
    return HEAD + b"Content-Type: message/rfc822\r\n\r\n" * count + b"e2e4\r\n"


def many_parts(count: int) -> bytes:
    part = b"--b\r\nContent-Type: text/plain\r\n\r\ne2e4\r\n"
    return plain(part * count, b"Content-Type: multipart/mixed; boundary=b\r\n")


def almost_boundaries(size: int) -> bytes:
    return plain(b"\n--b?" * (size // 5), b"Content-Type: multipart/mixed; boundary=b\r\n")


def flowed(size: int) -> bytes:
    return plain("On \r\n" * (size // 5), b"Content-Type: text/plain; format=flowed\r\n")


def coded(encoding: bytes, text: bytes) -> bytes:
    return plain(text, b"Content-Transfer-Encoding: " + encoding + b"\r\n")


def of(unit: str) -> Callable[[int], bytes]:
    return lambda size: plain(unit * (size // len(unit.encode())))


def of_html(unit: str) -> Callable[[int], bytes]:
    return lambda size: html(unit * (size // len(unit.encode())))


def bomb() -> bytes:
    """A compressed file that unpacks to a thousand times its size."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("moves.txt", b"e2e4\r\n" * 500_000)
    return packed.getvalue()


def attached(kind: str, name: str, content: bytes) -> bytes:
    """An email that says e2e4, with an attachment."""
    file = (
        f"Content-Type: {kind}; name={name}\r\nContent-Disposition: attachment; filename={name}\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\n"
    ).encode() + base64.encodebytes(content)
    body = b"--b\r\nContent-Type: text/plain\r\n\r\ne2e4\r\n--b\r\n" + file + b"\r\n--b--\r\n"
    return plain(body, b"Content-Type: multipart/mixed; boundary=b\r\n")


#: Each makes an email of about this size in bytes.
GROWING: dict[str, Callable[[int], bytes]] = {
    "one line of On": of("On "),
    "lines of On": of("On x <a@b.c\r\n"),
    "attributions": of("On 12:30 x <a@b.c> wrote:\r\n"),
    "colons": of("On 2026:\r\n"),
    "colons above quotation": of("On 2026:\r\n> a\r\n"),
    "headers": of("From: a@b.c\r\n"),
    "broken headers": of("From: a@b.c\r\ne2e4\r\n"),
    "rules": of("-----a\r\n"),
    "rule without end": of("-"),
    "angles": of("<"),
    "quotation marks": of('"'),
    "greater": of(">"),
    "orders": of("e2e4\r\n"),
    "one list": of("e2e4, "),
    "open lists": of("e2e4,\r\n"),
    "open deploys": of("deploy\r\na2 b2\r\n"),
    "branches": of("any? yes: e2e4 /\r\n"),
    "else": of("else\r\n"),
    "ifs": of("if capture: e2e4; "),
    "if without end": of("if no check and no capture and "),
    "senses": of("sense d5\r\nif e5=p: e2e4\r\n"),
    "numbers": of("1. "),
    "dots": of("1" + "." * 60 + "\r\n"),
    "Cyrillic": of("\u0435\u0032\u0435\u0034 "),
    "Cyrillic lines": of("\u0435\u0032\u0435\u0034\r\n"),
    "Cyrillic prose": of(
        "\u0421\u043f\u0430\u0441\u0438\u0431\u043e, \u0438 \u043f\u0440\u0438\u0432\u0435\u0442\r\n"
    ),
    "piled accents": of("\u0315\u0300\u05ae\u0301"),
    "piled accents, lines": of("e" + "\u0315\u0300\u05ae\u0301" * 40 + "\r\n"),
    "ligatures": of("\ufdfa"),
    "dotted I": of("\u0130"),
    "empty lines": of("\r\n"),
    "blanks": of(" "),
    "carriage returns": of("\r"),
    "zeros": of("\0"),
    "signatures": of("-- \r\n"),
    "uuencode": of("begin 644 a\r\nM\r\n"),
    "pgp signed": of("-----BEGIN PGP SIGNED MESSAGE-----\r\n- -- \r\n"),
    "mailto": of("N@f5<mailto:N@f5>"),
    "answers of servers": of("550 user unknow\r\n "),
    "one answer": of("550-5.1.1 address "),
    "names of machines": of("a-a."),
    "blocks of a report": of("Action: delayed\r\nStatus: 5.1.\r\n\r\n"),
    "flowed": flowed,
    "almost boundaries": almost_boundaries,
    "base64": lambda size: coded(b"base64", base64.encodebytes(b"e2e4\r\n" * (size // 9))),
    "no base64": lambda size: coded(b"base64", b"=" * size),
    "base64 in stretches": lambda size: coded(b"base64", b"QQ==" * (size // 4)),
    "quoted-printable": lambda size: coded(b"quoted-printable", b"=65" * (size // 3)),
    "soft breaks": lambda size: coded(b"quoted-printable", b"=\r\n" * (size // 3)),
    "iso-2022-jp": lambda size: plain(
        b"\x1b$B\x1b(B" * (size // 6), b"Content-Type: text/plain; charset=iso-2022-jp\r\n"
    ),
    "punycode": lambda size: plain(b"e2e4-" * (size // 5), b"Content-Type: text/plain; charset=punycode\r\n"),
    "html: angles": of_html("<"),
    "html: div": of_html("<div>"),
    "html: closing": of_html("</p>"),
    "html: b and p": of_html("<b><p>"),
    "html: crossed": of_html("<b><div></b>"),
    "html: unclosed i": lambda size: html("<i><div>" + "<b>" * (size // 7) + "</i>" * (size // 7)),
    "html: attributes": lambda size: html("<div " + "a=1 " * (size // 4)),
    "html: quotes": lambda size: html('<div a="' * (size // 8)),
    "html: equals": lambda size: html("<div " + "=" * size),
    "html: name and blanks": lambda size: html("<div a" + " " * size),
    "html: comments": of_html("<!--"),
    "html: styles": of_html("<style>"),
    "html: tables": of_html("<table><tr><td>"),
    "html: entities": of_html("&"),
    "html: numbers": of_html("&#1"),
    "html: br": of_html("<br>"),
    "html: blockquotes": of_html("<blockquote>a"),
    "html: pre": of_html("<pre>a\n"),
    "html: lines across": of_html("<hr>"),
    "html: boxes of quotation": of_html("<div class=quote>a</div>"),
    "long rules": of("_" * 32 + "\r\n"),
    "titles": of("-----Original Message-----\r\n"),
    "footers": of("Sent from my iPhone\r\n"),
    "verbs": of("wrote\r\n"),
    "one line of verbs": of("wrote "),
    "long lines of verbs": of("wrote " * 300 + ":\r\n"),
    "long lines of addresses": of("a@b." * 400 + ":\r\n"),
    "long lines of ats": of("@" * 1_500 + ":\r\n"),
    "long lines of days": of("1.1" * 500 + ":\r\n"),
    "long lines of times": of("11:11 " * 250 + ":\r\n"),
    "long lines of fields": of("From: Sent: To: " * 100 + "\r\n"),
    "fields in a table": of("| From | a@b.c |\r\n"),
    "marked heads": of("> On 2026 a@b.c wrote:\r\na\r\n"),
    "marked heads, long": of("> From: a@b.c\r\n> Sent: a\r\n> To: b\r\n>\r\n" * 3 + "a\r\n"),
    "marked lists": of("> a1b2,\r\na1c3\r\n"),
    "dotted words": of("a." + "." * 100 + " "),
}


def numbered_lines(text: str) -> Callable[[int], bytes]:
    """Distinct lines; `#` stands for a number, `&` for a square."""

    def letter(size: int) -> bytes:
        lines = (
            text.replace("#", str(number)).replace("&", f"{'abcdefgh'[number % 8]}{number // 8 % 8 + 1}")
            for number in range(size // (len(text.encode()) + 3))
        )
        return plain("\r\n".join(lines))

    return letter


#: What a line may begin with, and what may follow.
_ORDERS = (
    *(
        "e2e4",
        "e2",
        "Nf3",
        "o-o",
        "0-0-0",
        "N@f5",
        "px",
        "pass",
        "any?",
        "any? yes:",
        "any? no:",
        "any",
        "yes:",
    ),
    *("no:", "no: e2e4", "else: e2e4", "sense d5", "sense", "sense d5; if e5=p:", "if", "if capture:"),
    *(
        "if no check and",
        "deploy",
        "deploy a2",
        "deploy name",
        "ghost Qd8",
        "ghost",
        "resign",
        "draw?",
        "draw",
    ),
    *(
        "accept",
        "claim",
        "pause?",
        "again",
        "show",
        "help",
        "note",
        "note x",
        "delay 8h",
        "remind 2d",
        "quiet 22-7",
    ),
    *(
        "zone Europe/Paris",
        "vacation 2026-12-24 2026-12-26",
        "mail off",
        "rules",
        "rules wild16",
        "never again",
    ),
    *(
        "challenge a@b.example wild16",
        "seek wild16 3d",
        "take abcde",
        "withdraw",
        "castle",
        "castles king",
        "12.",
    ),
    *(
        "* e2e4",
        "> e2e4",
        "| e2e4",
        "12) e2e4",
        "1..",
        '"e2e4',
        "e2e4 e2e4",
        "e2e4;",
        "e2e4,",
        "e2xe4",
        "e9e4",
    ),
)
_ODD = (
    *(
        "\u00bd",
        "\u00e9",
        "e\u0301",
        "\ufdfa",
        "\u0661",
        "\u0662\u0663 \u0664",
        "\u0435\u00322",
        "\u202ee2e4",
    ),
    *(
        "\u00bd e2e4",
        "\uff45\uff12\uff45\uff14",
        "\u3392",
        "\U0001f3fb",
        "\u0410\u0391A\u05d0",
        "\u1e9b\u0323",
    ),
    *("\uac01", "\u1100\u1161\u11a8", "\u0344", "\u0390", "e2\u2013e4", "\u201ce2e4\u201d", "\u200be2e4"),
)
GROWING |= {
    f"lines of {unit.encode('unicode_escape').decode()}": of(f"{unit}\r\n") for unit in (*_ORDERS, *_ODD)
}
GROWING |= {f"one line of {unit.encode('unicode_escape').decode()}": of(f"{unit} ") for unit in _ORDERS[:40]}
GROWING |= {
    f"long lines of {unit.encode('unicode_escape').decode()}": of(f"{unit * (1_500 // len(unit))}\r\n")
    for unit in (
        *_ODD,
        "any? yes: e2e4 / no: ",
        "no: ",
        "if check: e2e4; ",
        "e2e4, ",
        "a2 ",
        "<mailto:a>",
        "x@b.c ",
    )
}
GROWING |= {
    f"other lines of {text}": numbered_lines(text)
    for text in (
        *(
            "e2e4 #",
            "& e2e4",
            "sense &; if &=p: e2e4 #",
            "if capture &: e2e4 #",
            "any? yes: &e4 #",
            "no: &e4 #",
        ),
        *(
            "deploy K& #",
            "ghost Q&, Q& #",
            "\u00bd #",
            "\u00e9 # &",
            "\u0661 #",
            "\ufdfa #",
            "From: a # &",
            "a # wrote:",
        ),
        *(
            "On 2026 # <a@b.c> wrote:",
            "On 2026-01-#\r\n> a",
            "Our line number # says something about the game",
        ),
        *(
            "the # game is nice",
            "note #",
            "remind #d",
            "challenge # wild16",
            "draw # &?",
            "# accept!",
            "Von: # <a@b.c>",
        ),
    )
}
_LINES = b"sense d5; if e5=p: e2e4\r\n"
GROWING |= {
    "base64 of orders": lambda size: coded(
        b"base64", base64.encodebytes(_LINES * (size * 3 // 4 // len(_LINES)))
    ),
    "quoted-printable of halves": lambda size: coded(b"quoted-printable", b"=C2=BD\r\n" * (size // 8)),
    "html: lines of orders": of_html("<div>any? yes: e2e4 / no: d2d4</div>"),
    "html: halves": of_html("<p>&frac12;"),
    "html: pre of halves": of_html("<pre>\u00bd\n"),
    "html: links": of_html('<a href="https://a.example/b">e2e4</a>'),
    "html: hidden": of_html('<b style="display:none">a</b>'),
}


def field_of(name: str, begins: str, unit: str, ends: str = "") -> Callable[[int], bytes]:
    """An email with one long header field; `#` stands for a number."""

    def letter(size: int) -> bytes:
        many = size // len(unit)
        units = "".join(unit.replace("#", str(n)) for n in range(many)) if "#" in unit else unit * many
        return plain("e2e4", f"{name}: {begins}{units}{ends}\r\n".encode())

    return letter


#: Headers that take Python's parser minutes or deep recursion, and others like them.
HEADS: dict[str, Callable[[int], bytes]] = {
    "comments in a Content-Type": field_of("Content-Type", "text/plain", "; (a)"),
    "comments within comments": field_of("Content-Type", "text/plain ", "("),
    "comments that are closed again": field_of("Content-Type", "text/plain ", "(a ", ")"),
    "pieces of a parameter": field_of("Content-Type", "text/plain", "; a*#=b"),
    "pieces of an encoded parameter": field_of("Content-Type", "text/plain", "; a*#*=utf-8''%65"),
    "one piece again and again": field_of("Content-Type", "text/plain", "; a*1=b"),
    "parameters of a Content-Type": field_of("Content-Type", "text/plain", "; a#=b"),
    "a quotation in a Content-Type": field_of("Content-Type", 'text/plain; a="', "\\a", '"'),
    "open quotations in a Content-Type": field_of("Content-Type", "text/plain", '; a="'),
    "a boundary without end": field_of("Content-Type", 'multipart/mixed; boundary="', "b", '"'),
    "boundaries": field_of("Content-Type", "multipart/mixed", "; boundary=b#"),
    "blanks before a boundary": field_of("Content-Type", "multipart/mixed", "; boundary "),
    "encoded words in a Subject": field_of("Subject", "", "=?utf-8?q?=65?= "),
    "encoded words without end": field_of("Subject", "", "=?utf-8?b?"),
    "encoded words of blanks": field_of("Subject", "=?utf-8?q?a?=", " ", "=?utf-8?q?b?="),
    "encoded words in a From": field_of("From", "", "=?utf-8?q?=65?= ", "<a@b.c>"),
    "comments in a From": field_of("From", "", "(a)", "a@b.c"),
    "comments within comments in a To": field_of("To", "", "(", ""),
    "comments in a Date": field_of("Date", "Fri, 20 Nov 2026 12:00:00 +0000", " (a)"),
    "groups in a To": field_of("To", "", "a#: b@c.d; "),
    "dots in a Message-ID": field_of("Message-ID", "<", "a.", "@b.c>"),
    "a Subject in folds": field_of("Subject", "a", "\r\n b"),
    "a Subject in empty folds": field_of("Subject", "a", "\r\n "),
    "fields without a name": field_of("X", "", "\r\n: a"),
    "fields of other names": field_of("X", "", "\r\nX-#: a"),
    "names without a field": field_of("X", "", "\r\nX"),
    "boxes in boxes": lambda size: nested(size // 60),
    "parts": lambda size: many_parts(size // 38),
    "parts without a head": lambda size: plain(
        b"--b\r\n" * (size // 5), b"Content-Type: multipart/mixed; boundary=b\r\n"
    ),
    "forwarded letters": lambda size: forwarded(size // 30),
}
GROWING |= HEADS

#: Emails of a fixed size, most of them too big or too odd to be read.
FIXED: dict[str, bytes] = {
    "nothing": b"",
    "an empty line": b"\r\n",
    "no header": b"e2e4\r\n",
    "noise": bytes(range(256)) * 400,
    "2000 deep": nested(2_000),
    "11 deep": nested(11),
    "3000 forwarded": forwarded(3_000),
    "10000 parts": many_parts(10_000),
    "no boundary": plain("e2e4", b"Content-Type: multipart/mixed\r\n"),
    "an empty boundary": plain("--\r\n\r\ne2e4", b'Content-Type: multipart/mixed; boundary=""\r\n'),
    "a boundary that never comes": plain("e2e4", b"Content-Type: multipart/mixed; boundary=b\r\n"),
    "an endless boundary": plain(
        "e2e4", b'Content-Type: multipart/mixed; boundary="' + b"b" * 500_000 + b"\r\n"
    ),
    "parentheses": b"To: " + b"(" * 5_000 + b"\r\nFrom: " + b"(" * 5_000 + b"\r\n\r\ne2e4",
    "20000 recipients": plain(
        "e2e4", b"Cc: " + b",\r\n ".join(b"a%d@b.c" % n for n in range(20_000)) + b"\r\n"
    ),
    "a subject of encoded words": plain("e2e4", b"Subject: " + b"=?utf-8?q?=65?=" * 66_000 + b"\r\n"),
    "a subject without end": plain("e2e4", b"Subject: " + b"=?" * 500_000 + b"\r\n"),
    "a Content-Type of quotes": plain("e2e4", b"Content-Type: text/plain" + b';a="\\"' * 1_200 + b"\r\n"),
    "many headers": plain("e2e4", b"X-A: b\r\n" * 100_000),
    "many Froms": plain("e2e4", b"From: a@b.c\r\n" * 4_000),
    "From of angles": b"From: " + b"<" * 8_000 + b"\r\n\r\ne2e4",
    "From of commas": b"From: " + b"a@b," * 2_000 + b"\r\n\r\ne2e4",
    "From of backslashes": b'From: "' + b"\\" * 8_000 + b"\r\n\r\ne2e4",
    "References of angles": plain("e2e4", b"References: " + b"<" * 60_000 + b"\r\n"),
    "References of ids": plain("e2e4", b"References: " + b" <a@b>" * 9_000 + b"\r\n"),
    "two megabytes": plain("e2e4\r\n" * 350_000),
    "a zip bomb": attached("application/zip", "moves.zip", bomb()),
    "a zip bomb that says it is text": coded(b"base64", base64.encodebytes(bomb())),
    "winmail.dat": attached("application/ms-tnef", "winmail.dat", b"\x78\x9f\x3e\x22" + bytes(200_000)),
    "S/MIME": plain(base64.encodebytes(bytes(200_000)), b"Content-Type: application/pkcs7-mime\r\n"),
    "PGP": plain("-----BEGIN PGP MESSAGE-----\r\n" + "hQEMA\r\n" * 20_000),
    "uuencoded": plain("e2e4\r\n\r\nbegin 644 a.txt\r\n" + "M97)E90\r\n" * 20_000 + "end\r\n"),
    "many Message-IDs": plain("e2e4", b"Message-ID: <a@b.c>\r\n" * 2_000),
    "From of groups": b"From: a:b:c:" + b"x@y.z;" * 1_000 + b"\r\n\r\ne2e4",
    "From of nobody": b"From: <>\r\nTo: <>\r\n\r\ne2e4",
    "Reply-To is ours": plain("e2e4", b"Reply-To: ref@play.example\r\nSender: ref@play.example\r\n"),
    "two tokens, and one in Cc": plain(
        "e2e4", b"To: aeqtcmjq4eaaab7m@play.example\r\nCc: afqtcmjq4eaaab7m@play.example\r\n"
    ),
    "bare CRs, LF dot LF": plain(b"e2e4\r.\r" * 10_000 + b"\n.\nMAIL FROM:<a@b.c>\n" * 5_000),
    "dots": plain("..\r\n.\r\n" * 10_000),
    "lying charsets": plain(b"\xff\xfe\x00\xd8" * 50_000, b"Content-Type: text/plain; charset=utf-16\r\n"),
    "a charset that does not exist": plain(
        b"e2e4", b"Content-Type: text/plain; charset=" + b"x" * 900 + b"\r\n"
    ),
    "right-to-left overrides": plain("\u202e4e2e\u202c\r\n" * 10_000),
    "a million bytes of header": HEAD + b"X" * 1_000_000,
}
