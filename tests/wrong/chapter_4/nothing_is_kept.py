"""Forgets what has not ended at the end of a read.

misunderstood: a read ends where an event ends
seen in: langchain#156
task: 4.4
check: test_one_event_a_read
"""


class EventParser(EventParser):
    def feed(self, received):
        self.__init__()
        return super().feed(received)
