"""Sends the usage at the chat endpoint only.

misunderstood: only chats have the option
seen in: an ordinary slip
task: 4.3
check: test_usage
"""

_closing = closing


def closing(chunks, last):
    return _closing(chunks, last) if chunks.endpoint is CHAT else DONE
