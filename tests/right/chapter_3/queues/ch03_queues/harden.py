"""A clock: every token is a tick, and each request remembers its own last ones."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


def violations(moments):
    told, admitted, ended, last = [], {}, set(), {}
    for now, moment in enumerate(moments):
        uid = moment.uid
        match moment.kind:
            case "admitted":
                admitted[uid] = now
            case "ended":
                if uid in ended or uid not in admitted:
                    told.append(f"{uid} cannot end now")
                ended.add(uid)
            case "token":
                if uid not in admitted or uid in ended:
                    told.append(f"{uid} is not alive at {now}")
                before = last.get(uid)
                for other, since in admitted.items():
                    if before is None or other in ended or other == uid or since > before:
                        continue
                    if last.get(other, -1) < before:
                        told.append(f"{other} went without while {uid} had two")
                last[uid] = now
    for uid in admitted.keys() - ended:
        told.append(f"{uid} still waits")
    return told
