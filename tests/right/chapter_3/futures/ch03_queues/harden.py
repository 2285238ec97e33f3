"""Looks at each pair of tokens, and at what lies between."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Moment:
    kind: str
    uid: str


def _alive(moments, uid):
    """Where it was admitted, and where it ended."""
    places = [n for n, m in enumerate(moments) if m.uid == uid and m.kind != "token"]
    kinds = [moments[n].kind for n in places]
    return (*places, None) if kinds == ["admitted"] else places if len(places) == 2 else None


def violations(moments):
    moments = list(moments)
    uids = list(dict.fromkeys(m.uid for m in moments))
    lives = {uid: _alive(moments, uid) for uid in uids}
    found = []
    for uid, life in lives.items():
        kinds = [m.kind for m in moments if m.uid == uid]
        if kinds[0] != "admitted" or kinds[-1] != "ended" or kinds.count("ended") != 1:
            found.append(f"{uid} lived like this: {kinds}")
    if found:
        return found
    for uid in uids:
        tokens = [n for n, m in enumerate(moments) if (m.kind, m.uid) == ("token", uid)]
        for one, two in zip(tokens, tokens[1:]):
            between = {m.uid for m in moments[one:two] if m.kind == "token"}
            for other, (born, gone) in lives.items():
                if born < one and gone > two and other not in between:
                    found.append(f"{other} waited between moments {one} and {two}")
    return found
