"""What happens to open connections when the service is told to stop?

The server takes in no new ones and waits for answers under way. A page that is only open keeps a stream that never ends by
itself: that one is ended at once, so that nobody waits for it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.service.door.bounds import is_endless

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Closing:
    """Told once that the service stops. Belongs to the event loop of one app."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()

    @contextmanager
    def told_by_signals(self) -> Iterator[None]:
        """Inside, whoever handles the signals that stop the process still does, and this is told too."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        before = {number: signal.getsignal(number) for number in SIGNALS}

        def stop(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.begun.set)
            handler = before[signal.Signals(number)]
            if callable(handler):
                handler(number, frame)

        handled = [number for number, handler in before.items() if callable(handler)]
        for number in handled:
            signal.signal(number, stop)
        try:
            yield
        finally:
            for number in handled:
                signal.signal(number, before[number])


def end_with_parent() -> None:
    """From now on this worker is told to stop once the process is gone that started it, however that ended: it would keep the
    port, so that nothing could be started in its place."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="ankare-parent", daemon=True).start()


class EndlessStreams:
    """Layer around the app: ends the streams that only say that a page is open."""

    def __init__(self, app: ASGIApp, closing: Closing) -> None:
        self._app = app
        self._closing = closing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or not is_endless(scope):
            await self._app(scope, receive, send)
            return
        open_ended = False

        async def send_noting(message: Message) -> None:
            nonlocal open_ended
            open_ended = message["type"] == "http.response.start" or bool(message.get("more_body"))
            await send(message)

        streaming = asyncio.ensure_future(self._app(scope, receive, send_noting))
        stopping = asyncio.ensure_future(self._closing.begun.wait())
        try:
            await asyncio.wait({streaming, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if streaming.done():
                streaming.result()
                return
        finally:
            stopping.cancel()
            streaming.cancel()
        with suppress(asyncio.CancelledError):
            await streaming
        if open_ended:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
