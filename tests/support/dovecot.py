"""Runs a Dovecot IMAP server on free ports, as the user nobody."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from imapclient import IMAPClient

from tests.support.certificates import certificate_for
from tests.support.database_servers import HOST, answers, free_port
from tests.support.waiting import TIMEOUT, wait_until

USER, PASSWORD = "corr@play.example", "it's:p@ss/word"
NAME = "localhost"
#: A name of this machine that looks remote.
REMOTE_NAME = "127.1"
_SETTINGS = """
protocols = imap
listen = {host}
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 0
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{certificate}
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:{folder}/mail
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
"""


class DovecotServer:
    """An IMAP server with mailboxes of one user."""

    def __init__(self, folder: Path) -> None:
        self.port, self.tls_port = free_port(), free_port()
        self.certificate = certificate_for(folder, NAME, REMOTE_NAME)
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name

    @staticmethod
    def missing() -> str:
        """What has to be installed before one can be started; empty if nothing."""
        return "" if shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin") else "dovecot-imapd"

    def url(self, folder: str, *, password: str = PASSWORD) -> str:
        """A mailbox as a value of `CORR_IMAP_URL`."""
        user, secret, box = (quote(each, safe="") for each in (USER, password, folder))
        return f"imaps://{user}:{secret}@{NAME}:{self.tls_port}/{box}"

    def start(self) -> None:
        group = grp.getgrgid(pwd.getpwnam(self._user).pw_gid).gr_name
        conf = self._folder / "dovecot.conf"
        conf.write_text(
            _SETTINGS.format(
                host=HOST,
                folder=self._folder,
                user=self._user,
                group=group,
                certificate=self.certificate,
                password=PASSWORD,
                port=self.port,
                tls_port=self.tls_port,
            )
        )
        for path in (self._folder, *self._folder.iterdir()):
            if os.geteuid() == 0 and path.owner() != self._user:
                shutil.chown(path, self._user, group)
        self._process = subprocess.Popen(
            ["/usr/sbin/dovecot", "-F", "-c", str(conf)],
            user=self._user if os.geteuid() == 0 else None,
            group=group if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
            cwd=self._folder,
            start_new_session=True,
        )
        wait_until(lambda: answers(self.port), "Dovecot answers")

    def kill(self) -> None:
        """Stop at once, and cut all connections."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(TIMEOUT)
            self._process = None

    def log(self) -> str:
        return (self._folder / "log").read_text()

    @contextmanager
    def connect(self) -> Iterator[IMAPClient]:
        """Connect as another client."""
        with IMAPClient(HOST, self.port, ssl=False, timeout=TIMEOUT) as client:
            client.login(USER, PASSWORD)
            yield client

    def make_mailbox(self, folder: str) -> None:
        """Create a mailbox, replacing one of that name."""
        with self.connect() as client:
            if client.folder_exists(folder):
                client.delete_folder(folder)
            client.create_folder(folder)

    def add_emails(self, folder: str, *letters: bytes, at: datetime | None = None) -> None:
        """Put emails into a mailbox, now or at a given time."""
        with self.connect() as client:
            for raw in letters:
                client.append(folder, raw, msg_time=at)

    def flags(self, folder: str) -> list[set[bytes]]:
        """The flags of each email in a mailbox."""
        with self.connect() as client:
            client.select_folder(folder, readonly=True)
            found = client.fetch(client.search(), ["FLAGS"])
            return [set(each[b"FLAGS"]) - {b"\\Recent"} for _, each in sorted(found.items())]

    def validity(self, folder: str) -> int:
        """The UIDVALIDITY of a mailbox."""
        with self.connect() as client:
            return int(client.folder_status(folder, ["UIDVALIDITY"])[b"UIDVALIDITY"])
