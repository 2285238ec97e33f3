"""A helper file: a pipe of three places between the server and the app."""

import asyncio


class Pipe:
    def __init__(self, receive):
        self.receive, self.full, self.empty = receive, asyncio.Semaphore(0), asyncio.Semaphore(3)
        self.messages = []

    async def take(self):
        await self.full.acquire()
        message = self.messages.pop(0)
        self.empty.release()
        return message

    async def fill(self):
        """Returns when the client has left."""
        while True:
            await self.empty.acquire()
            message = await self.receive()
            if message["type"] == "http.disconnect":
                return
            self.messages.append(message)
            self.full.release()
