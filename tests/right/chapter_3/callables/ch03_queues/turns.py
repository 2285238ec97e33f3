"""The refused take a turn like all others: a dict of callables."""

from functools import partial

from chapters.core import Abort, Failure, Generation, Reply, WholeText


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.core, self.new_text = core, new_text
        self.next, self.close = {}, {}

    @property
    def busy(self):
        return len(self.next)

    def receive(self, message):
        if isinstance(message, Abort):
            return
        uid = message.uid
        try:
            generation = Generation(self.core, message, self.new_text)
        except ValueError as error:
            refusal = Reply(uid, error=Failure("invalid_request", f"refused: {error}"))
            self.next[uid], self.close[uid] = partial(dict.get, {}, None, refusal), bool
        else:
            self.next[uid], self.close[uid] = generation.step, generation.close

    def turn(self):
        return list(map(self._one, tuple(self.next)))

    def _one(self, uid):
        try:
            reply = self.next[uid]()
        except Exception as error:
            reply = Reply(uid, tokens=1, error=Failure("server_error", f"internal: {error}"))
        if reply.last:
            self.drop(uid)
        return reply

    def drop(self, uid):
        self.next.pop(uid, None)
        self.close.pop(uid, bool)()
