"""Ports of tests: none is two houses', whose visitors would come to one of them by chance."""

from __future__ import annotations

import subprocess
import sys

from tests.support.database_servers import free_port

_ASKED = "from tests.support.database_servers import free_port; print(free_port(), flush=True); input()"


def test_a_port_is_not_given_again_before_who_has_it_ends() -> None:
    mine = free_port()
    others = [
        subprocess.Popen([sys.executable, "-c", _ASKED], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    given = [mine, *(int(other.stdout.readline()) for other in others if other.stdout), free_port()]
    for other in others:
        other.communicate(b"\n")

    assert len(set(given)) == 4
