"""A string for each pair of requests: what a regular expression can judge."""

import re
from dataclasses import dataclass
from itertools import permutations


@dataclass(frozen=True)
class Moment:
    kind: str
    uid: str


def violations(moments):
    uids = sorted({moment.uid for moment in moments})
    found = []
    for uid in uids:
        own = "".join(m.kind[0] for m in moments if m.uid == uid)
        if not re.fullmatch("at*e", own):
            found.append(f"{uid}: {own}")
    for one, two in permutations(uids, 2):
        line = "".join(
            m.kind[0] if m.uid == one else m.kind[0].upper() for m in moments if m.uid in (one, two)
        )
        # Small letters are one's, capitals two's: two tokens of one while two runs and waits.
        lives = re.search("A[^E]*", line)
        if lives and re.search("tt", line[lives.start() + 1 : lives.end()]):
            found.append(f"{two} waited for {one}: {line}")
    return found
