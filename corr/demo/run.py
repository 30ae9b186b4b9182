"""Runs `corr demo`: the whole server in one process, with mailboxes for its people."""

from __future__ import annotations

import logging
import socket
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import click
from celery import Celery
from celery.beat import EmbeddedService
from celery.worker import WorkController
from werkzeug.serving import make_server

from corr.config import Config
from corr.demo.clock import DemoClock
from corr.demo.mailbox import AUTHSERV_ID, DOMAIN, OLGA, Mailboxes
from corr.demo.pages import Demo, demo_pages, new_demo_game, wait_until_idle
from corr.demo.past_games import play_past_games
from corr.demo.personal_pages import open_personal_pages
from corr.mail.smtp_server import EmailReceiver, ListenAddress, Listener, SmtpProtocol
from corr.processes import catch_stop_signals
from corr.service.mail.entrance import EmailEntrance
from corr.service.server import build_server
from corr.store import version
from corr.store.session import Store
from corr.web import create_app
from corr.worker_wakeup import CALLS, THOUGHTS, WorkerWaker
from worker.tasks import make_worker_app

_BROKER = "memory://"
_HOST = "127.0.0.1"
_THREADS = 2
_POLLING = 0.02
_LEASE = timedelta(seconds=5)
_ANSWERS_AN_HOUR = 1000  # the emails that get an answer within an hour: enough to play a whole game


def run(folder: Path | None, port: int, *, empty: bool = False) -> None:
    """Run the demo in this process until Ctrl-C; keep its data in `folder`, if given."""
    stop = catch_stop_signals()
    with ExitStack() as stack:
        where = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="corr-demo-")))
        where.mkdir(parents=True, exist_ok=True)
        listening = stack.enter_context(_open_port(port))
        address = f"http://{_HOST}:{listening.getsockname()[1]}"
        demo = _demo(stack, where, address)
        _start_workers(stack, make_worker_app(demo.server, demo.knock, _BROKER))
        _serve(stack, demo, listening)
        is_new = demo.mailbox.count() == 0
        if is_new:
            new_demo_game(demo, "wild16")
        wait_until_idle(demo)
        click.echo(
            f"Open {address}/demo/ and answer the emails, or move on the boards. Press "
            "Ctrl-C to end the demo."
        )
        click.echo(f"SMTP is listening on {demo.listener.host}:{demo.listener.port}.")
        if is_new and not empty:
            threading.Thread(
                target=play_past_games, args=(demo, stop), name="past games", daemon=True
            ).start()
        stop.wait()
        click.echo("Goodbye.")


def _demo(stack: ExitStack, where: Path, address: str) -> Demo:
    """Build the demo's server, clock and mailboxes, and start its SMTP listeners."""
    clock, mailbox, knock = DemoClock(where / "clock"), Mailboxes(where / "mail"), WorkerWaker(_BROKER)
    post = _listen(stack, mailbox)
    database = where / "corr.sqlite"
    config = Config(
        database_url=f"sqlite:///{database}",
        domain=DOMAIN,
        post_url=f"smtp://{post.host}:{post.port}",
        web_url=address,
        authserv_id=AUTHSERV_ID,
        lease=_LEASE,
        answers_an_hour=_ANSWERS_AN_HOUR,
    )
    # Emails arrive at once here and people advance the clock on purpose, so players may lose on time at once.
    server = replace(build_server(config, clock.now), grace=timedelta(), outage=timedelta.max)
    stack.callback(server.store.close)
    make_tables(server.store, database)
    return Demo(server, mailbox, clock, knock, _listen(stack, EmailEntrance(server, knock)))


def make_tables(store: Store, database: Path) -> None:
    """Upgrade the tables to the newest version, without importing Alembic if they have it."""
    if not database.exists() or version.current(store) != version.newest():
        from corr.store import migrate

        migrate.upgrade(store)


def _listen(stack: ExitStack, receiver: EmailReceiver) -> ListenAddress:
    """Start a listener that accepts email, and return its address."""
    listener = Listener(receiver, ListenAddress(_HOST, 0, SmtpProtocol), DOMAIN)
    listener.start()
    stack.callback(listener.stop)
    return listener.place


def _start_workers(stack: ExitStack, app: Celery) -> None:
    """Start a real worker and a real beat, in threads of this process."""
    app.conf.update(worker_pool="threads", broker_transport_options={"polling_interval": _POLLING})
    logging.getLogger("celery").setLevel(logging.ERROR)
    worker = WorkController(
        app=app,
        pool_cls="threads",
        concurrency=_THREADS,
        without_mingle=True,
        without_gossip=True,
        queues=[app.conf.task_default_queue, THOUGHTS, CALLS],
    )
    threading.Thread(target=worker.start, name="worker", daemon=True).start()
    stack.callback(worker.stop)
    beat = EmbeddedService(app, thread=True, scheduler_cls="worker.beat:Beat")
    beat.start()
    stack.callback(beat.stop)


def _open_port(port: int) -> socket.socket:
    """Open the port of the pages; fail with advice if it is in use."""
    try:
        return socket.create_server((_HOST, port))
    except OSError as error:
        raise click.ClickException(f"Port {port} is in use. Choose another one with --port.") from error


def _serve(stack: ExitStack, demo: Demo, listening: socket.socket) -> None:
    """Serve all pages, the mailboxes included, in a thread."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app = create_app(demo.server, demo.knock, operators=frozenset([OLGA.address]))
    app.register_blueprint(demo_pages(demo))
    open_personal_pages(app, demo.server)
    http_server = make_server(_HOST, listening.getsockname()[1], app, threaded=True, fd=listening.fileno())
    threading.Thread(target=http_server.serve_forever, name="web", daemon=True).start()
    stack.callback(http_server.shutdown)
