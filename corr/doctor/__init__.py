"""`corr doctor`: what is set, what answers, what is wrong and how to fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from corr.config import Config
from corr.doctor import database, disk, mail, player_names, servers, settings
from corr.doctor.finding import Finding, wrong
from corr.service.house import House, house_of
from corr.words.errors import CorrError

#: What is looked at only where it was asked for.
Further = Callable[[House, Config], Iterable[Finding]]


def examine(environ: Mapping[str, str], *further: Further) -> list[Finding]:
    """Everything, as far as one can get with what is set."""
    findings = [*settings.findings(environ)]
    try:
        config = Config.from_env(environ)
        house = house_of(config)
    except CorrError as error:
        return [*findings, wrong("settings", str(error))]
    try:
        findings += database.findings(house)
        findings += database.findings_by_the_web(config)
        findings += disk.findings(config)
        findings += mail.findings(house)
        findings += player_names.findings(house)
        findings += servers.findings(config)
        for look in further:
            findings += look(house, config)
    except CorrError as error:
        findings.append(wrong("settings", str(error)))
    house.post.close()
    house.store.close()
    return findings
