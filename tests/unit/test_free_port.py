"""`free_port`: two tests never get the same port."""

from __future__ import annotations

import subprocess
import sys

from tests.support.database_servers import free_port

_GET_PORT = "from tests.support.database_servers import free_port; print(free_port(), flush=True); input()"


def test_a_port_is_not_given_out_twice_while_its_process_runs() -> None:
    mine = free_port()
    others = [
        subprocess.Popen([sys.executable, "-c", _GET_PORT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    given = [mine, *(int(other.stdout.readline()) for other in others if other.stdout), free_port()]
    for other in others:
        other.communicate(b"\n")

    assert len(set(given)) == 4
