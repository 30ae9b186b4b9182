"""The folder of a house that is to be: each file of it, and where it belongs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from corr.quickstart import records
from corr.quickstart.plan import Plan
from corr.words.errors import Misconfigured

_OWN = Path(__file__).parent / "files"


class Written(NamedTuple):
    """A file of the folder, where it belongs, and what it is for."""

    name: str
    place: str
    purpose: str


WRITTEN = (
    Written("corr.env", "/etc/corr.env", "what the house is set to, its secrets among it"),
    Written("corr@.service", "/etc/systemd/system/corr@.service", "one unit for all its processes"),
    Written("as_corr", "/usr/local/sbin/as_corr", "runs an operator's command as the house's user"),
    Written("main.cf", "into /etc/postfix/main.cf, by postconf", "Postfix: who takes letters, and for whom"),
    Written(
        "header_checks", "/etc/postfix/header_checks", "Postfix: what is taken away before it is believed"
    ),
    Written("opendkim.conf", "/etc/opendkim.conf", "signs letters"),
    Written("dkim.private", "/etc/dkimkeys/corr.private", "the key that they are signed with"),
    Written("opendmarc.conf", "/etc/opendmarc.conf", "says whether a letter comes from where it says"),
    Written("nginx.conf", "/etc/nginx/sites-available/corr", "the web server before the pages"),
    Written("dns.txt", "your domain's DNS", "the records below"),
    Written("install.sh", "", "puts all of it in its place"),
)


def write(plan: Plan, folder: Path) -> None:
    """Make a folder and all its files, for nobody's eyes but its owner's; what is there is never written over."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Misconfigured(
                f"{folder} holds something already, and nothing was written: name another folder with --into."
                f" To keep the key of one that was written before, add --dkim-key {folder / 'dkim.private'}"
            )
        for each in WRITTEN:
            _write(folder / each.name, text_of(each.name, plan))
    except OSError as error:
        raise Misconfigured(f"{folder} cannot be written: {error.strerror}") from error


def text_of(name: str, plan: Plan) -> str:
    """What one of the files holds."""
    if name == "dns.txt":
        return records.zone(plan)
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
