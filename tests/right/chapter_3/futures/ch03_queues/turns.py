"""A list of (uid, generation) pairs, rebuilt in every turn."""

from chapters.core import Abort, Failure, Generation, Reply, WholeText


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.core = core
        self.new_text = new_text
        self.line = []
        self.to_say = []

    @property
    def busy(self):
        return len(self.line) + len(self.to_say) > 0

    def receive(self, message):
        if type(message) is Abort:
            return
        try:
            generation = Generation(self.core, message, self.new_text)
        except ValueError as error:
            self.to_say.append(Reply(message.uid, error=Failure("invalid_request", str(error))))
        else:
            self.line.append((message.uid, generation))

    def turn(self):
        said, self.to_say = self.to_say, []
        still = []
        replies = []
        for uid, generation in self.line:
            try:
                reply = generation.step()
            except Exception as error:
                reply = Reply(uid, error=Failure("server_error", repr(error)))
            replies.append(reply)
            if reply.last:
                generation.close()
            else:
                still.append((uid, generation))
        self.line = still
        return replies + said

    def drop(self, uid):
        for pair in self.line:
            if pair[0] == uid:
                pair[1].close()
        self.line = [pair for pair in self.line if pair[0] != uid]
