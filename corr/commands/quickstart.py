"""`corr quickstart`: writes all files that a new server needs into a folder."""

from __future__ import annotations

import re
import secrets
import shlex
import sys
from ipaddress import ip_address
from pathlib import Path
from shutil import which

import click

from corr.quickstart import folder, settings
from corr.quickstart.settings import new_key, read_key
from corr.words.errors import Misconfigured

_PATH_RULE = '"{}" isn\'t a full path. It must begin with a slash.'
_MAILBOX_RULE = '"{}" isn\'t an email address. Write one like ann@example.org.'
_SELECTOR_RULE = "It can have only lower-case letters, digits and hyphens."
_LIVE, _PARTS = "/etc/letsencrypt/live/{domain}/{part}.pem", ("fullchain", "privkey")


@click.command()
@click.argument("domain")
@click.option("--host", help="This machine's full name in DNS. Default: the name it gives itself.")
@click.option(
    "--into", type=click.Path(path_type=Path), help="The new folder. Default: one named after the DOMAIN."
)
@click.option(
    "--database",
    type=click.Choice(["postgresql", "sqlite"]),
    default="postgresql",
    show_default=True,
    help="PostgreSQL can hide the true positions from the database role that the pages use. SQLite needs no server.",
)
@click.option(
    "--operator",
    "operators",
    multiple=True,
    help=("Your email address, which gives you the admin pages at /admin/. Can be given several times."),
)
@click.option(
    "--address",
    "addresses",
    multiple=True,
    help=(
        "A public address of this machine; give it once for IPv4 and once for IPv6. Default: the addresses that this "
        "command finds."
    ),
)
@click.option(
    "--certificate",
    nargs=2,
    metavar="PEM KEY",
    help="The pages' certificate with its chain, and its key. Default: where certbot puts them.",
)
@click.option(
    "--dkim-key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An opendkim key to sign email with. Default: a new key.",
)
@click.option(
    "--selector", default="corr", show_default=True, help="The DKIM selector: the name of that key in DNS."
)
def quickstart(  # noqa: PLR0913  # an option each
    *,
    domain: str,
    host: str | None,
    into: Path | None,
    database: str,
    operators: tuple[str, ...],
    addresses: tuple[str, ...],
    certificate: tuple[str, str] | None,
    dkim_key: Path | None,
    selector: str,
) -> None:
    """Write all files this machine needs to run corr.

    Players write to the mail DOMAIN and find the pages there. This command writes only into a new or empty
    folder, changes nothing outside it, and prints the DNS records you need. Read the files, then run install.sh
    there as root.

    Example: corr quickstart play.example.org --operator you@example.org
    """
    name = settings.parse_host_name(domain)
    pem, pem_key = (
        _checked("--certificate", settings.PATH, _PATH_RULE, each)
        for each in certificate or (_LIVE.format(domain=name, part=part) for part in _PARTS)
    )
    made = settings.Plan(
        domain=name,
        host=settings.parse_host_name(host) if host else settings.find_host_name(),
        program=_program(),
        database=database,
        operators=tuple(_checked("--operator", settings.MAILBOX, _MAILBOX_RULE, each) for each in operators),
        addresses=tuple(map(_address, addresses)) or tuple(settings.find_addresses()),
        certificate=pem,
        certificate_key=pem_key,
        selector=_checked("--selector", settings.LABEL, _SELECTOR_RULE, selector),
        key=read_key(dkim_key.read_bytes()) if dkim_key else new_key(),
        token=secrets.token_hex(24),
        password=secrets.token_hex(24),
    )
    where = (into or Path(name)).absolute()
    folder.write_folder(made, where)
    _tell(made, where)


def _program() -> Path:
    """Return the full path of this installation's `corr`."""
    beside = Path(sys.executable).parent / "corr"
    found = beside if beside.is_file() else which("corr")
    if found is None:
        missing = "The corr program isn't next to this Python or on the PATH."
        raise Misconfigured(f"{missing} Install it first, for example with pip.")
    return Path(found)


def _checked(option: str, pattern: re.Pattern[str], rule: str, text: str) -> str:
    """Return an option's value if it fits the pattern; else fail with the rule."""
    if not pattern.fullmatch(text):
        raise click.BadParameter(rule.format(text), param_hint=option)
    return text


def _address(text: str) -> str:
    """Check a value of --address; return the IP address in its usual form."""
    try:
        return str(ip_address(text))
    except ValueError as error:
        rule = f'"{text}" isn\'t an IP address. Write one like 203.0.113.7.'
        raise click.BadParameter(rule, param_hint="--address") from error


def _tell(made: settings.Plan, where: Path) -> None:
    """Print which files were written, and what to do next."""
    width = max(len(each.name) for each in folder.PLANNED_FILES)
    places = max(len(each.place) for each in folder.PLANNED_FILES)
    click.echo(f"Wrote these files into {where}, for {made.domain} on the machine {made.host}:\n")
    for each in folder.PLANNED_FILES:
        click.echo(f"    {each.name:<{width}}  {each.place:<{places}}  {each.purpose}")
    script = shlex.quote(f"{where}/install.sh")
    click.echo(f"\nRead them. Then run this as root to put them in place:\n\n    sh {script}\n")
    trouble = settings.why_not_runnable(made.program)
    if trouble:
        click.secho(f"Before that: {trouble}", fg="red")
        advice = "Install corr somewhere else, such as /opt/corr, and run its corr quickstart again.\n"
        click.secho(advice, fg="red")
    click.echo(f"Add these DNS records (also in {where}/dns.txt):\n")
    click.echo(folder.write_zone(made))
    click.echo("Then run this to see what is still wrong:  as_corr doctor --dns --mail")
