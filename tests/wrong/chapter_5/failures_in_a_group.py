"""Lets a TaskGroup wrap the exception of the app.

misunderstood: an exception in a TaskGroup comes out as it went in
seen in: an ordinary slip
task: 5.2
check: test_an_app_that_fails
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inbox = asyncio.Queue(2)

        async def listen(app):
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)
            app.cancel()

        async with asyncio.TaskGroup() as group:
            app = group.create_task(self.app(scope, inbox.get, send))
            listener = group.create_task(listen(app))
            app.add_done_callback(lambda _: listener.cancel())
