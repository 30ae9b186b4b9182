"""`corr doctor`: what is set, what answers, what is wrong and how to fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from corr.config import Config
from corr.doctor import database, disk, mail, servers, settings
from corr.doctor.finding import Finding, report_problem
from corr.service.server import Server, build_server
from corr.words.errors import CorrError

#: A check that runs only on request, such as that of `--dns`.
ExtraCheck = Callable[[Server, Config], Iterable[Finding]]


def run_checks(environ: Mapping[str, str], *further: ExtraCheck) -> list[Finding]:
    """Run all checks that the settings allow, then the `further` ones; return what they found."""
    findings = [*settings.findings(environ)]
    try:
        config = Config.from_env(environ)
        server = build_server(config)
    except CorrError as error:
        return [*findings, report_problem("settings", str(error))]
    checks: list[Callable[[], Iterable[Finding]]] = [
        lambda: database.findings(server),
        lambda: database.check_web_role(config),
        lambda: disk.findings(config),
        lambda: mail.findings(server),
        lambda: database.check_player_names(server),
        lambda: servers.findings(config),
        *(partial(look, server, config) for look in further),
    ]
    try:
        for check in checks:
            with suppress(SQLAlchemyError):  # the first check has said that the database doesn't answer
                findings += check()
    except CorrError as error:
        findings.append(report_problem("settings", str(error)))
    server.mailer.close()
    server.store.close()
    return findings
