"""The folder of a house that is to be: each file of it, and where it belongs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from corr.quickstart import dns_records
from corr.quickstart.settings import Plan
from corr.words.errors import Misconfigured

_OWN = Path(__file__).parent / "files"


class Written(NamedTuple):
    """A file of the folder, where it belongs, and what it is for."""

    name: str
    place: str
    purpose: str


WRITTEN = (
    Written("corr.env", "/etc/corr.env", "corr's settings, with its secrets"),
    Written("corr@.service", "/etc/systemd/system/corr@.service", "one unit for all processes"),
    Written("as_corr", "/usr/local/sbin/as_corr", "runs an admin's command as corr's user"),
    Written("main.cf", "into /etc/postfix/main.cf, by postconf", "Postfix: which email it accepts"),
    Written("header_checks", "/etc/postfix/header_checks", "Postfix: removes headers that we must not trust"),
    Written("opendkim.conf", "/etc/opendkim.conf", "signs email"),
    Written("dkim.private", "/etc/dkimkeys/corr.private", "the key to sign with"),
    Written("opendmarc.conf", "/etc/opendmarc.conf", "checks whether an email really comes from its sender"),
    Written("nginx.conf", "/etc/nginx/sites-available/corr", "the web server in front of the pages"),
    Written("dns.txt", "your domain's DNS", "the records below"),
    Written("install.sh", "", "puts everything in place"),
)


def write(plan: Plan, folder: Path) -> None:
    """Make a folder and all its files, for nobody's eyes but its owner's; what is there is never written over."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Misconfigured(
                f"{folder} isn't empty, so I wrote nothing. Choose another folder with "
                "--into. To keep the key from there, add --dkim-key "
                f"{folder / 'dkim.private'}"
            )
        for each in WRITTEN:
            _write(folder / each.name, text_of(each.name, plan))
    except OSError as error:
        raise Misconfigured(f"Can't write to {folder}: {error.strerror}") from error


def text_of(name: str, plan: Plan) -> str:
    """What one of the files holds."""
    if name == "dns.txt":
        return dns_records.zone(plan)
    if name == "dkim.private":
        return plan.key.pem
    return _SHELF.get_template(name).render(plan=plan)


#: Settings and scripts, not pages: nothing in them is to be escaped, and a plan holds names that were looked at.
_SHELF = Environment(  # noqa: S701
    loader=FileSystemLoader(_OWN),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _write(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
