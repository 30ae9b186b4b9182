"""`corr quickstart`: what a machine needs to run a house, written into a folder, shown with its places."""

from __future__ import annotations

import secrets
import shlex
import sys
from ipaddress import ip_address
from pathlib import Path
from shutil import which

import click

from corr.quickstart import folder, plan, records
from corr.quickstart.keys import key_of, new_key
from corr.words.errors import Misconfigured

_LIVE, _PARTS = "/etc/letsencrypt/live/{domain}/{part}.pem", ("fullchain", "privkey")


@click.command()
@click.argument("domain")
@click.option("--host", help="This machine's own name, as DNS knows it. Unless given, what it calls itself.")
@click.option(
    "--into", type=click.Path(path_type=Path), help="The new folder. Unless given, one named as the DOMAIN."
)
@click.option(
    "--database",
    type=click.Choice(["postgresql", "sqlite"]),
    default="postgresql",
    show_default=True,
    help="PostgreSQL keeps the truths from the pages by a role of their own; SQLite needs no server.",
)
@click.option(
    "--operator", "operators", multiple=True, help="A mail address of yours: by it you see the pages /admin/."
)
@click.option(
    "--address",
    "addresses",
    multiple=True,
    help="An address of this machine as the world sees it; once for IPv4, once for IPv6. Unless given, what it finds.",
)
@click.option(
    "--certificate",
    nargs=2,
    metavar="PEM KEY",
    help="The pages' certificate with its chain, and its key. Unless given, where certbot puts them.",
)
@click.option(
    "--dkim-key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A key of opendkim's to sign letters with. Unless given, a new one is made.",
)
@click.option("--selector", default="corr", show_default=True, help="Under which name DNS knows that key.")
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
    """Write into one folder what this machine needs to be the house of a mail DOMAIN, and tell what DNS needs.

    Players write to that DOMAIN and find the pages there. Nothing is changed outside of the folder: read what is in
    it, then run its install.sh as root. A folder that holds something already is left alone.
    """
    name = plan.name_of(domain)
    pem, pem_key = map(_path, certificate or (_LIVE.format(domain=name, part=part) for part in _PARTS))
    made = plan.Plan(
        domain=name,
        host=plan.name_of(host) if host else plan.name_of_this_machine(),
        program=_program(),
        database=database,
        operators=tuple(map(_mailbox, operators)),
        addresses=tuple(map(_address, addresses)) or tuple(plan.addresses_of_this_machine()),
        certificate=pem,
        certificate_key=pem_key,
        selector=_selector(selector),
        key=key_of(dkim_key.read_bytes()) if dkim_key else new_key(),
        token=secrets.token_hex(24),
        password=secrets.token_hex(24),
    )
    where = (into or Path(name)).absolute()
    folder.write(made, where)
    _tell(made, where)


def _program() -> Path:
    """The `corr` of this very installation: a service is given its full path."""
    beside = Path(sys.executable).parent / "corr"
    found = beside if beside.is_file() else which("corr")
    if found is None:
        raise Misconfigured("There is no program corr beside this Python, nor on the path: install it first.")
    return Path(found)


def _mailbox(text: str) -> str:
    if not plan.MAILBOX.fullmatch(text):
        raise click.BadParameter(f'"{text}" is no mail address.', param_hint="--operator")
    return text


def _path(text: str) -> str:
    if not plan.PATH.fullmatch(text):
        raise click.BadParameter(f'"{text}" is no full path.', param_hint="--certificate")
    return text


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError as error:
        raise click.BadParameter(f'"{text}" is no address of a machine.', param_hint="--address") from error


def _selector(text: str) -> str:
    if not plan.LABEL.fullmatch(text):
        raise click.BadParameter("It has small letters, digits and hyphens alone.", param_hint="--selector")
    return text


def _tell(made: plan.Plan, where: Path) -> None:
    width = max(len(each.name) for each in folder.WRITTEN)
    places = max(len(each.place) for each in folder.WRITTEN)
    click.echo(f"Written into {where}, for the house at {made.domain} on the machine {made.host}:\n")
    for each in folder.WRITTEN:
        click.echo(f"    {each.name:<{width}}  {each.place:<{places}}  {each.purpose}")
    script = shlex.quote(f"{where}/install.sh")
    click.echo(f"\nRead them, and then let them be put in their places, as root:\n\n    sh {script}\n")
    trouble = plan.why_no_service_can_run(made.program)
    if trouble:
        click.secho(f"But first: {trouble}", fg="red")
        click.secho(
            "Install corr elsewhere, as in /opt/corr, and run that one's corr quickstart again.\n", fg="red"
        )
    click.echo(f"DNS has to say (this stands in {where}/dns.txt too):\n")
    click.echo(records.zone(made))
    click.echo("Once it does, this tells what is still wrong:  as_corr doctor --dns --mail")
