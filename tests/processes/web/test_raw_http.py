"""Malformed HTTP to the real web server: nothing breaks it or logs an error."""

from __future__ import annotations

import re
import socket
from urllib.request import urlopen

import pytest

from tests.support.database_servers import HOST
from tests.support.public_server import PublicServer
from tests.support.waiting import TIMEOUT

LONG = b"x" * 200_000
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
PARTS = b"Content-Type: multipart/form-data; boundary=b\r\n"
ODD = {
    "nothing": b"\r\n\r\n",
    "no HTTP": b"HELO far.example\r\n\r\n",
    "TLS": bytes.fromhex("1603010200010001fc0303") + b"\r\n\r\n",
    "NUL in the path": b"GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n",
    "NUL by its number": b"GET /letters/%00 HTTP/1.1\r\nHost: h\r\n\r\n",
    "bytes that are no UTF-8": b"GET /letters/\xff\xfe HTTP/1.1\r\nHost: h\r\n\r\n",
    "no UTF-8 by its numbers": b"GET /offers/%ff%fe?%ff=%fe HTTP/1.1\r\nHost: h\r\n\r\n",
    "half a number": b"GET /letters/%f HTTP/1.1\r\nHost: h\r\n\r\n",
    "an endless path": b"GET /" + LONG + b" HTTP/1.1\r\nHost: h\r\n\r\n",
    "many folders up": b"GET /static/../../../../etc/passwd HTTP/1.1\r\nHost: h\r\n\r\n",
    "folders up by their numbers": b"GET /static/%2e%2e%2f%2e%2e%2fserving.py HTTP/1.1\r\nHost: h\r\n\r\n",
    "a whole URL": b"GET http://far.example/lobby/ HTTP/1.1\r\nHost: h\r\n\r\n",
    "a tunnel": b"CONNECT far.example:443 HTTP/1.1\r\nHost: h\r\n\r\n",
    "a star": b"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
    "two slashes": b"GET //far.example/lobby HTTP/1.1\r\nHost: h\r\n\r\n",
    "no host": b"GET /lobby/ HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /lobby/ HTTP/1.1\r\nHost: h\r\nHost: far.example\r\n\r\n",
    "a strange host": b"GET /sign-in HTTP/1.1\r\nHost: [::1\r\n\r\n",
    "a host of bytes": b"GET /sign-in HTTP/1.1\r\nHost: \xff\xfe@:x\r\n\r\n",
    "a head of bytes": b"GET /lobby/ HTTP/1.1\r\nHost: h\r\nCookie: corr=\xff\xfe; corr; =; ;;\r\n\r\n",
    "a cookie that is not ours": b"GET /lobby/ HTTP/1.1\r\nHost: localhost\r\nCookie: corr=.eJw.a.b\r\n\r\n",
    "an endless head": b"GET / HTTP/1.1\r\nHost: h\r\nOdd: " + LONG + b"\r\n\r\n",
    "a thousand heads": b"GET / HTTP/1.1\r\nHost: h\r\n" + b"Odd: x\r\n" * 1_000 + b"\r\n",
    "NUL in a head": b"GET / HTTP/1.1\r\nHost: h\r\nOdd: a\0b\r\n\r\n",
    "a folded head": b"GET / HTTP/1.1\r\nHost: h\r\nOdd: a\r\n b\r\n\r\n",
    "an old ETag of bytes": b'GET /static/any/base.css HTTP/1.1\r\nHost: h\r\nIf-None-Match: "\xff, W/*,,\r\n\r\n',
    "an impossible date": b"GET /static/any/base.css HTTP/1.1\r\nHost: h\r\nIf-Modified-Since: 99 Foo 0\r\n\r\n",
    "impossible ranges": b"GET /static/any/base.css HTTP/1.1\r\nHost: h\r\nRange: bytes=9-1,-,0-99999999999\r\n\r\n",
    "a token of bytes": b"GET /metrics HTTP/1.1\r\nHost: h\r\nVia: x\r\nAuthorization: Bearer \xff\r\n\r\n",
    "a negative length": b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
    "a length of letters": b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n",
    "two lengths": b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a form too large": b"POST /sign-in HTTP/1.1\r\nHost: h\r\n%bContent-Length: 200000\r\n\r\n%b"
    % (FORM, LONG),
    "bad chunks": b"POST /sign-in HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n",
    "chunks and a length": b"POST /sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a form of bytes": b"POST /sign-in HTTP/1.1\r\nHost: h\r\n%bContent-Length: 9\r\n\r\ncsrf=\xff%%f&"
    % FORM,
    "parts without an end": b"POST /sign-in HTTP/1.1\r\nHost: h\r\n%bContent-Length: 9\r\n\r\n--b\r\nodd\r"
    % PARTS,
    "a file": b"POST /sign-in HTTP/1.1\r\nHost: h\r\n%bContent-Length: 68\r\n\r\n" % PARTS
    + b'--b\r\nContent-Disposition: form-data; name="csrf"; filename="x"\r\n\r\n',
    "a method of its own": b"ODD /lobby/ HTTP/1.1\r\nHost: h\r\n\r\n",
    "a method in small letters": b"get /lobby/ HTTP/1.1\r\nHost: h\r\n\r\n",
    "an HTTP to come": b"GET / HTTP/9.9\r\nHost: h\r\n\r\n",
}


def answer_to(server: PublicServer, raw: bytes) -> bytes:
    """The whole answer until the server hangs up, which may happen while we still write."""
    with socket.create_connection((HOST, server.port), 10) as line:
        answer = b""
        try:
            line.sendall(raw.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
            line.shutdown(socket.SHUT_WR)
            while piece := line.recv(65_536):
                answer += piece
        except OSError:
            pass
    return answer


@pytest.mark.parametrize("name", ODD)
def test_no_bytes_break_the_pages(public_server: PublicServer, name: str) -> None:
    answer = answer_to(public_server, ODD[name])

    found = re.match(rb"HTTP/1\.[01] ([2-4]\d\d)|$", answer)
    assert found, answer[:200]
    assert (b"Traceback" in answer, b"root:" in answer) == (False, False)
    assert public_server.problems() == []
    with urlopen(f"{public_server.url}/lobby/", timeout=TIMEOUT) as page:
        assert page.status == 200
