"""`corr process`: runs one process of the Procfile, for a service manager."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from corr.processes import read_procfile


@click.command()
@click.argument("name", type=click.Choice(list(read_procfile())))
def process(name: str) -> None:
    """Run one of the Procfile's processes.

    For a service manager such as systemd.

    Example: corr process web
    """
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    command = ("/bin/sh", "-c", f"exec {read_procfile()[name]}")
    os.chdir("/")  # run the installed modules, not those in the current folder
    os.execve(command[0], command, os.environ | {"PATH": programs})  # noqa: S606  # the Procfile's own line
