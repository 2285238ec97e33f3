"""Takes an empty reply for the end.

misunderstood: the model says nothing when it is done
seen in: an ordinary slip
task: 2.2
check: test_text_says_nothing_about_the_end
"""


class RequestState(RequestState):
    @property
    def finished(self):
        return bool(self.replies) and not self.replies[-1].text
