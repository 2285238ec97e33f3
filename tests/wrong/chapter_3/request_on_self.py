"""Keeps the request in the backend over an `await`.

misunderstood: one request is opened after the other
seen in: an ordinary slip
task: 3.4
check: test_each_waits_for_its_own
"""


class Backend(Backend):
    async def open(self, checked):
        self.checked = checked
        await asyncio.sleep(0)
        return await super().open(self.checked)
