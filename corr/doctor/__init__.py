"""`corr doctor`: what is set, what answers, what is wrong and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from corr.config import Config
from corr.desk.house import house_of
from corr.doctor import database, letters, names, servers, settings
from corr.doctor.finding import Finding, wrong
from corr.words import CorrError


def examine(environ: Mapping[str, str]) -> list[Finding]:
    """Everything, as far as one can get with what is set."""
    findings = [*settings.look(environ)]
    try:
        config = Config.from_env(environ)
        house = house_of(config)
    except CorrError as error:
        return [*findings, wrong("settings", str(error))]
    try:
        findings += database.look(house)
        findings += database.look_by_the_web(config)
        findings += letters.look(house)
        findings += names.look(house)
        findings += servers.look(config)
    except CorrError as error:
        findings.append(wrong("settings", str(error)))
    house.store.close()
    return findings
