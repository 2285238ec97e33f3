"""A life is a regular expression; who waits for whom is looked at for each two."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


LIFE = re.compile(r"\+t*-")


def violations(moments):
    found = []
    uids = dict.fromkeys(moment.uid for moment in moments)
    signs = {"admitted": "+", "token": "t", "ended": "-"}
    for uid in uids:
        life = "".join(signs[m.kind] for m in moments if m.uid == uid)
        if not LIFE.fullmatch(life):
            found.append(f"the life of {uid} was {life}")
    for uid in uids:
        for other in uids:
            if other == uid:
                continue
            running, since = False, None  # does `other` run; since uid's last token, all the while?
            for m in moments:
                if m.uid == other:
                    running = {"admitted": True, "ended": False}.get(m.kind, running)
                    since = False
                elif m.uid == uid and m.kind == "token":
                    if since:
                        found.append(f"{uid} twice, {other} waits")
                    since = running
    return found
