"""Makes one text decoder and gives it to every request.

misunderstood: what is made once can be used by all
seen in: mlx-lm#965
task: 3.1
check: test_each_answer_is_its_own
"""


class Turns(Turns):
    def __init__(self, core, new_text=WholeText):
        decoder = new_text(core.decode)
        super().__init__(core, lambda decode, stop: decoder)
