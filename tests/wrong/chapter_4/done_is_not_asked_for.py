"""Does not look for [DONE].

misunderstood: a stream ends by ending
seen in: TensorRT-LLM#18289
task: 4.5
check: test_the_end
"""

_violations = violations


def violations(events, whole):
    return _violations([*(data for data in events if data != "[DONE]"), "[DONE]"], whole)
