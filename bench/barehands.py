"""The Celery app of the floor: tasks of the house's names that do a floor's database work and hand letters over."""

from __future__ import annotations

import os
from functools import cache

from celery import Celery

from bench.bare import BarePost, Desk, desk_of_environment
from corr.worker_wakeup import Work

app = Celery("bare", broker=os.environ["CORR_REDIS_URL"])
app.conf.update(task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=1)


@cache
def _desk() -> Desk:
    return desk_of_environment()


@cache
def _post() -> BarePost:
    return BarePost(os.environ["CORR_SMTP_URL"])


def _carry() -> None:
    _desk().take_turns(_post().send)


app.task(_carry, name=Work.LETTERS.value)
