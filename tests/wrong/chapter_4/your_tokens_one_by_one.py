"""Decodes every token by itself, in the worker.

misunderstood: a token is a piece of text
seen in: vllm-mlx#109
task: 4.5
file: text.py
check: test_your_own_server
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        return self.decode([token])

    def flush(self):
        return ""
