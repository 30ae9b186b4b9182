"""Streams news to open pages, as server-sent events (limits: `corr/limits.py`); pages that get none ask for it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from flask import Blueprint, Response, current_app, request, session
from sqlalchemy.exc import SQLAlchemyError

from corr import limits
from corr.service.games import news
from corr.service.games.news import SeatNews
from corr.service.players import authentication
from corr.web.browser_session import current_server

pages = Blueprint("news", __name__, url_prefix="/games")

#: How many seconds lie between two looks at the database, one for all streams. The beat is steady, so the moment of a
#: commit tells no more than the beat in which it was.
BEAT = 0.15
#: How many seconds a silent stream waits before it shows that it is alive, which also finds readers that went away.
_PULSE = 15.0
_ALIVE, _NEWS = ": \n\n", "data: news\n\n"


@pages.get("/news")
def of_all_games() -> Response:
    """Stream the news of all unfinished games of the visitor or guest."""
    secret = session.get("in", "")
    return _stream(secret, news.list_open_seats(current_server(), secret, current_server().now()))


@pages.get("/<code>/news")
def of_game(code: str) -> Response:
    """Stream the news of one game of the visitor or guest."""
    secret = session.get("in", "")
    now = current_server().now()
    return _stream(secret, news.list_game_seats(current_server(), secret, code.lower(), now))


def _stream(secret: str, seats: Sequence[int]) -> Response:
    """Answer with a stream, or with nothing, after which a browser asks by itself."""
    is_read = seats and request.method != "HEAD"  # nobody would ever close what HEAD opens
    opened = current_app.extensions["news"].open(authentication.digest(secret), seats) if is_read else None
    if opened is None:
        return Response(status=204)
    answer = Response(opened, mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"  # nginx would collect the events otherwise
    return answer


@dataclass(slots=True, eq=False)
class _Stream:
    """An open stream: its seats, and what the page knew of them when the last event was sent."""

    browser: str
    seats: Sequence[int]
    known: tuple[SeatNews | None, ...]
    until: float  # when it ends, whether or not anybody reads it
    has_ended: bool = False
    stirred: threading.Event = field(default_factory=threading.Event)


class NewsStreams:
    """All open streams of this process; one thread asks the database for all of them."""

    def __init__(
        self,
        load: Callable[[Collection[int]], Sequence[SeatNews]],
        beat: float | None = BEAT,
        pulse: float = _PULSE,
    ) -> None:
        """Take the function that loads the news of seats. Without a beat it never looks by itself."""
        self._load, self._beat, self._pulse = load, beat, pulse
        self._lock = threading.Lock()
        self._open = set[_Stream]()
        self._browsers = Counter[str]()
        self._is_watching = False
        #: Whether the process is about to end, so that the streams must.
        self.is_stopping: Callable[[], bool] = lambda: False

    def open(self, browser: str, seats: Sequence[int]) -> Iterator[str] | None:
        """Open a stream for a browser; None if it, or this process, has too many."""
        until = time.monotonic() + limits.STREAM_LIFE.total_seconds()
        stream = _Stream(browser, seats, self._load_known(seats), until)
        with self._lock:
            if len(self._open) >= limits.STREAMS or self._browsers[browser] >= limits.BROWSER_STREAMS:
                return None
            self._open.add(stream)
            self._browsers[browser] += 1
            if self._beat and not self._is_watching:
                threading.Thread(target=self._watch, args=(self._beat,), name="news", daemon=True).start()
                self._is_watching = True
        return self._tell(stream)

    def _tell(self, stream: _Stream) -> Iterator[str]:
        """Yield a stream's events until its reader goes away or the process ends."""
        try:
            yield _ALIVE
            while not stream.has_ended:
                if has_news := stream.stirred.wait(self._pulse):
                    stream.stirred.clear()
                yield _NEWS if has_news and not stream.has_ended else _ALIVE
        finally:
            self._close(stream)

    def _close(self, stream: _Stream) -> None:
        with self._lock:
            if stream in self._open:
                self._open.discard(stream)
                self._browsers[stream.browser] -= 1
                self._browsers += Counter()  # forget those who have none

    def _watch(self, beat: float) -> None:
        """Look for news at every beat, until no stream is open."""
        while self._has_open():
            begun = time.monotonic()
            with suppress(SQLAlchemyError):  # while the database is down there is no news
                self.look()
            time.sleep(beat - (time.monotonic() - begun) % beat)

    def _has_open(self) -> bool:
        with self._lock:
            self._is_watching = bool(self._open)
            return self._is_watching

    def look(self) -> None:
        """Stir the streams for whose seats something has changed."""
        with self._lock:
            streams = list(self._open)
        now, is_stopping = time.monotonic(), self.is_stopping()
        for stream in streams:
            if is_stopping or stream.until <= now:
                stream.has_ended = True
                stream.stirred.set()
                self._close(stream)
        found = {each.seat_id: each for each in self._load({seat for each in streams for seat in each.seats})}
        for stream in streams:
            known = tuple(found.get(seat) for seat in stream.seats)
            if stream.known != known:
                stream.known = known
                stream.stirred.set()

    def _load_known(self, seats: Sequence[int]) -> tuple[SeatNews | None, ...]:
        """Return what is known of a new stream's seats, from which on there is news."""
        found = {each.seat_id: each for each in self._load(seats)}
        return tuple(found.get(seat) for seat in seats)
