"""Sets the ending when the clean-ups are through.

misunderstood: nothing else happens while they run
seen in: an ordinary slip
task: 5.1
check: test_decided_before_the_clean_ups_run
"""


class Life(Life):
    def end(self, ending):
        if ending not in ENDINGS:
            raise ValueError(f"{ending!r} is no ending")
        if self.ending is not None:
            return False
        for cleanup in reversed(self.cleanups):
            try:
                cleanup(ending)
            except Exception:
                log.exception("a clean-up failed")
        self.cleanups.clear()
        self.ending = ending
        return True
