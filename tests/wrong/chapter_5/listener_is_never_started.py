"""Has a listener, and nobody who calls it.

misunderstood: a function that is there is a function that runs
seen in: llama.cpp#24496
task: 5.2
check: test_real_sockets
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        app = asyncio.ensure_future(self.app(scope, receive, send))

        async def cancel_when_gone():
            while (await receive())["type"] != "http.disconnect":
                pass
            app.cancel()

        try:
            await asyncio.wait({app})
        finally:
            app.cancel()
            await asyncio.wait({app})
        app.result()
