"""Runs mutt as a player would: it replies to an email over SMTP and TLS."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

from tests.support.waiting import TIMEOUT

_SETTINGS = """
set from={player} use_from=yes use_envelope_from=yes
set editor={folder}/editor include=yes fast_reply=yes reply_to=yes abort_unmodified=no
set folder={folder} tmpdir={folder} mbox_type=mbox spoolfile={folder}/mailbox record="" postponed={folder}/postponed
set smtp_url=smtp://localhost:{port}/ ssl_starttls=yes ssl_force_tls=yes
set certificate_file={certificate} ssl_ca_certificates_file={certificate}
set quit=yes delete=no move=no sleep_time=0 wait_key=no
"""
# Writes above the quoted text, as people in a hurry do.
_EDITOR = """#!/bin/sh
{{ cat {folder}/text; cat "$1"; }} > "$1.new" && mv "$1.new" "$1"
"""
_KEYS = 'push "<reply><send-message><quit>"'


class Mutt:
    """A mail program on a pseudo-terminal."""

    def __init__(self, folder: Path, port: int, certificate: Path) -> None:
        self._folder, self._port, self._certificate = folder, port, certificate

    @staticmethod
    def missing() -> str:
        """The package to install first; empty if none."""
        return "" if shutil.which("mutt") else "mutt"

    def answer(self, letter: EmailMessage, player: str, text: str) -> None:
        """Reply to an email, which mutt quotes below."""
        folder = self._folder
        (folder / "text").write_text(f"{text}\n\n")
        (folder / "editor").write_text(_EDITOR.format(folder=folder))
        (folder / "editor").chmod(0o755)
        (folder / "mailbox").write_bytes(
            b"From umpire Fri Nov 20 12:00:00 2026\n" + letter.as_bytes().replace(b"\r\n", b"\n") + b"\n"
        )
        settings = _SETTINGS.format(
            player=player, folder=folder, port=self._port, certificate=self._certificate
        )
        (folder / "muttrc").write_text(settings)
        self._run("mutt", "-n", "-F", str(folder / "muttrc"), "-f", str(folder / "mailbox"), "-e", _KEYS)

    def _run(self, *command: str) -> None:
        screen, terminal = pty.openpty()
        environ = {"PATH": os.environ["PATH"], "HOME": str(self._folder), "TERM": "xterm"}
        with subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, env=environ, start_new_session=True
        ) as process:
            os.close(terminal)
            shown = b""
            with suppress(OSError):  # at its end the terminal is gone
                while more := os.read(screen, 65_536):
                    shown += more
            os.close(screen)
            assert process.wait(TIMEOUT) == 0, shown
