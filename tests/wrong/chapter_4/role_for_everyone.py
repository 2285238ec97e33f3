"""Opens a plain completion with a role too.

misunderstood: both endpoints stream the same chunks
seen in: an ordinary slip
task: 4.3
check: test_opening
"""


def opening(chunks):
    return chunks.chunk({"delta": {"role": "assistant", "content": ""}})
