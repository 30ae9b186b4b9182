"""Runs a Postfix set up by the files of `corr quickstart`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.support.database_servers import HOST, answers, free_port
from tests.support.quickstart import file_text, file_text_with
from tests.support.waiting import TIMEOUT, wait_until

#: Postfix treats this address as outside; `HOST` is this machine.
OUTSIDE_HOST = "127.0.0.2"
_PROGRAMS = Path("/usr/lib/postfix/sbin")
_SERVICES = """
{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class PostfixServer:
    """A mail server before corr: it delivers to corr by LMTP, and relays what corr sends."""

    def __init__(
        self, folder: Path, domain: str, lmtp_port: int, smarthost_port: int, signer_port: int | None = None
    ) -> None:
        self.port = free_port()
        self._folder, self._domain = folder, domain
        self._lmtp_port, self._smarthost_port, self._signer_port = lmtp_port, smarthost_port, signer_port
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def missing() -> str:
        """The package to install first; empty if none."""
        return "" if (_PROGRAMS / "master").exists() and shutil.which("postconf") else "postfix"

    @staticmethod
    def may_be_started() -> bool:
        """Postfix must be started by root."""
        return os.geteuid() == 0

    def start(self) -> None:
        self._folder.chmod(0o755)
        settings = {
            "compatibility_level": "3.6",
            "queue_directory": self._folder / "queue",
            "data_directory": self._folder / "data",
            "daemon_directory": _PROGRAMS,
            "maillog_file": self._folder / "log",
            "maillog_file_prefixes": self._folder,
            "inet_interfaces": HOST,
            "inet_protocols": "ipv4",
            "mynetworks": f"{HOST}/32",
            "alias_maps": "",
            "alias_database": "",
            "relayhost": f"[{HOST}]:{self._smarthost_port}",
        }
        (self._folder / "main.cf").write_text("".join(f"{key} = {said}\n" for key, said in settings.items()))
        (self._folder / "master.cf").write_text(_SERVICES.format(port=f"{HOST}:{self.port}"))
        for name in ("queue", "data"):
            (self._folder / name).mkdir()
        shutil.chown(self._folder / "data", "postfix")
        (self._folder / "header_checks").write_text(file_text("header_checks", domain=self._domain))
        self._run("postconf", "-e", *self._recipe())
        self._run("postfix", "check")
        self._process = subprocess.Popen([_PROGRAMS / "master", "-c", self._folder, "-d"])
        wait_until(lambda: answers(self.port), "Postfix answers")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(TIMEOUT)
            self._process = None

    def _recipe(self) -> list[str]:
        """Quickstart's settings without opendmarc, which would ask a name server."""
        told = file_text_with(
            "main.cf",
            (r"127\.0\.0\.1:8024", f"{HOST}:{self._lmtp_port}"),
            (r", inet:127\.0\.0\.1:8893", ""),
            (r"inet:127\.0\.0\.1:8891", f"inet:{HOST}:{self._signer_port}" if self._signer_port else ""),
            (r"/etc/postfix/header_checks", f"{self._folder}/header_checks"),
            domain=self._domain,
        )
        return [line for line in told.splitlines() if not line.startswith("#")]

    def _run(self, program: str, *words: str) -> None:
        subprocess.run([program, "-c", self._folder, *words], check=True, capture_output=True)
