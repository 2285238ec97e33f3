"""Reading ahead on credit: every message read costs one of three, and the app gives it back."""

from __future__ import annotations

import asyncio


class ReadAhead:
    """`listen` reads, `receive` is the app's. No more than `credit` messages lie between."""

    def __init__(self, receive, credit: int = 3):
        self.read = receive
        self.credit = asyncio.Semaphore(credit)
        self.messages: asyncio.Queue[dict] = asyncio.Queue()

    async def listen(self) -> None:
        """Returns when the client has left."""
        while True:
            await self.credit.acquire()
            message = await self.read()
            if message["type"] == "http.disconnect":
                return
            self.messages.put_nowait(message)

    async def receive(self) -> dict:
        message = await self.messages.get()
        self.credit.release()
        return message
