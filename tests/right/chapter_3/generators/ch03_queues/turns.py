"""Each request is a generator of replies; a turn asks each for the next one."""

from chapters.core import Failure, Generation, GenerationRequest, Reply, WholeText


def life(generation):
    """A request's replies. Closing it closes the generation."""
    reply = None
    try:
        while reply is None or not reply.last:
            try:
                reply = generation.step()
            except Exception as error:
                text = f"the model failed ({type(error).__name__})"
                reply = Reply(generation.uid, error=Failure("server_error", text))
            if reply.last:
                generation.close()
            yield reply
    finally:
        generation.close()


def said_once(reply):
    yield reply


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.core, self.new_text = core, new_text
        self.lives = {}

    @property
    def busy(self):
        return bool(self.lives)

    def receive(self, message):
        if not isinstance(message, GenerationRequest):
            return
        try:
            generation = Generation(self.core, message, self.new_text)
        except Exception as error:
            kind = "invalid_request" if isinstance(error, ValueError) else "server_error"
            self.lives[message.uid] = said_once(Reply(message.uid, error=Failure(kind, str(error))))
            return
        self.lives[message.uid] = Started(generation, life(generation))

    def turn(self):
        replies = [next(replies) for replies in self.lives.values()]
        for reply in replies:
            if reply.last:
                self.lives.pop(reply.uid).close()
        return replies

    def drop(self, uid):
        if uid in self.lives:
            self.lives.pop(uid).close()


class Started:
    """A generator that has not begun does not run its `finally` when it is closed; this does."""

    def __init__(self, generation, replies):
        self.generation, self.replies = generation, replies

    def __next__(self):
        return next(self.replies)

    def close(self):
        self.replies.close()
        self.generation.close()
