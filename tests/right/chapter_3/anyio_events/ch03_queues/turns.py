"""Slots: a refusal has one too, and its only step says why."""

from dataclasses import dataclass

from chapters.core import Abort, Failure, Generation, Reply, WholeText


@dataclass
class Refusal:
    uid: str
    why: str

    def step(self):
        return Reply(self.uid, error=Failure("invalid_request", self.why))

    def close(self):
        pass


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.core, self.new_text, self.slots = core, new_text, {}

    @property
    def busy(self):
        return self.slots != {}

    def receive(self, message):
        match message:
            case Abort():
                pass
            case request:
                try:
                    slot = Generation(self.core, request, self.new_text)
                except ValueError as error:
                    slot = Refusal(request.uid, str(error))
                self.slots[request.uid] = slot

    def turn(self):
        replies = []
        for uid, slot in tuple(self.slots.items()):
            try:
                replies.append(slot.step())
            except Exception as error:
                replies.append(Reply(uid, error=Failure("server_error", str(error) or "?")))
            if replies[-1].last:
                self.drop(uid)
        return replies

    def drop(self, uid):
        if uid in self.slots:
            self.slots.pop(uid).close()
