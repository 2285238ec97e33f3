"""Two lists: who is still to come in this turn, and who comes again in the next."""

from collections import deque

from chapters.core import Abort, Failure, Generation, Reply, WholeText


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.core, self.new_text = core, new_text
        self.queue, self.refused = deque(), []

    busy = property(lambda self: bool(self.queue or self.refused))

    def receive(self, message):
        if isinstance(message, Abort):
            return None
        try:
            self.queue.append(Generation(self.core, message, self.new_text))
        except ValueError as error:
            self.refused.append(
                Reply(message.uid, error=Failure("invalid_request", " ".join(map(str, error.args))))
            )

    def turn(self):
        said = []
        for _ in range(len(self.queue)):
            generation = self.queue.popleft()
            try:
                said.append(generation.step())
            except Exception as error:
                why = Failure("server_error", type(error).__qualname__)
                said.append(Reply(generation.uid, error=why))
            if said[-1].last:
                generation.close()
            else:
                self.queue.append(generation)
        said[:0], self.refused = self.refused, []
        return said

    def drop(self, uid):
        for generation in [g for g in self.queue if g.uid == uid]:
            self.queue.remove(generation)
            generation.close()
