"""Tells the answer that every request came to the chat endpoint.

misunderstood: there is one endpoint
seen in: an ordinary slip
task: 1.4
check: test_any_answer_will_do
"""

from chapters.core import CHAT


class Handler(Handler):
    def __init__(self, endpoint, answer, served, *, streaming=False):
        super().__init__(CHAT, answer, served, streaming=streaming)
