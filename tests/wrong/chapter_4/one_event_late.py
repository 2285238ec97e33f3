"""Returns an event when the next one begins.

misunderstood: only what follows shows that an event has ended
seen in: an ordinary slip
task: 4.4
check: test_one_event_a_read
"""


class EventParser(EventParser):
    waiting = ()

    def feed(self, received):
        events = [*self.waiting, *super().feed(received)]
        self.waiting = () if events[-1:] == ["[DONE]"] else events[-1:]
        return events[: len(events) - len(self.waiting)]
