"""What the other files share: values in, values out."""

import random

_system = random.SystemRandom()


def fresh():
    return f"{_system.getrandbits(160):040x}"


def owed(tape, uid):
    """The replies that are due to an open request, as a tuple."""
    mine = tuple(reply for reply in tape if reply.uid == uid)
    ends = [place for place, reply in enumerate(mine, 1) if reply.last]
    return mine[: ends[0]] if ends else mine
