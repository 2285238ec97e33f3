"""The app runs in the calling task; anyio's scope cancels it level by level."""

import anyio


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        failures = []
        writer, reader = anyio.create_memory_object_stream(2)

        async def listen():
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    group.cancel_scope.cancel()
                    return
                await writer.send(message)

        with writer, reader:
            async with anyio.create_task_group() as group:
                group.start_soon(listen)
                try:
                    await self.app(scope, reader.receive, send)
                except Exception as error:
                    failures.append(error)
                group.cancel_scope.cancel()
        if failures:
            raise failures[0]
