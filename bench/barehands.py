"""The Celery app of the floor: tasks of the house's names that do a tape's database work and hand letters over."""

from __future__ import annotations

import os
from functools import cache

from celery import Celery

from bench.bare import BarePost, desk_of_environment
from bench.tape import BareDesk
from corr.knock import Knocker, Work

app = Celery("bare", broker=os.environ["CORR_REDIS_URL"])
app.conf.update(task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=1)
_knock = Knocker(os.environ["CORR_REDIS_URL"])


@cache
def _desk() -> BareDesk:
    return desk_of_environment()


@cache
def _post() -> BarePost:
    return BarePost(os.environ["CORR_SMTP_URL"])


@app.task(name=Work.READ.value)
def read() -> None:
    while _desk().read_some():
        _knock(Work.SEND)


@app.task(name=Work.SEND.value)
def send() -> None:
    while _desk().send_some(_post().send):
        pass
