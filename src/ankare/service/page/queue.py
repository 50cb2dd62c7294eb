"""How does Gradio's queue stay small, and alive, whatever those do who call it?

A program that uses Gradio's own call puts a question in, and fetches the answer later or never. By itself the queue takes in
any number, keeps something of every call for ever, and ends for good, for everybody, once it has a message for a session
that it has let go of.
"""

from __future__ import annotations

from asyncio import Queue as Messages
from typing import Any

import gradio as gr
from gradio.utils import LRUCache

MOST_WAITING = 256
MOST_SESSIONS = 1000
"""Answers that are kept for whoever asked; each session of another program is one, and so is a call without a session."""
MOST_MESSAGES = 100
"""Of one session."""
TELL_SECONDS = 5
"""How often those who wait are told their place. Gradio would tell all of them each time that one is served."""


def bound_queue(blocks: gr.Blocks, most: int) -> None:
    """Give the blocks a queue in which so many questions wait at most; a further one is a 503."""
    blocks.queue(status_update_rate=TELL_SECONDS, max_size=min(most, MOST_WAITING))
    queue = blocks._queue
    ids = queue.pending_event_ids_session
    sessions = queue.pending_messages_per_session = Sessions(ids)
    send = queue.send_message

    def send_if_kept(event: Any, message: Any) -> None:
        messages = sessions.get(event.session_hash)
        if messages is None:
            return
        if messages.qsize() >= MOST_MESSAGES:
            ids.get(event.session_hash, set()).discard(messages.get_nowait().event_id)
        send(event, message)

    queue.send_message = send_if_kept  # type: ignore[method-assign, assignment]


class Sessions(LRUCache[str, "Messages[Any]"]):
    """The messages that wait for each session. Of a session that is let go of nothing stays."""

    def __init__(self, ids: dict[str, set[str]]) -> None:
        super().__init__(MOST_SESSIONS)
        self._ids = ids

    def popitem(self, last: bool = True) -> tuple[str, Messages[Any]]:
        """Let go of one."""
        session, messages = super().popitem(last)
        self._ids.pop(session, None)
        return session, messages
