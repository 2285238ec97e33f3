"""Parallel lists, and a cursor that walks around them."""

from chapters.core import Failure, Generation, GenerationRequest, Reply, WholeText


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.core, self.new_text = core, new_text
        self.generations, self.refusals = [], {}

    @property
    def busy(self):
        return any((self.generations, self.refusals))

    def receive(self, message):
        if isinstance(message, GenerationRequest):
            try:
                self.generations += [Generation(self.core, message, self.new_text)]
            except ValueError as why:
                self.refusals[message.uid] = why

    def turn(self):
        replies, cursor = [], 0
        while cursor < len(self.generations):
            generation = self.generations[cursor]
            try:
                reply = generation.step()
            except Exception as why:
                reply = Reply(generation.uid, error=Failure("server_error", f"{why!r}"))
            replies.append(reply)
            if reply.last:
                self.drop(generation.uid)
            else:
                cursor += 1
        while self.refusals:
            uid, why = self.refusals.popitem()
            replies.append(Reply(uid, error=Failure("invalid_request", str(why))))
        return replies

    def drop(self, uid):
        for place, generation in enumerate(self.generations):
            if generation.uid == uid:
                generation.close()
                del self.generations[place]
                break
