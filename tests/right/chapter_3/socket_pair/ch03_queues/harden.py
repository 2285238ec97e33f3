"""Each request's last place, and a scan back from each token to the one before."""

from collections import namedtuple

Moment = namedtuple("Moment", "kind uid")


def violations(moments):
    found, born, gone = [], {}, {}
    for place, (kind, uid) in enumerate(moments):
        if kind == "admitted":
            born[uid] = place
        elif kind == "ended":
            if uid in gone:
                found.append(f"{uid} ended again at {place}")
            gone.setdefault(uid, place)
    found += [f"{uid} never ended" for uid in born if uid not in gone]
    last = {}
    for place, (kind, uid) in enumerate(moments):
        if kind != "token":
            continue
        if not born.get(uid, place) < place < gone.get(uid, len(moments)):
            found.append(f"{uid} does not live at {place}")
        if uid in last:
            between = moments[last[uid] + 1 : place]
            had = {m.uid for m in between if m.kind == "token"}
            for other, start in born.items():
                if start < last[uid] and gone.get(other, len(moments)) > place:
                    if other != uid and other not in had:
                        found.append(f"{other} waited from {last[uid]} to {place}")
        last[uid] = place
    return found
