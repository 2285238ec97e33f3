"""Returns the text when the bytes end.

misunderstood: a response that ends is complete
seen in: TensorRT-LLM#18289
task: 4.4
check: test_the_end_is_missing
"""

_read_answer = read_answer


def read_answer(reads):
    return _read_answer([*reads, b"\n\ndata: [DONE]\n\n"])
