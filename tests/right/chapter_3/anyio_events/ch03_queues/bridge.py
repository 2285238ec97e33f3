"""A context variable's context is carried along, and the arguments are bound beforehand."""

import contextvars
from functools import partial


class Bridge:
    def __init__(self, loop, deliver):
        self.loop, self.deliver = loop, deliver
        self.context = contextvars.copy_context()

    def post(self, replies):
        if replies:
            call = partial(self.deliver, tuple(replies))
            try:
                self.loop.call_soon_threadsafe(call, context=self.context)
            except RuntimeError as error:
                if not self.loop.is_closed():
                    raise error
