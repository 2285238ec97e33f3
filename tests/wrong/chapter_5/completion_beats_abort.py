"""Counts a request as finished if its last reply still comes after the abort.

misunderstood: an answer that was computed to the end is a success, whoever left meanwhile
seen in: vllm#29987
task: 5.1
check: test_first_ending_wins
"""


class Life(Life):
    def end(self, ending):
        if ending == "finished" and self.ending == "aborted":
            self.ending = None
        return super().end(ending)
