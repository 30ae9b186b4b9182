"""Runs beat or a worker: `python3 -m worker thinker`. Celery's own command would take 20 MB more in each process."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from corr.worker_wakeup import CALLS, THOUGHTS
from worker.app import exit_if_refused, load_config, make_app

#: The queue of each kind of worker, and how it runs its tasks. `worker` reads and sends emails; bots need no second
#: process, as they never think long.
_KINDS: dict[str, dict[str, Any]] = {
    "worker": {},
    "thinker": {"queues": [THOUGHTS], "pool_cls": "solo"},
    "caller": {"queues": [CALLS], "concurrency": 8, "pool_cls": "threads"},
}
#: How far workers step back where processors are scarce: somebody looks at a page that is being made.
_NICENESS = 5


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m worker", description=__doc__)
    parser.add_argument("kind", choices=[*_KINDS, "beat"])
    parser.add_argument(
        "--processes", type=int, help="tasks that `worker` does at once; one a processor by default"
    )
    asked = parser.parse_args()
    if asked.kind == "beat":
        with exit_if_refused():
            app = make_app(load_config().broker_url)
        app.Beat(scheduler="worker.beat:Beat", quiet=True).run()
        return
    from worker.main import app

    os.nice(_NICENESS)
    kind = _KINDS[asked.kind] | ({"concurrency": asked.processes} if asked.processes else {})
    worker = app.Worker(quiet=True, without_gossip=True, without_mingle=True, **kind)
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
