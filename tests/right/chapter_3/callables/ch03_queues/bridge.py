"""The whole loop is asked for a task, which delivers."""


class Bridge:
    def __init__(self, loop, deliver):
        self.loop, self.deliver = loop, deliver
        self.tasks = set()

    def post(self, replies):
        if len(replies) and not self.loop.is_closed():
            try:
                self.loop.call_soon_threadsafe(self._start, tuple(replies))
            except RuntimeError:
                pass

    def _start(self, replies):
        task = self.loop.create_task(self._deliver(replies))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _deliver(self, replies):
        self.deliver(list(replies))
