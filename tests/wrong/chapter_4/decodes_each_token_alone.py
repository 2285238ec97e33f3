"""Decodes every token by itself.

misunderstood: a token is a piece of text
seen in: vllm-mlx#109
task: 4.1
check: test_split_characters
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        return self.decode([token])

    def flush(self):
        return ""
